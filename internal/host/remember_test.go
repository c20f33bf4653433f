package host

import (
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"assay/internal/cachedir"
)

func TestRemember(t *testing.T) {
	cache := cachedir.In(filepath.Join(t.TempDir(), "cache"))
	for i, step := range []struct {
		key      string
		ns, want float64
	}{
		{"a", 0, 0},
		{"a", 120, 120},
		{"a", 130, 120},
		{"b", 200, 200}, // another machine that shares the directory
		{"a", 100, 100},
		{"a", 0, 100},
		{"a", -5, 100},
		{"a", math.NaN(), 100},
		{"a", math.Inf(1), 100},
		{"b", 0, 200},
	} {
		if got := Remember(cache, step.key, step.ns); got != step.want {
			t.Errorf("step %d: Remember(%q, %v) = %v, want %v", i, step.key, step.ns, got, step.want)
		}
	}
}

func TestRememberDamaged(t *testing.T) {
	cache := cachedir.In(t.TempDir())
	if err := cache.AppendLearned([]byte("\x00\n{\"machine\":\"a\",\"ns\":90}\n{\"machine\":\"a\",\"ns\":-1}\n{\"machine\":\"a\",\"n")); err != nil {
		t.Fatal(err)
	}
	for _, step := range [][2]float64{{95, 90}, {80, 80}, {0, 80}} {
		if got := Remember(cache, "a", step[0]); got != step[1] {
			t.Errorf("Remember(%v) = %v, want %v", step[0], got, step[1])
		}
	}
}

func TestRememberNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, cache := range []cachedir.Dir{{}, cachedir.In(file), cachedir.In(filepath.Join(file, "below"))} {
		if got := Remember(cache, "a", 50); got != 50 {
			t.Errorf("Remember in %q = %v, want 50", cache.Path(), got)
		}
	}
	if left, _ := os.ReadDir("."); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// No best time is lost if several processes store one at once.
func TestRememberAtOnce(t *testing.T) {
	cache := cachedir.In(t.TempDir())
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() { Remember(cache, "a", float64(100+(i*37)%50)) })
	}
	wg.Wait()
	if got := Remember(cache, "a", 0); got != 100 {
		t.Errorf("best = %v, want 100", got)
	}
}

func FuzzRemembered(f *testing.F) {
	f.Add([]byte("{\"machine\":\"a\",\"ns\":90}\n"))
	f.Add([]byte("{\"machine\":\"a\",\"ns\":-90}"))
	f.Add([]byte("\n\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got := remembered(data, "a"); !(got >= 0) {
			t.Errorf("remembered %v", got)
		}
	})
}

// Figures returns the last numbers of a machine, whatever damaged lines and lines of other
// machines there are.
func TestFigures(t *testing.T) {
	cache := cachedir.In(t.TempDir())
	if got := Figures(cache, "a"); got != nil {
		t.Errorf("of nothing: %v", got)
	}
	KeepFigures(cache, "a", map[string]float64{"x": 1})
	KeepFigures(cache, "b", map[string]float64{"x": 2})
	KeepFigures(cache, "a", map[string]float64{"x": 3, "y": 4})
	Remember(cache, "a", 90)
	if err := cache.AppendLearned([]byte(`{"machine":"a","figures":{"x":`)); err != nil {
		t.Fatal(err)
	}
	KeepFigures(cache, "c", map[string]float64{"x": math.NaN()}) // JSON has no NaN, so nothing is stored
	if got := Figures(cache, "a"); len(got) != 2 || got["x"] != 3 || got["y"] != 4 {
		t.Errorf("of a: %v", got)
	}
	if got := Figures(cache, "b"); len(got) != 1 || got["x"] != 2 {
		t.Errorf("of b: %v", got)
	}
	if got := Remember(cache, "a", 0); got != 90 {
		t.Errorf("the sentinel's best is %v", got)
	}
}
