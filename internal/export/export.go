// Package export writes what somebody takes away who has chosen a format for
// their data: the schema as the formats write it, plain Go types, and for each
// contender a package of Go that encodes and decodes, with a test. The packages
// are those that are measured, without what measures: together they are a module
// that requires the very versions that were measured and nothing of this module.
package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"assay/contender"
	"assay/internal/build"
	"assay/internal/infer"
	"assay/internal/infer/protofile"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/outfile"
	"assay/schema"
)

// Options say what to write.
type Options struct {
	// Schema is valid, and Root is the message of the records, one of its roots.
	Schema *schema.Schema
	Root   string
	// Spelling is how the user's JSON writes what the schema says otherwise. The Go
	// types read that.
	Spelling infer.Spelling
	// Proto is the user's .proto file, which the schema was made of; nil: it was made
	// of something else.
	Proto *protofile.Result
	// Contenders are those that get a package. There may be none.
	Contenders []*contender.Contender
	// Module is the path of the module to write. Empty: example.com/ and the
	// schema's name.
	Module string
	// Records are the user's, JSON that the Go types read. They are written for the
	// tests to read; none: the tests say where to put some.
	Records [][]byte
	// Neutral says that the records are in neutral form, of which the Go types read
	// nearly all.
	Neutral bool
	// Messages are the user's as messages of Proto in binary form, and ProtoJSON the
	// same ones as they are in files of protobuf's JSON, if they are.
	Messages, ProtoJSON [][]byte
	// About is what the README says.
	About About
	// Build says where the source with the generators is written, and with which
	// go command they are run.
	Build build.Options
}

// A Module is what Make made.
type Module struct {
	// Path is the module's path.
	Path string
	// Files are named by their slash-separated path in the directory.
	Files []contender.File
	// Packages are the contenders that have one, by directory.
	Packages []Package
	// LeftOut is what could not be written, a schema or a contender's package.
	LeftOut []LeftOut
}

// A Package is that of one contender.
type Package struct {
	Contender *contender.Contender
	// Dir is its directory in the module.
	Dir string
}

// LeftOut is something that could not be written, and why.
type LeftOut struct{ Name, Reason string }

// Make makes the files.
func Make(ctx context.Context, o Options) (*Module, error) {
	s := *o.Schema
	s.Roots = []string{o.Root}
	o.Schema = documented(&s)
	if o.Module == "" {
		o.Module = "example.com/" + s.Name
	}
	if err := CheckModule(o.Module); err != nil {
		return nil, err
	}
	m := &Module{Path: o.Module}
	if err := m.model(o); err != nil {
		return nil, err
	}
	if len(o.Contenders) > 0 {
		if err := m.packages(ctx, o); err != nil {
			return nil, err
		}
	}
	if err := m.testdata(o); err != nil {
		return nil, err
	}
	if err := m.schemas(o); err != nil {
		return nil, err
	}
	if err := m.protoFiles(o); err != nil {
		return nil, err
	}
	m.add("README.md", m.readme(o))
	return m, m.finish(ctx, o)
}

// own says whether a contender's code is made of the user's .proto file.
func own(c *contender.Contender) bool { return strings.HasPrefix(c.Name, ownproto.Prefix) }

// Tested reports whether the module has a test.
func (m *Module) Tested() bool { return len(m.Packages) > 0 || m.written(modelTestFile) }

func (m *Module) add(name string, data []byte) {
	m.Files = append(m.Files, contender.File{Name: name, Data: data})
}

// packages adds the packages of the contenders.
func (m *Module) packages(ctx context.Context, o Options) error {
	tools, err := build.NewTools(o.Build)
	if err != nil {
		return err
	}
	if err := tools.Prepare(ctx); err != nil {
		return err
	}
	for _, c := range o.Contenders {
		files, err := m.generate(ctx, o, tools, c)
		if err == nil && own(c) {
			err = m.compiles(ctx, o, c, files)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			m.LeftOut = append(m.LeftOut, LeftOut{c.Name, reason(c, err)})
			continue
		}
		m.Packages = append(m.Packages, Package{c, c.Dir()})
		for _, f := range files {
			m.add(c.Dir()+"/"+f.Name, f.Data)
		}
	}
	if len(m.Packages) == 0 {
		return fmt.Errorf("none of the contenders has a package for these data; %s: %s", m.LeftOut[len(m.LeftOut)-1].Name, m.LeftOut[len(m.LeftOut)-1].Reason)
	}
	return nil
}

// reason is an error about one contender, whose name stands beside it.
func reason(c *contender.Contender, err error) string {
	var no *contender.Unsupported
	if errors.As(err, &no) {
		return no.Error()
	}
	return strings.TrimPrefix(err.Error(), c.Name+": ")
}

// generate returns the package of one contender.
func (m *Module) generate(ctx context.Context, o Options, tools *build.Tools, c *contender.Contender) ([]contender.File, error) {
	files, err := tools.Package(ctx, c, contender.Request{
		Schema: o.Schema, Package: o.Module + "/" + c.Dir(), Model: o.Module + "/model", Contender: c.Name, Alone: true,
		Keys: o.Spelling.Keys, ProtoPackage: o.protoPackage(),
	})
	if err != nil {
		return nil, err
	}
	var below []contender.File // of packages of their own
	files = slices.DeleteFunc(files, func(f contender.File) bool {
		if strings.Contains(f.Name, "/") {
			below = append(below, f)
		}
		return strings.Contains(f.Name, "/")
	})
	// Schemas are among those of all formats already.
	files = slices.DeleteFunc(files, func(f contender.File) bool { return path.Ext(f.Name) != ".go" })
	p, err := parse(files)
	if err != nil {
		return nil, err
	}
	if files, err = p.prune(); err != nil {
		return nil, err
	}
	for _, f := range files {
		if bytes.Contains(f.Data, []byte(`"assay/`)) && p.imports(f.Name, "assay/") {
			return nil, fmt.Errorf("its code needs what measures it, in %s", f.Name)
		}
	}
	doc, err := document(o, c)
	if err != nil {
		return nil, err
	}
	test, err := testFile(o, c, p)
	if err != nil {
		return nil, err
	}
	return slices.Concat(files, below, []contender.File{{Name: "doc.go", Data: doc}, {Name: "codec_test.go", Data: test}}), nil
}

// CheckModule returns an error when that cannot be the path of a module. Empty
// is the default.
func CheckModule(path string) error {
	switch {
	case path == "":
		return nil
	case path == "assay" || strings.HasPrefix(path, "assay/"):
		return fmt.Errorf("%q is the module that measures; choose another path", path)
	case module.CheckImportPath(path) != nil:
		return fmt.Errorf("%q cannot be the path of a module; it is one as in example.com/orders", path)
	}
	return nil
}

// Check returns an error when the files of a module cannot be written to a
// directory: when it is there, is not empty, and force is not set, or when it has
// a module that assay did not write.
func Check(dir string, force bool) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return outfile.CheckDir(dir)
	case err != nil:
		return err
	case len(entries) > 0 && !force:
		return fmt.Errorf("%s is not empty, it has %s; name another directory, or write into it with --force", dir, entries[0].Name())
	}
	return outfile.CheckDir(dir, "go.mod", "go.sum", "README.md", modelFile)
}

// testdata is where the records of a user are.
const testdata = "testdata/"

// modelFile is the file of the plain Go types.
const modelFile = "model/model.go"

// modelTestFile is the file of their test, where no package has one.
const modelTestFile = "model/model_test.go"

// Write writes the files to a directory, in place of those that it wrote there before
// and that nobody changed. When another file has one of the names, it writes
// nothing.
func (m *Module) Write(dir string) error {
	var files []outfile.File
	for _, f := range m.Files {
		files = append(files, outfile.File{Name: f.Name, Data: f.Data, Private: strings.HasPrefix(f.Name, testdata)})
	}
	return outfile.ReplaceDir(dir, modelFile, files)
}
