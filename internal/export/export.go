// Package export writes files for users who have chosen a format for their data: the schema in
// every schema language, plain Go types, and for each contender a Go package that encodes and
// decodes, with a test. The packages have the code that was measured, without the code that
// measures. Together they are a module that requires exactly the measured versions and nothing of
// this module.
package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"assay/contender"
	"assay/internal/build"
	"assay/internal/infer"
	"assay/internal/infer/protofile"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/outfile"
	"assay/internal/userfile"
	"assay/schema"
)

// Options says what to write.
type Options struct {
	// Schema is a valid schema. Root is the message of the records; it is one of the schema's
	// roots.
	Schema *schema.Schema
	Root   string
	// Spelling says how the user's JSON writes values of other types of the schema. The Go types
	// read that JSON.
	Spelling infer.Spelling
	// Proto is the user's .proto file that the schema was made from; nil if it was made from
	// something else.
	Proto *protofile.Result
	// Contenders are the contenders that get a package. There may be none.
	Contenders []*contender.Contender
	// Module is the path of the module to write. If it is empty, the path is example.com/
	// followed by the schema's name.
	Module string
	// Records are the user's records in JSON that the Go types read. They are written for the
	// tests. If there are none, the tests say where to put some.
	Records [][]byte
	// Neutral says that the records are in neutral form. The Go types can read almost all such
	// records.
	Neutral bool
	// Messages are the user's records as messages of Proto in binary form. ProtoJSON has those of
	// them that come from files of protobuf's JSON, in that form.
	Messages, ProtoJSON [][]byte
	// About is the further content of the README.
	About About
	// Build says where to write the source with the generators, and which go command runs them.
	Build build.Options
}

// A Module is the result of Make.
type Module struct {
	// Path is the module's path.
	Path string
	// Files have slash-separated names, relative to the module's directory.
	Files []contender.File
	// Packages are the packages of contenders.
	Packages []Package
	// LeftOut lists what could not be written: schemas and contenders' packages.
	LeftOut []LeftOut
}

// A Package is the package of one contender.
type Package struct {
	Contender *contender.Contender
	// Dir is the package's directory in the module.
	Dir string
}

// LeftOut is something that could not be written, with the reason.
type LeftOut struct{ Name, Reason string }

// Make makes the files of a module.
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

// own reports whether a contender's code is generated from the user's .proto file.
func own(c *contender.Contender) bool { return strings.HasPrefix(c.Name, ownproto.Prefix) }

// Tested reports whether the module has a test.
func (m *Module) Tested() bool { return len(m.Packages) > 0 || m.written(modelTestFile) }

func (m *Module) add(name string, data []byte) {
	m.Files = append(m.Files, contender.File{Name: name, Data: data})
}

// packages adds the packages of the contenders. It leaves out contenders that fail, and returns
// an error if all of them fail.
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

// reason returns the text of an error about a contender, without the contender's name.
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
		Keys: o.Spelling.Keys, ProtoPackage: m.protoPackage(o, c),
	})
	if err != nil {
		return nil, err
	}
	var below []contender.File // files in subdirectories, which are packages of their own
	files = slices.DeleteFunc(files, func(f contender.File) bool {
		if strings.Contains(f.Name, "/") {
			below = append(below, f)
		}
		return strings.Contains(f.Name, "/")
	})
	// The schemas of all formats are added elsewhere.
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

// CheckModule returns an error if path cannot be a module path. An empty path is valid and means
// the default.
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

// Check returns an error if the files of a module cannot be written to a directory. This is the
// case if the directory is not empty and force is not set, or if it has a module that assay did
// not write.
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
	return outfile.CheckReplaceDir(dir, modelFile, "go.mod", "go.sum", "README.md", modelFile)
}

// InWorkspace reports whether a directory is below one with a go.work, which does not name the module. The go
// command then refuses ./... unless GOWORK is off.
func InWorkspace(dir string) bool {
	at, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	for above := range userfile.Above(at) {
		if info, err := os.Stat(filepath.Join(above, "go.work")); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// testdata is the directory of the user's records.
const testdata = "testdata/"

// modelFile is the file with the plain Go types.
const modelFile = "model/model.go"

// modelTestFile is the test of these types, if no package has a test.
const modelTestFile = "model/model_test.go"

// Write writes the files to a directory. It replaces files that it wrote there earlier and that
// nobody changed. If another file has one of the names, it writes nothing.
func (m *Module) Write(dir string) error {
	var files []outfile.File
	for _, f := range m.Files {
		files = append(files, outfile.File{Name: f.Name, Data: f.Data, Private: strings.HasPrefix(f.Name, testdata)})
	}
	return outfile.ReplaceDir(dir, modelFile, files)
}
