package encodinggob

import (
	"testing"

	"assay/schema"
)

func TestMutual(t *testing.T) {
	ref := func(name string) *schema.Type { return &schema.Type{Kind: schema.MessageKind, Ref: name} }
	list := func(name string) schema.Type { return schema.Type{Kind: schema.List, Elem: ref(name)} }
	dict := func(name string) schema.Type {
		return schema.Type{Kind: schema.Map, Key: schema.String, Elem: ref(name)}
	}
	message := func(name string, bare bool, fields ...schema.Type) *schema.Message {
		m := &schema.Message{Name: name, Bare: bare}
		for i, f := range fields {
			m.Fields = append(m.Fields, &schema.Field{Name: "f", Number: i + 1, Type: f})
		}
		return m
	}
	for _, test := range []struct {
		name string
		all  []*schema.Message
		want string
	}{
		{"a map of itself", []*schema.Message{message("A", true, dict("A"))}, ""},
		{"lists of one another", []*schema.Message{message("A", true, list("B")), message("B", true, list("A"))}, ""},
		{"a map of a list of it", []*schema.Message{message("A", true, dict("B")), message("B", true, list("A"))}, "A.f"},
		{"in a struct, a map of maps of it", []*schema.Message{message("A", false, dict("B")), message("B", true, dict("A"))}, "A.f"},
		{"in a struct, a map of lists of it", []*schema.Message{message("A", false, dict("B")), message("B", true, list("A"))}, "A.f"},
		{"in a struct, a list of maps of it", []*schema.Message{message("A", false, list("B")), message("B", true, dict("A"))}, ""},
		{"a map of lists of others", []*schema.Message{message("A", false, dict("B")), message("B", true, list("C")), message("C", false)}, ""},
		{"deeper", []*schema.Message{message("A", false, dict("B")), message("B", true, list("C")), message("C", false, *ref("A"))}, "A.f"},
	} {
		if got := mutual(&schema.Schema{Messages: test.all}); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
