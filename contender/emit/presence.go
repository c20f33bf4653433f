package emit

import (
	"slices"

	"assay/schema"
)

// JSONText is the kind of a string that is a JSON text and is held as
// Style.JSONText says. It is none of a schema: only TypeOf returns it.
const JSONText = schema.Map + 1

// TypeOf returns the type of a field, with kind JSONText for strings that are held
// otherwise than others, and with the spelling as Ref of a leaf that is held as
// Style.Spelled says. A list that ListTypes has a type for has its name as Ref.
func (st *Style) TypeOf(f *schema.Field) schema.Type {
	t := st.elemsOf(f)
	if st.OneOrMany && f.OneOrMany && !bareField(st.Unwrap, f) {
		t.Ref = st.listName(t)
	}
	return t
}

// elemsOf is TypeOf with lists as they are.
func (st *Style) elemsOf(f *schema.Field) schema.Type {
	t := f.Type
	if f.As != "" && st.Spelled != nil {
		return st.Spelled.typeOf(f)
	}
	if !f.JSONText || st.JSONText.Go == "" {
		return t
	}
	if t.Elem != nil {
		elem := *t.Elem
		elem.Kind = JSONText
		t.Elem = &elem
	} else {
		t.Kind = JSONText
	}
	return t
}

// wraps returns the message that a type refers to and its field, when the field's
// value is held in the place of the message; otherwise nil.
func (st *Style) wraps(t schema.Type) (*schema.Message, *schema.Field) {
	if st.Unwrap == nil || t.Kind != schema.MessageKind {
		return nil, nil
	}
	m := st.Unwrap.Message(t.Ref)
	if !st.Unwrap.Transparent(m) {
		return nil, nil
	}
	return m, m.Fields[0]
}

// tristate returns the message that a type refers to, when it tells null from
// absent: it is held as a list of none, where it is absent, or of its value, which
// may be nil.
func (st *Style) tristate(t schema.Type) *schema.Message {
	if st.Unwrap == nil || t.Kind != schema.MessageKind {
		return nil
	}
	if m := st.Unwrap.Message(t.Ref); m != nil && st.Unwrap.Tristate(m) {
		return m
	}
	return nil
}

// isTristate reports the same of the message itself.
func (st *Style) isTristate(m *schema.Message) bool {
	return st.tristate(schema.Type{Kind: schema.MessageKind, Ref: m.Name}) != nil
}

// ElemType returns the name of the type of the value of a message that tells null from absent,
// when NamedElems gives it one; otherwise nothing.
func (st *Style) ElemType(m *schema.Message) string {
	if st.NamedElems && st.isTristate(m) {
		switch m.Fields[0].Type.Kind {
		case schema.List, schema.Map, schema.Bytes:
			return FreeName(st.Unwrap, m.Name+"Entry")
		}
	}
	return ""
}

// FreeName returns a name that no message or enum of a schema has: that name, followed by
// underscores where there is such a type.
func FreeName(s *schema.Schema, name string) string {
	for s.Message(name) != nil || s.Enum(name) != nil {
		name += "_"
	}
	return name
}

// gone reports whether there is no type of a message, because nothing would be of
// that type.
func (st *Style) gone(s *schema.Schema, m *schema.Message) bool {
	return st.Unwrap != nil && s.Transparent(m) && !slices.Contains(s.Roots, m.Name)
}

// fromWrapped writes the conversion of a message that is held as the value of its
// field.
func (st *Style) fromWrapped(out *Source, t schema.Type, m *schema.Message, f *schema.Field, dst, src string) {
	value := src + "." + schema.GoName(f.Name)
	if !t.Optional {
		st.fromValue(out, st.TypeOf(f), dst, value)
		return
	}
	out.P("if %s != nil {\nvar held %s", src, st.Type(m, f, st.TypeOf(f)))
	st.fromValue(out, st.TypeOf(f), "held", value)
	out.P("%s = &held\n}", dst)
}

func (st *Style) toWrapped(out *Source, t schema.Type, f *schema.Field, dst, src string) {
	value := dst + "." + schema.GoName(f.Name)
	if !t.Optional {
		st.toValue(out, st.TypeOf(f), value, src)
		return
	}
	out.P("if %s != nil {\n%s = new(model.%s)", src, dst, t.Ref)
	st.toValue(out, st.TypeOf(f), value, "(*"+src+")")
	out.P("}")
}

// omitZero returns how a field is held of which what is absent is left out and
// what is empty is not; ByTag for other fields as well.
func (st *Style) omitZero(m *schema.Message, f *schema.Field) OmitZero {
	if !f.OmitZero || m.Bare {
		return ByTag
	}
	return st.OmitZero
}

// fieldType returns the type of a field of a struct.
func (st *Style) fieldType(s *schema.Schema, m *schema.Message, f *schema.Field) string {
	switch t := st.Type(m, f, st.TypeOf(f)); st.omitZero(m, f) {
	case ByPointer:
		return "*" + t
	case ByMethod:
		return memberName(s, m, f, "OrNone", func(m *schema.Message, f *schema.Field) bool { return st.omitZero(m, f) == ByMethod })
	default:
		return t
	}
}

// box begins the conversion of a field from the model. It returns what is to be
// set: the field or, where that is a pointer to a list, map or bytes, a variable
// that it is then to point to, behind an if that is to be closed.
func (st *Style) box(out *Source, m *schema.Message, f *schema.Field, dst, src string) string {
	if st.omitZero(m, f) != ByPointer {
		return dst
	}
	out.P("if %s != nil {\nvar own %s", src, st.Type(m, f, st.TypeOf(f)))
	return "own"
}

// unbox begins what is done with a field that is not nil. It returns the field's
// value and, where that is behind a pointer, that an if is to be closed.
func (st *Style) unbox(out *Source, m *schema.Message, f *schema.Field, src string) (string, bool) {
	if st.omitZero(m, f) != ByPointer {
		return src, false
	}
	out.P("if %s != nil {", src)
	return "(*" + src + ")", true
}
