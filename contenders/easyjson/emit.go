package easyjson

import (
	"slices"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

// generator wraps the library's code generator in the protocol of a plugin.
const generator = "assay/contenders/easyjson/generator"

func emitPackage(req contender.Request) (contender.Output, error) {
	style := emit.JSONStyle(req.Schema)
	types, err := source(req, style, "")
	if err != nil {
		return contender.Output{}, err
	}
	alias, err := source(req, style, ",nocopy")
	if err != nil {
		return contender.Output{}, err
	}
	encode, writer := "out, err = easyjson.Marshal(in[i])", "jwriter.Writer{}"
	if req.Schema.Unescaped {
		writer = "jwriter.Writer{NoEscapeHTML: true}"
		// The same as easyjson.Marshal, with one field of the writer set.
		encode = "w := " + writer + "\nin[i].MarshalEasyJSON(&w)\nout, err = w.BuildBytes()"
	}
	binder := &emit.Binder{
		Stream: &emit.Stream{
			Write: "w := " + writer + "\nin.MarshalEasyJSON(&w)\nif err = w.Error; err == nil {\n_, err = w.DumpTo(c.w)\n}\nif err == nil {\nerr = c.w.WriteByte('\\n')\n}",
			Read:  "var data []byte\nif data, err = bench.ReadLine(c.r, c.buf); err == nil {\nc.buf = data\nv = new($T)\nerr = easyjson.Unmarshal(data, v)\n}",
		},
		Imports: []string{"bytes", "github.com/mailru/easyjson", "github.com/mailru/easyjson/jlexer", "github.com/mailru/easyjson/jwriter"},
		Usages: []emit.Usage{
			{
				Encode: encode,
				Decode: "v = new($T)\nerr = easyjson.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer",
				// The same as easyjson.MarshalToWriter, which ignores the error.
				Encode: "c.buf.Reset()\nw := " + writer + "\nin[i].MarshalEasyJSON(&w)\nif err = w.Error; err == nil {\n_, err = w.DumpTo(&c.buf)\n}\nout = c.buf.Bytes()",
			},
			{
				Mode:    "config=fastest",
				Refuses: escapes,
				Only:    []result.Op{result.Encode},
				Encode:  "w := jwriter.Writer{NoEscapeHTML: true}\nin[i].MarshalEasyJSON(&w)\nout, err = w.BuildBytes()",
			},
			{
				Mode:    "output=reuse,config=fastest",
				Refuses: escapes,
				Only:    []result.Op{result.Encode},
				Fields:  "buf bytes.Buffer",
				Encode:  "c.buf.Reset()\nw := jwriter.Writer{NoEscapeHTML: true}\nin[i].MarshalEasyJSON(&w)\nif err = w.Error; err == nil {\n_, err = w.DumpTo(&c.buf)\n}\nout = c.buf.Bytes()",
			},
			{
				Mode:    "strings=alias",
				Refuses: copies,
				Only:    []result.Op{result.Decode, result.Scan},
				Decode:  "v = new($T)\nl := jlexer.Lexer{Data: data}\nv.UnmarshalAlias(&l)\nerr = l.Error()",
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
	out := contender.Output{Files: []contender.File{{Name: "types.go", Data: types}, conv, bind}}
	own, lists := emit.Documents(req.Schema), style.ListTypes()
	if len(own)+len(lists) > 0 {
		rows, err := methods(req, style, own, lists)
		if err != nil {
			return contender.Output{}, err
		}
		out.Files = append(out.Files, rows)
	}
	var names []string
	for _, m := range own {
		names = append(names, m.Name)
	}
	for _, l := range lists {
		names = append(names, l.Name)
	}
	if !generates(req.Schema, names) {
		return out, nil
	}
	part := func(directives string, source []byte) []byte {
		directives = "//assay:package " + req.Package + "\n" + directives
		for _, name := range names {
			directives += "//assay:own " + name + "\n"
		}
		return append([]byte(directives), source...)
	}
	// A type has only one UnmarshalEasyJSON, and aliasing depends on tags, so the methods that
	// alias have a different name.
	request := slices.Concat(part("", types), []byte("\n"), part("//assay:unmarshal UnmarshalAlias\n", alias))
	out.Plugins = []contender.Plugin{{Tool: generator, Request: request}}
	return out, nil
}

// generates reports whether a type needs generated methods: whether it is not among the types
// named in own, whose methods are written by hand.
func generates(s *schema.Schema, own []string) bool {
	return slices.ContainsFunc(s.Messages, func(m *schema.Message) bool {
		return !slices.Contains(own, m.Name) && !s.Transparent(m)
	})
}

// source returns the types as Go source. The tags of fields that hold strings have the
// additional options.
func source(req contender.Request, style *emit.Style, options string) ([]byte, error) {
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, func(_ *schema.Message, f *schema.Field) string {
		name := f.TextName()
		switch {
		case f.OmitEmpty:
			name += ",omitempty"
		case f.OmitZero:
			name += ",omitzero"
		}
		if holdsString(f) {
			name += options
		}
		return `json:"` + name + `"`
	}, [2]string{})
	return types.Bytes()
}

// holdsString reports whether a field is a string, or a list or map of them, that is held as one.
func holdsString(f *schema.Field) bool {
	return !f.JSONText && (f.Type.Kind == schema.String || f.Type.Elem != nil && f.Type.Elem.Kind == schema.String)
}

// copies refuses the mode strings=alias for schemas without a field that can have the option nocopy.
// The library copies keys of maps.
func copies(s *schema.Schema) *contender.Unsupported {
	for _, m := range s.Messages {
		if slices.ContainsFunc(m.Fields, holdsString) {
			return nil
		}
	}
	return &contender.Unsupported{Field: s.Roots[0], Reason: "no field of the schema is a string, and the library copies everything else"}
}

// escapes refuses modes with config=fastest for schemas whose default mode does not escape for HTML
// either.
func escapes(s *schema.Schema) *contender.Unsupported {
	reason := ""
	switch {
	case s.Unescaped:
		reason = "the texts of the sample are not escaped for HTML, so the default mode does not escape them either"
	case !s.Has(schema.String):
		reason = "the schema has no strings, and the library escapes nothing else for HTML"
	default:
		return nil
	}
	return &contender.Unsupported{Field: s.Roots[0], Reason: reason}
}
