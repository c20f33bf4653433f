package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEngine checks that the fingerprint changes with the code, and does not change with
// comments, white space or tests.
func TestEngine(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	print := func() string {
		t.Helper()
		s, err := engine(dir)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if _, err := engine(dir); err == nil || !strings.Contains(err.Error(), "no package bench") {
		t.Errorf("of nothing: %v", err)
	}
	for _, part := range engineParts {
		put(part+"/a.go", "// Package a.\npackage a\n\nconst x = 1 // one\n")
	}
	first := print()
	put("bench/a.go", "// Package a is another text.\n//\n// It has more lines.\npackage a\n\n\n// x is x.\nconst x = 1\n")
	put("bench/a_test.go", "package a\n\nconst y = 2\n")
	if now := print(); now != first {
		t.Error("a comment or a test changes the fingerprint")
	}
	put("internal/plan/a.go", "package a\n\nconst x = 2\n")
	if now := print(); now == first {
		t.Error("another constant does not change the fingerprint")
	}
}

// TestMarked checks that marked flags the findings of another engine, on their pages too, and
// keeps their numbers.
func TestMarked(t *testing.T) {
	dir := t.TempDir()
	f := &finding{Name: "wait", Bar: "b", Head: []string{"x"}, Engine: "1", Commit: "c", Tests: []test{{Place: "p", Row: "r", Value: 1.5, Lo: 1, Hi: 2, Truth: 1}, {Repeat: 3}}}
	if err := f.write(dir); err != nil {
		t.Fatal(err)
	}
	for _, now := range []string{"1", "2", "1"} {
		names, err := marked(dir, now)
		if err != nil || (len(names) == 1) != (now == "2") {
			t.Fatalf("by engine %s: %v, %v", now, names, err)
		}
		data, err := os.ReadFile(filepath.Join(dir, "wait.json"))
		if err != nil {
			t.Fatal(err)
		}
		var got finding
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		want := *f
		want.Earlier = now == "2"
		if diff := cmp.Diff(&want, &got); diff != "" {
			t.Errorf("by engine %s (-want +got):\n%s", now, diff)
		}
		text, err := os.ReadFile(filepath.Join(dir, "wait.md"))
		if err != nil || strings.Contains(string(text), "has changed since") != (now == "2") {
			t.Errorf("by engine %s the page is\n%s", now, text)
		}
	}
}
