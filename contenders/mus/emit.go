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
				Encode: reusing("ser"),
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
				Decode: fixedDecode,
			},
			{
				// It decodes too, because the default mode cannot read what it writes.
				Mode:   "output=reuse,ints=fixed,strings=alias",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Encode: reusing("fixed"),
				Decode: fixedDecode,
			},
		},
	}
	output, err := emit.Package(req, types, style, binder)
	output.Files = append(output.Files, contender.File{Name: "serializers.go", Data: data})
	return output, err
}

// fixedDecode are the statements that decode in modes with ints=fixed.
const fixedDecode = "v = new($T)\n*v, _, err = fixed$R{}.Unmarshal(data)"

// reusing returns the statements that encode into a reused slice. Prefix is that of the flavour.
func reusing(prefix string) string {
	return "if size := (" + prefix + "$R{}).Size(*in[i]); size > cap(out) {\nout = make([]byte, size)\n} else {\nout = out[:size]\n}\n" + prefix + "$R{}.Marshal(*in[i], out)"
}
