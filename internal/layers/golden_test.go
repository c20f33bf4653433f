package layers

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestGolden checks that ./... includes those committed packages of generated code that this
// module imports, and no others: with the others, the go command would compile the libraries
// of all contenders.
func TestGolden(t *testing.T) {
	wrong, n, err := goldens(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if n < 100 {
		t.Errorf("found only %d files of generated code", n)
	}
	for _, w := range wrong {
		t.Error(w)
	}
}

// goldens returns what is wrong with the constraints of the committed generated files, and the
// number of these files. Imports by files with the tag generated do not count: these files are
// compiled with code that is generated anew.
func goldens(root fs.FS) (wrong []string, n int, err error) {
	importer := map[string]string{} // a file by the package that it imports
	var files []string
	golden := map[string]bool{} // by file
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if base := d.Name(); err != nil || d.IsDir() {
			if err == nil && name != "." && (base == "testdata" || base[0] == '.') {
				return fs.SkipDir
			}
			return err
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if _, ok := gen(path.Dir(name)); ok {
			files = append(files, name)
			golden[name] = bytes.HasPrefix(data, []byte("//go:build golden\n"))
		}
		if bytes.HasPrefix(data, []byte("//go:build generated\n")) {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if to, ok := inside(imp); ok {
				importer[to] = name
			}
		}
		return nil
	})
	for _, name := range files {
		switch by := importer[path.Dir(name)]; {
		case by != "" && golden[name]:
			wrong = append(wrong, fmt.Sprintf("%s has the constraint golden, and %s imports its package", name, by))
		case by == "" && !golden[name]:
			wrong = append(wrong, name+" lacks the constraint golden, and nothing imports its package: run go generate")
		}
	}
	return wrong, len(files), err
}

// TestGoldensAreSeen checks that goldens finds each kind of violation.
func TestGoldensAreSeen(t *testing.T) {
	root := fstest.MapFS{}
	for name, text := range map[string]string{
		"published/x.go":            "package p\n\nimport (\n_ \"assay/contenders/a/gen/one\"\n_ \"assay/contenders/a/gen/two\"\n)\n",
		"contenders/x_test.go":      "package c\n\nimport _ \"assay/contenders/b/gen/one\"\n",
		"contenders/y_test.go":      "//go:build generated\n\npackage c\n\nimport _ \"assay/contenders/b/gen/two\"\n",
		"contenders/a/gen/one/a.go": "package one\n",
		"contenders/a/gen/two/a.go": "package two\n",
		"contenders/a/gen/two/b.go": "//go:build golden\n\npackage two\n",
		"contenders/b/gen/one/a.go": "//go:build golden\n\npackage one\n",
		"contenders/b/gen/two/a.go": "//go:build golden\n\npackage two\n",
		"contenders/b/gen/two/b.go": "package two\n",
		"contenders/b/gen/two/c.md": "text\n",
	} {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	wrong, n, err := goldens(root)
	if n != 6 || err != nil {
		t.Errorf("%d files, %v", n, err)
	}
	want := []string{
		"contenders/a/gen/two/b.go has the constraint golden, and published/x.go imports its package",
		"contenders/b/gen/one/a.go has the constraint golden, and contenders/x_test.go imports its package",
		"contenders/b/gen/two/b.go lacks the constraint golden, and nothing imports its package: run go generate",
	}
	if diff := cmp.Diff(want, wrong); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
