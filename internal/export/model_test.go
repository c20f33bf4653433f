package export

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/internal/infer"
	"assay/schema"
	"assay/schema/text"
)

// Without a package, the model has a test that reads the user's records.
func TestModelAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			o := s.options(t)
			m := moduleOf(t, o)
			if out := write(t, m).run(t); !m.Tested() || strings.Count(out, "--- PASS: Test_sample") != 1 {
				t.Errorf("the model's test does not read the sample:\n%s", out)
			}
			if readme := m.file("README.md"); !strings.Contains(readme, "`go test ./...` builds the Go types and reads records of yours") {
				t.Errorf("the README does not name the test:\n%s", readme)
			}
			o.Records = nil
			if m := moduleOf(t, o); m.Tested() || m.written(modelTestFile) {
				t.Error("without records there is a test")
			}
		})
	}
}

// Packages whose library would not read the records themselves have a reader: encoding/json takes keys of any
// case, and protojson takes keys in brackets for extensions.
func TestWhoReadsRecords(t *testing.T) {
	for _, test := range []struct {
		record    string
		said      []infer.Overrule
		json, own bool // protojson, and encoding/json
	}{
		{`{"id":1,"name":"x"}`, nil, true, true},
		{`{"[id]":1,"name":"x"}`, nil, false, true},
		{`{"[id":1,"name":"x"}`, nil, true, true},
		{`{"id":7,"ID":"x7"}`, []infer.Overrule{{Path: "ID", Type: "none"}}, false, false},
	} {
		o := inferred(t, "x.ndjson", []byte(test.record), infer.Options{Overrules: test.said})
		if own := o.direct(named(t, "encoding/json")[0]); own != test.own {
			t.Errorf("%s: encoding/json reads it: %v", test.record, own)
		}
		if byJSON := o.byProtojson(named(t, "protobuf")[0]); byJSON != test.json {
			t.Errorf("%s: protojson reads it: %v", test.record, byJSON)
		}
	}
}

// With a schema that the user gave, the types read the keys of the records, also where the schema has
// them as a struct tag can hold them.
func TestModelKeysOfGivenSchema(t *testing.T) {
	s, err := text.Parse("x.toml", []byte(`name = "x"
roots = ["X"]
[[messages]]
name = "X"
fields = [
  { number = 1, name = "all", type = "[]Event" },
  { number = 2, name = "rest", type = "[]Other" },
]
[[messages]]
name = "Event"
union = true
tag = "ty_pe"
fields = [
  { number = 1, name = "go", type = "*Go", omitempty = true, when = ["a,b"] },
  { number = 2, name = "stop", type = "*Stop", omitempty = true, when = ["stop"] },
]
[[messages]]
name = "Other"
union = true
fields = [
  { number = 1, name = "go", type = "*Go", omitempty = true, when = ["k_1"] },
  { number = 2, name = "stop", type = "*Stop", omitempty = true },
]
[[messages]]
name = "Go"
fields = [ { number = 1, name = "ty_pe", type = "string" }, { number = 2, name = "k_1", type = "int64" } ]
[[messages]]
name = "Stop"
fields = [ { number = 1, name = "ty_pe", type = "string" } ]
`))
	if err != nil {
		t.Fatal(err)
	}
	const sample = `{"all":[{"ty,pe":"a,b","k\"1":1},{"ty,pe":"stop"}],"rest":[{"ty,pe":"","k\"1":2}]}`
	o := inferred(t, "x.json", []byte(sample), infer.Options{Schema: s})
	m := moduleOf(t, o)
	got := strings.Join(strings.Fields(m.file("model/json.go")), " ")
	for _, want := range []string{
		`reflect.TypeFor[Go](): {keys: []string{"ty,pe", "k\"1"}}`, `tag: "ty,pe", when: [][]string{{"a,b"}, {"stop"}}`, `tag: "", when: [][]string{{"k\"1"}, {}}`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the types lack %s:\n%s", want, got)
		}
	}
	// The made-up record is one that these types read.
	example, err := json.Marshal(o.example(schema.Type{Kind: schema.MessageKind, Ref: o.Root}, nil))
	if err != nil || !strings.Contains(string(example), `"ty,pe":"a,b"`) || strings.Contains(string(example), "ty_pe") {
		t.Errorf("the example is %s (%v)", example, err)
	}
}
