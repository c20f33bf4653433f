package twmbavro

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/contender/emit/avsc"
	"assay/result"
)

const module = "github.com/twmb/avro"

func emitPackage(req contender.Request) (contender.Output, error) {
	style := avsc.Style()
	types := emit.NewSource(req.Package, "assay")
	types.Import(module)
	if err := avsc.Types(req, types, style, "avro.MustParse"); err != nil {
		return contender.Output{}, err
	}
	binder := &emit.Binder{
		Imports: []string{module},
		Usages: []emit.Usage{
			{
				Encode: "out, err = schema$R.Encode(in[i])",
				Decode: "v = new($T)\n_, err = schema$R.Decode(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Encode: "out, err = schema$R.AppendEncode(out[:0], in[i])",
			},
			{
				Mode:   "strings=alias",
				Only:   []result.Op{result.Decode, result.Scan},
				Decode: "v = new($T)\n_, err = schema$R.Decode(data, v, avro.AliasInput())",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}
