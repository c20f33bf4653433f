package emit

import (
	"slices"
	"strings"

	"assay/schema"
)

// JSONStyle returns the style of libraries that write a schema's values as the JSON of its
// samples. Messages that wrap are held as their values, and JSON texts as json.RawMessage. The
// caller sets the other fields of the style.
func JSONStyle(s *schema.Schema) *Style {
	return &Style{
		Unwrap:    s,
		Spelled:   SpelledJSON(s),
		JSONText:  RawJSON("json.RawMessage"),
		OneOrMany: true,
		Imports:   []string{"encoding/json"},
	}
}

// RawJSON returns the Leaf that holds a JSON text as typ, a type of bytes. Libraries may escape
// some characters of the text, which To and Sum undo.
func RawJSON(typ string) Leaf {
	return Leaf{Go: typ, From: typ + "(%)", To: "workload.PlainJSON(%)", Sum: "workload.LeafJSON(%)"}
}

// Documents returns the messages that have a Go type but that JSON does not write as objects:
// rows, unions, roots that wrap a value, and messages that tell null from absent.
func Documents(s *schema.Schema) []*schema.Message {
	return slices.DeleteFunc(slices.Clone(s.Messages), func(m *schema.Message) bool {
		return !m.Row && !m.Union && !s.Tristate(m) && !(s.Transparent(m) && slices.Contains(s.Roots, m.Name))
	})
}

// JSONMethods writes MarshalJSON and UnmarshalJSON for the messages of Documents and for the
// style's ListTypes, as a user of the library would write them. Marshal and unmarshal are
// expressions of the library's functions.
func JSONMethods(out *Source, st *Style, marshal, unmarshal string) {
	st.listMethods(out, marshal, unmarshal)
	s := st.Unwrap
	for _, m := range Documents(s) {
		if m.Union {
			marshalUnion(out, st, m, marshal, unmarshal)
			continue
		}
		if s.Tristate(m) {
			out.P("// MarshalJSON returns the value, or null.")
			out.P("func (v %s) MarshalJSON() ([]byte, error) {\nif len(v) == 0 {\nreturn []byte(\"null\"), nil\n}\nreturn %s(v[0])\n}\n", m.Name, marshal)
			out.P("// UnmarshalJSON reads what MarshalJSON writes.")
			out.P("func (v *%s) UnmarshalJSON(data []byte) error {\n*v = make(%s, 1)\nreturn %s(data, &(*v)[0])\n}\n", m.Name, m.Name, unmarshal)
			continue
		}
		values, into := "v."+schema.GoName(m.Fields[0].Name), ""
		if m.Row {
			values = "[...]any{" + strings.Join(members(m, "v."), ", ") + "}"
			into = "[]any{" + strings.Join(members(m, "&v."), ", ") + "}"
		}
		out.P("// MarshalJSON returns %s.", written(m))
		out.P("func (v %s) MarshalJSON() ([]byte, error) { return %s(%s) }\n", m.Name, marshal, values)
		out.P("// UnmarshalJSON reads what MarshalJSON writes.")
		out.P("func (v *%s) UnmarshalJSON(data []byte) error {", m.Name)
		if m.Row {
			out.Import("fmt")
			out.P("list := %s\nif err := %s(data, &list); err != nil {\nreturn err\n}", into, unmarshal)
			out.P("if len(list) != %d {\nreturn fmt.Errorf(\"%s has %%d elements, want %d\", len(list))\n}\nreturn nil\n}\n", len(m.Fields), m.Name, len(m.Fields))
		} else {
			out.P("return %s(data, &%s)\n}\n", unmarshal, values)
		}
	}
}

// written describes the JSON of a message of Documents.
func written(m *schema.Message) string {
	if m.Row {
		return "the values of the fields as a list"
	}
	return "the value without its name"
}

// members returns the expressions of all fields, each with a prefix.
func members(m *schema.Message, prefix string) []string {
	var all []string
	for _, f := range m.Fields {
		all = append(all, prefix+schema.GoName(f.Name))
	}
	return all
}

func hasJSONText(s *schema.Schema) bool {
	return slices.ContainsFunc(s.Messages, func(m *schema.Message) bool {
		return slices.ContainsFunc(m.Fields, func(f *schema.Field) bool { return f.JSONText })
	})
}

// plainJSON has the function of workload.PlainJSON for packages that users copy.
const plainJSON = `
// unescaped puts the characters that are escaped for HTML or JavaScript only in
// the place of their escapes.
var unescaped = strings.NewReplacer("\\\\", "\\\\", "\\u003c", "<", "\\u003C", "<", "\\u003e", ">", "\\u003E", ">", "\\u0026", "&", "\\u2028", "\u2028", "\\u2029", "\u2029")

// plainJSON returns a JSON text with nothing escaped for HTML. No text is null.
func plainJSON(text []byte) string {
	if len(text) == 0 {
		return "null"
	}
	return unescaped.Replace(string(text))
}`
