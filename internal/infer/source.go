package infer

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"assay/internal/userfile"
)

// A Source is a text that can be read more than once.
type Source struct {
	// Name is the name for messages: a path as the user gave it.
	Name string
	// Open opens the source from its beginning.
	Open func() (io.ReadCloser, error)
}

// stdin is the name of standard input.
const stdin = "standard input"

// Files returns sources for paths. The path "-" stands for in, standard input. A stream that can be
// read only once, such as a pipe, is copied to a temporary file while it is read, up to the limits
// of the options. done removes these files. If ctx is cancelled, opening and reading return its
// cause.
func Files(ctx context.Context, paths []string, in io.Reader, o Options) (sources []Source, done func(), err error) {
	var streams []*userfile.Stream
	done = func() {
		for _, s := range streams {
			s.Close()
		}
	}
	for i, p := range paths {
		if p == "-" && slices.Contains(paths[:i], "-") {
			return nil, func() {}, errors.New("standard input is named twice")
		}
		s := Source{Name: p, Open: func() (io.ReadCloser, error) { return userfile.Open(ctx, p) }}
		once := p == "-"
		if once {
			s.Name = stdin
		} else {
			info, err := os.Stat(p)
			if err == nil && info.IsDir() {
				err = fmt.Errorf("%s is a directory; name the files in it", p)
			}
			if err != nil {
				return nil, func() {}, err
			}
			once = !info.Mode().IsRegular()
		}
		if once {
			raw := io.Reader(&late{ctx: ctx, path: p})
			if p == "-" {
				raw = userfile.Until(ctx, in)
			}
			stream := userfile.NewStream(raw, o.WithDefaults().longest())
			streams = append(streams, stream)
			s.Open = stream.Open
		}
		sources = append(sources, s)
	}
	return sources, done, nil
}

// longest returns how many bytes of a stream may be read, compressed or not. The limits on its text
// normally end the reading earlier. This limit is for compressed streams that yield no text.
func (o Options) longest() int64 {
	const most = 1 << 61
	return min(o.MaxBytes, most) + min(o.MaxRecord, most) + 1<<20
}

// A late reader opens a file at the first read, because opening a named pipe waits for a writer.
type late struct {
	ctx  context.Context
	path string
	file io.ReadCloser
}

func (l *late) Read(p []byte) (int, error) {
	if l.file == nil {
		f, err := userfile.Open(l.ctx, l.path)
		if err != nil {
			return 0, err
		}
		l.file = f
	}
	return l.file.Read(p)
}

func (l *late) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// Bytes returns a source for data in memory.
func Bytes(name string, data []byte) Source {
	return Source{name, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

// base returns the name of the source without its directory and extensions: orders for
// dir/orders.ndjson.gz.
func (s Source) base() string {
	name := filepath.Base(s.Name)
	if i := strings.IndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	return name
}

// Decompressed opens the source from its beginning and decompresses gzip and zstd. The first bytes
// decide whether it is compressed, not the name.
func (s Source) Decompressed() (io.ReadCloser, error) {
	raw, err := s.Open()
	if err != nil {
		return nil, err
	}
	b := bufio.NewReaderSize(raw, 64<<10)
	head, _ := b.Peek(4) // the first read returns an error again
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			raw.Close()
			return nil, fmt.Errorf("%s: begins as gzip does: %w", s.Name, err)
		}
		return &opened{inflated{z, "gzip"}, z.Close, raw}, nil
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			raw.Close()
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		return &opened{inflated{z, "zstd"}, func() error { z.Close(); return nil }, raw}, nil
	}
	return &opened{b, func() error { return nil }, raw}, nil
}

// opened is an open source.
type opened struct {
	io.Reader
	decoder func() error
	raw     io.Closer
}

func (o *opened) Close() error { return errors.Join(o.decoder(), o.raw.Close()) }

// maxWindow is the largest window size, in bytes, that a zstd decoder accepts. It holds the window
// in memory. The limit is four times the size that the format asks decoders to support, and enough
// for every level of the zstd command except with --ultra and --long.
const maxWindow = 32 << 20

// An inflated reader explains errors in compressed data, and says what to do about them.
type inflated struct {
	in     io.Reader
	format string
}

func (r inflated) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	switch {
	case err == nil || err == io.EOF:
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		err = fmt.Errorf("it takes more than %s of memory to decompress, as after zstd --ultra or --long; decompress it first, with zstd -d --long=31", byteSize(maxWindow))
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("its %s data are cut off, or something else follows them; give the whole file and no more, or what %[1]s -dc writes of it", r.format)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch), errors.As(err, new(flate.CorruptInputError)):
		err = fmt.Errorf("its %s data are damaged: %w", r.format, err)
	}
	return n, err
}

// open opens the source for reading JSON, decompressed and without a byte order mark. The error says
// what to do if the source is in another encoding or format.
func (s Source) open() (io.ReadCloser, error) {
	in, err := s.Decompressed()
	if err != nil {
		return nil, err
	}
	b := bufio.NewReaderSize(in, 64<<10)
	head, _ := b.Peek(6) // the first read returns an error again
	why := ""
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, _ = b.Discard(3)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(head, []byte{0, 0, 0xfe, 0xff}):
		why = "is UTF-32; JSON is UTF-8: convert it, as with iconv -f UTF-32 -t UTF-8"
	case bytes.HasPrefix(head, []byte("{\x00")), bytes.HasPrefix(head, []byte("[\x00")):
		why = "is UTF-16 without its mark; JSON is UTF-8: convert it, as with iconv -f UTF-16LE -t UTF-8"
	case bytes.HasPrefix(head, []byte("\x00{")), bytes.HasPrefix(head, []byte("\x00[")):
		why = "is UTF-16 without its mark; JSON is UTF-8: convert it, as with iconv -f UTF-16BE -t UTF-8"
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		why = "is UTF-16; JSON is UTF-8: convert it, as with iconv -f UTF-16 -t UTF-8"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		why = "is a zip archive; unpack it and name the files in it"
	case bytes.HasPrefix(head, []byte("PAR1")):
		why = "is a Parquet file; write its rows as NDJSON and give those"
	case bytes.HasPrefix(head, []byte("BZh")):
		why = "is compressed by bzip2; decompress it, or compress it by gzip or zstd"
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		why = "is compressed by xz; decompress it, or compress it by gzip or zstd"
	}
	if why != "" {
		in.Close()
		return nil, fmt.Errorf("%s: %s", s.Name, why)
	}
	return &opened{b, in.Close, nothing{}}, nil
}

type nothing struct{}

func (nothing) Close() error { return nil }

// An Error describes one problem in a sample and its position.
type Error struct {
	// File is the name of the source.
	File string
	// Line and Col are the position in the decompressed text. They count from 1, and Col counts
	// bytes. Line is 0 if the source is no text; Reason then says where the problem is.
	Line, Col int64
	// Reason says what is wrong and what to do about it.
	Reason string
	// skip says what SkipBad would do about it. It is empty if SkipBad would be of no use or was
	// set.
	skip string
	// between says that the error is about the text between records.
	between bool
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason + e.skip
	}
	return fmt.Sprintf("%s:%d:%d: %s%s", e.File, e.Line, e.Col, e.Reason, e.skip)
}

// Or sets the text in which the error says what SkipBad would do about it, and returns the error.
func (e *Error) Or(skip string) *Error {
	e.skip = skip
	return e
}
