// Package compress has the codecs that compress encoded messages. The parent process uses them
// to find the size of compressed messages. A runner that links this package measures what
// compression costs; ordinary runners do not link it.
//
// Each codec is used as its library's documentation recommends for many messages: one coder is
// kept, with a destination that is reused, and every library's defaults are left unchanged. The
// output is complete: its reader needs neither the length nor the codec's settings.
package compress

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"assay/bench"
)

// A Codec is one way to compress messages and streams.
type Codec struct {
	// Name is gzip, zstd, lz4, s2 or snappy.
	Name string
	// Text says which format the codec writes, at which level and with which library.
	Text string
	// New returns a new coder, for use by one goroutine.
	New func() (*Coder, error)
	// Pipe compresses and decompresses files, in the calling goroutine.
	Pipe bench.Pipe
}

// A Coder compresses messages one after another. Both functions overwrite dst from its
// beginning, or allocate if its capacity is too small, and return the result.
type Coder struct {
	Compress   func(dst, src []byte) ([]byte, error)
	Decompress func(dst, src []byte) ([]byte, error)
}

// Modules are the modules that contain the compression code.
var Modules = []string{"github.com/klauspost/compress", "github.com/pierrec/lz4/v4"}

// Codecs are all codecs, in the order in which tables list them.
var Codecs = []Codec{
	{"gzip", "the gzip format (RFC 1952), which has a checksum, at level -1, the default, by klauspost/compress/gzip", newGzip, gzipPipe},
	{"zstd", "a zstd frame (RFC 8878) with a checksum, at SpeedDefault, about level 3 of the zstd program, by klauspost/compress/zstd, EncodeAll", newZstd, zstdPipe},
	{"lz4", "an LZ4 frame of blocks of up to 4 MiB with a checksum, at the fast level, the default, by pierrec/lz4/v4", newLZ4, lz4Pipe},
	{"s2", "an S2 block, which begins with its length and has no checksum, by klauspost/compress/s2, Encode", blocks(s2.Encode), s2Pipe()},
	{"snappy", "a Snappy block, which begins with its length and has no checksum, by klauspost/compress/s2, EncodeSnappy", blocks(s2.EncodeSnappy), s2Pipe(s2.WriterSnappyCompat())},
}

// Named returns the codec with the given name, and whether there is one.
func Named(name string) (Codec, bool) {
	i := slices.IndexFunc(Codecs, func(c Codec) bool { return c.Name == name })
	if i < 0 {
		return Codec{}, false
	}
	return Codecs[i], true
}

// Batch returns the messages in turn, each after its length as a base-128 varint. Delimited
// protobuf messages have this form, and logs and queues store messages in a similar way.
func Batch(messages [][]byte) []byte {
	var b []byte
	for _, m := range messages {
		b = append(binary.AppendUvarint(b, uint64(len(m))), m...)
	}
	return b
}

// stream returns a coder of a library that compresses streams. It keeps the writer and the
// reader, and resets them for each message.
func stream(w interface {
	io.WriteCloser
	Reset(io.Writer)
}, r io.Reader, reset func(io.Reader) error) *Coder {
	var in bytes.Reader
	return &Coder{
		Compress: func(dst, src []byte) ([]byte, error) {
			out := bytes.NewBuffer(dst[:0])
			w.Reset(out)
			if _, err := w.Write(src); err != nil {
				return nil, err
			}
			if err := w.Close(); err != nil {
				return nil, err
			}
			return out.Bytes(), nil
		},
		Decompress: func(dst, src []byte) ([]byte, error) {
			in.Reset(src)
			if err := reset(&in); err != nil {
				return nil, err
			}
			out := bytes.NewBuffer(dst[:0])
			if _, err := out.ReadFrom(r); err != nil {
				return nil, err
			}
			return out.Bytes(), nil
		},
	}
}

func newGzip() (*Coder, error) {
	r := new(gzip.Reader)
	return stream(gzip.NewWriter(nil), r, r.Reset), nil
}

func newLZ4() (*Coder, error) {
	r := lz4.NewReader(nil)
	return stream(lz4.NewWriter(nil), r, func(in io.Reader) error { r.Reset(in); return nil }), nil
}

// newZstd returns a coder without goroutines of its own. By default, zstd starts as many
// goroutines as there are processors.
func newZstd() (*Coder, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	return &Coder{
		Compress:   func(dst, src []byte) ([]byte, error) { return w.EncodeAll(src, dst[:0]), nil },
		Decompress: func(dst, src []byte) ([]byte, error) { return r.DecodeAll(src, dst[:0]) },
	}, nil
}

// blocks returns a function that makes coders of blocks. s2.Decode reads both S2 and Snappy
// blocks.
func blocks(encode func(dst, src []byte) []byte) func() (*Coder, error) {
	return func() (*Coder, error) {
		return &Coder{
			Compress: func(dst, src []byte) ([]byte, error) {
				// The library needs room for the worst case, and would otherwise allocate it.
				if need := s2.MaxEncodedLen(len(src)); cap(dst) < need {
					dst = make([]byte, need)
				}
				return encode(dst[:cap(dst)], src), nil
			},
			Decompress: func(dst, src []byte) ([]byte, error) { return s2.Decode(dst[:cap(dst)], src) },
		}, nil
	}
}
