package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"assay/internal/outfile"
)

// engineParts are the packages that influence a measured number: the packages that measure and
// plan, the package that writes the timed loops, and the package that computes intervals from samples.
var engineParts = []string{"bench", "contender/emit", "internal/analysis", "internal/drive", "internal/measure", "internal/plan"}

// engine returns the fingerprint of the engine below root. It covers the code of engineParts
// without comments and tests, for all operating systems.
func engine(root string) (string, error) {
	sum := sha256.New()
	for _, part := range engineParts {
		files, err := filepath.Glob(filepath.Join(root, part, "*.go"))
		if err != nil {
			return "", err
		}
		files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
		if len(files) == 0 {
			return "", fmt.Errorf("there is no package %s below %s: prove is run from the root of the repository", part, root)
		}
		for _, file := range files {
			code, err := codeOf(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(sum, "%s/%s %d\n%s", part, filepath.Base(file), len(code), code)
		}
	}
	return fmt.Sprintf("%.6x", sum.Sum(nil)), nil
}

// codeOf returns a file's code without comments.
func codeOf(file string) ([]byte, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = printer.Fprint(&b, set, parsed)
	// The printer leaves empty lines where comments were.
	return bytes.Join(bytes.Fields(b.Bytes()), []byte{' '}), err
}

// commit returns the commit of the repository, followed by + if tracked files differ from the
// commit. Files below docs/evidence do not count, because experiments write them. Without a
// repository it returns the empty string.
func commit() string {
	git := func(args ...string) string {
		out, _ := exec.Command("git", args...).Output()
		return strings.TrimSpace(string(out))
	}
	id := git("rev-parse", "--short=12", "HEAD")
	if id != "" && git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/evidence") != "" {
		id += "+"
	}
	return id
}

// marked rewrites each stored finding, restates it, and sets its Earlier field if the engine has
// changed since. It returns the names of the findings that have it set.
func marked(dir, now string) (earlier []string, err error) {
	for _, e := range slices.Concat(experiments, timings) {
		data, err := os.ReadFile(filepath.Join(dir, e.name+".json"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var f finding
		if err := json.Unmarshal(data, &f); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		if f.Earlier = f.Engine != now; f.Earlier {
			earlier = append(earlier, e.name)
		}
		if err := f.restate(); err != nil {
			return nil, err
		}
		if err := f.write(dir); err != nil {
			return nil, err
		}
	}
	return earlier, nil
}

// write writes NAME.md and NAME.json. It replaces an earlier finding of the same name, and
// refuses to replace any other file.
func (f *finding) write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	data, err := f.json()
	if err != nil {
		return err
	}
	earlier := func(old []byte) bool {
		var g finding
		return json.Unmarshal(old, &g) == nil && g.Name == f.Name
	}
	if err := outfile.Replace(filepath.Join(dir, f.Name+".json"), data, earlier); err != nil {
		return err
	}
	return outfile.Replace(filepath.Join(dir, f.Name+".md"), f.markdown(), func(old []byte) bool {
		return bytes.HasPrefix(old, []byte("# "+f.Name+"\n\nAsked: "))
	})
}

// json returns the finding as JSON, with one line for each test.
func (f *finding) json() ([]byte, error) {
	short := *f
	short.Tests = nil
	data, err := json.MarshalIndent(short, "", "  ")
	if err != nil || len(f.Tests) == 0 {
		return append(data, '\n'), err
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(data, []byte("\n}")))
	b.WriteString(",\n  \"tests\": [")
	for i, t := range f.Tests {
		line, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %s", line)
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes(), nil
}
