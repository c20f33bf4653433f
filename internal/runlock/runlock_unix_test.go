//go:build unix

package runlock

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Take and Holder do not wait for pipes with the names of the lock's files. Take replaces a pipe
// in the place of the owner's file, and does not touch one in the place of the lock file.
func TestPipes(t *testing.T) {
	owner := `{"pid":42,"host":"` + host() + `","since":"2026-01-02T15:04:05Z"}`
	for _, test := range []struct {
		pipe  string
		taken bool
	}{{ownerFile, true}, {lockFile, false}} {
		t.Run(test.pipe, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{lockFile: "", ownerFile: owner} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			pipe := filepath.Join(dir, test.pipe)
			if err := os.Remove(pipe); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Skip(err)
			}
			done := make(chan bool)
			go func() {
				Holder(dir)
				l, _, err := Take(dir)
				if (err == nil) != test.taken {
					t.Errorf("Take: %v", err)
				}
				if err := l.Release(); err != nil {
					t.Error(err)
				}
				close(done)
			}()
			select {
			case <-done:
			case <-time.After(10 * time.Second):
				t.Fatal("it waits for somebody to write to the pipe")
			}
			_, err := os.Lstat(pipe)
			if there := err == nil; there == test.taken {
				t.Errorf("the pipe is there: %t, want %t", there, !test.taken)
			}
		})
	}
}
