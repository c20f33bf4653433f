//go:build unix

package userfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func pipe(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	return name
}

// When the context is cancelled, Open of a pipe without a writer returns, and so does a read
// from a pipe whose writer writes nothing.
func TestOpenPipe(t *testing.T) {
	name := pipe(t)
	ctx, cause := cancelled(t)
	if _, err := Open(ctx, name); err != cause {
		t.Errorf("nobody writes to it: %v", err)
	}
	// A writer also completes the open that was abandoned.
	w, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	in, err := Open(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := w.WriteString("a"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 2)
	if n, err := in.Read(buf); n != 1 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	go cancel(cause)
	if _, err := in.Read(buf); err != cause {
		t.Errorf("its writer says nothing: %v", err)
	}
}

// When an abandoned open of a pipe completes, the pipe is closed, so that its writer learns
// that nobody reads.
func TestOpenLeftBehind(t *testing.T) {
	name := pipe(t)
	ctx, cause := cancelled(t)
	if _, err := Open(ctx, name); err != cause {
		t.Fatalf("nobody writes to it: %v", err)
	}
	w, err := os.OpenFile(name, os.O_WRONLY, 0) // completes the open
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		_, err := w.WriteString("a")
		if errors.Is(err, syscall.EPIPE) {
			return
		}
		if err != nil || time.Now().After(end) {
			t.Fatalf("it is still open: %v", err)
		}
	}
}

// Read reads a pipe that has a writer, such as a process substitution. A pipe without a
// writer is an error at once.
func TestReadPipe(t *testing.T) {
	name := pipe(t)
	want := name + " is a pipe, and nothing comes out of it"
	if _, err := Read(t.Context(), name); err == nil || err.Error() != want {
		t.Errorf("nobody writes to it: %v", err)
	}
	if _, err := ReadRegular(name); err == nil || err.Error() != name+" is a pipe, not a file" {
		t.Errorf("as a regular file: %v", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		io.WriteString(w, "text")
		w.Close()
	}()
	data, err := Read(t.Context(), fmt.Sprintf("/dev/fd/%d", r.Fd()))
	if err != nil || string(data) != "text" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestReadDevice(t *testing.T) {
	const zero = "/dev/zero"
	if _, err := os.Stat(zero); err != nil {
		t.Skip(err)
	}
	if _, err := Read(t.Context(), zero); err == nil || err.Error() != "/dev/zero is a device, not a file" {
		t.Errorf("got %v", err)
	}
}

// The temporary file of a stream has no name, so that it ends with the process.
func TestStreamUnnamed(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s := NewStream(strings.NewReader("text"), 1<<20)
	defer s.Close()
	r, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(r, make([]byte, 2)); err != nil || s.file == nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("there are %v, %v", left, err)
	}
}
