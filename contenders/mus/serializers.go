package mus

import (
	"assay/contender/emit"
	"assay/schema"
)

const (
	library = "github.com/mus-format/mus-go/"
	common  = "github.com/mus-format/common-go"
)

func untagged(*schema.Message, *schema.Field) string { return "" }

// A flavour is a set of serializers. It says which package of the library serializes leaves.
type flavour struct {
	// prefix begins the names of its types and variables. An underscore follows, except in the
	// names for messages and enums.
	prefix string
	// leaf are the serializers of the leaves other than text.
	leaf map[schema.Kind]string
	// text is the library's package for strings and bytes.
	text string
}

var varints = map[schema.Kind]string{
	schema.Bool: "ord.Bool", schema.Int32: "varint.Int32", schema.Int64: "varint.Int64",
	schema.Uint32: "varint.Uint32", schema.Uint64: "varint.Uint64",
	schema.Float32: "raw.Float32", schema.Float64: "raw.Float64",
	schema.Timestamp: "raw.TimeUnixNanoUTC",
}

var fixed = map[schema.Kind]string{
	schema.Bool: "unsafe.Bool", schema.Int32: "unsafe.Int32", schema.Int64: "unsafe.Int64",
	schema.Uint32: "unsafe.Uint32", schema.Uint64: "unsafe.Uint64",
	schema.Float32: "unsafe.Float32", schema.Float64: "unsafe.Float64",
	schema.Timestamp: "unsafe.TimeUnixNanoUTC",
}

var flavours = []*flavour{{"ser", varints, "ord"}, {"alias", varints, "unsafe"}, {"fixed", fixed, "unsafe"}}

// writeSerializers writes the serializers of a schema's messages and enums in every flavour.
func writeSerializers(out *emit.Source, s *schema.Schema) {
	out.Import("time")
	for _, p := range []string{"ord", "raw", "unsafe", "varint"} {
		out.Import(library + p)
	}
	out.ImportAs("com", common)
	for name, dir := range map[string]string{"slops": "slice", "mapops": "map", "strops": "string", "bslops": "byte_slice"} {
		out.ImportAs(name, library+"options/"+dir)
	}
	out.P(validators)
	for _, f := range flavours {
		f.texts(out, s)
		for _, e := range s.Enums {
			f.number(out, e.Name, e.Name, schema.Int32)
		}
		if s.Has(schema.Duration) {
			f.number(out, "_duration", "time.Duration", schema.Int64)
		}
		for _, m := range s.Messages {
			f.message(out, m)
		}
	}
}

// validators declares variables and a function of the generated package.
const validators = `
// The lengths that are read. Room for lists and maps is made before they are
// read; sums with the lengths of texts must not overflow.
var (
	maxCount = atMost(1 << 21)
	maxText  = atMost(1 << 30)
)

func atMost(n int) com.ValidatorFn[int] {
	return func(length int) error {
		if length > n {
			return com.ErrTooLargeLength
		}
		return nil
	}
}
`

// texts writes the variables with the serializers of strings and bytes.
func (f *flavour) texts(out *emit.Source, s *schema.Schema) {
	if s.Has(schema.String) {
		out.P("var %s_string = %s.NewValidStringSer(strops.WithLenValidator(maxText))", f.prefix, f.text)
	}
	if s.Has(schema.Bytes) {
		out.P("var %s_bytes = %s.NewValidByteSliceSer(bslops.WithLenValidator(maxText))", f.prefix, f.text)
	}
	out.P("")
}

// serializer returns the expression of the serializer of a value.
func (f *flavour) serializer(t schema.Type) string {
	plain := t
	plain.Optional = false
	switch {
	case t.Optional:
		return "ord.NewPtrSer[" + goType(plain) + "](" + f.serializer(plain) + ")"
	case t.Kind == schema.List:
		elem := goType(*t.Elem)
		return "ord.NewValidSliceSer[" + elem + "](" + f.serializer(*t.Elem) + ", slops.WithLenValidator[" + elem + "](maxCount))"
	case t.Kind == schema.Map:
		key := schema.Type{Kind: t.Key}
		types := "[" + goType(key) + ", " + goType(*t.Elem) + "]"
		return "ord.NewValidMapSer" + types + "(" + f.serializer(key) + ", " + f.serializer(*t.Elem) + ", mapops.WithLenValidator" + types + "(maxCount))"
	case t.Kind == schema.MessageKind, t.Kind == schema.EnumKind:
		return f.prefix + t.Ref + "{}"
	case t.Kind == schema.Duration:
		return f.prefix + "_duration{}"
	case t.Kind == schema.String:
		return f.prefix + "_string"
	case t.Kind == schema.Bytes:
		return f.prefix + "_bytes"
	}
	return f.leaf[t.Kind]
}

func goType(t schema.Type) string { return emit.ModelType(t, "") }

// number writes the serializer of a Go type whose underlying type is a number.
func (f *flavour) number(out *emit.Source, name, goType string, kind schema.Kind) {
	own, basic, ser := f.prefix+name, emit.ModelType(schema.Type{Kind: kind}, ""), f.leaf[kind]
	out.P("type %s struct{}\n", own)
	out.P("func (%s) Marshal(v %s, bs []byte) int { return %s.Marshal(%s(v), bs) }\n", own, goType, ser, basic)
	out.P("func (%s) Unmarshal(bs []byte) (%s, int, error) {\nv, n, err := %s.Unmarshal(bs)\nreturn %s(v), n, err\n}\n", own, goType, ser, goType)
	out.P("func (%s) Size(v %s) int { return %s.Size(%s(v)) }\n", own, goType, ser, basic)
	out.P("func (%s) Skip(bs []byte) (int, error) { return %s.Skip(bs) }\n", own, ser)
}

// message writes the serializer of a message, and variables with the serializers of its lists,
// maps and optional fields.
func (f *flavour) message(out *emit.Source, m *schema.Message) {
	own := f.prefix + m.Name
	sers := make([]string, len(m.Fields))
	for i, field := range m.Fields {
		sers[i] = f.serializer(field.Type)
		if k := field.Type.Kind; k == schema.List || k == schema.Map || field.Type.Optional {
			name := f.prefix + "_" + m.Name + "_" + schema.GoName(field.Name)
			out.P("var %s = %s\n", name, sers[i])
			sers[i] = name
		}
	}
	out.P("type %s struct{}\n", own)
	if m.Bare {
		out.P("func (%s) Marshal(v %s, bs []byte) int { return %s.Marshal(v, bs) }\n", own, m.Name, sers[0])
		out.P("func (%s) Unmarshal(bs []byte) (%s, int, error) { return %s.Unmarshal(bs) }\n", own, m.Name, sers[0])
		out.P("func (%s) Size(v %s) int { return %s.Size(v) }\n", own, m.Name, sers[0])
		out.P("func (%s) Skip(bs []byte) (int, error) { return %s.Skip(bs) }\n", own, sers[0])
		return
	}
	each := func(statements string) {
		for i, field := range m.Fields {
			out.P(statements, sers[i], "v."+schema.GoName(field.Name))
		}
	}
	out.P("func (%s) Marshal(v %s, bs []byte) (n int) {", own, m.Name)
	each("n += %[1]s.Marshal(%[2]s, bs[n:])")
	out.P("return n\n}\n")
	out.P("func (%s) Unmarshal(bs []byte) (v %s, n int, err error) {", own, m.Name)
	if len(m.Fields) > 0 {
		out.P("var used int")
	}
	each("%[2]s, used, err = %[1]s.Unmarshal(bs[n:])\nn += used\nif err != nil {\nreturn v, n, err\n}")
	out.P("return v, n, nil\n}\n")
	out.P("func (%s) Size(v %s) (size int) {", own, m.Name)
	each("size += %[1]s.Size(%[2]s)")
	out.P("return size\n}\n")
	out.P("func (%s) Skip(bs []byte) (n int, err error) {", own)
	if len(m.Fields) > 0 {
		out.P("var used int")
	}
	each("used, err = %[1]s.Skip(bs[n:])\nn += used\nif err != nil {\nreturn n, err\n}")
	out.P("return n, nil\n}\n")
}
