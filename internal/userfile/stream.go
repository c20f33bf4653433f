package userfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// A Stream makes of what can be read once, as a pipe, what can be read from its
// beginning again: whatever was read of it is kept in a temporary file, and
// nothing is read before somebody asks for it.
type Stream struct {
	in   io.Reader
	most int64

	mu   sync.Mutex
	file *os.File // what was read; nil before the first byte
	size int64    // of file
	err  error    // why nothing more can be read; io.EOF at the end
	buf  []byte
}

// NewStream returns a stream of in, of at most most bytes: more of it is an
// error.
func NewStream(in io.Reader, most int64) *Stream { return &Stream{in: in, most: most} }

// Open reads the stream from its beginning. Several may read it at a time.
func (s *Stream) Open() (io.ReadCloser, error) { return &replay{s: s}, nil }

// Close removes the temporary file, and closes what the stream is made of if that
// can be closed. What was opened can no longer be read.
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
		os.Remove(f.Name()) // where it could not be removed while it was open
	}
	return err
}

// A replay is one reading of a stream.
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

// more keeps the next piece of what is read.
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

// full says what to do about a temporary file that cannot be written.
func (s *Stream) full(err error) error {
	if e, ok := err.(*os.PathError); ok {
		err = e.Err // the file has no name that is of use
	}
	return fmt.Errorf("it is kept in a temporary file, because it is read twice, and that fails after %d MiB: %w; set TMPDIR to a directory with more room, or read less of it with --max-bytes",
		s.size>>20, err)
}

// unnamed makes a temporary file that nobody else can read, and that is gone
// however this process ends, where the system can do that.
func unnamed() (*os.File, error) {
	f, err := os.CreateTemp("", "assay-stream-")
	if err == nil {
		os.Remove(f.Name()) // not on Windows, whose open files stay
	}
	return f, err
}
