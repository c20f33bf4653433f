package userfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// A Stream makes a reader that can be read only once, such as a pipe, readable from its
// beginning several times. It stores everything it has read in a temporary file, and reads
// nothing before somebody asks for it.
type Stream struct {
	in   io.Reader
	most int64

	mu   sync.Mutex
	file *os.File // everything read; nil before the first read
	size int64    // size of file
	err  error    // why in cannot be read further; io.EOF at the end
	buf  []byte
}

// NewStream returns a stream of at most most bytes of in; more bytes are an error.
func NewStream(in io.Reader, most int64) *Stream { return &Stream{in: in, most: most} }

// Open returns a reader of the stream from its beginning. Several readers may be used at a
// time.
func (s *Stream) Open() (io.ReadCloser, error) { return &replay{s: s}, nil }

// Close removes the temporary file, and closes the underlying reader if it is an io.Closer.
// Readers of the stream return os.ErrClosed afterwards.
func (s *Stream) Close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = os.ErrClosed
	if c, ok := s.in.(io.Closer); ok {
		err = c.Close()
	}
	if f := s.file; f != nil {
		s.file = nil
		err = errors.Join(err, f.Close())
		os.Remove(f.Name()) // for systems that cannot remove open files
	}
	return err
}

// A replay is a reader of a stream.
type replay struct {
	s  *Stream
	at int64
}

func (r *replay) Close() error { return nil }

func (r *replay) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.at == s.size || s.err == os.ErrClosed {
		if err := s.more(); err != nil {
			return 0, err
		}
	}
	n, err := s.file.ReadAt(p[:min(int64(len(p)), s.size-r.at)], r.at)
	r.at += int64(n)
	return n, err
}

// more reads the next piece of the underlying reader and stores it.
func (s *Stream) more() error {
	if s.err != nil {
		return s.err
	}
	if s.file == nil {
		if s.file, s.err = unnamed(); s.err != nil {
			return s.err
		}
		s.buf = make([]byte, 64<<10)
	}
	n, err := s.in.Read(s.buf)
	s.err = err
	if n == 0 {
		if err == nil {
			err = io.ErrNoProgress
		}
		return err
	}
	switch _, err := s.file.WriteAt(s.buf[:n], s.size); {
	case err != nil:
		s.err = s.full(err)
	case s.size+int64(n) > s.most:
		s.err = fmt.Errorf("more than %d MiB were read before there were records enough; allow more with --max-bytes", s.most>>20)
	default:
		s.size += int64(n)
		return nil
	}
	return s.err
}

// full returns an error that says what to do if the temporary file cannot be written.
func (s *Stream) full(err error) error {
	if e, ok := err.(*os.PathError); ok {
		err = e.Err // the name of the file does not help the user
	}
	return fmt.Errorf("assay keeps the input in a temporary file to read it twice; writing that file failed after %d MiB: %w; set TMPDIR to a directory with more room, or read less with --max-bytes",
		s.size>>20, err)
}

// unnamed makes a temporary file that nobody else can read. Where the system can remove open
// files, the file disappears however this process ends.
func unnamed() (*os.File, error) {
	f, err := os.CreateTemp("", "assay-stream-")
	if err == nil {
		os.Remove(f.Name()) // fails on Windows, which keeps open files
	}
	return f, err
}
