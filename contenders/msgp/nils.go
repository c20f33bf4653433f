package msgp

import (
	"slices"
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/schema"
)

// The option allownil reaches a field, and not what is in it: the generated code for a list or
// map that is an element writes nil as empty, and refuses the nil of others. Where elements may
// be null they are of a type whose methods know nil, and leave all else to the generated ones
// of a twin. The generator is told to ignore such a type: then it calls its methods.

// A twin is a type of lists, maps or bytes that may be nil as elements, and the one of the same
// values with the generated methods.
type twin struct{ name, generated, of string }

// twins returns those of a schema.
func twins(s *schema.Schema, style *emit.Style) (all []twin) {
	for _, m := range s.Messages {
		name := style.ElemType(m)
		if m.Bare && len(m.Fields) == 1 && (m.Fields[0].Null || withinTristate(s, m)) {
			name = m.Name
		}
		if name != "" {
			all = append(all, twin{name, emit.FreeName(s, name+"Value"), style.Type(m, m.Fields[0], style.TypeOf(m.Fields[0]))})
		}
	}
	return all
}

// withinTristate reports whether a message is the value of one that tells null from absent.
func withinTristate(s *schema.Schema, m *schema.Message) bool {
	return slices.ContainsFunc(s.Messages, func(of *schema.Message) bool {
		return s.Tristate(of) && of.Fields[0].Type.Ref == m.Name
	})
}

// ignored is the directive by which the generator writes no methods of the types that have a
// twin; nothing when there are none.
func ignored(all []twin) string {
	if len(all) == 0 {
		return ""
	}
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.name
	}
	return "//msgp:ignore " + strings.Join(names, " ") + "\n"
}

// nilMethods writes the methods of the types that have a twin, for each name under which the
// plugins write methods.
func nilMethods(req contender.Request, all []twin) (contender.File, error) {
	out := emit.NewSource(req.Package, "assay")
	out.Import("github.com/tinylib/msgp/msgp")
	for _, t := range all {
		for _, suffix := range []string{"", "Array"} {
			out.P("// MarshalMsg%s writes nil as nil.", suffix)
			out.P("func (v %s) MarshalMsg%s(b []byte) ([]byte, error) {\nif v == nil {\nreturn msgp.AppendNil(b), nil\n}\nreturn %s(v).MarshalMsg%s(b)\n}\n", t.name, suffix, t.generated, suffix)
			out.P("// Msgsize%s returns how many bytes MarshalMsg%s writes at most.", suffix, suffix)
			out.P("func (v %s) Msgsize%s() int { return %s(v).Msgsize%s() }\n", t.name, suffix, t.generated, suffix)
		}
		for _, suffix := range []string{"", "Reuse", "Alias", "Array"} {
			out.P("// UnmarshalMsg%s reads nil as nil.", suffix)
			out.P("func (v *%s) UnmarshalMsg%s(b []byte) ([]byte, error) {\nif msgp.IsNil(b) {\n*v = nil\nreturn msgp.ReadNilBytes(b)\n}\nreturn (*%s)(v).UnmarshalMsg%s(b)\n}\n", t.name, suffix, t.generated, suffix)
		}
	}
	data, err := out.Bytes()
	return contender.File{Name: "nils.go", Data: data}, err
}
