package protoc

import (
	"bytes"
	"fmt"
	"strings"

	"assay/schema"
)

// Text returns the schema as a .proto file, for people or for protoc. It means the same as
// Request's request, and has the docs as comments. Text does not use Parameter.
func Text(o Options) []byte {
	var b bytes.Buffer
	comment(&b, "", o.Schema.Doc)
	if o.Schema.Doc != "" {
		b.WriteByte('\n') // so that the doc is not the comment of the next line
	}
	fmt.Fprintf(&b, "syntax = \"proto3\";\n\npackage %s;\n\n", o.ProtoPackage)
	for _, f := range imports(o.Schema) {
		fmt.Fprintf(&b, "import %q;\n", f.path)
	}
	if len(imports(o.Schema)) > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "option go_package = %q;\n", o.goPackage())
	for _, m := range o.Schema.Messages {
		b.WriteByte('\n')
		comment(&b, "", m.Doc)
		if len(m.Fields) == 0 {
			fmt.Fprintf(&b, "message %s {}\n", m.Name)
			continue
		}
		fmt.Fprintf(&b, "message %s {\n", m.Name)
		indent := "  "
		if m.Union {
			fmt.Fprintf(&b, "  oneof %s {\n", m.OneofName())
			indent = "    "
		}
		for _, f := range m.Fields {
			comment(&b, indent, f.Doc)
			comment(&b, indent, o.Comments[m.Name+"."+f.Name])
			options := ""
			if name, custom := o.jsonName(m, f); custom {
				options = " [json_name = " + quote(name) + "]"
			}
			fmt.Fprintf(&b, "%s%s %s = %d%s;\n", indent, o.expr(m, f.Type), f.Name, f.Number, options)
		}
		if m.Union {
			b.WriteString("  }\n")
		}
		b.WriteString("}\n")
	}
	for _, e := range o.Schema.Enums {
		b.WriteByte('\n')
		comment(&b, "", e.Doc)
		fmt.Fprintf(&b, "enum %s {\n", e.Name)
		for _, v := range e.Values {
			fmt.Fprintf(&b, "  %s = %d;\n", v.Name, v.Number)
		}
		b.WriteString("}\n")
	}
	return b.Bytes()
}

// quote returns a text as a string of a .proto file.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\%03o", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// expr returns the type of a field of message m in .proto syntax.
func (o Options) expr(m *schema.Message, t schema.Type) string {
	switch {
	case t.Kind == schema.List:
		return "repeated " + o.expr(m, *t.Elem)
	case t.Kind == schema.Map:
		return fmt.Sprintf("map<%s, %s>", protoTypes[t.Key].name, o.expr(m, *t.Elem))
	case explicit(t) && !m.Union: // in a oneof every field is optional
		t.Optional = false
		return "optional " + o.expr(m, t)
	case t.Ref == "" && protoTypes[t.Kind].file != nil && strings.Contains("."+o.ProtoPackage+".", ".google."):
		return "." + protoTypes[t.Kind].name // without the dot, google would mean a package within ours
	case t.Ref == "":
		return protoTypes[t.Kind].name
	}
	// A name refers to the innermost type with that name, and the entry messages of m's maps
	// are nested in m.
	for _, f := range m.Fields {
		if f.Type.Kind == schema.Map && entryName(f.Name) == t.Ref {
			return o.typeName(t.Ref)
		}
	}
	return t.Ref
}

// comment writes a doc as a comment.
func comment(b *bytes.Buffer, indent, doc string) {
	for _, l := range lines(doc) {
		b.WriteString(strings.TrimRight(indent+"// "+clean(l), " ") + "\n")
	}
}

// clean replaces characters that would end a comment or confuse protoc's parser.
func clean(line string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return ' '
		}
		return r
	}, line)
}
