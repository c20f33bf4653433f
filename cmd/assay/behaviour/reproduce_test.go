package behaviour

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/internal/cli"
	"assay/internal/measure"
	"assay/result"
)

// storedSources makes a finished run of the source movie with one benchmark. It returns the
// results directory and the run.
func storedSources(t *testing.T, planned ...string) (results string, run *result.Run) {
	t.Helper()
	results = t.TempDir()
	run = &result.Run{Started: time.Now(), Plan: result.Plan{Budget: time.Minute, Sources: planned, Reference: measure.Reference}}
	store, err := result.Create(results, run)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		b := &result.Bench{Set: "sources/movie", Name: "encode/record=one/json", Round: round, Benchtime: "1s", N: 1000, NS: 290.5, Bytes: 112, Allocs: 1}
		if err := store.Append(result.Record{Bench: b}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Finish(run); err != nil {
		t.Fatal(err)
	}
	return results, run
}

func TestReproduceStored(t *testing.T) {
	results, run := storedSources(t, "movie")
	stdout, stderr, code := assayed(t, "reproduce", "--details", "--run", "latest", "--results", results)
	if code != cli.ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, part := range []string{"movie: ", "BenchmarkSerializeToXML-8", "1.17 µs", "published █"} {
		if !strings.Contains(stdout, part) {
			t.Errorf("no %q in\n%s", part, stdout)
		}
	}
	dir := filepath.Join(results, run.ID)
	if left, err := filepath.Glob(filepath.Join(dir, "*movie*")); err != nil || len(left) > 0 || strings.Contains(stderr, "written") {
		t.Errorf("printing a stored run left %q in it, %v: %s", left, err, stderr)
	}
	if md := printed(t, "reproduce", "--run", "latest", "--results", results, "--format", "md", "-q"); strings.Contains(md, "![") {
		t.Errorf("a page without files links to charts:\n%s", md)
	}
	dir = filepath.Join(t.TempDir(), "here")
	if _, stderr, code = assayed(t, "reproduce", "--run", "latest", "--results", results, "--out", dir); code != cli.ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, name := range []string{"movie-speed.svg", "movie-size.svg", "movie.csv"} {
		if !strings.Contains(stderr, name) || !strings.Contains(stderr, dir) {
			t.Errorf("standard error does not name %s in %s: %s", name, dir, stderr)
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if filepath.Ext(name) != ".svg" {
			continue
		}
		d := xml.NewDecoder(strings.NewReader(string(data)))
		for err == nil {
			_, err = d.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}

	out := filepath.Join(t.TempDir(), "a", "charts")
	md := printed(t, "reproduce", "movie", "--run", run.ID, "--results", results, "--format", "md", "--out", out, "-q")
	if !strings.Contains(md, "](charts/movie-speed.svg)") {
		t.Errorf("no chart in\n%s", md)
	}
	if _, err := os.Stat(filepath.Join(out, "movie-speed.svg")); err != nil {
		t.Error(err)
	}
	var got struct {
		Schema int
		Run    any
		Rows   []map[string]any
	}
	decode(t, printed(t, "reproduce", "--run", run.ID, "--results", results, "--format", "json", "-q"), &got)
	if got.Schema != 1 || len(got.Rows) == 0 {
		t.Errorf("schema %d, %d rows", got.Schema, len(got.Rows))
	}
}

func TestReproduceRefuses(t *testing.T) {
	results, run := storedSources(t, "movie")
	others, other := storedSources(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"movies"}, cli.ExitUsage, `there is no source "movies" (did you mean "movie"?)`},
		{[]string{"abc"}, cli.ExitUsage, "there are: chain, customer, movie, sizes, tick"},
		{[]string{"--format", "xml"}, cli.ExitUsage, `--format is "xml"`},
		{[]string{"--budget", "-1s"}, cli.ExitUsage, "--budget is -1s; it must be positive"},
		{[]string{"--run", run.ID, "--quick"}, cli.ExitUsage, "--run prints what is stored; it cannot be combined with --quick"},
		{[]string{"--resume", run.ID, "--seed", "2"}, cli.ExitUsage, "--resume goes on with what was planned; it cannot be combined with --seed"},
		{[]string{"--run", run.ID, "--with", "example.com/m@v1.0.0"}, cli.ExitUsage, "--run prints what is stored; it cannot be combined with --with"},
		{[]string{"--resume", "nope", "--results", results, "--with", "example.com/m@v1.0.0"}, cli.ExitUsage, `there is no run "nope"`},
		{[]string{"--resume", run.ID, "movie"}, cli.ExitUsage, "it takes no SOURCE"},
		{[]string{"--resume", run.ID, "--results", results}, cli.ExitUsage, "is complete"},
		{[]string{"tick", "--run", run.ID, "--results", results}, cli.ExitUsage, "has nothing of tick; assay reproduce tick measures it"},
		{[]string{"--run", other.ID, "--results", others}, cli.ExitUsage, "is not one of assay reproduce"},
		{[]string{"--with", "protobuf"}, cli.ExitUsage, "--with: "},
		{[]string{"--run", "nope", "--results", results}, cli.ExitUsage, `there is no run "nope"`},
		{[]string{"--run", run.ID, "--results", results, "--out", file}, cli.ExitUsage, "is no directory; name one that is, or is not there yet"},
	} {
		_, stderr, code := assayed(t, append([]string{"reproduce"}, test.args...)...)
		if code != test.code || !strings.Contains(stderr, test.want) {
			t.Errorf("assay reproduce %s: exit code %d, want %d with %q: %s", strings.Join(test.args, " "), code, test.code, test.want, stderr)
		}
	}
}

// assay reproduce overwrites its own charts and rows, but no file that somebody else wrote or
// changed.
func TestReproduceWritesOverItsOwn(t *testing.T) {
	results, _ := storedSources(t, "movie")
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"reproduce", "--run", "latest", "--results", results, "--out", out}
	printed(t, args...)
	printed(t, args...)
	for name, want := range map[string]int{"movie.csv": cli.ExitUsage, "movie-speed.svg": cli.ExitFailed} {
		file := filepath.Join(out, name)
		made, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("precious"), 0o666); err != nil {
			t.Fatal(err)
		}
		_, stderr, code := assayed(t, args...)
		if code != want || !strings.Contains(stderr, file+": assay did not write that, or it was changed since") {
			t.Errorf("%s: exit code %d, want %d: %s", name, code, want, stderr)
		}
		if data, err := os.ReadFile(file); string(data) != "precious" {
			t.Errorf("%s holds %q, %v", name, data, err)
		}
		if err := os.WriteFile(file, made, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
