package emit

import "assay/schema"

// sumFunc names the function of package workload that folds a leaf of a kind.
var sumFunc = map[schema.Kind]string{
	schema.Bool: "LeafBool", schema.Int32: "LeafInt", schema.Int64: "LeafInt",
	schema.Uint32: "LeafInt", schema.Uint64: "LeafInt", schema.EnumKind: "LeafInt",
	schema.Float32: "LeafFloat32", schema.Float64: "LeafFloat64",
	schema.String: "LeafText", schema.Bytes: "LeafText",
	schema.Timestamp: "LeafTime", schema.Duration: "LeafDuration",
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

// held reports whether a loop over list elements of that type ranges over values: it does for
// leaves and pointers, but would copy structs.
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
