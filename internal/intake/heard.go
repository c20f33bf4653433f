package intake

import (
	"context"
	"io"
	"os"

	"assay/internal/infer"
)

// A Reading is how far the reading of a sample is. A sample is read several times: for
// its schema, again where that has unions, and to convert the records.
type Reading struct {
	Name string
	// Times is the how-manieth time it is, from 1. Readings of less than a mebibyte, which
	// look for the kind of a file, do not count.
	Times int
	// Bytes are read of Size, which is 0 where it is not known. Both are of the file as it
	// is, which may be compressed.
	Bytes, Size int64
}

// heardEvery is how many bytes are read between two calls of Options.Heard.
const heardEvery = 1 << 20

// Files are sources for paths, as infer.Files has them, and Heard is told how far they are
// read.
func (i *Options) Files(ctx context.Context, paths []string, stdin io.Reader) (sources []infer.Source, done func(), err error) {
	sources, done, err = infer.Files(ctx, paths, stdin, i.limits())
	return i.heard(sources), done, err
}

// heard has the sources tell Heard how far they are read.
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

// A heardFile is a file whose reading is told.
type heardFile struct {
	io.ReadCloser
	to      func(Reading)
	reading *Reading
}

// Read reads, and tells how far it is once a heardEvery.
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
