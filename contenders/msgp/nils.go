package msgp

import (
	"slices"
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/schema"
)

// The option allownil applies to a field but not to its elements. The generated code writes a
// nil list or map that is an element as empty, and refuses nil that others wrote. If elements
// may be null, they have a type whose methods handle nil and otherwise call the generated
// methods of a twin type. A directive makes the generator ignore the type, so that its code
// calls the type's methods.

// A twin is a type of lists, maps or bytes that may be nil as elements, and a second type with
// the same values and the generated methods.
type twin struct{ name, generated, of string }

// twins returns the twins of a schema.
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

// withinTristate reports whether a message is the value of a message that tells null from
// absent.
func withinTristate(s *schema.Schema, m *schema.Message) bool {
	return slices.ContainsFunc(s.Messages, func(of *schema.Message) bool {
		return s.Tristate(of) && of.Fields[0].Type.Ref == m.Name
	})
}

// ignored returns the directive that keeps the generator from writing methods of the types with
// a twin, or "" if there are none.
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

// nilMethods writes the methods of the types with a twin, under each name for which the plugins
// write methods.
func nilMethods(req contender.Request, all []twin) (contender.File, error) {
	out := emit.NewSource(req.Package, "assay")
	out.Import("github.com/tinylib/msgp/msgp")
	reads := []string{"", "Reuse", "Array"}
	if copies(req.Refusing()) == nil {
		reads = append(reads, "Alias")
	}
	for _, t := range all {
		for _, suffix := range []string{"", "Array"} {
			out.P("// MarshalMsg%s writes nil as nil.", suffix)
			out.P("func (v %s) MarshalMsg%s(b []byte) ([]byte, error) {\nif v == nil {\nreturn msgp.AppendNil(b), nil\n}\nreturn %s(v).MarshalMsg%s(b)\n}\n", t.name, suffix, t.generated, suffix)
			out.P("// Msgsize%s returns how many bytes MarshalMsg%s writes at most.", suffix, suffix)
			out.P("func (v %s) Msgsize%s() int { return %s(v).Msgsize%s() }\n", t.name, suffix, t.generated, suffix)
		}
		for _, suffix := range reads {
			out.P("// UnmarshalMsg%s reads nil as nil.", suffix)
			out.P("func (v *%s) UnmarshalMsg%s(b []byte) ([]byte, error) {\nif msgp.IsNil(b) {\n*v = nil\nreturn msgp.ReadNilBytes(b)\n}\nreturn (*%s)(v).UnmarshalMsg%s(b)\n}\n", t.name, suffix, t.generated, suffix)
		}
	}
	data, err := out.Bytes()
	return contender.File{Name: "nils.go", Data: data}, err
}
