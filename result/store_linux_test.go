package result

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Read refuses a pipe, which would block it.
func TestPipes(t *testing.T) {
	for _, name := range []string{RunFile, samplesFile} {
		s, err := Create(t.TempDir(), &Run{})
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		path := filepath.Join(s.dir, name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip(err)
		}
		if _, _, _, err := Read(s.dir); err == nil || !strings.Contains(err.Error(), name+" is no regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFullDisk(t *testing.T) {
	s, err := Create(t.TempDir(), &Run{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(Record{Note: &Note{Text: "kept"}}); err != nil {
		t.Fatal(err)
	}
	disk := s.file
	if s.file, err = os.OpenFile("/dev/full", os.O_WRONLY, 0); err != nil {
		t.Skip(err)
	}
	err = s.Append(Record{Note: &Note{Text: "lost"}}, Record{Note: &Note{Text: "lost with it"}})
	s.file.Close()
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("Append to a full disk: %v", err)
	}
	for _, part := range []string{s.dir, "no space left on device: free some space there"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
	s.file = disk
	if err := s.Append(Record{Note: &Note{Text: "later"}}, Record{Note: &Note{Text: "with it"}}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	_, records, warnings, err := Read(s.dir)
	if len(records) != 3 || len(warnings) != 0 || err != nil {
		t.Errorf("read %d records, warnings %q, %v; want 3", len(records), warnings, err)
	}
}

// A run whose samples could not be synced to the disk is not finished.
func TestFinishUnsynced(t *testing.T) {
	s, err := Create(t.TempDir(), &Run{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := ReadRun(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	s.file.Close()
	out, in, err := os.Pipe() // a pipe cannot be synced
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	s.file = in
	err = s.Finish(run)
	if lost := (*AppendError)(nil); !errors.As(err, &lost) {
		t.Errorf("error %v, want an AppendError", err)
	}
	if run, err := ReadRun(s.dir); err != nil || !run.Finished.IsZero() {
		t.Errorf("it is finished, %v", err)
	}
	if !run.Finished.IsZero() {
		t.Error("it is finished for its writer")
	}
}
