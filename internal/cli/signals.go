package cli

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"assay/internal/scratch"
)

// heed is how long a command has to end in order once it was told to.
const heed = 2 * time.Second

// endings are the signals that end a command in order. SIGQUIT is among them, so
// that nothing is left behind by whichever key was pressed.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// interruptible returns a context that the first signal cancels. After the
// second, or when the command does not heed the first, abandon is called, which
// is to end the process. Signals that are ignored, as those of nohup and of
// background jobs are, stay ignored. The func that is returned is for the end of
// the command: signals then are heard, and make no difference any more.
func interruptible(parent context.Context, patience time.Duration, abandon func()) (context.Context, func()) {
	heard := slices.DeleteFunc(slices.Clone(endings), signal.Ignored)
	ctx, cancel := context.WithCancel(parent)
	if len(heard) == 0 { // Notify takes none for all
		return ctx, cancel
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, heard...)
	done := make(chan struct{})
	// another waits for one, or for the limit, and reports false at the end of the command.
	another := func(limit <-chan time.Time) bool {
		select {
		case <-signals:
		case <-limit:
		case <-done:
		}
		select {
		case <-done:
			return false
		default:
			return true
		}
	}
	go func() {
		if !another(nil) {
			return
		}
		cancel()
		if another(time.After(patience)) {
			abandon()
		}
	}()
	return ctx, func() {
		close(done)
		cancel()
	}
}

// temporaries are the directories of the temporary files of this process: one
// wherever the environment has such files made. The zero value has none.
type temporaries struct {
	dirs [2]scratch.Dir

	mu     sync.Mutex
	before [][2]string // the variables of the environment as they were
}

// make makes the directories, and has this process and those that it starts use
// them. What processes that were killed have left there goes first. Where none can
// be made, whoever needs a file will say so.
func (t *temporaries) make() {
	names := []string{"TMPDIR"}
	if runtime.GOOS == "windows" {
		names = []string{"TMP", "TEMP"}
	}
	use := func(d *scratch.Dir, parent string, names ...string) {
		scratch.Collect(parent)
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

// remove removes the directories, and puts the environment back for whoever goes on
// in this process.
func (t *temporaries) remove() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, v := range t.before {
		os.Setenv(v[0], v[1]) // to Go, an empty one is as good as none
	}
	for i := range t.dirs {
		t.dirs[i].Remove() // what is left is collected by another process
	}
}

// works reports whether a command makes temporary files or starts programs.
func works(cmd *cobra.Command) bool {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	name, _, _ := strings.Cut(path, " ")
	switch name {
	case "try", "run", "compare", "claims", "doctor", "verify", "exhibits", "reproduce", "data", "runner", "buildcost":
		return true
	}
	return false
}
