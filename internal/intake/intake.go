// Package intake reads samples of a user's records: JSON, messages of .proto files, and values of Go
// types. Its options are the flags of the commands that read samples. If an error is about a flag, it
// is a refusal that names the flag.
package intake

import (
	"context"

	"assay/internal/infer"
	"assay/internal/refusal"
	"assay/internal/userfile"
	"assay/schema"
	"assay/schema/text"
)

// Options say how to read samples. Each field except Heard is a flag of the commands that read them.
type Options struct {
	Records    string // --records: where the records are in a document, as in "statuses[]"
	Name       string // --name of the schema; empty: the name of the first file
	SchemaFile string // --schema; empty: the schema is inferred
	SkipBad    bool
	MaxRecords int64
	MaxBytes   int64 // 0: 1 GiB
	MaxRecord  int64 // the largest size of one record in bytes; 0: 16 MiB
	Said       []Said
	Only       []string // PATH or PATH=VALUE; records for which one does not hold are left out
	Samples    []string // files of records of a .proto file or a Go type
	Proto      Proto
	// Go is the go command that compiles the program of a Go type.
	Go string
	// Heard is called during reading, with how far a sample has been read. It may be nil.
	Heard func(Reading)
}

// MaxRecords is the default of --max-records: how many records are read.
const MaxRecords = 1_000_000

// A Said is a user's answer that replaces a guess: a flag and its value. Answers are in the order of
// the command line, because the last of several answers about one path counts.
type Said struct{ Flag, Value string }

// overrules returns the user's answers for package infer.
func (i *Options) overrules() ([]infer.Overrule, error) {
	var all []infer.Overrule
	for _, s := range i.Said {
		if s.Flag == "type" && namesType(s.Value) {
			continue
		}
		o, err := infer.ParseOverrule(s.Flag, s.Value)
		if err != nil {
			return nil, refusal.Errorf("--%s: %v", s.Flag, err)
		}
		all = append(all, o)
	}
	return all, nil
}

// Check checks the options as far as possible without reading a file. Its error is a refusal.
func (i *Options) Check() error {
	if i.MaxRecords < 1 {
		return refusal.Errorf("--max-records is %d; it must be positive", i.MaxRecords)
	}
	if i.Name != "" && i.SchemaFile != "" {
		return refusal.Errorf("--name names a schema that assay infers, but the schema in %s already has a name; edit it there", i.SchemaFile)
	}
	if _, err := i.conditions(); err != nil {
		return err
	}
	_, err := i.overrules()
	return err
}

// conditions returns the conditions on records in Only.
func (i *Options) conditions() (all []infer.Only, err error) {
	for _, text := range i.Only {
		o, err := infer.ParseOnly(text)
		if err != nil {
			return nil, refusal.Errorf("--only: %v", err)
		}
		all = append(all, o)
	}
	return all, nil
}

// limits returns options with the limits on how much is read.
func (i *Options) limits() infer.Options {
	return infer.Options{MaxRecords: i.MaxRecords, MaxBytes: i.MaxBytes, MaxRecord: i.MaxRecord}
}

// Infer returns the options with which package infer reads samples of JSON. It reads the schema file
// if there is one.
func (i *Options) Infer(ctx context.Context) (infer.Options, error) {
	o := i.limits()
	o.Name, o.Records, o.SkipBad = i.Name, i.Records, i.SkipBad
	var err error
	if o.Only, err = i.conditions(); err != nil {
		return o, err
	}
	if o.Overrules, err = i.overrules(); err != nil || i.SchemaFile == "" {
		return o, err
	}
	o.Schema, err = i.Schema(ctx)
	return o, err
}

// Schema reads the schema file.
func (i *Options) Schema(ctx context.Context) (*schema.Schema, error) {
	data, err := userfile.Read(ctx, i.SchemaFile)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, refusal.Errorf("--schema: %v", err)
	}
	s, err := text.Parse(i.SchemaFile, data)
	if err != nil {
		return nil, refusal.Of(err)
	}
	return s, nil
}
