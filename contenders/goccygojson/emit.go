package goccygojson

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
	marshal, methods, start := "json.Marshal", "gojson.Marshal", ""
	if req.Schema.Unescaped {
		marshal, methods, start = "marshal", "marshal", "\nc.enc.SetEscapeHTML(false)"
		types.P(unescaped)
	}
	emit.JSONMethods(types, style, methods, "gojson.Unmarshal")
	types.ImportAs("gojson", "github.com/goccy/go-json")
	types.Import("io")
	binder := &emit.Binder{
		Stream:  emit.Coders("*json.Encoder", "json.NewEncoder(c.w)"+start, "*json.Decoder", "json.NewDecoder(c.r)"),
		Imports: []string{"bytes"},
		Named:   map[string]string{"github.com/goccy/go-json": "json"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = " + marshal + "(in[i])",
				Decode: "v = new($T)\nerr = json.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer\nenc *json.Encoder",
				Start:  "c.enc = json.NewEncoder(&c.buf)" + start,
				Encode: "c.buf.Reset()\nerr = c.enc.Encode(in[i])\nout = c.buf.Bytes()\nout = out[:max(len(out)-1, 0)]",
			},
			{
				Mode:    "strings=alias",
				Refuses: emit.AliasesStrings,
				Only:    []result.Op{result.Decode, result.Scan},
				Decode:  "v = new($T)\nerr = json.UnmarshalWithOption(data, v, json.DecodeNoCopyString())",
			},
			{
				Mode:   "config=fastest",
				Only:   []result.Op{result.Encode},
				Encode: "out, err = json.MarshalWithOption(in[i], json.UnorderedMap(), json.DisableHTMLEscape(), json.DisableNormalizeUTF8(), json.OptimizeFieldOrder())",
			},
			{
				Mode:   "output=reuse,config=fastest",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer\nenc *json.Encoder",
				Start:  "c.enc = json.NewEncoder(&c.buf)",
				Encode: "c.buf.Reset()\nerr = c.enc.EncodeWithOption(in[i], json.UnorderedMap(), json.DisableHTMLEscape(), json.DisableNormalizeUTF8(), json.OptimizeFieldOrder())\nout = c.buf.Bytes()\nout = out[:max(len(out)-1, 0)]",
			},
			{
				Mode:   "output=reuse,session=stream",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Fields: "buf bytes.Buffer\nenc *json.Encoder\nr messageReader\ndec *json.Decoder",
				Start:  "c.enc = json.NewEncoder(&c.buf)\nc.dec = json.NewDecoder(&c.r)" + start,
				Encode: "c.buf.Reset()\nerr = c.enc.Encode(in[i])\nout = c.buf.Bytes()",
				Decode: "c.r.data = data\nv = new($T)\nerr = c.dec.Decode(v)",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// unescaped declares a function of the generated package.
const unescaped = `
// marshal is the library's Marshal without escapes for HTML.
func marshal(v any) ([]byte, error) {
	return gojson.MarshalWithOption(v, gojson.DisableHTMLEscape())
}
`
