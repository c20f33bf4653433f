package cachetest

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestCode checks that the key changes with everything that a test could notice, and with nothing
// else.
func TestCode(t *testing.T) {
	const source = "package p\n\nfunc f() int {\n\treturn 1\n}\n"
	key := func(change func(files fstest.MapFS), also ...string) string {
		t.Helper()
		files := fstest.MapFS{}
		for name, text := range map[string]string{
			"go.mod": "module m\n", "p/p.go": source, "p/testdata/t.go": source, "p/testdata/want.md": "text", "README.md": "text",
			"docs/run.json": "{}", ".git/index": "1", "p/list.txt": "a",
		} {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		change(files)
		h := sha256.New()
		if err := code(h, files); err != nil {
			t.Fatal(err)
		}
		if err := documents(h, files, also); err != nil {
			t.Fatal(err)
		}
		return string(h.Sum(nil))
	}
	set := func(name, text string) func(fstest.MapFS) {
		return func(files fstest.MapFS) { files[name] = &fstest.MapFile{Data: []byte(text)} }
	}
	as := key(func(fstest.MapFS) {})
	for name, text := range map[string]string{
		"p/p.go":        "// Package p is explained.\npackage p\n\n// f is\n// one.\nfunc f() int {\n\t/* always */ return  1 // of two\n}\n",
		"README.md":     "more",
		"docs/run.json": "[]",
		".git/index":    "2",
	} {
		if key(set(name, text)) != as {
			t.Errorf("%s is no part of the code, and changes the key", name)
		}
	}
	for name, text := range map[string]string{
		"go.mod":             "module m\n\ngo 1.26\n",
		"p/p.go":             strings.Replace(source, "1", "2", 1),
		"p/q.go":             "package p\n",
		"p/testdata/t.go":    "// A comment in test data.\n" + source,
		"p/testdata/want.md": "other",
		"p/list.txt":         "b",
	} {
		if key(set(name, text)) == as {
			t.Errorf("%s has changed, and the key has not", name)
		}
	}
	for _, changed := range []string{"//go:build linux\n\n" + source, strings.Replace(source, "return 1", "return\n1", 1), source + "// Output: 1\n", "package p \""} {
		if key(set("p/p.go", changed)) == as {
			t.Errorf("the key is the same with\n%s", changed)
		}
	}
	nothing := func(fstest.MapFS) {}
	if key(nothing, "README.md") == key(set("README.md", "more"), "README.md") || key(nothing, "docs") == key(set("docs/run.json", "[]"), "docs") {
		t.Error("a document that the test reads has changed, and the key has not")
	}
}

// TestPassed checks that passed finds recent keys, and that pass drops the oldest ones.
func TestPassed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "test")
	if passed(file, "a") {
		t.Error("it passed before it was there")
	}
	for _, key := range strings.Split("abcdefghi", "") {
		if err := pass(file, key); err != nil {
			t.Fatal(err)
		}
	}
	for key, want := range map[string]bool{"a": false, "b": true, "i": true, "x": false} {
		if passed(file, key) != want {
			t.Errorf("%s has passed: %t", key, !want)
		}
	}
}

// TestIdentity checks that another version of a program at the same path has another identity.
func TestIdentity(t *testing.T) {
	const name = "assay-oracle.exe"
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if got := identity(name); got != "none" {
		t.Errorf("a program that is not there is %s", got)
	}
	var all []string
	for _, text := range []string{"one", "three"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		all = append(all, identity(name))
	}
	if all[0] == "none" || all[0] == all[1] {
		t.Errorf("two versions are %q", all)
	}
}

// TestBuilt checks that the build settings are known. They belong to the key: a test has passed
// with the race detector only if it ran with it.
func TestBuilt(t *testing.T) {
	if !slices.ContainsFunc(built(), func(s debug.BuildSetting) bool { return s.Key == "GOOS" && s.Value == runtime.GOOS }) {
		t.Errorf("the settings are %v", built())
	}
}
