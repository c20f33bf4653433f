package thrift

import (
	"cmp"
	"fmt"
	"slices"

	"assay/contender"
	"assay/contender/emit"
	"assay/schema"
)

// A writer writes the methods of one message, in the form of
// t_go_generator.cc.
type writer struct {
	out     *emit.Source
	style   *emit.Style
	message *schema.Message
	names   int // number of local variable names made so far
}

func (w *writer) write() error {
	m := w.message
	for _, f := range m.Fields {
		if method := schema.GoName(f.Name); method == "Read" || method == "Write" {
			return &contender.Unsupported{
				Field:  m.Name + "." + f.Name,
				Reason: "the method " + method + " of Thrift's structs has the field's name",
			}
		}
		if f.Number > 1<<15-1 {
			return &contender.Unsupported{
				Field:  m.Name + "." + f.Name,
				Reason: fmt.Sprintf("Thrift's field numbers have 16 bits, and this one's is %d", f.Number),
			}
		}
	}
	w.read()
	w.writes()
	for _, f := range m.Fields {
		w.readField(f)
		w.writeField(f)
	}
	return nil
}

const depth = "ctx, err := thrift.CheckRecursionDepth(ctx)\nif err != nil {\nreturn err\n}\ndefer thrift.DecrementRecursionDepth(ctx)"

// check writes a call, and a return that prefixes the call's error with text. Text is the
// arguments of fmt.Sprintf if formatted is set, and otherwise a constant.
func (w *writer) check(call, text string, formatted bool) {
	if formatted {
		text = "fmt.Sprintf(" + text + ")"
	}
	w.out.P("if err := %s; err != nil {\nreturn thrift.PrependError(%s, err)\n}", call, text)
}

func (w *writer) read() {
	m, out := w.message, w.out
	out.P("func (p *%s) Read(ctx context.Context, iprot thrift.TProtocol) error {\n%s", m.Name, depth)
	out.P(`if _, err := iprot.ReadStructBegin(ctx); err != nil {
return thrift.PrependError(fmt.Sprintf("%T read error: ", p), err)
}`)
	out.P("for {\n_, fieldTypeId, fieldId, err := iprot.ReadFieldBegin(ctx)")
	out.P(`if err != nil {
return thrift.PrependError(fmt.Sprintf("%T field %d read error: ", p, fieldId), err)
}
if fieldTypeId == thrift.STOP {
break
}
switch fieldId {`)
	for _, f := range m.Fields {
		out.P(`case %d:
if fieldTypeId == %s {
if err := p.readField%d(ctx, iprot); err != nil {
return err
}
} else {
if err := iprot.Skip(ctx, fieldTypeId); err != nil {
return err
}
}`, f.Number, wireType(f.Type), f.Number)
	}
	out.P(`default:
if err := iprot.Skip(ctx, fieldTypeId); err != nil {
return err
}
}
if err := iprot.ReadFieldEnd(ctx); err != nil {
return err
}
}`)
	w.check("iprot.ReadStructEnd(ctx)", `"%T read struct end error: ", p`, true)
	out.P("return nil\n}\n")
}

func (w *writer) writes() {
	m, out := w.message, w.out
	out.P("func (p *%s) Write(ctx context.Context, oprot thrift.TProtocol) error {\n%s", m.Name, depth)
	w.check(fmt.Sprintf("oprot.WriteStructBegin(ctx, %q)", m.Name), `"%T write struct begin error: ", p`, true)
	out.P("if p != nil {")
	// The compiler writes fields in the order of their ids, and a schema may have another one. Ids that
	// rise take one byte in the compact protocol.
	for _, f := range slices.SortedFunc(slices.Values(m.Fields), func(a, b *schema.Field) int { return cmp.Compare(a.Number, b.Number) }) {
		out.P("if err := p.writeField%d(ctx, oprot); err != nil {\nreturn err\n}", f.Number)
	}
	out.P("}")
	w.check("oprot.WriteFieldStop(ctx)", `"write field stop error: "`, false)
	w.check("oprot.WriteStructEnd(ctx)", `"write struct stop error: "`, false)
	out.P("return nil\n}\n")
}

func (w *writer) readField(f *schema.Field) {
	w.out.P("func (p *%s) readField%d(ctx context.Context, iprot thrift.TProtocol) error {", w.message.Name, f.Number)
	w.readInto("p."+schema.GoName(f.Name), f, f.Type)
	w.out.P("return nil\n}\n")
}

func (w *writer) writeField(f *schema.Field) {
	out, value := w.out, "p."+schema.GoName(f.Name)
	out.P("func (p *%s) writeField%d(ctx context.Context, oprot thrift.TProtocol) (err error) {", w.message.Name, f.Number)
	ifSet := f.Type.Optional || f.Type.Kind == schema.MessageKind
	if ifSet {
		out.P("if %s != nil {", value)
	}
	w.check(fmt.Sprintf("oprot.WriteFieldBegin(ctx, %q, %s, %d)", f.Name, wireType(f.Type), f.Number),
		fmt.Sprintf(`"%%T write field begin error %d:%s: ", p`, f.Number, f.Name), true)
	if f.Type.Optional && f.Type.Kind != schema.MessageKind && f.Type.Kind != schema.Bytes {
		value = "*" + value
	}
	w.writeFrom(value, f, f.Type)
	w.check("oprot.WriteFieldEnd(ctx)", fmt.Sprintf(`"%%T write field end error %d:%s: ", p`, f.Number, f.Name), true)
	if ifSet {
		out.P("}")
	}
	out.P("return err\n}\n")
}

// wireType returns the Thrift type of a value.
func wireType(t schema.Type) string {
	switch t.Kind {
	case schema.Bool:
		return "thrift.BOOL"
	case schema.Int32, schema.EnumKind:
		return "thrift.I32"
	case schema.Float32, schema.Float64:
		return "thrift.DOUBLE"
	case schema.String, schema.Bytes:
		return "thrift.STRING"
	case schema.MessageKind:
		return "thrift.STRUCT"
	case schema.List:
		return "thrift.LIST"
	case schema.Map:
		return "thrift.MAP"
	}
	return "thrift.I64"
}

// method returns the suffix of the protocol's methods that read and write a leaf, and their Go
// type.
func method(t schema.Type) (name, goType string) {
	switch t.Kind {
	case schema.Bool:
		return "Bool", "bool"
	case schema.Int32, schema.EnumKind:
		return "I32", "int32"
	case schema.Float32, schema.Float64:
		return "Double", "float64"
	case schema.String:
		return "String", "string"
	case schema.Bytes:
		return "Binary", "[]byte"
	}
	return "I64", "int64"
}

// local returns a new name for a local variable.
func (w *writer) local(prefix string) string {
	w.names++
	return fmt.Sprintf("_%s%d", prefix, w.names-1)
}

// readInto writes the statements that read a value into a place.
func (w *writer) readInto(place string, f *schema.Field, t schema.Type) {
	out := w.out
	switch t.Kind {
	case schema.MessageKind:
		out.P("%s = &%s{}", place, t.Ref)
		w.check(place+".Read(ctx, iprot)", `"%T error reading struct: ", `+place, true)
	case schema.List:
		out.P("_, size, err := iprot.ReadListBegin(ctx)\nif err != nil {\nreturn thrift.PrependError(\"error reading list begin: \", err)\n}")
		out.P("%s = make(%s, 0, thrift.PreallocSize(size))\nfor i := 0; i < size; i++ {", place, w.style.Type(w.message, f, t))
		elem := w.local("elem")
		out.P("var %s %s", elem, w.style.Type(w.message, f, *t.Elem))
		w.readInto(elem, f, *t.Elem)
		out.P("%s = append(%s, %s)\n}", place, place, elem)
		w.check("iprot.ReadListEnd(ctx)", `"error reading list end: "`, false)
	case schema.Map:
		out.P("_, _, size, err := iprot.ReadMapBegin(ctx)\nif err != nil {\nreturn thrift.PrependError(\"error reading map begin: \", err)\n}")
		out.P("%s = make(%s, thrift.PreallocSize(size))\nfor i := 0; i < size; i++ {", place, w.style.Type(w.message, f, t))
		key, value := w.local("key"), w.local("val")
		out.P("var %s %s", key, emit.ModelType(schema.Type{Kind: t.Key}, ""))
		w.readLeaf(key, f, schema.Type{Kind: t.Key}, emit.ModelType(schema.Type{Kind: t.Key}, ""))
		out.P("var %s %s", value, w.style.Type(w.message, f, *t.Elem))
		w.readInto(value, f, *t.Elem)
		out.P("%s[%s] = %s\n}", place, key, value)
		w.check("iprot.ReadMapEnd(ctx)", `"error reading map end: "`, false)
	default:
		plain := t
		plain.Optional = false
		w.readLeaf(place, f, t, w.style.Type(w.message, f, plain))
	}
}

// readLeaf writes the statements that read a leaf into a place of type goType or, for most
// optional leaves, of a pointer to it.
func (w *writer) readLeaf(place string, f *schema.Field, t schema.Type, goType string) {
	name, read := method(t)
	value := "v"
	w.out.P("if v, err := iprot.Read%s(ctx); err != nil {\nreturn thrift.PrependError(\"error reading field %d: \", err)\n} else {", name, f.Number)
	if read != goType {
		w.out.P("temp := %s(v)", goType)
		value = "temp"
	}
	if t.Optional && t.Kind != schema.Bytes {
		value = "&" + value
	}
	w.out.P("%s = %s\n}", place, value)
}

// writeFrom writes the statements that write a value.
func (w *writer) writeFrom(value string, f *schema.Field, t schema.Type) {
	out := w.out
	switch t.Kind {
	case schema.MessageKind:
		w.check(value+".Write(ctx, oprot)", `"%T error writing struct: ", `+value, true)
	case schema.List:
		w.check(fmt.Sprintf("oprot.WriteListBegin(ctx, %s, len(%s))", wireType(*t.Elem), value), `"error writing list begin: "`, false)
		out.P("for _, v := range %s {", value)
		w.writeFrom("v", f, *t.Elem)
		out.P("}")
		w.check("oprot.WriteListEnd(ctx)", `"error writing list end: "`, false)
	case schema.Map:
		key := schema.Type{Kind: t.Key}
		w.check(fmt.Sprintf("oprot.WriteMapBegin(ctx, %s, %s, len(%s))", wireType(key), wireType(*t.Elem), value), `"error writing map begin: "`, false)
		out.P("for k, v := range %s {", value)
		w.writeFrom("k", f, key)
		w.writeFrom("v", f, *t.Elem)
		out.P("}")
		w.check("oprot.WriteMapEnd(ctx)", `"error writing map end: "`, false)
	default:
		name, goType := method(t)
		if t.Kind != schema.Bytes {
			value = goType + "(" + value + ")"
		}
		w.check(fmt.Sprintf("oprot.Write%s(ctx, %s)", name, value), fmt.Sprintf(`"%%T.%s (%d) field write error: ", p`, f.Name, f.Number), true)
	}
}
