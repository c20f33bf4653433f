package schema

import (
	"errors"
	"strings"
	"testing"
)

// choice is a schema with three unions: a tag, keys or the kinds of values tell their variants
// apart.
func choice() *Schema {
	text := func(n int, name string) *Field { return &Field{Name: name, Number: n, Type: Type{Kind: String}} }
	variant := func(n int, name, ref string, when ...string) *Field {
		return &Field{Name: name, Number: n, Type: Type{Kind: MessageKind, Ref: ref, Optional: true}, OmitEmpty: true, When: when}
	}
	return &Schema{Name: "choice", Roots: []string{"Event"}, Messages: []*Message{
		{Name: "Event", Union: true, Tag: "kind", Fields: []*Field{variant(1, "push", "Push", "push", "forced"), variant(2, "fork", "Fork", "fork")}},
		{Name: "Push", Fields: []*Field{text(1, "kind"), text(2, "ref"), {Name: "body", Number: 3, Type: Type{Kind: MessageKind, Ref: "Body"}}}},
		{Name: "Fork", Fields: []*Field{text(1, "kind"), {Name: "size_of", Number: 2, Type: Type{Kind: Int64, Optional: true}}}},
		{Name: "Body", Union: true, Fields: []*Field{variant(1, "long", "Long", "rest"), variant(2, "short", "Short", "text"), variant(3, "other", "None")}},
		{Name: "Long", Fields: []*Field{text(1, "text"), text(2, "rest")}},
		{Name: "Short", Fields: []*Field{text(1, "text")}},
		{Name: "None", Fields: []*Field{{Name: "none", Number: 1, Type: Type{Kind: Bool, Optional: true}}}},
		{Name: "Any", Union: true, Fields: []*Field{
			{Name: "text", Number: 1, Type: Type{Kind: String, Optional: true}, OmitEmpty: true}, {Name: "number", Number: 2, Type: Type{Kind: Float64, Optional: true}, OmitEmpty: true},
			{Name: "flag", Number: 3, Type: Type{Kind: Bool, Optional: true}, OmitEmpty: true}, variant(4, "items", "List"), variant(5, "object", "Long"),
		}},
		{Name: "List", Bare: true, Fields: []*Field{{Name: "items", Number: 1, Type: Type{Kind: List, Elem: &Type{Kind: String}}}}},
		{Name: "Map", Bare: true, Fields: []*Field{{Name: "entries", Number: 1, Type: Type{Kind: Map, Key: String, Elem: &Type{Kind: String}}}}},
	}}
}

func TestUnionRules(t *testing.T) {
	if err := choice().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name             string
		change           func(*Schema)
		path, part, text string
	}{
		{"one variant", func(s *Schema) { s.Messages[0].Fields = s.Messages[0].Fields[:1] }, "Event", "union", "at least two fields"},
		{"a row", func(s *Schema) { s.Messages[0].Row = true }, "Event", "union", "is no row and not bare"},
		{"a variant by value", func(s *Schema) { s.Messages[0].Fields[0].Type.Optional = false }, "Event.push", "type", "an optional message"},
		{"a scalar variant", func(s *Schema) { s.Messages[0].Fields[0].Type = Type{Kind: String, Optional: true} }, "Event.push", "type", "an optional message"},
		{"a variant that is a union", func(s *Schema) { s.Messages[0].Fields[1].Type.Ref = "Body" }, "Event.fork", "type", "neither bare nor a row nor a union"},
		{"a variant that is written when it is not set", func(s *Schema) { s.Messages[0].Fields[1].OmitEmpty = false }, "Event.fork", "omitempty", "only one variant is written"},
		{"one text twice", func(s *Schema) { s.Messages[0].Fields[1].When = []string{"push"} }, "Event.fork", "when", `"push" tells variant "push" already`},
		{"no text", func(s *Schema) { s.Messages[0].Fields[1].When = nil }, "Event.fork", "when", "say with when"},
		{"no tag in a variant", func(s *Schema) { s.Messages[2].Fields[0].Name = "sort" }, "Event.fork", "type", `no string "kind"`},
		{"a tag that may be absent", func(s *Schema) { s.Messages[2].Fields[0].Type.Optional = true }, "Event.fork", "type", `no string "kind"`},
		{"a tag that is left out", func(s *Schema) { s.Messages[2].Fields[0].OmitEmpty = true }, "Event.fork", "type", `no string "kind"`},
		{"a tag in other letters", func(s *Schema) { s.Messages[2].Fields[1].Text = "KIND" }, "Event.fork", "type", "where case does not count"},
		{"no key", func(s *Schema) { s.Messages[3].Fields[0].When = nil }, "Body.long", "when", "Only the last variant"},
		{"two keys", func(s *Schema) { s.Messages[3].Fields[0].When = []string{"rest", "text"} }, "Body.long", "when", "told by one key"},
		{"a key that is not there", func(s *Schema) { s.Messages[3].Fields[0].When = []string{"more"} }, "Body.long", "when", `no field "more"`},
		{"a key that may be absent", func(s *Schema) { s.Messages[4].Fields[1].Type.Optional = true }, "Body.long", "when", `no field "rest"`},
		{"a key of a list", func(s *Schema) { s.Messages[4].Fields[1].Type = Type{Kind: List, Elem: &Type{Kind: String}} }, "Body.long", "when", `no field "rest"`},
		{"a key of a bare list", func(s *Schema) { s.Messages[4].Fields[1].Type = Type{Kind: MessageKind, Ref: "List"} }, "Body.long", "when", `no field "rest"`},
		{"a key that a later variant has", func(s *Schema) {
			f := s.Messages[3].Fields
			f[0], f[1] = f[1], f[0]
		}, "Body.short", "when", "put that variant before"},
		{"one message for two variants", func(s *Schema) {
			s.Messages[3].Fields[1].Type.Ref, s.Messages[3].Fields[1].When = "Long", []string{"text"}
		}, "Body.long", "when", "put that variant before"},
		{"two of one kind", func(s *Schema) { s.Messages[7].Fields[1].Type.Kind = String }, "Any.number", "when", `the kind that variant "text" is of`},
		{"an object and a map", func(s *Schema) { s.Messages[7].Fields[3].Type.Ref = "Map" }, "Any.object", "when", `the kind that variant "items" is of`},
		{"a list without brackets", func(s *Schema) { s.Messages[8].Fields[0].OneOrMany = true }, "Any.items", "type", "leave one_or_many out there"},
		{"a union by kind in another", func(s *Schema) { s.Messages[7].Fields[4].Type.Ref = "Body" }, "Any.object", "type", "and no union"},
		{"a time", func(s *Schema) { s.Messages[7].Fields[0].Type.Kind = Timestamp }, "Any.text", "type", "an optional bool, number, string or message"},
		{"a list by itself", func(s *Schema) { s.Messages[7].Fields[0].Type = Type{Kind: List, Elem: &Type{Kind: String}} }, "Any.text", "type", "with a * before it"},
		{"a number that is always there", func(s *Schema) { s.Messages[7].Fields[1].Type.Optional = false }, "Any.number", "type", "with a * before it"},
		{"a text that is JSON", func(s *Schema) { s.Messages[7].Fields[0].JSONText = true }, "Any.text", "type", "neither as nor json_text"},
		{"when of one kind", func(s *Schema) { s.Messages[7].Fields[4].When = []string{"text"} }, "Any.number", "when", "leave when out of all variants"},
		{"a number that is written when it is not set", func(s *Schema) { s.Messages[7].Fields[1].OmitEmpty = false }, "Any.number", "omitempty", "only one variant is written"},
		{"a bare variant without a field", func(s *Schema) { s.Messages[3].Fields[1].Type.Ref, s.Messages[8].Fields = "List", nil }, "List", "bare", "exactly one field"},
		{"when without a union", func(s *Schema) { s.Messages[4].Fields[0].When = []string{"a"} }, "Long.text", "when", "write union = true"},
		{"a tag without a union", func(s *Schema) { s.Messages[4].Tag = "text" }, "Long", "tag", "write union = true"},
		{"a variant named as a message", func(s *Schema) { s.Messages[9].Name = "Event_Push" }, "Event.push", "name", "for the message Event_Push"},
		{"a tag that no tag of a struct holds", func(s *Schema) { s.Messages[0].Tag = "a\"b" }, "Event", "tag", "struct tag cannot hold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := choice()
			c.change(s)
			var found *Error
			for _, err := range unjoined(s.Validate()) {
				var e *Error
				if errors.As(err, &e) && e.Path == c.path && e.Part == c.part && strings.Contains(e.Reason, c.text) {
					found = e
				}
			}
			if found == nil {
				t.Errorf("no error of %s, %s with %q: %v", c.path, c.part, c.text, s.Validate())
			}
		})
	}
}

func unjoined(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return all.Unwrap()
	}
	return []error{err}
}

func TestVariant(t *testing.T) {
	s := choice()
	for _, c := range []struct {
		keys string
		want int
	}{{"rest text", 0}, {"rest", 0}, {"text", 1}, {"none", 2}, {"", 2}} {
		has := func(key string) bool { return strings.Contains(" "+c.keys+" ", " "+key+" ") }
		if got := s.Messages[3].Variant(has, "", false); got != c.want {
			t.Errorf("%q is variant %d, want %d", c.keys, got, c.want)
		}
	}
	for _, c := range []struct {
		tag    string
		tagged bool
		want   int
	}{{"forced", true, 0}, {"fork", true, 1}, {"else", true, -1}, {"", false, -1}} {
		if got := s.Messages[0].Variant(nil, c.tag, c.tagged); got != c.want {
			t.Errorf("%q is variant %d, want %d", c.tag, got, c.want)
		}
	}
}

// TestVariantOf: the kinds of values tell the variants of a union without tag and when apart.
func TestVariantOf(t *testing.T) {
	s := choice()
	any, body := s.Message("Any"), s.Message("Body")
	for first, want := range map[byte]int{'"': 0, '-': 1, '0': 1, '9': 1, 't': 2, 'f': 2, '[': 3, '{': 4, 'n': -1, 'x': -1} {
		if got := s.VariantOf(any, first); got != want {
			t.Errorf("%q: variant %d, want %d", first, got, want)
		}
	}
	if body.ByKind() || s.VariantKinds(body) != nil || s.VariantOf(body, '{') != -1 {
		t.Error("keys tell the variants of Body")
	}
}
