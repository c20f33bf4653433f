package gotype

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/infer"
	"assay/schema/text"
)

var update = flag.Bool("update", false, "write the golden files")

const user = "testdata/user"

// golden compares a text with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// read reads a type of the test module.
func read(t *testing.T, o Options) (*Result, error) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds a program with the user's types")
	}
	o.Dir = user
	r, err := Read(t.Context(), o)
	if r != nil {
		t.Cleanup(func() {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return r, err
}

func neutralOf(t *testing.T, r *Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
	return b.String()
}

// describe writes everything in a result.
func describe(t *testing.T, r *Result) string {
	t.Helper()
	var b strings.Builder
	b.Write(text.Format(r.Schema))
	fmt.Fprintf(&b, "\n# %s is %s, %d records\n", r.Type, r.Root, r.Records)
	for _, m := range r.Methods {
		fmt.Fprintf(&b, "# methods of %s: %s %s\n", m.Type, strings.Join(m.Names, ", "), m.Use)
	}
	for _, g := range r.Guesses {
		fmt.Fprintf(&b, "# guess: %s: %s: %s\n", g.Path, g.Decision, g.Reason)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "# note: %s\n", n)
	}
	b.WriteString(neutralOf(t, r))
	return b.String()
}

// sources returns sources for JSON texts.
func sources(texts ...string) []infer.Source {
	var list []infer.Source
	for i, s := range texts {
		list = append(list, infer.Bytes(fmt.Sprintf("s%d", i+1), []byte(s)))
	}
	return list
}

func TestGolden(t *testing.T) {
	before := tree(t)
	orders, err := os.ReadFile("testdata/order.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		golden  string
		options Options
	}{
		{"order.golden", Options{Type: "./internal/model.Order", Samples: sources(string(orders))}},
		{"function.golden", Options{Type: "./internal/model.Sample", Name: "made"}},
		{"main.golden", Options{Type: "./cmd/tool.config", Samples: sources(`[{"name":"a","args":["b"]},{}]`)}},
		{"unexported.golden", Options{Type: "example.com/user/internal/model.small", Samples: sources(`{"A":1}{"b":2}`)}},
		{"generic.golden", Options{Type: "./internal/model.Orders", Samples: sources(`{"items":[{"id":7,"price":"0.0","loose":1}]}`)}},
	}
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			r, err := read(t, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, tt.golden, describe(t, r))
		})
	}
	if d := cmp.Diff(before, tree(t)); d != "" {
		t.Errorf("the user's tree changed:\n%s", d)
	}
}

// tree returns the files of the user's module.
func tree(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(user, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestErrors(t *testing.T) {
	one := sources(`{}`)
	silent := func(texts ...string) Options {
		return Options{Type: "./internal/model.Silent", Samples: sources(texts...)}
	}
	tests := []struct {
		name    string
		options Options
		want    string // the error must contain each line
	}{
		{"nothing", Options{Samples: one}, "./internal/model.Order"},
		{"no type", Options{Type: "./internal/model", Samples: one}, "names a package and no type"},
		{"not there", Options{Type: "./none.Order", Samples: one}, "none"},
		{"misspelled", Options{Type: "./internal/model.Ordr", Samples: one}, "has no type Ordr; near it is Order"},
		{"does not compile", Options{Type: "./broken.Order", Samples: one}, "does not compile\nbroken.go:7:\nMissing"},
		{"generic", Options{Type: "./internal/model.Page", Samples: one}, "type parameters"},
		{"no struct", Options{Type: "./internal/model.Text", Samples: one}, "must be structs"},
		{"a constant", Options{Type: "./internal/model.StatusNew", Samples: one}, "neither a type nor a function"},
		{"function with samples", Options{Type: "./internal/model.Sample", Samples: one}, "give no samples"},
		{"type without samples", Options{Type: "./internal/model.Order"}, "--sample"},
		{"function of something", Options{Type: "./internal/model.Few"}, "func() []T"},
		{"function that fails", Options{Type: "./internal/model.Failing"}, "no sample today"},
		{"no field", Options{Type: "./internal/model.Nothing", Samples: one}, "Nothing.Done (a channel)\nNothing.priv"},
		{"no JSON", silent(`{"Loud":"a"}`, `{"Loud"}`), "s2:1:8"},
		{"own error", Options{Type: "./internal/model.Order", Samples: sources("{}\n{\"status\":\"lost\"}")}, "s1:2:1: no status is called \"lost\""},
		{"wrong kind", Options{Type: "./internal/model.Order", Samples: sources("{\n \"id\":\"x\"}")}, "s1:2:\nint64"},
		{"panic", silent(`{"Loud":"a"}`, `{"Loud":"panic"}`), "s2:1:1: the type's own code panics: oops"},
		{"death", silent("{\"Loud\":\"a\"}\n{\"Loud\":\"stop\"}"), "s1:2:1: while this record is decoded\npanic: beyond recovery"},
		{"exit", silent("{\"Loud\":\"a\"}\n{\"Loud\":\"exit\"}"), "s1:2:1: while this record is decoded, the program with your type ended before it answered"},
		{"function that exits", Options{Type: "./internal/model.Leaving"}, "the program with your type ended before it answered"},
		{"empty", silent(""), "there are no records"},
		{"nil element", Options{Type: "./internal/model.Order", Samples: sources(`{"tags":[null],"price":"0.0","loose":1}`)}, "s1:1:1: model.Order.Sound.Tags: a nil pointer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := read(t, tt.options)
			if err == nil {
				t.Fatal("no error")
			}
			for line := range strings.Lines(tt.want) {
				if line = strings.TrimSuffix(line, "\n"); !strings.Contains(err.Error(), line) {
					t.Errorf("error %q\nlacks %q", err, line)
				}
			}
		})
	}
}

func TestNoModule(t *testing.T) {
	_, err := Read(t.Context(), Options{Dir: t.TempDir(), Type: "./x.Order", Samples: sources(`{}`)})
	if err == nil || !strings.Contains(err.Error(), "in no Go module") {
		t.Errorf("error is %v", err)
	}
}

// written has records of model.Written.
const written = `{"attrs":{"a":[1, 2]},"more":7,"sum":"00ff"}{"attrs":"x","sum":""}{"sum":"01"}`

// Bytes with MarshalJSON are what the method returns.
func TestWritten(t *testing.T) {
	r, err := read(t, Options{Type: "./internal/model.Written", Samples: sources(written)})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"attrs":"{\"a\":[1,2]}","more":"7","sum":"00ff"}
{"attrs":"\"x\"","more":null,"sum":""}
{"attrs":"null","more":null,"sum":"01"}
`
	if d := cmp.Diff(want, neutralOf(t, r)); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
}

func TestSkipBad(t *testing.T) {
	o := Options{Type: "./internal/model.Silent", SkipBad: true, Samples: sources("{\"Loud\":\"a\"}\n{\"Loud\":\"panic\"}\n{\"Loud\"}\n{\"Loud\":\"b\"}")}
	r, err := read(t, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Records != 2 || r.BadCount != 2 || r.Bad[0].Line != 2 {
		t.Errorf("%d records, %d bad ones: %v", r.Records, r.BadCount, r.Bad)
	}
	if got, want := neutralOf(t, r), "{\"Loud\":{\"Name\":\"a\"}}\n{\"Loud\":{\"Name\":\"b\"}}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSplit(t *testing.T) {
	tests := []struct{ name, pattern, object string }{
		{"./internal/model.Order", "./internal/model", "Order"},
		{"Order", ".", "Order"},
		{".Order", ".", "Order"},
		{"..Order", ".", "Order"},
		{"k8s.io/api/core/v1.Pod", "k8s.io/api/core/v1", "Pod"},
		{"gopkg.in/yaml.v3.Node", "gopkg.in/yaml.v3", "Node"},
		{"time.Time", "time", "Time"},
		{"./internal/model", "", ""},
		{"", "", ""},
		{"a.", "", ""},
	}
	for _, tt := range tests {
		pattern, object, err := split(tt.name)
		if pattern != tt.pattern || object != tt.object || (err != nil) != (tt.object == "") {
			t.Errorf("split(%q) = %q, %q, %v", tt.name, pattern, object, err)
		}
	}
}
