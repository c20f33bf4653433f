//go:build unix

package outfile

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe is written to, and stays one.
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
