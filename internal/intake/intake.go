// Package intake reads samples of a user's records: JSON, messages of .proto files,
// values of Go types. Its options are the flags of the commands that read samples, and
// an error that is a refusal names the flag.
package intake

import (
	"context"

	"assay/internal/infer"
	"assay/internal/refusal"
	"assay/internal/userfile"
	"assay/schema"
	"assay/schema/text"
)

// Options say how samples are read. Each field is a flag of the commands that read them.
type Options struct {
	Records    string // --records: where the records are in a document, as in "statuses[]"
	Name       string // --name of the schema; empty: by the first file
	SchemaFile string // --schema; empty: it is inferred
	SkipBad    bool
	MaxRecords int64
	MaxBytes   int64 // 0: 1 GiB
	MaxRecord  int64 // of one record, in bytes; 0: 16 MiB
	Said       []Said
	Only       []string // PATH=VALUE, all of which hold of a record that is taken
	Samples    []string // files of records, of a .proto file or a Go type
	Proto      Proto
	// Go is the go command that compiles the program of a Go type.
	Go string
	// Heard is told how far samples are read, from within the reading; nil: nobody listens.
	Heard func(Reading)
}

// MaxRecords is how many records are read where --max-records does not say.
const MaxRecords = 1_000_000

// A Said is one answer of the user's to what would be guessed: a flag and its value.
// They are in the order of the command line, because of several about one path the last
// counts.
type Said struct{ Flag, Value string }

// overrules are the user's answers.
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

// Check checks the options that need no file. Its error is a refusal.
func (i *Options) Check() error {
	if i.MaxRecords < 1 {
		return refusal.Errorf("--max-records is %d; it must be positive", i.MaxRecords)
	}
	if i.Name != "" && i.SchemaFile != "" {
		return refusal.Errorf("--name is for a schema that is made here; the one in %s has a name, which you can edit there", i.SchemaFile)
	}
	if _, err := i.conditions(); err != nil {
		return err
	}
	_, err := i.overrules()
	return err
}

// conditions are those on records.
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

// limits are how much is read.
func (i *Options) limits() infer.Options {
	return infer.Options{MaxRecords: i.MaxRecords, MaxBytes: i.MaxBytes, MaxRecord: i.MaxRecord}
}

// Infer returns how package infer reads samples of JSON: it reads the schema that was
// given.
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

// Schema reads the schema file that was given.
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
