package layers

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "draw the imports in ARCHITECTURE.md again")

// drawn are the packages of the drawing in ARCHITECTURE.md: what a reader has to know first.
// Those with "/..." are drawn with all that is below them.
var drawn = []string{
	"internal/cli", "internal/progress", "internal/page", "internal/report", "internal/measure", "internal/verify", "internal/drive",
	"internal/userdata", "internal/export", "internal/answer", "internal/infer/...", "internal/codegen", "internal/build", "internal/plan",
	"internal/analysis", "published/claims", "published/reproduce", "contenders/...", "bench", "workload", "contender", "schema", "result",
}

// drawing is the block of ARCHITECTURE.md.
var drawing = regexp.MustCompile("(?s)(<!-- imports -->\n```mermaid\n)(.*?)(```\n<!-- /imports -->)")

// The drawing of imports in ARCHITECTURE.md is what the code imports.
func TestDrawing(t *testing.T) {
	tree, err := read(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	want, err := draw(reaches(tree))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("..", "..", "ARCHITECTURE.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	found := drawing.FindSubmatch(text)
	if found == nil {
		t.Fatal("ARCHITECTURE.md has no drawing of imports")
	}
	if *update {
		text = drawing.ReplaceAll(text, []byte("${1}"+want+"${3}"))
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(found[2])); diff != "" {
		t.Errorf("the drawing is another one: go test ./internal/layers -update (-want +got):\n%s", diff)
	}
}

// node returns the drawn package that a package belongs to; empty: none.
func node(name string) string {
	for _, d := range drawn {
		if base, below := strings.CutSuffix(d, "/..."); name == base || below && strings.HasPrefix(name, base+"/") {
			return d
		}
	}
	return ""
}

// reaches returns which drawn packages each of them imports, tests aside.
func reaches(tree map[string]pkg) map[string][]string {
	edges := map[string][]string{}
	for name, p := range tree {
		from := node(name)
		for _, imp := range p.imports {
			to, ok := inside(imp)
			if to = node(to); ok && from != "" && to != "" && to != from && !slices.Contains(edges[from], to) {
				edges[from] = append(edges[from], to)
			}
		}
	}
	return edges
}

// draw returns the drawing: an arrow for each import, but for those to packages that others
// lead to as well. Imports in a circle, which there are none of between rows, are an error.
func draw(edges map[string][]string) (string, error) {
	var b strings.Builder
	b.WriteString("graph TD\n")
	id := strings.NewReplacer("/...", "", "/", "_").Replace
	for _, name := range drawn {
		fmt.Fprintf(&b, "  %s[%q]\n", id(name), name)
	}
	for _, from := range drawn {
		if leads(edges, from, from, nil) {
			return "", fmt.Errorf("%s imports itself through others", from)
		}
		for _, to := range drawn {
			if slices.Contains(edges[from], to) && !slices.ContainsFunc(edges[from], func(over string) bool { return over != to && leads(edges, over, to, nil) }) {
				fmt.Fprintf(&b, "  %s --> %s\n", id(from), id(to))
			}
		}
	}
	return b.String(), nil
}

// leads says whether imports lead from one drawn package to another; through are those that
// were looked at.
func leads(edges map[string][]string, from, to string, through []string) bool {
	for _, next := range edges[from] {
		if next == to || !slices.Contains(through, next) && leads(edges, next, to, append(through, next)) {
			return true
		}
	}
	return false
}

// A drawing leaves out what others lead to, and a circle is an error.
func TestDraw(t *testing.T) {
	got, err := draw(map[string][]string{"internal/cli": {"internal/report", "result"}, "internal/report": {"result"}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got, "internal_cli --> internal_report\n") || !strings.Contains(got, "internal_report --> result\n") || strings.Contains(got, "internal_cli --> result") {
		t.Errorf("drawn:\n%s", got)
	}
	if _, err := draw(map[string][]string{"bench": {"schema"}, "schema": {"bench"}}); err == nil {
		t.Error("a circle is drawn")
	}
	if node("contenders/protobuf/gen/customer") != "contenders/..." || node("contender") != "contender" || node("internal/chaos") != "" {
		t.Error("a package belongs to another one")
	}
}
