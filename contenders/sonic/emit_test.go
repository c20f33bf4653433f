package sonic

import (
	"testing"

	"assay/schema"
)

// Methods of ours do not sort, so a schema with a map in what they write has no sorted mode.
func TestUnsorted(t *testing.T) {
	of := func(ref string) schema.Type { return schema.Type{Kind: schema.MessageKind, Ref: ref, Optional: true} }
	labels := schema.Type{Kind: schema.Map, Key: schema.String, Elem: &schema.Type{Kind: schema.String}}
	item := func(union bool, variant schema.Type) []*schema.Message {
		return []*schema.Message{
			{Name: "Root", Fields: []*schema.Field{{Name: "labels", Number: 1, Type: labels}, {Name: "item", Number: 2, Type: of("Item")}}},
			{Name: "Item", Union: union, Tag: "type", Fields: []*schema.Field{{Name: "a", Number: 1, Type: of("A"), When: []string{"a"}}}},
			{Name: "A", Fields: []*schema.Field{{Name: "type", Number: 1, Type: schema.Type{Kind: schema.String}}, {Name: "v", Number: 2, Type: variant}}},
		}
	}
	many := []*schema.Message{{Name: "Root", Fields: []*schema.Field{
		{Name: "maps", Number: 1, OneOrMany: true, Type: schema.Type{Kind: schema.List, Elem: &labels}},
	}}}
	for _, test := range []struct {
		name     string
		messages []*schema.Message
		want     string
	}{
		{"a map beside a union", item(true, schema.Type{Kind: schema.Int64}), ""},
		{"a map in a union", item(true, labels), "Item.a"},
		{"a map in a message", item(false, labels), ""},
		{"a union in itself", item(true, of("Item")), ""},
		{"lists without brackets", many, "Root.maps"},
	} {
		got := ""
		if no := unsorted(&schema.Schema{Name: "s", Roots: []string{"Root"}, Messages: test.messages}); no != nil {
			got = no.Field
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
