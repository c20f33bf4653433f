package easyproto

import (
	"assay/contender/emit"
	"assay/schema"
)

// methods are the library's names of kinds, as in AppendInt64. For lists, an s follows.
var methods = map[schema.Kind]string{
	schema.Bool: "Bool", schema.Int32: "Int32", schema.Int64: "Int64",
	schema.Uint32: "Uint32", schema.Uint64: "Uint64",
	schema.Float32: "Float", schema.Float64: "Double",
	schema.String: "String", schema.Bytes: "Bytes",
}

const marshalTimes = `
// writeTime writes a google.protobuf.Timestamp.
func writeTime(mm *easyproto.MessageMarshaler, t time.Time) {
	writeSecondsAndNanos(mm, t.Unix(), int32(t.Nanosecond()))
}

// writeDuration writes a google.protobuf.Duration.
func writeDuration(mm *easyproto.MessageMarshaler, d time.Duration) {
	writeSecondsAndNanos(mm, int64(d/time.Second), int32(d%time.Second))
}

func writeSecondsAndNanos(mm *easyproto.MessageMarshaler, seconds int64, nanos int32) {
	if seconds != 0 {
		mm.AppendInt64(1, seconds)
	}
	if nanos != 0 {
		mm.AppendInt32(2, nanos)
	}
}
`

func hasTimes(s *schema.Schema) bool {
	return s.Has(schema.Timestamp) || s.Has(schema.Duration)
}

// writeMarshal writes the functions that append the fields of messages.
func writeMarshal(out *emit.Source, s *schema.Schema) {
	out.P("var marshalers easyproto.MarshalerPool\n")
	if hasTimes(s) {
		out.P("%s", marshalTimes)
	}
	for _, m := range s.Messages {
		out.P("func marshal%s(mm *easyproto.MessageMarshaler, v *model.%s) {", m.Name, m.Name)
		for _, f := range m.Fields {
			marshalField(out, f, member(m, f))
		}
		out.P("}\n")
	}
}

// member returns the expression of a field of v.
func member(m *schema.Message, f *schema.Field) string {
	if m.Bare {
		return "(*v)"
	}
	return "v." + schema.GoName(f.Name)
}

func marshalField(out *emit.Source, f *schema.Field, src string) {
	switch t := f.Type; {
	case t.Kind == schema.List && packed(t.Elem.Kind):
		out.P("if len(%s) > 0 {", src)
		if t.Elem.Kind == schema.EnumKind {
			out.P("values := make([]int32, len(%s))\nfor i, x := range %s {\nvalues[i] = int32(x)\n}", src, src)
			out.P("mm.AppendInt32s(%d, values)\n}", f.Number)
			return
		}
		out.P("mm.Append%ss(%d, %s)\n}", methods[t.Elem.Kind], f.Number, src)
	case t.Kind == schema.List:
		out.P("for i := range %s {", src)
		marshalValue(out, *t.Elem, "mm", f.Number, src+"[i]")
		out.P("}")
	case t.Kind == schema.Map:
		out.P("for k, x := range %s {\ne := mm.AppendMessage(%d)", src, f.Number)
		marshalValue(out, schema.Type{Kind: t.Key}, "e", 1, "k")
		marshalValue(out, *t.Elem, "e", 2, "x")
		out.P("}")
	case t.Optional:
		out.P("if %s != nil {", src)
		if t.Kind != schema.MessageKind {
			src = "*" + src
		}
		marshalValue(out, t, "mm", f.Number, src)
		out.P("}")
	case message(t.Kind):
		marshalValue(out, t, "mm", f.Number, src)
	default:
		out.P("if %s {", present(t.Kind, src))
		marshalValue(out, t, "mm", f.Number, src)
		out.P("}")
	}
}

// packed reports whether a list of a kind is encoded as one field.
func packed(k schema.Kind) bool {
	return !message(k) && k != schema.String && k != schema.Bytes
}

// message reports whether protobuf encodes a kind as a message.
func message(k schema.Kind) bool {
	return k == schema.MessageKind || k == schema.Timestamp || k == schema.Duration
}

// present returns the condition that a value is not zero. Negative zero counts as present.
func present(k schema.Kind, src string) string {
	switch k {
	case schema.Bool:
		return src
	case schema.String, schema.Bytes:
		return "len(" + src + ") > 0"
	case schema.Float32:
		return "math.Float32bits(" + src + ") != 0"
	case schema.Float64:
		return "math.Float64bits(" + src + ") != 0"
	}
	return src + " != 0"
}

// marshalValue appends one value to mm. Optional messages are pointers.
func marshalValue(out *emit.Source, t schema.Type, mm string, number int, src string) {
	switch t.Kind {
	case schema.MessageKind:
		if !t.Optional {
			src = "&" + src
		}
		out.P("marshal%s(%s.AppendMessage(%d), %s)", t.Ref, mm, number, src)
	case schema.Timestamp:
		out.P("writeTime(%s.AppendMessage(%d), %s)", mm, number, src)
	case schema.Duration:
		out.P("writeDuration(%s.AppendMessage(%d), %s)", mm, number, src)
	case schema.EnumKind:
		out.P("%s.AppendInt32(%d, int32(%s))", mm, number, src)
	default:
		out.P("%s.Append%s(%d, %s)", mm, methods[t.Kind], number, src)
	}
}
