package sonic

import (
	"slices"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := emit.JSONStyle(req.Schema)
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, emit.Tag("json"), [2]string{})
	types.P(emit.MessageReader)
	emit.JSONMethods(types, style, "sonic.Marshal", "sonic.Unmarshal")
	types.P(native)
	types.Import("errors", "io", "runtime", "github.com/bytedance/sonic")
	std := "sonic.ConfigStd"
	if req.Schema.Unescaped {
		std = "configStd"
		types.P(unescaped)
	}
	both := []result.Op{result.Encode, result.Decode, result.Scan}
	binder := &emit.Binder{
		Stream:  emit.Coders("sonic.Encoder", "sonic.ConfigDefault.NewEncoder(c.w)\nerr = native()", "sonic.Decoder", "sonic.ConfigDefault.NewDecoder(c.r)\nerr = native()"),
		Imports: []string{"bytes", "unsafe", "github.com/bytedance/sonic", "github.com/bytedance/sonic/encoder"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = sonic.Marshal(in[i])",
				Decode: "v = new($T)\nerr = sonic.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf []byte",
				Encode: "c.buf = c.buf[:0]\nerr = encoder.EncodeInto(&c.buf, in[i], 0)\nout = c.buf",
			},
			{
				Mode:   "strings=alias",
				Only:   []result.Op{result.Decode, result.Scan},
				Decode: "v = new($T)\nerr = sonic.UnmarshalString(unsafe.String(unsafe.SliceData(data), len(data)), v)",
			},
			{
				Mode:    "order=sorted",
				Refuses: sorts,
				Only:    []result.Op{result.Encode},
				Encode:  "out, err = encoder.Encode(in[i], encoder.SortMapKeys)",
			},
			{
				Mode:    "config=std",
				Refuses: unsorted,
				Only:    both,
				Encode:  "out, err = " + std + ".Marshal(in[i])",
				Decode:  "v = new($T)\nerr = " + std + ".Unmarshal(data, v)",
			},
			{
				Mode:   "config=fastest",
				Only:   both,
				Encode: "out, err = sonic.ConfigFastest.Marshal(in[i])",
				Decode: "v = new($T)\nerr = sonic.ConfigFastest.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse,strings=alias,config=fastest",
				Only:   both,
				Fields: "buf []byte",
				Encode: "c.buf = c.buf[:0]\nerr = encoder.EncodeInto(&c.buf, in[i], encoder.NoValidateJSONMarshaler)\nout = c.buf",
				Decode: "v = new($T)\nerr = sonic.ConfigFastest.UnmarshalFromString(unsafe.String(unsafe.SliceData(data), len(data)), v)",
			},
			{
				Mode:   "output=reuse,session=stream",
				Only:   both,
				Fields: "buf bytes.Buffer\nenc sonic.Encoder\nr messageReader\ndec sonic.Decoder",
				Start:  "c.enc = sonic.ConfigDefault.NewEncoder(&c.buf)\nc.dec = sonic.ConfigDefault.NewDecoder(&c.r)",
				Encode: "c.buf.Reset()\nerr = c.enc.Encode(in[i])\nout = c.buf.Bytes()",
				Decode: "c.r.data = data\nv = new($T)\nerr = c.dec.Decode(v)",
			},
		},
	}
	for i := range binder.Usages {
		u := &binder.Usages[i]
		u.Start = "if err := native(); err != nil {\nreturn nil, err\n}\n" + u.Start
	}
	return emit.Package(req, types, style, binder)
}

// unsorted names a field with a map in it that a method of ours writes. In every mode that
// method calls sonic.Marshal, which does not sort.
func unsorted(s *schema.Schema) *contender.Unsupported {
	documents := emit.Documents(s)
	for _, m := range s.Messages {
		document := slices.Contains(documents, m)
		for _, f := range m.Fields {
			if (document || f.OneOrMany) && leadsToMap(s, f.Type, map[string]bool{}) {
				return &contender.Unsupported{
					Field:  m.Name + "." + f.Name,
					Reason: "a method of the type writes it by sonic.Marshal, which does not sort the keys of maps in it",
				}
			}
		}
	}
	return nil
}

// sorts refuses the mode order=sorted for schemas without maps, and for those that unsorted names.
func sorts(s *schema.Schema) *contender.Unsupported {
	if no := emit.NeedsMaps(s); no != nil {
		return no
	}
	return unsorted(s)
}

// leadsToMap reports whether a value of a type can contain a map.
func leadsToMap(s *schema.Schema, t schema.Type, met map[string]bool) bool {
	switch {
	case t.Kind == schema.Map:
		return true
	case t.Elem != nil:
		return leadsToMap(s, *t.Elem, met)
	case t.Kind != schema.MessageKind || met[t.Ref]:
		return false
	}
	met[t.Ref] = true
	return slices.ContainsFunc(s.Message(t.Ref).Fields, func(f *schema.Field) bool { return leadsToMap(s, f.Type, met) })
}

// unescaped declares a variable of the generated package.
const unescaped = `
// configStd is sonic.ConfigStd without the escapes for HTML.
var configStd = sonic.Config{SortMapKeys: true, CompactMarshaler: true, CopyString: true, ValidateString: true}.Froze()
`

// native declares a function of the generated package.
const native = `
// native returns an error when the library is encoding/json in disguise.
func native() error {
	if sonic.APIKind != sonic.UseSonicJSON {
		return errors.New("sonic has no code of its own for " + runtime.GOARCH + " and " + runtime.Version() + " and would fall back to encoding/json")
	}
	return nil
}`
