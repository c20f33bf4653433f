package emit

import (
	"slices"

	"assay/schema"
)

// A ListType is a type in Go of lists that JSON writes without brackets when they have
// one element.
type ListType struct {
	Name string
	// Elem is the type in Go of the elements, Type what TypeOf says of them.
	Elem string
	Type schema.Type
	bare bool // it is the type of a bare message
}

// ListTypes returns the types of the style's schema, each once, in the order of the
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

// listName returns the name of the type of lists of a type, which no message or enum
// has: OneOrMany and what the elements are, with underscores where lists of other elements
// would have that name too.
func (st *Style) listName(t schema.Type) string {
	if st.listNames == nil {
		st.listNames = st.nameLists()
	}
	return st.listNames[*t.Elem]
}

// nameLists chooses the names of all types of lists, by their elements.
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

// elemName says in a name what an element is.
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

// bareField reports whether a field is that of a bare message, whose type has a name.
func bareField(s *schema.Schema, f *schema.Field) bool {
	return slices.ContainsFunc(s.Messages, func(m *schema.Message) bool { return m.Bare && m.Fields[0] == f })
}

// listMethods writes MarshalJSON and UnmarshalJSON of the style's ListTypes.
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
