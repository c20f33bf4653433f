package emit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/schema"
)

// declared returns the names of the types that a style has for a schema, in order.
func declared(t *testing.T, st *Style, s *schema.Schema) (names []string) {
	t.Helper()
	out := NewSource("example.com/p", "test")
	st.Types(out, s, func(*schema.Message, *schema.Field) string { return "" }, [2]string{})
	data, err := out.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "types.go", data, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			names = append(names, g.Specs[0].(*ast.TypeSpec).Name.Name)
		}
	}
	return names
}

func listOf(elem schema.Type) schema.Type { return schema.Type{Kind: schema.List, Elem: &elem} }

// Lists of elements that are called alike are not of one type, and lists of the same elements are.
func TestListNames(t *testing.T) {
	ref := func(name string) schema.Type { return schema.Type{Kind: schema.MessageKind, Ref: name} }
	foo := ref("Foo")
	foo.Optional = true
	root := &schema.Message{Name: "Root"}
	for i, elem := range []schema.Type{{Kind: schema.String}, ref("String"), foo, ref("FooPointer"), {Kind: schema.String}, ref("String_"), {Kind: schema.Bool}} {
		root.Fields = append(root.Fields, &schema.Field{Name: string(rune('a' + i)), Number: i + 1, OneOrMany: true, Type: listOf(elem)})
	}
	s := &schema.Schema{Name: "s", Roots: []string{"Root"}, Messages: []*schema.Message{root, {Name: "String"}, {Name: "String_"}, {Name: "Foo"}, {Name: "FooPointer"}, {Name: "OneOrManyBool"}}}
	want := []string{
		"OneOrManyString", "OneOrManyString_", "OneOrManyFooPointer", "OneOrManyFooPointer_", "OneOrManyString__", "OneOrManyBool_",
		"Root", "String", "String_", "Foo", "FooPointer", "OneOrManyBool",
	}
	st := JSONStyle(s)
	if diff := cmp.Diff(want, declared(t, st, s)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	var fields []string
	for _, f := range root.Fields {
		fields = append(fields, st.Type(root, f, st.TypeOf(f)))
	}
	want = slices.Insert(want[:6], 4, "OneOrManyString")
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("fields, -want +got\n%s", diff)
	}
}
