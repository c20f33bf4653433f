package emit

import (
	"testing"

	"assay/schema"
)

func TestEndless(t *testing.T) {
	bare := func(name, elem string) *schema.Message {
		return &schema.Message{Name: name, Bare: true, Fields: []*schema.Field{{
			Name: "items", Number: 1, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.MessageKind, Ref: elem}},
		}}}
	}
	wraps := func(name string, value schema.Type) *schema.Message {
		return &schema.Message{Name: name, Wraps: true, Fields: []*schema.Field{{Name: "value", Number: 1, Type: value}}}
	}
	ref := func(name string) schema.Type { return schema.Type{Kind: schema.MessageKind, Ref: name} }
	tree := &schema.Message{Name: "Tree", Fields: []*schema.Field{{
		Name: "kids", Number: 1, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.MessageKind, Ref: "Kids"}},
	}}}
	for _, tt := range []struct {
		name string
		kids []*schema.Message
		want string // the field
	}{
		{"through a struct", []*schema.Message{bare("Kids", "Tree")}, ""},
		{"itself", []*schema.Message{bare("Kids", "Kids")}, "Kids.items"},
		{"through a message that wraps it", []*schema.Message{bare("Kids", "One"), wraps("One", ref("Kids"))}, "Kids.items"},
		{"through another and one that wraps it", []*schema.Message{bare("Kids", "One"), wraps("One", ref("Inner")), bare("Inner", "Kids")}, "Kids.items"},
		{"through a message that wraps a struct", []*schema.Message{bare("Kids", "One"), wraps("One", ref("Tree"))}, ""},
		{"through a message that wraps another", []*schema.Message{bare("Kids", "One"), wraps("One", ref("Two")), wraps("Two", ref("Kids"))}, ""},
		{"a list of messages that wrap a number", []*schema.Message{bare("Kids", "One"), wraps("One", schema.Type{Kind: schema.Int64})}, ""},
		{"through another", []*schema.Message{bare("Kids", "Inner"), bare("Inner", "Kids")}, "Kids.items"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &schema.Schema{Name: "tree", Roots: []string{"Tree"}, Messages: append([]*schema.Message{tree}, tt.kids...)}
			if err := s.Validate(); err != nil {
				t.Fatal(err)
			}
			if got := Endless(s); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
