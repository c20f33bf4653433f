package drive

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"assay/internal/rootonly"
)

// Start fails if the disk has no room for the mark file. Otherwise a case would be blamed later.
func TestFullTemp(t *testing.T) {
	program, err := exec.LookPath("true")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		rootonly.Skip(t, "a small disk needs the right to mount one: ", err)
	}
	defer syscall.Unmount(dir, 0)
	if err := os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	p, err := Start(t.Context(), Binary{Path: program}, Limits{})
	if err == nil {
		p.Close()
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Start: %v, want %v", err, syscall.ENOSPC)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "assay-mark-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}
