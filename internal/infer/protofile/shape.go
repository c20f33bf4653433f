package protofile

import (
	"encoding/json"
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"assay/internal/infer"
	"assay/schema"
)

// A message is a message of the .proto files as the schema has it.
type message struct {
	desc   protoreflect.MessageDescriptor
	name   string // in the schema
	fields []*field
	// extensible says that its values may hold extensions.
	extensible bool
}

// A field is a field as the schema has it.
type field struct {
	desc  protoreflect.FieldDescriptor
	path  string // Message.field, for errors
	start []byte // its key and a colon, as a JSON object has them
	typ   schema.Type
	value value // or those of its list or map
	// unsigned says that a float which is -0 is written as 0: formats that leave
	// out what is zero leave out both.
	unsigned bool
}

// A value is how one value is written that is no list and no map.
type value struct {
	kind    schema.Kind
	there   bool           // a bool that stands for a message without fields
	wrapped bool           // the value is field 1 of a wrapper
	message *message       // of kind MessageKind
	values  map[int32]bool // of kind EnumKind: the numbers that it has
}

// A builder makes a schema of messages.
type builder struct {
	set      *fileSet
	schema   *schema.Schema
	notes    notes
	types    *infer.TypeNames
	messages map[protoreflect.FullName]*message
	enums    map[protoreflect.FullName]*enum
	// extensions are those that the files declare, by the message extended.
	extensions map[protoreflect.FullName][]protoreflect.FieldDescriptor
	pending    []*message
}

func newBuilder(set *fileSet) *builder {
	return &builder{
		set: set, schema: &schema.Schema{}, types: infer.NewTypeNames(),
		messages: map[protoreflect.FullName]*message{}, enums: map[protoreflect.FullName]*enum{},
		extensions: extensions(set),
	}
}

// extensions returns the extensions that the files declare.
func extensions(set *fileSet) map[protoreflect.FullName][]protoreflect.FieldDescriptor {
	all := map[protoreflect.FullName][]protoreflect.FieldDescriptor{}
	add := func(list protoreflect.ExtensionDescriptors) {
		for i := range list.Len() {
			x := list.Get(i)
			name := x.ContainingMessage().FullName()
			all[name] = append(all[name], x)
		}
	}
	for _, f := range set.files {
		add(f.Extensions())
	}
	for _, m := range messages(set.files) {
		add(m.Extensions())
	}
	return all
}

// root makes the schema of a message and of all that it holds.
func (b *builder) root(desc protoreflect.MessageDescriptor, name string) (*message, error) {
	if desc.Fields().Len() == 0 {
		return nil, fmt.Errorf("%s: message %s has no fields, and records of it hold nothing; name another with --message", b.set.where(desc), desc.FullName())
	}
	if name == "" {
		name = string(desc.Name())
	}
	b.schema.Name = infer.SchemaName(name)
	b.schema.Doc = b.doc(desc)
	root := b.message(desc)
	b.schema.Roots = []string{root.name}
	for len(b.pending) > 0 {
		m := b.pending[0]
		b.pending = b.pending[1:]
		b.fill(m)
	}
	values := infer.NewValueNames(b.schema)
	for _, e := range b.schema.Enums {
		values.Name(e)
	}
	return root, nil
}

// message returns the message, whose fields may not be known yet.
func (b *builder) message(desc protoreflect.MessageDescriptor) *message {
	full := desc.FullName()
	if m := b.messages[full]; m != nil {
		return m
	}
	m := &message{desc: desc, extensible: desc.ExtensionRanges().Len() > 0}
	m.name = b.typeName(desc)
	b.messages[full] = m
	b.pending = append(b.pending, m)
	switch full {
	case "google.protobuf.Any":
		b.notes.add(noteAny, string(full))
	case "google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue":
		b.notes.add(noteStruct, string(full))
	}
	for _, x := range b.extensions[full] {
		b.notes.add(noteExtension, fmt.Sprintf("%s (%s)", x.FullName(), b.set.where(x)))
	}
	return m
}

// typeName returns the name of a message or enum in the schema: its own, with
// those of the messages around it before it; if that is taken, with the package
// before it too.
func (b *builder) typeName(d protoreflect.Descriptor) string {
	var parts []string
	at := d
	for ; at != nil; at = at.Parent() {
		if _, ok := at.(protoreflect.FileDescriptor); ok {
			break
		}
		parts = append([]string{string(at.Name())}, parts...)
	}
	plain := strings.Join(parts, "_")
	if len(parts) > 1 {
		plain = "" // camel case of each part, without the low lines
		for _, p := range parts {
			plain += strings.ToUpper(p[:1]) + p[1:]
		}
	}
	wanted := []string{plain}
	if pkg := d.ParentFile().Package(); pkg != "" {
		wanted = append(wanted, string(pkg.Name())+"_"+plain, string(pkg)+"_"+plain)
	}
	name := b.types.Name(wanted...)
	if name != strings.Join(parts, "") {
		b.notes.add(noteRenamed, fmt.Sprintf("%s is %s", d.FullName(), name))
	}
	return name
}

// fill gives a message its fields.
func (b *builder) fill(m *message) {
	out := &schema.Message{Name: m.name, Doc: b.doc(m.desc)}
	b.schema.Messages = append(b.schema.Messages, out)
	b.oneofs(m)
	names, texts := infer.NewFieldNames(), map[string]bool{}
	fields := m.desc.Fields()
	for i := range fields.Len() {
		d := fields.Get(i)
		f := &field{desc: d, path: string(m.desc.Name()) + "." + string(d.Name())}
		b.typ(f)
		text := infer.TextName(d.JSONName())
		for n := 2; texts[text]; n++ { // proto2 allows names that are equal in JSON
			text = infer.TextName(fmt.Sprintf("%s_%d", d.Name(), n))
		}
		texts[text] = true
		one := &schema.Field{Name: names.Name(string(d.Name())), Number: int(d.Number()), Type: f.typ, Doc: b.doc(d)}
		// As in the tags of protoc-gen-go: a value that is not set is not written.
		one.OmitEmpty = d.Cardinality() != protoreflect.Required
		f.unsigned = one.OmitEmpty && !f.typ.Optional
		if text != one.Name {
			one.Text = text
		}
		key, err := json.Marshal(text)
		if err != nil {
			panic(err) // a string is always JSON
		}
		f.start = append(key, ':')
		m.fields = append(m.fields, f)
		out.Fields = append(out.Fields, one)
	}
}

// oneofs notes the oneofs of a message.
func (b *builder) oneofs(m *message) {
	list := m.desc.Oneofs()
	for i := range list.Len() {
		if o := list.Get(i); !o.IsSynthetic() {
			b.notes.add(noteOneof, fmt.Sprintf("%s.%s", m.desc.Name(), o.Name()))
		}
	}
}

// keys are the kinds that keys of maps may have.
var keys = map[protoreflect.Kind]schema.Kind{
	protoreflect.StringKind: schema.String, protoreflect.BoolKind: schema.String,
	protoreflect.Int32Kind: schema.Int32, protoreflect.Sint32Kind: schema.Int32, protoreflect.Sfixed32Kind: schema.Int32,
	protoreflect.Int64Kind: schema.Int64, protoreflect.Sint64Kind: schema.Int64, protoreflect.Sfixed64Kind: schema.Int64,
	protoreflect.Uint32Kind: schema.Uint32, protoreflect.Fixed32Kind: schema.Uint32,
	protoreflect.Uint64Kind: schema.Uint64, protoreflect.Fixed64Kind: schema.Uint64,
}

// scalars are the kinds of values that are no messages. The fixed and the zigzag
// ones are noted.
var scalars = map[protoreflect.Kind]schema.Kind{
	protoreflect.BoolKind: schema.Bool, protoreflect.StringKind: schema.String, protoreflect.BytesKind: schema.Bytes,
	protoreflect.FloatKind: schema.Float32, protoreflect.DoubleKind: schema.Float64,
	protoreflect.Int32Kind: schema.Int32, protoreflect.Sint32Kind: schema.Int32, protoreflect.Sfixed32Kind: schema.Int32,
	protoreflect.Int64Kind: schema.Int64, protoreflect.Sint64Kind: schema.Int64, protoreflect.Sfixed64Kind: schema.Int64,
	protoreflect.Uint32Kind: schema.Uint32, protoreflect.Fixed32Kind: schema.Uint32,
	protoreflect.Uint64Kind: schema.Uint64, protoreflect.Fixed64Kind: schema.Uint64,
}

// typ gives a field its type.
func (b *builder) typ(f *field) {
	d := f.desc
	if d.HasDefault() {
		b.notes.add(noteDefault, f.path)
	}
	switch {
	case d.IsMap():
		key := d.MapKey().Kind()
		if key == protoreflect.BoolKind {
			b.notes.add(noteBoolKey, f.path)
		}
		b.widths(f.path, key)
		elem := b.value(f, d.MapValue())
		f.typ = schema.Type{Kind: schema.Map, Key: keys[key], Elem: &elem}
	case d.IsList():
		elem := b.value(f, d)
		f.typ = schema.Type{Kind: schema.List, Elem: &elem}
		if packable(elem.Kind) && !d.IsPacked() && !f.value.wrapped && !f.value.there {
			b.notes.add(noteUnpacked, f.path)
		}
	default:
		f.typ = b.value(f, d)
		f.typ.Optional = d.HasPresence() && !f.value.there && d.Cardinality() != protoreflect.Required
		if f.typ.Kind == schema.MessageKind {
			f.typ.Optional = true // a message may hold itself
		}
	}
}

// packable reports whether lists of a kind can be packed in protobuf.
func packable(k schema.Kind) bool {
	switch k {
	case schema.String, schema.Bytes, schema.MessageKind, schema.Timestamp, schema.Duration:
		return false
	}
	return true
}

// widths notes integers whose width on the wire the schema does not know.
func (b *builder) widths(path string, k protoreflect.Kind) {
	switch k {
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind, protoreflect.Fixed32Kind, protoreflect.Fixed64Kind, protoreflect.Sfixed32Kind, protoreflect.Sfixed64Kind:
		b.notes.add(noteWidth, fmt.Sprintf("%s (%s)", path, k))
	}
}

// value returns the type of one value of a field, and keeps in the field how
// that is written.
func (b *builder) value(f *field, d protoreflect.FieldDescriptor) schema.Type {
	v := &f.value
	switch d.Kind() {
	case protoreflect.EnumKind:
		e := b.enum(d.Enum())
		v.kind, v.values = schema.EnumKind, e.numbers
		return schema.Type{Kind: v.kind, Ref: e.out.Name}
	case protoreflect.GroupKind:
		b.notes.add(noteGroup, f.path)
		return b.messageValue(f, d.Message())
	case protoreflect.MessageKind:
		return b.messageValue(f, d.Message())
	}
	b.widths(f.path, d.Kind())
	v.kind = scalars[d.Kind()]
	return schema.Type{Kind: v.kind}
}

// messageValue is value for messages.
func (b *builder) messageValue(f *field, d protoreflect.MessageDescriptor) schema.Type {
	v := &f.value
	switch full := d.FullName(); {
	case full == "google.protobuf.Timestamp" && plainTime(d):
		v.kind = schema.Timestamp
	case full == "google.protobuf.Duration" && plainTime(d):
		v.kind = schema.Duration
	case full.Parent() == "google.protobuf" && strings.HasSuffix(string(full), "Value") && isWrapper(d):
		b.notes.add(noteWrapper, f.path)
		v.kind, v.wrapped = scalars[d.Fields().ByNumber(1).Kind()], true
	case d.Fields().Len() == 0:
		b.notes.add(noteHollow, fmt.Sprintf("%s (%s)", f.path, full))
		v.kind, v.there = schema.Bool, true
		for _, x := range b.extensions[full] {
			b.notes.add(noteExtension, fmt.Sprintf("%s (%s)", x.FullName(), b.set.where(x)))
		}
	default:
		v.kind, v.message = schema.MessageKind, b.message(d)
		return schema.Type{Kind: v.kind, Ref: v.message.name}
	}
	return schema.Type{Kind: v.kind}
}

// plainTime reports whether a message has the seconds and nanos of the real
// google.protobuf.Timestamp: a user's own copy of the file may say otherwise.
func plainTime(d protoreflect.MessageDescriptor) bool {
	s, n := d.Fields().ByNumber(1), d.Fields().ByNumber(2)
	return d.Fields().Len() == 2 && s != nil && n != nil && s.Kind() == protoreflect.Int64Kind && n.Kind() == protoreflect.Int32Kind &&
		!s.IsList() && !n.IsList()
}

// isWrapper reports whether a message is one of google/protobuf/wrappers.proto.
func isWrapper(d protoreflect.MessageDescriptor) bool {
	v := d.Fields().ByNumber(1)
	return d.Fields().Len() == 1 && v != nil && v.Name() == "value" && !v.IsList() && scalars[v.Kind()] != schema.Invalid
}

// doc returns the first paragraph of the comment before a declaration.
func (b *builder) doc(d protoreflect.Descriptor) string {
	if strings.HasPrefix(d.ParentFile().Path(), "google/protobuf/") {
		return ""
	}
	loc := d.ParentFile().SourceLocations().ByDescriptor(d)
	comment := loc.LeadingComments
	if comment == "" {
		comment = loc.TrailingComments
	}
	return infer.Doc(comment)
}
