// Package protofile makes a schema from a message in .proto files and reads records of it, for users
// whose data is protobuf already.
//
// The schema keeps the field numbers of the .proto file, so that generated protobuf code writes the
// same bytes as the user's own code, as far as the schema can express the file. The notes of the
// result list what it cannot express, or it is an error:
//   - a oneof becomes optional fields, at most one of which is set;
//   - integers lose their width and zigzag encoding: sint64, fixed64 and sfixed64 become int64 and
//     uint64, which protobuf writes as varints;
//   - wrappers such as google.protobuf.Int64Value become optional scalars; as elements of lists and
//     maps they become plain scalars;
//   - google.protobuf.Timestamp and Duration become the schema's own kinds;
//   - google.protobuf.Struct, Value, ListValue and Any stay the messages that they are on the wire;
//   - formats that write names leave out a field that is not set, according to protoc-gen-go's tags;
//     where 0 means not set, -0 becomes 0;
//   - a message without fields becomes a bool, which is true if the message is present;
//   - extensions that the files declare become fields of the messages that they extend;
//   - unknown fields are left out and counted.
//
// The package reads records with protobuf's own dynamic messages, so that the records have the meaning
// that protobuf gives them.
package protofile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"assay/internal/guess"
	"assay/internal/infer"
	"assay/schema"
	"assay/schema/protoform"
)

// A Form is an encoding of samples.
type Form string

// The forms. Auto decides for each sample by the extension of its name, and otherwise by its content.
const (
	Auto      Form = ""
	Binary    Form = "binary"    // one message a file
	Delimited Form = "delimited" // messages one after another, each after a varint with its length
	JSON      Form = "json"      // protobuf's JSON: documents one after another, or a list of them
	Text      Form = "text"      // protobuf's text form, one message a file
)

// ParseForm returns the form with a name.
func ParseForm(name string) (Form, error) {
	switch f := Form(name); f {
	case Binary, Delimited, JSON, Text:
		return f, nil
	}
	return Auto, fmt.Errorf("there is no form %q of protobuf samples; choose one of binary, delimited, json and text", name)
}

// Options say what to read and how.
type Options struct {
	// Files has the paths of .proto files.
	Files []string
	// ImportDirs has the directories in which imports are searched, in order. PREFIX=DIR is for
	// imports that begin with PREFIX/; the rest of such an import is searched in DIR. After these
	// directories, imports are searched beside the files that need them, in the directories above,
	// and in the modules that the go.mod around a file requires. The files that come with protoc
	// are always available.
	ImportDirs []string
	// Message is the message of the records: its full name, or an unambiguous end of it. If it is
	// empty, it is the only message that no other message holds.
	Message string
	// Name is the name of the schema. If it is empty, it is the message's name.
	Name string
	// Samples are the sources of the records.
	Samples []infer.Source
	// Form is the form of all samples.
	Form Form
	// SkipBad leaves out records that cannot be read, and lists them in Result.Bad. Otherwise the
	// first such record ends the reading with an error.
	SkipBad bool
	// MaxRecords, MaxBytes and MaxRecord are as in infer.Options.
	MaxRecords, MaxBytes, MaxRecord int64
}

// maxDepth is how deep messages may be nested. It equals the default of infer.Options.MaxDepth.
const maxDepth = 256

func (o Options) withDefaults() Options {
	limits := infer.Options{MaxRecords: o.MaxRecords, MaxBytes: o.MaxBytes, MaxRecord: o.MaxRecord}.WithDefaults()
	o.MaxRecords, o.MaxBytes, o.MaxRecord = limits.MaxRecords, limits.MaxBytes, limits.MaxRecord
	return o
}

// A Result describes a sample, like infer.Result.
type Result struct {
	// Schema is valid. Equal files and options give equal schemas.
	Schema *schema.Schema
	// Root is the message of the records in the schema.
	Root string
	// Message is the full name of the root in the .proto files.
	Message string
	// Files has the paths of the .proto files that were read, without those of protoc.
	Files []string
	// Guesses has the guesses: the message and the forms of samples, unless the user gave them.
	Guesses []guess.Guess
	// Notes has further facts for the user, a sentence each.
	Notes []string
	// Bad has the first hundred errors of records that SkipBad left out. BadCount counts all of
	// them.
	Bad      []*infer.Error
	BadCount int64
	// Records is the number of records. Bytes is their total size in bytes, as written in the
	// samples.
	Records, Bytes int64

	// Differences has the differences between the schema and the .proto files, in the order of
	// the schema.
	Differences []Difference

	options Options
	set     *fileSet
	forms   []Form // of the samples
	desc    protoreflect.MessageDescriptor
	plan    *protoform.Plan
	form    *protoform.Form
	decoder decoder
}

// Compile compiles the files and makes the schema, without reading the samples.
func Compile(ctx context.Context, o Options) (*Result, error) {
	o = o.withDefaults()
	if len(o.Files) == 0 {
		return nil, errors.New("there is no .proto file to read; name one")
	}
	set, err := compile(ctx, o.Files, o.ImportDirs)
	if err != nil {
		return nil, err
	}
	r := &Result{options: o, Files: set.paths(), Notes: set.notes}
	desc, why, err := set.message(o.Message)
	if err != nil {
		return nil, err
	}
	if why != "" {
		r.Guesses = append(r.Guesses, guess.Guess{Path: ".", Decision: string(desc.FullName()), Reason: why, Overrule: "--message NAME", Effect: guess.Structure})
	}
	r.Message = string(desc.FullName())
	return r, r.shape(set, desc)
}

// Read compiles the files and reads all records. Result.Write and Result.Lines read them again.
func Read(ctx context.Context, o Options) (*Result, error) {
	if len(o.Files) > 0 && len(o.Samples) == 0 {
		return nil, errors.New("there is no sample; name files with messages, in protobuf's binary form or its JSON")
	}
	r, err := Compile(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := r.chooseForms(); err != nil {
		return nil, err
	}
	p, err := r.convert(func(_, _ []byte) error { return nil })
	if err != nil {
		return nil, err
	}
	r.Records, r.Bytes, r.Bad, r.BadCount = p.seen, p.bytes, p.bad, p.badCount
	r.Notes = append(r.Notes, p.notes()...)
	return r, nil
}

// Write writes the records in the neutral form of the schema (package neutral), one on each line.
func (r *Result) Write(w io.Writer) error {
	return r.Lines(func(_, neutral []byte) error {
		_, err := w.Write(append(neutral, '\n'))
		return err
	})
}

// InJSON reports whether all samples are in protobuf's JSON.
func (r *Result) InJSON() bool {
	return !slices.ContainsFunc(r.forms, func(f Form) bool { return f != JSON })
}

// Lines visits the records, each as an original and in the neutral form of the schema (package
// neutral). If all samples are JSON, the original is the record as written in the sample; otherwise it
// is the message in protobuf's binary form. The original is valid until the next record. visit may
// append to the neutral form.
func (r *Result) Lines(visit func(original, neutral []byte) error) error {
	p, err := r.convert(visit)
	if err != nil {
		return err
	}
	if p.seen != r.Records {
		return fmt.Errorf("%s has %d records now and had %d before; it must not change while it is read", r.options.Samples[0].Name, p.seen, r.Records)
	}
	return nil
}

// shape makes the schema and the plan for a message.
func (r *Result) shape(set *fileSet, desc protoreflect.MessageDescriptor) error {
	b := newBuilder(set)
	root, err := b.root(desc, r.options.Name)
	if err != nil {
		return err
	}
	if err := b.schema.Validate(); err != nil {
		return fmt.Errorf("the schema of %s: %w", desc.FullName(), err)
	}
	r.Schema, r.Root, r.Differences = b.schema, root.name, b.differences
	r.Notes = append(r.Notes, b.notes.list()...)
	r.set, r.desc, r.plan = set, desc, b.plan(root)
	r.decoder = decoder{resolver: set.files.AsResolver()}
	r.form, err = r.plan.Bind(desc, r.decoder.resolver)
	return err
}
