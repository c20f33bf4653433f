package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"assay/internal/infer"
	"assay/internal/infer/gotype"
	"assay/internal/infer/protofile"
	"assay/internal/refusal"
	"assay/internal/userdata"
)

// Inferred returns the schema of samples, of a .proto file or of a Go type. For the latter two, it
// reads records only if there are samples of them.
func (in *Options) Inferred(ctx context.Context, stdin io.Reader, files []string) (userdata.Source, error) {
	goType, err := in.Kind(files)
	switch {
	case err != nil:
		return userdata.Source{}, err
	case len(files) == 0 && goType == "":
		return userdata.Source{}, refusal.Errorf("there is nothing to read; name a file of JSON or NDJSON, - for standard input, a .proto file, or a Go type with --type")
	case len(in.Samples) > 0 || goType == "" && !IsProto(files[0]):
		s, typed, done, err := in.Read(ctx, stdin, files)
		defer done()
		if typed != nil {
			err = errors.Join(err, typed.Close())
		}
		return s, err
	case in.unread() != "":
		return userdata.Source{}, refusal.Errorf("--%s is about records, of which none is read here without --sample", in.unread())
	case goType != "":
		r, err := gotype.Shape(ctx, gotype.Options{Type: goType, Name: in.Name, Go: in.Go})
		if err != nil {
			return userdata.Source{}, Wrong(ctx, err)
		}
		unread := "no record was read: give some with --sample to have what records decide"
		if r.IsFunc() {
			unread = "no record was read: assay try reads those that the function returns, and has what they decide"
		}
		notes := append([]string{unread}, r.Notes...)
		return userdata.Source{Schema: r.Schema, Root: r.Root, Guesses: r.Guesses, Notes: notes}, nil
	}
	return in.declared(ctx, files)
}

// unread returns the name of a flag about records that was given, or "".
func (in *Options) unread() string {
	switch {
	case in.Records != "":
		return "records"
	case in.SkipBad:
		return "skip-bad"
	case in.MaxRecords != MaxRecords:
		return "max-records"
	case in.MaxBytes != 0:
		return "max-bytes"
	case in.MaxRecord != 0:
		return "max-record"
	case in.Proto.Form != "":
		return "proto-form"
	}
	return ""
}

// declared returns the schema of a .proto file's message without reading records.
func (in *Options) declared(ctx context.Context, files []string) (userdata.Source, error) {
	r, err := protofile.Compile(ctx, in.protoOptions(files, nil))
	if err != nil {
		return userdata.Source{}, Wrong(ctx, err)
	}
	s := userdata.Source{Schema: r.Schema, Root: r.Root, Guesses: r.Guesses}
	s.Notes = append([]string{fmt.Sprintf("the schema is of the message %s of %s", r.Message, strings.Join(files, ", "))}, r.Notes...)
	return s.WithProto(r), nil
}

// protoOptions returns the options for reading .proto files and their messages.
func (in *Options) protoOptions(files []string, samples []infer.Source) protofile.Options {
	return protofile.Options{
		Files: files, ImportDirs: in.Proto.Imports, Message: in.Proto.Message, Form: protofile.Form(in.Proto.Form), Name: in.Name, Samples: samples,
		SkipBad: in.SkipBad, MaxRecords: in.MaxRecords, MaxBytes: in.MaxBytes, MaxRecord: in.MaxRecord,
	}
}
