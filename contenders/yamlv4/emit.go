package yamlv4

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{Unwrap: req.Schema, Spelled: emit.SpelledText(req.Schema), OmitZero: emit.ByPointer}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, emit.TagEmpty("yaml"), [2]string{})
	types.P(dump)
	types.Import("io", "go.yaml.in/yaml/v4")
	binder := &emit.Binder{
		Stream: &emit.Stream{
			Fields: "enc *yaml.Dumper\ndec *yaml.Loader",
			Create: "c.enc, err = yaml.NewDumper(c.w)", Write: "err = c.enc.Dump(in)", Close: "err = c.enc.Close()",
			Open: "c.dec, err = yaml.NewLoader(c.r)", Read: "v = new($T)\nerr = c.dec.Load(v)",
		},
		Imports: []string{"bytes", "go.yaml.in/yaml/v4"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = yaml.Dump(in[i])",
				Decode: "v = new($T)\nerr = yaml.Load(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer",
				Encode: "c.buf.Reset()\nerr = dump(&c.buf, in[i])\nout = c.buf.Bytes()",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// dump declares a function of the generated package.
const dump = `
// dump writes a document.
func dump(w io.Writer, v any) error {
	d, err := yaml.NewDumper(w)
	if err != nil {
		return err
	}
	if err := d.Dump(v); err != nil {
		return err
	}
	return d.Close()
}`
