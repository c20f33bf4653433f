package scratch

import (
	"os"
	"runtime"
	"sync"
	"time"
)

// Temporaries holds the scratch directories of this process: one for each place where the
// environment puts temporary files, and one for each call of In. The zero value has none.
type Temporaries struct {
	dirs [2]Dir

	mu     sync.Mutex
	before [][2]string // names and previous values of environment variables
	more   []*Dir      // directories that In made
}

// Make makes the directories, and sets the environment so that this process and its children
// use them. First it removes what killed processes have left there. It ignores errors,
// because a program that needs a temporary file reports them.
func (t *Temporaries) Make() {
	names := []string{"TMPDIR"}
	if runtime.GOOS == "windows" {
		names = []string{"TMP", "TEMP"}
	}
	use := func(d *Dir, parent string, names ...string) {
		Collect(parent)
		dir, err := d.Make(parent)
		if err != nil {
			return
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, name := range names {
			t.before = append(t.before, [2]string{name, os.Getenv(name)})
			os.Setenv(name, dir)
		}
	}
	use(&t.dirs[0], os.TempDir(), names...)
	if parent := os.Getenv("GOTMPDIR"); parent != "" {
		use(&t.dirs[1], parent, "GOTMPDIR")
	}
}

// In makes a directory for temporary files within parent, which the user named. Remove
// removes it too. First In removes what killed processes have left in parent.
func (t *Temporaries) In(parent string) (string, error) {
	Collect(parent)
	d := new(Dir)
	dir, err := d.Make(parent)
	if err == nil {
		t.mu.Lock()
		t.more = append(t.more, d)
		t.mu.Unlock()
	}
	return dir, err
}

// linger is how long Abandon waits for programs that were told to end. Programs that obey
// take a few milliseconds.
const linger = 200 * time.Millisecond

// Abandon is Remove for a process that ends before the programs that it started.
func (t *Temporaries) Abandon() { t.abandon(linger) }

func (t *Temporaries) abandon(linger time.Duration) {
	t.Remove()
	for end := time.Now().Add(linger); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for _, d := range t.all() {
			d.again()
		}
	}
}

// Remove removes the directories and restores the environment for code that still runs in
// this process.
func (t *Temporaries) Remove() {
	t.mu.Lock()
	for _, v := range t.before {
		os.Setenv(v[0], v[1]) // Go treats an empty variable like an unset one
	}
	t.mu.Unlock()
	for _, d := range t.all() {
		d.Remove() // another process collects what is left
	}
}

// all returns all Dirs, including those without a directory.
func (t *Temporaries) all() []*Dir {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]*Dir{&t.dirs[0], &t.dirs[1]}, t.more...)
}
