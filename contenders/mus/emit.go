package mus

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, untagged, [2]string{})
	sers := emit.NewSource(req.Package, "assay")
	writeSerializers(sers, req.Schema)
	data, err := sers.Bytes()
	if err != nil {
		return contender.Output{}, err
	}
	binder := &emit.Binder{
		Usages: []emit.Usage{
			{
				Encode: "out = make([]byte, ser$R{}.Size(*in[i]))\nser$R{}.Marshal(*in[i], out)",
				Decode: "v = new($T)\n*v, _, err = ser$R{}.Unmarshal(data)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Encode: "if size := (ser$R{}).Size(*in[i]); size > cap(out) {\nout = make([]byte, size)\n} else {\nout = out[:size]\n}\nser$R{}.Marshal(*in[i], out)",
			},
			{
				Mode:    "strings=alias",
				Refuses: emit.AliasesBoth,
				Only:    []result.Op{result.Decode, result.Scan},
				Decode:  "v = new($T)\n*v, _, err = alias$R{}.Unmarshal(data)",
			},
			{
				Mode:   "ints=fixed,strings=alias",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Encode: "out = make([]byte, fixed$R{}.Size(*in[i]))\nfixed$R{}.Marshal(*in[i], out)",
				Decode: "v = new($T)\n*v, _, err = fixed$R{}.Unmarshal(data)",
			},
		},
	}
	output, err := emit.Package(req, types, style, binder)
	output.Files = append(output.Files, contender.File{Name: "serializers.go", Data: data})
	return output, err
}
