package protofile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/ast"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/reflect/protoreflect"

	"assay/internal/nesting"
	"assay/internal/userfile"
)

// maxErrors is how many errors of the compiler are shown at most.
const maxErrors = 10

// A fileSet has compiled .proto files and all files that they import.
type fileSet struct {
	finder *finder
	files  linker.Files                  // each after the files that it imports
	named  []protoreflect.FileDescriptor // the files that the user named
	notes  []string
}

// compile compiles the files. If the compiler finds errors, the result is an errors.Join with an
// error for each place.
func compile(ctx context.Context, files, importDirs []string) (*fileSet, error) {
	f := newFinder(importDirs)
	names, err := f.place(files)
	if err != nil {
		return nil, err
	}
	var errs []error
	report := func(err reporter.ErrorWithPos) error {
		errs = append(errs, f.explain(err))
		return nil
	}
	c := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(f),
		Reporter:       reporter.NewReporter(report, nil),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	linked, err := c.Compile(ctx, names...)
	if withPos := (reporter.ErrorWithPos)(nil); errors.As(err, &withPos) {
		errs = append(errs, f.explain(withPos)) // the compiler did not report this one
	} else if err != nil && len(errs) == 0 {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		return nil, several(errs)
	}
	s := &fileSet{finder: f, notes: f.notes()}
	seen := map[string]bool{}
	var add func(file linker.File)
	add = func(file linker.File) {
		if seen[file.Path()] {
			return
		}
		seen[file.Path()] = true
		imports := file.Imports()
		for i := range imports.Len() {
			if imp := file.FindImportByPath(imports.Get(i).Path()); imp != nil {
				add(imp)
			}
		}
		s.files = append(s.files, file)
	}
	for _, file := range linked {
		s.named = append(s.named, file)
		add(file)
	}
	return s, nil
}

// several joins the first maxErrors errors with different texts.
func several(errs []error) error {
	var kept []error
	texts := map[string]bool{}
	for _, err := range errs {
		if !texts[err.Error()] {
			texts[err.Error()] = true
			kept = append(kept, err)
		}
	}
	if more := len(kept) - maxErrors; more > 0 {
		kept = append(kept[:maxErrors], fmt.Errorf("and %d more", more))
	}
	return errors.Join(kept...)
}

// paths returns the paths of the files that were read.
func (s *fileSet) paths() []string {
	var paths []string
	for _, f := range s.files {
		if p := s.finder.opened[f.Path()]; p != "" {
			paths = append(paths, show(p))
		}
	}
	return paths
}

// where returns the position of a declaration as file:line:col, or only the file if the position is
// unknown.
func (s *fileSet) where(d protoreflect.Descriptor) string {
	file := d.ParentFile()
	path := file.Path()
	if p := s.finder.opened[path]; p != "" {
		path = show(p)
	}
	loc := file.SourceLocations().ByDescriptor(d)
	if loc.Path == nil {
		return path
	}
	return fmt.Sprintf("%s:%d:%d", path, loc.StartLine+1, loc.StartColumn+1)
}

// A finder finds .proto files by their names in imports. It is a protocompile.Resolver.
type finder struct {
	dirs    []importDir
	modules []goModule

	mu       sync.Mutex
	opened   map[string]string // the path of each file that was read, by name
	texts    map[string][]byte // its text
	required map[string]string // the module of each file found in a Go module, by the file's name
}

// An importDir is a directory for imports that begin with the prefix.
type importDir struct {
	prefix, dir string
}

func newFinder(importDirs []string) *finder {
	f := &finder{opened: map[string]string{}, texts: map[string][]byte{}, required: map[string]string{}}
	for _, d := range importDirs {
		if prefix, dir, ok := strings.Cut(d, "="); ok && !isDir(d) {
			f.dirs = append(f.dirs, importDir{strings.Trim(prefix, "/") + "/", dir})
			continue
		}
		f.dirs = append(f.dirs, importDir{"", d})
	}
	return f
}

// lookup returns the path of a file by its name, or "", and the Go module in which it was found.
func (f *finder) lookup(name string) (path string, in *goModule) {
	if !fs.ValidPath(name) {
		return "", nil
	}
	for _, d := range f.dirs {
		if rest, ok := strings.CutPrefix(name, d.prefix); ok {
			if p := filepath.Join(d.dir, filepath.FromSlash(rest)); isFile(p) {
				return p, nil
			}
		}
	}
	for i, m := range f.modules {
		if rest, ok := strings.CutPrefix(name, m.path+"/"); ok {
			if p := filepath.Join(m.dir, filepath.FromSlash(rest)); isFile(p) {
				return p, &f.modules[i]
			}
		}
	}
	// The files of some modules are imported by their path within the module, such as
	// gogoproto/gogo.proto of gogo/protobuf.
	for i, m := range f.modules {
		if p := filepath.Join(m.dir, filepath.FromSlash(name)); isFile(p) {
			return p, &f.modules[i]
		}
	}
	return "", nil
}

// FindFileByPath implements protocompile.Resolver.
func (f *finder) FindFileByPath(name string) (protocompile.SearchResult, error) {
	path, in := f.lookup(name)
	if path == "" {
		return protocompile.SearchResult{}, &missingError{name}
	}
	data, err := readProto(path)
	if err != nil {
		return protocompile.SearchResult{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opened[name], f.texts[name] = path, data
	if in != nil {
		f.required[name] = filepath.Base(in.dir)
	}
	return protocompile.SearchResult{Source: bytes.NewReader(data)}, nil
}

// A missingError says that there is no file with a name.
type missingError struct{ name string }

func (e *missingError) Error() string { return fmt.Sprintf("there is no file %s", e.name) }

// notes returns notes on the imports that were found in Go modules rather than in import directories.
func (f *finder) notes() []string {
	byModule := map[string][]string{}
	for name, m := range f.required {
		byModule[m] = append(byModule[m], name)
	}
	var notes []string
	for m, names := range byModule {
		slices.Sort(names)
		notes = append(notes, fmt.Sprintf("%s %s read from the Go module %s, which go.mod names", some(names), isAre(len(names)), m))
	}
	slices.Sort(notes)
	return notes
}

// place returns the names under which files are compiled, which are those under which other files
// import them. It adds the directories of their imports to the finder.
func (f *finder) place(files []string) ([]string, error) {
	paths := make([]string, len(files))
	imports := make([][]string, len(files))
	for i, file := range files {
		data, err := readProto(file)
		if err != nil {
			return nil, err
		}
		if paths[i], err = filepath.Abs(file); err != nil {
			return nil, err
		}
		imports[i] = importsOf(file, data)
	}
	for _, p := range paths {
		for _, m := range modulesAround(p) {
			if !slices.Contains(f.modules, m) {
				f.modules = append(f.modules, m)
			}
		}
	}
	explicit := len(f.dirs)
	for i, p := range paths {
		if f.within(p, f.dirs[:explicit]) == "" || !f.haveAll(imports[i]) {
			f.addRoot(p, imports[i])
		}
	}
	names := make([]string, len(files))
	for i, p := range paths {
		if names[i] = f.within(p, f.dirs); names[i] == "" {
			return nil, fmt.Errorf("%s is in none of the import directories; give -I %s", files[i], show(filepath.Dir(p)))
		}
	}
	f.rename(names, paths, imports)
	return names, nil
}

// within returns the name of a file relative to the first directory that contains it, or "".
func (f *finder) within(path string, dirs []importDir) string {
	for _, d := range dirs {
		dir, err := filepath.Abs(d.dir)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return d.prefix + filepath.ToSlash(rel)
		}
	}
	return ""
}

// haveAll reports whether all imports can be found.
func (f *finder) haveAll(imports []string) bool { return f.found(imports) == len(imports) }

// found counts the imports that can be found.
func (f *finder) found(imports []string) int {
	n := 0
	for _, name := range imports {
		if p, _ := f.lookup(name); p != "" || strings.HasPrefix(name, "google/protobuf/") {
			n++
		}
	}
	return n
}

// addRoot adds the directory above a file from which most of its imports can be found. If several
// directories find equally many, it takes the nearest one.
func (f *finder) addRoot(path string, imports []string) {
	best, most := "", -1
	for dir := range userfile.Above(filepath.Dir(path)) {
		try := finder{dirs: append(slices.Clone(f.dirs), importDir{"", dir}), modules: f.modules}
		if n := try.found(imports); n > most {
			best, most = dir, n
		}
	}
	if d := (importDir{"", best}); !slices.Contains(f.dirs, d) {
		f.dirs = append(f.dirs, d)
	}
}

// rename gives files the names under which other files import them, because a file under two names
// would declare everything twice.
func (f *finder) rename(names, paths []string, imports [][]string) {
	seen := map[string]bool{}
	var walk func(imports []string)
	walk = func(imports []string) {
		for _, name := range imports {
			if seen[name] {
				continue
			}
			seen[name] = true
			path, _ := f.lookup(name)
			if path == "" {
				continue
			}
			if abs, err := filepath.Abs(path); err == nil {
				if i := slices.Index(paths, abs); i >= 0 {
					names[i] = name
				}
			}
			if data, err := readProto(path); err == nil {
				walk(importsOf(name, data))
			}
		}
	}
	for _, list := range imports {
		walk(list)
	}
}

// readProto reads a .proto file for the compiler. It returns an error if the file is nested deeper
// than nesting.Max, because the compiler could need all memory for such a file.
func readProto(path string) ([]byte, error) {
	data, err := userfile.ReadRegular(path)
	if err != nil {
		return nil, err
	}
	if at := nesting.TooDeep(data, true); at >= 0 {
		line, col := place(data, int64(at))
		return nil, fmt.Errorf("%s:%d:%d: this is nested more than %d deep", show(path), line, col, nesting.Max)
	}
	return data, nil
}

// importsOf returns the imports of a file, as far as the file can be parsed.
func importsOf(name string, data []byte) []string {
	ignore := reporter.NewHandler(reporter.NewReporter(func(reporter.ErrorWithPos) error { return nil }, nil))
	file, _ := parser.Parse(name, bytes.NewReader(data), ignore) // compile will report the errors
	if file == nil {
		return nil
	}
	var imports []string
	for _, d := range file.Decls {
		if imp, ok := d.(*ast.ImportNode); ok && imp.Name != nil {
			imports = append(imports, imp.Name.AsString())
		}
	}
	return imports
}

// explain turns an error of the compiler into one that tells the user what to do.
func (f *finder) explain(err reporter.ErrorWithPos) error {
	pos := err.GetPosition()
	file := pos.Filename
	f.mu.Lock()
	path := f.opened[file]
	f.mu.Unlock()
	if path != "" {
		file = show(path)
	}
	reason := err.Unwrap().Error()
	if missing := (*missingError)(nil); errors.As(err, &missing) {
		reason = f.missing(missing.name, path)
	}
	if strings.Contains(reason, "edition value") {
		reason += "; 2023 is the latest edition that this compiler knows"
	}
	return fmt.Errorf("%s:%d:%d: %s", file, pos.Line, pos.Col, reason)
}

// published says where widely imported files are published, by the prefix of their names.
var published = []struct{ prefix, where string }{
	{"google/", "a copy of github.com/googleapis/googleapis"},
	{"gogoproto/", "a copy of github.com/gogo/protobuf"},
	{"buf/validate/", "proto/protovalidate in a copy of github.com/bufbuild/protovalidate"},
	{"validate/", "a copy of github.com/bufbuild/protoc-gen-validate"},
	{"protoc-gen-openapiv2/", "a copy of github.com/grpc-ecosystem/grpc-gateway"},
	{"k8s.io/", "the directory that holds k8s.io, or -I k8s.io/MODULE=DIR"},
}

// missing says that an import was not found, where it may be, and what to do.
func (f *finder) missing(name, importer string) string {
	var tried []string
	for _, d := range f.dirs {
		if d.prefix == "" || strings.HasPrefix(name, d.prefix) {
			tried = append(tried, show(d.dir))
		}
	}
	said := fmt.Sprintf("the import %q is not in %s", name, some(tried))
	if len(tried) == 0 {
		said = fmt.Sprintf("the import %q is in none of the import directories", name)
	}
	if dir := near(name, importer); dir != "" {
		return fmt.Sprintf("%s; it is in %s: give -I %s", said, show(filepath.Join(dir, filepath.FromSlash(name))), show(dir))
	}
	for _, p := range published {
		if strings.HasPrefix(name, p.prefix) {
			return fmt.Sprintf("%s; give -I the directory that %s is in: %s", said, name, p.where)
		}
	}
	return fmt.Sprintf("%s; give -I the directory that %s is in", said, name)
}

// near searches an import in the directories above the importing file, and then below the top
// directory around that file: its outermost Go module or Git repository, or else its own directory.
// It returns the directory to give to -I, or "".
func near(name, importer string) string {
	from, err := filepath.Abs(importer)
	if err != nil || !fs.ValidPath(name) {
		return ""
	}
	rel := filepath.FromSlash(name)
	top := filepath.Dir(from)
	for dir := range userfile.Above(top) {
		if isFile(filepath.Join(dir, rel)) {
			return dir
		}
		if isFile(filepath.Join(dir, "go.mod")) || isDir(filepath.Join(dir, ".git")) {
			top = dir
		}
	}
	found, left := "", 20_000 // the number of entries to search; more would take too long
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if left--; left < 0 {
			return fs.SkipAll
		}
		if err != nil {
			return nil // do not search unreadable directories
		}
		if dir, ok := strings.CutSuffix(path, string(filepath.Separator)+rel); ok && !d.IsDir() {
			found = dir
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// show returns a path for messages: relative if it is below the working directory or below the
// directory that contains it.
func show(path string) string {
	wd, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil || strings.HasPrefix(rel, filepath.Join("..", "..")) {
		return path
	}
	return rel
}
