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
	// NamedElems says that a list, a map or bytes within a message that tells null from absent
	// are of a type of their own, which ElemType names.
	NamedElems bool
	// Entries is the schema where a map is a list of entry structs, which EntryName names, with
	// fields Key and Value; nil: it is a map.
	Entries *schema.Schema
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

	listNames map[schema.Type]string // of ListTypes by their elements, once they were asked for
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
			return "[]" + EntryName(st.Entries, m, f)
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
	return st.Entries != nil && !(st.StringMaps && t.Key == schema.String)
}

// EntryName returns the name of the entry struct of a map field: <Message><Field>Entry, with
// underscores where the schema has a type of that name, or the entries of an earlier map.
func EntryName(s *schema.Schema, m *schema.Message, f *schema.Field) string {
	return memberName(s, m, f, "Entry", func(_ *schema.Message, f *schema.Field) bool { return f.Type.Kind == schema.Map })
}

// memberName returns the name of a type that there is for a field, and for others that a
// function picks: <Message><Field> and a suffix. Where an earlier one of them would have the
// same name, as UserProfile.tags beside User.profile_tags, underscores follow.
func memberName(s *schema.Schema, m *schema.Message, f *schema.Field, suffix string, other func(*schema.Message, *schema.Field) bool) string {
	base := m.Name + schema.GoName(f.Name)
	name := FreeName(s, base+suffix)
	for _, om := range s.Messages {
		rest, ok := strings.CutPrefix(base, om.Name)
		if !ok {
			continue
		}
		for _, of := range om.Fields {
			switch {
			case om.Name == m.Name && of.Name == f.Name:
				return name
			case schema.GoName(of.Name) == rest && other(om, of):
				name = FreeName(s, name+"_")
			}
		}
	}
	return name
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
			elem := st.Type(m, m.Fields[0], st.TypeOf(m.Fields[0]))
			if name := st.ElemType(m); name != "" {
				out.P("type %s %s\n", name, elem)
				elem = name
			}
			out.P("type %s []%s\n", m.Name, elem)
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
				out.P("type %s struct {", EntryName(s, m, f))
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
