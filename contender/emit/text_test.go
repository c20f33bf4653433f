package emit

import (
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
