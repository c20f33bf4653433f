package emit

import (
	"strings"

	"assay/schema"
)

// A Style says how a contender's own Go types differ from the model's. The zero Style copies
// the model: structs by value, optional values as pointers, bare messages as named slices and
// maps.
type Style struct {
	// Pointers says that messages are always held by pointer.
	Pointers bool
	// Wrapped says that a bare message is a struct with one field.
	Wrapped bool
	// VariantValues says that bare messages that are variants of a union are held by value, and
	// are nil if they are not set, for libraries that cannot hold a pointer to a list or a map.
	// Their types have a method IsZero.
	VariantValues bool
	// NamedElems says that a list, a map or bytes within a message that tells null from absent
	// has a named type: see ElemType.
	NamedElems bool
	// Entries is the schema if maps are held as lists of entry structs with the fields Key and
	// Value, which EntryName names. Nil: maps are maps.
	Entries *schema.Schema
	// SortedEntries says, with Entries, that the conversion sorts the entries of a map by key, so
	// that equal maps become equal lists. If it is not set, they have Go's order of iteration.
	SortedEntries bool
	// StringMaps says, with Entries, that maps keyed by strings stay maps.
	StringMaps bool
	// Leaf has the leaf kinds that are not held as in the model.
	Leaf map[schema.Kind]Leaf
	// Optional has the optional leaves that are not held as a pointer to the type of Leaf.
	// Their types are nil if the value is absent or, with Oneof, are inside the wrapper.
	Optional map[schema.Kind]Leaf
	// Enum returns how an enum is held. Nil: by a type with the name that it has in the model,
	// declared by Types.
	Enum func(name string) Leaf
	// Oneof says that an optional leaf is held in a wrapper struct behind an interface. It
	// returns the name of the interface field, the wrapper's type and the field inside the
	// wrapper. Leaves whose type is its own optional form are not wrapped. Nil: optional leaves
	// are pointers.
	Oneof func(m *schema.Message, f *schema.Field) (field, wrapper, inner string)
	// Variant returns the same names for a variant of a union, whose wrapper holds a pointer.
	// Nil: a union is an ordinary struct.
	Variant func(m *schema.Message, f *schema.Field) (field, wrapper, inner string)
	// Methods says that fields are accessed by methods: Get, Set and, if a value can be absent,
	// Has, each followed by the field's name.
	Methods bool
	// Unwrap is the schema if messages that wrap are held as the value of their field: see
	// schema.Schema.Transparent. Nil: they are ordinary structs.
	Unwrap *schema.Schema
	// JSONText says how a string with a JSON text is held. The zero Leaf: as other strings.
	JSONText Leaf
	// Spelled says how leaves with a spelling are held. Nil: as others of their kind.
	Spelled *Spelled
	// OneOrMany says that lists that JSON writes without brackets if they have one element have
	// types of their own, which ListTypes returns, because the library needs methods for them.
	OneOrMany bool
	// OmitZero says how lists, maps and bytes are held that are omitted if absent and written
	// if empty.
	OmitZero OmitZero
	// Imports are import paths that leaf expressions may need.
	Imports []string

	listNames map[schema.Type]string // of ListTypes by element type, computed on first use
}

// OmitZero is the way to make a library omit a nil list and write an empty one.
type OmitZero int

// The ways to omit nil.
const (
	ByTag     OmitZero = iota // by an option of the tag
	ByPointer                 // by a pointer: the library omits empty lists, but not pointers to them
	ByMethod                  // by a method IsZero of the field's type
)

// A Leaf says how a leaf is held that is not held as in the model. From, To and Sum are Go
// expressions in which % stands for the value.
type Leaf struct {
	// Go is the Go type. A type that begins with * is its own optional form.
	Go string
	// From converts the model's value to Go, and To converts it back.
	From, To string
	// Sum folds the value as the workload.Leaf functions do. Empty: the result of To is folded.
	Sum string
}

// LeafOf returns how a leaf is held. Ok is false if it is held as in the model.
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

// nilable reports whether the type of an optional leaf is its own optional form.
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

// EntryName returns the name of the entry struct of a map field: <Message><Field>Entry.
// Underscores follow if the schema has a type of that name, or an earlier map has such entries.
func EntryName(s *schema.Schema, m *schema.Message, f *schema.Field) string {
	return memberName(s, m, f, "Entry", func(_ *schema.Message, f *schema.Field) bool { return f.Type.Kind == schema.Map })
}

// memberName returns the name of a type for a field: <Message><Field> and a suffix. Other says
// which other fields have such types. Underscores follow if an earlier one of them would have
// the same name, as UserProfile.tags and User.profile_tags would.
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

// Types writes the contender's own types. Tag returns a field's struct tag without the
// backquotes, or "". The key and value of entry structs get the tags of entryTags.
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

// oneof reports whether a field with that type is held in a wrapper: see Oneof.
func (st *Style) oneof(t schema.Type) bool {
	return st.Oneof != nil && t.Optional && t.Kind != schema.MessageKind && !st.nilable(t)
}
