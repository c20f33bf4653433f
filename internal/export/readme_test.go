package export

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/cachedir/cachetest"
	"assay/internal/infer"
	"assay/internal/oracle"
	"assay/schema"
)

// README.md shows no values of records, because users commit it and others read it.
func TestReadmeShowsNoValues(t *testing.T) {
	const card, mail, bad, only = "4111111111111111", "ada@example.org", "not-a-number", "Lovelace"
	var sample strings.Builder
	for i := range 30 {
		fmt.Fprintf(&sample, `{"name":%q,"card":%q,"by":{%q:{"n":%d,"m":1},"b@example.org":{"n":2,"m":2}}}`+"\n", only, card, mail, i)
	}
	fmt.Fprintf(&sample, `{"name":%q,"card":%q,"by":{%q:{"n":%q,"m":1}}}`+"\n{\"name\":\"x\"}\n", only, card, mail, bad)
	cond, err := infer.ParseOnly("name=" + only)
	if err != nil {
		t.Fatal(err)
	}
	o := inferred(t, "cards.ndjson", []byte(sample.String()), infer.Options{
		SkipBad: true, Only: []infer.Only{cond}, Overrules: []infer.Overrule{{Path: "by.*.n", Type: "int64"}},
	})
	o.About.Notes = append(o.About.Notes, "a note on the schema")
	values := []string{card, mail, bad, only}

	var reasons strings.Builder
	for _, g := range o.About.Guesses {
		reasons.WriteString(g.Reason)
	}
	for _, v := range values {
		if said := reasons.String() + strings.Join(o.About.Notes, ""); !strings.Contains(said, v) {
			t.Fatalf("no reason and no note shows %q, so that this tests nothing: %s", v, said)
		}
	}
	readme := func() string {
		m := moduleOf(t, o)
		return m.file("README.md")
	}
	got := readme()
	for _, v := range values {
		if strings.Contains(got, v) {
			t.Errorf("README.md shows %q:\n%s", v, got)
		}
	}
	for _, kept := range []string{"- `card` is string; otherwise `--type card=int64`\n", "`assay data infer FILE --details` prints them", "- a note on the schema\n"} {
		if !strings.Contains(got, kept) {
			t.Errorf("README.md lacks %q:\n%s", kept, got)
		}
	}
	o.About.Run, o.About.Show = "20260102-150405-ab12", "assay show 20260102-150405-ab12"
	if got := readme(); !strings.Contains(got, "`assay show 20260102-150405-ab12` prints them") {
		t.Errorf("README.md does not name the run that has the reasons:\n%s", got)
	}
}

// README.md says that the tests read records of the user's only if there are some that they can read.
func TestReadmeOfRecords(t *testing.T) {
	const yours, madeUp = "records of yours, which are in `testdata`", "a made-up record, and records of yours once you write some"
	for _, test := range []struct {
		records []string
		neutral bool
		want    string
	}{
		{[]string{`{"size":1}`}, false, yours},
		{[]string{`{"size":1}`, `{"size":"NaN"}`}, true, yours},
		{[]string{`{"size":"NaN"}`}, true, madeUp},
		{nil, false, madeUp},
	} {
		o := Options{Root: "Node", Neutral: test.neutral, Schema: &schema.Schema{Name: "x", Roots: []string{"Node"}, Messages: []*schema.Message{
			{Name: "Node", Fields: []*schema.Field{{Name: "size", Number: 1, Type: schema.Type{Kind: schema.Float64}}}},
		}}}
		for _, r := range test.records {
			o.Records = append(o.Records, []byte(r))
		}
		m := &Module{Packages: []Package{{Contender: &contender.Contender{Name: "x"}}}}
		if err := m.testdata(o); err != nil {
			t.Fatal(err)
		}
		if got := (&readme{module: m, Options: o}).tested(); !strings.Contains(got, test.want) {
			t.Errorf("of %q: %s; want %q", test.records, got, test.want)
		}
	}
}

// README.md says how to write the module again with the packages that it has.
func TestReadmeAgain(t *testing.T) {
	keys := infer.Spelling{Keys: map[string]string{"X.a": "a,b"}}
	for _, test := range []struct {
		module   string
		names    []string
		spelling infer.Spelling
		want     string
	}{
		{"example.com/x", nil, infer.Spelling{}, "--schema schema/x.toml --out DIR -c CONTENDER"},
		{"example.com/x", []string{"encoding/json"}, infer.Spelling{}, "--schema schema/x.toml --out DIR -c encoding/json"},
		{"corp.example/y", []string{"msgp", "capnp"}, infer.Spelling{}, "--schema schema/x.toml --out DIR --module corp.example/y -c msgp -c capnp"},
		{"example.com/x", []string{"msgp"}, keys, "--schema schema/x.toml FILE --out DIR -c msgp"},
		{"example.com/x", []string{"msgp"}, infer.Spelling{Loose: true}, "--schema schema/x.toml FILE --out DIR -c msgp"},
	} {
		m := &Module{}
		for _, c := range named(t, test.names...) {
			m.Packages = append(m.Packages, Package{c, c.Dir()})
		}
		r := &readme{module: m, Options: Options{Schema: &schema.Schema{Name: "x"}, Module: test.module, Spelling: test.spelling}}
		r.again()
		if got := r.String(); !strings.Contains(got, "\nassay data export "+test.want+"\n") || strings.Contains(got, "FILE is") != strings.Contains(test.want, "FILE") {
			t.Errorf("%v of %s: want %s in\n%s", test.names, test.module, test.want, got)
		}
	}
}

// The commands for the schemas run as README.md has them, and write only to the directory that the user names.
func TestReadmeGenerators(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds generators")
	}
	for _, program := range []string{"protoc", "flatc", "capnp", "sh"} {
		oracle.Path(t, program)
	}
	programs := t.TempDir()
	ours := &writtenModule{dir: "."}
	ours.command(t, "build", "-o", programs+string(filepath.Separator), "google.golang.org/protobuf/cmd/protoc-gen-go", "capnproto.org/go/capnp/v3/capnpc-go")
	t.Setenv("PATH", programs+string(filepath.ListSeparator)+os.Getenv("PATH"))
	capnp, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", capnpModule).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{nil, {"protobuf", "capnp"}} {
		o := samples[0].options(t)
		o.Build.Cache = cachetest.Shared(t)
		o.Contenders = named(t, names...)
		m := moduleOf(t, o)
		dir, out := filepath.Join(t.TempDir(), "module"), t.TempDir()
		if err := m.Write(dir); err != nil {
			t.Fatal(err)
		}
		before := filesIn(t, dir)
		_, commands, _ := strings.Cut(m.file("README.md"), "which write to a directory that exists:\n\n```\n")
		commands, note, _ := strings.Cut(commands, "```\n")
		if says := strings.Contains(note, "STD is the directory `std`"); says != (names == nil) || says != strings.Contains(commands, "-ISTD ") {
			t.Errorf("%v: README.md says where go.capnp is: %t:\n%s", names, says, commands)
		}
		commands = strings.NewReplacer("-ISTD ", "-I"+filepath.Join(strings.TrimSpace(string(capnp)), "std")+" ", "DIR", out).Replace(commands)
		cmd := exec.CommandContext(t.Context(), "sh", "-ec", commands)
		cmd.Dir = dir
		cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOPROXY=off")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s\n%s", names, err, commands, text)
		}
		if d := cmp.Diff(before, filesIn(t, dir)); d != "" {
			t.Errorf("%v: the commands change the module (-before +after):\n%s", names, d)
		}
		for _, name := range []string{"orders/Order.go", "orders.capnp.go"} {
			if !strings.Contains(filesIn(t, out), name+"\n") {
				t.Errorf("%v: there is no %s, but\n%s", names, name, filesIn(t, out))
			}
		}
	}
}

// filesIn lists the files below a directory, each on a line.
func filesIn(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			fmt.Fprintln(&all, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
