// Package external reads runner.toml, the file in a directory outside of the repository that
// describes an external contender: a contender with its own runner. PROTOCOL.md describes the
// protocol of such runners.
package external

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"assay/contender"
	"assay/internal/plaintext"
	"assay/internal/tomldoc"
	"assay/internal/userfile"
)

// File is the name of the file in the directory.
const File = "runner.toml"

// A Contender is an external contender.
type Contender struct {
	// Dir is the directory as the user named it. The runner is started in it.
	Dir string
	// Name is the contender's name in its bindings and in all tables.
	Name string
	// Format is the same as in contender.Contender: contenders of one format read one another's
	// bytes.
	Format string
	// Title describes the contender in one line.
	Title string
	// Text is a paragraph that says how the library is used and why. It may be empty.
	Text string
	// Version is the version of the library. If it is empty, the version of the first module that
	// the runner reports is used.
	Version string
	// License is the SPDX identifier of the library's license, or empty.
	License string
	// Command starts the runner: a program, which is looked up on PATH unless its
	// name has a slash, and its arguments.
	Command []string
	Traits  []contender.Trait
	// Losses are the known losses of its round trip.
	Losses []contender.Loss
	// Timeout is the longest wait for an answer; 0: 15 seconds.
	Timeout time.Duration
}

// Read reads the file of a directory. Errors in its content are an errors.Join of *tomldoc.Error,
// each with its position.
func Read(dir string) (*Contender, error) {
	if info, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no directory %s; name the one that has the %s of a contender", dir, File)
	} else if err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is no directory; name the one that has the %s of a contender", dir, File)
	}
	file := filepath.Join(dir, File)
	data, err := userfile.ReadRegular(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no %s, which says what contender is there and how its runner is started: PROTOCOL.md has an example", dir, File)
	}
	if err != nil {
		return nil, err
	}
	g, err := Parse(file, data)
	if err != nil {
		return nil, err
	}
	g.Dir = dir
	return g, nil
}

// Parse reads the text of a runner.toml. name is the file's name in errors.
func Parse(name string, data []byte) (*Contender, error) {
	t, err := tomldoc.Parse(name, data)
	if err != nil {
		return nil, err
	}
	t.Only("name", "format", "title", "text", "version", "license", "command", "traits", "losses", "timeout")
	t.Need("name", "format", "title", "command")
	g := &Contender{
		Name: word(t, "name"), Format: word(t, "format"), Title: line(t, "title"), Text: t.Text("text"),
		Version: line(t, "version"), License: line(t, "license"), Command: t.Strings("command"),
		Traits: declared(t, "traits", traits()), Losses: declared(t, "losses", losses()),
	}
	if t.Has("command") && (len(g.Command) == 0 || g.Command[0] == "") {
		t.Wrong("command", `a list that begins with a program, such as ["python3", "runner.py"]`)
	}
	if s, ok := t.Lookup("timeout"); ok {
		if g.Timeout, err = time.ParseDuration(s); err != nil || g.Timeout < time.Millisecond {
			t.Wrong("timeout", `a time of at least 1ms, such as "90s"`)
		}
	}
	return g, t.Err()
}

// word returns the text of a key and rejects characters that are unsuitable in tables and
// patterns.
func word(t tomldoc.Table, key string) string {
	s := t.Text(key)
	if strings.ContainsFunc(s, plaintext.Odd) {
		t.Wrong(key, "a word without spaces, such as python/json")
	}
	return s
}

// line returns the text of a key, which must be one line.
func line(t tomldoc.Table, key string) string {
	s := t.Text(key)
	if strings.ContainsFunc(s, unicode.IsControl) {
		t.Wrong(key, "one line")
	}
	return s
}

// traits returns the traits that assay explains.
func traits() []contender.Trait {
	var all []contender.Trait
	for _, w := range contender.Traits {
		all = append(all, w.Trait)
	}
	return all
}

// losses returns the losses that assay explains.
func losses() []contender.Loss {
	var all []contender.Loss
	for _, w := range contender.Losses {
		all = append(all, w.Loss)
	}
	return all
}

// declared returns the list of a key, whose elements must be among known and unique.
func declared[T ~string](t tomldoc.Table, key string, known []T) []T {
	var names []string
	for _, k := range known {
		names = append(names, string(k))
	}
	slices.Sort(names)
	var out []T
	for _, item := range t.List(key) {
		s, ok := item.Value.(string)
		if !ok {
			t.Fail(item.Offset, "an element of %s must be a string", key)
			continue
		}
		switch {
		case slices.Contains(out, T(s)):
			t.Fail(item.Offset, "%q is there twice", s)
		case !slices.Contains(known, T(s)):
			hint := tomldoc.Suggest(s, names)
			if hint == "" {
				hint = "; they are " + strings.Join(names, ", ")
			}
			t.Fail(item.Offset, "%q is none of the %s that assay knows%s", s, key, hint)
		default:
			out = append(out, T(s))
		}
	}
	return out
}
