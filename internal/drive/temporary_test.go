package drive

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A program that cannot be run is the external contender's own fault. Anything else that goes wrong
// before it runs is an error of this process or its machine.
func TestUnstarted(t *testing.T) {
	run := func(err error) error { return fmt.Errorf("cannot start the runner x: %w", &notRun{err}) }
	for _, test := range []struct {
		name    string
		err     error
		charged bool
	}{
		{"no such program", run(&exec.Error{Name: "x", Err: exec.ErrNotFound}), true},
		{"no right to run it", run(&fs.PathError{Op: "fork/exec", Path: "x", Err: fs.ErrPermission}), true},
		{"too many processes", run(&fs.PathError{Op: "fork/exec", Path: "x", Err: syscall.EAGAIN}), false},
		{"no memory", run(&fs.PathError{Op: "fork/exec", Path: "x", Err: syscall.ENOMEM}), false},
		{"too many open files", errors.New("pipe2: too many open files"), false},
		{"a full disk", &TempError{syscall.ENOSPC}, false},
	} {
		var f *Failure
		err := Runner{External: true}.unstarted(t.Context(), test.err)
		if errors.As(err, &f) != test.charged {
			t.Errorf("%s: %v", test.name, err)
		}
		if errors.As((Runner{}).unstarted(t.Context(), test.err), &f) {
			t.Errorf("%s: a failure of a runner of ours", test.name)
		}
	}
}

// If no temporary file can be written, nobody is charged. The error names the directory and says what to do.
func TestTempError(t *testing.T) {
	if err := writable(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "none")
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	err := writable()
	for _, part := range []string{"cannot write to " + dir + ", the directory for temporary files: ", "; free space there, or set TMPDIR to another directory"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want %q", err, part)
		}
	}
}
