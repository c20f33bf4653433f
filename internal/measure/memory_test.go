package measure

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/internal/cachedir"
)

// A result is remembered for exactly the same program, machine, values and question, and for a
// week.
func TestMemory(t *testing.T) {
	now := time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC)
	values := "of today"
	made := func() *memory {
		return &memory{
			part: cachedir.Verified, now: func() time.Time { return now },
			about:  about{Runner: "k1", Machine: "m", Env: []string{"GOGC=off"}, Seed: 1, Inputs: 8},
			values: func(string, string) (string, error) { return values, nil },
		}
	}
	tests := []struct {
		name   string
		change func(*memory)
		size   string
		ask    any
		known  bool
	}{
		{name: "the same", known: true},
		{name: "another program", change: func(k *memory) { k.about.Runner = "k2" }},
		{name: "another machine", change: func(k *memory) { k.about.Machine = "n" }},
		{name: "another collector", change: func(k *memory) { k.about.Env = nil }},
		{name: "another seed", change: func(k *memory) { k.about.Seed = 2 }},
		{name: "more inputs", change: func(k *memory) { k.about.Inputs = 9 }},
		{name: "other values", change: func(k *memory) { k.values = func(string, string) (string, error) { return "others", nil } }},
		{name: "values that cannot be read", change: func(k *memory) { k.values = func(string, string) (string, error) { return "", os.ErrNotExist } }},
		{name: "another size", size: "level=2"},
		{name: "another question", ask: "how many?"},
		{name: "six days later", change: func(k *memory) { k.now = func() time.Time { return now.Add(6 * 24 * time.Hour) } }, known: true},
		{name: "a week later", change: func(k *memory) { k.now = func() time.Time { return now.Add(remembers) } }},
		{name: "before it was found", change: func(k *memory) { k.now = func() time.Time { return now.Add(-time.Minute) } }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k := made()
			k.cache = cachedir.In(t.TempDir())
			k.Keep("w", "level=1", "what?", []int{1, 2})
			size, ask := "level=1", any("what?")
			if test.size != "" {
				size = test.size
			}
			if test.ask != nil {
				ask = test.ask
			}
			if test.change != nil {
				test.change(k)
			}
			var got []int
			when, ok := k.Recall("w", size, ask, &got)
			if ok != test.known || ok && (!when.Equal(now) || len(got) != 2) {
				t.Errorf("recalled %v of %v: %v, want %v", got, when, ok, test.known)
			}
		})
	}
}

// A damaged file of the memory is ignored.
func TestMemoryDamaged(t *testing.T) {
	cache := cachedir.In(t.TempDir())
	k := &memory{cache: cache, part: cachedir.Verified, now: time.Now, values: func(string, string) (string, error) { return "", nil }}
	k.Keep("w", "s", "what?", 1)
	files, err := filepath.Glob(filepath.Join(cache.Path(), string(cachedir.Verified), "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v: %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-2] ^= 1
	if err := os.WriteFile(files[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	var got int
	if _, ok := k.Recall("w", "s", "what?", &got); ok {
		t.Errorf("recalled %d of a damaged file", got)
	}
}

func TestRuntimeEnv(t *testing.T) {
	got := runtimeEnv([]string{"HOME=/h", "GOGC=50", "GODEBUG=x=1", "EGO=1"})
	if len(got) != 2 || got[0] != "GODEBUG=x=1" || got[1] != "GOGC=50" {
		t.Errorf("runtimeEnv: %q", got)
	}
}
