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
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// stage builds and runs the program that links the types of all parts and the library's
// generator. It returns the code for each part.
func stage(parts []part) ([][]byte, error) {
	module, root, err := mainModule()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "easyjson-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	o := overlay{dir: dir, Replace: map[string]string{}}
	const sub = "easyjsonstage"
	first := ""
	staged := slices.Clone(parts)
	for i := range staged {
		p := &staged[i]
		inside, ok := strings.CutPrefix(p.pkg, module+"/")
		if !ok { // it is for another module, and the code names no import path
			inside = path.Join("contenders/easyjson/alone", path.Base(p.pkg))
		}
		if i == 0 {
			first = inside
		} else { // the same types in another package of the same name
			inside = path.Join(first, sub+strconv.Itoa(i))
		}
		p.pkg = path.Join(module, inside)
		target := filepath.Join(root, filepath.FromSlash(inside))
		if err := errors.Join(
			o.hide(target),
			o.add(filepath.Join(target, "types.go"), p.source),
			o.add(filepath.Join(target, "stub.go"), stub(*p)),
		); err != nil {
			return nil, err
		}
	}
	if err := o.add(filepath.Join(root, filepath.FromSlash(first), sub, "main.go"), program(staged)); err != nil {
		return nil, err
	}
	listed, err := o.write()
	if err != nil {
		return nil, err
	}
	out, err := run("run", "-buildvcs=false", "-mod=readonly", "-overlay="+listed, path.Join(module, first, sub))
	if err != nil {
		return nil, err
	}
	var codes []string
	if err := json.Unmarshal(out, &codes); err != nil {
		return nil, fmt.Errorf("reading what easyjson wrote: %w", err)
	}
	if len(codes) != len(parts) {
		return nil, fmt.Errorf("easyjson wrote %d files, want %d", len(codes), len(parts))
	}
	var all [][]byte
	for i, code := range codes {
		// The generator names functions by the words of the import path.
		place := regexp.MustCompile(`(\beasyjson[0-9A-Fa-f]+(?:De|En)code\w*)E` + sub[1:] + strconv.Itoa(i))
		all = append(all, place.ReplaceAll([]byte(code), []byte("${1}")))
	}
	return all, nil
}

// mainModule returns the path and the directory of the module that this command
// runs in.
func mainModule() (path, dir string, err error) {
	out, err := run("list", "-mod=readonly", "-m", "-f", "{{.Path}}\n{{.Dir}}")
	if err != nil {
		return "", "", err
	}
	path, dir, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	return path, dir, nil
}

// run runs the go command and returns its standard output. The go command on PATH is the right
// one, because go run puts itself first in PATH.
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

// An overlay is a set of files that the go command takes to be in the module.
type overlay struct {
	dir     string // holds the files
	files   int    // number of files added
	Replace map[string]string
}

// hide makes the Go files of a directory invisible to the go command. The directory need not
// exist.
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

// add adds a file, or replaces the file of that name.
func (o *overlay) add(name string, data []byte) error {
	o.files++
	file := filepath.Join(o.dir, strconv.Itoa(o.files)+".go")
	o.Replace[name] = file
	return os.WriteFile(file, data, 0o600)
}

// write writes the list of the files and returns its file name.
func (o *overlay) write() (string, error) {
	data, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	file := filepath.Join(o.dir, "overlay.json")
	return file, os.WriteFile(file, data, 0o600)
}
