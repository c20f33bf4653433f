package bson

import (
	"strings"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{
		Wrapped:  true,
		Unwrap:   req.Schema,
		OmitZero: emit.ByPointer,
		Leaf: map[schema.Kind]emit.Leaf{
			schema.Uint64: {Go: "int64", From: "int64(%)", To: "uint64(%)"},
		},
	}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, tag, [2]string{})
	const (
		encoder = "buf bytes.Buffer\nenc *bson.Encoder"
		start   = "c.enc = bson.NewEncoder(bson.NewDocumentWriter(&c.buf))"
		encode  = "c.buf.Reset()\nerr = c.enc.Encode(in[i])\nout = c.buf.Bytes()"
	)
	binder := &emit.Binder{
		Stream:  emit.Coders("*bson.Encoder", "bson.NewEncoder(bson.NewDocumentWriter(c.w))", "*bson.Decoder", "bson.NewDecoder(bson.NewDocumentReader(c.r))"),
		Imports: []string{"bytes", "go.mongodb.org/mongo-driver/v2/bson"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = bson.Marshal(in[i])",
				Decode: "v = new($T)\nerr = bson.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: encoder,
				Start:  start,
				Encode: encode,
			},
			{
				Mode:   "output=reuse,ints=compact",
				Only:   []result.Op{result.Encode},
				Fields: encoder,
				Start:  start + "\nc.enc.IntMinSize()",
				Encode: encode,
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// tag returns the tag of a field. The library writes floats with 64 bits, and reads a NaN into
// a float32 only with the option truncate, which permits a loss of precision. None occurs.
func tag(m *schema.Message, f *schema.Field) string {
	t := emit.TagEmpty("bson")(m, f)
	if f.Type.Kind == schema.Float32 || f.Type.Elem != nil && f.Type.Elem.Kind == schema.Float32 {
		t = strings.TrimSuffix(t, `"`) + `,truncate"`
	}
	return t
}
