package gotype

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/internal/guess"
	"assay/internal/infer"
	"assay/internal/infer/gotype/program"
	"assay/schema"
)

// A builder makes a schema from Go types, and the plan by which the program writes their values.
type builder struct {
	target  *target
	schema  *schema.Schema
	plan    program.Plan
	names   *infer.TypeNames
	notes   notes
	methods []Methods
	guesses []guess.Guess

	messages map[string]string // names of messages, by type
	enums    map[string]string // names of enums, by type
	asked    map[string]bool   // types whose methods are listed
	// What the records show: integer types that are no enums, with a number that is no constant,
	// and types whose JSON is always a string.
	noEnums map[string]string
	texts   map[string]bool
	// always has what is the text of its JSON whatever the records show.
	always map[string]bool
}

func newBuilder(t *target) *builder {
	return &builder{
		target: t, schema: &schema.Schema{}, names: infer.NewTypeNames(),
		plan:     program.Plan{Messages: map[string][]program.Field{}, Bare: map[string]program.Type{}},
		messages: map[string]string{}, enums: map[string]string{}, asked: map[string]bool{},
		noEnums: map[string]string{}, texts: map[string]bool{}, always: map[string]bool{},
	}
}

// A form is a type in the schema, and the plan by which the program writes its values.
type form struct {
	typ      schema.Type
	plan     program.Type
	jsonText bool
	pointed  bool // the Go type is a pointer to the list or map
}

// A dropped says why a type has no form.
type dropped struct{ why string }

func (e *dropped) Error() string { return e.why }

// root makes the schema of the target.
func (b *builder) root(name string) error {
	if name == "" {
		name = b.target.named.Obj().Name()
	}
	b.schema.Name = infer.SchemaName(name)
	b.schema.Doc = b.target.docs[b.target.named.Obj().Pos()]
	b.methodsOf(b.target.named, program.Message)
	st := b.target.named.Underlying().(*types.Struct)
	ref := b.message(b.target.named, st, b.target.named.Obj().Name())
	if len(b.schema.Message(ref).Fields) == 0 {
		return fmt.Errorf("%s has no field that a format could hold: %s", b.target, strings.Join(append(b.notes.list(), "it is empty"), "; "))
	}
	b.schema.Roots, b.plan.Root = []string{ref}, ref
	values := infer.NewValueNames(b.schema)
	for _, e := range b.schema.Enums {
		values.Name(e)
	}
	return nil
}

// settle makes the schema again, with what the records showed.
func (b *builder) settle(r program.Report) {
	last := *b
	*b = *newBuilder(last.target)
	for t, n := range r.Beyond {
		b.noEnums[t] = n
	}
	for t := range last.opaque() {
		if !last.always[t] {
			b.texts[t] = true
		}
	}
	for _, t := range r.Mixed {
		delete(b.texts, t)
	}
	for t := range b.texts {
		b.plan.Texts = append(b.plan.Texts, t)
	}
	if err := b.root(last.schema.Name); err != nil {
		panic(err) // the same types had a schema before
	}
}

// opaque returns the types that are written as the text of their JSON.
func (b *builder) opaque() map[string]bool {
	found := map[string]bool{}
	var look func(t program.Type)
	look = func(t program.Type) {
		if t.How == program.JSON {
			found[t.Ref] = true
		}
		if t.Elem != nil {
			look(*t.Elem)
		}
	}
	for _, fields := range b.plan.Messages {
		for _, f := range fields {
			look(f.Type)
		}
	}
	for _, t := range b.plan.Bare {
		look(t)
	}
	return found
}

// full returns the key of a type: the type with the import paths of packages.
func full(t types.Type) string { return types.TypeString(t, nil) }

// short returns a type as users write it: with the names of packages.
func short(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// message returns the name of the message of a struct. If the struct has no name, hint names the
// message.
func (b *builder) message(t types.Type, st *types.Struct, hint string) string {
	key := full(t)
	if name, ok := b.messages[key]; ok {
		return name
	}
	wanted := []string{hint}
	out := &schema.Message{}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		wanted = typeNames(named)
		out.Doc = b.target.docs[named.Obj().Pos()]
	}
	name := b.names.Name(wanted...)
	out.Name = name
	b.messages[key] = name
	b.schema.Messages = append(b.schema.Messages, out)
	fields, left := visible(t, b.isValue)
	for _, l := range left {
		b.notes.add(l.why, short(t)+"."+l.name)
	}
	names, texts := infer.NewFieldNames(), map[string]bool{}
	var planned []program.Field
	for _, f := range fields {
		path := short(t) + "." + f.embedding + f.v.Name()
		made, err := b.form(f.v.Type(), path, wanted[0]+f.v.Name())
		if err != nil {
			b.notes.add(leftOut, fmt.Sprintf("%s (%v)", path, err))
			continue
		}
		if f.quoted {
			b.notes.add(quoted, path)
		}
		if made.plan.How == program.JSON && (f.omitEmpty || f.omitZero) && isBytes(f.v.Type()) {
			made.typ.Optional, made.plan.Optional = true, true // encoding/json leaves out empty or nil bytes
		}
		zero := omitZero(f, &made)
		text := infer.TextName(f.name)
		for n := 2; texts[text]; n++ {
			text = fmt.Sprintf("%s_%d", infer.TextName(f.name), n)
		}
		texts[text] = true
		one := &schema.Field{
			Name: names.Name(f.name), Number: len(out.Fields) + 1, Doc: b.target.docs[f.v.Pos()],
			Type: made.typ, OmitEmpty: f.omitEmpty, JSONText: made.jsonText,
		}
		if f.omitZero && !f.omitEmpty {
			one.OmitZero = zero
			one.OmitEmpty = !zero
		}
		if f.omitEmpty && made.pointed { // encoding/json leaves out the pointer if it is nil
			one.OmitEmpty, one.OmitZero = false, true
		}
		if text != one.Name {
			one.Text = text
		}
		omits := one.OmitEmpty
		if f.lifted {
			lift(one, &made.plan)
		}
		out.Fields = append(out.Fields, one)
		planned = append(planned, program.Field{Name: text, Index: f.index, Path: path, Type: made.plan, OmitEmpty: omits, OmitZero: f.omitZero})
	}
	b.plan.Messages[name] = planned
	return name
}

// lift makes a field one that may be absent, as encoding/json leaves out the fields behind an embedded
// pointer that is nil: an optional value, or a list, a map or bytes that are left out if they are nil.
// A field with omitempty is absent if it is empty, which is enough, unless it is a message or a time:
// encoding/json takes none for empty.
func lift(f *schema.Field, plan *program.Type) {
	switch f.Type.Kind {
	case schema.List, schema.Map, schema.Bytes:
		f.OmitZero = !f.OmitEmpty
	default:
		if k := f.Type.Kind; !f.OmitEmpty || k == schema.MessageKind || k == schema.Timestamp {
			f.Type.Optional, plan.Optional = true, true
			f.OmitEmpty, f.OmitZero = true, false
		}
	}
}

// omitZero adapts the form of a field with omitzero, and reports whether the schema's OmitZero applies:
// the field is a list, a map or bytes, which are left out if they are nil. A struct or a time becomes
// optional, because it is left out if it is zero. For other values, omitempty means the same as
// omitzero.
func omitZero(f structField, made *form) bool {
	if !f.omitZero || made.typ.Optional {
		return false
	}
	switch made.typ.Kind {
	case schema.List, schema.Map, schema.Bytes:
		return true
	case schema.MessageKind, schema.Timestamp:
		made.typ.Optional, made.plan.Optional = true, true
	}
	return false
}

// typeNames returns the names that the message or enum of a named type may have, the preferred one
// first.
func typeNames(named *types.Named) []string {
	name := named.Obj().Name()
	if args := named.TypeArgs(); args != nil {
		for i := range args.Len() {
			arg := short(args.At(i))
			name += "_" + arg[strings.LastIndexByte(arg, '.')+1:]
		}
	}
	if first, n := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		name = string(unicode.ToUpper(first)) + name[n:]
	}
	if pkg := named.Obj().Pkg(); pkg != nil {
		return []string{name, pkg.Name() + "_" + name}
	}
	return []string{name}
}

// form returns the form of a type. path is the path of the field for notes, and hint names types
// without a name.
func (b *builder) form(t types.Type, path, hint string) (form, error) {
	t, pointers, err := pointee(t)
	if err != nil {
		return form{}, err
	}
	if pointers > 1 {
		b.notes.add(twice, path)
	}
	optional := pointers > 0
	made, err := b.value(t, path, hint)
	if err != nil {
		return made, err
	}
	if optional && (made.typ.Kind == schema.List || made.typ.Kind == schema.Map) {
		b.notes.add(pointed, path)
		optional, made.pointed = false, true
	}
	if optional {
		made.typ.Optional, made.plan.Optional = true, true
	}
	return made, nil
}

// pointee follows the pointers of a type. It returns the type that is neither a pointer nor an alias, and
// how many pointers lead to it. The error is about a type that points to itself.
func pointee(t types.Type) (to types.Type, pointers int, err error) {
	seen := map[string]bool{}
	for to = t; ; pointers++ {
		p, ok := to.Underlying().(*types.Pointer)
		if !ok {
			return types.Unalias(to), pointers, nil // aliases of one type have one form
		}
		if seen[full(to)] {
			return nil, 0, &dropped{fmt.Sprintf("a %s, which points to pointers without end", short(t))}
		}
		seen[full(to)] = true
		to = p.Elem()
	}
}

// plain returns the form of a kind.
func plain(k schema.Kind, how program.How) form {
	return form{typ: schema.Type{Kind: k}, plan: program.Type{How: how}}
}

// value returns the form of a type that is not a pointer.
func (b *builder) value(t types.Type, path, hint string) (form, error) {
	if made, ok := b.known(t, path); ok {
		return made, nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basic(u)
	case *types.Slice:
		if isByte(u.Elem()) {
			return plain(schema.Bytes, program.Bytes), nil
		}
		return b.list(u.Elem(), path, hint)
	case *types.Array:
		if isByte(u.Elem()) {
			b.notes.add(byteArray, path)
			return plain(schema.Bytes, program.Bytes), nil
		}
		b.notes.add(array, path)
		return b.list(u.Elem(), path, hint)
	case *types.Map:
		return b.dict(u, path, hint)
	case *types.Struct:
		return b.structure(t, u, path, hint)
	case *types.Interface:
		if u.NumMethods() > 0 {
			return form{}, &dropped{"an interface with methods, of which encoding/json can decode nothing"}
		}
		b.notes.add(anything, path)
		made := b.text(path, true)
		made.typ.Optional, made.plan.Optional = true, true
		return made, nil
	case *types.Chan:
		return form{}, &dropped{"a channel"}
	case *types.Signature:
		return form{}, &dropped{"a function"}
	}
	return form{}, &dropped{"a " + short(t)}
}

// basic returns the form of a basic type.
func basic(t *types.Basic) (form, error) {
	switch t.Kind() {
	case types.Bool:
		return plain(schema.Bool, program.Bool), nil
	case types.Int8, types.Int16, types.Int32:
		return plain(schema.Int32, program.Int), nil
	case types.Int, types.Int64:
		return plain(schema.Int64, program.Int), nil
	case types.Uint8, types.Uint16, types.Uint32:
		return plain(schema.Uint32, program.Uint), nil
	case types.Uint, types.Uint64, types.Uintptr:
		return plain(schema.Uint64, program.Uint), nil
	case types.Float32:
		return plain(schema.Float32, program.Float32), nil
	case types.Float64:
		return plain(schema.Float64, program.Float64), nil
	case types.String:
		return plain(schema.String, program.String), nil
	case types.Complex64, types.Complex128:
		return form{}, &dropped{"a complex number"}
	}
	return form{}, &dropped{"a " + t.Name()}
}

func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8 && !has(t, "MarshalJSON") && !has(t, "MarshalText")
}

// isBytes reports whether a type is a slice of bytes.
func isBytes(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return ok && isByte(slice.Elem())
}

// list returns the form of a list.
func (b *builder) list(elem types.Type, path, hint string) (form, error) {
	e, err := b.elem(elem, path, hint)
	if err != nil {
		return form{}, err
	}
	return form{
		typ:  schema.Type{Kind: schema.List, Elem: &e.typ},
		plan: program.Type{How: program.List, Elem: &e.plan}, jsonText: e.jsonText,
	}, nil
}

// dict returns the form of a map.
func (b *builder) dict(m *types.Map, path, hint string) (form, error) {
	made := form{typ: schema.Type{Kind: schema.Map}, plan: program.Type{How: program.Map}}
	key, isBasic := m.Key().Underlying().(*types.Basic)
	switch {
	case isBasic && key.Kind() == types.String:
		made.typ.Key, made.plan.Key = schema.String, program.String
	case has(m.Key(), "MarshalText"):
		made.typ.Key, made.plan.Key = schema.String, program.Text
	case isBasic && key.Info()&types.IsInteger != 0:
		k, err := basic(key)
		if err != nil {
			return form{}, err
		}
		made.typ.Key, made.plan.Key = k.typ.Kind, k.plan.How
	default:
		return form{}, &dropped{fmt.Sprintf("a map with keys of type %s, which JSON cannot write", short(m.Key()))}
	}
	e, err := b.elem(m.Elem(), path, hint)
	if err != nil {
		return form{}, err
	}
	made.typ.Elem, made.plan.Elem, made.jsonText = &e.typ, &e.plan, e.jsonText
	return made, nil
}

// elem returns the form of an element of a list or map. If the element is itself a list or a map, it
// is a bare message.
func (b *builder) elem(t types.Type, path, hint string) (form, error) {
	bare, _, err := pointee(t)
	if err != nil {
		return form{}, err
	}
	if b.isContainer(bare) {
		ref, err := b.bare(bare, path, hint)
		if err != nil {
			return form{}, err
		}
		return form{typ: schema.Type{Kind: schema.MessageKind, Ref: ref}, plan: program.Type{How: program.Message, Ref: ref}}, nil
	}
	made, err := b.form(t, path, hint)
	if err != nil {
		return made, err
	}
	made.plan.Optional = false
	if made.typ.Kind != schema.MessageKind {
		if made.typ.Optional && !made.jsonText {
			b.notes.add(elements, path)
		}
		made.typ.Optional = false
	}
	return made, nil
}

// isContainer reports whether a type becomes a list or a map.
func (b *builder) isContainer(t types.Type) bool {
	if _, ok := b.special(t); ok {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return !isByte(u.Elem())
	case *types.Array:
		return !isByte(u.Elem())
	case *types.Map:
		return true
	}
	return false
}

// bare returns the name of the message that is only a list or a map of type t.
func (b *builder) bare(t types.Type, path, hint string) (string, error) {
	key := "bare " + full(t)
	if name, ok := b.messages[key]; ok {
		return name, nil
	}
	wanted := []string{hint + "Elem"}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		wanted = typeNames(named)
	}
	out := &schema.Message{Name: b.names.Name(wanted...), Bare: true}
	b.messages[key] = out.Name
	at := len(b.schema.Messages)
	b.schema.Messages = append(b.schema.Messages, out)
	made, err := b.value(t, path, out.Name)
	if err != nil {
		b.schema.Messages = append(b.schema.Messages[:at], b.schema.Messages[at+1:]...)
		delete(b.messages, key)
		return "", err
	}
	out.Fields = []*schema.Field{{Name: "items", Number: 1, Type: made.typ, JSONText: made.jsonText}}
	b.plan.Bare[out.Name] = made.plan
	return out.Name, nil
}

// structure returns the form of a struct.
func (b *builder) structure(t types.Type, st *types.Struct, path, hint string) (form, error) {
	fields, left := visible(t, b.isValue)
	if len(fields) == 0 {
		if len(left) > 0 {
			return form{}, &dropped{fmt.Sprintf("a %s has no field that encoding/json sees", short(t))}
		}
		b.notes.add(hollow, path)
		return plain(schema.Bool, program.True), nil
	}
	ref := b.message(t, st, hint)
	if planned, done := b.plan.Messages[ref]; done && len(planned) == 0 {
		b.schema.Messages = slices.DeleteFunc(b.schema.Messages, func(m *schema.Message) bool { return m.Name == ref })
		return form{}, &dropped{fmt.Sprintf("a %s has no field that a format could hold", short(t))}
	}
	return form{typ: schema.Type{Kind: schema.MessageKind, Ref: ref}, plan: program.Type{How: program.Message, Ref: ref}}, nil
}

// text returns the form of a value that is written as the text of its JSON, or as a string if the
// records showed that its JSON is always a string. If any is set, it is always the text of its JSON.
func (b *builder) text(ref string, any bool) form {
	if any {
		b.always[ref] = true
	}
	return form{
		typ:      schema.Type{Kind: schema.String},
		plan:     program.Type{How: program.JSON, Ref: ref},
		jsonText: any || !b.texts[ref],
	}
}
