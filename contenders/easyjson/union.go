package easyjson

import (
	"strconv"
	"strings"

	"assay/contender/emit"
	"assay/schema"
)

// tokens are conditions that say that the lexer is at a value of a kind.
var tokens = map[schema.JSONKind]string{
	schema.JSONBool:   "l.CurrentToken() == jlexer.TokenBool",
	schema.JSONNumber: "l.CurrentToken() == jlexer.TokenNumber",
	schema.JSONString: "l.CurrentToken() == jlexer.TokenString",
	schema.JSONObject: "l.IsDelim('{')",
	schema.JSONArray:  "l.IsDelim('[')",
}

// kinds writes the methods of a union whose variants differ in the kind of their JSON value.
func (w *rowWriter) kinds() {
	m := w.message
	w.P("func (v %s) MarshalEasyJSON(w *jwriter.Writer) {\nswitch {", m.Name)
	for _, f := range m.Fields {
		t := w.style.TypeOf(f)
		t.Optional = false
		w.P("case v.%s != nil:", schema.GoName(f.Name))
		w.write(t, "(*v."+schema.GoName(f.Name)+")")
	}
	w.P("default:\nw.RawString(\"null\")\n}\n}\n")
	w.Import("errors")
	for _, w.decode = range []string{"UnmarshalEasyJSON", "UnmarshalAlias"} {
		w.P("func (v *%s) %s(l *jlexer.Lexer) {\nwhole := l.IsStart()\nswitch {\ncase l.IsNull():\nl.Skip()", m.Name, w.decode)
		for i, kind := range w.schema.VariantKinds(m) {
			w.P("case %s:", tokens[kind])
			t, v := w.style.TypeOf(m.Fields[i]), "v."+schema.GoName(m.Fields[i].Name)
			t.Optional = false
			w.P("%s = new(%s)", v, w.goType(t))
			w.read(t, "(*"+v+")")
		}
		w.P("default:\nl.AddError(errors.New(\"%s has no variant of this kind\"))\n}\nif whole {\nl.Consumed()\n}\n}\n", m.Name)
	}
}

// union writes the methods of a union of objects: the JSON is the object of the variant that is
// set, whose keys tell the variant.
func union(out *emit.Source, m *schema.Message) {
	out.P("func (v %s) MarshalEasyJSON(w *jwriter.Writer) {\nswitch {", m.Name)
	for _, f := range m.Fields {
		out.P("case v.%[1]s != nil:\nv.%[1]s.MarshalEasyJSON(w)", schema.GoName(f.Name))
	}
	out.P("default:\nw.RawString(\"null\")\n}\n}\n")
	for _, decode := range []string{"UnmarshalEasyJSON", "UnmarshalAlias"} {
		out.P("func (v *%s) %s(l *jlexer.Lexer) {\nwhole := l.IsStart()\ndata := l.Raw()", m.Name, decode)
		out.P("if whole {\nl.Consumed()\n}\nif !l.Ok() || string(data) == \"null\" {\nreturn\n}")
		find(out, m)
		out.P("in := jlexer.Lexer{Data: data}\nswitch {")
		rest := false
		for _, f := range m.Fields {
			switch {
			case m.Tag != "":
				out.P("case %s:", is("tag", f.When))
			case len(f.When) > 0:
				out.P("case has%s:", schema.GoName(f.Name))
			default:
				rest = true
				out.P("default:")
			}
			out.P("v.%[1]s = new(%[2]s)\nv.%[1]s.%[3]s(&in)", schema.GoName(f.Name), f.Type.Ref, decode)
		}
		if !rest {
			out.Import("errors")
			out.P("default:\nl.AddError(errors.New(\"%s has no variant for this object\"))", m.Name)
		}
		out.P("}\nif err := in.Error(); err != nil {\nl.AddError(err)\n}\n}\n")
	}
}

// find writes the loop that looks for the keys that tell the variants.
func find(out *emit.Source, m *schema.Message) {
	if m.Tag != "" {
		out.P("var tag string")
	} else {
		var names []string
		for _, f := range m.Fields {
			if len(f.When) > 0 {
				names = append(names, "has"+schema.GoName(f.Name))
			}
		}
		out.P("var %s bool", strings.Join(names, ", "))
	}
	out.P("head := jlexer.Lexer{Data: data}\nhead.Delim('{')\nfor !head.IsDelim('}') {\nkey := head.UnsafeFieldName(false)\nhead.WantColon()\nswitch key {")
	if m.Tag != "" {
		out.P("case %q:\ntag = head.String()\ndefault:\nhead.SkipRecursive()\n}", m.Tag)
	} else {
		for _, f := range m.Fields {
			if len(f.When) > 0 {
				out.P("case %q:\nhas%s = true", f.When[0], schema.GoName(f.Name))
			}
		}
		out.P("}\nhead.SkipRecursive()")
	}
	out.P("head.WantComma()\n}\nhead.Delim('}')\nif err := head.Error(); err != nil {\nl.AddError(err)\nreturn\n}")
}

// is returns the condition that a variable equals one of some texts.
func is(name string, texts []string) string {
	var all []string
	for _, s := range texts {
		all = append(all, name+" == "+strconv.Quote(s))
	}
	return strings.Join(all, " || ")
}
