package emit

import (
	"strings"

	"assay/contender"
)

// alone returns codec.go. For every root R it has
//
//	func MarshalR(in *R) (out []byte, err error)
//	func UnmarshalR(data []byte) (v *R, err error)
//
// and, if the contender has its own types,
//
//	func RFromModel(m *model.R) *R
//	func RToModel(v *R) *model.R
//
// A contender without its own types encodes the model. A contender with types of a foreign
// schema has no conversions.
func (b *Binder) alone(req contender.Request) (contender.File, error) {
	u, why := b.plain()
	if why != "" {
		return contender.File{}, &contender.Unsupported{Field: req.Schema.Roots[0], Reason: why}
	}
	for _, root := range req.Schema.Roots {
		for _, name := range []string{"Marshal" + root, "Unmarshal" + root, root + "FromModel", root + "ToModel"} {
			if req.Schema.Message(name) != nil || req.Schema.Enum(name) != nil {
				return contender.File{}, &contender.Unsupported{Field: name, Reason: "the package has a function of this name; rename the type"}
			}
		}
	}
	out := NewSource(req.Package, "assay")
	out.ImportAs("model", req.Model)
	out.Import(b.Imports...)
	for path, name := range b.Named {
		out.ImportAs(name, path)
	}
	for _, root := range req.Schema.Roots {
		t := b.typeOf(root)
		sub := strings.NewReplacer("$T", t, "$M", "model."+root, "$R", root, "in[i]", "in")
		w := func(text string) { out.P("%s", sub.Replace(text)) }
		w("// Marshal$R encodes in.\nfunc Marshal$R(in *$T) (out []byte, err error) {")
		w(u.Encode)
		w("return out, err\n}\n")
		w("// Unmarshal$R decodes data.\nfunc Unmarshal$R(data []byte) (v *$T, err error) {")
		w(u.Decode)
		w("if err != nil {\nreturn nil, err\n}\nreturn v, nil\n}\n")
		if b.Direct || b.Fallible {
			continue
		}
		w("// $RFromModel converts a value of the model. The result shares strings, bytes and\n// parts of equal types with its argument.\nfunc $RFromModel(m *$M) *$T {\nv := new($T)\nfrom$R(v, m)\nreturn v\n}\n")
		w("// $RToModel converts a value to the model. The result shares strings, bytes and\n// parts of equal types with its argument.\nfunc $RToModel(v *$T) *$M {\nm := new($M)\nto$R(m, v)\nreturn m\n}\n")
	}
	data, err := out.Bytes()
	return contender.File{Name: "codec.go", Data: data}, err
}

// plain returns the default mode if its statements keep nothing between calls, and otherwise
// why there is no such mode. A Start that sets no field of the codec only checks conditions of
// the measurement, and alone leaves it out.
func (b *Binder) plain() (u Usage, why string) {
	for _, u := range b.Usages {
		switch {
		case u.Mode != "":
			continue
		case u.Encode == "" || u.Decode == "" || u.Borrows:
			return u, "the library does not both encode and decode"
		case u.Fields != "" || strings.Contains(u.Start, "c."):
			return u, "its code is about batches of values and cannot stand alone"
		}
		return u, ""
	}
	return u, "it has no default mode"
}
