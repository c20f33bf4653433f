package easyproto

import (
	"assay/contender/emit"
	"assay/schema"
)

// A reader writes the functions that read messages.
type reader struct {
	out    *emit.Source
	schema *schema.Schema
	name   string // prefix of the functions' names
	alias  bool   // do not copy strings and bytes
}

const unmarshalTimes = `
// readTime reads a google.protobuf.Timestamp.
func readTime(src []byte) (time.Time, error) {
	seconds, nanos, err := readSecondsAndNanos(src)
	return time.Unix(seconds, nanos).UTC(), err
}

// readDuration reads a google.protobuf.Duration.
func readDuration(src []byte) (time.Duration, error) {
	seconds, nanos, err := readSecondsAndNanos(src)
	return time.Duration(seconds)*time.Second + time.Duration(nanos), err
}

func readSecondsAndNanos(src []byte) (seconds, nanos int64, err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return 0, 0, fmt.Errorf("cannot read the next field of a time: %w", err)
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			seconds, ok = fc.Int64()
		case 2:
			nanos, ok = fc.Int64()
			nanos = int64(int32(nanos))
		}
		if !ok {
			return 0, 0, fmt.Errorf("cannot read field %d of a time", fc.FieldNum)
		}
	}
	return seconds, nanos, nil
}
`

func (r reader) write() {
	if !r.alias && hasTimes(r.schema) {
		r.out.P("%s", unmarshalTimes)
	}
	for _, m := range r.schema.Messages {
		r.message(m)
	}
}

// message writes the function that reads a message, and the functions that read the entries of
// its maps.
func (r reader) message(m *schema.Message) {
	r.out.P("func %s%s(v *model.%s, src []byte) (err error) {", r.name, m.Name, m.Name)
	for _, f := range m.Fields {
		r.reset(f, member(m, f))
	}
	r.loop(m.Name, func() {
		for _, f := range m.Fields {
			r.out.P("case %d:", f.Number)
			r.field(m, f, member(m, f))
		}
	})
	r.out.P("return nil\n}\n")
	for _, f := range m.Fields {
		if f.Type.Kind == schema.Map {
			r.entry(m, f)
		}
	}
}

// loop writes the loop over the fields of src.
func (r reader) loop(name string, cases func()) {
	r.out.P("var fc easyproto.FieldContext\nfor len(src) > 0 {\nif src, err = fc.NextField(src); err != nil {")
	r.out.P("return fmt.Errorf(\"cannot read the next field of %s: %%w\", err)\n}\nok := true\nswitch fc.FieldNum {", name)
	cases()
	r.out.P("}\nif !ok {\nreturn fmt.Errorf(\"cannot read field %%d of %s\", fc.FieldNum)\n}\n}", name)
}

// reset writes the statements that set a field to zero and keep its memory.
func (r reader) reset(f *schema.Field, dst string) {
	switch t := f.Type; {
	case t.Kind == schema.List:
		r.out.P("%s = %s[:0]", dst, dst)
	case t.Kind == schema.Map:
		r.out.P("clear(%s)", dst)
	case t.Optional:
		r.out.P("%s = nil", dst)
	case t.Kind == schema.MessageKind:
		r.out.P("if err := %s%s(&%s, nil); err != nil {\nreturn err\n}", r.name, t.Ref, dst)
	case t.Kind == schema.Bytes && !r.alias:
		r.out.P("%s = %s[:0]", dst, dst)
	default:
		r.out.P("%s = %s", dst, zero[t.Kind])
	}
}

var zero = map[schema.Kind]string{
	schema.Bool: "false", schema.Int32: "0", schema.Int64: "0", schema.Uint32: "0", schema.Uint64: "0",
	schema.Float32: "0", schema.Float64: "0", schema.String: `""`, schema.Bytes: "nil",
	schema.Timestamp: "time.Unix(0, 0).UTC()", schema.Duration: "0", schema.EnumKind: "0",
}

// field writes the statements that read one field.
func (r reader) field(m *schema.Message, f *schema.Field, dst string) {
	t := f.Type
	switch {
	case t.Kind == schema.List && packed(t.Elem.Kind):
		switch k := t.Elem.Kind; k {
		case schema.EnumKind, schema.Int32: // the library refuses more than 32 bits
			r.out.P("var values []int64\nvalues, ok = fc.UnpackInt64s(nil)\nfor _, x := range values {\n%s = append(%s, %s(x))\n}", dst, dst, emit.ModelType(*t.Elem, "model."))
		default:
			r.out.P("%s, ok = fc.Unpack%ss(%s)", dst, methods[k], dst)
		}
	case t.Kind == schema.List:
		elem := *t.Elem
		if elem.Kind == schema.MessageKind {
			if elem.Optional {
				r.out.P("%s = append(%s, new(model.%s))", dst, dst, elem.Ref)
			} else { // an element that is kept keeps the memory of its own lists; reading resets it
				r.out.P("if n := len(%s); n < cap(%s) {\n%s = %s[:n+1]\n} else {\n%s = append(%s, model.%s{})\n}", dst, dst, dst, dst, dst, dst, elem.Ref)
			}
			r.value(elem, dst+"[len("+dst+")-1]")
			return
		}
		r.out.P("var x %s", emit.ModelType(elem, "model."))
		r.value(elem, "x")
		r.out.P("%s = append(%s, x)", dst, dst)
	case t.Kind == schema.Map:
		r.out.P("var data []byte\nif data, ok = fc.MessageData(); ok {\nif %s == nil {\n%s = make(%s)\n}", dst, dst, emit.ModelType(t, "model."))
		r.out.P("if err := %s%s(%s, data); err != nil {\nreturn err\n}\n}", r.name, emit.EntryName(r.schema, m, f), dst)
	case t.Optional:
		t.Optional = false
		r.out.P("%s = new(%s)", dst, emit.ModelType(t, "model."))
		if t.Kind == schema.MessageKind {
			r.value(f.Type, dst)
		} else {
			r.value(t, "*"+dst)
		}
	default:
		r.value(t, dst)
	}
}

// value writes the statements that read one value into dst and set ok. An optional message must
// already be a non-nil pointer.
func (r reader) value(t schema.Type, dst string) {
	switch t.Kind {
	case schema.MessageKind:
		if !t.Optional {
			dst = "&" + dst
		}
		r.out.P("var data []byte\nif data, ok = fc.MessageData(); ok {\nif err := %s%s(%s, data); err != nil {\nreturn err\n}\n}", r.name, t.Ref, dst)
	case schema.Timestamp, schema.Duration:
		name := "Time"
		if t.Kind == schema.Duration {
			name = "Duration"
		}
		r.out.P("var data []byte\nif data, ok = fc.MessageData(); ok {\nif %s, err = read%s(data); err != nil {\nreturn err\n}\n}", dst, name)
	case schema.EnumKind, schema.Int32:
		r.out.P("var n int64\nn, ok = fc.Int64()\n%s = %s(n)", dst, emit.ModelType(t, "model."))
	case schema.String:
		if r.alias {
			r.out.P("%s, ok = fc.String()", dst)
			return
		}
		r.out.P("var s string\ns, ok = fc.String()\n%s = strings.Clone(s)", dst)
	case schema.Bytes:
		if r.alias {
			r.out.P("%s, ok = fc.Bytes()", dst)
			return
		}
		r.out.P("var b []byte\nb, ok = fc.Bytes()\n%s = append((%s)[:0], b...)", dst, dst)
	default:
		r.out.P("%s, ok = fc.%s()", dst, methods[t.Kind])
	}
}

// entry writes the function that reads an entry into a map. A missing key or value is zero.
func (r reader) entry(m *schema.Message, f *schema.Field) {
	key, elem := schema.Type{Kind: f.Type.Key}, *f.Type.Elem
	name := emit.EntryName(r.schema, m, f)
	r.out.P("func %s%s(v %s, src []byte) (err error) {", r.name, name, emit.ModelType(f.Type, "model."))
	r.out.P("var k %s\nvar x %s", emit.ModelType(key, ""), emit.ModelType(elem, "model."))
	switch {
	case elem.Optional:
		r.out.P("x = new(model.%s)", elem.Ref)
	case elem.Kind == schema.Timestamp:
		r.out.P("x = %s", zero[elem.Kind])
	}
	r.loop(name, func() {
		r.out.P("case 1:")
		r.value(key, "k")
		r.out.P("case 2:")
		r.value(elem, "x")
	})
	r.out.P("v[k] = x\nreturn nil\n}\n")
}
