package infer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/schema"
)

func TestSpelling(t *testing.T) {
	overrule := func(path, typ string) []Overrule { return []Overrule{{Path: path, Type: typ}} }
	numbers := &schema.Schema{Name: "x", Roots: []string{"X"}, Messages: []*schema.Message{
		{Name: "X", Fields: []*schema.Field{{Name: "a", Number: 1, Type: schema.Type{Kind: schema.String}}}},
	}}
	pairs := &schema.Schema{Name: "x", Roots: []string{"X"}, Messages: []*schema.Message{
		{Name: "X", Fields: []*schema.Field{
			{Name: "a", Number: 1, Text: "a_b", Type: schema.Type{Kind: schema.Int64}, OmitEmpty: true},
			{Name: "in", Number: 2, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.MessageKind, Ref: "X"}}},
		}},
	}}
	byPlace := &schema.Schema{Name: "x", Roots: []string{"X"}, Messages: []*schema.Message{
		{Name: "X", Row: true, Fields: []*schema.Field{
			{Name: "a", Number: 1, Type: schema.Type{Kind: schema.String}},
			{Name: "b", Number: 2, Type: schema.Type{Kind: schema.String}},
		}},
	}}
	tests := []struct {
		name, sample string
		options      Options
		want         Spelling
		plain        bool
	}{
		{"plain", `{"created_at":"2020-01-02T03:04:05Z","Id":1,"@type":"x","in":{"a-b":[1.5]}}`, Options{}, Spelling{}, true},
		{"rows", `{"at":[[1,"a"],[2,"b"]]}`, Options{}, Spelling{Rows: []string{"At"}}, false},
		{"records that are rows", `["a",1]` + "\n" + `["b",2]`, Options{}, Spelling{Rows: []string{"X"}}, false},
		{"keys", `{"a,b":1,"c\"":2,"d":3}`, Options{}, Spelling{Keys: map[string]string{"X.a_b": "a,b", "X.c": `c"`}}, false},
		{"text of JSON", `{"a":1}` + "\n" + `{"a":"x"}`, Options{}, Spelling{}, false},
		{"wrapped", `{"a":[1,null]}`, Options{}, Spelling{}, false},
		{"an empty text for none", `{"a":{"b":1}}` + "\n" + `{"a":""}`, Options{}, Spelling{Loose: true}, false},
		{"said", `{"a":1}`, Options{Overrules: overrule("a", "string")}, Spelling{Loose: true}, false},
		{"said as it is", `{"a":"1"}`, Options{Overrules: overrule("a", "string")}, Spelling{}, true},
		{"an enum", `{"a":"x"}` + "\n" + `{"a":"y"}`, Options{Overrules: overrule("a", "enum")}, Spelling{Loose: true}, false},
		{"given", `{"a":"1"}`, Options{Schema: numbers}, Spelling{}, true},
		{"given, and other kinds", `{"a":1}`, Options{Schema: numbers}, Spelling{Loose: true}, false},
		{"given, and keys", `{"in":[{"in":[]},{"a,b":1}]}`, Options{Schema: pairs}, Spelling{Keys: map[string]string{"X.a": "a,b"}}, false},
		{"given, and keys of nothing", `{"a_b":1,"c,d":2}`, Options{Schema: pairs}, Spelling{}, true},
		{"given, and a key in another case", `{"a":"1","A":2}`, Options{Schema: numbers}, Spelling{Loose: true}, false},
		{"left out, in another case", `{"id":7,"ID":"x"}`, Options{Overrules: overrule("ID", "none")}, Spelling{Loose: true}, false},
		{"left out, another key", `{"id":7,"key":"x"}`, Options{Overrules: overrule("key", "none")}, Spelling{}, true},
		{"given, and rows", `["1"]`, Options{Schema: numbers}, Spelling{Loose: true}, false},
	}
	if (Spelling{}).Named(byPlace) {
		t.Error("encoding/json does not read a list into a struct")
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := JSON([]Source{Bytes("x.json", []byte(tt.sample))}, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			got := r.Spelling()
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if got.Plain(r.Schema) != tt.plain {
				t.Errorf("plain is %v", !tt.plain)
			}
		})
	}
}
