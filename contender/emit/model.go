package emit

import (
	"fmt"
	"strings"

	"assay/schema"
)

// ModelType returns the neutral Go type of t. Names of messages and enums are
// qualified with qual ("model." or nothing).
func ModelType(t schema.Type, qual string) string {
	star := ""
	if t.Optional {
		star = "*"
	}
	switch t.Kind {
	case schema.List:
		return "[]" + ModelType(*t.Elem, qual)
	case schema.Map:
		return "map[" + goKind[t.Key] + "]" + ModelType(*t.Elem, qual)
	case schema.MessageKind, schema.EnumKind:
		return star + qual + t.Ref
	}
	return star + goKind[t.Kind]
}

var goKind = map[schema.Kind]string{
	schema.Bool: "bool", schema.Int32: "int32", schema.Int64: "int64",
	schema.Uint32: "uint32", schema.Uint64: "uint64",
	schema.Float32: "float32", schema.Float64: "float64",
	schema.String: "string", schema.Bytes: "[]byte",
	schema.Timestamp: "time.Time", schema.Duration: "time.Duration",
}

// Model writes the neutral model of a schema: its Go types with a method LeafSum on each
// message, and the schema itself as a Go value, so that users of the package need no parser for
// the schema.
func Model(s *schema.Schema, pkg string) ([]byte, error) {
	f := NewSource(pkg, "assay")
	f.Import("time", "assay/schema", "assay/workload")
	declare(f, s, nil)
	plain := &Style{}
	for _, m := range s.Messages {
		f.P("// LeafSum adds up every leaf of the value.\nfunc (v *%s) LeafSum() uint64 { return sum%s(v) }\n", m.Name, m.Name)
		plain.sum(f, s, m)
	}
	f.P("// Schema is the schema that these types were generated from.")
	f.P("var Schema = %s", literal(s))
	return f.Bytes()
}

// Structs writes only the model's Go types, with json tags, for users who copy them.
func Structs(s *schema.Schema, pkg string) ([]byte, error) {
	f := NewSource(pkg, "assay")
	f.Import("time")
	declare(f, s, Tag("json"))
	return f.Bytes()
}

// declare writes the types of the enums and messages. Tag returns the tag of a field; a nil tag
// means no tags.
func declare(f *Source, s *schema.Schema, tag func(*schema.Message, *schema.Field) string) {
	for _, e := range s.Enums {
		doc(f, e.Doc)
		f.P("type %s int32\n\nconst (", e.Name)
		for _, v := range e.Values {
			f.P("%s_%s %s = %d", e.Name, v.Name, e.Name, v.Number)
		}
		f.P(")\n")
	}
	for _, m := range s.Messages {
		doc(f, m.Doc)
		if m.Bare {
			f.P("type %s %s\n", m.Name, ModelType(m.Fields[0].Type, ""))
			continue
		}
		f.P("type %s struct {", m.Name)
		for _, field := range m.Fields {
			if field.Doc != "" {
				doc(f, field.Doc)
			}
			tags := ""
			if tag != nil {
				tags = " `" + tag(m, field) + "`"
			}
			f.P("%s %s%s", schema.GoName(field.Name), ModelType(field.Type, ""), tags)
		}
		f.P("}\n")
	}
}

func doc(f *Source, text string) {
	if text != "" {
		f.P("// %s", strings.ReplaceAll(text, "\n", "\n// "))
	}
}

// literal returns a schema as a Go expression.
func literal(s *schema.Schema) string {
	var b strings.Builder
	fmt.Fprintf(&b, "&schema.Schema{\nName: %q,\nDoc: %q,\nRoots: %#v,\n", s.Name, s.Doc, s.Roots)
	if s.Unescaped {
		b.WriteString("Unescaped: true,\n")
	}
	b.WriteString("Messages: []*schema.Message{\n")
	for _, m := range s.Messages {
		fmt.Fprintf(&b, "{Name: %q, Doc: %q, Bare: %v, ", m.Name, m.Doc, m.Bare)
		if m.Wraps {
			b.WriteString("Wraps: true, ")
		}
		if m.Row {
			b.WriteString("Row: true, ")
		}
		if m.Union {
			fmt.Fprintf(&b, "Union: true, Tag: %q, ", m.Tag)
		}
		b.WriteString("Fields: []*schema.Field{\n")
		for _, f := range m.Fields {
			fmt.Fprintf(&b, "{Name: %q, Number: %d", f.Name, f.Number)
			if f.Doc != "" {
				fmt.Fprintf(&b, ", Doc: %q", f.Doc)
			}
			if f.Text != "" {
				fmt.Fprintf(&b, ", Text: %q", f.Text)
			}
			if f.OmitEmpty {
				b.WriteString(", OmitEmpty: true")
			}
			if f.OmitZero {
				b.WriteString(", OmitZero: true")
			}
			if f.Null {
				b.WriteString(", Null: true")
			}
			if f.OneOrMany {
				b.WriteString(", OneOrMany: true")
			}
			if f.JSONText {
				b.WriteString(", JSONText: true")
			}
			if f.As != "" {
				fmt.Fprintf(&b, ", As: %q", string(f.As))
			}
			if len(f.When) > 0 {
				fmt.Fprintf(&b, ", When: %#v", f.When)
			}
			fmt.Fprintf(&b, ", Type: %s},\n", typeLiteral(f.Type))
		}
		b.WriteString("}},\n")
	}
	b.WriteString("},\n")
	if len(s.Enums) > 0 {
		b.WriteString("Enums: []*schema.Enum{\n")
		for _, e := range s.Enums {
			fmt.Fprintf(&b, "{Name: %q, Doc: %q, Values: []schema.EnumValue{", e.Name, e.Doc)
			for _, v := range e.Values {
				fmt.Fprintf(&b, "{Name: %q, Number: %d}, ", v.Name, v.Number)
			}
			b.WriteString("}},\n")
		}
		b.WriteString("},\n")
	}
	b.WriteString("}")
	return b.String()
}

var kindName = map[schema.Kind]string{
	schema.Bool: "Bool", schema.Int32: "Int32", schema.Int64: "Int64",
	schema.Uint32: "Uint32", schema.Uint64: "Uint64",
	schema.Float32: "Float32", schema.Float64: "Float64",
	schema.String: "String", schema.Bytes: "Bytes",
	schema.Timestamp: "Timestamp", schema.Duration: "Duration",
	schema.EnumKind: "EnumKind", schema.MessageKind: "MessageKind",
	schema.List: "List", schema.Map: "Map",
}

func typeLiteral(t schema.Type) string {
	var b strings.Builder
	fmt.Fprintf(&b, "schema.Type{Kind: schema.%s", kindName[t.Kind])
	if t.Ref != "" {
		fmt.Fprintf(&b, ", Ref: %q", t.Ref)
	}
	if t.Optional {
		b.WriteString(", Optional: true")
	}
	if t.Key != schema.Invalid {
		fmt.Fprintf(&b, ", Key: schema.%s", kindName[t.Key])
	}
	if t.Elem != nil {
		b.WriteString(", Elem: &" + typeLiteral(*t.Elem))
	}
	b.WriteString("}")
	return b.String()
}
