package goccygoyaml

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{Unwrap: req.Schema, Spelled: emit.SpelledText(req.Schema)}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, emit.Tag("yaml"), [2]string{})
	binder := &emit.Binder{
		Imports: []string{"bytes"},
		Named:   map[string]string{"github.com/goccy/go-yaml": "yaml"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = yaml.Marshal(in[i])",
				Decode: "v = new($T)\nerr = yaml.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer",
				Encode: "c.buf.Reset()\nerr = yaml.NewEncoder(&c.buf).Encode(in[i])\nout = c.buf.Bytes()",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}
