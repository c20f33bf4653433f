package schema

import "testing"

func TestTransparent(t *testing.T) {
	message := func(ref string, optional bool) Type { return Type{Kind: MessageKind, Ref: ref, Optional: optional} }
	for _, test := range []struct {
		name  string
		value Type // type of the field of the message with Wraps
		by    Type // type of the field that refers to the message
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

func TestTristate(t *testing.T) {
	number, text := Type{Kind: Int64, Optional: true}, Type{Kind: String}
	message := Type{Kind: MessageKind, Ref: "W", Optional: true}
	for _, test := range []struct {
		name  string
		value Type    // type of the field of the message with Wraps
		by    []Field // fields that refer to the message
		want  bool
	}{
		{"a number", number, []Field{{Type: message, OmitEmpty: true}}, true},
		{"a list", Type{Kind: List, Elem: &text}, []Field{{Type: message, OmitEmpty: true}}, true},
		{"in two places", number, []Field{{Type: message, OmitEmpty: true}, {Type: message, OmitEmpty: true}}, true},
		{"one of them a list", number, []Field{{Type: message, OmitEmpty: true}, {Type: Type{Kind: List, Elem: &message}}}, false},
		{"one of them not left out", number, []Field{{Type: message, OmitEmpty: true}, {Type: message}}, false},
		{"never null", Type{Kind: Int64}, []Field{{Type: message, OmitEmpty: true}}, false},
		{"never absent", number, []Field{{Type: Type{Kind: MessageKind, Ref: "W"}}}, false},
		{"nowhere", number, nil, false},
		{"itself", message, []Field{{Type: message, OmitEmpty: true}}, false},
		{"a struct", Type{Kind: MessageKind, Ref: "M", Optional: true}, []Field{{Type: message, OmitEmpty: true}}, true},
		{"another that wraps", Type{Kind: MessageKind, Ref: "V", Optional: true}, []Field{{Type: message, OmitEmpty: true}}, false},
	} {
		m := &Message{Name: "M"}
		for i := range test.by {
			m.Fields = append(m.Fields, &test.by[i])
		}
		s := &Schema{Roots: []string{"M"}, Messages: []*Message{
			m, {Name: "W", Wraps: true, Fields: []*Field{{Name: "value", Number: 1, Type: test.value}}}, {Name: "V", Wraps: true, Fields: []*Field{{Name: "value", Number: 1, Type: number}}},
		}}
		if got := s.Tristate(s.Message("W")); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if s.Roots = []string{"M", "W"}; s.Tristate(s.Message("W")) {
			t.Errorf("%s: a root tells null from absent", test.name)
		}
	}
}

func TestGoName(t *testing.T) {
	for name, want := range map[string]string{
		"a": "A", "z": "Z", "tx_id": "TxId", "a_z": "AZ", "id2b": "Id2B", "a_1": "A_1", "a__b": "A_B", "a_": "A_", "URL": "URL",
	} {
		if got := GoName(name); got != want {
			t.Errorf("%s is %s in Go, want %s", name, got, want)
		}
	}
}

func TestHas(t *testing.T) {
	s := &Schema{Messages: []*Message{{Fields: []*Field{
		{Type: Type{Kind: Bool}},
		{Type: Type{Kind: Map, Key: Int32, Elem: &Type{Kind: Duration}}},
	}}}}
	for kind, want := range map[Kind]bool{
		Bool: true, Map: true, Int32: true, Duration: true,
		Invalid: false, String: false, List: false,
	} {
		if got := s.Has(kind); got != want {
			t.Errorf("Has(%d) is %v, want %v", kind, got, want)
		}
	}
}
