//go:build unix

package infer

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Other users cannot read the temporary file with the data of a pipe.
func TestTemporaryIsPrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	sources, done, err := Files(t.Context(), []string{"-"}, strings.NewReader(`{"id":1}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if _, err := JSON(sources, Options{}); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("others see %q, %v", left, err)
	}
}
