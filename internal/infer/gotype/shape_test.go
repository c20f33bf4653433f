package gotype

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"

	"assay/schema/text"
)

// numbers imports encoding/json with its type Number only.
type numbers struct{}

func (numbers) Import(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, "json")
	name := types.NewTypeName(token.NoPos, pkg, "Number", nil)
	types.NewNamed(name, types.Typ[types.String], nil)
	pkg.Scope().Insert(name)
	pkg.MarkComplete()
	return pkg, nil
}

// shaped returns the messages and the notes for the type T in source.
func shaped(t *testing.T, source string) string {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", "package p\n"+source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: numbers{}}).Check("example.com/p", set, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(&target{pkg: &packages.Package{}, named: pkg.Scope().Lookup("T").Type().(*types.Named)})
	if err := b.root(""); err != nil {
		return err.Error()
	}
	if err := b.schema.Validate(); err != nil {
		t.Error(err)
	}
	var out []string
	for _, m := range b.schema.Messages {
		var fields []string
		for _, f := range m.Fields {
			fields = append(fields, f.Name+" "+text.FormatType(f.Type))
		}
		out = append(out, m.Name+": "+strings.Join(fields, ", "))
	}
	return strings.Join(append(out, b.notes.list()...), "\n")
}

func TestShape(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"a pointer to itself", `type P *P; type T struct { A int; P P }`,
			"T: a int64\nleft out are fields that no format could hold: p.T.P (a p.P, which points to pointers without end)"},
		{"pointers to each other", `type P *Q; type Q **P; type T struct { A int; P []P }`,
			"T: a int64\nleft out are fields that no format could hold: p.T.P (a p.P, which points to pointers without end)"},
		{"a pointer to pointers to a number", `type P *int; type T struct { A *P; L []*P }`,
			"T: a *int64, l []int64\npointers to pointers, of which one is kept: p.T.A and p.T.L\nlists and maps of pointers, whose elements must not be nil: p.T.L"},
		{"a struct of a channel", `type Lock struct { C chan int }; type T struct { A int; L Lock; M []*Lock; N [][]Lock }`,
			"T: a int64\nleft out are fields that no format could hold: p.Lock.C (a channel), p.T.L (a p.Lock has no field that a format could hold), p.T.M (a p.Lock has no field that a format could hold) and p.T.N (a p.Lock has no field that a format could hold)"},
		{"structs of a channel in each other", `type In struct { C chan int }; type Out struct { In In }; type T struct { A int; O Out }`,
			"T: a int64\nleft out are fields that no format could hold: p.In.C (a channel), p.Out.In (a p.In has no field that a format could hold) and p.T.O (a p.Out has no field that a format could hold)"},
		{"a struct of a channel and itself", `type Lock struct { C chan int; Next *Lock }; type T struct { L Lock }`,
			"T: l Lock\nLock: next *Lock\nleft out are fields that no format could hold: p.Lock.C (a channel)"},
		{"numbers as texts", `import "encoding/json"; type T struct { A json.Number; L []json.Number }`,
			"T: a string, l []string\nnumbers of the type json.Number, which are texts here, in quotes in JSON: p.T.A and p.T.L"},
		{"values in quotes", "type Text int; func (Text) MarshalText() ([]byte, error) { return nil, nil }; type T struct { A int `json:\",string\"`; B *bool `json:\"b,omitempty,string\"`; S []int `json:\",string\"`; X Text `json:\",string\"` }",
			"T: a int64, b *bool, s []int64, x string\nvalues that the tag option string puts in quotes in JSON, which have none here: p.T.A and p.T.B"},
		{"aliases of one type", `type Money struct { A int }; type Price = Money; type Cost = *Price; type T struct { Total Money; Tax Price; L []Price; M map[string]*Price; C Cost }`,
			"T: total Money, tax Money, l []Money, m map[string]*Money, c *Money\nMoney: a int64"},
		{"aliases of an enum", `type Level int; const ( Low Level = iota; High ); type Rank = Level; type T struct { A Rank; B Level }`, "T: a Level, b Level"},
		{"bytes that are JSON", "type JSON []byte; func (JSON) MarshalJSON() ([]byte, error) { return nil, nil }; type Key []byte; func (Key) MarshalJSON() ([]byte, error) { return nil, nil }; func (Key) MarshalText() ([]byte, error) { return nil, nil }; type Bytes []byte; type T struct { A JSON; P *JSON; L []JSON; E JSON `json:\",omitempty\"`; Z JSON `json:\",omitzero\"`; K Key; B Bytes }",
			"T: a string, p *string, l []string, e *string, z *string, k string, b bytes\ntypes whose fields cannot be seen, which are the text of their JSON: p.T.A (p.JSON), p.T.P (p.JSON), p.T.L (p.JSON), p.T.E (p.JSON) and p.T.Z (p.JSON)"},
		{"a list of itself", `type L []L; type T struct { L L }`, "T: l []L\nL: items []L"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, shaped(t, tt.source)); d != "" {
				t.Errorf("messages (-want +got):\n%s", d)
			}
		})
	}
}
