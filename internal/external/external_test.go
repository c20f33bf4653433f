package external

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/refusal"
	"assay/internal/tomldoc"
	"assay/result"
)

const whole = `
name = "python/json"
format = "json"
title = "JSON of Python"
text = "How it is used."
version = "3.11"
license = "PSF-2.0"
command = ["python3", "runner.py"]
traits = ["schema-free", "standard"]
losses = ["time-micros"]
timeout = "90s"
`

func TestParse(t *testing.T) {
	got, err := Parse("runner.toml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	want := &Contender{
		Name: "python/json", Format: "json", Title: "JSON of Python", Text: "How it is used.", Version: "3.11",
		License: "PSF-2.0", Command: []string{"python3", "runner.py"},
		Traits: []contender.Trait{contender.SchemaFree, contender.Standard},
		Losses: []contender.Loss{contender.TimeMicros}, Timeout: 90 * time.Second,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A run is gone on with only if its runners are what they were, and none came with a run.
func TestAgain(t *testing.T) {
	dir := func(at, text string) string {
		t.Helper()
		if err := os.MkdirAll(at, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, File), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return at
	}
	stored := filepath.Join(t.TempDir(), "20260102-150405-ab12")
	within := dir(filepath.Join(stored, "x"), whole)
	if err := os.WriteFile(filepath.Join(stored, result.RunFile), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(within, link); err != nil {
		link = within // a system without such links
	}
	same := dir(t.TempDir(), whole)
	damaged := dir(t.TempDir(), "name = 1")
	const another, brought = "is another one since run id began; start a new run", ", which may come from somebody else: if you trust it, name it with --runner"
	for _, test := range []struct {
		name, dir string
		named     []string
		want      string
	}{
		{"as it was", same, nil, ""},
		{"another name", dir(t.TempDir(), strings.Replace(whole, "python/json", "python/js", 1)), nil, another},
		{"another format", dir(t.TempDir(), strings.Replace(whole, `format = "json"`, `format = "cbor"`, 1)), nil, another},
		{"another command", dir(t.TempDir(), strings.Replace(whole, "runner.py", "-c", 1)), nil, another},
		{"another text", dir(t.TempDir(), strings.Replace(whole, "How it is used.", "Otherwise.", 1)), nil, ""},
		{"in a run", within, nil, brought},
		{"in a run, through a link", link, nil, brought},
		{"another command, and named", damaged, []string{dir(t.TempDir(), strings.Replace(whole, "runner.py", "-c", 1))}, another},
		{"in a run, and named", within, []string{within}, ""},
		{"moved, and another is in its place", within, []string{same}, ""},
		{"missing, which is reported elsewhere", filepath.Join(same, "none"), nil, ""},
		{"damaged, which is reported elsewhere", damaged, []string{damaged}, ""},
	} {
		run := &result.Run{ID: "id", Plan: result.Plan{Externals: []result.External{
			{Name: "python/json", Format: "json", Dir: test.dir, Command: []string{"python3", "runner.py"}},
		}}}
		err := Again(run, test.named)
		if test.want == "" && err != nil || test.want != "" && (!errors.As(err, new(*refusal.Error)) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// TestParseErrors checks that every error has its position and says what to do.
func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{`name = "python/json"`, ``, `runner.toml:1:1: the key "name" is missing`},
		{`name = "python/json"`, `name = "py json"`, "runner.toml:2:8: name must be a word without spaces"},
		{`name = "python/json"`, `name = ""`, "runner.toml:2:8: name must be some text"},
		{`format = "json"`, `format = "json|cbor"`, "runner.toml:3:10: format must be a word"},
		{`version`, `verzion`, `runner.toml:6:1: unknown key "verzion"; did you mean "version"?`},
		{`["python3", "runner.py"]`, `[]`, "runner.toml:8:11: command must be a list that begins with a program"},
		{`["python3", "runner.py"]`, `"python3 runner.py"`, "runner.toml:8:11: command must be a list"},
		{`["python3", "runner.py"]`, `["python3", 3]`, "runner.toml:8:23: an element of command must be a string"},
		{`"standard"`, `"standart"`, `runner.toml:9:26: "standart" is none of the traits that assay knows; did you mean "standard"?`},
		{`"standard"`, `"schema-free"`, `runner.toml:9:26: "schema-free" is there twice`},
		{`["time-micros"]`, `["time"]`, `runner.toml:10:11: "time" is none of the losses that assay knows`},
		{`["time-micros"]`, `[1]`, "runner.toml:10:11: an element of losses must be a string"},
		{`"90s"`, `"soon"`, "runner.toml:11:11: timeout must be a time of at least 1ms"},
		{`"90s"`, `"0s"`, "runner.toml:11:11: timeout must be a time of at least 1ms"},
		{`"90s"`, `90`, "runner.toml:11:11: timeout must be a string"},
		{`"JSON of Python"`, `"""one
two"""`, "runner.toml:4:9: title must be one line"},
		{`"90s"`, `"90s`, "runner.toml:11:"},
	} {
		text := strings.Replace(whole, test.old, test.new, 1)
		_, err := Parse("runner.toml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.new, err, test.want)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "has no runner.toml") {
		t.Errorf("an empty directory: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, File), []byte(whole), 0o666); err != nil {
		t.Fatal(err)
	}
	if g, err := Read(dir); err != nil || g.Dir != dir {
		t.Errorf("%+v, %v", g, err)
	}
	// The example in the repository.
	if g, err := Read(filepath.Join("..", "..", "examples", "python")); err != nil || g.Name != "python/json" {
		t.Errorf("%+v, %v", g, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("command = [[]]\ntraits = {}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Parse("f", data)
		if err == nil {
			if g.Name == "" || g.Format == "" || len(g.Command) == 0 {
				t.Errorf("incomplete: %+v", g)
			}
			return
		}
		var at *tomldoc.Error
		if !errors.As(err, &at) || at.Line < 1 || at.Col < 1 {
			t.Errorf("an error without a place: %v", err)
		}
	})
}
