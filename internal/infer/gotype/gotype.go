// Package gotype makes a schema from a Go type in the user's own module, and reads records with that
// type. The values that are measured are therefore those that the user's code decodes, including its
// own UnmarshalJSON.
//
// The package finds the type with go/packages. It compiles a small program into the user's module with
// go build -overlay. That way the program can import internal packages and name unexported types, and
// nothing is written to the user's tree.
//
// Fields are those of encoding/json, with their names; fields that it leaves out are left out here.
// How types become types of the schema:
//   - structs are messages; the fields of embedded structs are fields of the structs around them;
//   - pointers are optional; slices and arrays are lists, but bytes if their elements are bytes;
//   - time.Time and time.Duration, and types made from them, are the schema's own kinds;
//   - an integer type with constants is an enum if the records hold no other numbers;
//   - a type with MarshalText is the string that the method returns;
//   - a type with MarshalJSON whose fields cannot be seen, or that is a slice of bytes, is a string with
//     the JSON that the method returns; an empty interface is a string with its JSON too;
//   - an empty list or map in a field with omitempty is absent, as it is after a round trip through
//     JSON; a struct or a time with omitzero is optional;
//   - channels, functions, complex numbers and other interfaces are left out.
//
// The notes of the result say where this happened.
package gotype

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"assay/internal/guess"
	"assay/internal/infer"
	"assay/internal/infer/gotype/program"
	"assay/schema"
)

// Options say what to read and how.
type Options struct {
	// Type is a package and the name of a type or a function in it, as in
	// ./internal/model.Order. The package is a pattern of the go command, relative to Dir. A
	// function has no parameters and returns a slice of records, or a slice and an error.
	Type string
	// Dir is a directory in the user's module. If it is empty, it is the working directory.
	Dir string
	// Name is the name of the schema. If it is empty, it is the type's name.
	Name string
	// Samples are the sources of JSON records that the type decodes. They must be empty for a
	// function.
	Samples []infer.Source
	// Records, SkipBad, MaxRecords, MaxBytes and MaxRecord are as in infer.Options.
	Records                         string
	SkipBad                         bool
	MaxRecords, MaxBytes, MaxRecord int64
	// Go is the go command. If it is empty, it is the one on PATH.
	Go string
}

// Methods has methods by which one type encodes or decodes itself and that have the same use here.
type Methods struct {
	// Type is the type with the name of its package, as in model.Status.
	Type  string
	Names []string
	// Use says what the methods do here.
	Use string
}

// A Result describes a type and its sample, like infer.Result. Close removes the program that it
// runs.
type Result struct {
	// Schema is valid. Equal types and records give equal schemas.
	Schema *schema.Schema
	// Root is the message of the records in the schema.
	Root string
	// Type is the type of the records, with the import path of its package.
	Type string
	// Methods has the methods of the types in the schema, in order, without types of the standard
	// library.
	Methods []Methods
	// Guesses has the guesses about what the type does not determine.
	Guesses []guess.Guess
	// Notes has further facts for the user, a sentence each.
	Notes []string
	// Bad has the first hundred errors of records that SkipBad left out. BadCount counts all of
	// them.
	Bad      []*infer.Error
	BadCount int64
	// Records is the number of records. Bytes is their total size in bytes, as written in the
	// samples, or by encoding/json if a function made the records.
	Records, Bytes int64

	options Options
	target  *target
	plan    program.Plan
	dir     string // the directory of the program
	path    string // the path of the program
}

// A ProgramError says that the user's module does not compile, or that the program compiled into it
// ended early. The problem is then in the module, not in the request.
type ProgramError struct{ err error }

func (e *ProgramError) Error() string { return e.err.Error() }
func (e *ProgramError) Unwrap() error { return e.err }

func programErrorf(format string, args ...any) error {
	return &ProgramError{fmt.Errorf(format, args...)}
}

// Read finds the type, compiles the program and reads all records. Result.Write and Result.Lines read
// them again.
func Read(ctx context.Context, o Options) (r *Result, err error) {
	if err := o.resolve(); err != nil {
		return nil, err
	}
	t, err := load(ctx, o)
	if err != nil {
		return nil, err
	}
	if t.isFunc == (len(o.Samples) > 0) {
		if t.isFunc {
			return nil, withSamples(o)
		}
		return nil, fmt.Errorf("%s is a type; give samples that it decodes with --sample, or name a function that returns some, as in func() []%s", o.Type, t.named.Obj().Name())
	}
	if t.isFunc && o.Records != "" {
		return nil, fmt.Errorf("%s is a function that makes records; --records is for samples of JSON", o.Type)
	}
	r = &Result{options: o, target: t, Type: t.String()}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
			r = nil
		}
	}()
	b := newBuilder(t)
	if err := b.root(o.Name); err != nil {
		return r, err
	}
	r.plan = r.limited(b.plan)
	if r.dir, err = os.MkdirTemp("", "assay-type-*"); err != nil {
		return r, err
	}
	files, err := ours("program/program.go", "program/read.go", "program/value.go")
	if err != nil {
		return r, err
	}
	if r.path, err = t.build(ctx, o, r.dir, files, t.reading()); err != nil {
		return r, err
	}
	p, err := r.convert(ctx, func(_, _ []byte) error { return nil })
	if err != nil {
		return r, err
	}
	r.Records, r.Bytes, r.Bad, r.BadCount = p.seen, p.bytes, p.bad, p.badCount
	b.settle(p.report)
	r.plan = r.limited(b.plan)
	if err := b.schema.Validate(); err != nil {
		return r, fmt.Errorf("the schema of %s: %w", r.Type, err)
	}
	r.Schema, r.Root = b.schema, b.schema.Roots[0]
	r.Methods, r.Guesses = b.methods, b.guesses
	r.Notes = slices.Concat(b.notes.list(), methodNotes(b.methods), p.notes())
	return r, nil
}

// limited returns a plan with the limits of the result's options.
func (r *Result) limited(p program.Plan) program.Plan {
	limits := infer.Options{MaxRecords: r.options.MaxRecords, MaxBytes: r.options.MaxBytes, MaxRecord: r.options.MaxRecord}.WithDefaults()
	p.MaxRecords, p.MaxBytes, p.MaxRecord = limits.MaxRecords, limits.MaxBytes, limits.MaxRecord
	return p
}

// Shape finds the type and makes the schema from the type alone, without compiling a program or
// reading records. It assumes what the records would decide: an integer type with constants is an
// enum, although records may hold other numbers, and a type with its own MarshalJSON is the text of
// its JSON.
func Shape(ctx context.Context, o Options) (*Result, error) {
	if err := o.resolve(); err != nil {
		return nil, err
	}
	t, err := load(ctx, o)
	if err != nil {
		return nil, err
	}
	if t.isFunc && len(o.Samples) > 0 {
		return nil, withSamples(o)
	}
	b := newBuilder(t)
	if err := b.root(o.Name); err != nil {
		return nil, err
	}
	for i := range b.guesses { // the records might say otherwise
		b.guesses[i].Reason = strings.Replace(b.guesses[i].Reason, noOther, ", if the records hold no other number", 1)
	}
	if err := b.schema.Validate(); err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", t, err)
	}
	return &Result{
		Schema: b.schema, Root: b.schema.Roots[0], Type: t.String(), Methods: b.methods, Guesses: b.guesses,
		Notes: slices.Concat(b.notes.list(), methodNotes(b.methods)), options: o, target: t,
	}, nil
}

// withSamples returns the error that a function takes no samples.
func withSamples(o Options) error {
	return fmt.Errorf("%s is a function that makes records; give no samples with it", o.Type)
}

// IsFunc reports whether Options.Type names a function that makes the records.
func (r *Result) IsFunc() bool { return r.target.isFunc }

// Write writes the records in the neutral form of the schema (package neutral), one on each line.
func (r *Result) Write(w io.Writer) error {
	return r.WriteContext(context.Background(), w)
}

// WriteContext is Write, but ends early if ctx is cancelled.
func (r *Result) WriteContext(ctx context.Context, w io.Writer) error {
	return r.Lines(ctx, func(_, neutral []byte) error {
		_, err := w.Write(append(neutral, '\n'))
		return err
	})
}

// Lines visits the records, each as written in the sample and in the neutral form of the schema
// (package neutral). visit may append to the neutral form. For records of a function, sample is nil.
func (r *Result) Lines(ctx context.Context, visit func(sample, neutral []byte) error) error {
	p, err := r.convert(ctx, visit)
	if err != nil {
		return err
	}
	if p.seen != r.Records {
		return fmt.Errorf("%s gives %d records now and gave %d before; it must not change while it is read", r.origin(), p.seen, r.Records)
	}
	return nil
}

// origin names the source of the records for errors.
func (r *Result) origin() string {
	if r.target.isFunc {
		return r.options.Type
	}
	return r.options.Samples[0].Name
}

// Close removes the program.
func (r *Result) Close() error {
	if r.dir == "" {
		return nil
	}
	return os.RemoveAll(r.dir)
}

// split splits a name such as ./internal/model.Order into the package's pattern and the name of the
// type.
func split(name string) (pattern, object string, err error) {
	slash := strings.LastIndexByte(name, '/')
	dot := strings.LastIndexByte(name, '.')
	if name == "" || dot == len(name)-1 || strings.ContainsAny(name, "[] \t") {
		return "", "", fmt.Errorf("%q does not name a type: give a package and a type, as in ./internal/model.Order", name)
	}
	if dot <= slash {
		if slash >= 0 {
			return "", "", fmt.Errorf("%q names a package and no type in it: give both, as in %s.Order", name, name)
		}
		return ".", name, nil
	}
	if pattern = name[:dot]; pattern == "" || pattern == "." {
		pattern = "."
	}
	return pattern, name[dot+1:], nil
}
