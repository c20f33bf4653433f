package vmihailencomsgpack

import (
	"fmt"
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	for _, m := range req.Schema.Messages {
		for _, f := range m.Fields {
			if text := f.TextName(); strings.TrimSpace(text) != text {
				return contender.Output{}, &contender.Unsupported{Field: m.Name + "." + f.Name,
					Reason: fmt.Sprintf("the library's tags cannot name the key %q, whose spaces at the ends they leave out", text)}
			}
		}
	}
	style := &emit.Style{Unwrap: req.Schema, OmitZero: emit.ByPointer}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, tag, [2]string{})
	binder := &emit.Binder{
		Stream:  emit.Coders("*msgpack.Encoder", "msgpack.NewEncoder(c.w)", "*msgpack.Decoder", "msgpack.NewDecoder(c.r)"),
		Imports: []string{"bytes", "github.com/vmihailenco/msgpack/v5"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = msgpack.Marshal(in[i])",
				Decode: "v = new($T)\nerr = msgpack.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer",
				Encode: "c.buf.Reset()\nenc := msgpack.GetEncoder()\nenc.Reset(&c.buf)\nerr = enc.Encode(in[i])\nmsgpack.PutEncoder(enc)\nout = c.buf.Bytes()",
			},
			{
				Mode:   "ints=compact",
				Only:   []result.Op{result.Encode},
				Encode: "var buf bytes.Buffer\nenc := msgpack.GetEncoder()\nenc.Reset(&buf)\nenc.UseCompactInts(true)\nerr = enc.Encode(in[i])\nmsgpack.PutEncoder(enc)\nout = buf.Bytes()",
			},
			{
				Mode:   "layout=array",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Encode: "var buf bytes.Buffer\nenc := msgpack.GetEncoder()\nenc.Reset(&buf)\nenc.UseArrayEncodedStructs(true)\nerr = enc.Encode(in[i])\nmsgpack.PutEncoder(enc)\nout = buf.Bytes()",
				Decode: "v = new($T)\nerr = msgpack.Unmarshal(data, v)",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// tag returns the tag of a field. The library's tags have their own syntax: a name that
// contains a colon or a quotation mark must be quoted.
func tag(m *schema.Message, f *schema.Field) string {
	text := f.TextName()
	if !strings.ContainsAny(text, ":'") {
		return emit.TagEmpty("msgpack")(m, f)
	}
	quoted := *f
	quoted.Text = "'" + strings.ReplaceAll(text, "'", `\\'`) + "'"
	return emit.TagEmpty("msgpack")(m, &quoted)
}
