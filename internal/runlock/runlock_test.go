package runlock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

func take(t *testing.T, dir string) *Lock {
	t.Helper()
	l, gone, err := Take(dir)
	if err != nil || gone != nil {
		t.Fatalf("Take: gone %v, %v", gone, err)
	}
	return l
}

func left(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestOneWriter(t *testing.T) {
	dir := t.TempDir()
	if o := Holder(dir); o != nil {
		t.Errorf("a run that nobody writes is written by %v", o)
	}
	first := take(t, dir)
	var busy *BusyError
	if _, _, err := Take(dir); !errors.As(err, &busy) || busy.Away || busy.Owner.PID != os.Getpid() || busy.Owner.Host != host() || time.Since(busy.Owner.Since) > time.Hour {
		t.Errorf("a second writer: %v", err)
	}
	if o := Holder(dir); o == nil || o.PID != os.Getpid() {
		t.Errorf("the holder is %v", o)
	}
	if err := errors.Join(first.Release(), first.Release(), (*Lock)(nil).Release()); err != nil {
		t.Error(err)
	}
	if names := left(t, dir); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
	if o := Holder(dir); o != nil {
		t.Errorf("after its release it is written by %v", o)
	}
	take(t, dir).Release()
}

// Take handles owners that were left behind: a process that died, a process on another host, and
// invalid files.
func TestLeftBehind(t *testing.T) {
	died := `{"pid":42,"host":"` + host() + `","since":"2026-01-02T15:04:05Z"}`
	since := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC).Local().Format("2006-01-02 15:04:05")
	here, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	const unknown = "another process"
	for _, test := range []struct {
		name, text string
		gone       string
		err        string
	}{
		{"died here", died, "process 42 on host " + here + " since " + since, ""},
		{"elsewhere", `{"pid":42,"host":"a\u001b[2J","since":"2026-01-02T15:04:05Z"}`, "", "if it is gone, remove "},
		{"cut short", died[:20], unknown, ""},
		{"empty", "", unknown, ""},
		{"no process", `{"host":"elsewhere"}`, unknown, ""},
		{"null", "null", unknown, ""},
		{"too large", died + strings.Repeat(" ", mostOwner), unknown, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{lockFile: "", ownerFile: test.text} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if held := Holder(dir) != nil; held != (test.err != "") {
				t.Errorf("held: %t", held)
			}
			l, gone, err := Take(dir)
			if test.err != "" {
				var busy *BusyError
				if !errors.As(err, &busy) || !busy.Away || busy.Owner.PID != 42 || !strings.Contains(err.Error(), test.err+filepath.Join(dir, ownerFile)) {
					t.Fatalf("%v", err)
				}
				// What the error recommends.
				if err := os.Remove(filepath.Join(dir, ownerFile)); err != nil {
					t.Fatal(err)
				}
				l, gone, err = Take(dir)
			}
			if err != nil || (gone != nil) != (test.gone != "") || gone != nil && gone.String() != test.gone {
				t.Fatalf("gone %v, %v; want %q", gone, err, test.gone)
			}
			if err := l.Release(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A writer whose file is damaged is still a writer, without a name.
func TestBusyWithoutName(t *testing.T) {
	dir := t.TempDir()
	defer take(t, dir).Release()
	for _, harm := range []func(name string) error{os.Remove, func(name string) error { return os.WriteFile(name, []byte("{"), 0o600) }} {
		if err := harm(filepath.Join(dir, ownerFile)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Take(dir); err == nil || err.Error() != "another process writes the run: let it end, or end it" {
			t.Errorf("error = %v", err)
		}
	}
}

// A link in the place of the owner's file is replaced, and its target is not changed.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(dir, ownerFile)); err != nil {
		t.Skip(err)
	}
	l, _, err := Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(other); string(text) != "mine" || err != nil {
		t.Errorf("the other file holds %q, %v", text, err)
	}
	if names := left(t, dir); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
	made := filepath.Join(t.TempDir(), "made")
	if err := os.Symlink(made, filepath.Join(dir, lockFile)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Take(dir); err == nil || !strings.Contains(err.Error(), "is no regular file") {
		t.Errorf("a link in the place of the lock: %v", err)
	}
	if _, err := os.Stat(made); err == nil {
		t.Error("the lock was made where the link points to")
	}
}

// A temporary file of a process that was killed while it signed is removed by the next writer.
func TestHalfSigned(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"writer.json.123.tmp", "writer.json.mine.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := take(t, dir).Release(); err != nil {
		t.Fatal(err)
	}
	if names := left(t, dir); len(names) != 1 || names[0] != "writer.json.mine.tmp" {
		t.Errorf("left behind: %q", names)
	}
}

// Releasing a lock whose file was removed does not remove the files of the next lock.
func TestReleaseRemoved(t *testing.T) {
	dir := t.TempDir()
	first := take(t, dir)
	if err := os.Remove(filepath.Join(dir, lockFile)); err != nil {
		t.Skip(err) // Windows keeps what is open
	}
	second, _, err := Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Release(); err != nil {
		t.Error(err)
	}
	if names := left(t, dir); len(names) != 2 {
		t.Errorf("of the other's files there are %q", names)
	}
	if err := second.Release(); err != nil {
		t.Error(err)
	}
}

// A lock whose owner's file was removed is still held, and its release leaves nothing.
func TestReleaseUnsigned(t *testing.T) {
	dir := t.TempDir()
	l := take(t, dir)
	if err := os.Remove(filepath.Join(dir, ownerFile)); err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, _, err := Take(dir); !errors.As(err, &busy) {
		t.Errorf("a second writer: %v", err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	if names := left(t, dir); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
}

// However many processes want the lock at the same time, and however often it changes hands,
// there is never more than one writer.
func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	var writers, taken int
	var mu sync.Mutex
	count := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		if writers += n; writers > 1 {
			t.Error("two writers")
		}
		taken += max(n, 0)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				l, _, err := Take(dir)
				if busy := (*BusyError)(nil); errors.As(err, &busy) {
					continue
				}
				if err != nil {
					t.Error(err)
					continue
				}
				count(1)
				time.Sleep(time.Millisecond) // gives others time to come
				count(-1)
				if err := l.Release(); err != nil {
					t.Error(err)
				}
				Holder(dir)
			}
		})
	}
	wg.Wait()
	if taken == 0 {
		t.Error("nobody ever wrote")
	}
	take(t, dir).Release()
}

// In a directory that does not exist, Take fails and Holder finds nobody.
func TestNoDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "nowhere")
	if _, _, err := Take(dir); err == nil || !strings.Contains(err.Error(), "cannot lock the run") {
		t.Errorf("%v", err)
	}
	if o := Holder(dir); o != nil {
		t.Errorf("held by %v", o)
	}
}

// unlockedIn returns a lock on a file system without locks.
func unlockedIn(dir string) *Lock {
	return &Lock{dir: dir, file: flock.New(filepath.Join(dir, lockFile)), unlocked: true}
}

// Without locks, only one process can make the owner's file.
func TestUnlockedOneWriter(t *testing.T) {
	dir := t.TempDir()
	var mu sync.Mutex
	var signed []*Lock
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			l := unlockedIn(dir)
			err := l.sign(Owner{PID: 1000 + i, Host: host(), Since: time.Now()})
			var busy *BusyError
			switch {
			case err == nil:
				mu.Lock()
				signed = append(signed, l)
				mu.Unlock()
			case !errors.As(err, &busy) || !busy.Away || busy.File != filepath.Join(dir, ownerFile):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(signed) != 1 {
		t.Fatalf("%d processes write the run", len(signed))
	}
	if err := signed[0].Release(); err != nil {
		t.Error(err)
	}
	if names := left(t, dir); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
}

// Without locks, Release keeps the owner's file of another process.
func TestUnlockedReleaseReplaced(t *testing.T) {
	since := time.Now()
	mine := Owner{PID: 7, Host: host(), Since: since}
	for _, other := range []Owner{{PID: 8, Host: mine.Host, Since: since}, {PID: 7, Host: "elsewhere", Since: since}, {PID: 7, Host: mine.Host, Since: since.Add(time.Second)}} {
		dir := t.TempDir()
		first := unlockedIn(dir)
		if err := first.sign(mine); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(dir, ownerFile)); err != nil {
			t.Fatal(err)
		}
		if err := unlockedIn(dir).sign(other); err != nil {
			t.Fatal(err)
		}
		if err := first.Release(); err != nil {
			t.Error(err)
		}
		if o, err := ownerOf(dir); err != nil || o == nil || o.PID != other.PID || o.Host != other.Host {
			t.Errorf("after the first is released the run is of %v, %v", o, err)
		}
	}
}

// If the file system has no links either, create makes a file only if there is none.
func TestCreate(t *testing.T) {
	name := filepath.Join(t.TempDir(), ownerFile)
	if err := create(name, []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := create(name, []byte("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made again: %v", err)
	}
	if text, err := os.ReadFile(name); string(text) != "first" || err != nil {
		t.Errorf("it holds %q, %v", text, err)
	}
}
