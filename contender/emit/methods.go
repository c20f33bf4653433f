package emit

import "assay/schema"

// methodName returns the end of the names of a field's methods: the field's Go name. For Build
// it is Build_, because protobuf's builders have a method Build.
func methodName(f *schema.Field) string {
	if name := schema.GoName(f.Name); name != "Build" {
		return name
	}
	return "Build_"
}

// setters writes the conversion from the model of a message whose fields are
// behind methods.
func (st *Style) setters(out *Source, m *schema.Message) {
	out.P("func from%s(dst *%s, src *model.%s) {", m.Name, m.Name, m.Name)
	for _, f := range m.Fields {
		src, set := modelMember(m, f, "src"), "dst.Set"+methodName(f)
		l, other := st.LeafOf(f.Type)
		expr := src
		switch {
		case other && f.Type.Optional:
			expr = fill(l.From, "(*"+src+")")
		case other:
			expr = fill(l.From, src)
		case f.Type.Optional:
			expr = "*" + src
		}
		switch t := f.Type; {
		case t.Kind == schema.List, t.Kind == schema.Map:
			out.P("if %s != nil {\nvar own %s", src, st.Type(m, f, t))
			if t.Kind == schema.List {
				st.fromList(out, m, f, "own", src)
			} else {
				st.fromMap(out, m, f, "own", src)
			}
			out.P("%s(own)\n}", set)
		case t.Kind == schema.MessageKind:
			if t.Optional {
				out.P("if %s != nil {", src)
			} else {
				out.P("{")
				src = "&" + src
			}
			out.P("own := new(%s)\nfrom%s(own, %s)\n%s(own)\n}", t.Ref, t.Ref, src, set)
		case t.Optional:
			out.P("if %s != nil {\n%s(%s)\n}", src, set, expr)
		default:
			out.P("%s(%s)", set, expr)
		}
	}
	out.P("}\n")
}

// getters writes the conversion to the model of a message whose fields are
// behind methods.
func (st *Style) getters(out *Source, m *schema.Message) {
	out.P("func to%s(dst *model.%s, src *%s) {", m.Name, m.Name, m.Name)
	for _, f := range m.Fields {
		dst, name := modelMember(m, f, "dst"), methodName(f)
		l, other := st.LeafOf(f.Type)
		expr := "src.Get" + name + "()"
		switch t := f.Type; {
		case t.Kind == schema.List:
			out.P("if own := %s; own != nil {", expr)
			st.toList(out, m, f, dst, "own")
			out.P("}")
		case t.Kind == schema.Map:
			out.P("if own := %s; own != nil {", expr)
			st.toMap(out, m, f, dst, "own")
			out.P("}")
		case t.Kind == schema.MessageKind:
			out.P("if own := %s; own != nil {", expr)
			if t.Optional {
				out.P("%s = new(model.%s)\nto%s(%s, own)\n}", dst, t.Ref, t.Ref, dst)
			} else {
				out.P("to%s(&%s, own)\n}", t.Ref, dst)
			}
		default:
			if other {
				expr = fill(l.To, expr)
			}
			if t.Optional {
				out.P("if src.Has%s() {\nx := %s\n%s = &x\n}", name, expr, dst)
			} else {
				out.P("%s = %s", dst, expr)
			}
		}
	}
	out.P("}\n")
}

// sumGetters writes the function that adds up the leaves of a message whose
// fields are behind methods.
func (st *Style) sumGetters(out *Source, m *schema.Message) {
	out.P("func sum%s(v *%s) (sum uint64) {", m.Name, m.Name)
	for _, f := range m.Fields {
		name := methodName(f)
		expr := "v.Get" + name + "()"
		switch t := f.Type; {
		case t.Kind == schema.List:
			st.sumList(out, t, expr)
		case t.Kind == schema.Map:
			st.sumMap(out, t, expr)
		case t.Kind == schema.MessageKind:
			out.P("if own := %s; own != nil {\nsum += sum%s(own)\n}", expr, t.Ref)
		case t.Optional:
			out.P("if v.Has%s() {", name)
			t.Optional = false
			st.sumValue(out, t, expr)
			out.P("}")
		default:
			st.sumValue(out, t, expr)
		}
	}
	out.P("return sum\n}\n")
}
