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

// linger is how long Abandon looks after programs that were told to end: those that heed
// it take a few milliseconds.
const linger = 200 * time.Millisecond

// Abandon is Remove for a process that ends before the programs that it started.
func (t *Temporaries) Abandon() { t.abandon(linger) }

func (t *Temporaries) abandon(linger time.Duration) {
	t.Remove()
	for end := time.Now().Add(linger); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for i := range t.dirs {
			t.dirs[i].again()
		}
	}
}

// Remove removes the directories, and puts the environment back for whoever goes on
// in this process.
func (t *Temporaries) Remove() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range t.before {
		os.Setenv(v[0], v[1]) // to Go, an empty one is as good as none
	}
	for i := range t.dirs {
		t.dirs[i].Remove() // what is left is collected by another process
	}
}
