//go:build unix

package infer

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What is read from a pipe may be kept for a while, where nobody else reads it.
func TestTemporaryIsPrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	_, done, err := Files(t.Context(), []string{"-"}, strings.NewReader(`{"id":1}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range left {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v, %v", name, info.Mode(), err)
		}
	}
}
