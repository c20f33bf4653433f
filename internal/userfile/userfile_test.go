package userfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// cancelled returns a context that is cancelled soon, and the cause.
func cancelled(t *testing.T) (context.Context, error) {
	t.Helper()
	cause := errors.New("it was enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	go cancel(cause)
	return ctx, cause
}

// A blocking read ends with its context, and without a cancellation no data is lost.
func TestUntil(t *testing.T) {
	ctx, cause := cancelled(t)
	in, out := io.Pipe()
	defer out.Close()
	if _, err := Until(ctx, in).Read(make([]byte, 8)); err != cause {
		t.Errorf("got %v", err)
	}
	text := strings.Repeat("x", 100_000) + "."
	data, err := io.ReadAll(Until(t.Context(), iotest.DataErrReader(strings.NewReader(text))))
	if err != nil || string(data) != text {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// A regular file is read to its end, or until the context is cancelled.
func TestOpenRegular(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("it was enough")
	in, err := Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	start := make([]byte, 2)
	if _, err := io.ReadFull(in, start); err != nil || string(start) != "te" {
		t.Errorf("%q, %v", start, err)
	}
	cancel(cause)
	if rest, err := io.ReadAll(in); len(rest) != 0 || err != cause {
		t.Errorf("after it was cancelled: %q, %v", rest, err)
	}
	if _, err := Open(t.Context(), dir); err == nil || err.Error() != dir+" is a directory; name the files in it" {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Open(t.Context(), filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestAll(t *testing.T) {
	for _, test := range []struct {
		size, most int64
		err        error
	}{{0, 0, nil}, {1, 0, ErrTooLarge}, {5, 5, nil}, {6, 5, ErrTooLarge}, {1 << 20, 1 << 20, nil}, {1<<20 + 1, 1 << 20, ErrTooLarge}, {100, 1 << 20, nil}, {1 << 20, math.MaxInt64, nil}} {
		data, err := All(iotest.OneByteReader(bytes.NewReader(make([]byte, test.size))), test.most)
		if err != test.err || err == nil && int64(len(data)) != test.size {
			t.Errorf("%+v: %d bytes, %v", test, len(data), err)
		}
	}
	broken := errors.New("broken")
	if _, err := All(iotest.ErrReader(broken), 9); err != broken {
		t.Errorf("got %v", err)
	}
}

// A stream can be read several times, even before its end was read. Only its user can read
// its temporary file, and Close removes the file.
func TestStream(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	text := strings.Repeat("0123456789", 20_000)
	s := NewStream(iotest.HalfReader(strings.NewReader(text)), 1<<20)
	read := func(n int64) string {
		t.Helper()
		r, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		data, err := io.ReadAll(io.LimitReader(r, n))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, n := range []int64{0, 10, 5, 100_000, 50_000, 1 << 20, 1 << 20} {
		if got, want := read(n), text[:min(n, int64(len(text)))]; got != want {
			t.Errorf("of the first %d bytes: %d, %.20q", n, len(got), got)
		}
	}
	info, err := s.file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the temporary file has mode %v", info.Mode())
	}
	r, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := r.Read(make([]byte, 1)); err != os.ErrClosed {
		t.Errorf("after Close: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A stream that nobody reads does not read its input and makes no file.
func TestStreamUnread(t *testing.T) {
	s := NewStream(iotest.ErrReader(errors.New("read")), 1)
	if _, err := s.Open(); err != nil {
		t.Error(err)
	}
	if s.file != nil {
		t.Error("there is a file")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestStreamTooLong(t *testing.T) {
	s := NewStream(endless{}, 1<<20)
	defer s.Close()
	for range 2 { // the error repeats
		r, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r)
		if n > 1<<20 || err == nil || err.Error() != "more than 1 MiB were read before there were records enough; allow more with --max-bytes" {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// ReadRegular reads small regular files and nothing else.
func TestReadRegular(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadRegular(file); err != nil || string(data) != "text" {
		t.Errorf("%q, %v", data, err)
	}
	if err := os.Truncate(file, 10<<30); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		file:                       file + " is larger than 16 MiB, the most that assay reads of such a file",
		dir:                        dir + " is a directory, not a file",
		filepath.Join(dir, "none"): "stat " + filepath.Join(dir, "none") + ": no such file or directory",
	} {
		if _, err := ReadRegular(name); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestIs(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{file: true, "-": true, os.DevNull: true, dir: false, filepath.Join(dir, "none"): false, "": false} {
		if Is(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
