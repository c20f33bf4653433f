package easyjson

import (
	"fmt"

	"assay/contender"
	"assay/contender/emit"
	"assay/schema"
)

// methods returns the file with the methods of messages that JSON does not write as objects,
// and of lists that it does not always write as lists. The library's generator knows only
// objects and lists, and calls these methods.
func methods(req contender.Request, style *emit.Style, all []*schema.Message, lists []emit.ListType) (contender.File, error) {
	out := emit.NewSource(req.Package, "assay")
	out.Import("encoding/json", "time", "github.com/mailru/easyjson/jlexer", "github.com/mailru/easyjson/jwriter")
	for _, m := range all {
		w := &rowWriter{Source: out, style: style, schema: req.Schema, message: m}
		switch {
		case m.ByKind():
			w.kinds()
			continue
		case m.Union:
			union(out, m)
			continue
		case req.Schema.Tristate(m):
			w.tristate()
			continue
		}
		out.P("func (v %s) MarshalEasyJSON(w *jwriter.Writer) {", m.Name)
		w.fields("w.RawByte('[')", "w.RawByte(',')", "w.RawByte(']')", w.write)
		out.P("}\n")
		for _, w.decode = range []string{"UnmarshalEasyJSON", "UnmarshalAlias"} {
			// After an error the lexer finds no null, so a row that contains itself would not
			// end.
			out.P("func (v *%s) %s(l *jlexer.Lexer) {\nif !l.Ok() {\nreturn\n}\nwhole := l.IsStart()", m.Name, w.decode)
			w.fields("l.Delim('[')", "l.WantComma()", "l.WantComma()\nl.Delim(']')", w.read)
			out.P("if whole {\nl.Consumed()\n}\n}\n")
		}
	}
	for _, l := range lists {
		w := &rowWriter{Source: out, style: style, schema: req.Schema}
		w.list(l)
	}
	data, err := out.Bytes()
	return contender.File{Name: "rows.go", Data: data}, err
}

// A rowWriter writes the methods of one message.
type rowWriter struct {
	*emit.Source
	style   *emit.Style
	schema  *schema.Schema
	message *schema.Message
	decode  string // the method that decodes
	depth   int    // nesting depth of loops
}

// tristate writes the methods of a message that tells null from absent.
func (w *rowWriter) tristate() {
	name, value := w.message.Name, w.style.TypeOf(w.message.Fields[0])
	w.P("func (v %s) MarshalEasyJSON(w *jwriter.Writer) {\nif len(v) == 0 {\nw.RawString(\"null\")\nreturn\n}", name)
	w.write(value, "v[0]")
	w.P("}\n")
	for _, w.decode = range []string{"UnmarshalEasyJSON", "UnmarshalAlias"} {
		w.P("func (v *%s) %s(l *jlexer.Lexer) {\n*v = make(%s, 1)", name, w.decode, name)
		w.read(value, "(*v)[0]")
		w.P("}\n")
	}
}

// list writes the methods of a list type that omits the brackets around a single element.
func (w *rowWriter) list(l emit.ListType) {
	whole := schema.Type{Kind: schema.List, Elem: &l.Type}
	w.P("func (v %s) MarshalEasyJSON(w *jwriter.Writer) {\nif len(v) == 1 {", l.Name)
	w.write(l.Type, "v[0]")
	w.P("return\n}")
	w.write(whole, "v")
	w.P("}\n")
	for _, w.decode = range []string{"UnmarshalEasyJSON", "UnmarshalAlias"} {
		w.P("func (v *%s) %s(l *jlexer.Lexer) {\nwhole := l.IsStart()\nif l.IsDelim('[') || l.IsNull() {", l.Name, w.decode)
		w.read(whole, "(*v)")
		w.P("} else {\n*v = make(%s, 1)", l.Name)
		w.read(l.Type, "(*v)[0]")
		w.P("}\nif whole {\nl.Consumed()\n}\n}\n")
	}
}

// fields writes the code for each field and, if the message is written as a list, the code
// before, between and after them.
func (w *rowWriter) fields(before, between, after string, value func(t schema.Type, v string)) {
	if !w.message.Row {
		before, between, after = "", "", ""
	}
	w.P("%s", before)
	for i, f := range w.message.Fields {
		if i > 0 {
			w.P("%s", between)
		}
		value(w.style.TypeOf(f), "v."+schema.GoName(f.Name))
	}
	w.P("%s", after)
}

// unwrapped returns the type of a value. For a message that is held as the value of its field,
// it is the type of that field.
func (w *rowWriter) unwrapped(t schema.Type) schema.Type {
	if t.Kind != schema.MessageKind {
		return t
	}
	m := w.schema.Message(t.Ref)
	if !w.schema.Transparent(m) {
		return t
	}
	inner := w.style.TypeOf(m.Fields[0])
	inner.Optional = inner.Optional || t.Optional
	return inner
}

// goType returns the Go type of a value. It needs no message and field, which would only name
// the entries of maps that are held as lists, and JSON has no such maps.
func (w *rowWriter) goType(t schema.Type) string { return w.style.Type(nil, nil, t) }

// scalars are the suffixes of the method names of the library's writer and lexer.
var scalars = map[schema.Kind]string{
	schema.Bool: "Bool", schema.Int32: "Int32", schema.Int64: "Int64", schema.Uint32: "Uint32", schema.Uint64: "Uint64",
	schema.Float32: "Float32", schema.Float64: "Float64", schema.String: "String",
}

// keyMethod returns the method of the library's writer and lexer for a key.
func keyMethod(k schema.Kind) string {
	if k == schema.String {
		return "String"
	}
	return scalars[k] + "Str"
}

func (w *rowWriter) write(t schema.Type, v string) {
	t = w.unwrapped(t)
	if t.Optional {
		w.P("if %s == nil {\nw.RawString(\"null\")\n} else {", v)
		t.Optional = false
		w.write(t, "(*"+v+")")
		w.P("}")
		return
	}
	switch spelled, text := w.style.IsSpelled(t); {
	case text:
		w.P("w.RawText(%s.MarshalText())", v)
		return
	case spelled:
		w.P("w.Raw(%s.MarshalJSON())", v)
		return
	}
	switch t.Kind {
	case schema.List:
		if t.Ref != "" { // it has methods
			w.P("%s.MarshalEasyJSON(w)", v)
			return
		}
		w.depth++
		i, x := fmt.Sprintf("i%d", w.depth), fmt.Sprintf("x%d", w.depth)
		w.P("if %s == nil {\nw.RawString(\"null\")\n} else {\nw.RawByte('[')\nfor %s, %s := range %s {\nif %s > 0 {\nw.RawByte(',')\n}", v, i, x, v, i)
		w.write(*t.Elem, x)
		w.P("}\nw.RawByte(']')\n}")
		w.depth--
	case schema.Map:
		w.depth++
		k, x := fmt.Sprintf("k%d", w.depth), fmt.Sprintf("x%d", w.depth)
		w.P("if %s == nil {\nw.RawString(\"null\")\n} else {\nw.RawByte('{')\nnext%d := false\nfor %s, %s := range %s {", v, w.depth, k, x, v)
		w.P("if next%d {\nw.RawByte(',')\n}\nnext%d = true\nw.%s(%s)\nw.RawByte(':')", w.depth, w.depth, keyMethod(t.Key), k)
		w.write(*t.Elem, x)
		w.P("}\nw.RawByte('}')\n}")
		w.depth--
	case schema.MessageKind:
		w.P("%s.MarshalEasyJSON(w)", v)
	case schema.Timestamp, emit.JSONText:
		w.P("w.Raw(%s.MarshalJSON())", v)
	case schema.Duration:
		w.P("w.Int64(int64(%s))", v)
	case schema.EnumKind:
		w.P("w.Int32(int32(%s))", v)
	case schema.Bytes:
		w.P("w.Base64Bytes(%s)", v)
	default:
		w.P("w.%s(%s)", scalars[t.Kind], v)
	}
}

func (w *rowWriter) read(t schema.Type, v string) {
	t = w.unwrapped(t)
	spelled, text := w.style.IsSpelled(t)
	if t.Kind == schema.List && t.Ref != "" { // it has methods
		w.P("%s.%s(l)", v, w.decode)
		return
	}
	if t.Optional || t.Kind == schema.Bytes && !spelled || t.Kind == schema.List || t.Kind == schema.Map {
		w.P("if l.IsNull() {\nl.Skip()\n} else {")
		defer w.P("}")
	}
	if t.Optional {
		t.Optional = false
		w.P("%s = new(%s)", v, w.goType(t))
		w.read(t, "(*"+v+")")
		return
	}
	switch {
	case text:
		w.P("if text := l.UnsafeBytes(); l.Ok() {\nl.AddError(%s.UnmarshalText(text))\n}", v)
		return
	case spelled:
		w.P("if data := l.Raw(); l.Ok() {\nl.AddError(%s.UnmarshalJSON(data))\n}", v)
		return
	}
	switch t.Kind {
	case schema.List:
		w.depth++
		x := fmt.Sprintf("x%d", w.depth)
		w.P("l.Delim('[')\n%s = %s{}\nfor !l.IsDelim(']') {\nvar %s %s", v, w.goType(t), x, w.goType(*t.Elem))
		w.read(*t.Elem, x)
		w.P("%s = append(%s, %s)\nl.WantComma()\n}\nl.Delim(']')", v, v, x)
		w.depth--
	case schema.Map:
		w.depth++
		k, x := fmt.Sprintf("k%d", w.depth), fmt.Sprintf("x%d", w.depth)
		w.P("l.Delim('{')\n%s = %s{}\nfor !l.IsDelim('}') {\n%s := l.%s()\nl.WantColon()\nvar %s %s", v, w.goType(t), k, keyMethod(t.Key), x, w.goType(*t.Elem))
		w.read(*t.Elem, x)
		w.P("%s[%s] = %s\nl.WantComma()\n}\nl.Delim('}')", v, k, x)
		w.depth--
	case schema.MessageKind:
		w.P("%s.%s(l)", v, w.decode)
	case schema.Timestamp, emit.JSONText:
		w.P("if data := l.Raw(); l.Ok() {\nl.AddError(%s.UnmarshalJSON(data))\n}", v)
	case schema.Duration:
		w.P("%s = time.Duration(l.Int64())", v)
	case schema.EnumKind:
		w.P("%s = %s(l.Int32())", v, t.Ref)
	case schema.Bytes:
		w.P("%s = l.Bytes()", v)
	default:
		method := scalars[t.Kind]
		if t.Kind == schema.String && w.decode == "UnmarshalAlias" {
			method = "UnsafeString"
		}
		w.P("%s = l.%s()", v, method)
	}
}
