// Package protofile makes a schema of a message in .proto files and reads
// records of it, for those whose data is protobuf already.
//
// The schema keeps the field numbers of the .proto, so that generated protobuf
// code writes what the user's own code writes as far as the schema can say it.
// What it cannot say is in the notes of the result, or is an error:
//   - a oneof becomes optional fields, of which at most one is set;
//   - the widths and zigzags of integers are gone: sint64, fixed64 and sfixed64
//     become int64 and uint64, which protobuf writes as varints;
//   - wrappers such as google.protobuf.Int64Value become optional scalars, and
//     elements of lists and maps become scalars;
//   - google.protobuf.Timestamp and Duration are the schema's own kinds;
//   - google.protobuf.Struct, Value, ListValue and Any stay the messages that
//     they are on the wire;
//   - a field is left out of formats that write names where it is not set, as
//     protoc-gen-go's tags have it, and -0 is 0 where 0 is not set;
//   - a message without fields becomes a bool, true where the message is there;
//   - extensions that the files declare are fields of the messages that they
//     extend;
//   - unknown fields are left out, and are counted.
//
// The records are read with protobuf's own dynamic messages, so they mean what
// protobuf says they mean.
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

// A Form is how samples are written.
type Form string

// The forms. Auto decides for each sample by the end of its name, then by what
// is in it.
const (
	Auto      Form = ""
	Binary    Form = "binary"    // one message a file
	Delimited Form = "delimited" // messages one after another, a varint of its length before each
	JSON      Form = "json"      // protobuf's JSON: documents one after another, or a list of them
	Text      Form = "text"      // protobuf's text form, one message a file
)

// ParseForm returns the form of that name.
func ParseForm(name string) (Form, error) {
	switch f := Form(name); f {
	case Binary, Delimited, JSON, Text:
		return f, nil
	}
	return Auto, fmt.Errorf("there is no form %q of protobuf samples; choose one of binary, delimited, json and text", name)
}

// Options say what is read.
type Options struct {
	// Files are .proto files, by their path.
	Files []string
	// ImportDirs are the directories in which imports are looked for, in order.
	// PREFIX=DIR stands for imports that begin with PREFIX/, whose rest is looked
	// for in DIR. Without any, and after them, imports are found beside the files
	// that need them, in the directories above, and in the modules that the go.mod
	// around a file requires. The files that come with protoc are always there.
	ImportDirs []string
	// Message is the message of the records: its full name, or as much of its end
	// as tells it from others. Empty: the only one that no other holds.
	Message string
	// Name names the schema. Empty: the message's name.
	Name string
	// Samples are the records.
	Samples []infer.Source
	// Form is the form of all samples.
	Form Form
	// SkipBad leaves records out that cannot be read, and lists them in Result.Bad,
	// instead of ending with the first.
	SkipBad bool
	// MaxRecords, MaxBytes and MaxRecord are those of infer.Options.
	MaxRecords, MaxBytes, MaxRecord int64
}

// maxDepth is how deep messages may be nested in one another. It is the depth
// that infer allows.
const maxDepth = 256

func (o Options) withDefaults() Options {
	limits := infer.Options{MaxRecords: o.MaxRecords, MaxBytes: o.MaxBytes, MaxRecord: o.MaxRecord}.WithDefaults()
	o.MaxRecords, o.MaxBytes, o.MaxRecord = limits.MaxRecords, limits.MaxBytes, limits.MaxRecord
	return o
}

// A Result is what is known of a sample. It has the members of infer.Result.
type Result struct {
	// Schema is valid. Equal files and options give equal schemas.
	Schema *schema.Schema
	// Root is the message of the records in the schema.
	Root string
	// Message is its full name in the .proto files.
	Message string
	// Files are the paths of the .proto files that were read, those of protoc left
	// out.
	Files []string
	// Guesses are what was not asked for: the message, and the forms of samples.
	Guesses []guess.Guess
	// Notes are what else a reader should know, a sentence each.
	Notes []string
	// Bad are the records that SkipBad left out, the first hundred of them;
	// BadCount is how many there are.
	Bad      []*infer.Error
	BadCount int64
	// Records and Bytes are how many records there are and how many bytes they
	// have together, as they are in the samples.
	Records, Bytes int64

	// Differences are what of the schema is otherwise than in the .proto files, in
	// the order of the schema.
	Differences []Difference

	options Options
	set     *fileSet
	forms   []Form // of the samples
	desc    protoreflect.MessageDescriptor
	plan    *protoform.Plan
	form    *protoform.Form
	decoder decoder
}

// Compile compiles the files and makes the schema. The samples are not read.
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

// Read compiles the files and reads all records, which are read again by
// Result.Write.
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

// Write writes the records in the neutral form of the schema (package neutral),
// one a line.
func (r *Result) Write(w io.Writer) error {
	return r.Lines(func(_, neutral []byte) error {
		_, err := w.Write(append(neutral, '\n'))
		return err
	})
}

// InJSON reports whether all samples are protobuf's JSON.
func (r *Result) InJSON() bool {
	return !slices.ContainsFunc(r.forms, func(f Form) bool { return f != JSON })
}

// Lines visits the records, each as an original, valid until the next one, and in
// the neutral form of the schema (package neutral), which the visitor may append
// to. The original is the record as it is in the sample where all samples are JSON,
// and otherwise the message in protobuf's binary form.
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

// shape makes the schema.
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
