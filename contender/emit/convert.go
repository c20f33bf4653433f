package emit

import (
	"strings"

	"assay/schema"
)

// Convert writes, for each message, the functions that convert between the model and the
// contender's own type, and the function that sums the leaves:
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

// member returns the expression of a field of v. The field of a bare message that is no struct
// is v itself.
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

// fromValue writes the conversion from the model of a value other than a list or a map.
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

// whole returns the expression of a list or map that is taken over unconverted. A bare message
// needs a type conversion, because its type differs between the two packages.
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
		out.P("e := %s{Key: %s}", EntryName(st.Entries, m, f), key)
		st.fromValue(out, elem, "e.Value", "v")
		out.P("%s = append(%s, e)\n}", dst, dst)
		if st.SortedEntries {
			out.Import("cmp", "slices")
			out.P("slices.SortFunc(%s, func(a, b %s) int { return cmp.Compare(a.Key, b.Key) })", dst, EntryName(st.Entries, m, f))
		}
		out.P("}")
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
