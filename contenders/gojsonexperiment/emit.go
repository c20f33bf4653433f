package gojsonexperiment

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

const jsontext = "github.com/go-json-experiment/json/jsontext"

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, tag, [2]string{})
	types.P(emit.MessageReader)
	types.Import("io")
	// The package has no representation of durations of its own. The option
	// follows the default settings, which it is none of.
	options := ""
	if emit.Has(req.Schema, schema.Duration) {
		options = ", jsonv1.FormatDurationAsNano(true)"
	}
	binder := &emit.Binder{
		Imports: []string{"bytes", "github.com/go-json-experiment/json", jsontext},
		Named:   map[string]string{"github.com/go-json-experiment/json/v1": "jsonv1"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = json.Marshal(in[i]" + options + ")",
				Decode: "v = new($T)\nerr = json.Unmarshal(data, v" + options + ")",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer",
				Encode: "c.buf.Reset()\nerr = json.MarshalWrite(&c.buf, in[i]" + options + ")\nout = c.buf.Bytes()",
			},
			{
				Mode:   "order=sorted",
				Only:   []result.Op{result.Encode},
				Encode: "out, err = json.Marshal(in[i], json.Deterministic(true)" + options + ")",
			},
			{
				Mode:   "config=std",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Encode: "out, err = json.Marshal(in[i], jsonv1.DefaultOptionsV1())",
				Decode: "v = new($T)\nerr = json.Unmarshal(data, v, jsonv1.DefaultOptionsV1())",
			},
			{
				Mode:   "output=reuse,session=stream",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Fields: "buf bytes.Buffer\nenc *jsontext.Encoder\nr messageReader\ndec *jsontext.Decoder",
				Start:  "c.enc = jsontext.NewEncoder(&c.buf" + options + ")\nc.dec = jsontext.NewDecoder(&c.r" + options + ")",
				Encode: "c.buf.Reset()\nerr = json.MarshalEncode(c.enc, in[i])\nout = c.buf.Bytes()",
				Decode: "c.r.data = data\nv = new($T)\nerr = json.UnmarshalDecode(c.dec, v)",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// tag returns the tag of a field. In version 2, omitempty looks at the encoded
// value: it leaves out empty strings, objects and arrays, but neither false nor
// 0, and also a pointer to an empty string.
func tag(_ *schema.Message, f *schema.Field) string {
	name := f.TextName()
	if f.OmitEmpty {
		switch {
		case f.Type.Optional:
			name += ",omitzero"
		case f.Type.Kind == schema.String, f.Type.Kind == schema.Bytes, f.Type.Kind == schema.List, f.Type.Kind == schema.Map:
			name += ",omitempty"
		case f.Type.Kind != schema.MessageKind && f.Type.Kind != schema.Timestamp:
			name += ",omitzero"
		}
	}
	return `json:"` + name + `"`
}
