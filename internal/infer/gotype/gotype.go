// Package gotype makes a schema of a Go type in the user's own module, and reads
// records with that type: what the user's code decodes is what is measured, its
// own UnmarshalJSON included.
//
// The type is found with go/packages. A small program is compiled into the
// user's module with go build -overlay, which is how internal packages can be
// imported and unexported types named without a byte being written to the user's
// tree.
//
// Fields are those of encoding/json, with their names: what it leaves out is left
// out here. What becomes of a type:
//   - structs are messages, embedded ones are part of those they are in;
//   - pointers are optional; slices and arrays are lists, of bytes they are bytes;
//   - time.Time and time.Duration, and types made of them, are the schema's own
//     kinds;
//   - an integer type with constants is an enum, if the records hold no other
//     numbers;
//   - a type with MarshalText is the string which that gives;
//   - a type whose fields cannot be seen and that has MarshalJSON is the JSON
//     which that gives, as a string; and so is an empty interface;
//   - an empty list or map in a field with omitempty is none, as it is after a
//     round trip through JSON; a struct or a time with omitzero is optional;
//   - channels, functions, complex numbers and other interfaces are left out.
//
// The notes of the result say where any of this was done.
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

// Options say what is read.
type Options struct {
	// Type is a package and the name of a type or a function in it, as in
	// ./internal/model.Order. The package is as the go command has it, from Dir. A
	// function takes nothing and returns a slice of records, or that and an error.
	Type string
	// Dir is a directory in the user's module. Empty: the working directory.
	Dir string
	// Name names the schema. Empty: the type's name.
	Name string
	// Samples are JSON files of records, which the type decodes. A function needs
	// none.
	Samples []infer.Source
	// Records, SkipBad, MaxRecords, MaxBytes and MaxRecord are those of
	// infer.Options.
	Records                         string
	SkipBad                         bool
	MaxRecords, MaxBytes, MaxRecord int64
	// Go is the go command. Empty: the one on PATH.
	Go string
}

// Methods are those of one type by which it writes or reads itself, and that
// serve the same end here.
type Methods struct {
	// Type is as in model.Status.
	Type  string
	Names []string
	// Use says what they do here.
	Use string
}

// A Result is what is known of a type and its sample. It has the members of
// infer.Result. Close removes the program that it runs.
type Result struct {
	// Schema is valid. Equal types and records give equal schemas.
	Schema *schema.Schema
	// Root is the message of the records in the schema.
	Root string
	// Type is the type of the records, with the import path of its package.
	Type string
	// Methods are those of the types in the schema, in order. The types of the
	// standard library are not among them.
	Methods []Methods
	// Guesses are what the type leaves open.
	Guesses []guess.Guess
	// Notes are what else a reader should know, a sentence each.
	Notes []string
	// Bad are the records that SkipBad left out, the first hundred of them;
	// BadCount is how many there are.
	Bad      []*infer.Error
	BadCount int64
	// Records and Bytes are how many records there are and how many bytes they
	// have together, as they are in the samples; for a function, as encoding/json
	// writes them.
	Records, Bytes int64

	options Options
	target  *target
	plan    program.Plan
	dir     string // of the program
	path    string // the program
}

// A ProgramError says that the user's module does not compile, or that the program
// that was compiled into it ends before its end: what is wrong is in the module,
// not in what was asked.
type ProgramError struct{ err error }

func (e *ProgramError) Error() string { return e.err.Error() }
func (e *ProgramError) Unwrap() error { return e.err }

func programErrorf(format string, args ...any) error {
	return &ProgramError{fmt.Errorf(format, args...)}
}

// Read finds the type, compiles the program and reads all records, which are
// read again by Result.Write.
func Read(ctx context.Context, o Options) (r *Result, err error) {
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

// limited returns a plan with the limits of the options.
func (r *Result) limited(p program.Plan) program.Plan {
	limits := infer.Options{MaxRecords: r.options.MaxRecords, MaxBytes: r.options.MaxBytes, MaxRecord: r.options.MaxRecord}.WithDefaults()
	p.MaxRecords, p.MaxBytes, p.MaxRecord = limits.MaxRecords, limits.MaxBytes, limits.MaxRecord
	return p
}

// Shape finds the type and makes the schema of it alone: no program is compiled and
// no record is read, so what records decide is open. An enum is one although
// records may hold other numbers, and what a type's own MarshalJSON writes is the
// text of its JSON.
func Shape(ctx context.Context, o Options) (*Result, error) {
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

// withSamples says that a function needs no samples.
func withSamples(o Options) error {
	return fmt.Errorf("%s is a function that makes records; give no samples with it", o.Type)
}

// IsFunc reports whether the type was named by a function that makes the records.
func (r *Result) IsFunc() bool { return r.target.isFunc }

// Write writes the records in the neutral form of the schema (package neutral),
// one a line.
func (r *Result) Write(w io.Writer) error {
	return r.WriteContext(context.Background(), w)
}

// WriteContext is Write that can be ended early.
func (r *Result) WriteContext(ctx context.Context, w io.Writer) error {
	return r.Lines(ctx, func(_, neutral []byte) error {
		_, err := w.Write(append(neutral, '\n'))
		return err
	})
}

// Lines visits the records, each as it is in the sample and in the neutral form
// of the schema (package neutral), which the visitor may append to. The records
// of a function are in no sample: there it is nil.
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

// origin is where the records are from.
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

// split takes ./internal/model.Order apart.
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
