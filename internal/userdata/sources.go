package userdata

import (
	"context"
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
	s := Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: r.Notes, Bytes: r.Bytes,
		Total: r.Records, Spelling: r.Spelling(), Spelled: true,
	}
	return s.from(r.Lines, true)
}

// Messages is the Source of protobuf messages.
func Messages(files []string, r *protofile.Result) Source {
	s := Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: without(r.Notes, r.Bad, r.BadCount), Bytes: r.Bytes,
		Total: r.Records,
	}
	return s.from(r.Lines, r.InJSON()).WithProto(r)
}

// Values is the Source of values of a Go type. The result must not be closed
// before the records were written, which the context ends early.
func Values(ctx context.Context, files []string, r *gotype.Result) Source {
	s := Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: without(r.Notes, r.Bad, r.BadCount), Bytes: r.Bytes,
		Total: r.Records,
	}
	return s.from(func(visit func(original, neutral []byte) error) error { return r.Lines(ctx, visit) }, true)
}

// from returns the source with its records, which lines visits: as they are in
// the files, and in neutral form. Where they are JSON, what is written of them is
// compared with them on the way.
func (s Source) from(lines func(visit func(original, neutral []byte) error) error, inJSON bool) Source {
	var account *jsonsize.Account
	whole := false // all records are JSON
	s.Write = func(w io.Writer, show func(original []byte) error) error {
		account, whole = jsonsize.New(s.Schema, s.Root), inJSON
		return lines(func(original, neutral []byte) error {
			if whole = whole && original != nil; whole {
				if err := account.Add(original, neutral); err != nil {
					return err
				}
			}
			if err := show(original); err != nil {
				return err
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

// without adds to the notes how many records are not there, as the notes of JSON
// records say it already.
func without(notes []string, bad []*infer.Error, n int64) []string {
	notes = slices.Clone(notes)
	if n > 0 {
		notes = append(notes, infer.BadNote(n, bad[0]))
	}
	return notes
}
