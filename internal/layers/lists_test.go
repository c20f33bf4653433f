package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lists are the types whose constants must each have exactly one row in a table that describes
// them.
var lists = []struct{ dir, kind, table string }{
	{"contender", "Trait", "Traits"},
	{"contender", "Loss", "Losses"},
	{"result", "Status", "Statuses"},
	{"published/claims", "Verdict", "Verdicts"},
	{"internal/analysis", "WarningKind", "WarningText"},
}

func TestListsOnce(t *testing.T) {
	for _, l := range lists {
		t.Run(l.kind, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(l.dir), "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			var parsed []*ast.File
			for _, name := range files {
				if strings.HasSuffix(name, "_test.go") {
					continue
				}
				src, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				f, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
				if err != nil {
					t.Fatal(err)
				}
				parsed = append(parsed, f)
			}
			constants, rows := listed(parsed, l.kind, l.table)
			if len(constants) < 2 {
				t.Fatalf("%s has %d constants of type %s", l.dir, len(constants), l.kind)
			}
			for _, c := range constants {
				if rows[c] != 1 {
					t.Errorf("%s.%s is %d times in %s, want once", l.dir, c, rows[c], l.table)
				}
			}
		})
	}
}

// listed returns the constants of a type, and how often the table names each identifier.
func listed(files []*ast.File, kind, table string) (constants []string, rows map[string]int) {
	rows = map[string]int{}
	for _, f := range files {
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range d.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				if id, ok := v.Type.(*ast.Ident); ok && d.Tok == token.CONST && id.Name == kind {
					for _, name := range v.Names {
						constants = append(constants, name.Name)
					}
				}
				if d.Tok == token.VAR && v.Names[0].Name == table {
					ast.Inspect(v.Values[0], func(n ast.Node) bool {
						if id, ok := n.(*ast.Ident); ok {
							rows[id.Name]++
						}
						return true
					})
				}
			}
		}
	}
	return constants, rows
}

// TestListed checks that listed counts missing and repeated rows.
func TestListed(t *testing.T) {
	const src = `package p
type Kind string
const (
	A Kind = "a"
	B Kind = "b"
	C Kind = "c"
	Other = "d"
)
var Kinds = []struct{ Kind Kind; Text string }{{A, "x"}, {Kind: B, Text: "y"}, {B, "z"}}
`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	constants, rows := listed([]*ast.File{f}, "Kind", "Kinds")
	if diff := cmp.Diff([]string{"A", "B", "C"}, constants); diff != "" {
		t.Error(diff)
	}
	if rows["A"] != 1 || rows["B"] != 2 || rows["C"] != 0 {
		t.Errorf("rows are %v", rows)
	}
}
