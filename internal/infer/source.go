package infer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A Source is something to read, more than once.
type Source struct {
	// Name is for messages: a path as the user gave it.
	Name string
	// Open opens it from its beginning.
	Open func() (io.ReadCloser, error)
}

// stdin is the name of standard input.
const stdin = "standard input"

// Files are sources for paths. "-" is in, standard input. What cannot be read
// twice, as a pipe, is copied to a temporary file; done removes those.
func Files(paths []string, in io.Reader) (sources []Source, done func(), err error) {
	var copies []string
	done = func() {
		for _, name := range copies {
			os.Remove(name)
		}
	}
	defer func() {
		if err != nil {
			done()
			done = func() {}
		}
	}()
	for i, p := range paths {
		if p == "-" && slices.Contains(paths[:i], "-") {
			return nil, done, errors.New("standard input is named twice")
		}
		s, temporary, err := file(p, in)
		if err != nil {
			return nil, done, err
		}
		if temporary != "" {
			copies = append(copies, temporary)
		}
		sources = append(sources, s)
	}
	return sources, done, nil
}

// file is the source for one path, and the temporary file that it is in, if it
// is in one.
func file(path string, in io.Reader) (s Source, temporary string, err error) {
	s = Source{Name: path, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
	if path == "-" {
		s.Name = stdin
	} else {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return s, "", err
		case info.IsDir():
			return s, "", fmt.Errorf("%s is a directory; name the files in it", path)
		case info.Mode().IsRegular():
			return s, "", nil
		}
		pipe, err := os.Open(path)
		if err != nil {
			return s, "", err
		}
		defer pipe.Close()
		in = pipe
	}
	if temporary, err = spool(in); err != nil {
		return s, "", fmt.Errorf("%s: %w", s.Name, err)
	}
	s.Open = func() (io.ReadCloser, error) { return os.Open(temporary) }
	return s, temporary, nil
}

// spool copies r to a temporary file.
func spool(r io.Reader) (name string, err error) {
	f, err := os.CreateTemp("", "assay-stdin-*")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, r)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// Bytes is a source in memory.
func Bytes(name string, data []byte) Source {
	return Source{name, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

// base is the name of the source without its directory and what tells its kind:
// orders of dir/orders.ndjson.gz.
func (s Source) base() string {
	name := filepath.Base(s.Name)
	if i := strings.IndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	return name
}

// open opens the source for reading JSON: decompressed, and without a byte order
// mark. The compression is told by the first bytes, not by the name.
func (s Source) open() (io.ReadCloser, error) {
	raw, err := s.Open()
	if err != nil {
		return nil, err
	}
	r, closer, err := plain(raw)
	if err != nil {
		raw.Close()
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return &opened{r, closer, raw}, nil
}

type opened struct {
	io.Reader
	decoder func() error
	raw     io.Closer
}

func (o *opened) Close() error { return errors.Join(o.decoder(), o.raw.Close()) }

func plain(raw io.Reader) (io.Reader, func() error, error) {
	b := bufio.NewReaderSize(raw, 64<<10)
	head, _ := b.Peek(4) // an error comes again with the first read
	closer := func() error { return nil }
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, nil, fmt.Errorf("begins as gzip does: %w", err)
		}
		closer = z.Close
		b = bufio.NewReaderSize(z, 64<<10)
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(512<<20))
		if err != nil {
			return nil, nil, err
		}
		closer = func() error { z.Close(); return nil }
		b = bufio.NewReaderSize(z, 64<<10)
	}
	head, _ = b.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, _ = b.Discard(3)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return nil, nil, errors.New("is UTF-16; JSON is UTF-8: convert it, as with iconv -f UTF-16 -t UTF-8")
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil, nil, errors.New("is a zip archive; unpack it and name the files in it")
	case bytes.HasPrefix(head, []byte("PAR1")):
		return nil, nil, errors.New("is a Parquet file; write its rows as NDJSON and give those")
	}
	return b, closer, nil
}

// An Error is one thing that is wrong with a sample, and where.
type Error struct {
	// File is the name of the source.
	File string
	// Line and Col count from 1, Col in bytes, in the text as it is when
	// decompressed. Line is 0 in what is no text; Reason then says where.
	Line, Col int64
	// Reason says what is wrong and what to do about it.
	Reason string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Reason)
}

// A meter is a reader that knows the places of line ends, and that stops when a
// record grows too large. Offsets are those of the source.
type meter struct {
	r     io.Reader
	read  int64   // bytes read so far
	limit int64   // read must stay below
	over  bool    // and did not
	ends  []int64 // offsets after line ends that are not forgotten
	line  int64   // how many were forgotten
	start int64   // the offset after the last one forgotten
}

func (m *meter) Read(p []byte) (int, error) {
	if m.read >= m.limit {
		m.over = true
		return 0, errTooLarge
	}
	n, err := m.r.Read(p)
	for i := 0; ; {
		k := bytes.IndexByte(p[i:n], '\n')
		if k < 0 {
			break
		}
		i += k + 1
		m.ends = append(m.ends, m.read+int64(i))
	}
	m.read += int64(n)
	return n, err
}

var errTooLarge = errors.New("the record is too large")

// forget drops the line ends up to an offset.
func (m *meter) forget(offset int64) {
	i := 0
	for i < len(m.ends) && m.ends[i] <= offset {
		i++
	}
	if i > 0 {
		m.line += int64(i)
		m.start = m.ends[i-1]
		m.ends = m.ends[i:]
	}
}

// place returns the line and column of an offset that is not before what was
// forgotten.
func (m *meter) place(offset int64) (line, col int64) {
	line, start := m.line, m.start
	for _, end := range m.ends {
		if end > offset {
			break
		}
		line, start = line+1, end
	}
	return line + 1, offset - start + 1
}
