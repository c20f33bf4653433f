package emit

import (
	"strings"
	"testing"

	"assay/schema"
)

func TestTag(t *testing.T) {
	tag := Tag("json")
	for _, test := range []struct {
		field schema.Field
		want  string
	}{
		{schema.Field{Name: "tx_id"}, `json:"tx_id"`},
		{schema.Field{Name: "tx_id", Text: "txId"}, `json:"txId"`},
		{schema.Field{Name: "age", OmitEmpty: true}, `json:"age,omitempty"`},
	} {
		if got := tag(nil, &test.field); got != test.want {
			t.Errorf("tag of %+v is %s, want %s", test.field, got, test.want)
		}
	}
}

func TestHas(t *testing.T) {
	s := &schema.Schema{Messages: []*schema.Message{{Fields: []*schema.Field{
		{Type: schema.Type{Kind: schema.Bool}},
		{Type: schema.Type{Kind: schema.Map, Key: schema.Int32, Elem: &schema.Type{Kind: schema.Duration}}},
	}}}}
	for kind, want := range map[schema.Kind]bool{
		schema.Bool: true, schema.Map: true, schema.Int32: true, schema.Duration: true,
		schema.Invalid: false, schema.String: false, schema.List: false,
	} {
		if got := Has(s, kind); got != want {
			t.Errorf("Has(%d) is %v, want %v", kind, got, want)
		}
	}
}

func TestTagOmitZero(t *testing.T) {
	f := schema.Field{Name: "tags", OmitZero: true}
	if got := Tag("json")(nil, &f); got != `json:"tags,omitzero"` {
		t.Errorf("a library that knows omitzero gets %s", got)
	}
	if got := TagEmpty("json")(nil, &f); got != `json:"tags,omitempty"` {
		t.Errorf("one that does not gets %s", got)
	}
}

// How a field is held that is left out when absent and written when empty.
func TestOmitZero(t *testing.T) {
	list := schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.String}}
	s := &schema.Schema{Name: "s", Roots: []string{"M"}, Messages: []*schema.Message{
		{Name: "M", Fields: []*schema.Field{{Name: "tags", Number: 1, OmitZero: true, Type: list}}},
		{Name: "MTagsOrNone"},
	}}
	for how, want := range map[OmitZero]string{ByTag: "Tags []string", ByPointer: "Tags *[]string", ByMethod: "Tags MTagsOrNone_"} {
		out := NewSource("example.com/p", "test")
		(&Style{OmitZero: how}).Types(out, s, func(*schema.Message, *schema.Field) string { return "" }, [2]string{})
		data, err := out.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), want) {
			t.Errorf("%d: there is no %s in\n%s", how, want, data)
		}
	}
}
