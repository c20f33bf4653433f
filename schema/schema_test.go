package schema

import "testing"

func TestTransparent(t *testing.T) {
	message := func(ref string, optional bool) Type { return Type{Kind: MessageKind, Ref: ref, Optional: optional} }
	for _, test := range []struct {
		name  string
		value Type // of the message that wraps
		by    Type // what refers to it
		want  bool
	}{
		{"a value", Type{Kind: Int64}, message("W", false), true},
		{"a value that may be null", Type{Kind: Int64, Optional: true}, message("W", false), true},
		{"in a list", Type{Kind: Int64, Optional: true}, Type{Kind: List, Elem: &Type{Kind: MessageKind, Ref: "W"}}, true},
		{"an optional value", Type{Kind: Int64}, message("W", true), true},
		{"two that may be null", Type{Kind: Int64, Optional: true}, message("W", true), false},
		{"two, one of them bytes", Type{Kind: Bytes}, message("W", true), false},
		{"in a map, by pointer", Type{Kind: Int64, Optional: true}, Type{Kind: Map, Key: String, Elem: &Type{Kind: MessageKind, Ref: "W", Optional: true}}, false},
		{"a message", message("M", true), message("W", false), true},
		{"a list", Type{Kind: List, Elem: &Type{Kind: String}}, message("W", false), false},
		{"itself", message("W", true), message("W", false), false},
		{"a bare message", message("B", false), message("W", false), true},
		{"a bare message, optional", message("B", false), message("W", true), false},
	} {
		s := &Schema{Name: "s", Roots: []string{"M"}, Messages: []*Message{
			{Name: "M", Fields: []*Field{{Name: "f", Number: 1, Type: test.by}}},
			{Name: "W", Wraps: true, Fields: []*Field{{Name: "value", Number: 1, Type: test.value}}},
			{Name: "B", Bare: true, Fields: []*Field{{Name: "items", Number: 1, Type: Type{Kind: List, Elem: &Type{Kind: String}}}}},
		}}
		if got := s.Transparent(s.Message("W")); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if s.Transparent(s.Message("M")) {
			t.Errorf("%s: a message that does not wrap is transparent", test.name)
		}
	}
}
