package gojsonexperiment

import (
	"slices"
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

const jsontext = "github.com/go-json-experiment/json/jsontext"

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{Unwrap: req.Schema, Spelled: emit.SpelledJSON(req.Schema), JSONText: emit.RawJSON("jsontext.Value"), OneOrMany: true, Imports: []string{jsontext}}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, tag, [2]string{})
	types.P(emit.MessageReader)
	methods(types, style)
	types.Import("io")
	// The package has no default representation of durations. The option for one is in addition
	// to the default settings.
	options := ""
	if req.Schema.Has(schema.Duration) {
		options = ", jsonv1.FormatDurationAsNano(true)"
	}
	std := "jsonv1.DefaultOptionsV1()"
	if req.Schema.Unescaped {
		std += ", jsontext.EscapeForHTML(false)"
	}
	writing := options
	if nulls(req.Schema) {
		writing += ", json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true)"
	}
	binder := &emit.Binder{
		Stream: &emit.Stream{
			Fields: "enc *jsontext.Encoder\ndec *jsontext.Decoder",
			Create: "c.enc = jsontext.NewEncoder(c.w" + writing + ")",
			Write:  "err = json.MarshalEncode(c.enc, in)",
			Open:   "c.dec = jsontext.NewDecoder(c.r" + options + ")",
			Read:   "v = new($T)\nerr = json.UnmarshalDecode(c.dec, v)",
		},
		Imports: []string{"bytes", "github.com/go-json-experiment/json", jsontext},
		Named:   map[string]string{"github.com/go-json-experiment/json/v1": "jsonv1"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = json.Marshal(in[i]" + writing + ")",
				Decode: "v = new($T)\nerr = json.Unmarshal(data, v" + options + ")",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer",
				Encode: "c.buf.Reset()\nerr = json.MarshalWrite(&c.buf, in[i]" + writing + ")\nout = c.buf.Bytes()",
			},
			{
				Mode:    "order=sorted",
				Refuses: emit.NeedsMaps,
				Only:    []result.Op{result.Encode},
				Encode:  "out, err = json.Marshal(in[i], json.Deterministic(true)" + writing + ")",
			},
			{
				Mode:   "config=std",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Encode: "out, err = json.Marshal(in[i], " + std + ")",
				Decode: "v = new($T)\nerr = json.Unmarshal(data, v, jsonv1.DefaultOptionsV1())",
			},
			{
				Mode:   "output=reuse,session=stream",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Fields: "buf bytes.Buffer\nenc *jsontext.Encoder\nr messageReader\ndec *jsontext.Decoder",
				Start:  "c.enc = jsontext.NewEncoder(&c.buf" + writing + ")\nc.dec = jsontext.NewDecoder(&c.r" + options + ")",
				Encode: "c.buf.Reset()\nerr = json.MarshalEncode(c.enc, in[i])\nout = c.buf.Bytes()",
				Decode: "c.r.data = data\nv = new($T)\nerr = json.UnmarshalDecode(c.dec, v)",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// tag returns the tag of a field. In version 2, omitempty looks at the encoded value. It omits
// empty strings, objects and arrays, and also a pointer to an empty string, but neither false
// nor 0.
func tag(_ *schema.Message, f *schema.Field) string {
	name := f.TextName()
	if f.OmitZero {
		name += ",omitzero"
	}
	if f.OmitEmpty {
		switch {
		case f.Type.Optional, f.OneOrMany: // a list of one empty text is an empty text
			name += ",omitzero"
		case f.Type.Kind == schema.String, f.Type.Kind == schema.Bytes, f.Type.Kind == schema.List, f.Type.Kind == schema.Map:
			name += ",omitempty"
		case f.Type.Kind != schema.MessageKind && f.Type.Kind != schema.Timestamp:
			name += ",omitzero"
		}
	}
	return `json:"` + name + `"`
}

// nulls reports whether a list, a map or bytes may be null in the data. Without an option, the
// package writes nil values as empty ones.
func nulls(s *schema.Schema) bool {
	return slices.ContainsFunc(s.Messages, func(m *schema.Message) bool {
		return slices.ContainsFunc(m.Fields, func(f *schema.Field) bool { return f.Null })
	})
}

// methods writes the methods of messages that are not written as objects, and of lists that are
// not always written as lists, by the interfaces of the package.
func methods(out *emit.Source, style *emit.Style) {
	s := style.Unwrap
	all, lists := emit.Documents(s), style.ListTypes()
	if len(all)+len(lists) == 0 {
		return
	}
	out.Import("github.com/go-json-experiment/json", jsontext)
	for _, l := range lists {
		out.P("func (v %s) MarshalJSONTo(enc *jsontext.Encoder) error {\nif len(v) == 1 {\nreturn json.MarshalEncode(enc, v[0])\n}\nreturn json.MarshalEncode(enc, []%s(v))\n}\n", l.Name, l.Elem)
		out.P("func (v *%s) UnmarshalJSONFrom(dec *jsontext.Decoder) error {", l.Name)
		out.P("if kind := dec.PeekKind(); kind == '[' || kind == 'n' {\nreturn json.UnmarshalDecode(dec, (*[]%s)(v))\n}", l.Elem)
		out.P("*v = make(%s, 1)\nreturn json.UnmarshalDecode(dec, &(*v)[0])\n}\n", l.Name)
	}
	for _, m := range all {
		if m.Union {
			union(out, style, m)
			continue
		}
		if s.Tristate(m) {
			out.P("func (v %s) MarshalJSONTo(enc *jsontext.Encoder) error {\nif len(v) == 0 {\nreturn enc.WriteToken(jsontext.Null)\n}\nreturn json.MarshalEncode(enc, v[0])\n}\n", m.Name)
			out.P("func (v *%s) UnmarshalJSONFrom(dec *jsontext.Decoder) error {\n*v = make(%s, 1)\nreturn json.UnmarshalDecode(dec, &(*v)[0])\n}\n", m.Name, m.Name)
			continue
		}
		var values, into []string
		for _, f := range m.Fields {
			values, into = append(values, "v."+schema.GoName(f.Name)), append(into, "&v."+schema.GoName(f.Name))
		}
		write, read := values[0], "return json.UnmarshalDecode(dec, "+into[0]+")"
		if m.Row {
			write = "[...]any{" + strings.Join(values, ", ") + "}"
			read = "return readRow(dec, " + strings.Join(into, ", ") + ")"
		}
		out.P("func (v %s) MarshalJSONTo(enc *jsontext.Encoder) error { return json.MarshalEncode(enc, %s) }\n", m.Name, write)
		out.P("func (v *%s) UnmarshalJSONFrom(dec *jsontext.Decoder) error {\n%s\n}\n", m.Name, read)
	}
	if slices.ContainsFunc(all, func(m *schema.Message) bool { return m.Row }) {
		out.Import("errors")
		out.P(readRow)
	}
}

// union writes the methods of a union. The JSON is the value of the variant that is set; its
// kind or its content tells the variant.
func union(out *emit.Source, style *emit.Style, m *schema.Message) {
	out.P("func (v %s) MarshalJSONTo(enc *jsontext.Encoder) error {\nswitch {", m.Name)
	for _, f := range m.Fields {
		out.P("case v.%[1]s != nil:\nreturn json.MarshalEncode(enc, v.%[1]s)", schema.GoName(f.Name))
	}
	out.P("}\nreturn enc.WriteToken(jsontext.Null)\n}\n")
	out.P("func (v *%s) UnmarshalJSONFrom(dec *jsontext.Decoder) error {", m.Name)
	if m.ByKind() {
		out.P("switch dec.PeekKind() {\ncase 'n':\n_, err := dec.ReadToken()\nreturn err")
		emit.KindCases(out, style.Unwrap, m, "'0'", func(f *schema.Field) {
			out.P("v.%[1]s = new(%[2]s)\nreturn json.UnmarshalDecode(dec, v.%[1]s)", schema.GoName(f.Name), style.VariantType(m, f))
		})
		out.Import("errors")
		out.P("}\nreturn errors.New(\"%s has no variant of this kind\")\n}\n", m.Name)
		return
	}
	out.P("data, err := dec.ReadValue()\nif err != nil || data.Kind() == 'n' {\nreturn err\n}")
	emit.UnionHead(out, m, "jsontext.Value")
	out.P("if err := json.Unmarshal(data, &head, dec.Options()); err != nil {\nreturn err\n}")
	emit.UnionSwitch(out, m, func(f *schema.Field) {
		out.P("v.%[1]s = new(%[2]s)\nreturn json.Unmarshal(data, v.%[1]s, dec.Options())", schema.GoName(f.Name), f.Type.Ref)
	})
	out.P("}\n")
}

// readRow declares a function of the generated package.
const readRow = `
// readRow reads a list of as many elements as there are places.
func readRow(dec *jsontext.Decoder, places ...any) error {
	if dec.PeekKind() != '[' {
		return errors.New("a row is not a list")
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for _, p := range places {
		if dec.PeekKind() == ']' {
			return errors.New("a row has too few elements")
		}
		if err := json.UnmarshalDecode(dec, p); err != nil {
			return err
		}
	}
	if dec.PeekKind() != ']' {
		return errors.New("a row has too many elements")
	}
	_, err := dec.ReadToken()
	return err
}`
