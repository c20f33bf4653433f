package userdata

import (
	"context"
	"fmt"
	"io"
	"slices"

	"assay/internal/infer"
	"assay/internal/infer/gotype"
	"assay/internal/infer/protofile"
	"assay/internal/jsonsize"
	"assay/result"
)

// Inferred is the Source of JSON records.
func Inferred(files []string, r *infer.Result) Source {
	return Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: without(r.Notes, r.Bad, r.BadCount), Bytes: r.Bytes,
	}.from(r.Lines)
}

// Messages is the Source of protobuf messages.
func Messages(files []string, r *protofile.Result) Source {
	return Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: without(r.Notes, r.Bad, r.BadCount), Bytes: r.Bytes,
	}.from(r.Lines)
}

// Values is the Source of values of a Go type. The result must not be closed
// before the records were written, which the context ends early.
func Values(ctx context.Context, files []string, r *gotype.Result) Source {
	return Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: without(r.Notes, r.Bad, r.BadCount), Bytes: r.Bytes,
	}.from(func(visit func(sample, neutral []byte) error) error { return r.Lines(ctx, visit) })
}

// from returns the source with its records, which lines visits: as they are in
// the sample, or nil, and in neutral form. What is written of them as JSON is
// compared with the sample on the way.
func (s Source) from(lines func(visit func(sample, neutral []byte) error) error) Source {
	var account *jsonsize.Account
	whole := false // all records are JSON
	s.Write = func(w io.Writer) error {
		account, whole = jsonsize.New(s.Schema, s.Root), true
		return lines(func(sample, neutral []byte) error {
			if whole = whole && sample != nil; whole {
				if err := account.Add(sample, neutral); err != nil {
					return err
				}
			}
			_, err := w.Write(append(neutral, '\n'))
			return err
		})
	}
	s.Size = func() *result.JSONSize {
		if !whole {
			return nil
		}
		return account.Size()
	}
	return s
}

// without adds to the notes how many records are not there.
func without(notes []string, bad []*infer.Error, n int64) []string {
	notes = slices.Clone(notes)
	if n > 0 {
		notes = append(notes, fmt.Sprintf("%d records were left out because they cannot be read or do not fit, the first at %v", n, bad[0]))
	}
	return notes
}
