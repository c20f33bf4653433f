package msgp

import (
	"slices"
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

// generator wraps the library's code generator in the protocol of a plugin.
const generator = "assay/contenders/msgp/generator"

// interop are the directives that make the library write what other libraries can read.
const interop = "//msgp:newtime\n//msgp:timezone utc\n//msgp:maps binkeys\n"

func emitPackage(req contender.Request) (contender.Output, error) {
	if err := held(req.Schema); err != nil {
		return contender.Output{}, err
	}
	style := &emit.Style{Unwrap: req.Schema, OmitZero: emit.ByMethod, VariantValues: true, NamedElems: true}
	nilable := twins(req.Schema, style)
	types, err := source(req, style, nilable, "")
	if err != nil {
		return contender.Output{}, err
	}
	binder := &emit.Binder{
		Stream: &emit.Stream{
			// The generated code has no methods that write to an io.Writer. They would be other
			// code than the methods that are measured elsewhere.
			Fields: "dec *msgp.Reader\nraw msgp.Raw",
			Write:  "if c.buf, err = in.MarshalMsg(c.buf[:0]); err == nil {\n_, err = c.w.Write(c.buf)\n}",
			Open:   "c.dec = msgp.NewReader(c.r)",
			Read:   "if err = c.raw.DecodeMsg(c.dec); err == nil {\nv = new($T)\n_, err = v.UnmarshalMsg(c.raw)\n}", Imports: []string{"github.com/tinylib/msgp/msgp"},
		},
		Usages: []emit.Usage{
			{
				Encode: "out, err = in[i].MarshalMsg(nil)",
				Decode: "v = new($T)\n_, err = v.UnmarshalMsg(data)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Encode: "out, err = in[i].MarshalMsg(out[:0])",
			},
			{
				Mode:   "target=reuse",
				Only:   []result.Op{result.Decode, result.Scan},
				Start:  "c.v = new($T)",
				Decode: "_, err = v.UnmarshalMsgReuse(data)",
			},
			{
				Mode:    "strings=alias",
				Refuses: copies,
				Only:    []result.Op{result.Decode, result.Scan},
				Decode:  "v = new($T)\n_, err = v.UnmarshalMsgAlias(data)",
			},
			{
				Mode:   "layout=array",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Encode: "out, err = in[i].MarshalMsgArray(nil)",
				Decode: "v = new($T)\n_, err = v.UnmarshalMsgArray(data)",
			},
			{
				// It decodes too, because the default mode cannot read what it writes.
				Mode:   "output=reuse,layout=array",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Encode: "out, err = in[i].MarshalMsgArray(out[:0])",
				Decode: "v = new($T)\n_, err = v.UnmarshalMsgArray(data)",
			},
		},
	}
	conv, err := emit.Own(req, style)
	if err != nil {
		return contender.Output{}, err
	}
	bind, err := binder.Write(req)
	if err != nil {
		return contender.Output{}, err
	}
	run := func(directives string, source []byte) contender.Plugin {
		return contender.Plugin{Tool: generator, Request: append([]byte(directives+interop+ignored(nilable)), source...)}
	}
	files := []contender.File{{Name: "types.go", Data: types}, conv, bind}
	if len(nilable) > 0 {
		nils, err := nilMethods(req, nilable)
		if err != nil {
			return contender.Output{}, err
		}
		files = append(files, nils)
	}
	// A type has only one UnmarshalMsg, and some modes are options of the generator, so the methods of
	// these modes have other names.
	plugins := []contender.Plugin{
		run("", types),
		run("//assay:unmarshal Reuse\n//msgp:clearomitted\n", types),
	}
	if copies(req.Refusing()) == nil {
		alias, err := source(req, style, nilable, ",zerocopy")
		if err != nil {
			return contender.Output{}, err
		}
		plugins = append(plugins, run("//assay:unmarshal Alias\n", alias))
	}
	plugins = append(plugins, run("//assay:all Array\n//msgp:tuple"+structs(req.Schema)+"\n", types))
	return contender.Output{Files: files, Plugins: plugins}, nil
}

// held returns nil if the library's generator can write code for the schema.
func held(s *schema.Schema) error {
	if field := emit.Endless(s); field != "" {
		return &contender.Unsupported{Field: field, Reason: "msgp's generator cannot write for a list or map that contains itself: it overflows the stack, or its code does not compile"}
	}
	for _, m := range s.Messages {
		for _, f := range m.Fields {
			if f.Type.Elem != nil {
				if t := s.Message(f.Type.Elem.Ref); t != nil && len(t.Fields) == 0 {
					return &contender.Unsupported{Field: m.Name + "." + f.Name, Reason: "msgp's generator cannot write for a list or map of messages without fields: its loop over them uses nothing, which does not compile"}
				}
			}
			if t := s.Message(f.Type.Ref); f.Type.Optional && t != nil && t.Bare && !m.Union {
				return &contender.Unsupported{Field: m.Name + "." + f.Name, Reason: "msgp's generator cannot write for a pointer to a list or map: it indexes the pointer, which does not compile"}
			}
		}
	}
	return nil
}

// structs returns the names of the structs, each after a space.
func structs(s *schema.Schema) string {
	var names strings.Builder
	for _, m := range s.Messages {
		if !m.Bare && !s.Tristate(m) {
			names.WriteString(" " + m.Name)
		}
	}
	return names.String()
}

// source returns the types as Go source. Fields with bytes have the additional options.
func source(req contender.Request, style *emit.Style, nilable []twin, bytesOptions string) ([]byte, error) {
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, func(_ *schema.Message, f *schema.Field) string {
		return tag(req.Schema, f, bytesOptions)
	}, [2]string{})
	for _, t := range nilable {
		types.P("// %s is %s with the generated methods.\ntype %s %s\n", t.generated, t.name, t.generated, t.of)
	}
	return types.Bytes()
}

func tag(s *schema.Schema, f *schema.Field, bytesOptions string) string {
	var t strings.Builder
	t.WriteString(`msg:"` + f.TextName())
	if of := s.Message(f.Type.Ref); f.Type.Optional && of != nil && of.Bare { // of a union: see VariantValues
		return t.String() + `,omitzero,allownil"`
	}
	// As in encoding/json, a struct or time that is zero is not empty. With omitempty, a bare
	// message would be compared with a struct.
	if f.OmitEmpty && (f.Type.Optional || f.Type.Kind != schema.MessageKind && f.Type.Kind != schema.Timestamp) {
		t.WriteString(",omitempty")
	}
	if f.OmitZero {
		t.WriteString(",omitzero")
	}
	switch f.Type.Kind {
	case schema.List, schema.Map, schema.MessageKind, schema.Bytes:
		// A field with three states is held as a list.
		if m := s.Message(f.Type.Ref); !f.Type.Optional || m != nil && s.Tristate(m) {
			t.WriteString(",allownil")
		}
	}
	if holdsBytes(f.Type) {
		t.WriteString(bytesOptions)
	}
	t.WriteString(`"`)
	return t.String()
}

// holdsBytes reports whether a field is bytes, or a list or map of them.
func holdsBytes(t schema.Type) bool {
	return t.Kind == schema.Bytes || t.Elem != nil && t.Elem.Kind == schema.Bytes
}

// copies refuses the mode strings=alias for schemas in which the option zerocopy has no effect: it has
// none on optional bytes, which are pointers, and a message that is a list or map has no tags.
func copies(s *schema.Schema) *contender.Unsupported {
	for _, m := range s.Messages {
		tagged := !m.Bare && !s.Tristate(m)
		if tagged && slices.ContainsFunc(m.Fields, func(f *schema.Field) bool { return holdsBytes(f.Type) && !f.Type.Optional }) {
			return nil
		}
	}
	if no := emit.AliasesBytes(s); no != nil {
		return no
	}
	return &contender.Unsupported{Field: s.Roots[0], Reason: "the library copies strings, optional bytes, and bytes of a list or map that is a message, and the schema has no other bytes, so the mode would be the default mode"}
}
