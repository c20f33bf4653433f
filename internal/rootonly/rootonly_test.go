package rootonly

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A noted is a test that notes how it ends.
type noted struct {
	testing.TB
	ended string
}

func (n *noted) Helper() {}

func (n *noted) Skip(args ...any) { n.end("skipped: ", args) }

func (n *noted) Fatal(args ...any) { n.end("failed: ", args) }

func (n *noted) end(how string, args []any) {
	n.ended = how + fmt.Sprint(args...)
	runtime.Goexit()
}

func TestSkip(t *testing.T) {
	for value, want := range map[string]string{
		"":  "skipped: a small disk needs a right",
		"0": "skipped: a small disk needs a right",
		"1": "failed: a small disk needs a right; ASSAY_ROOT_REQUIRED=1 requires it",
	} {
		t.Setenv(Required, value)
		n := &noted{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			Skip(n, "a small disk needs a right")
		}()
		if <-done; n.ended != want {
			t.Errorf("%s=%s: %q, want %q", Required, value, n.ended, want)
		}
	}
}

// The workflow runs every test that may be skipped for lack of a right, as root.
func TestWorkflow(t *testing.T) {
	const root = "../.."
	workflow, err := os.ReadFile(filepath.Join(root, ".github", "workflows", "ci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(`-run '\^\(([A-Za-z|]+)\)\$' \\\s+([^\n]+)`).FindSubmatch(workflow)
	if pattern == nil {
		t.Fatal("the workflow runs no tests as root")
	}
	names, dirs := strings.Split(string(pattern[1]), "|"), strings.Fields(string(pattern[2]))
	found := 0
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, "_test.go") || filepath.Base(filepath.Dir(file)) == "rootonly" {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // it is data of another test
		}
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || !skips(fn) {
				continue
			}
			found++
			dir, err := filepath.Rel(root, filepath.Dir(file))
			if err != nil {
				return err
			}
			if !slices.Contains(dirs, "./"+filepath.ToSlash(dir)) {
				t.Errorf("%s is skipped in %s, whose tests the workflow does not run as root", fn.Name, dir)
			}
			if strings.HasPrefix(fn.Name.Name, "Test") && !slices.Contains(names, fn.Name.Name) {
				t.Errorf("the workflow does not run %s of %s as root", fn.Name, dir)
			}
		}
		return nil
	})
	if err != nil || found < 5 {
		t.Errorf("%d functions skip tests for lack of a right: %v", found, err)
	}
}

// skips reports whether a function calls Skip of this package.
func skips(fn *ast.FuncDecl) (calls bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Skip" {
			x, ok := s.X.(*ast.Ident)
			calls = calls || ok && x.Name == "rootonly"
		}
		return true
	})
	return calls
}
