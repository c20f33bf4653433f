package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOnly(t *testing.T) {
	s := &Schema{
		Name:  "s",
		Roots: []string{"Tree", "Page", "Pair"},
		Messages: []*Message{
			{Name: "Tree", Fields: []*Field{{Name: "left", Number: 1, Type: Type{Kind: MessageKind, Ref: "Tree", Optional: true}}}},
			{Name: "Item", Fields: []*Field{{Name: "color", Number: 1, Type: Type{Kind: EnumKind, Ref: "Color"}}}},
			{Name: "Page", Fields: []*Field{{Name: "items", Number: 1, Type: Type{Kind: List, Elem: &Type{Kind: MessageKind, Ref: "Item"}}}}},
			{Name: "Pair", Fields: []*Field{{Name: "by_name", Number: 1, Type: Type{Kind: Map, Key: String, Elem: &Type{Kind: EnumKind, Ref: "Shape"}}}}},
		},
		Enums: []*Enum{{Name: "Color", Values: []EnumValue{{Name: "RED"}}}, {Name: "Shape", Values: []EnumValue{{Name: "ROUND"}}}},
	}
	if got := s.Only([]string{"Pair", "Page", "Tree"}); got != s {
		t.Errorf("with all roots it is another schema: %+v", got)
	}
	for _, test := range []struct {
		roots           []string
		messages, enums []string
	}{
		{[]string{"Tree"}, []string{"Tree"}, nil},
		{[]string{"Page"}, []string{"Item", "Page"}, []string{"Color"}},
		{[]string{"Pair", "Page"}, []string{"Item", "Page", "Pair"}, []string{"Color", "Shape"}},
	} {
		got := s.Only(test.roots)
		var messages, enums []string
		for _, m := range got.Messages {
			messages = append(messages, m.Name)
		}
		for _, e := range got.Enums {
			enums = append(enums, e.Name)
		}
		if diff := cmp.Diff([][]string{test.messages, test.enums}, [][]string{messages, enums}); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.roots, diff)
		}
		if len(got.Roots) != len(test.roots) || len(s.Messages) != 4 || len(s.Roots) != 3 {
			t.Errorf("%v: roots %v; the schema has now %d messages", test.roots, got.Roots, len(s.Messages))
		}
	}
}
