package emit

import (
	"slices"
	"strconv"
	"strings"

	"assay/schema"
)

// marshalUnion writes MarshalJSON and UnmarshalJSON of a union. The JSON is the value of the
// variant that is set; its kind or its content tells the variant. Marshal and unmarshal are
// expressions of the library's functions.
func marshalUnion(out *Source, st *Style, m *schema.Message, marshal, unmarshal string) {
	out.P("// MarshalJSON returns the value of the variant that is set.")
	out.P("func (v %s) MarshalJSON() ([]byte, error) {\nswitch {", m.Name)
	for _, f := range m.Fields {
		out.P("case v.%[1]s != nil:\nreturn %[2]s(v.%[1]s)", schema.GoName(f.Name), marshal)
	}
	out.P("}\nreturn []byte(\"null\"), nil\n}\n")
	out.P("// UnmarshalJSON reads what MarshalJSON writes.")
	out.P("func (v *%s) UnmarshalJSON(data []byte) error {", m.Name)
	out.P("if string(data) == \"null\" {\nreturn nil\n}")
	read := func(f *schema.Field) {
		out.P("v.%[1]s = new(%[2]s)\nreturn %[3]s(data, v.%[1]s)", schema.GoName(f.Name), st.VariantType(m, f), unmarshal)
	}
	if m.ByKind() {
		out.P("switch data[0] {")
		KindCases(out, st.Unwrap, m, "'-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'", read)
		out.Import("errors")
		out.P("}\nreturn errors.New(\"%s has no variant of this kind\")\n}\n", m.Name)
		return
	}
	UnionHead(out, m, "json.RawMessage")
	out.P("if err := %s(data, &head); err != nil {\nreturn err\n}", unmarshal)
	if m.Tag == "" {
		out.Import("encoding/json")
	}
	UnionSwitch(out, m, read)
	out.P("}\n")
}

// byValue reports whether VariantValues applies to the field of a message.
func (st *Style) byValue(m *schema.Message, t schema.Type) bool {
	if !st.VariantValues || m == nil || !m.Union || t.Kind != schema.MessageKind {
		return false
	}
	of := st.Unwrap.Message(t.Ref)
	return of != nil && of.Bare
}

// isVariant reports whether a message is a variant of a union of the schema.
func isVariant(s *schema.Schema, m *schema.Message) bool {
	return slices.ContainsFunc(s.Messages, func(of *schema.Message) bool {
		return of.Union && slices.ContainsFunc(of.Fields, func(f *schema.Field) bool { return f.Type.Ref == m.Name })
	})
}

// VariantType returns the Go type that the field of a variant points to.
func (st *Style) VariantType(m *schema.Message, f *schema.Field) string {
	return strings.TrimPrefix(st.Type(m, f, st.TypeOf(f)), "*")
}

// KindCases writes the cases of a switch over the kind of a JSON value, or over its first
// character: one for each variant of a union that is ByKind. Numbers is the case label for
// numbers. Do writes the statements for a variant.
func KindCases(out *Source, s *schema.Schema, m *schema.Message, numbers string, do func(*schema.Field)) {
	for i, kind := range s.VariantKinds(m) {
		label := strconv.QuoteRune(rune(kind))
		switch kind {
		case schema.JSONBool:
			label = "'t', 'f'"
		case schema.JSONNumber:
			label = numbers
		}
		out.P("case %s:", label)
		do(m.Fields[i])
	}
}

// UnionHead writes a variable head for the keys that tell the variants of a union apart. Raw is
// the type of keys of which only the presence matters.
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

// UnionSwitch writes a switch over the variant that head tells. Do writes the statements for a
// variant, which must return. If head tells no variant, the code returns an error.
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

// quoted returns texts as Go string literals, separated by commas.
func quoted(texts []string) string {
	all := make([]string, len(texts))
	for i, s := range texts {
		all[i] = strconv.Quote(s)
	}
	return strings.Join(all, ", ")
}

// variant reports whether Style.Variant applies to the fields of a message.
func (st *Style) variant(m *schema.Message) bool { return st.Variant != nil && m.Union }

// fromVariant writes the conversion of a variant from the model. toVariant writes the
// conversion to the model, and sumVariant adds up the variant's leaves.
func (st *Style) fromVariant(out *Source, m *schema.Message, f *schema.Field) {
	field, wrapper, inner := st.Variant(m, f)
	src := modelMember(m, f, "src")
	if f.Type.Kind != schema.MessageKind {
		st.fromOneof(out, f, field, wrapper, inner, src)
		return
	}
	out.P("if %[1]s != nil {\nown := new(%[2]s)\nfrom%[2]s(own, %[1]s)\ndst.%[3]s = &%[4]s{%[5]s: own}\n}", src, f.Type.Ref, field, wrapper, inner)
}

func (st *Style) toVariant(out *Source, m *schema.Message, f *schema.Field) {
	field, wrapper, inner := st.Variant(m, f)
	dst := modelMember(m, f, "dst")
	if f.Type.Kind != schema.MessageKind {
		st.toOneof(out, f, field, wrapper, inner, dst)
		return
	}
	out.P("if w, ok := src.%[1]s.(*%[2]s); ok && w.%[3]s != nil {\n%[4]s = new(model.%[5]s)\nto%[5]s(%[4]s, w.%[3]s)\n}", field, wrapper, inner, dst, f.Type.Ref)
}

func (st *Style) sumVariant(out *Source, m *schema.Message, f *schema.Field) {
	field, wrapper, inner := st.Variant(m, f)
	if f.Type.Kind != schema.MessageKind {
		st.sumOneof(out, f, field, wrapper, inner)
		return
	}
	out.P("if w, ok := v.%s.(*%s); ok && w.%s != nil {\nsum += sum%s(w.%s)\n}", field, wrapper, inner, f.Type.Ref, inner)
}

// fromOneof writes the conversion of an optional leaf from the model into a wrapper behind an
// interface. toOneof writes the conversion to the model, and sumOneof adds up the leaf.
func (st *Style) fromOneof(out *Source, f *schema.Field, field, wrapper, inner, src string) {
	expr := "*" + src
	if l, ok := st.LeafOf(st.TypeOf(f)); ok {
		expr = fill(l.From, expr)
	}
	out.P("if %s != nil {\ndst.%s = &%s{%s: %s}\n}", src, field, wrapper, inner, expr)
}

func (st *Style) toOneof(out *Source, f *schema.Field, field, wrapper, inner, dst string) {
	expr := "w." + inner
	if l, ok := st.LeafOf(st.TypeOf(f)); ok {
		expr = fill(l.To, expr)
	}
	out.P("if w, ok := src.%s.(*%s); ok {\nx := %s\n%s = &x\n}", field, wrapper, expr, dst)
}

func (st *Style) sumOneof(out *Source, f *schema.Field, field, wrapper, inner string) {
	t := st.TypeOf(f)
	t.Optional = false
	out.P("if w, ok := v.%s.(*%s); ok {", field, wrapper)
	st.sumValue(out, t, "w."+inner)
	out.P("}")
}

// ProtoVariant is a Style.Variant for generators that follow protoc-gen-go.
func ProtoVariant(m *schema.Message, f *schema.Field) (field, wrapper, inner string) {
	inner = schema.GoName(f.Name)
	return schema.GoName(m.OneofName()), m.Name + "_" + inner, inner
}
