package cli

import (
	"context"
	"errors"
	"go/token"
	"io"
	"slices"
	"strings"

	"assay/internal/infer"
	"assay/internal/infer/gotype"
	"assay/internal/userdata"
)

// namesType says whether the value of --type is a Go type, as in
// ./internal/model.Order, and none for a value of the records, which has an =.
func namesType(value string) bool {
	base := value[strings.LastIndexByte(value, '/')+1:]
	i := strings.LastIndexByte(base, '.')
	return !strings.ContainsRune(value, '=') && i >= 0 && token.IsIdentifier(base[i+1:])
}

// goType returns the Go type of the records; empty: none was named.
func (in *input) goType() (string, error) {
	var name string
	for _, s := range in.said {
		switch {
		case s.flag != "type" || strings.ContainsRune(s.value, '='):
		case !namesType(s.value):
			return "", usagef("--type is %q, which is neither PATH=TYPE for a value of JSON, as in user.id=string, nor a Go type with its package, as in ./internal/model.Order", s.value)
		case name != "":
			return "", usagef("--type names two Go types, %s and %s; all records are of one", name, s.value)
		default:
			name = s.value
		}
	}
	return name, nil
}

// kind checks that the flags are about one kind of records, and returns their
// Go type where one was named.
func (in *input) kind(files []string) (goType string, err error) {
	if goType, err = in.goType(); err != nil {
		return "", err
	}
	proto := slices.IndexFunc(files, isProto)
	switch {
	case goType != "" && proto >= 0:
		return "", usagef("--type %s names a Go type, and %s has types too; give one of them", goType, files[proto])
	case goType != "" && len(files) > 0:
		return "", usagef("--type %[1]s names a Go type of yours: give its records with --sample %[2]s. To make what is at %[1]s in %[2]s of a type, say which, as in --type %[1]s=string", goType, files[0])
	case goType != "":
		if f := in.proto.given(); f != "" {
			return "", usagef("%s is about .proto files, and --type %s names a Go type; give one of them", f, goType)
		}
		return goType, in.nothingGuessed("--type "+goType, true)
	case proto >= 0:
		if i := slices.IndexFunc(files, func(f string) bool { return !isProto(f) }); i >= 0 {
			return "", usagef("%s is no .proto file; if it has messages of %s, give it with --sample", files[i], files[proto])
		}
		if err := in.proto.check(); err != nil {
			return "", err
		}
		return "", in.nothingGuessed(files[proto], false)
	case len(in.samples) > 0:
		return "", usagef("--sample is for the records of a .proto file, or of a Go type named by --type; files of JSON are named without it: %s", strings.Join(in.samples, " "))
	}
	if f := in.proto.given(); f != "" {
		return "", usagef("%s is about .proto files; name one, and its messages with --sample", f)
	}
	return "", nil
}

// withRecords checks that there are records to read.
func (in *input) withRecords(files []string) error {
	if i := slices.IndexFunc(files, isProto); i >= 0 && len(in.samples) == 0 {
		return usagef("%s has no records; give messages with --sample, in protobuf's binary form, its JSON or its text form", files[i])
	}
	return nil
}

// nothingGuessed checks that there is no flag about what is guessed of JSON,
// where types are said by what.
func (in *input) nothingGuessed(what string, json bool) error {
	flag := ""
	for _, s := range in.said {
		if s.flag != "type" || !namesType(s.value) {
			flag = s.flag // its value is no Go type
		}
	}
	switch {
	case in.schemaFile != "":
		flag = "schema"
	case in.records != "" && !json:
		flag = "records"
	case len(in.only) > 0:
		flag = "only"
	}
	if flag == "" {
		return nil
	}
	return usagef("--%s is for samples of JSON alone; here %s says what the records are", flag, what)
}

// values reads samples with a Go type.
func (in *input) values(ctx context.Context, goCommand string, samples []infer.Source, name string) (userdata.Source, *gotype.Result, error) {
	r, err := gotype.Read(ctx, gotype.Options{
		Type: name, Name: in.name, Samples: samples, Records: in.records, Go: goCommand,
		SkipBad: in.skipBad, MaxRecords: in.maxRecords, MaxBytes: int64(in.maxBytes), MaxRecord: int64(in.maxRecord),
	})
	if err != nil {
		return userdata.Source{}, nil, wrongInput(ctx, err)
	}
	files := in.samples
	if len(files) == 0 {
		files = []string{name} // a function, whose records it returns
	}
	s := userdata.Values(ctx, files, r)
	s.Notes = append([]string{"the records are values of " + r.Type}, s.Notes...)
	return s, r, nil
}

// readSamples reads samples of any kind, of which standard input may be one. done is
// to be called when the records were written; typed is nil unless they are of a
// Go type, and is to be closed by the caller.
func (a *app) readSamples(ctx context.Context, stdin io.Reader, in input, files []string) (s userdata.Source, typed *gotype.Result, done func(), err error) {
	nothing := func() {}
	goType, err := in.kind(files)
	if err == nil {
		err = in.withRecords(files)
	}
	if err != nil {
		return s, nil, nothing, err
	}
	proto := slices.ContainsFunc(files, isProto)
	samples := files
	if goType != "" || proto {
		samples = in.samples
	}
	sources, done, err := infer.Files(ctx, samples, stdin, in.limits())
	if err != nil {
		return s, nil, nothing, &exitError{exitUsage, err}
	}
	switch {
	case goType != "":
		s, typed, err = in.values(ctx, a.measuring().ToolGo(), sources, goType)
	case proto:
		s, err = in.messages(ctx, sources, files)
	default:
		var options infer.Options
		if options, err = in.options(ctx); err != nil {
			break
		}
		var r *infer.Result
		if r, err = infer.JSON(sources, options); err != nil {
			err = wrongInput(ctx, err)
			break
		}
		s = userdata.Inferred(slices.Clone(files), r)
	}
	return s, typed, done, err
}

// withOwnType adds the user's own type to what is measured, if there is one. It
// is measured whatever is selected, unless something else is what they have.
func (a *app) withOwnType(ctx context.Context, o *tryOptions) error {
	if o.typed == nil {
		return nil
	}
	externals, err := a.measuring().InviteType(ctx, o.data, o.typed)
	a.progress().clear()
	if err = errors.Join(err, o.typed.Close()); err != nil {
		return err
	}
	o.selection.externals = externals
	if externals != nil && !o.haveGiven() {
		o.always = gotype.ExternalName
	}
	return nil
}
