package export

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"strconv"
	"strings"

	"assay/contender/emit"
	"assay/internal/infer"
	"assay/schema"
)

// reader is the source of package reader.
//
//go:embed reader/reader.go
var reader string

// model adds the plain Go types. If encoding/json alone cannot read the user's JSON, it also adds
// the code that reads it.
func (m *Module) model(o Options) error {
	types, err := emit.Structs(o.Schema, o.Module+"/model")
	if err != nil {
		return fmt.Errorf("the Go types of the schema: %w", err)
	}
	m.add(modelFile, header.ReplaceAll(types, nil))
	if o.Spelling.Plain(o.Schema) {
		return nil
	}
	source, err := format.Source([]byte(strings.Replace(reader[strings.Index(reader, "package reader"):], "package reader", "package model", 1)))
	if err != nil {
		return err
	}
	m.add("model/reader.go", source)
	spelled, err := o.spelled()
	m.add("model/json.go", spelled)
	return err
}

// spelled returns json.go. It has the spelling of each type in the JSON of the records, and the
// methods by which the types read it.
func (o Options) spelled() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("package model\n\nimport \"reflect\"\n\n// how is how the JSON of the records writes each type.\nvar how = spellings{\n")
	for _, e := range o.Schema.Enums {
		fmt.Fprintf(&b, "reflect.TypeFor[%s](): {values: map[string]int32{", e.Name)
		for _, v := range infer.EnumTexts(e) {
			fmt.Fprintf(&b, "%q: %d, ", v.Name, v.Number)
		}
		b.WriteString("}},\n")
	}
	for _, m := range o.Schema.Messages {
		fmt.Fprintf(&b, "reflect.TypeFor[%s](): {", m.Name)
		if !m.Bare {
			b.WriteString("keys: []string{")
			for _, f := range m.Fields {
				b.WriteString(strconv.Quote(o.key(m, f)) + ", ")
			}
			b.WriteString("}, ")
		}
		if texts := placed(m, func(f *schema.Field) bool { return f.JSONText }); len(texts) > 0 {
			fmt.Fprintf(&b, "texts: []int{%s}, ", strings.Join(texts, ", "))
		}
		if forms := spelledFields(m); forms != "" {
			fmt.Fprintf(&b, "forms: map[int]string{%s}, ", forms)
		}
		if ones := placed(m, func(f *schema.Field) bool { return f.OneOrMany }); len(ones) > 0 {
			fmt.Fprintf(&b, "ones: []int{%s}, ", strings.Join(ones, ", "))
		}
		if m.Wraps {
			b.WriteString("wraps: true")
		}
		switch kinds := o.Schema.VariantKinds(m); {
		case kinds != nil:
			var text []byte
			for _, k := range kinds {
				text = append(text, byte(k))
			}
			fmt.Fprintf(&b, "kinds: %q", text)
		case m.Union:
			fmt.Fprintf(&b, "tag: %q, when: [][]string{", o.told(m.Fields[0], m.Tag))
			for _, f := range m.Fields {
				b.WriteString("{")
				for _, text := range f.When {
					if m.Tag == "" {
						text = o.told(f, text)
					}
					b.WriteString(strconv.Quote(text) + ", ")
				}
				b.WriteString("}, ")
			}
			b.WriteString("}")
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	for _, e := range o.Schema.Enums {
		fmt.Fprintf(&b, "\n// UnmarshalJSON reads a value as the records have it.\nfunc (v *%s) UnmarshalJSON(data []byte) error { return how.read(data, v) }\n", e.Name)
	}
	for _, m := range o.Schema.Messages {
		fmt.Fprintf(&b, "\n// UnmarshalJSON reads a value as the records have it.\nfunc (v *%s) UnmarshalJSON(data []byte) error { return how.read(data, v) }\n", m.Name)
	}
	return format.Source(b.Bytes())
}

// key returns the key of a field in the user's JSON.
func (o Options) key(m *schema.Message, f *schema.Field) string {
	if key, ok := o.Spelling.Keys[m.Name+"."+f.Name]; ok {
		return key
	}
	return f.TextName()
}

// told returns the key in the user's JSON of a variant's field, by the text name of the field.
func (o Options) told(variant *schema.Field, text string) string {
	of := o.Schema.Message(variant.Type.Ref)
	if f := of.TextField(text); f != nil {
		return o.key(of, f)
	}
	return text
}

// placed returns the indices of the selected fields of a message.
func placed(m *schema.Message, some func(f *schema.Field) bool) (places []string) {
	for i, f := range m.Fields {
		if some(f) {
			places = append(places, strconv.Itoa(i))
		}
	}
	return places
}

// spelledFields returns the fields of a message that have a spelling, as entries of a map from
// the field's index. For times that are strings, the entry has the layout.
func spelledFields(m *schema.Message) string {
	var all []string
	for i, f := range m.Fields {
		if f.As == "" {
			continue
		}
		form := string(f.As)
		if f.As.Kind() == schema.Timestamp && !f.As.Number() {
			form = f.As.Layout()
		}
		all = append(all, fmt.Sprintf("%d: %q", i, form))
	}
	return strings.Join(all, ", ")
}

// documented returns a copy of the schema in which fields without a comment say how the user's
// JSON spells their values.
func documented(s *schema.Schema) *schema.Schema {
	out := *s
	out.Messages = nil
	for _, m := range s.Messages {
		copied := *m
		copied.Fields = nil
		for _, f := range m.Fields {
			field := *f
			switch {
			case f.Doc != "":
			case f.As != "":
				field.Doc = "In JSON " + f.As.Text() + "."
			case f.OneOrMany:
				field.Doc = "In JSON without brackets when it has one element."
			}
			copied.Fields = append(copied.Fields, &field)
		}
		out.Messages = append(out.Messages, &copied)
	}
	return &out
}
