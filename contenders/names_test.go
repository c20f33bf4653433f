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
			for _, name := range declared(t, out.Files) {
				if !ast.IsExported(name) {
					continue
				}
				ofType := slices.ContainsFunc(s.Messages, func(m *schema.Message) bool { return strings.Contains(name, m.Name) })
				if !ofType && !slices.Contains(schema.GeneratedNames(), name) {
					t.Errorf("%s declares %s, which a type may have too: add it to the names in package schema", c.Name, name)
				}
			}
		}
	}
}

// The names of what a package has for a root are those of no other root, though one root is called
// as another one with a digit behind it.
func TestNamesOfRoots(t *testing.T) {
	s := &schema.Schema{Name: "orders"}
	for _, name := range []string{"Order", "Order1", "Order2"} {
		text := schema.Type{Kind: schema.String}
		s.Messages = append(s.Messages, &schema.Message{Name: name, Fields: []*schema.Field{
			{Name: "name", Number: 1, Type: text}, {Name: "of", Number: 2, Type: schema.Type{Kind: schema.Map, Key: schema.String, Elem: &text}},
		}})
		s.Roots = append(s.Roots, name)
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range contenders.All() {
		out, err := c.Emit(contender.Request{Schema: s, Package: "assay/contenders/" + c.Dir() + "/gen/orders", Model: "assay/workload/orders", Contender: c.Name})
		var no *contender.Unsupported
		if errors.As(err, &no) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, name := range declared(t, out.Files) {
			if seen[name] {
				t.Errorf("%s declares %s twice", c.Name, name)
			}
			seen[name] = true
		}
	}
}

// declared returns the names that Go files declare for their package, without those of methods.
func declared(t *testing.T, files []contender.File) (names []string) {
	t.Helper()
	add := func(idents ...*ast.Ident) {
		for _, id := range idents {
			if id.Name != "_" && id.Name != "init" {
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
