package userdata

import (
	"context"
	"fmt"
	"io"
	"slices"

	"assay/internal/infer"
	"assay/internal/infer/gotype"
	"assay/internal/infer/protofile"
)

// Inferred is the Source of JSON records.
func Inferred(files []string, r *infer.Result) Source {
	return Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: without(r.Notes, r.Bad, r.BadCount), Bytes: r.Bytes, Write: r.WriteOriginals,
		Total: r.Records, Spelling: r.Spelling(), Spelled: true,
	}
}

// Messages is the Source of protobuf messages.
func Messages(files []string, r *protofile.Result) Source {
	s := Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: without(r.Notes, r.Bad, r.BadCount), Bytes: r.Bytes, Write: r.WriteOriginals,
		Total: r.Records,
	}
	return s.WithProto(r)
}

// Values is the Source of values of a Go type. The result must not be closed
// before the records were written, which the context ends early.
func Values(ctx context.Context, files []string, r *gotype.Result) Source {
	return Source{
		Files: files, Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: without(r.Notes, r.Bad, r.BadCount), Bytes: r.Bytes,
		Write: func(w io.Writer, original func([]byte) error) error { return r.WriteOriginals(ctx, w, original) },
		Total: r.Records,
	}
}

// without adds to the notes how many records are not there.
func without(notes []string, bad []*infer.Error, n int64) []string {
	notes = slices.Clone(notes)
	if n > 0 {
		notes = append(notes, fmt.Sprintf("%d records were left out because they cannot be read or do not fit, the first at %v", n, bad[0]))
	}
	return notes
}
