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

// declared returns the names of the types that a style declares for a schema, in order.
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

func mapOf(key schema.Kind) schema.Type {
	return schema.Type{Kind: schema.Map, Key: key, Elem: &schema.Type{Kind: schema.String}}
}

// Lists whose elements have the same name but not the same type get two list types. Lists of
// the same element type share one.
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

// twins returns two messages whose names, joined with those of their fields, are equal.
func twins(field schema.Field) *schema.Schema {
	with := func(message, name string, of schema.Field) *schema.Message {
		of.Name, of.Number = name, 1
		return &schema.Message{Name: message, Fields: []*schema.Field{&of}}
	}
	return &schema.Schema{Name: "s", Roots: []string{"User"}, Messages: []*schema.Message{
		with("User", "profile_tags", field),
		with("UserProfile", "tags", field),
	}}
}

func TestEntryNames(t *testing.T) {
	s := twins(schema.Field{Type: mapOf(schema.Int32)})
	want := []string{"User", "UserProfileTagsEntry", "UserProfile", "UserProfileTagsEntry_"}
	if diff := cmp.Diff(want, declared(t, &Style{Entries: s}, s)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	s.Messages[0].Fields[0].Type = listOf(schema.Type{Kind: schema.String})
	if got := EntryName(s, s.Messages[1], s.Messages[1].Fields[0]); got != "UserProfileTagsEntry" {
		t.Errorf("beside a list the entries are %s", got)
	}
	s.Messages = append(s.Messages, &schema.Message{Name: "UserProfileTagsEntry"})
	if got := EntryName(s, s.Messages[1], s.Messages[1].Fields[0]); got != "UserProfileTagsEntry_" {
		t.Errorf("beside a message of that name the entries are %s", got)
	}
}

func TestOrNoneNames(t *testing.T) {
	s := twins(schema.Field{Type: listOf(schema.Type{Kind: schema.String}), OmitZero: true})
	want := []string{"User", "UserProfileTagsOrNone", "UserProfile", "UserProfileTagsOrNone_"}
	if diff := cmp.Diff(want, declared(t, &Style{OmitZero: ByMethod}, s)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
