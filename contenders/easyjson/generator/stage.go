package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A stage is the program that links the types and the library's generator.
type stage struct {
	pkg    string // import path of the types
	source []byte // of the types
	types  []string
	own    []string // of the types, those that have methods of their own
	file   string   // that the code is meant for
}

// run builds and runs the program and returns what it writes.
func (s stage) run() ([]byte, error) {
	module, root, err := mainModule()
	if err != nil {
		return nil, err
	}
	inside, ok := strings.CutPrefix(s.pkg, module+"/")
	if !ok { // it will be of another module, and the code names no import path
		inside = path.Join("contenders/easyjson/alone", path.Base(s.pkg))
		s.pkg = path.Join(module, inside)
	}
	dir, err := os.MkdirTemp("", "easyjson-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	o := overlay{dir: dir, Replace: map[string]string{}}
	target := filepath.Join(root, filepath.FromSlash(inside))
	const sub = "easyjsonstage"
	written := slices.DeleteFunc(slices.Clone(s.types), func(t string) bool { return slices.Contains(s.own, t) })
	if err := errors.Join(
		o.hide(target),
		o.add(filepath.Join(target, "types.go"), s.source),
		o.add(filepath.Join(target, "stub.go"), stub(s.pkg, s.types)),
		o.add(filepath.Join(target, sub, "main.go"), program(s.pkg, s.file, written)),
	); err != nil {
		return nil, err
	}
	listed, err := o.write()
	if err != nil {
		return nil, err
	}
	return run("run", "-buildvcs=false", "-mod=readonly", "-overlay="+listed, path.Join(s.pkg, sub))
}

// mainModule returns the path and the directory of the module that this command
// runs in.
func mainModule() (path, dir string, err error) {
	out, err := run("list", "-m", "-f", "{{.Path}}\n{{.Dir}}")
	if err != nil {
		return "", "", err
	}
	path, dir, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	return path, dir, nil
}

// run runs the go command and returns its standard output. The one on PATH is
// the right one: go run puts itself first there.
func run(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// An overlay is files that the go command takes to be in the module.
type overlay struct {
	dir     string // where they are
	files   int    // added
	Replace map[string]string
}

// hide makes the Go files of a directory seem to be absent. The directory need
// not exist.
func (o *overlay) hide(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".go" {
			o.Replace[filepath.Join(dir, e.Name())] = ""
		}
	}
	return nil
}

// add adds a file, in the place of one that is there.
func (o *overlay) add(name string, data []byte) error {
	o.files++
	file := filepath.Join(o.dir, strconv.Itoa(o.files)+".go")
	o.Replace[name] = file
	return os.WriteFile(file, data, 0o600)
}

// write writes the list of the files and returns its own.
func (o *overlay) write() (string, error) {
	data, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	file := filepath.Join(o.dir, "overlay.json")
	return file, os.WriteFile(file, data, 0o600)
}
