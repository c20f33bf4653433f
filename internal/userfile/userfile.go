// Package userfile opens and reads paths that a user names: files, pipes, devices and process
// substitutions. It reads up to a limit, since some of them have no end, and a read that
// blocks ends with its context.
package userfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxText is the largest number of bytes that Read and ReadRegular return. Texts that people
// write by hand, such as schemas, ledgers and the .proto files of large companies, are far
// smaller.
const MaxText = 16 << 20

// Is reports whether a name is of a file, a pipe or a device, or - for standard input.
func Is(name string) bool {
	info, err := os.Stat(name)
	return name == "-" || err == nil && !info.IsDir()
}

// Open opens a file for reading. If an open or a read blocks, for example on a pipe without a
// writer, it ends with the context's cause when the context is cancelled. A directory is an
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
				a.file.Close() // nobody will read it
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

// An attentive reader checks the context before each read. It is for readers that never block
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

// Until returns a reader of in whose reads end with the context's cause when the context is
// cancelled. A read of in may then still be running, so nothing else may read from in
// afterwards.
func Until(ctx context.Context, in io.Reader) io.Reader {
	return &until{ctx: ctx, in: in, buf: make([]byte, 64<<10), done: make(chan read, 1)}
}

// A read is the result of a Read call.
type read struct {
	n   int
	err error
}

type until struct {
	ctx  context.Context
	in   io.Reader
	buf  []byte // destination of reads of in; not the caller's, because a read may outlive the call
	rest []byte // the part of buf that is not yet returned
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

// Read returns the content of a file, or of a pipe that has a writer. Content larger than
// MaxText is an error, and so are devices and directories.
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

// ReadRegular is like Read, but accepts only regular files. It is for content that is read
// more than once.
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

// kindOf names the kind of a file that is not regular; it returns "" for a regular file.
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
	return fmt.Errorf("%s is larger than %d MiB, the most that assay reads of such a file", name, MaxText>>20)
}

// ErrTooLarge is the error of All if there are too many bytes.
var ErrTooLarge = errors.New("more than may be read")

// All reads in to its end. If there are more than most bytes, it returns ErrTooLarge. While
// it grows its buffer, it uses memory for at most twice most bytes.
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
