package shamatonmsgpack

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	// The library's omitempty omits zero values, and an empty list is not a zero value.
	style := &emit.Style{Unwrap: req.Schema}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, emit.TagEmpty("msgpack"), [2]string{})
	// Only byte slices share the memory of a message.
	data := "data"
	if req.Schema.Has(schema.Bytes) {
		data = "bytes.Clone(data)"
	}
	reads := []result.Op{result.Decode, result.Scan}
	binder := &emit.Binder{
		Imports: []string{"bytes", "github.com/shamaton/msgpack/v3"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = msgpack.Marshal(in[i])",
				Decode: "v = new($T)\nerr = msgpack.Unmarshal(" + data + ", v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer",
				Encode: "c.buf.Reset()\nerr = msgpack.MarshalWrite(&c.buf, in[i])\nout = c.buf.Bytes()",
			},
			{
				Mode:    "strings=alias",
				Refuses: emit.AliasesBytes,
				Only:    reads,
				Decode:  "v = new($T)\nerr = msgpack.Unmarshal(data, v)",
			},
			{
				Mode:   "layout=array",
				Only:   append([]result.Op{result.Encode}, reads...),
				Encode: "out, err = msgpack.MarshalAsArray(in[i])",
				Decode: "v = new($T)\nerr = msgpack.UnmarshalAsArray(" + data + ", v)",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}
