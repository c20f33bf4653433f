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

// drawn are the packages of the drawing in ARCHITECTURE.md, which a reader has to know first. A
// name with "/..." includes all packages below it.
var drawn = []string{
	"internal/cli", "internal/progress", "internal/page", "internal/report", "internal/measure", "internal/verify", "internal/drive",
	"internal/userdata", "internal/export", "internal/answer", "internal/infer/...", "internal/codegen", "internal/build", "internal/plan",
	"internal/analysis", "published/claims", "published/reproduce", "contenders/...", "bench", "workload", "contender", "schema", "result",
}

// drawing matches the block with the drawing in ARCHITECTURE.md.
var drawing = regexp.MustCompile("(?s)(<!-- imports -->\n```mermaid\n)(.*?)(```\n<!-- /imports -->)")

// TestDrawing checks that the drawing of imports in ARCHITECTURE.md agrees with the code. With
// -update it writes the drawing.
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

// node returns the element of drawn that a package belongs to, or the empty string.
func node(name string) string {
	for _, d := range drawn {
		if base, below := strings.CutSuffix(d, "/..."); name == base || below && strings.HasPrefix(name, base+"/") {
			return d
		}
	}
	return ""
}

// reaches returns the imports between drawn packages, without those of tests.
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

// draw returns the drawing: an arrow for each import, except imports that other arrows imply. A
// cycle of imports is an error. Between rows of the table there is none.
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

// leads reports whether imports lead from one drawn package to another. through are the packages
// already visited.
func leads(edges map[string][]string, from, to string, through []string) bool {
	for _, next := range edges[from] {
		if next == to || !slices.Contains(through, next) && leads(edges, next, to, append(through, next)) {
			return true
		}
	}
	return false
}

// TestDraw checks that draw leaves out implied imports and rejects cycles.
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
