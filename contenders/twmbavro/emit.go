package twmbavro

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/contender/emit/avsc"
	"assay/result"
)

const module = "github.com/twmb/avro"

func emitPackage(req contender.Request) (contender.Output, error) {
	style := avsc.Style(req.Schema)
	types := emit.NewSource(req.Package, "assay")
	types.Import(module)
	if err := avsc.Types(req, types, style, "avro.MustParse"); err != nil {
		return contender.Output{}, err
	}
	binder := &emit.Binder{
		Stream: &emit.Stream{
			Fields: "enc *ocf.Writer\ndec *ocf.Reader",
			Create: "c.enc, err = ocf.NewWriter(c.w, schema$R)",
			Write:  "err = c.enc.Encode(in)",
			Close:  "err = c.enc.Close()",
			// The default limit of a block is 64 MiB.
			Open:    "c.dec, err = ocf.NewReader(c.r, ocf.WithMaxBlockBytes(math.MaxInt32))",
			Read:    "v = new($T)\nerr = c.dec.Decode(v)",
			Imports: []string{"math", module + "/ocf"},
		},
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
				Mode:    "strings=alias",
				Refuses: emit.AliasesBoth,
				Only:    []result.Op{result.Decode, result.Scan},
				Decode:  "v = new($T)\n_, err = schema$R.Decode(data, v, avro.AliasInput())",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}
