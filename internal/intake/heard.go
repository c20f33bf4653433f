package intake

import (
	"context"
	"io"
	"os"

	"assay/internal/infer"
)

// A Reading says how far a sample has been read. A sample is read several times: for its schema, again
// if that has unions, and to convert the records.
type Reading struct {
	Name string
	// Times is the number of this reading, from 1. Readings of less than 1 MiB, which only
	// determine the kind of a file, do not count.
	Times int
	// Bytes is the number of bytes read so far, and Size the size of the file, or 0 if it is
	// unknown. Both are of the file as stored, which may be compressed.
	Bytes, Size int64
}

// heardEvery is how many bytes are read between two calls of Options.Heard.
const heardEvery = 1 << 20

// Files returns sources for paths, like infer.Files. The sources report to Heard how far they have
// been read.
func (i *Options) Files(ctx context.Context, paths []string, stdin io.Reader) (sources []infer.Source, done func(), err error) {
	sources, done, err = infer.Files(ctx, paths, stdin, i.limits())
	return i.heard(sources), done, err
}

// heard returns sources that report to Heard how far they have been read.
func (i *Options) heard(sources []infer.Source) []infer.Source {
	if i.Heard == nil {
		return sources
	}
	out := make([]infer.Source, len(sources))
	for k, s := range sources {
		r := &Reading{Name: s.Name}
		if info, err := os.Stat(s.Name); err == nil && info.Mode().IsRegular() {
			r.Size = info.Size()
		}
		out[k] = infer.Source{Name: s.Name, Open: func() (io.ReadCloser, error) {
			f, err := s.Open()
			if err != nil {
				return nil, err
			}
			r.Bytes = 0
			return &heardFile{ReadCloser: f, to: i.Heard, reading: r}, nil
		}}
	}
	return out
}

// A heardFile is a file that reports how far it has been read.
type heardFile struct {
	io.ReadCloser
	to      func(Reading)
	reading *Reading
}

// Read reads, and reports how far it is after every heardEvery bytes.
func (f *heardFile) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	before := f.reading.Bytes / heardEvery
	f.reading.Bytes += int64(n)
	if f.reading.Bytes/heardEvery > before {
		if before == 0 {
			f.reading.Times++
		}
		f.to(*f.reading)
	}
	return n, err
}
