package scratch

import (
	"os"
	"runtime"
	"sync"
	"time"
)

// Temporaries are the directories of the temporary files of this process: one
// wherever the environment has such files made. The zero value has none.
type Temporaries struct {
	dirs [2]Dir

	mu     sync.Mutex
	before [][2]string // the variables of the environment as they were
	more   []*Dir      // within the directories that somebody named
}

// Make makes the directories, and has this process and those that it starts use
// them. What processes that were killed have left there goes first. Where none can
// be made, whoever needs a file will say so.
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

// In returns a directory for temporary files within one that the user named, which goes
// with this process too. What processes that were killed have left there goes first.
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

// linger is how long Abandon looks after programs that were told to end: those that heed
// it take a few milliseconds.
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

// Remove removes the directories, and puts the environment back for whoever goes on
// in this process.
func (t *Temporaries) Remove() {
	t.mu.Lock()
	for _, v := range t.before {
		os.Setenv(v[0], v[1]) // to Go, an empty one is as good as none
	}
	t.mu.Unlock()
	for _, d := range t.all() {
		d.Remove() // what is left is collected by another process
	}
}

// all are the directories that were made, and some that were not.
func (t *Temporaries) all() []*Dir {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]*Dir{&t.dirs[0], &t.dirs[1]}, t.more...)
}
