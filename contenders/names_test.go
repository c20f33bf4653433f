package contenders_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"assay/contender"
	"assay/contenders"
	"assay/schema"
	"assay/workload/chain"
)

// Every exported name that an emitter declares is made from the name of a type, or is one that no
// type may have.
func TestGeneratedNames(t *testing.T) {
	s := chain.Workload.Schema
	for _, c := range contenders.All() {
		for _, req := range []contender.Request{{}, {Stream: true}, {Alone: true}} {
			req.Schema, req.Package, req.Model, req.Contender = s, "assay/contenders/"+c.Dir()+"/gen/chain", "assay/workload/chain", c.Name
			out, err := c.Emit(req)
			var no *contender.Unsupported
			if errors.As(err, &no) { // no streams, or no code that stands alone
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range exported(t, out.Files) {
				ofType := slices.ContainsFunc(s.Messages, func(m *schema.Message) bool { return strings.Contains(name, m.Name) })
				if !ofType && !slices.Contains(schema.GeneratedNames(), name) {
					t.Errorf("%s declares %s, which a type may have too: add it to the names in package schema", c.Name, name)
				}
			}
		}
	}
}

// exported returns the exported names that Go files declare, without those of methods.
func exported(t *testing.T, files []contender.File) (names []string) {
	t.Helper()
	add := func(idents ...*ast.Ident) {
		for _, id := range idents {
			if id.IsExported() {
				names = append(names, id.Name)
			}
		}
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name)
					case *ast.ValueSpec:
						add(spec.Names...)
					}
				}
			}
		}
	}
	return names
}
