// Package layers tests that imports point in one direction, that only runners link the generated
// code of contenders, and that the tool links no contender. It reads the import clauses of all
// files and ignores build constraints, so that its results hold on every platform.
package layers

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"
)

// module is this module's path.
const module = "assay"

// rows are the packages from the bottom up, by their path within the module. A star stands for
// any one element, for packages that no row names. A package imports only from lower rows.
var rows = [][]string{
	{
		".", "schema", "result", "internal/cachedir", "internal/hurt", "internal/layers", "internal/nearest", "internal/nesting", "internal/oracle", "internal/rootonly", "internal/outfile", "internal/phrase", "internal/plaintext",
		"internal/process", "internal/refusal", "internal/runlock", "internal/samples", "internal/scratch", "internal/userfile", "published/protocol",
	},
	{"internal/tomldoc", "internal/cachedir/cachetest", "internal/guess"},
	{"schema/text", "schema/neutral"},
	{"schema/protoform"},
	{"contender"},
	{"workload"},
	{"contender/protoc", "contender/emit"},
	{"contender/emit/*"}, // code shared by the contenders of one wire format or library
	{"workload/*", "bench"},
	{"contender/contendertest", "published", "bench/compress"},
	{"contenders/*/*"}, // further packages of one contender, except its generated code
	{"contenders/*"},
	{"contenders", "workload/builtin", "published/sources/*", "published/exhibits/*"},
	{"published/program"},
	{"internal/plan", "internal/analysis", "internal/host", "internal/build", "internal/infer", "internal/infer/gotype/program", "internal/infer/gotype/own/first", "internal/export/reader", "internal/texttab", "internal/external", "internal/scaffold", "published/sources"},
	{"internal/codegen", "internal/console"},
	{"internal/infer/protofile", "internal/infer/gotype/own", "internal/jsonsize", "internal/live/screen"},
	{"internal/infer/gotype", "internal/infer/protofile/own"},
	{"internal/chaos", "internal/drive", "internal/userdata", "internal/answer", "internal/export", "internal/anonymize"},
	{"internal/verify", "internal/intake"},
	{"internal/chart", "published/reproduce", "published/claims", "published/exhibits"},
	{"published/publishedtest"},
	{"internal/report", "internal/measure"},
	{"internal/catalog", "internal/gate", "internal/live", "internal/page"},
	{"internal/progress", "internal/tried"},
	{"internal/flags", "internal/stored"},
	{"internal/cli"},
	{"cmd/assay", "cmd/assay/hostile", "cmd/assay/behaviour", "internal/generate", "internal/generate/tables", "internal/prove", "internal/samples/write", "internal/live/record"},
}

// generated are the packages of this module that a contender's generated package may import,
// besides the package of its own workload.
var generated = []string{"bench", "workload", "result"}

// only maps a module to the only packages that may import it.
var only = map[string][]string{
	"github.com/spf13/cobra": {"internal/cli", "internal/flags"},
	"github.com/spf13/pflag": {"internal/flags"},
	"golang.org/x/term":      {"internal/console"},
}

// apart are forbidden imports that point down, each with the reason.
var apart = map[[2]string]string{
	{"internal/cli", "bench"}:             experiment,
	{"internal/cli", "internal/build"}:    experiment,
	{"internal/cli", "internal/drive"}:    experiment,
	{"internal/cli", "internal/verify"}:   experiment,
	{"internal/flags", "bench"}:           experiment,
	{"internal/flags", "internal/build"}:  experiment,
	{"internal/flags", "internal/drive"}:  experiment,
	{"internal/flags", "internal/verify"}: experiment,
}

const experiment = "what is between options and records is the experiment: ask internal/measure"

// reads are the contenders' libraries that a package of the tool may link, because it reads the
// user's input with them. The measured code is in another program.
var reads = map[[2]string]string{
	{"internal/infer", "github.com/go-json-experiment/json"}:           "its jsontext reads samples of JSON",
	{"internal/jsonsize", "github.com/go-json-experiment/json"}:        "its jsontext compares the sample with what is written",
	{"internal/anonymize", "github.com/go-json-experiment/json"}:       "its jsontext reads samples of JSON",
	{"internal/infer/protofile", "github.com/go-json-experiment/json"}: "its jsontext reads samples of protojson",
	{"internal/infer/protofile", "google.golang.org/protobuf"}:         "descriptors of .proto files, and samples read by them",
	{"internal/infer/protofile/own", "google.golang.org/protobuf"}:     "descriptors of .proto files, made ready for generators",
	{"schema/protoform", "google.golang.org/protobuf"}:                 "messages of .proto files, written in neutral form",
}

// A pkg holds the import paths of one package. Maps of packages are keyed by their paths within
// the module.
type pkg struct {
	imports []string
	tests   []string // imports of its test files
}

func TestLayers(t *testing.T) {
	tree, err := read(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree) < 10 {
		t.Fatalf("found only %d packages", len(tree))
	}
	modules, err := requirements("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range slices.Concat(misplaced(tree), mixed(tree), contenderLinks(tree, modules), exclusive(tree, modules)) {
		t.Error(v)
	}
}

// read returns the packages of a module, without test data and nested modules.
func read(root fs.FS) (map[string]pkg, error) {
	tree := map[string]pkg{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name == "." {
				return nil
			}
			if base := d.Name(); base == "testdata" || base[0] == '.' || base[0] == '_' {
				return fs.SkipDir
			}
			if _, err := fs.Stat(root, path.Join(name, "go.mod")); err == nil {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly)
		if err != nil {
			return err
		}
		p := tree[path.Dir(name)]
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if strings.HasSuffix(name, "_test.go") {
				p.tests = append(p.tests, imp)
			} else {
				p.imports = append(p.imports, imp)
			}
		}
		tree[path.Dir(name)] = p
		return nil
	})
	return tree, err
}

// requirements returns the paths of the modules that a go.mod file requires.
func requirements(gomod string) ([]string, error) {
	data, err := os.ReadFile(filepath.FromSlash(gomod))
	if err != nil {
		return nil, err
	}
	f, err := modfile.Parse(gomod, data, nil)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, r := range f.Require {
		paths = append(paths, r.Mod.Path)
	}
	return paths, nil
}

// inside returns the path within this module of an imported package. ok is false for other
// imports.
func inside(imp string) (name string, ok bool) {
	if imp == module {
		return ".", true
	}
	return strings.CutPrefix(imp, module+"/")
}

// gen returns the workload of a generated package. ok is false for other packages.
func gen(name string) (workload string, ok bool) {
	elems := strings.Split(name, "/")
	if len(elems) < 4 || elems[0] != "contenders" || elems[2] != "gen" {
		return "", false
	}
	return elems[3], true
}

// benchmarks reports whether the package holds published benchmarks. They link contenders'
// libraries and generated code, as runners do.
func benchmarks(name string) bool {
	return strings.HasPrefix(name, "published/sources/") || strings.HasPrefix(name, "published/exhibits/")
}

// row returns the index of a package's row, or -1 if it has none.
func row(name string) int {
	wild := -1
	for i, names := range rows {
		for _, n := range names {
			if n == name {
				return i
			}
			if match, _ := path.Match(n, name); match {
				wild = i
			}
		}
	}
	return wild
}

// misplaced returns the imports that do not point down, and the packages without a row.
func misplaced(tree map[string]pkg) []string {
	var found []string
	report := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	for _, name := range names(tree) {
		p := tree[name]
		workload, isGen := gen(name)
		from := row(name)
		if from < 0 && !isGen {
			report("%s has no row: place it in rows, above all that it imports", name)
			continue
		}
		for _, imp := range p.imports {
			to, ok := inside(imp)
			if !ok {
				continue
			}
			_, toGen := gen(to)
			switch {
			case toGen && !benchmarks(name):
				report("%s imports %s: only runners may link generated code", name, to)
			case toGen:
			case benchmarks(to) && name != "published/program":
				report("%s imports %s: only published/program may link published benchmarks", name, to)
			case isGen:
				if !slices.Contains(generated, to) && to != "workload/"+workload {
					report("%s imports %s: generated code may import only %s and its own workload", name, to, strings.Join(generated, ", "))
				}
			case apart[[2]string{name, to}] != "":
				report("%s imports %s: %s", name, to, apart[[2]string{name, to}])
			case row(to) >= from:
				report("%s imports %s, which is not below it", name, to)
			}
		}
		for _, imp := range p.tests {
			if to, ok := inside(imp); ok {
				if _, toGen := gen(to); toGen && name != "contenders" && !strings.HasPrefix(name, "contenders/") && !benchmarks(name) {
					report("a test of %s imports %s: only tests of contenders may", name, to)
				}
			}
		}
	}
	return found
}

// owner returns the directory below contenders that a package belongs to, or the empty string if
// it belongs to no contender.
func owner(name string) string {
	elems := strings.Split(name, "/")
	if len(elems) < 2 || elems[0] != "contenders" {
		return ""
	}
	return elems[1]
}

// mixed returns the imports of one contender by another, and imports by the tool of anything but
// a contender's description. Without such imports, a contender can be removed, or moved to its
// own module, with its directory.
func mixed(tree map[string]pkg) []string {
	var found []string
	for _, name := range names(tree) {
		from, p := owner(name), tree[name]
		for _, imp := range slices.Concat(p.imports, p.tests) {
			to, _ := inside(imp)
			of := owner(to)
			_, toGen := gen(to)
			_, isGen := gen(name)
			switch {
			case of == "", of == from, isGen && toGen: // misplaced reports the last one
			case from != "":
				found = append(found, fmt.Sprintf("%s imports %s: what contenders share is below contender/emit", name, to))
			case !toGen && to != "contenders/"+of:
				found = append(found, fmt.Sprintf("%s imports %s: only the description of a contender is for others", name, to))
			}
		}
	}
	return found
}

// contenderLinks returns the chains of imports by which the command reaches libraries that
// generated code links.
func contenderLinks(tree map[string]pkg, modules []string) []string {
	libraries := map[string]bool{}
	for name, p := range tree {
		if _, ok := gen(name); !ok {
			continue
		}
		for _, imp := range p.imports {
			if m := provider(imp, modules); m != "" {
				libraries[m] = true
			}
		}
	}
	var found []string
	seen := map[string]bool{}
	var visit func(name, how string)
	visit = func(name, how string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, imp := range tree[name].imports {
			if to, ok := inside(imp); ok {
				visit(to, how+" → "+to)
			} else if m := provider(imp, modules); libraries[m] && reads[[2]string{name, m}] == "" {
				found = append(found, fmt.Sprintf("the tool links %s, a contender's library: %s → %s", m, how, imp))
			}
		}
	}
	visit("cmd/assay", "cmd/assay")
	return found
}

// exclusive returns the imports of modules that only another package may import.
func exclusive(tree map[string]pkg, modules []string) []string {
	var found []string
	for _, name := range names(tree) {
		for _, imp := range tree[name].imports {
			if owners := only[provider(imp, modules)]; len(owners) > 0 && !slices.Contains(owners, name) {
				found = append(found, fmt.Sprintf("%s imports %s: only %s may", name, imp, strings.Join(owners, " and ")))
			}
		}
	}
	return found
}

// provider returns the module that contains the package, or the empty string for the standard
// library and this module.
func provider(imp string, modules []string) string {
	best := ""
	for _, m := range modules {
		if strings.HasPrefix(imp+"/", m+"/") && len(m) > len(best) {
			best = m
		}
	}
	return best
}

func names(tree map[string]pkg) []string {
	var list []string
	for name := range tree {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// TestRules checks that every rule finds its violation.
func TestRules(t *testing.T) {
	modules := []string{"github.com/spf13/cobra", "google.golang.org/protobuf", "example.com/codec", "example.com/codec/v2"}
	tests := []struct {
		name string
		tree map[string]pkg
		want []string
	}{{
		name: "all is well",
		tree: map[string]pkg{
			"schema":                    {imports: []string{"fmt"}},
			"workload/tick":             {imports: []string{"assay/workload", "assay/schema"}},
			"workload/builtin":          {imports: []string{"assay/workload/tick"}},
			"contenders/codec":          {imports: []string{"assay/contender"}, tests: []string{"assay/contenders/codec/gen/tick"}},
			"contenders":                {imports: []string{"assay/contenders/codec"}},
			"contenders/codec/gen/tick": {imports: []string{"assay/bench", "assay/workload/tick", "example.com/codec/v2/fast", "google.golang.org/protobuf/proto"}},
			"internal/cli":              {imports: []string{"assay/contenders", "github.com/spf13/cobra"}},
			"cmd/assay":                 {imports: []string{"assay/internal/cli", "example.com/codec"}},
		},
	}, {
		name: "upward",
		tree: map[string]pkg{"result": {imports: []string{"assay/bench"}}},
		want: []string{"result imports bench, which is not below it"},
	}, {
		name: "sideways",
		tree: map[string]pkg{"workload/tick": {imports: []string{"assay/workload/chain"}}},
		want: []string{"workload/tick imports workload/chain, which is not below it"},
	}, {
		name: "to the root from the bottom row",
		tree: map[string]pkg{"schema": {imports: []string{"assay"}}},
		want: []string{"schema imports ., which is not below it"},
	}, {
		name: "a package without a place",
		tree: map[string]pkg{"internal/helpers": {}},
		want: []string{"internal/helpers has no row: place it in rows, above all that it imports"},
	}, {
		name: "published benchmarks",
		tree: map[string]pkg{
			"published/sources/chain": {imports: []string{"assay/published", "assay/contenders/codec/gen/tick", "assay/workload/chain", "example.com/codec"}},
			"published/exhibits/lazy": {imports: []string{"assay/published"}, tests: []string{"assay/contenders/codec/gen/tick"}},
			"published/program":       {imports: []string{"assay/published", "assay/published/sources/chain", "assay/published/exhibits/lazy"}},
		},
	}, {
		name: "published benchmarks linked by others",
		tree: map[string]pkg{
			"internal/cli":            {imports: []string{"assay/published/program", "assay/published/sources/chain"}},
			"published/exhibits/lazy": {imports: []string{"assay/published/sources/chain"}},
		},
		want: []string{
			"internal/cli imports published/sources/chain: only published/program may link published benchmarks",
			"published/exhibits/lazy imports published/sources/chain: only published/program may link published benchmarks",
		},
	}, {
		name: "generated code linked by a package",
		tree: map[string]pkg{"internal/cli": {imports: []string{"assay/contenders/codec/gen/tick"}}},
		want: []string{"internal/cli imports contenders/codec/gen/tick: only runners may link generated code"},
	}, {
		name: "contenders that reach into one another",
		tree: map[string]pkg{
			"contenders/codec/gen/tick": {imports: []string{"assay/bench"}},
			"contenders/codec/layout":   {imports: []string{"assay/contender/emit/codec"}},
			"contenders/codec":          {imports: []string{"assay/contenders/codec/layout"}, tests: []string{"assay/contenders/other/gen/tick"}},
			"contenders/other":          {imports: []string{"assay/contenders/codec/layout", "assay/contender/emit/codec"}},
			"contenders":                {imports: []string{"assay/contenders/codec", "assay/contenders/other"}, tests: []string{"assay/contenders/codec/gen/tick"}},
			"internal/export":           {imports: []string{"assay/contenders", "assay/contenders/codec", "assay/contenders/codec/layout", "assay/contender/emit/codec"}},
		},
		want: []string{
			"contenders/codec imports contenders/other/gen/tick: what contenders share is below contender/emit",
			"contenders/other imports contenders/codec/layout: what contenders share is below contender/emit",
			"internal/export imports contenders/codec/layout: only the description of a contender is for others",
		},
	}, {
		name: "generated code linked by generated code",
		tree: map[string]pkg{"contenders/other/gen/tick": {imports: []string{"assay/contenders/codec/gen/tick"}}},
		want: []string{"contenders/other/gen/tick imports contenders/codec/gen/tick: only runners may link generated code"},
	}, {
		name: "generated code linked by the test of another package",
		tree: map[string]pkg{"internal/verify": {tests: []string{"assay/contenders/codec/gen/tick"}}},
		want: []string{"a test of internal/verify imports contenders/codec/gen/tick: only tests of contenders may"},
	}, {
		name: "generated code with more of the module",
		tree: map[string]pkg{"contenders/codec/gen/tick": {imports: []string{"assay/workload/chain", "assay/schema"}}},
		want: []string{
			"contenders/codec/gen/tick imports workload/chain: generated code may import only bench, workload, result and its own workload",
			"contenders/codec/gen/tick imports schema: generated code may import only bench, workload, result and its own workload",
		},
	}, {
		name: "the tool links a contender's library",
		tree: map[string]pkg{
			"contenders/codec/gen/tick": {imports: []string{"example.com/codec/v2/fast"}},
			"cmd/assay":                 {imports: []string{"assay/internal/cli"}},
			"internal/cli":              {imports: []string{"assay/contender"}},
			"contender":                 {imports: []string{"example.com/codec/v2"}},
		},
		want: []string{"the tool links example.com/codec/v2, a contender's library: cmd/assay → internal/cli → contender → example.com/codec/v2"},
	}, {
		name: "the experiment in the command line",
		tree: map[string]pkg{"internal/cli": {imports: []string{"assay/internal/measure", "assay/internal/drive"}}},
		want: []string{"internal/cli imports internal/drive: what is between options and records is the experiment: ask internal/measure"},
	}, {
		name: "cobra outside of cli",
		tree: map[string]pkg{"internal/report": {imports: []string{"github.com/spf13/cobra/doc"}}},
		want: []string{"internal/report imports github.com/spf13/cobra/doc: only internal/cli and internal/flags may"},
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := slices.Concat(misplaced(test.tree), mixed(test.tree), contenderLinks(test.tree, modules), exclusive(test.tree, modules))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}
