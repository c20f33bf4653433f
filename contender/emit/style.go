package emit

import (
	"strings"

	"assay/schema"
)

// A Style says how a contender's own Go types differ from the model's. The
// zero Style is a copy of the model: structs by value, optional values as
// pointers, bare messages as named slices and maps.
type Style struct {
	// Pointers says that messages are always held by pointer.
	Pointers bool
	// Wrapped says that a bare message is a struct with its one field.
	Wrapped bool
	// VariantValues says that bare messages that are variants of a union are held by value,
	// nil where they are not set, for libraries that cannot hold a pointer to a list or a map.
	// Their types have a method IsZero.
	VariantValues bool
	// Entries says that a map is a list of entry structs, named
	// <Message><Field>Entry, with fields Key and Value.
	Entries bool
	// StringMaps says, with Entries, that maps keyed by strings stay maps.
	StringMaps bool
	// Leaf is how leaves are held that are not held as in the model.
	Leaf map[schema.Kind]Leaf
	// Optional is how optional leaves are held that are not held as a pointer
	// to what Leaf says: by a type whose nil is absent, or, with Oneof, inside
	// the wrapper.
	Optional map[schema.Kind]Leaf
	// Enum returns how an enum is held; nil: by a type of the same name as in
	// the model, declared by Types.
	Enum func(name string) Leaf
	// Oneof says that an optional leaf is held in a wrapper struct behind an
	// interface, and returns the interface field's name, the wrapper's type
	// and the field inside it. Leaves whose type is its own optional form are
	// held as they are. Nil: optional leaves are pointers.
	Oneof func(m *schema.Message, f *schema.Field) (field, wrapper, inner string)
	// Variant says the same of a variant of a union, whose wrapper has a pointer.
	// Nil: a union is a struct like others.
	Variant func(m *schema.Message, f *schema.Field) (field, wrapper, inner string)
	// Methods says that fields are behind methods: Get, Set and, where a value
	// can be absent, Has, each followed by the field's name.
	Methods bool
	// Unwrap is the schema, where messages that wrap are held as the value of
	// their field, as schema.Schema.Transparent says. Nil: they are structs like others.
	Unwrap *schema.Schema
	// JSONText is how a string is held that is a JSON text. The zero Leaf: as
	// other strings are.
	JSONText Leaf
	// Spelled is how leaves are held that have a spelling. Nil: as others of their
	// kind.
	Spelled *Spelled
	// OneOrMany says that lists that JSON writes without brackets when they have one
	// element are held by types of their own, which ListTypes returns: the library needs methods for them.
	OneOrMany bool
	// OmitZero is how lists, maps and bytes are held of which those that are
	// absent are left out and those that are empty are not.
	OmitZero OmitZero
	// Imports are import paths that leaf expressions may need.
	Imports []string
}

// OmitZero is how a library is told to leave a list out that is nil, and to write
// one that is empty.
type OmitZero int

// The ways.
const (
	ByTag     OmitZero = iota // an option of the tag does it
	ByPointer                 // the library leaves out what is empty too, but no pointer to it
	ByMethod                  // it asks a method IsZero, which the field's type has
)

// A Leaf is how a leaf is held when not as in the model. From, To and Sum are
// Go expressions in which % stands for the value.
type Leaf struct {
	// Go is the type. Types that begin with * are their own optional form.
	Go string
	// From makes it from the model's value, To the reverse.
	From, To string
	// Sum folds it as the workload.Leaf functions do; empty: To is folded.
	Sum string
}

var sumFunc = map[schema.Kind]string{
	schema.Bool: "LeafBool", schema.Int32: "LeafInt", schema.Int64: "LeafInt",
	schema.Uint32: "LeafInt", schema.Uint64: "LeafInt", schema.EnumKind: "LeafInt",
	schema.Float32: "LeafFloat32", schema.Float64: "LeafFloat64",
	schema.String: "LeafText", schema.Bytes: "LeafText",
	schema.Timestamp: "LeafTime", schema.Duration: "LeafDuration",
}

// LeafOf returns how a leaf kind is held; ok is false when as in the model.
func (st *Style) LeafOf(t schema.Type) (Leaf, bool) {
	if t.Kind == JSONText {
		return st.JSONText, true
	}
	if spelled, _ := st.IsSpelled(t); spelled {
		return st.Spelled.leaf(schema.Spelling(t.Ref)), true
	}
	if l, ok := st.Optional[t.Kind]; ok && t.Optional {
		return l, true
	}
	if t.Kind == schema.EnumKind {
		if st.Enum != nil {
			return st.Enum(t.Ref), true
		}
		return Leaf{Go: t.Ref, From: t.Ref + "(%)", To: "model." + t.Ref + "(%)", Sum: "workload.LeafInt(%)"}, true
	}
	l, ok := st.Leaf[t.Kind]
	return l, ok
}

// nilable reports whether an optional leaf is held by a type that is its own
// optional form.
func (st *Style) nilable(t schema.Type) bool {
	if _, ok := st.Optional[t.Kind]; ok {
		return st.Oneof == nil
	}
	l, ok := st.LeafOf(t)
	return ok && strings.HasPrefix(l.Go, "*")
}

// Type returns the contender's own Go type of a field or element.
func (st *Style) Type(m *schema.Message, f *schema.Field, t schema.Type) string {
	switch t.Kind {
	case schema.List:
		if t.Ref != "" { // see TypeOf
			return t.Ref
		}
		return "[]" + st.Type(m, f, *t.Elem)
	case schema.Map:
		if st.entries(t) {
			return "[]" + EntryName(m, f)
		}
		return "map[" + goKind[t.Key] + "]" + st.Type(m, f, *t.Elem)
	case schema.MessageKind:
		if wm, wf := st.wraps(t); wf != nil {
			inner := st.Type(wm, wf, st.TypeOf(wf))
			if t.Optional {
				return "*" + inner
			}
			return inner
		}
		if st.byValue(m, t) {
			return t.Ref
		}
		if st.tristate(t) == nil && (st.Pointers || t.Optional) {
			return "*" + t.Ref
		}
		return t.Ref
	}
	l, ok := st.LeafOf(t)
	if !ok {
		l.Go = goKind[t.Kind]
	}
	if t.Optional && !st.nilable(t) {
		return "*" + l.Go
	}
	return l.Go
}

// entries reports whether a map is held as a list of entries.
func (st *Style) entries(t schema.Type) bool {
	return st.Entries && !(st.StringMaps && t.Key == schema.String)
}

// EntryName returns the name of the entry struct of a map field.
func EntryName(m *schema.Message, f *schema.Field) string {
	return m.Name + schema.GoName(f.Name) + "Entry"
}

// Types writes the contender's own types. tag returns a field's struct tag
// without the backquotes, or nothing; f is nil-safe only for fields of the
// schema. The key and value of entry structs get the tags of entryTags.
func (st *Style) Types(out *Source, s *schema.Schema, tag func(m *schema.Message, f *schema.Field) string, entryTags [2]string) {
	out.Import("time")
	out.Import(st.Imports...)
	if st.Enum == nil {
		for _, e := range s.Enums {
			out.P("type %s int32\n", e.Name)
		}
	}
	quote := func(t string) string {
		if t == "" {
			return ""
		}
		return " `" + t + "`"
	}
	if st.Spelled != nil {
		st.Spelled.types(out)
	}
	for _, l := range st.ListTypes() {
		if !l.bare {
			out.P("// %s is a list, without brackets in JSON when it has one element.", l.Name)
			out.P("type %s []%s\n", l.Name, l.Elem)
		}
	}
	for _, m := range s.Messages {
		if st.gone(s, m) {
			continue
		}
		switch {
		case st.isTristate(m):
			out.P("// %s has no element where the field is absent, and one that may be nil where it is null.", m.Name)
			out.P("type %s []%s\n", m.Name, st.Type(m, m.Fields[0], st.TypeOf(m.Fields[0])))
		case m.Bare && !st.Wrapped:
			out.P("type %s %s\n", m.Name, st.Type(m, m.Fields[0], st.TypeOf(m.Fields[0])))
			if st.VariantValues && isVariant(s, m) {
				out.P("// IsZero reports whether the value is left out.\nfunc (v %s) IsZero() bool { return v == nil }\n", m.Name)
			}
		default:
			out.P("type %s struct {", m.Name)
			for _, f := range m.Fields {
				out.P("%s %s%s", schema.GoName(f.Name), st.fieldType(s, m, f), quote(tag(m, f)))
			}
			out.P("}\n")
		}
		for _, f := range m.Fields {
			if st.omitZero(m, f) == ByMethod {
				name := st.fieldType(s, m, f)
				out.P("type %s %s\n", name, st.Type(m, f, st.TypeOf(f)))
				out.P("// IsZero reports whether the value is left out.\nfunc (v %s) IsZero() bool { return v == nil }\n", name)
			}
			if f.Type.Kind == schema.Map && st.entries(f.Type) {
				out.P("type %s struct {", EntryName(m, f))
				out.P("Key %s%s", st.Type(m, f, schema.Type{Kind: f.Type.Key}), quote(entryTags[0]))
				out.P("Value %s%s", st.Type(m, f, *st.TypeOf(f).Elem), quote(entryTags[1]))
				out.P("}\n")
			}
		}
	}
}

// oneof reports whether a field of that type is held as Oneof says.
func (st *Style) oneof(t schema.Type) bool {
	return st.Oneof != nil && t.Optional && t.Kind != schema.MessageKind && !st.nilable(t)
}

// Convert writes, for each message, the functions that convert between the
// model and the contender's own type, and the one that sums its leaves:
//
//	func from<Message>(dst *Message, src *model.Message)
//	func to<Message>(dst *model.Message, src *Message)
//	func sum<Message>(v *Message) uint64
//
// Destinations are zero values. Strings and bytes are shared, not copied.
func (st *Style) Convert(out *Source, s *schema.Schema, modelPath string) {
	out.ImportAs("model", modelPath)
	out.Import("time", "assay/workload")
	out.Import(st.Imports...)
	for _, m := range s.Messages {
		if st.gone(s, m) {
			continue
		}
		if st.Methods {
			st.setters(out, m)
			st.getters(out, m)
			st.sumGetters(out, m)
			continue
		}
		st.from(out, m)
		st.to(out, m)
		st.sum(out, s, m)
	}
}

// member returns the expression of a field of v; a bare message that is no
// struct is its own field.
func (st *Style) member(m *schema.Message, f *schema.Field, v string) string {
	switch {
	case st.isTristate(m):
		return "(*" + v + ")[0]"
	case m.Bare && !st.Wrapped:
		return "(*" + v + ")"
	}
	return v + "." + schema.GoName(f.Name)
}

func modelMember(m *schema.Message, f *schema.Field, v string) string {
	return (&Style{}).member(m, f, v)
}

func fill(expr, v string) string { return strings.ReplaceAll(expr, "%", v) }

// from writes the conversion from the model.
func (st *Style) from(out *Source, m *schema.Message) {
	out.P("func from%s(dst *%s, src *model.%s) {", m.Name, m.Name, m.Name)
	if st.isTristate(m) {
		out.P("*dst = make(%s, 1)", m.Name)
	}
	for _, f := range m.Fields {
		dst, src := st.member(m, f, "dst"), modelMember(m, f, "src")
		t := st.TypeOf(f)
		own := st.box(out, m, f, dst, src)
		switch t.Kind {
		case schema.List:
			st.fromList(out, m, f, own, src)
		case schema.Map:
			st.fromMap(out, m, f, own, src)
		default:
			if st.variant(m) {
				st.fromVariant(out, m, f)
				continue
			}
			if st.byValue(m, t) {
				out.P("if %s != nil {\nfrom%s(&%s, %s)\n}", src, t.Ref, dst, src)
				continue
			}
			if st.oneof(t) {
				field, wrapper, inner := st.Oneof(m, f)
				st.fromOneof(out, f, field, wrapper, inner, src)
				continue
			}
			st.fromValue(out, t, own, src)
		}
		if own != dst {
			out.P("%s = &%s\n}", dst, own)
		}
	}
	out.P("}\n")
}

// fromValue writes the conversion of a value that is no list or map.
func (st *Style) fromValue(out *Source, t schema.Type, dst, src string) {
	if wm, wf := st.wraps(t); wf != nil {
		st.fromWrapped(out, t, wm, wf, dst, src)
		return
	}
	if t.Kind == schema.MessageKind {
		switch {
		case st.tristate(t) != nil:
			out.P("if %s != nil {\nfrom%s(&%s, %s)\n}", src, t.Ref, dst, src)
		case t.Optional:
			out.P("if %s != nil {\n%s = new(%s)\nfrom%s(%s, %s)\n}", src, dst, t.Ref, t.Ref, dst, src)
		case st.Pointers:
			out.P("%s = new(%s)\nfrom%s(%s, &%s)", dst, t.Ref, t.Ref, dst, src)
		default:
			out.P("from%s(&%s, &%s)", t.Ref, dst, src)
		}
		return
	}
	l, ok := st.LeafOf(t)
	switch {
	case !ok:
		out.P("%s = %s", dst, src)
	case !t.Optional:
		out.P("%s = %s", dst, fill(l.From, src))
	case st.nilable(t):
		out.P("if %s != nil {\n%s = %s\n}", src, dst, fill(l.From, "(*"+src+")"))
	default:
		out.P("if %s != nil {\nx := %s\n%s = &x\n}", src, fill(l.From, "*"+src), dst)
	}
}

// whole returns a list or map that is taken over as it is. That of a bare message
// has a type of its own, in each of the two packages.
func (st *Style) whole(m *schema.Message, qual, src string) string {
	if m.Bare && !st.Wrapped {
		return qual + m.Name + "(" + src + ")"
	}
	return src
}

func (st *Style) fromList(out *Source, m *schema.Message, f *schema.Field, dst, src string) {
	elem := *st.TypeOf(f).Elem
	if _, ok := st.LeafOf(elem); !ok && elem.Kind != schema.MessageKind {
		out.P("%s = %s", dst, st.whole(m, "", src))
		return
	}
	out.P("if %s != nil {\n%s = make(%s, len(%s))\nfor i := range %s {", src, dst, st.Type(m, f, st.TypeOf(f)), src, src)
	st.fromValue(out, elem, dst+"[i]", src+"[i]")
	out.P("}\n}")
}

func (st *Style) fromMap(out *Source, m *schema.Message, f *schema.Field, dst, src string) {
	elem := *st.TypeOf(f).Elem
	_, other := st.LeafOf(elem)
	if !st.entries(f.Type) && !other && elem.Kind != schema.MessageKind {
		out.P("%s = %s", dst, st.whole(m, "", src))
		return
	}
	if st.entries(f.Type) {
		out.P("if %s != nil {\n%s = make(%s, 0, len(%s))\nfor k, v := range %s {", src, dst, st.Type(m, f, st.TypeOf(f)), src, src)
		key := "k"
		if l, ok := st.LeafOf(schema.Type{Kind: f.Type.Key}); ok {
			key = fill(l.From, key)
		}
		out.P("e := %s{Key: %s}", EntryName(m, f), key)
		st.fromValue(out, elem, "e.Value", "v")
		out.P("%s = append(%s, e)\n}\n}", dst, dst)
		return
	}
	out.P("if %s != nil {\n%s = make(%s, len(%s))\nfor k, v := range %s {", src, dst, st.Type(m, f, st.TypeOf(f)), src, src)
	out.P("var e %s", st.Type(m, f, elem))
	st.fromValue(out, elem, "e", "v")
	out.P("%s[k] = e\n}\n}", dst)
}

// to writes the conversion to the model.
func (st *Style) to(out *Source, m *schema.Message) {
	out.P("func to%s(dst *model.%s, src *%s) {", m.Name, m.Name, m.Name)
	for _, f := range m.Fields {
		dst, src := modelMember(m, f, "dst"), st.member(m, f, "src")
		t := st.TypeOf(f)
		src, boxed := st.unbox(out, m, f, src)
		switch t.Kind {
		case schema.List:
			st.toList(out, m, f, dst, src)
		case schema.Map:
			st.toMap(out, m, f, dst, src)
		default:
			if st.variant(m) {
				st.toVariant(out, m, f)
				continue
			}
			if st.byValue(m, t) {
				out.P("if %s != nil {\n%s = new(model.%s)\nto%s(%s, &%s)\n}", src, dst, t.Ref, t.Ref, dst, src)
				continue
			}
			if st.oneof(t) {
				field, wrapper, inner := st.Oneof(m, f)
				st.toOneof(out, f, field, wrapper, inner, dst)
				continue
			}
			st.toValue(out, t, dst, src)
		}
		if boxed {
			out.P("}")
		}
	}
	out.P("}\n")
}

func (st *Style) toValue(out *Source, t schema.Type, dst, src string) {
	if _, wf := st.wraps(t); wf != nil {
		st.toWrapped(out, t, wf, dst, src)
		return
	}
	if t.Kind == schema.MessageKind {
		switch {
		case st.tristate(t) != nil:
			out.P("if len(%s) > 0 {\n%s = new(model.%s)\nto%s(%s, &%s)\n}", src, dst, t.Ref, t.Ref, dst, src)
		case t.Optional:
			out.P("if %s != nil {\n%s = new(model.%s)\nto%s(%s, %s)\n}", src, dst, t.Ref, t.Ref, dst, src)
		case st.Pointers:
			out.P("if %s != nil {\nto%s(&%s, %s)\n}", src, t.Ref, dst, src)
		default:
			out.P("to%s(&%s, &%s)", t.Ref, dst, src)
		}
		return
	}
	l, ok := st.LeafOf(t)
	switch {
	case !ok:
		out.P("%s = %s", dst, src)
	case !t.Optional:
		out.P("%s = %s", dst, fill(l.To, src))
	case st.nilable(t):
		out.P("if %s != nil {\nx := %s\n%s = &x\n}", src, fill(l.To, src), dst)
	default:
		out.P("if %s != nil {\nx := %s\n%s = &x\n}", src, fill(l.To, "(*"+src+")"), dst)
	}
}

func (st *Style) toList(out *Source, m *schema.Message, f *schema.Field, dst, src string) {
	elem := *st.TypeOf(f).Elem
	if _, ok := st.LeafOf(elem); !ok && elem.Kind != schema.MessageKind {
		out.P("%s = %s", dst, st.whole(m, "model.", src))
		return
	}
	out.P("if %s != nil {\n%s = make(%s, len(%s))\nfor i := range %s {", src, dst, ModelType(f.Type, "model."), src, src)
	st.toValue(out, elem, dst+"[i]", src+"[i]")
	out.P("}\n}")
}

func (st *Style) toMap(out *Source, m *schema.Message, f *schema.Field, dst, src string) {
	elem := *st.TypeOf(f).Elem
	_, other := st.LeafOf(elem)
	if !st.entries(f.Type) && !other && elem.Kind != schema.MessageKind {
		out.P("%s = %s", dst, st.whole(m, "model.", src))
		return
	}
	out.P("if %s != nil {\n%s = make(%s, len(%s))", src, dst, ModelType(f.Type, "model."), src)
	key, value := "k", "v"
	if st.entries(f.Type) {
		out.P("for i := range %s {\nx := &%s[i]", src, src)
		key, value = "x.Key", "x.Value"
		if l, ok := st.LeafOf(schema.Type{Kind: f.Type.Key}); ok {
			key = fill(l.To, key)
		}
	} else {
		out.P("for k, v := range %s {", src)
	}
	out.P("var e %s", ModelType(*f.Type.Elem, "model."))
	st.toValue(out, elem, "e", value)
	out.P("%s[%s] = e\n}\n}", dst, key)
}

// sum writes the function that adds up the leaves of a message.
func (st *Style) sum(out *Source, s *schema.Schema, m *schema.Message) {
	out.P("func sum%s(v *%s) (sum uint64) {", m.Name, m.Name)
	for _, f := range m.Fields {
		src := st.member(m, f, "v")
		t := st.TypeOf(f)
		src, boxed := st.unbox(out, m, f, src)
		switch t.Kind {
		case schema.List:
			st.sumList(out, t, src)
		case schema.Map:
			st.sumMap(out, t, src)
		default:
			if st.variant(m) {
				st.sumVariant(out, m, f)
				continue
			}
			if st.byValue(m, t) {
				out.P("if %s != nil {\nsum += sum%s(&%s)\n}", src, t.Ref, src)
				continue
			}
			if st.oneof(t) {
				field, wrapper, inner := st.Oneof(m, f)
				st.sumOneof(out, f, field, wrapper, inner)
				continue
			}
			st.sumValue(out, t, src)
		}
		if boxed {
			out.P("}")
		}
	}
	out.P("return sum\n}\n")
}

func (st *Style) sumList(out *Source, t schema.Type, src string) {
	if st.held(*t.Elem) {
		out.P("for _, x := range %s {", src)
		st.sumValue(out, *t.Elem, "x")
	} else {
		out.P("for i := range %s {", src)
		st.sumValue(out, *t.Elem, src+"[i]")
	}
	out.P("}")
}

func (st *Style) sumMap(out *Source, t schema.Type, src string) {
	if st.entries(t) {
		out.P("for i := range %s {\nx := &%s[i]", src, src)
		st.sumValue(out, schema.Type{Kind: t.Key}, "x.Key")
		st.sumValue(out, *t.Elem, "x.Value")
	} else {
		out.P("for k, x := range %s {\nsum += workload.%s(k)", src, sumFunc[t.Key])
		st.sumValue(out, *t.Elem, "x")
	}
	out.P("}")
}

// held reports whether list elements of that type are ranged over by value:
// leaves and pointers are, structs would be copied.
func (st *Style) held(t schema.Type) bool {
	if _, wf := st.wraps(t); wf != nil {
		return t.Optional || st.held(st.TypeOf(wf))
	}
	return t.Kind != schema.MessageKind || st.Pointers || t.Optional
}

func (st *Style) sumValue(out *Source, t schema.Type, src string) {
	if _, wf := st.wraps(t); wf != nil {
		if t.Optional {
			out.P("if %s != nil {", src)
			src = "(*" + src + ")"
		}
		st.sumValue(out, st.TypeOf(wf), src)
		if t.Optional {
			out.P("}")
		}
		return
	}
	if t.Kind == schema.MessageKind {
		switch {
		case st.tristate(t) != nil:
			out.P("if len(%s) > 0 {\nsum += sum%s(&%s)\n}", src, t.Ref, src)
		case t.Optional || st.Pointers:
			out.P("if %s != nil {\nsum += sum%s(%s)\n}", src, t.Ref, src)
		default:
			out.P("sum += sum%s(&%s)", t.Ref, src)
		}
		return
	}
	expr := func(v string) string { return "workload." + sumFunc[t.Kind] + "(" + v + ")" }
	l, ok := st.LeafOf(t)
	if ok {
		plain := expr
		expr = func(v string) string {
			if l.Sum != "" {
				return fill(l.Sum, v)
			}
			return plain(fill(l.To, v))
		}
	}
	switch {
	case !t.Optional:
		out.P("sum += %s", expr(src))
	case st.nilable(t):
		out.P("if %s != nil {\nsum += %s\n}", src, expr(src))
	default:
		out.P("if %s != nil {\nsum += %s\n}", src, expr("(*"+src+")"))
	}
}
