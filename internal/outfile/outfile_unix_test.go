//go:build unix

package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestWritePipe checks that a pipe is written to and stays a pipe.
func TestWritePipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	read := make(chan string)
	go func() {
		f, err := os.Open(name)
		if err != nil {
			t.Error(err)
		}
		data, _ := io.ReadAll(f)
		f.Close()
		read <- string(data)
	}()
	if err := Write(name, text("one")); err != nil {
		t.Error(err)
	}
	if got := <-read; got != "one" {
		t.Errorf("read %q", got)
	}
	if info, err := os.Lstat(name); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("it is %v, %v", info, err)
	}
}

// TestCheckTakesNoFile checks that a directory that takes no file is reported before anything is
// written, and that the check leaves nothing behind.
func TestCheckTakesNoFile(t *testing.T) {
	dirs := []string{"/proc"} // even root cannot create a file there
	if os.Getuid() != 0 {
		locked := t.TempDir()
		if err := os.Chmod(locked, 0o500); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, locked)
	}
	for _, dir := range dirs {
		if _, err := os.Stat(dir); err != nil {
			continue // not every system has it
		}
		for what, err := range map[string]error{
			"Check":                      Check(filepath.Join(dir, "out.json")),
			"CheckDir":                   CheckDir(dir, "a.go"),
			"CheckDir of one to be made": CheckDir(filepath.Join(dir, "new", "deep"), "a.go"),
			"CheckOwn of one to be made": CheckOwn(filepath.Join(dir, "new"), "mark"),
		} {
			if err == nil || !strings.Contains(err.Error(), dir+" takes no file: ") || strings.Contains(err.Error(), ".assay-") {
				t.Errorf("%s in %s: %v", what, dir, err)
			}
		}
	}
	open := t.TempDir()
	if err := errors.Join(Check(filepath.Join(open, "out.json")), CheckDir(open, "a.go"), CheckDir(filepath.Join(open, "new"), "a.go")); err != nil {
		t.Error(err)
	}
	if got := content(t, open); len(got) != 0 {
		t.Errorf("left in it: %v", got)
	}
}
