package hyperpb

import (
	"fmt"
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/schema"
)

const support = `
// fieldsOf returns the fields of a message type, in the order of the schema.
func fieldsOf(m protoreflect.ProtoMessage) []protoreflect.FieldDescriptor {
	all := m.ProtoReflect().Descriptor().Fields()
	fields := make([]protoreflect.FieldDescriptor, all.Len())
	for i := range fields {
		fields[i] = all.Get(i)
	}
	return fields
}

// text returns a string of a message.
func (r *reader) text(s string) string {
	if r.clone {
		return strings.Clone(s)
	}
	return s
}

// bytes returns bytes of a message.
func (r *reader) bytes(b []byte) []byte {
	if r.clone {
		return bytes.Clone(b)
	}
	return b
}
`

// profiled declares the function that compiles the type of a root with a profile.
const profiled = `
// profiled$R returns the type compiled again with a profile of the messages of in. A value that
// has no message, or whose message the library does not read, is not in the profile: the op that
// reads it reports the error.
func profiled$R(in []*model.$R) *hyperpb.MessageType {
	base := type$R()
	profile, shared := base.NewProfile(), new(hyperpb.Shared)
	for _, v := range in {
		own := new($R)
		from$R(own, v)
		data, err := proto.Marshal(own)
		if err != nil {
			continue
		}
		_ = shared.NewMessage(base).Unmarshal(data, hyperpb.WithRecordProfile(profile, 1))
		shared.Free()
	}
	return base.Recompile(profile)
}
`

const timestamps = `
func (r *reader) time(m protoreflect.Message) time.Time {
	return time.Unix(m.Get(r.timestamp[0]).Int(), m.Get(r.timestamp[1]).Int()).UTC()
}

func (r *reader) leafTime(m protoreflect.Message) uint64 {
	return workload.LeafTimeParts(m.Get(r.timestamp[0]).Int(), m.Get(r.timestamp[1]).Int())
}
`

const durations = `
func (r *reader) span(m protoreflect.Message) time.Duration {
	return time.Duration(m.Get(r.duration[0]).Int())*time.Second + time.Duration(m.Get(r.duration[1]).Int())
}
`

const (
	timestamppb = "google.golang.org/protobuf/types/known/timestamppb"
	durationpb  = "google.golang.org/protobuf/types/known/durationpb"
)

// access returns read.go, which has the compiled types, and the functions that read messages
// through protoreflect.
func access(req contender.Request) ([]byte, error) {
	out := emit.NewSource(req.Package, "assay")
	out.ImportAs("model", req.Model)
	out.Import(library, "bytes", "strings", "sync", "time", "assay/workload", "google.golang.org/protobuf/proto", "google.golang.org/protobuf/reflect/protoreflect", timestamppb, durationpb)
	for _, root := range req.Schema.Roots {
		out.P("// type%s is compiled on first use.", root)
		out.P("var type%s = sync.OnceValue(func() *hyperpb.MessageType {\nreturn hyperpb.CompileMessageDescriptor((*%s)(nil).ProtoReflect().Descriptor())\n})\n", root, root)
		if unprofiled(req.Refusing()) == nil {
			out.P("%s", strings.ReplaceAll(profiled, "$R", root))
		}
	}
	// Descriptors are ready only after the package's variables are initialized.
	type known struct{ name, message string }
	var all []known
	for _, m := range req.Schema.Messages {
		all = append(all, known{fieldsName(m), m.Name})
	}
	hasTime, hasSpan := req.Schema.Has(schema.Timestamp), req.Schema.Has(schema.Duration)
	if hasTime {
		all = append(all, known{"timestamp", "timestamppb.Timestamp"})
	}
	if hasSpan {
		all = append(all, known{"duration", "durationpb.Duration"})
	}
	out.P("// A reader reads messages: it knows the fields of every type.\ntype reader struct {\nclone bool // strings and bytes")
	for _, k := range all {
		out.P("%s []protoreflect.FieldDescriptor", k.name)
	}
	out.P("}\n\nfunc newReader(clone bool) *reader {\nreturn &reader{\nclone: clone,")
	for _, k := range all {
		out.P("%s: fieldsOf((*%s)(nil)),", k.name, k.message)
	}
	out.P("}\n}\n%s", support)
	if hasTime {
		out.P("%s", timestamps)
	}
	if hasSpan {
		out.P("%s", durations)
	}
	for _, m := range req.Schema.Messages {
		unpack(out, m)
		sum(out, m)
	}
	return out.Bytes()
}

// fieldsName returns the name of the list of a message's fields.
func fieldsName(m *schema.Message) string { return "of" + m.Name }

// get returns the expression of the value of field i of src.
func get(m *schema.Message, i int) string { return fmt.Sprintf("src.Get(r.%s[%d])", fieldsName(m), i) }

func has(m *schema.Message, i int) string { return fmt.Sprintf("src.Has(r.%s[%d])", fieldsName(m), i) }

// readers are the expressions that read a protoreflect.Value, by kind. % stands for the value.
var readers = map[schema.Kind]string{
	schema.Bool: "%.Bool()", schema.Int32: "int32(%.Int())", schema.Int64: "%.Int()",
	schema.Uint32: "uint32(%.Uint())", schema.Uint64: "%.Uint()",
	schema.Float32: "float32(%.Float())", schema.Float64: "%.Float()",
	schema.String: "r.text(%.String())", schema.Bytes: "r.bytes(%.Bytes())",
	schema.Timestamp: "r.time(%.Message())", schema.Duration: "r.span(%.Message())",
}

// read returns the expression of a leaf as the model holds it.
func read(t schema.Type, value string) string {
	if t.Kind == schema.EnumKind {
		return fmt.Sprintf("model.%s(%s.Enum())", t.Ref, value)
	}
	return strings.ReplaceAll(readers[t.Kind], "%", value)
}

// unpack writes the function that copies a message into the model.
func unpack(out *emit.Source, m *schema.Message) {
	out.P("func (r *reader) unpack%s(dst *model.%s, src protoreflect.Message) {", m.Name, m.Name)
	for i, f := range m.Fields {
		dst := "dst." + schema.GoName(f.Name)
		if m.Bare {
			dst = "(*dst)"
		}
		switch t := f.Type; {
		case t.Kind == schema.List:
			out.P("if list := %s.List(); list.Len() > 0 {\nown := make(%s, list.Len())\nfor i := range own {", get(m, i), emit.ModelType(t, "model."))
			unpackValue(out, *t.Elem, "own[i]", "list.Get(i)")
			out.P("}\n%s = own\n}", dst)
		case t.Kind == schema.Map:
			out.P("if entries := %s.Map(); entries.Len() > 0 {\nown := make(%s, entries.Len())", get(m, i), emit.ModelType(t, "model."))
			out.P("entries.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {\nvar x %s", emit.ModelType(*t.Elem, "model."))
			unpackValue(out, *t.Elem, "x", "v")
			out.P("own[%s] = x\nreturn true\n})\n%s = own\n}", read(schema.Type{Kind: t.Key}, "k"), dst)
		case t.Kind == schema.MessageKind:
			out.P("if %s {", has(m, i))
			unpackValue(out, t, dst, get(m, i))
			out.P("}")
		case t.Optional:
			out.P("if %s {\nx := %s\n%s = &x\n}", has(m, i), read(t, get(m, i)), dst)
		default:
			out.P("%s = %s", dst, read(t, get(m, i)))
		}
	}
	out.P("}\n")
}

// unpackValue sets dst to a value that is present.
func unpackValue(out *emit.Source, t schema.Type, dst, value string) {
	switch {
	case t.Kind != schema.MessageKind:
		out.P("%s = %s", dst, read(t, value))
	case t.Optional:
		out.P("%s = new(model.%s)\nr.unpack%s(%s, %s.Message())", dst, t.Ref, t.Ref, dst, value)
	default:
		out.P("r.unpack%s(&%s, %s.Message())", t.Ref, dst, value)
	}
}

// leaves are the expressions that fold a value or a key, by kind. % stands for the value.
var leaves = map[schema.Kind]string{
	schema.Bool: "workload.LeafBool(%.Bool())", schema.Int32: "workload.LeafInt(%.Int())", schema.Int64: "workload.LeafInt(%.Int())",
	schema.Uint32: "workload.LeafInt(%.Uint())", schema.Uint64: "workload.LeafInt(%.Uint())",
	schema.Float32: "workload.LeafFloat32(float32(%.Float()))", schema.Float64: "workload.LeafFloat64(%.Float())",
	schema.String: "workload.LeafText(%.String())", schema.Bytes: "workload.LeafText(%.Bytes())",
	schema.Timestamp: "r.leafTime(%.Message())", schema.Duration: "workload.LeafDuration(r.span(%.Message()))",
	schema.EnumKind: "workload.LeafInt(%.Enum())",
}

// leaf returns the expression that folds a value.
func leaf(t schema.Type, value string) string {
	if t.Kind == schema.MessageKind {
		return fmt.Sprintf("r.sum%s(%s.Message())", t.Ref, value)
	}
	return strings.ReplaceAll(leaves[t.Kind], "%", value)
}

// sum writes the function that adds up the leaves of a message.
func sum(out *emit.Source, m *schema.Message) {
	out.P("func (r *reader) sum%s(src protoreflect.Message) (sum uint64) {", m.Name)
	for i, f := range m.Fields {
		switch t := f.Type; {
		case t.Kind == schema.List:
			out.P("for i, list := 0, %s.List(); i < list.Len(); i++ {\nsum += %s\n}", get(m, i), leaf(*t.Elem, "list.Get(i)"))
		case t.Kind == schema.Map:
			out.P("%s.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {", get(m, i))
			out.P("sum += %s + %s\nreturn true\n})", leaf(schema.Type{Kind: t.Key}, "k"), leaf(*t.Elem, "v"))
		case t.Optional || t.Kind == schema.MessageKind:
			out.P("if %s {\nsum += %s\n}", has(m, i), leaf(t, get(m, i)))
		default:
			out.P("sum += %s", leaf(t, get(m, i)))
		}
	}
	out.P("return sum\n}\n")
}
