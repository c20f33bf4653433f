package scaffold

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contenders"
	"assay/internal/cachedir/cachetest"
	"assay/internal/refusal"
)

func refused(err error) bool { return errors.As(err, new(*refusal.Error)) }

func TestCheck(t *testing.T) {
	for _, test := range []struct{ name, format, want string }{
		{"acme/cbor", "cbor", ""},
		{"yaml/v5", "yaml", ""},
		{"fxamacker-cbor", "cbor", "there is a contender of that name: assay explain fxamacker/cbor"},
		{"lib", "JSON", "the format JSON is called json here"},
		{"MsgPack", "msgpack", ""},
		{"", "json", "no letters"},
		{"—", "json", "no letters"},
		{"my lib", "json", "has spaces"},
		{"lib\n", "json", "has spaces"},
		{"lib(x)", "json", "has spaces"},
		{"lib^2", "json", "has spaces"},
		{`"lib"`, "json", "has spaces"},
		{"../../lib", "json", "has an empty part"},
		{"/lib", "json", "has an empty part"},
		{"lib/", "json", "has an empty part"},
		{"7bit", "json", "begins with a digit"},
		{"go", "json", `gives the package name "go"`},
		{"test-data", "json", `gives the package name "testdata"`},
		{"aux", "json", `gives the package name "aux"`},
		{"emit", "json", "the file of the emitter"},
		{"Contender", "json", `gives the package name "contender"`},
		{"-only", "json", "begins with a dash"},
		{"lib", "", `the format is ""`},
		{"lib", "j son", `the format is "j son"`},
	} {
		err := Contender{Name: test.name, Format: test.format}.Check()
		if (err == nil) != (test.want == "") || err != nil && (!refused(err) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q of format %q: %v, want %q", test.name, test.format, err, test.want)
		}
	}
}

func TestSetModule(t *testing.T) {
	for text, want := range map[string]string{
		"github.com/fxamacker/cbor/v2@v2.9.0": "",
		"example.com/lib@v1.2.3-rc.1":         "",
		"example.com/lib@v2.0.0+incompatible": "",
		"example.com/lib":                     "names no version",
		"example.com/lib@":                    "names no version",
		"example.com/lib@latest":              "no exact version",
		"example.com/lib@v1":                  "no exact version",
		"example.com/lib/v2@v1.0.0":           "should be v2",
		"example.com/l ib@v1.0.0":             "malformed",
		"../lib@v1.0.0":                       "malformed",
	} {
		var c Contender
		err := c.SetModule(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if err == nil && c.Module+"@"+c.Version != text {
			t.Errorf("%s became %s and %s", text, c.Module, c.Version)
		}
	}
}

func TestRoot(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("good/go.mod", "module assay\n")
	write("good/contender/emit/emit.go", "package emit\n")
	write("good/internal/x/x.go", "package x\n")
	write("partial/go.mod", "module assay\n")
	write("other/go.mod", "module example.com/other\n")
	write("none/file", "")
	for in, want := range map[string]string{
		"good":            "",
		"good/internal/x": "",
		"partial":         "no contender/emit",
		"other":           "the root of the module example.com/other",
		"none":            "has a go.mod",
	} {
		root, err := Root(filepath.Join(dir, filepath.FromSlash(in)))
		if want == "" {
			if err != nil || root != filepath.Join(dir, "good") {
				t.Errorf("%s: %s, %v", in, root, err)
			}
		} else if !refused(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

// TestWriteTwice checks that Write does not overwrite an existing directory.
func TestWriteTwice(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "contenders"), 0o777); err != nil {
		t.Fatal(err)
	}
	c := Contender{Name: "acme/lib", Format: "json"}
	files, err := Write(root, c)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.FromSlash("contenders/acmelib/acmelib.go"), filepath.FromSlash("contenders/acmelib/emit.go")}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Error(diff)
	}
	if _, err := Write(root, c); !refused(err) || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("the second time: %v", err)
	}
}

// TestWriteFails checks that Write leaves nothing behind if a file cannot be written, so that the
// next try does not find an existing directory.
func TestWriteFails(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "contenders"), 0o777); err != nil {
		t.Fatal(err)
	}
	c := Contender{Name: strings.Repeat("a", 254), Format: "json"} // the name of a file is too long with .go
	for range 2 {
		if _, err := Write(root, c); err == nil || refused(err) {
			t.Errorf("error = %v", err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(root, "contenders")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// place matches the beginning of a comment that marks a place to change.
var place = regexp.MustCompile(`// CHANGE (\d+) of (\d+): `)

// TestPlaces checks that the places to change are numbered through both files.
func TestPlaces(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "contenders"), 0o777); err != nil {
		t.Fatal(err)
	}
	files, err := Write(root, Contender{Name: "acme/lib", Format: "json"})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range place.FindAllStringSubmatch(string(text), -1) {
			if n++; m[1] != strconv.Itoa(n) || m[2] != strconv.Itoa(Places) {
				t.Errorf("%s: place %d is %q", file, n, m[0])
			}
		}
	}
	if n != Places {
		t.Errorf("%d places, want %d", n, Places)
	}
}

// TestChanged checks that no contender has an unchanged place.
func TestChanged(t *testing.T) {
	for _, c := range contenders.All() {
		files, err := filepath.Glob(filepath.Join("..", "..", "contenders", c.Dir(), "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s has no files: %v", c.Name, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if left := place.Find(text); left != nil {
				t.Errorf("%s has %q: change what it says, and remove the comment's beginning", file, left)
			}
		}
	}
}

// TestRemove checks that remove keeps the files of others.
func TestRemove(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "d"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ours", "theirs"} {
		if err := os.WriteFile(filepath.Join(root, "d", name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := remove(root, "d", []string{filepath.Join("d", "ours")}); err == nil {
		t.Error("the directory was removed with what is in it")
	}
	left, err := os.ReadDir(filepath.Join(root, "d"))
	if err != nil || len(left) != 1 || left[0].Name() != "theirs" {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestWorks checks in a copy of the whole tree that the written contender compiles, is listed,
// and passes the conformance test, both unchanged and filled in as in CONTRIBUTING.md.
func TestWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("copies and compiles the tree")
	}
	root := t.TempDir()
	top, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range top {
		from, to := filepath.Join("../..", e.Name()), filepath.Join(root, e.Name())
		switch {
		case e.Name()[0] == '.':
		case e.IsDir():
			err = os.CopyFS(to, os.DirFS(from))
		default:
			var data []byte
			if data, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, data, 0o666)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c := Contender{Name: "Acme/Lib-2", Format: "json", Module: "example.com/lib", Version: "v1.0.0"}
	if _, err := Write(root, c); err != nil {
		t.Fatal(err)
	}
	yaml := Contender{Name: "my/yaml", Format: "yaml", Module: "gopkg.in/yaml.v3", Version: "v3.0.1"}
	files, err := Write(root, yaml)
	if err != nil {
		t.Fatal(err)
	}
	change(t, filepath.Join(root, files[0]),
		"contender.NaNInf, contender.BadUTF8, contender.TimeYears", "contender.NilEmpty, contender.NegZero, contender.TimeYears, contender.Newline, contender.Syntax")
	change(t, filepath.Join(root, files[1]),
		`emit.Tag("json")`, `emit.Tag("yaml")`,
		`"encoding/json"`, `"gopkg.in/yaml.v3"`,
		`"out, err = json.Marshal(in[i])"`, `"out, err = yaml.Marshal(in[i])"`,
		`"v = new($T)\nerr = json.Unmarshal(data, v)"`, `"v = new($T)\nerr = yaml.Unmarshal(data, v)"`)
	// go vet checks the new packages, and makes more checks than go test does. go test is run with
	// -vet=off, because it would check every package below the tests. With the flags of runners, the
	// packages do not depend on the directory, and those that are compiled already are not compiled
	// again.
	for _, args := range [][]string{
		{"run", "./internal/generate/tables"},
		{"run", "./internal/generate", c.Name, yaml.Name},
		{"vet", "./contenders/acmelib2/...", "./contenders/myyaml/..."},
		{"test", "-vet=off", "-short", "./contenders", "-run=TestGenerated", "-only=" + c.Name + "," + yaml.Name, "-update"},
		{"test", "-vet=off", "-short", "./contenders", "-run=TestGenerated", "-only=" + c.Name + "," + yaml.Name},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = root
		cmd.Env = append(cmd.Environ(), "GOFLAGS="+strings.Join(cachetest.BuildFlags, " "), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	table, err := os.ReadFile(filepath.Join(root, "contenders", "all.go"))
	if err != nil || !strings.Contains(string(table), "acmelib2.Contender,") {
		t.Errorf("it is not in the table: %v", err)
	}
	for _, dir := range []string{"acmelib2", "myyaml"} {
		bindings, err := filepath.Glob(filepath.Join(root, "contenders", dir, "gen", "*", "bind.go"))
		if err != nil || len(bindings) == 0 {
			t.Errorf("%s: no code was generated: %v, %v", dir, bindings, err)
		}
	}
}

// change replaces texts of a file, each of which must occur once. pairs are old, new, old, new,
// and so on.
func change(t *testing.T, file string, pairs ...string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%s has %s %d times, want once", file, pairs[i], strings.Count(text, pairs[i]))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
