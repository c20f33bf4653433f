package emit

import (
	"strconv"
	"strings"

	"assay/schema"
)

// marshalUnion writes MarshalJSON and UnmarshalJSON of a union: the object of the
// variant that is set, which is told by what is in it. marshal and unmarshal are
// functions of the library, as expressions of the package.
func marshalUnion(out *Source, m *schema.Message, marshal, unmarshal string) {
	out.P("// MarshalJSON returns the object of the variant that is set.")
	out.P("func (v %s) MarshalJSON() ([]byte, error) {\nswitch {", m.Name)
	for _, f := range m.Fields {
		out.P("case v.%[1]s != nil:\nreturn %[2]s(v.%[1]s)", schema.GoName(f.Name), marshal)
	}
	out.P("}\nreturn []byte(\"null\"), nil\n}\n")
	out.P("// UnmarshalJSON reads what MarshalJSON writes.")
	out.P("func (v *%s) UnmarshalJSON(data []byte) error {", m.Name)
	out.P("if string(data) == \"null\" {\nreturn nil\n}")
	UnionHead(out, m, "json.RawMessage")
	out.P("if err := %s(data, &head); err != nil {\nreturn err\n}", unmarshal)
	if m.Tag == "" {
		out.Import("encoding/json")
	}
	UnionSwitch(out, m, func(f *schema.Field) {
		out.P("v.%[1]s = new(%[2]s)\nreturn %[3]s(data, v.%[1]s)", schema.GoName(f.Name), f.Type.Ref, unmarshal)
	})
	out.P("}\n")
}

// UnionHead writes a variable head: of the keys that tell the variants of a union
// apart, raw being the type of a value that is only to be there.
func UnionHead(out *Source, m *schema.Message, raw string) {
	if m.Tag != "" {
		out.P("var head struct {\nTag string `json:%q`\n}", m.Tag)
		return
	}
	out.P("var head struct {")
	for _, f := range m.Fields {
		if len(f.When) > 0 {
			out.P("%s %s `json:%q`", schema.GoName(f.Name), raw, f.When[0])
		}
	}
	out.P("}")
}

// UnionSwitch writes what is done with the variant that head tells, which is to
// return, and returns an error where it tells none.
func UnionSwitch(out *Source, m *schema.Message, do func(*schema.Field)) {
	rest := false
	if m.Tag != "" {
		out.P("switch head.Tag {")
	} else {
		out.P("switch {")
	}
	for _, f := range m.Fields {
		switch {
		case m.Tag != "":
			out.P("case %s:", quoted(f.When))
		case len(f.When) > 0:
			out.P("case head.%s != nil:", schema.GoName(f.Name))
		default:
			rest = true
			out.P("default:")
		}
		do(f)
	}
	out.P("}")
	switch {
	case m.Tag != "":
		out.Import("fmt")
		out.P("return fmt.Errorf(\"%s has no variant for the %%s %%q\", %q, head.Tag)", m.Name, m.Tag)
	case !rest:
		out.Import("errors")
		out.P("return errors.New(\"%s has no variant with these keys\")", m.Name)
	}
}

// quoted are texts as Go expressions, with commas.
func quoted(texts []string) string {
	all := make([]string, len(texts))
	for i, s := range texts {
		all[i] = strconv.Quote(s)
	}
	return strings.Join(all, ", ")
}
