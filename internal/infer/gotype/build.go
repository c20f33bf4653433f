package gotype

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// The source of the packages that are put beside the user's package.
//
//go:embed program/program.go program/read.go program/value.go own/own.go own/first/first.go
var source embed.FS

// here is where the packages of this directory are within the module. In the
// overlay they are elsewhere: the user's package could not import them from below
// a directory called internal.
const here = "internal/infer/gotype/"

// place returns where a package or a file of ours is in the overlay.
func place(name string) string { return strings.TrimPrefix(name, here) }

// virtual is the name of directories and files that exist in the overlay only.
const virtual = "zz_assay"

// An overlay is files that are not in the user's tree and that the go command
// takes to be there.
type overlay struct {
	dir     string            // where the files are
	replace map[string]string // by the place where they seem to be
}

// add adds a file.
func (o *overlay) add(at, text string) error {
	name := filepath.Join(o.dir, fmt.Sprintf("%03d-%s", len(o.replace), filepath.Base(at)))
	o.replace[at] = name
	return os.WriteFile(name, []byte(text), 0o600)
}

// file writes the overlay as the go command wants it.
func (o *overlay) file() (string, error) {
	data, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(o.dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o600)
}

// An entry is what a program in the user's module does: statements that name the
// type or the function by a qualifier, and the packages they need.
type entry struct {
	call    func(qualifier string) string
	imports []string // packages of ours, by their directories within the module
	std     []string
	first   string // the package of ours that is initialised before the user's
}

// build compiles a program into the user's module and returns its path. All that
// is written is below dir. The files are those of packages of ours, by their
// names within the module.
//
// For a library package the program is a package main of its own, inside the
// package's directory so that it may import what is internal there. A package
// main cannot be imported: the program then is that package, with an init
// function that does the work and exits.
func (t *target) build(ctx context.Context, o Options, dir string, files map[string][]byte, e entry) (string, error) {
	home, base, err := t.home()
	if err != nil {
		return "", err
	}
	over := &overlay{dir: dir, replace: map[string]string{}}
	code := filepath.Join(home, virtual)
	base += "/" + virtual
	for name, data := range files {
		text, err := moved(name, data, base)
		if err != nil {
			return "", err
		}
		if err := over.add(filepath.Join(code, filepath.FromSlash(place(name))), text); err != nil {
			return "", err
		}
	}
	pattern := home
	if t.pkg.Name == "main" {
		err = over.add(filepath.Join(home, virtual+".go"), e.file(base, "main", "init", "", "os.Exit(0)"))
	} else {
		pattern = filepath.Join(code, "cmd")
		main := filepath.Join(pattern, "main.go")
		if token.IsExported(t.object.Name()) {
			err = over.add(main, e.file(base, "main", "main", t.pkg.PkgPath))
		} else {
			bridge := filepath.Join(filepath.Dir(t.pkg.GoFiles[0]), virtual+".go")
			err = errors.Join(
				over.add(bridge, e.file(base, t.pkg.Name, exported, "")),
				over.add(main, fmt.Sprintf("package main\n\nimport user %q\n\nfunc main() { user.%s() }\n", t.pkg.PkgPath, exported)),
			)
		}
	}
	if err == nil && e.first != "" && t.local() {
		first := filepath.Join(filepath.Dir(t.pkg.GoFiles[0]), virtual+"_first.go")
		err = over.add(first, fmt.Sprintf("package %s\n\nimport _ %q\n", t.pkg.Name, base+"/"+place(e.first)))
	}
	if err != nil {
		return "", err
	}
	list, err := over.file()
	if err != nil {
		return "", err
	}
	exe := filepath.Join(dir, executable("program"))
	_, err = goCommand(ctx, o, t.module, "build", "-buildvcs=false", "-overlay="+list, "-o", exe, pattern)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", programErrorf("compiling a program with %s into its module:\n%s", t, excerpt(err.Error(), dir))
	}
	return exe, nil
}

// executable returns the name of a program's file.
func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// exported is the function by which a program gets at what is unexported.
const exported = "ZZAssay"

// file is a Go file with a function that does what the entry says. user is the
// user's package; empty: the file is of that package.
func (e entry) file(base, pkg, function, user string, after ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "//go:build go1.26\n\npackage %s\n\nimport (\n", pkg)
	std := e.std
	if len(after) > 0 {
		std = append([]string{"os"}, std...)
	}
	for _, p := range std {
		fmt.Fprintf(&b, "\t%q\n", p)
	}
	for _, p := range e.imports {
		fmt.Fprintf(&b, "\t%s %q\n", alias(p), base+"/"+place(p))
	}
	qualifier := ""
	if user != "" {
		qualifier = "user."
		fmt.Fprintf(&b, "\tuser %q\n", user)
	}
	fmt.Fprintf(&b, ")\n\nfunc %s() {\n\t%s\n%s\n}\n", function, e.call(qualifier), strings.Join(after, "\n"))
	return b.String()
}

// alias is the name of a package of ours in the user's files.
func alias(pkg string) string { return "zz" + path.Base(pkg) }

// reading is the program that reads records.
func (t *target) reading() entry {
	e := entry{imports: []string{here + "program"}, std: []string{"reflect"}}
	e.call = func(q string) string {
		return fmt.Sprintf("zzprogram.Main(reflect.TypeFor[%s%s](), nil)", q, t.object.Name())
	}
	if t.isFunc {
		e.std = nil
		e.call = func(q string) string {
			results := ", nil"
			if t.fails {
				results = ""
			}
			return fmt.Sprintf("zzprogram.Main(nil, func() (any, error) { return %s%s()%s })", q, t.object.Name(), results)
		}
	}
	return e
}

// ours returns the files of this package's own sources, by their names within
// the module.
func ours(names ...string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range names {
		data, err := source.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files[here+name] = data
	}
	return files, nil
}

// constraint matches a build constraint.
var constraint = regexp.MustCompile(`(?m)^//go:build (.*)$`)

// moved returns a file of ours for its place below base: with the imports that
// it has there, and a constraint that lets it use the Go it was written in,
// whatever the user's go.mod says.
func moved(name string, data []byte, base string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly)
	if err != nil {
		return "", err
	}
	text := string(data)
	for i := len(f.Imports) - 1; i >= 0; i-- {
		lit := f.Imports[i].Path
		imp, err := strconv.Unquote(lit.Value)
		if err != nil {
			return "", err
		}
		rest, ok := strings.CutPrefix(imp, "assay/")
		if !ok {
			continue
		}
		at, end := int(lit.Pos())-int(f.FileStart), int(lit.End())-int(f.FileStart)
		text = text[:at] + strconv.Quote(base+"/"+place(rest)) + text[end:]
	}
	head := text[:int(f.Package)-int(f.FileStart)]
	if m := constraint.FindStringSubmatchIndex(head); m != nil {
		return text[:m[0]] + "//go:build (" + text[m[2]:m[3]] + ") && go1.26" + text[m[1]:], nil
	}
	return "//go:build go1.26\n\n" + text, nil
}

// home returns the directory in the user's module that programs are put in, and
// its import path: the package's own, or the module's root when the type is of
// another module.
func (t *target) home() (dir, path string, err error) {
	if len(t.pkg.GoFiles) == 0 {
		return "", "", fmt.Errorf("the package %s has no Go files", t.pkg.PkgPath)
	}
	if t.local() {
		return filepath.Dir(t.pkg.GoFiles[0]), t.pkg.PkgPath, nil
	}
	if t.pkg.Name == "main" || !token.IsExported(t.object.Name()) {
		return "", "", fmt.Errorf("%s.%s cannot be used from outside of its module; go there and name it from there", t.pkg.PkgPath, t.object.Name())
	}
	file := filepath.Join(t.module, "go.mod")
	data, err := os.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	if path = modfile.ModulePath(data); path == "" {
		return "", "", fmt.Errorf("%s names no module", file)
	}
	return t.module, path, nil
}

// local reports whether the package is in the user's module, where the overlay
// can put files.
func (t *target) local() bool {
	rel, err := filepath.Rel(t.module, filepath.Dir(t.pkg.GoFiles[0]))
	return t.pkg.Module != nil && t.pkg.Module.Main && err == nil && filepath.IsLocal(rel) && !strings.HasPrefix(filepath.ToSlash(rel)+"/", "vendor/")
}

// excerpt returns the first lines of what the go command says.
func excerpt(text, dir string) string {
	lines := strings.Split(text, "\n")
	if more := len(lines) - maxErrors; more > 0 {
		lines = append(lines[:maxErrors], fmt.Sprintf("and %d more lines", more))
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), dir+string(filepath.Separator), "")
}

// packageFiles adds the files of a package of a module's source.
func packageFiles(files map[string][]byte, module fs.FS, dir string) error {
	names, err := fs.Glob(module, path.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("the source has no package %s", dir)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[name], err = fs.ReadFile(module, name); err != nil {
			return err
		}
	}
	return nil
}
