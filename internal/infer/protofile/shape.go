package protofile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"assay/internal/infer"
	"assay/schema"
	"assay/schema/protoform"
)

// A message is a message of the .proto files and its form in the schema.
type message struct {
	desc   protoreflect.MessageDescriptor
	name   string // the name in the schema
	fields []protoform.Field
}

// A field is an unfinished field: its descriptor, its type in the schema, and its part of the plan.
type field struct {
	desc protoreflect.FieldDescriptor
	typ  schema.Type
	protoform.Field
}

// A builder makes a schema from messages.
type builder struct {
	set      *fileSet
	schema   *schema.Schema
	notes    notes
	types    *infer.TypeNames
	messages map[protoreflect.FullName]*message
	enums    map[protoreflect.FullName]*enum
	// extensions has the extensions that the files declare, by the extended message, in the order
	// of their numbers.
	extensions map[protoreflect.FullName][]protoreflect.FieldDescriptor
	pending    []*message
	// differences has the differences between the schema and the .proto files.
	differences []Difference
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
	for _, list := range all {
		slices.SortFunc(list, func(a, b protoreflect.FieldDescriptor) int { return cmp.Compare(a.Number(), b.Number()) })
	}
	return all
}

// root makes the schema of a message and of all messages within it.
func (b *builder) root(desc protoreflect.MessageDescriptor, name string) (*message, error) {
	if b.hollow(desc) {
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

// message returns the message of a descriptor. Its fields may not be known yet.
func (b *builder) message(desc protoreflect.MessageDescriptor) *message {
	full := desc.FullName()
	if m := b.messages[full]; m != nil {
		return m
	}
	m := &message{desc: desc}
	m.name = b.typeName(desc)
	b.messages[full] = m
	b.pending = append(b.pending, m)
	switch full {
	case "google.protobuf.Any":
		b.notes.add(noteAny, string(full))
	case "google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue":
		b.notes.add(noteStruct, string(full))
	}
	return m
}

// hollow reports whether a message has neither fields nor extensions.
func (b *builder) hollow(desc protoreflect.MessageDescriptor) bool {
	return desc.Fields().Len() == 0 && len(b.extensions[desc.FullName()]) == 0
}

// plan returns the plan that relates the messages to those of the schema.
func (b *builder) plan(root *message) *protoform.Plan {
	p := &protoform.Plan{Root: string(root.desc.FullName()), Messages: map[string]protoform.Message{}}
	for name, m := range b.messages {
		p.Messages[string(name)] = protoform.Message{Name: m.name, Fields: m.fields}
	}
	return p
}

// typeName returns the name of a message or enum in the schema: its own name after those of the
// messages around it. If that is taken, the name of the package comes first.
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
		plain = "" // each part begins with a capital, and there are no underscores between them
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

// fill gives a message its fields, its own ones before extensions.
func (b *builder) fill(m *message) {
	out := &schema.Message{Name: m.name, Doc: b.doc(m.desc)}
	b.schema.Messages = append(b.schema.Messages, out)
	var all []protoreflect.FieldDescriptor
	fields := m.desc.Fields()
	for i := range fields.Len() {
		all = append(all, fields.Get(i))
	}
	all = append(all, b.extensions[m.desc.FullName()]...)
	names, texts := infer.NewFieldNames(), map[string]bool{}
	for _, d := range all {
		one := &schema.Field{Name: names.Name(string(d.Name())), Number: int(d.Number()), Doc: b.doc(d)}
		f := &field{desc: d, Field: protoform.Field{
			Number: int32(d.Number()), Name: one.Name, Extension: d.IsExtension(), Path: string(m.desc.Name()) + "." + string(d.Name()),
		}}
		start := len(b.differences)
		b.typ(f)
		for i := start; i < len(b.differences); i++ {
			b.differences[i].Message, b.differences[i].Field = m.name, one.Name
		}
		if d.IsExtension() {
			b.notes.add(noteExtension, fmt.Sprintf("%s (%s)", d.FullName(), b.set.where(d)))
		}
		name := d.JSONName()
		if d.IsExtension() {
			name = string(d.Name())
		}
		f.Text = infer.TextName(name)
		for n := 2; texts[f.Text]; n++ { // proto2 allows fields with equal names in JSON
			f.Text = infer.TextName(fmt.Sprintf("%s_%d", d.Name(), n))
		}
		texts[f.Text] = true
		if f.Text != one.Name {
			one.Text = f.Text
		}
		one.Type = f.typ
		// As with the tags of protoc-gen-go, a value that is not set is not written.
		one.OmitEmpty = d.Cardinality() != protoreflect.Required
		f.Unsigned = one.OmitEmpty && !f.typ.Optional && f.typ.Elem == nil
		m.fields = append(m.fields, f.Field)
		out.Fields = append(out.Fields, one)
	}
}

// keys has the kinds of the keys of maps.
var keys = map[protoreflect.Kind]schema.Kind{
	protoreflect.StringKind: schema.String, protoreflect.BoolKind: schema.String,
	protoreflect.Int32Kind: schema.Int32, protoreflect.Sint32Kind: schema.Int32, protoreflect.Sfixed32Kind: schema.Int32,
	protoreflect.Int64Kind: schema.Int64, protoreflect.Sint64Kind: schema.Int64, protoreflect.Sfixed64Kind: schema.Int64,
	protoreflect.Uint32Kind: schema.Uint32, protoreflect.Fixed32Kind: schema.Uint32,
	protoreflect.Uint64Kind: schema.Uint64, protoreflect.Fixed64Kind: schema.Uint64,
}

// scalars has the kinds of values that are neither messages nor enums. widths adds notes for
// fixed-width and zigzag integers.
var scalars = map[protoreflect.Kind]schema.Kind{
	protoreflect.BoolKind: schema.Bool, protoreflect.StringKind: schema.String, protoreflect.BytesKind: schema.Bytes,
	protoreflect.FloatKind: schema.Float32, protoreflect.DoubleKind: schema.Float64,
	protoreflect.Int32Kind: schema.Int32, protoreflect.Sint32Kind: schema.Int32, protoreflect.Sfixed32Kind: schema.Int32,
	protoreflect.Int64Kind: schema.Int64, protoreflect.Sint64Kind: schema.Int64, protoreflect.Sfixed64Kind: schema.Int64,
	protoreflect.Uint32Kind: schema.Uint32, protoreflect.Fixed32Kind: schema.Uint32,
	protoreflect.Uint64Kind: schema.Uint64, protoreflect.Fixed64Kind: schema.Uint64,
}

// typ sets the type of a field.
func (b *builder) typ(f *field) {
	d := f.desc
	if d.HasDefault() {
		b.notes.add(noteDefault, f.Path)
		b.differ(false, "default = %v in %s", d.Default(), b.file(d))
	}
	if o := d.ContainingOneof(); o != nil && !o.IsSynthetic() {
		b.notes.add(noteOneof, fmt.Sprintf("%s.%s", d.ContainingMessage().Name(), o.Name()))
		b.differ(false, "of the oneof %s in %s, of which at most one is set", o.Name(), b.file(d))
	}
	switch {
	case d.IsMap():
		key := d.MapKey().Kind()
		if key == protoreflect.BoolKind {
			b.notes.add(noteBoolKey, f.Path)
			b.differ(true, "a map with bool keys in %s", b.file(d))
		}
		b.widths(f, key)
		elem := b.value(f, d.MapValue())
		f.Container = schema.Map
		f.typ = schema.Type{Kind: schema.Map, Key: keys[key], Elem: &elem}
	case d.IsList():
		elem := b.value(f, d)
		f.Container = schema.List
		f.typ = schema.Type{Kind: schema.List, Elem: &elem}
		if packable(elem.Kind) && !d.IsPacked() && !f.Wrapped && !f.There {
			b.notes.add(noteUnpacked, f.Path)
			b.differ(true, "not packed in %s", b.file(d))
		}
	default:
		f.typ = b.value(f, d)
		required := d.Cardinality() == protoreflect.Required
		f.Optional = d.HasPresence() && !f.There && !required || f.typ.Kind == schema.MessageKind // a message may hold itself
		f.typ.Optional = f.Optional
		if required {
			b.notes.add(noteRequired, f.Path)
			b.differ(true, "required in %s, and left out here where it is zero", b.file(d))
		}
	}
}

// differ records that the current field differs from that of the .proto file: on the wire if wire is
// set, otherwise only in meaning.
func (b *builder) differ(wire bool, format string, args ...any) {
	b.differences = append(b.differences, Difference{Wire: wire, Text: fmt.Sprintf(format, args...)})
}

// file returns the name of the file of a declaration.
func (b *builder) file(d protoreflect.Descriptor) string { return d.ParentFile().Path() }

// packable reports whether lists of a kind can be packed in protobuf.
func packable(k schema.Kind) bool {
	switch k {
	case schema.String, schema.Bytes, schema.MessageKind, schema.Timestamp, schema.Duration:
		return false
	}
	return true
}

// widths adds a note for integers whose encoding on the wire the schema cannot express.
func (b *builder) widths(f *field, k protoreflect.Kind) {
	switch k {
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind, protoreflect.Fixed32Kind, protoreflect.Fixed64Kind, protoreflect.Sfixed32Kind, protoreflect.Sfixed64Kind:
		b.notes.add(noteWidth, fmt.Sprintf("%s (%s)", f.Path, k))
		b.differ(true, "%s in %s", k, b.file(f.desc))
	}
}

// value returns the type of one value of a field, and records in f how the value is written.
func (b *builder) value(f *field, d protoreflect.FieldDescriptor) schema.Type {
	switch d.Kind() {
	case protoreflect.EnumKind:
		e := b.enum(d.Enum())
		f.Kind, f.Values = schema.EnumKind, slices.Sorted(maps.Keys(e.numbers))
		return schema.Type{Kind: f.Kind, Ref: e.out.Name}
	case protoreflect.GroupKind:
		b.notes.add(noteGroup, f.Path)
		b.differ(true, "a group in %s", b.file(f.desc))
		return b.messageValue(f, d.Message())
	case protoreflect.MessageKind:
		return b.messageValue(f, d.Message())
	}
	b.widths(f, d.Kind())
	f.Kind = scalars[d.Kind()]
	return schema.Type{Kind: f.Kind}
}

// messageValue is value for messages.
func (b *builder) messageValue(f *field, d protoreflect.MessageDescriptor) schema.Type {
	switch full := d.FullName(); {
	case full == "google.protobuf.Timestamp" && plainTime(d):
		f.Kind = schema.Timestamp
	case full == "google.protobuf.Duration" && plainTime(d):
		f.Kind = schema.Duration
	case full.Parent() == "google.protobuf" && strings.HasSuffix(string(full), "Value") && isWrapper(d):
		b.notes.add(noteWrapper, f.Path)
		b.differ(true, "a %s in %s", full, b.file(f.desc))
		f.Kind, f.Wrapped = scalars[d.Fields().ByNumber(1).Kind()], true
	case b.hollow(d):
		b.notes.add(noteHollow, fmt.Sprintf("%s (%s)", f.Path, full))
		b.differ(true, "a %s in %s, a message without fields", full, b.file(f.desc))
		f.Kind, f.There = schema.Bool, true
	default:
		inner := b.message(d)
		f.Kind, f.Message = schema.MessageKind, string(full)
		return schema.Type{Kind: f.Kind, Ref: inner.name}
	}
	return schema.Type{Kind: f.Kind}
}

// plainTime reports whether a message has the seconds and nanos of protobuf's own Timestamp and
// Duration, because a user's copy of the file may differ.
func plainTime(d protoreflect.MessageDescriptor) bool {
	s, n := d.Fields().ByNumber(1), d.Fields().ByNumber(2)
	return d.Fields().Len() == 2 && s != nil && n != nil && s.Kind() == protoreflect.Int64Kind && n.Kind() == protoreflect.Int32Kind &&
		!s.IsList() && !n.IsList()
}

// isWrapper reports whether a message has the form of those in google/protobuf/wrappers.proto: a single
// scalar field called value, with number 1.
func isWrapper(d protoreflect.MessageDescriptor) bool {
	v := d.Fields().ByNumber(1)
	return d.Fields().Len() == 1 && v != nil && v.Name() == "value" && !v.IsList() && scalars[v.Kind()] != schema.Invalid
}

// doc returns the doc for a declaration: the first paragraph of the comment before it, or else of the
// comment after it. Declarations of protobuf itself get none.
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
