package emit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"assay/workload"
)

// The plainJSON of packages that users copy treats every escape as package workload does.
func TestPlainJSON(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "plain.go", "package p\n"+plainJSON, 0)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 1 {
			for _, arg := range call.Args {
				text, err := strconv.Unquote(arg.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				pairs = append(pairs, text)
			}
		}
		return true
	})
	plain := strings.NewReplacer(pairs...)
	for r := range 1 << 16 {
		for _, form := range []string{`"\u%04x"`, `"\u%04X"`, `"\\u%04x"`, `"\\\u%04X"`} {
			text := fmt.Sprintf(form, r)
			if got, want := plain.Replace(text), workload.PlainJSON(text); got != want {
				t.Errorf("%s is %s, and of package workload %s", text, got, want)
			}
		}
	}
}
