//go:build !generated

package contenders_test

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/contender"
	"assay/contenders"
	"assay/internal/codegen"
	"assay/schema"
	"assay/workload/builtin"
)

// whole are the contenders whose default mode copies the whole message before it reads it. Their
// mode strings=alias leaves that out for every schema.
var whole = []string{"hyperpb", "sonic"}

// A mode that is about strings, bytes, maps, times or a profile is refused for a schema without them, with the
// reason, and for no other schema.
func TestModesAreAboutSomething(t *testing.T) {
	counts := schema.Type{Kind: schema.Int64}
	for _, test := range []struct {
		axis string
		has  []schema.Type // the mode changes each of them for some contender
	}{
		{"strings=alias", []schema.Type{{Kind: schema.String}, {Kind: schema.Bytes}}},
		{"order=sorted", []schema.Type{{Kind: schema.Map, Key: schema.String, Elem: &counts}}},
		{"order=any", []schema.Type{{Kind: schema.Map, Key: schema.Int64, Elem: &counts}}},
		{"time=unix", []schema.Type{{Kind: schema.Timestamp, Optional: true}}},
		{"profile=on", []schema.Type{{Kind: schema.Map, Key: schema.String, Elem: &counts}}},
	} {
		some := 0
		for _, c := range contenders.All() {
			for _, m := range c.Modes {
				axes := strings.Split(m.Key, ",")
				if !slices.Contains(axes, test.axis) || test.axis == "strings=alias" && slices.Contains(whole, c.Name) {
					continue
				}
				others := slices.DeleteFunc(axes, func(a string) bool { return a == test.axis })
				if slices.ContainsFunc(others, func(a string) bool { return a != "output=reuse" && a != "target=reuse" }) {
					continue // the other axes change every schema
				}
				some++
				if no := refusal(m, holding(counts)); no == nil || no.Field != "Root" || no.Reason == "" {
					t.Errorf("%s %s refuses a schema of one number with %v", c.Name, m.Key, no)
				}
				if !slices.ContainsFunc(test.has, func(x schema.Type) bool { return refusal(m, holding(x)) == nil }) {
					t.Errorf("%s %s refuses every schema", c.Name, m.Key)
				}
			}
		}
		if some == 0 {
			t.Errorf("no contender has a mode %s", test.axis)
		}
	}
}

// boundMode matches the mode of a binding in generated code.
var boundMode = regexp.MustCompile(`\{Contender: "[^"]*", Workload: "[^"]*", Root: "[^"]*", Mode: "([^"]*)"`)

// A package of one root has the modes of the whole schema: a plan chooses modes for the workload, and a
// mode without a binding would be a failure of the contender.
func TestModesOfOneRoot(t *testing.T) {
	if testing.Short() {
		t.Skip("it generates the code of each root by itself")
	}
	for _, c := range contenders.All() {
		for _, w := range builtin.All() {
			var want []string
			for _, m := range c.ModesFor(w.Schema) {
				want = append(want, m.Key)
			}
			want = slices.Sorted(slices.Values(append(want, "")))
			for _, root := range w.Schema.Roots {
				out, err := c.Emit(codegen.Of(w, []string{root}).Request(c))
				var no *contender.Unsupported
				if errors.As(err, &no) {
					continue
				} else if err != nil {
					t.Fatal(err)
				}
				bound := map[string]bool{}
				for _, f := range out.Files {
					for _, mode := range boundMode.FindAllSubmatch(f.Data, -1) {
						bound[string(mode[1])] = true
					}
				}
				if got := slices.Sorted(maps.Keys(bound)); !slices.Equal(got, want) {
					t.Errorf("%s, %s, root %s: bindings in the modes %q, want %q", c.Name, w.Name, root, got, want)
				}
			}
		}
	}
}

// holding returns a schema with one field.
func holding(x schema.Type) *schema.Schema {
	return &schema.Schema{Name: "one", Roots: []string{"Root"}, Messages: []*schema.Message{
		{Name: "Root", Fields: []*schema.Field{{Name: "value", Number: 1, Type: x}}},
	}}
}

func refusal(m contender.Mode, s *schema.Schema) *contender.Unsupported {
	if m.Refuses == nil {
		return nil
	}
	return m.Refuses(s)
}

// What a library copies all the same does not make strings=alias another mode, and what is not
// escaped anyway makes config=fastest none.
func TestRefusals(t *testing.T) {
	text, data, count := schema.Type{Kind: schema.String}, schema.Type{Kind: schema.Bytes}, schema.Type{Kind: schema.Int64}
	keys := schema.Type{Kind: schema.Map, Key: schema.String, Elem: &count}
	unescaped, json, bare := holding(text), holding(text), holding(schema.Type{Kind: schema.List, Elem: &data})
	unescaped.Unescaped, json.Messages[0].Fields[0].JSONText, bare.Messages[0].Bare = true, true, true
	list := func(elem schema.Type) schema.Type { return schema.Type{Kind: schema.List, Elem: &elem} }
	high, both := holding(count), holding(keys)
	high.Messages[0].Fields[0].Number = 16
	both.Messages = append(both.Messages, holding(list(text)).Messages[0])
	for _, test := range []struct {
		contender, mode string
		schema          *schema.Schema
		refused         bool
	}{
		{"msgp", "strings=alias", holding(data), false},
		{"msgp", "strings=alias", holding(schema.Type{Kind: schema.Bytes, Optional: true}), true},
		{"msgp", "strings=alias", bare, true},
		{"msgp", "strings=alias", holding(text), true},
		{"easyjson", "strings=alias", holding(text), false},
		{"easyjson", "strings=alias", holding(keys), true},
		{"easyjson", "strings=alias", json, true},
		{"easyjson", "config=fastest", holding(keys), false},
		{"easyjson", "config=fastest", unescaped, true},
		{"easyjson", "output=reuse,config=fastest", unescaped, true},
		{"easyjson", "config=fastest", holding(count), true},
		{"goccy/go-json", "strings=alias", holding(data), true},
		{"goccy/go-json", "strings=alias", holding(keys), false},
		{"twmb/avro", "strings=alias", holding(data), false},
		{"fxamacker/cbor", "order=sorted", holding(count), true},
		{"fxamacker/cbor", "order=sorted", holding(schema.Type{Kind: schema.Float64}), false},
		{"hyperpb", "profile=on", holding(keys), false},
		{"hyperpb", "profile=on", holding(list(schema.Type{Kind: schema.Timestamp})), false},
		{"hyperpb", "profile=on", holding(list(count)), true},
		{"hyperpb", "profile=on", high, false},
		{"hyperpb", "profile=on", holding(list(text)), true},
		{"hyperpb", "profile=on", bare, true},
		{"hyperpb", "profile=on", both, true},
		{"hyperpb", "strings=alias,pool=on,profile=on", holding(keys), false},
		{"hyperpb", "strings=alias,pool=on,profile=on", both, true},
	} {
		i := slices.IndexFunc(contenders.All(), func(c *contender.Contender) bool { return c.Name == test.contender })
		m := contenders.All()[i].Mode(test.mode)
		if no := refusal(*m, test.schema); (no != nil) != test.refused {
			t.Errorf("%s %s and %+v: %v", test.contender, test.mode, test.schema.Messages[0].Fields[0], no)
		}
	}
}

// encoding/xml refuses a field whose Go name has a meaning for the library.
func TestXMLName(t *testing.T) {
	i := slices.IndexFunc(contenders.All(), func(c *contender.Contender) bool { return c.Name == "encoding/xml" })
	c := contenders.All()[i]
	for name, want := range map[string]string{"xml_name": "", "x_m_l_name": "Root.x_m_l_name"} {
		s := holding(schema.Type{Kind: schema.String})
		s.Messages[0].Fields[0].Name = name
		_, err := c.Emit(contender.Request{Schema: s, Package: "assay/contenders/encodingxml/gen/one", Model: "assay/workload/one", Contender: c.Name})
		no := (*contender.Unsupported)(nil)
		if errors.As(err, &no) != (want != "") || no != nil && no.Field != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
