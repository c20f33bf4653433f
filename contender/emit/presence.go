package emit

import (
	"slices"

	"assay/schema"
)

// JSONText is the kind of a string that is a JSON text and that Style.JSONText says how to
// hold. It occurs in no schema: only TypeOf returns it.
const JSONText = schema.Map + 1

// TypeOf returns the type of a field as the style holds it. Strings with a JSON text have the
// kind JSONText if Style.JSONText is set. A leaf with a spelling has the spelling as Ref if
// Style.Spelled is set. A list with a type in ListTypes has the name of that type as Ref.
func (st *Style) TypeOf(f *schema.Field) schema.Type {
	t := st.elemsOf(f)
	if st.OneOrMany && f.OneOrMany && !bareField(st.Unwrap, f) {
		t.Ref = st.listName(t)
	}
	return t
}

// elemsOf is TypeOf without the names of list types.
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

// wraps returns the message that a type refers to and its field, if the style holds the field's
// value in place of the message; otherwise nil.
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

// tristate returns the message that a type refers to if it tells null from absent, and
// otherwise nil. The style holds such a message as a list: an empty list means absent, and one
// element, which may be nil, is the value.
func (st *Style) tristate(t schema.Type) *schema.Message {
	if st.Unwrap == nil || t.Kind != schema.MessageKind {
		return nil
	}
	if m := st.Unwrap.Message(t.Ref); m != nil && st.Unwrap.Tristate(m) {
		return m
	}
	return nil
}

// isTristate reports whether a message tells null from absent: see tristate.
func (st *Style) isTristate(m *schema.Message) bool {
	return st.tristate(schema.Type{Kind: schema.MessageKind, Ref: m.Name}) != nil
}

// ElemType returns the name of the value's type in a message that tells null from absent, if
// NamedElems gives it one; otherwise "".
func (st *Style) ElemType(m *schema.Message) string {
	if st.NamedElems && st.isTristate(m) {
		switch m.Fields[0].Type.Kind {
		case schema.List, schema.Map, schema.Bytes:
			return FreeName(st.Unwrap, m.Name+"Entry")
		}
	}
	return ""
}

// FreeName returns the name with as many underscores appended as are needed to differ from all
// messages and enums of the schema.
func FreeName(s *schema.Schema, name string) string {
	for s.Message(name) != nil || s.Enum(name) != nil {
		name += "_"
	}
	return name
}

// gone reports whether a message has no Go type, because no value would have that type.
func (st *Style) gone(s *schema.Schema, m *schema.Message) bool {
	return st.Unwrap != nil && s.Transparent(m) && !slices.Contains(s.Roots, m.Name)
}

// fromWrapped writes the conversion from the model of a message that is held as the value of
// its field.
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

// omitZero returns the way to hold a field that is omitted if absent and written if empty. For
// other fields it returns ByTag.
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

// box begins the conversion of a field from the model. It returns the expression to set. If the
// field is a pointer to a list, map or bytes, that is a variable inside an if. The caller must
// then set the pointer and close the if.
func (st *Style) box(out *Source, m *schema.Message, f *schema.Field, dst, src string) string {
	if st.omitZero(m, f) != ByPointer {
		return dst
	}
	out.P("if %s != nil {\nvar own %s", src, st.Type(m, f, st.TypeOf(f)))
	return "own"
}

// unbox begins the use of a field's value. It returns the expression of the value. If the value
// is behind a pointer, it opens an if and returns true, and the caller must close the if.
func (st *Style) unbox(out *Source, m *schema.Message, f *schema.Field, src string) (string, bool) {
	if st.omitZero(m, f) != ByPointer {
		return src, false
	}
	out.P("if %s != nil {", src)
	return "(*" + src + ")", true
}
