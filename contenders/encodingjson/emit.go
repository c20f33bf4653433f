package encodingjson

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := emit.JSONStyle(req.Schema)
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, emit.Tag("json"), [2]string{})
	types.P(emit.MessageReader)
	marshal, start := "json.Marshal", ""
	if req.Schema.Unescaped {
		marshal, start = "marshal", "\nc.enc.SetEscapeHTML(false)"
		types.Import("bytes")
		types.P(unescaped)
	}
	emit.JSONMethods(types, style, marshal, "json.Unmarshal")
	types.Import("io")
	byDefault := emit.Usage{
		Encode: "out, err = " + marshal + "(in[i])",
		Decode: "v = new($T)\nerr = json.Unmarshal(data, v)",
	}
	binder := &emit.Binder{
		Stream:  emit.Coders("*json.Encoder", "json.NewEncoder(c.w)"+start, "*json.Decoder", "json.NewDecoder(c.r)"),
		Imports: []string{"bytes", "encoding/json"},
		Usages: []emit.Usage{
			byDefault,
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer\nenc *json.Encoder",
				Start:  "c.enc = json.NewEncoder(&c.buf)" + start,
				Encode: "c.buf.Reset()\nif err = c.enc.Encode(in[i]); err == nil {\nout = c.buf.Bytes()\nout = out[:len(out)-1] // without the newline\n}",
			},
			{
				Mode:   "output=reuse,session=stream",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Fields: "buf bytes.Buffer\nenc *json.Encoder\nr messageReader\ndec *json.Decoder",
				Start:  "c.enc = json.NewEncoder(&c.buf)\nc.dec = json.NewDecoder(&c.r)" + start,
				Encode: "c.buf.Reset()\nerr = c.enc.Encode(in[i])\nout = c.buf.Bytes()",
				Decode: "c.r.data = data\nv = new($T)\nerr = c.dec.Decode(v)",
			},
			emit.Program(byDefault),
		},
	}
	return emit.Package(req, types, style, binder)
}

// unescaped declares a function of the generated package.
const unescaped = `
// marshal is json.Marshal without escapes for HTML, which takes an Encoder.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return buf.Bytes()[:buf.Len()-1], nil // without the newline
}
`
