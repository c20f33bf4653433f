package gotype

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"assay/internal/infer"
	"assay/internal/nearest"
	"assay/internal/process"
)

// maxErrors is how many errors of the user's module are shown at most.
const maxErrors = 10

// A target is the type of the records, and the package and module that have it.
type target struct {
	pkg   *packages.Package
	named *types.Named
	// object is the type or function that the user named.
	object types.Object
	isFunc bool
	// fails says that the function also returns an error.
	fails bool
	// pointers says that the function returns a slice of pointers.
	pointers bool
	// module is the directory of the user's module.
	module string
	docs   map[token.Pos]string // the comments of types and fields of the package
}

func (t *target) String() string { return t.named.Obj().Pkg().Path() + "." + t.named.Obj().Name() }

// resolve makes the go command's path absolute, because the command runs in other directories.
func (o *Options) resolve() error {
	if o.Go == "" {
		return nil
	}
	path, err := exec.LookPath(o.Go)
	if err != nil {
		return fmt.Errorf("%s is not a go command that can be run", o.Go)
	}
	o.Go, err = filepath.Abs(path)
	return err
}

// load finds the type. The options are resolved.
func load(ctx context.Context, o Options) (*target, error) {
	pattern, name, err := split(o.Type)
	if err != nil {
		return nil, err
	}
	module, err := moduleDir(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := recent(ctx, o); err != nil {
		return nil, err
	}
	if o.Go != "" {
		done, err := firstOnPath(ctx, o)
		if err != nil {
			return nil, err
		}
		defer done()
	}
	// go/packages makes the go command compile the package's imports, and the processes that it
	// starts outlive this one. This command compiles the same, and ends if ctx is cancelled. Ignore
	// its errors: packages.Load reports them.
	_, _ = goCommand(ctx, o, o.Dir, "list", "-e", "-export", "-compiled", "-deps", "-buildvcs=false", "-pgo=off", "-f", " ", "--", pattern)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	cfg := &packages.Config{
		Context: ctx, Dir: o.Dir, Env: environ(o),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedModule,
	}
	pkgs, err := packages.Load(cfg, pattern)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", pattern, err)
	}
	if len(pkgs) != 1 {
		return nil, fmt.Errorf("%s names %d packages; name one", pattern, len(pkgs))
	}
	pkg := pkgs[0]
	if err := broken(pkg); err != nil {
		return nil, err
	}
	t := &target{pkg: pkg, module: module, docs: docs(pkg)}
	return t, t.find(name)
}

// leastGo is the oldest release of Go that compiles the code beside the user's type.
const leastGo = "go1.26"

// recent returns an error if the go command for the user's module is older than leastGo.
func recent(ctx context.Context, o Options) error {
	out, err := goCommand(ctx, o, o.Dir, "env", "GOVERSION")
	if err != nil {
		return err
	}
	if v := strings.TrimSpace(string(out)); version.IsValid(v) && version.Compare(v, leastGo) < 0 {
		return fmt.Errorf("a Go type is measured with Go %s or newer, and the go command for its module is %s: set GOTOOLCHAIN=%s.0+auto, or name another one with --go",
			strings.TrimPrefix(leastGo, "go"), v, leastGo)
	}
	return nil
}

// firstOnPath makes Options.Go the go command that this process finds first, because go/packages
// looks for one on the process's own PATH. It returns a function that undoes this.
func firstOnPath(ctx context.Context, o Options) (undo func(), err error) {
	root, err := goCommand(ctx, o, o.Dir, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	before := os.Getenv("PATH")
	bin := filepath.Join(strings.TrimSpace(string(root)), "bin")
	if err := os.Setenv("PATH", bin+string(filepath.ListSeparator)+before); err != nil {
		return nil, err
	}
	return func() { os.Setenv("PATH", before) }, nil
}

// environ returns the environment of the go command. The directory of Options.Go is first on PATH.
func environ(o Options) []string {
	env := os.Environ()
	if o.Go != "" {
		env = append(env, "PATH="+filepath.Dir(o.Go)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	return env
}

// moduleDir returns the directory of the module that contains Options.Dir.
func moduleDir(ctx context.Context, o Options) (string, error) {
	out, err := goCommand(ctx, o, o.Dir, "env", "GOMOD")
	if err != nil {
		return "", err
	}
	mod := strings.TrimSpace(string(out))
	if mod == "" || mod == os.DevNull {
		dir := o.Dir
		if dir == "" {
			dir = "the working directory"
		}
		return "", fmt.Errorf("%s is in no Go module; go to the module of the type, or make one with go mod init", dir)
	}
	return filepath.Dir(mod), nil
}

// goCommand runs the go command and returns its standard output. If the command fails, the text of
// the error is its standard error.
func goCommand(ctx context.Context, o Options, dir string, args ...string) ([]byte, error) {
	name := o.Go
	if name == "" {
		name = "go"
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = environ(o)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := process.Run(ctx, cmd)
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("the go command is not on PATH; install Go from go.dev, or name it with --go")
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			return nil, errors.New(text)
		}
		return nil, fmt.Errorf("running the go command: %w", err)
	}
	return stdout.Bytes(), nil
}

// broken returns an error with the errors that the go command and the compiler report about the
// user's package, or nil if there are none. It is a *ProgramError unless there is no such package.
func broken(pkg *packages.Package) error {
	var lines []string
	for _, e := range pkg.Errors {
		line := e.Msg
		if e.Pos != "" && e.Pos != "-" {
			line = show(e.Pos) + ": " + e.Msg
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	if len(pkg.GoFiles)+len(pkg.CompiledGoFiles) == 0 && !slices.ContainsFunc(pkg.Errors, func(e packages.Error) bool { return e.Kind != packages.ListError }) {
		return fmt.Errorf("there is no package %s to take the type from: %s; give its directory, as in ./internal/model.Order, or its import path", pkg.PkgPath, strings.Join(lines, "; "))
	}
	if more := len(lines) - maxErrors; more > 0 {
		lines = append(lines[:maxErrors], fmt.Sprintf("and %d more", more))
	}
	return programErrorf("the package %s does not compile:\n%s", pkg.PkgPath, strings.Join(lines, "\n"))
}

// show returns a path, or a position in a file, relative to the working directory if it is below it.
func show(path string) string {
	wd, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return path
	}
	return rel
}

// find finds the type or function with a name in the package.
func (t *target) find(name string) error {
	scope := t.pkg.Types.Scope()
	t.object = scope.Lookup(name)
	switch o := t.object.(type) {
	case nil:
		var known []string
		for _, n := range scope.Names() {
			if _, ok := scope.Lookup(n).(*types.TypeName); ok {
				known = append(known, n)
			}
		}
		if near := nearest.Name(name, known); near != "" {
			return fmt.Errorf("the package %s has no type %s; near it is %s", t.pkg.PkgPath, name, near)
		}
		return fmt.Errorf("the package %s has no type %s", t.pkg.PkgPath, name)
	case *types.TypeName:
		return t.record(o.Type(), name)
	case *types.Func:
		t.isFunc = true
		return t.function(o)
	}
	return fmt.Errorf("%s.%s is neither a type nor a function", t.pkg.PkgPath, name)
}

// record makes a type the type of the records, if it is a named struct type.
func (t *target) record(typ types.Type, name string) error {
	if p, ok := typ.Underlying().(*types.Pointer); ok && t.isFunc {
		typ, t.pointers = p.Elem(), true
	}
	named, ok := types.Unalias(typ).(*types.Named)
	if !ok {
		return fmt.Errorf("%s is %s; the records must be of a named struct type", name, typ)
	}
	if named.TypeParams().Len() > 0 && named.TypeArgs().Len() == 0 {
		return fmt.Errorf("%s has type parameters; declare a type with arguments for them, as in type T = %s[…], and name that", name, name)
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return fmt.Errorf("%s is %s underneath; the records must be structs", name, named.Underlying())
	}
	t.named = named
	return nil
}

// function makes the element type of a function's result the type of the records.
func (t *target) function(f *types.Func) error {
	const want = "it must be func() []T or func() ([]T, error), with no receiver and no parameters"
	sig := f.Signature()
	results := sig.Results()
	if sig.Params().Len() > 0 || sig.TypeParams().Len() > 0 || results.Len() < 1 || results.Len() > 2 {
		return fmt.Errorf("%s is %s; %s", f.Name(), sig, want)
	}
	if results.Len() == 2 {
		if !types.Identical(results.At(1).Type(), types.Universe.Lookup("error").Type()) {
			return fmt.Errorf("%s is %s; %s", f.Name(), sig, want)
		}
		t.fails = true
	}
	list, ok := results.At(0).Type().Underlying().(*types.Slice)
	if !ok {
		return fmt.Errorf("%s is %s; %s", f.Name(), sig, want)
	}
	return t.record(list.Elem(), "what "+f.Name()+" returns")
}

// docs returns the comments of types and fields of a package, by the position of their names.
func docs(pkg *packages.Package) map[token.Pos]string {
	all := map[token.Pos]string{}
	note := func(id *ast.Ident, groups ...*ast.CommentGroup) {
		for _, g := range groups {
			if text := infer.Doc(g.Text()); text != "" {
				all[id.Pos()] = text
				return
			}
		}
	}
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				for _, s := range n.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						note(s.Name, s.Doc, n.Doc, s.Comment)
					}
				}
			case *ast.Field:
				for _, id := range n.Names {
					note(id, n.Doc, n.Comment)
				}
			}
			return true
		})
	}
	return all
}
