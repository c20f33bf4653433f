package gotoml

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{
		Wrapped: true,
		Spelled: emit.SpelledText(req.Schema),
		Leaf: map[schema.Kind]emit.Leaf{
			schema.Uint64: {Go: "int64", From: "int64(%)", To: "uint64(%)"},
		},
	}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, emit.Tag("toml"), [2]string{})
	binder := &emit.Binder{
		Imports: []string{"bytes"},
		Named:   map[string]string{"github.com/pelletier/go-toml/v2": "toml"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = toml.Marshal(in[i])",
				Decode: "v = new($T)\nerr = toml.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer\nenc *toml.Encoder",
				Start:  "c.enc = toml.NewEncoder(&c.buf)",
				Encode: "c.buf.Reset()\nerr = c.enc.Encode(in[i])\nout = c.buf.Bytes()",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}
