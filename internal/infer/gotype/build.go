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

// source has the packages that the overlay puts beside the user's package.
//
//go:embed program/program.go program/read.go program/value.go own/own.go own/first/first.go
var source embed.FS

// here is the path of this directory within the module. The overlay puts its packages elsewhere,
// because the user's package could not import them from below a directory called internal.
const here = "internal/infer/gotype/"

// place returns the path of one of our packages or files in the overlay.
func place(name string) string { return strings.TrimPrefix(name, here) }

// virtual is the name of directories and files that exist only in the overlay.
const virtual = "zz_assay"

// An overlay has files that the go command treats as part of the user's tree, although they are
// elsewhere.
type overlay struct {
	dir     string            // the directory of the files
	replace map[string]string // the paths of the files, by their paths in the user's tree
}

// add adds a file.
func (o *overlay) add(at, text string) error {
	name := filepath.Join(o.dir, fmt.Sprintf("%03d-%s", len(o.replace), filepath.Base(at)))
	o.replace[at] = name
	return os.WriteFile(name, []byte(text), 0o600)
}

// file writes the file for the -overlay flag of the go command and returns its path.
func (o *overlay) file() (string, error) {
	data, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(o.dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o600)
}

// An entry describes what a program in the user's module does: the statements, and the packages that
// they need.
type entry struct {
	call    func(qualifier string) string // the statements; qualifier is before the user's names
	imports []string                      // our packages, by their directories within the module
	std     []string                      // packages of the standard library
	first   string                        // our package that is initialised before the user's
}

// build compiles a program into the user's module and returns its path. It writes only below dir.
// files has the files of our packages, by their names within the module.
//
// For a library package, the program is a package main of its own. It is inside the package's
// directory, so that it may import internal packages there. A package main cannot be imported, so the
// program is that package itself, with an init function that does the work and exits.
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

// executable returns the file name of a program.
func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// exported is the name of a function that the overlay adds to the user's package, so that a program
// can use an unexported type or function.
const exported = "ZZAssay"

// file returns a Go file with a function that executes the entry's statements, and those in after.
// user is the import path of the user's package, or empty if the file is in that package.
func (e entry) file(base, pkg, function, user string, after ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "//go:build %s\n\npackage %s\n\nimport (\n", leastGo, pkg)
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

// alias returns the name of one of our packages in the generated files. A workload may have the name
// of another package.
func alias(pkg string) string {
	if dir, name := path.Split(pkg); strings.HasSuffix(dir, "workload/") {
		return "zz_" + name
	}
	return "zz" + path.Base(pkg)
}

// reading returns the entry of the program that reads records.
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

// ours returns files from source, by their names within the module.
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

// moved returns one of our files with the changes that it needs below the import path base: imports
// of our other packages there, and a build constraint that sets the file's Go version, because the
// user's go.mod may have an older one.
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
		return text[:m[0]] + "//go:build (" + text[m[2]:m[3]] + ") && " + leastGo + text[m[1]:], nil
	}
	return "//go:build " + leastGo + "\n\n" + text, nil
}

// home returns the directory in the user's module for the program, and its import path: the directory
// of the type's package, or the module's root if the type is in another module.
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

// local reports whether the package is in the user's module, where the overlay can add files.
func (t *target) local() bool {
	rel, err := filepath.Rel(t.module, filepath.Dir(t.pkg.GoFiles[0]))
	return t.pkg.Module != nil && t.pkg.Module.Main && err == nil && filepath.IsLocal(rel) && !strings.HasPrefix(filepath.ToSlash(rel)+"/", "vendor/")
}

// excerpt returns the first maxErrors lines of the go command's output, without the prefix dir of
// paths.
func excerpt(text, dir string) string {
	lines := strings.Split(text, "\n")
	if more := len(lines) - maxErrors; more > 0 {
		lines = append(lines[:maxErrors], fmt.Sprintf("and %d more lines", more))
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), dir+string(filepath.Separator), "")
}

// packageFiles adds the Go files of a package of a module to files, without its tests.
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
