package emit

import (
	"slices"

	"assay/schema"
)

// A ListType is a Go type of lists that JSON writes without brackets if they have one element.
type ListType struct {
	Name string
	// Elem is the Go type of the elements, and Type is their type according to TypeOf.
	Elem string
	Type schema.Type
	bare bool // it is the type of a bare message
}

// ListTypes returns the list types of the style's schema, each once, in the order of the
// schema.
func (st *Style) ListTypes() (all []ListType) {
	if !st.OneOrMany {
		return nil
	}
	for _, m := range st.Unwrap.Messages {
		for _, f := range m.Fields {
			if !f.OneOrMany {
				continue
			}
			t := st.elemsOf(f)
			l := ListType{m.Name, st.Type(m, f, *t.Elem), *t.Elem, m.Bare}
			if !m.Bare {
				l.Name = st.listName(t)
			}
			if !slices.ContainsFunc(all, func(o ListType) bool { return o.Name == l.Name }) {
				all = append(all, l)
			}
		}
	}
	return all
}

// listName returns the name of the list type for a list: OneOrMany and the name of the
// elements. Underscores follow if a message, an enum or another list type has that name.
func (st *Style) listName(t schema.Type) string {
	if st.listNames == nil {
		st.listNames = st.nameLists()
	}
	return st.listNames[*t.Elem]
}

// nameLists chooses the names of all list types, by element type.
func (st *Style) nameLists() map[schema.Type]string {
	names, taken := map[schema.Type]string{}, map[string]bool{}
	for _, m := range st.Unwrap.Messages {
		for _, f := range m.Fields {
			if !f.OneOrMany || m.Bare {
				continue
			}
			elem := *st.elemsOf(f).Elem
			if names[elem] != "" {
				continue
			}
			name := FreeName(st.Unwrap, "OneOrMany"+st.elemName(elem))
			for taken[name] {
				name = FreeName(st.Unwrap, name+"_")
			}
			names[elem], taken[name] = name, true
		}
	}
	return names
}

// elemName returns a name for an element type.
func (st *Style) elemName(elem schema.Type) string {
	name := elem.Ref
	if spelled, _ := st.IsSpelled(elem); spelled {
		name = st.Spelled.name(schema.Spelling(elem.Ref))
	} else if name == "" {
		name = kindName[elem.Kind]
	}
	if elem.Optional {
		name += "Pointer"
	}
	return name
}

// bareField reports whether a field is the field of a bare message. The list then has the
// message's type.
func bareField(s *schema.Schema, f *schema.Field) bool {
	return slices.ContainsFunc(s.Messages, func(m *schema.Message) bool { return m.Bare && m.Fields[0] == f })
}

// listMethods writes MarshalJSON and UnmarshalJSON for the style's ListTypes.
func (st *Style) listMethods(out *Source, marshal, unmarshal string) {
	for _, l := range st.ListTypes() {
		out.P("// MarshalJSON returns the list, or the only element.")
		out.P("func (v %s) MarshalJSON() ([]byte, error) {\nif len(v) == 1 {\nreturn %s(v[0])\n}\nreturn %s([]%s(v))\n}\n", l.Name, marshal, marshal, l.Elem)
		out.P("// UnmarshalJSON reads what MarshalJSON writes.")
		out.P("func (v *%s) UnmarshalJSON(data []byte) error {", l.Name)
		out.P("if data[0] == '[' || string(data) == \"null\" {\nreturn %s(data, (*[]%s)(v))\n}", unmarshal, l.Elem)
		out.P("*v = make(%s, 1)\nreturn %s(data, &(*v)[0])\n}\n", l.Name, unmarshal)
	}
}
