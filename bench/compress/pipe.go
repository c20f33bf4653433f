package compress

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"assay/bench"
)

// Pipes are what compresses streams, in the order of Codecs. They write the frames of
// the formats: gzip, zstd and LZ4 as for single messages, S2 and Snappy as framed
// streams of blocks with checksums. None starts goroutines, so that what the goroutines of
// a stream cost is what one of them costs.
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

// s2Pipe is the framed stream of S2, or with s2.WriterSnappyCompat that of Snappy. One
// reader reads both.
func s2Pipe(options ...s2.WriterOption) bench.Pipe {
	options = append(options, s2.WriterConcurrency(1))
	return bench.Pipe{
		Writer: func(w io.Writer) (io.WriteCloser, error) { return s2.NewWriter(w, options...), nil },
		Reader: func(r io.Reader) (io.Reader, error) { return s2.NewReader(r), nil },
	}
}
