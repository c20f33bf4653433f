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

// Inferred returns the Source of JSON records.
func Inferred(files []string, r *infer.Result) Source {
	s := Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: r.Notes, Bytes: r.Bytes,
		Total: r.Records, Spelling: r.Spelling(), Spelled: true,
	}
	return s.from(r.Lines, true)
}

// Messages returns the Source of protobuf messages.
func Messages(files []string, r *protofile.Result) Source {
	s := Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: without(r.Notes, r.Bad, r.BadCount), Bytes: r.Bytes,
		Total: r.Records,
	}
	return s.from(r.Lines, r.InJSON()).WithProto(r)
}

// Values returns the Source of values of a Go type. The caller must not close r before the
// records are written. Cancelling ctx stops writing.
func Values(ctx context.Context, files []string, r *gotype.Result) Source {
	s := Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: without(r.Notes, r.Bad, r.BadCount), Bytes: r.Bytes,
		Total: r.Records,
	}
	return s.from(func(visit func(original, neutral []byte) error) error { return r.Lines(ctx, visit) }, true)
}

// from returns the source with Write and Size set. lines visits each record, as it is in the
// files and in neutral form. If the records are JSON, Write also compares each with the JSON
// that encoding/json writes for it.
func (s Source) from(lines func(visit func(original, neutral []byte) error) error, inJSON bool) Source {
	var account *jsonsize.Account
	whole := false // all records so far are JSON
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

// without returns notes and a note on the number of records that were left out. The notes of
// JSON records already contain it.
func without(notes []string, bad []*infer.Error, n int64) []string {
	notes = slices.Clone(notes)
	if n > 0 {
		notes = append(notes, infer.BadNote(n, bad[0]))
	}
	return notes
}
