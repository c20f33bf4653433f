package parquet

import (
	"errors"
	"testing"

	"assay/contender"
	"assay/schema"
)

func TestTabular(t *testing.T) {
	field := func(name string, t schema.Type) *schema.Field { return &schema.Field{Name: name, Type: t} }
	ref := func(name string) schema.Type { return schema.Type{Kind: schema.MessageKind, Ref: name} }
	list := func(elem schema.Type) schema.Type { return schema.Type{Kind: schema.List, Elem: &elem} }
	s := &schema.Schema{Messages: []*schema.Message{
		{Name: "Leaf", Fields: []*schema.Field{field("x", schema.Type{Kind: schema.Bool})}},
		{Name: "Two", Fields: []*schema.Field{field("a", ref("Leaf")), field("b", list(ref("Leaf")))}},
		{Name: "Tree", Fields: []*schema.Field{field("node", list(ref("Tree")))}},
		{Name: "Twos", Bare: true, Fields: []*schema.Field{field("item", list(ref("Two")))}},
		{Name: "Trees", Bare: true, Fields: []*schema.Field{field("item", list(ref("Tree")))}},
		{Name: "Numbers", Bare: true, Fields: []*schema.Field{field("item", list(schema.Type{Kind: schema.Int64}))}},
	}}
	for root, want := range map[string]string{"Twos": "", "Two": "Two", "Numbers": "Numbers", "Trees": "Tree.node"} {
		got := ""
		if no := (*contender.Unsupported)(nil); errors.As(tabular(s, s.Message(root)), &no) {
			got = no.Field
		}
		if got != want {
			t.Errorf("%s: unsupported is %q, want %q", root, got, want)
		}
	}
}
