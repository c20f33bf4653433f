// Package userfile opens and reads what a user names: files, and whatever else
// a path can lead to, as pipes, devices and process substitutions. What has no
// end is read up to a limit, and a read that blocks ends with a context.
package userfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxText is how many bytes Read and ReadRegular return at most. What people
// write by hand, as schemas and ledgers, and the .proto files of large
// companies have a small part of that.
const MaxText = 16 << 20

// Open opens a file for reading. An open or a read that blocks, as that of a
// pipe which nobody writes to, ends with the context's cause. A directory is an
// error.
func Open(ctx context.Context, name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory; name the files in it", name)
	case info.Mode().IsRegular():
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		return &opened{attentive{ctx, f}, f}, nil
	}
	type answer struct {
		file *os.File
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		f, err := os.Open(name)
		done <- answer{f, err}
	}()
	select {
	case <-ctx.Done():
		go func() {
			if a := <-done; a.err == nil {
				a.file.Close() // nobody reads it
			}
		}()
		return nil, context.Cause(ctx)
	case a := <-done:
		if a.err != nil {
			return nil, a.err
		}
		return &opened{Until(ctx, a.file), a.file}, nil
	}
}

type opened struct {
	io.Reader
	io.Closer
}

// An attentive reader asks the context before each read: of what never blocks
// for long.
type attentive struct {
	ctx context.Context
	in  io.Reader
}

func (a attentive) Read(p []byte) (int, error) {
	if err := context.Cause(a.ctx); err != nil {
		return 0, err
	}
	return a.in.Read(p)
}

// Until returns a reader of in whose reads end with the context's cause when
// that is cancelled. The read that is under way then is left behind: in must
// not be read by anybody else afterwards.
func Until(ctx context.Context, in io.Reader) io.Reader {
	return &until{ctx: ctx, in: in, buf: make([]byte, 64<<10), done: make(chan read, 1)}
}

// A read is what came of one.
type read struct {
	n   int
	err error
}

type until struct {
	ctx  context.Context
	in   io.Reader
	buf  []byte // what the reads of in are made into; its own, since one may be left behind
	rest []byte // of buf: read and not handed on
	err  error  // to return after rest
	done chan read
}

func (u *until) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(u.rest) == 0 {
		if u.err == nil {
			u.err = context.Cause(u.ctx)
		}
		if u.err != nil {
			return 0, u.err
		}
		go func() {
			n, err := u.in.Read(u.buf)
			u.done <- read{n, err}
		}()
		select {
		case <-u.ctx.Done():
			u.err = context.Cause(u.ctx)
		case r := <-u.done:
			u.rest, u.err = u.buf[:r.n], r.err
		}
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// Read returns the text of a file, or of a pipe that somebody writes to. What
// is larger than MaxText is an error, and so are devices and directories.
func Read(ctx context.Context, name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode().Type() != fs.ModeNamedPipe {
		return ReadRegular(name)
	}
	f, err := openPipe(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := text(name, Until(ctx, f))
	if err == nil && len(data) == 0 {
		return nil, fmt.Errorf("%s is a pipe, and nothing comes out of it", name)
	}
	return data, err
}

// ReadRegular is Read of regular files only: for what is read more than once.
func ReadRegular(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if kind := kindOf(info.Mode()); kind != "" {
		return nil, fmt.Errorf("%s is a %s, not a file", name, kind)
	}
	if info.Size() > MaxText {
		return nil, tooLarge(name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return text(name, f)
}

// kindOf says what is no regular file; empty: it is one.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return ""
	case m.IsDir():
		return "directory"
	case m&fs.ModeDevice != 0:
		return "device"
	case m&fs.ModeNamedPipe != 0:
		return "pipe"
	}
	return "special file"
}

func text(name string, in io.Reader) ([]byte, error) {
	data, err := All(in, MaxText)
	if errors.Is(err, ErrTooLarge) {
		return nil, tooLarge(name)
	}
	return data, err
}

func tooLarge(name string) error {
	return fmt.Errorf("%s is larger than %d MiB, which is no size for such a file", name, MaxText>>20)
}

// ErrTooLarge says that there is more than may be read.
var ErrTooLarge = errors.New("more than may be read")

// All reads to the end, of at most most bytes: if there are more, the error is
// ErrTooLarge. It takes memory for one and a half times that.
func All(in io.Reader, most int64) ([]byte, error) {
	data := make([]byte, 0, min(most, 64<<10)+1)
	for {
		if len(data) == cap(data) {
			data = append(make([]byte, 0, min(2*int64(cap(data))-1, most)+1), data...)
		}
		n, err := in.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > most:
			return nil, ErrTooLarge
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		}
	}
}
