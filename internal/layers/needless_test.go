package layers

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNeedless checks that all entries of the tables are in use. A row without a package, or an
// exception without an import, would permit a later violation.
func TestNeedless(t *testing.T) {
	tree, err := read(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	modules, err := requirements("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range needless(tree, modules, slices.Concat(rows...), reads, only) {
		t.Error(n)
	}
}

// needless returns the rows without a package, the exceptions without an import, and the modules
// that a permitted package does not import.
func needless(tree map[string]pkg, modules, rows []string, reads map[[2]string]string, only map[string][]string) []string {
	var found []string
	for _, row := range rows {
		if !slices.ContainsFunc(names(tree), func(name string) bool { return matches(row, name) }) {
			found = append(found, fmt.Sprintf("there is no package %s: strike out its row", row))
		}
	}
	links := func(name, of string) bool {
		return slices.ContainsFunc(tree[name].imports, func(imp string) bool { return provider(imp, modules) == of })
	}
	for _, pair := range slices.Concat(slices.Collect(maps.Keys(reads)), owners(only)) {
		if !links(pair[0], pair[1]) {
			found = append(found, fmt.Sprintf("%s does not link %s: strike out the exception", pair[0], pair[1]))
		}
	}
	slices.Sort(found)
	return found
}

// owners returns pairs of a package and a module that it may import and most others may not.
func owners(only map[string][]string) [][2]string {
	var pairs [][2]string
	for m, names := range only {
		for _, name := range names {
			pairs = append(pairs, [2]string{name, m})
		}
	}
	return pairs
}

// TestNeedlessIsSeen checks that needless finds each kind of unused entry.
func TestNeedlessIsSeen(t *testing.T) {
	tree := map[string]pkg{
		"a": {imports: []string{"example.com/x/in"}},
		"b": {tests: []string{"example.com/y"}}, "c/d": {},
	}
	got := needless(tree, []string{"example.com/x", "example.com/y"}, []string{"a", "b", "c/*", "d/*", "e"},
		map[[2]string]string{{"a", "example.com/x"}: "why", {"b", "example.com/y"}: "why"},
		map[string][]string{"example.com/x": {"a", "b"}})
	want := []string{
		"b does not link example.com/x: strike out the exception",
		"b does not link example.com/y: strike out the exception",
		"there is no package d/*: strike out its row",
		"there is no package e: strike out its row",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
