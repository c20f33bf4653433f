//lint:file-ignore U1000,SA5008 odd and unused fields are what is asked about

package gotype

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestVisible compares visible with what encoding/json writes for these types.
type (
	Inner struct {
		A int
		B int `json:"b"`
		C int `json:"same"`
		d int
	}
	Other struct {
		A int
		E int `json:"e,omitempty"`
		G int `json:"g"`
	}
	lower struct {
		F int
		g int
	}
	Number    int
	Recursive struct {
		H int
		*Recursive
	}
	flat   struct{ X, Y, z int }
	embeds struct {
		Inner
		Q int
	}
	shadow struct {
		Inner
		A string
	}
	deep struct {
		embeds
		A int `json:"b"`
	}
	named struct {
		Inner `json:"inner"`
		Number
		lower
	}
	pointer struct {
		*Inner
		*Other `json:"other"`
	}
	dashes struct {
		A int `json:"-"`
		B int `json:"-,"`
		C int `json:"a'b"`
		D int `json:"ok $%-/"`
		_ int
	}
	again struct {
		Recursive
		H string
	}
	promoted struct {
		Inner
		Z int `json:"A"`
	}
	Deepest struct{ I int }
	Base    struct {
		ID int
		Deepest
	}
	Left  struct{ Base }
	Right struct{ *Base }
	ways  struct {
		Left
		Right
		Name string
	}
	tie struct {
		Left
		Right
		Third struct{ ID int }
	}
	Alike struct {
		Deepest
		J int
	}
	Like  Alike
	likes struct {
		Alike
		Like
		K int
	}
	nearer struct {
		Left
		Right
		ID int
	}
	Wins struct {
		Tagged int `json:"ID"`
	}
	Holds  struct{ Wins }
	beaten struct {
		Left
		Right
		Holds
	}
)

// repeated has types with repeated tags, which go vet would not accept above.
const repeated = `package p
type Inner struct { A int; C int "json:\"same\"" }
type Other struct { A int; E int; C int "json:\"same\"" }
type clash struct { Inner; Other }
type tags struct { A int "json:\"n\""; N int "json:\"n,omitempty\""; M int }
type three struct { A int "json:\"X\""; B int "json:\"X\""; X int; Y int }
type over struct { A int "json:\"X\""; X int; Y int }`

// checked returns the package of a Go file with its types.
func checked(t *testing.T, source string) *types.Package {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("p", set, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func TestVisibleTwice(t *testing.T) {
	pkg := checked(t, repeated)
	tests := map[string][]string{"clash": {"E"}, "tags": {"M"}, "three": {"Y"}, "over": {"X A", "Y"}}
	for name, want := range tests {
		var got []string
		fields, _ := visible(pkg.Scope().Lookup(name).Type(), func(types.Type) bool { return false })
		for _, f := range fields {
			if f.name != f.v.Name() {
				f.name += " " + f.v.Name()
			}
			got = append(got, f.name)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// TestVisibleLeft: what encoding/json does not see, or writes and cannot read, is left out with the
// reason.
func TestVisibleLeft(t *testing.T) {
	const source = `package p
type lower struct { F int }
type number int
type left struct {
	*lower
	number
	small int
	Gone int "json:\"-\""
	Kept int
}`
	var v struct{ *lower }
	if err := json.Unmarshal([]byte(`{"F":1}`), &v); err == nil {
		t.Error("encoding/json reads an embedded pointer to an unexported struct")
	}
	fields, left := visible(checked(t, source).Scope().Lookup("left").Type(), func(types.Type) bool { return false })
	if len(fields) != 1 || fields[0].name != "Kept" {
		t.Errorf("visible: %v, want Kept", fields)
	}
	why := map[string]string{}
	for _, o := range left {
		why[o.name] = o.why
	}
	want := map[string]string{"lower": unsettable, "number": unexported, "small": unexported, "Gone": dashed}
	if d := cmp.Diff(want, why); d != "" {
		t.Errorf("left out (-want +got):\n%s", d)
	}
}

func TestVisible(t *testing.T) {
	values := map[string]any{
		"flat": flat{}, "embeds": embeds{}, "shadow": shadow{}, "deep": deep{},
		"named": named{}, "pointer": pointer{&Inner{}, &Other{}}, "dashes": dashes{}, "again": again{},
		"promoted": promoted{}, "Recursive": Recursive{Recursive: &Recursive{}},
		"ways": ways{Right: Right{&Base{}}}, "likes": likes{}, "tie": tie{Right: Right{&Base{}}},
		"nearer": nearer{Right: Right{&Base{}}}, "beaten": beaten{Right: Right{&Base{}}},
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "fields_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return !ok || g.Tok != token.TYPE
	})
	file.Imports = nil
	pkg, err := new(types.Config).Check("p", set, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range values {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(data, &object); err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for key := range object {
			want = append(want, key)
		}
		fields, _ := visible(pkg.Scope().Lookup(name).Type(), func(types.Type) bool { return false })
		for _, f := range fields {
			got = append(got, f.name)
		}
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-encoding/json +visible):\n%s", name, d)
		}
	}
}
