package drive

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/bench"
	"assay/internal/rootonly"
)

// smallDisk sets TMPDIR to a disk with room for a few small files, and returns it.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		rootonly.Skip(t, "a small disk needs the right to mount one: ", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, 0) })
	t.Setenv("TMPDIR", dir)
	return dir
}

// Start fails if the disk has no room for the mark file. Otherwise a case would be blamed later.
func TestFullTemp(t *testing.T) {
	program, err := exec.LookPath("true")
	if err != nil {
		t.Skip(err)
	}
	dir := smallDisk(t)
	if err := os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	p, err := Start(t.Context(), Binary{Path: program}, Limits{})
	if err == nil {
		p.Close()
	}
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "free space there, or set TMPDIR") {
		t.Errorf("Start: %v, want %v and what to do about it", err, syscall.ENOSPC)
	}
	var f *Failure
	if _, err := (Runner{Binary: func(uint64) Binary { return Binary{Path: program} }, External: true}).Describe(t.Context()); errors.As(err, &f) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Describe: %v, want an error that charges nobody", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "assay-mark-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// If the disk is full, nobody is charged with what an external contender, or a runner of ours that
// exports values, could not do.
func TestFullSession(t *testing.T) {
	// The runner loads, and fills the disk before it answers the next command.
	const script = `read load; echo '{"loaded":{"root":"R","inputs":1}}'; read cmd
cat /dev/zero >"$TMPDIR/ballast"; echo '{"error":"no room"}'; read exit`
	for _, test := range []struct {
		name     string
		external bool
		cmd      bench.Command
	}{
		{"a runner of ours exports values", false, bench.Command{Cmd: "export", Export: &bench.Export{File: "x"}}},
		{"an external contender writes", true, bench.Command{Cmd: "write", Write: &bench.Write{}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			smallDisk(t)
			r := Runner{Binary: func(uint64) Binary { return Binary{Path: "/bin/sh", Args: []string{"-c", script}} }, External: test.external}
			s := r.Session(0, "w", "s", func(Event) {})
			defer s.Close()
			var f *Failure
			if _, err := s.AskOnce(t.Context(), test.cmd); errors.As(err, &f) || !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%v, want the error of the disk", err)
			}
		})
	}
}
