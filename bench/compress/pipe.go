package compress

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"assay/bench"
)

// Pipes returns the pipes that compress streams, in the order of Codecs. gzip, zstd and lz4
// write the same formats as for single messages; s2 and snappy write framed streams of blocks
// with checksums. No pipe starts goroutines, so that the cost of compression is counted in the
// goroutine of the stream.
func Pipes() []bench.Pipe {
	var all []bench.Pipe
	for _, c := range Codecs {
		pipe := c.Pipe
		pipe.Codec = c.Name
		all = append(all, pipe)
	}
	return all
}

var gzipPipe = bench.Pipe{
	Writer: func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
	Reader: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
}

var zstdPipe = bench.Pipe{
	Writer: func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) },
	Reader: func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
}

var lz4Pipe = bench.Pipe{
	Writer: func(w io.Writer) (io.WriteCloser, error) { return lz4.NewWriter(w), nil },
	Reader: func(r io.Reader) (io.Reader, error) { return lz4.NewReader(r), nil },
}

// s2Pipe returns the pipe of the framed S2 format or, with s2.WriterSnappyCompat, of the framed
// Snappy format. One reader reads both.
func s2Pipe(options ...s2.WriterOption) bench.Pipe {
	options = append(options, s2.WriterConcurrency(1))
	return bench.Pipe{
		Writer: func(w io.Writer) (io.WriteCloser, error) { return s2.NewWriter(w, options...), nil },
		Reader: func(r io.Reader) (io.Reader, error) { return s2.NewReader(r), nil },
	}
}
