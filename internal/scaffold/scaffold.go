// Package scaffold writes the two files with which a new contender begins. They work unchanged,
// with encoding/json in place of the library. Their comments say what to change.
package scaffold

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"assay/contender"
	"assay/contenders"
	"assay/internal/outfile"
	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/internal/refusal"
	"assay/internal/userfile"
	"assay/schema"
)

// A Contender describes a contender to write.
type Contender struct {
	// Name is its name in the tables and on the command line.
	Name string
	// Format is the name of its wire format.
	Format string
	// Module and Version are those of its library. Both are empty if the library is not known
	// yet or is part of the standard library.
	Module, Version string
}

// Dir returns the contender's directory below contenders/, which is also the name of its package.
func (c Contender) Dir() string { return contender.Dir(c.Name) }

// SetModule sets Module and Version from PATH@VERSION.
func (c *Contender) SetModule(s string) error {
	path, version, ok := strings.Cut(s, "@")
	if !ok || version == "" {
		return fmt.Errorf("%q names no version; it must be PATH@VERSION, such as github.com/fxamacker/cbor/v2@v2.9.0", s)
	}
	if !semver.IsValid(version) || semver.Canonical(version) != strings.TrimSuffix(version, "+incompatible") {
		return fmt.Errorf("%q is no exact version, such as v1.2.3: a contender is built from the one that was tested", version)
	}
	if err := module.Check(path, version); err != nil {
		return err
	}
	c.Module, c.Version = path, version
	return nil
}

// Check refuses a name that is unsuitable or that a contender has, and a format that has another
// spelling here.
func (c Contender) Check() error {
	dir := c.Dir()
	switch {
	case strings.ContainsFunc(c.Name, plaintext.Odd):
		return refusal.Errorf("the name %q has spaces, commas, parentheses or signs in it that no table could show; use the library's own short name, such as msgp or goccy/go-json", c.Name)
	case c.Name != "" && c.Name[0] == '-':
		return refusal.Errorf("the name %q begins with a dash, by which commands know flags; use the library's own short name, such as msgp or goccy/go-json", c.Name)
	case dir == "":
		return refusal.Errorf("the name %q has no letters a to z or digits, of which the directory is named", c.Name)
	case !fs.ValidPath(c.Name):
		return refusal.Errorf("the name %q has an empty part, or one that is a directory; use the library's own short name, such as goccy/go-json", c.Name)
	case dir[0] <= '9':
		return refusal.Errorf("the name %q begins with a digit, and the name of a Go package cannot; begin it with a letter", c.Name)
	case !schema.PackageName(dir) || dir == "testdata":
		return refusal.Errorf("the name %q gives the package name %q, which means something else to Go; put the author's name before it, as in goccy/go-json", c.Name, dir)
	case dir == "contender":
		return refusal.Errorf("the name %q gives the package name %q, which is that of the package that all contenders import; put the author's name before it, as in goccy/go-json", c.Name, dir)
	case dir == "emit":
		return refusal.Errorf("the name %q gives emit.go, the file of the emitter, a second content; put the author's name before it, as in goccy/go-json", c.Name)
	case c.Format == "" || strings.ContainsFunc(c.Format, plaintext.Odd):
		return refusal.Errorf("the format is %q; it must be a word, such as json or cbor", c.Format)
	}
	for _, x := range contenders.All() {
		if x.Dir() == dir {
			return refusal.Errorf("there is a contender of that name: assay explain %s", x.Name)
		}
	}
	for _, x := range contenders.All() {
		if x.Format != c.Format && strings.EqualFold(x.Format, c.Format) {
			return refusal.Errorf("the format %s is called %s here", c.Format, x.Format)
		}
	}
	return nil
}

// outside refuses a directory that is not in a checkout of this module.
func outside(format string, args ...any) error {
	return refusal.Errorf("not in a checkout of assay: "+format+"; clone the repository of assay and run this in it", args...)
}

// Root returns the root of the checkout of this module that contains a directory. If there is
// none, the error is a refusal.
func Root(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for dir := range userfile.Above(start) {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		switch {
		case err == nil && modfile.ModulePath(data) == "assay":
			if _, err := os.Stat(filepath.Join(dir, "contender", "emit")); err == nil {
				return dir, nil
			}
			return "", outside("%s has a go.mod of the module assay, and no contender/emit", dir)
		case err == nil:
			return "", outside("%s is the root of the module %s", dir, modfile.ModulePath(data))
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
	}
	return "", outside("neither %s nor a directory above it has a go.mod", start)
}

//go:embed template
var templates embed.FS

// Places is the number of places to change in the files of Write. The comment of each begins with
// CHANGE, its number and this number.
const Places = 13

// Write writes contenders/<dir>/{<dir>.go,emit.go} below the root of a checkout and returns their
// paths, relative to it. It changes no existing file: an existing directory is refused. After an
// error Write removes what it wrote, so that it can be tried again.
func Write(root string, c Contender) ([]string, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	dir := filepath.Join("contenders", c.Dir())
	files := map[string][]byte{}
	for file, from := range map[string]string{c.Dir() + ".go": "description.tmpl", "emit.go": "emit.tmpl"} {
		data, err := fill(from, c)
		if err != nil {
			return nil, err
		}
		files[file] = data
	}
	if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil, refusal.Errorf("%s exists already; choose another name, or change what is there", dir)
		}
		return nil, err
	}
	var written []string
	for _, file := range []string{c.Dir() + ".go", "emit.go"} {
		path := filepath.Join(dir, file)
		if err := outfile.WriteNew(filepath.Join(root, path), files[file], 0o666); err != nil {
			return nil, errors.Join(err, remove(root, dir, written))
		}
		written = append(written, path)
	}
	return written, nil
}

// Steps returns the commands that follow Write, with what each of them does.
func (c Contender) Steps() (steps [][2]string) {
	add := func(command, does string) { steps = append(steps, [2]string{command, does}) }
	if c.Module != "" {
		add("go get "+c.Module+"@"+c.Version, "the library, in go.mod at that version")
	}
	add("grep -n CHANGE contenders/"+c.Dir()+"/*.go", "the places to change")
	add("go generate", "the tables, and the code for one workload to read")
	if c.Module != "" {
		add("go mod tidy", "go.mod and go.sum, now that the library is imported")
	}
	add(phrase.ShellLine("go", "test", "./contenders", "-run", "TestGenerated", "-only", c.Name, "-update"), "does it compile, and do what it says; writes what became of the probes")
	add("go test ./contenders -run 'TestAxes|TestAdvice'", "has it all modes, and what is to be said of it")
	add("go run ./cmd/assay verify -w movie", "a round trip of each, and who reads whose bytes")
	add("go test . -update", "the documents that list contenders")
	return steps
}

// remove removes files below the root, and then their directory if it is empty.
func remove(root, dir string, files []string) error {
	var errs []error
	for _, file := range append(files, dir) {
		errs = append(errs, os.Remove(filepath.Join(root, file)))
	}
	return errors.Join(errs...)
}

// fill returns the Go source that a template generates for the contender.
func fill(name string, c Contender) ([]byte, error) {
	t, err := template.ParseFS(templates, "template/"+name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, c); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}
