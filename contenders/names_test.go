package contenders_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/contender"
	"assay/contenders"
	"assay/schema"
	"assay/workload/chain"
	"assay/workload/customer"
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

// No field has the name of a method that a generated struct has, because schema.Reserved knows the
// name, or because the emitter refuses the field. The committed packages have what the libraries'
// generators write. The emitted ones have what emitters write for rows, unions and absent values.
func TestMethodsAreReserved(t *testing.T) {
	shapes := &schema.Schema{Name: "shapes", Roots: []string{"Root"}, Messages: []*schema.Message{
		{Name: "Root", Fields: []*schema.Field{
			{Name: "pair", Number: 1, Type: schema.Type{Kind: schema.MessageKind, Ref: "Pair"}},
			{Name: "event", Number: 2, Type: schema.Type{Kind: schema.MessageKind, Ref: "Event"}},
			{Name: "data", Number: 3, Type: schema.Type{Kind: schema.Bytes, Optional: true}},
		}},
		{Name: "Pair", Row: true, Fields: []*schema.Field{{Name: "a", Number: 1, Type: schema.Type{Kind: schema.Int64}}}},
		{Name: "Event", Union: true, Tag: "kind", Fields: []*schema.Field{
			{Name: "on", Number: 1, OmitEmpty: true, When: []string{"on"}, Type: schema.Type{Kind: schema.MessageKind, Ref: "State", Optional: true}},
			{Name: "off", Number: 2, OmitEmpty: true, When: []string{"off"}, Type: schema.Type{Kind: schema.MessageKind, Ref: "State", Optional: true}},
		}},
		{Name: "State", Fields: []*schema.Field{{Name: "kind", Number: 1, Type: schema.Type{Kind: schema.String}}}},
	}}
	if err := shapes.Validate(); err != nil {
		t.Fatal(err)
	}
	refused := func(c *contender.Contender, name string) bool { // by the emitter
		return strings.HasPrefix(c.Format, "thrift") && (name == "Read" || name == "Write")
	}
	found := map[string]bool{}
	for _, c := range contenders.All() {
		check := func(s *schema.Schema, files []contender.File) {
			for _, name := range structMethods(t, s, files) {
				found[name] = true
				if !schema.Reserved(name) && !refused(c, name) {
					t.Errorf("%s: a struct has the method %s, and a field may have this name too: add it to the methods in package schema", c.Name, name)
				}
			}
		}
		out, err := c.Emit(contender.Request{Schema: shapes, Package: "assay/contenders/" + c.Dir() + "/gen/shapes", Model: "assay/workload/shapes", Contender: c.Name})
		if no := (*contender.Unsupported)(nil); err != nil && !errors.As(err, &no) {
			t.Fatal(err)
		}
		check(shapes, out.Files)
		check(customer.Workload.Schema, committed(t, c))
	}
	for _, name := range []string{"Reset", "UnmarshalAlias", "UnmarshalMsgReuse", "MarshalMsgArray", "UnmarshalVTUnsafePool", "MarshalJSONTo"} {
		if !found[name] {
			t.Errorf("no struct has the method %s, so that this tests less than it says", name)
		}
	}
}

// committed returns the Go files of a contender's package for the workload customer.
func committed(t *testing.T, c *contender.Contender) (files []contender.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(c.Dir(), "gen", "customer", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, contender.File{Name: name, Data: data})
	}
	return files
}

// structMethods returns the exported methods of structs whose fields are those of messages, without
// those that are named after a field, such as getters.
func structMethods(t *testing.T, s *schema.Schema, files []contender.File) (names []string) {
	t.Helper()
	fields := map[string][]string{} // by message
	for _, m := range s.Messages {
		for _, f := range m.Fields {
			fields[m.Name] = append(fields[m.Name], schema.GoName(f.Name))
		}
	}
	held := map[string]bool{}
	var methods []*ast.FuncDecl
	for _, file := range parsed(t, files) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil && n.Name.IsExported() {
					methods = append(methods, n)
				}
				return false
			case *ast.TypeSpec:
				of, _ := n.Type.(*ast.StructType)
				held[n.Name.Name] = of != nil && slices.ContainsFunc(of.Fields.List, func(f *ast.Field) bool {
					return slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return slices.Contains(fields[n.Name.Name], id.Name) })
				})
			}
			return true
		})
	}
	for _, m := range methods {
		of := m.Recv.List[0].Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		id, ok := of.(*ast.Ident)
		if ok && held[id.Name] && !slices.ContainsFunc(fields[id.Name], func(f string) bool { return strings.HasSuffix(m.Name.Name, f) }) {
			names = append(names, m.Name.Name)
		}
	}
	return names
}

// parsed returns the syntax trees of the Go files.
func parsed(t *testing.T, files []contender.File) (trees []*ast.File) {
	t.Helper()
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, 0)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	return trees
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
	for _, file := range parsed(t, files) {
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
