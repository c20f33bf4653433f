package infer

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/schema/text"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// Samples like those of users give the results in their golden files.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("testdata/samples/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			sources, done, err := Files(t.Context(), []string{file}, nil, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			r, err := JSON(sources, Options{})
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			accepts(t, r, data)
			golden(t, filepath.Join("testdata", "golden", filepath.Base(file)+".txt"), describe(t, r))
		})
	}
}

// describe writes everything in a result.
func describe(t *testing.T, r *Result) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d records, %d bytes\n\n", r.Records, r.Bytes)
	for _, g := range r.Guesses {
		fmt.Fprintf(&b, "guess  %s\n       is %s: %s\n       %s\n", g.Path, g.Decision, g.Reason, g.Overrule)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note   %s\n", n)
	}
	fmt.Fprintf(&b, "\n%s\n", text.Format(r.Schema))
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("-file +now; -update rewrites the file\n%s", diff)
	}
}
