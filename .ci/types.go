//go:build ignore

// Types checks that packages compile for other systems: go run .ci/types.go OS/ARCH... --
// [-tags=TAGS] PACKAGE... It checks the types of the packages, of their tests, and of everything that they import,
// from source, without compiling or linking. So it takes seconds, while a build takes minutes. The
// workflow of these systems builds and tests there.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	at := slices.Index(os.Args, "--")
	if at < 2 || at == len(os.Args)-1 {
		fmt.Fprintln(os.Stderr, "usage: go run .ci/types.go OS/ARCH... -- PACKAGE...")
		os.Exit(2)
	}
	failed := false
	for _, target := range os.Args[1:at] {
		n, err := check(target, os.Args[at+1:])
		if err != nil {
			failed = true
			fmt.Fprintf(os.Stderr, "%s: %v\n", target, err)
			continue
		}
		fmt.Printf("%s: %d packages\n", target, n)
	}
	if failed {
		os.Exit(1)
	}
}

// A listed is the output of go list for a package.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct {
		Main      bool
		GoVersion string
	}
	Error *struct{ Err string }
}

// check checks the packages for one system. It returns their number, including the packages that
// they import.
func check(target string, packages []string) (int, error) {
	system, arch, ok := strings.Cut(target, "/")
	sizes := types.SizesFor("gc", arch)
	if !ok || sizes == nil {
		return 0, errors.New("this is not OS/ARCH")
	}
	list := exec.Command("go", append([]string{"list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,Module,Error"}, packages...)...)
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return 0, fmt.Errorf("go list: %w", err)
	}
	checked := map[string]*types.Package{"unsafe": types.Unsafe}
	var wrong []error
	for in := json.NewDecoder(strings.NewReader(string(out))); ; { // go list prints imported packages first
		var p listed
		if err := in.Decode(&p); err == io.EOF {
			return len(checked) - 1, errors.Join(wrong...)
		} else if err != nil {
			return 0, err
		}
		if p.Error != nil {
			wrong = append(wrong, errors.New(p.Error.Err))
		}
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
			continue // the second is a main package that go test writes
		}
		pkg, err := p.check(sizes, checked)
		wrong = append(wrong, err)
		checked[p.ImportPath] = pkg
	}
}

// check checks one package, after those that it imports. It checks the bodies of functions only
// in this module.
func (p *listed) check(sizes types.Sizes, checked map[string]*types.Package) (*types.Package, error) {
	ours := p.Module != nil && p.Module.Main
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	var wrong []error
	cfg := types.Config{
		Sizes: sizes, IgnoreFuncBodies: !ours, Error: func(err error) { wrong = append(wrong, err) },
		Importer: importer(func(path string) (*types.Package, error) {
			if mapped := p.ImportMap[path]; mapped != "" {
				path = mapped
			}
			if pkg := checked[path]; pkg != nil {
				return pkg, nil
			}
			return nil, fmt.Errorf("%s is not among what the go command lists", path)
		}),
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		cfg.GoVersion = "go" + p.Module.GoVersion
	}
	pkg, err := cfg.Check(p.ImportPath, files, parsed, nil)
	if len(wrong) == 0 && err != nil {
		wrong = append(wrong, err)
	}
	return pkg, errors.Join(wrong...)
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }
