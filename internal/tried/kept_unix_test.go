//go:build unix

package tried

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/internal/report"
	"assay/result"
)

// Reading a run directory does not block if its files are pipes.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{DataFile, QuestionFile} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	errs := make(chan error)
	go func() {
		var data report.TryData
		errs <- Data(dir, &data)
		_, err := Kept(dir, &result.Run{})
		errs <- err
	}()
	for _, name := range []string{DataFile, QuestionFile} {
		select {
		case err := <-errs:
			if err == nil || !strings.Contains(err.Error(), name+" is no regular file") {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: it waits for somebody to write to the pipe", name)
		}
	}
}
