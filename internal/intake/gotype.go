package intake

import (
	"context"
	"go/token"
	"io"
	"slices"
	"strings"

	"assay/internal/infer"
	"assay/internal/infer/gotype"
	"assay/internal/refusal"
	"assay/internal/userdata"
)

// namesType reports whether the value of --type is a Go type, as in ./internal/model.Order. The value
// has an = if it is about a value of the records instead.
func namesType(value string) bool {
	base := value[strings.LastIndexByte(value, '/')+1:]
	i := strings.LastIndexByte(base, '.')
	return !strings.ContainsRune(value, '=') && i >= 0 && token.IsIdentifier(base[i+1:])
}

// GoType returns the Go type of the records, or "" if the user named none.
func (in *Options) GoType() (string, error) {
	var name string
	for _, s := range in.Said {
		switch {
		case s.Flag != "type" || strings.ContainsRune(s.Value, '='):
		case !namesType(s.Value):
			return "", refusal.Errorf("--type is %q, which is neither PATH=TYPE for a value of JSON, as in user.id=string, nor a Go type with its package, as in ./internal/model.Order", s.Value)
		case name != "":
			return "", refusal.Errorf("--type names two Go types, %s and %s; all records are of one", name, s.Value)
		default:
			name = s.Value
		}
	}
	return name, nil
}

// Kind checks that all flags and files are about one kind of records. It returns the Go type of the
// records, or "" if the user named none.
func (in *Options) Kind(files []string) (goType string, err error) {
	if goType, err = in.GoType(); err != nil {
		return "", err
	}
	proto := slices.IndexFunc(files, IsProto)
	switch {
	case goType != "" && proto >= 0:
		return "", refusal.Errorf("--type %s names a Go type, and %s has types too; give one of them", goType, files[proto])
	case goType != "" && len(files) > 0:
		return "", refusal.Errorf("--type %[1]s names a Go type: give its records with --sample %[2]s, or, to set the type of the values at %[1]s in %[2]s, write --type %[1]s=string or another type", goType, files[0])
	case goType != "":
		if f := in.Proto.given(); f != "" {
			return "", refusal.Errorf("%s is about .proto files, and --type %s names a Go type; give one of them", f, goType)
		}
		return goType, in.nothingGuessed("--type "+goType, true)
	case proto >= 0:
		if i := slices.IndexFunc(files, func(f string) bool { return !IsProto(f) }); i >= 0 {
			return "", refusal.Errorf("%s is no .proto file; if it has messages of %s, give it with --sample", files[i], files[proto])
		}
		if err := in.Proto.check(); err != nil {
			return "", err
		}
		return "", in.nothingGuessed(files[proto], false)
	case len(in.Samples) > 0:
		return "", refusal.Errorf("--sample is for the records of a .proto file, or of a Go type named by --type; files of JSON are named without it: %s", strings.Join(in.Samples, " "))
	}
	if f := in.Proto.given(); f != "" {
		return "", refusal.Errorf("%s is about .proto files; name one, and its messages with --sample", f)
	}
	return "", nil
}

// JSONAlone checks that no flag and no file is about records other than JSON.
func (in *Options) JSONAlone(files []string) error {
	goType, err := in.GoType()
	switch proto := slices.IndexFunc(files, IsProto); {
	case err != nil:
		return err
	case goType != "":
		return refusal.Errorf("--type %s names a Go type, but this command reads only samples of JSON; leave it out", goType)
	case proto >= 0:
		return refusal.Errorf("%s is a .proto file, and here are samples of JSON alone; leave it out", files[proto])
	}
	_, err = in.Kind(files)
	return err
}

// WithRecords checks that there are records to read if files are .proto files.
func (in *Options) WithRecords(files []string) error {
	if i := slices.IndexFunc(files, IsProto); i >= 0 && len(in.Samples) == 0 {
		return refusal.Errorf("%s has no records; give messages with --sample, in protobuf's binary form, its JSON or its text form", files[i])
	}
	return nil
}

// nothingGuessed checks that there is no flag about guesses for JSON, because what determines the
// types. json says that the records are JSON.
func (in *Options) nothingGuessed(what string, json bool) error {
	flag := ""
	for _, s := range in.Said {
		if s.Flag != "type" || !namesType(s.Value) {
			flag = s.Flag // its value is not a Go type
		}
	}
	switch {
	case in.SchemaFile != "":
		flag = "schema"
	case in.Records != "" && !json:
		flag = "records"
	case len(in.Only) > 0:
		flag = "only"
	}
	if flag == "" {
		return nil
	}
	return refusal.Errorf("--%s is for samples of JSON alone; here %s says what the records are", flag, what)
}

// values reads samples with a Go type.
func (in *Options) values(ctx context.Context, samples []infer.Source, name string) (userdata.Source, *gotype.Result, error) {
	r, err := gotype.Read(ctx, gotype.Options{
		Type: name, Name: in.Name, Samples: samples, Records: in.Records, Go: in.Go,
		SkipBad: in.SkipBad, MaxRecords: in.MaxRecords, MaxBytes: in.MaxBytes, MaxRecord: in.MaxRecord,
	})
	if err != nil {
		return userdata.Source{}, nil, Wrong(ctx, err)
	}
	files := in.Samples
	if len(files) == 0 {
		files = []string{name} // a function that returns the records
	}
	s := userdata.Values(ctx, files, r)
	s.Notes = append([]string{"the records are values of " + r.Type}, s.Notes...)
	return s, r, nil
}

// Read reads samples of any kind. One of them may be standard input. The caller must call done when it
// has written the records. typed is nil unless the records are of a Go type; the caller must close it.
func (in *Options) Read(ctx context.Context, stdin io.Reader, files []string) (s userdata.Source, typed *gotype.Result, done func(), err error) {
	nothing := func() {}
	goType, err := in.Kind(files)
	if err == nil {
		err = in.WithRecords(files)
	}
	if err != nil {
		return s, nil, nothing, err
	}
	proto := slices.ContainsFunc(files, IsProto)
	samples := files
	if goType != "" || proto {
		samples = in.Samples
	}
	sources, done, err := in.Files(ctx, samples, stdin)
	if err != nil {
		return s, nil, nothing, refusal.Of(err)
	}
	switch {
	case goType != "":
		s, typed, err = in.values(ctx, sources, goType)
	case proto:
		s, err = in.messages(ctx, sources, files)
	default:
		var options infer.Options
		if options, err = in.Infer(ctx); err != nil {
			break
		}
		var r *infer.Result
		if r, err = infer.JSON(sources, options); err != nil {
			err = Wrong(ctx, err)
			break
		}
		s = userdata.Inferred(slices.Clone(files), r)
	}
	return s, typed, done, err
}
