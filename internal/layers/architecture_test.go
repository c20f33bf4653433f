package layers

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestArchitecture checks that ARCHITECTURE.md lists every package of the table of layers exactly
// once, and that a package imports only packages below it in that list.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := read(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range outOfOrder(documented(string(text)), slices.Concat(rows...), tree) {
		t.Error(v)
	}
}

// code matches a code span in a line of Markdown.
var code = regexp.MustCompile("`([^`]+)`")

// documented returns the packages of ARCHITECTURE's table, one list for each line.
func documented(text string) [][]string {
	_, section, _ := strings.Cut(text, "\n## Packages\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var lines [][]string
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 || strings.TrimSpace(cells[1]) == "package" || strings.HasPrefix(cells[1], "--") {
			continue
		}
		names := []string{"."}
		if found := code.FindAllStringSubmatch(cells[1], -1); found != nil {
			names = nil
			for _, f := range found {
				names = append(names, f[1])
			}
		}
		lines = append(lines, names)
	}
	return lines
}

// outOfOrder returns the differences between the lines of a document and the table, and the
// imports that point up in the document.
func outOfOrder(lines [][]string, table []string, tree map[string]pkg) []string {
	var found []string
	all := slices.Concat(lines...)
	for _, name := range all {
		if !slices.ContainsFunc(table, func(pattern string) bool { return matches(pattern, name) }) {
			found = append(found, fmt.Sprintf("ARCHITECTURE.md lists %s, which the table of layers lacks", name))
		}
		if n := len(slices.DeleteFunc(slices.Clone(all), func(x string) bool { return x != name })); n > 1 {
			found = append(found, fmt.Sprintf("ARCHITECTURE.md lists %s %d times", name, n))
		}
	}
	for _, pattern := range table { // the document lists a star itself, or its packages one by one
		if !slices.ContainsFunc(all, func(name string) bool { return name == pattern || matches(pattern, name) }) {
			found = append(found, fmt.Sprintf("ARCHITECTURE.md does not list %s", pattern))
		}
	}
	place := func(name string) int {
		if i := slices.IndexFunc(lines, func(l []string) bool { return slices.Contains(l, name) }); i >= 0 {
			return i
		}
		return slices.IndexFunc(lines, func(l []string) bool {
			return slices.ContainsFunc(l, func(pattern string) bool { return matches(pattern, name) })
		})
	}
	for _, name := range names(tree) {
		from := place(name)
		if _, isGen := gen(name); from < 0 && !isGen {
			found = append(found, fmt.Sprintf("ARCHITECTURE.md has no place for %s", name))
		}
		for _, imp := range tree[name].imports {
			if to, ok := inside(imp); ok && from >= 0 && place(to) >= 0 && place(to) < from {
				v := fmt.Sprintf("%s imports %s, which ARCHITECTURE.md lists above it", name, to)
				if !slices.Contains(found, v) { // several files may have the same import
					found = append(found, v)
				}
			}
		}
	}
	return found
}

// matches reports whether a name is the pattern or matches its star.
func matches(pattern, name string) bool {
	ok, _ := path.Match(pattern, name)
	return ok
}

// TestOutOfOrder checks that outOfOrder finds each kind of difference.
func TestOutOfOrder(t *testing.T) {
	lines := documented("# A\n\n## Packages\n\nText of `x`.\n\n| package | holds |\n|---|---|\n| `cmd/a`, `b` | code `c` |\n| `old` | gone |\n| `low` | |\n| `high`, `b` | |\n| the root | |\n\n## More\n\n| `z` | y |\n")
	want := [][]string{{"cmd/a", "b"}, {"old"}, {"low"}, {"high", "b"}, {"."}}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	tree := map[string]pkg{"cmd/a": {imports: []string{"assay/low"}}, "low": {imports: []string{"assay/high", "fmt"}}, "high": {imports: []string{"assay/low"}}, "stray": {}, "contenders/x/gen/y": {}}
	got := outOfOrder(lines, []string{".", "cmd/a", "b", "low", "high", "new"}, tree)
	if diff := cmp.Diff([]string{
		"ARCHITECTURE.md lists b 2 times",
		"ARCHITECTURE.md lists old, which the table of layers lacks",
		"ARCHITECTURE.md lists b 2 times",
		"ARCHITECTURE.md does not list new",
		"high imports low, which ARCHITECTURE.md lists above it",
		"ARCHITECTURE.md has no place for stray",
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
