package yamlv3

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{Unwrap: req.Schema, Spelled: emit.SpelledText(req.Schema), OmitZero: emit.ByPointer}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, emit.TagEmpty("yaml"), [2]string{})
	binder := &emit.Binder{
		Stream: &emit.Stream{
			Fields: "enc *yaml.Encoder\ndec *yaml.Decoder",
			Create: "c.enc = yaml.NewEncoder(c.w)", Write: "err = c.enc.Encode(in)", Close: "err = c.enc.Close()",
			Open: "c.dec = yaml.NewDecoder(c.r)", Read: "v = new($T)\nerr = c.dec.Decode(v)",
		},
		Imports: []string{"bytes", "gopkg.in/yaml.v3"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = yaml.Marshal(in[i])",
				Decode: "v = new($T)\nerr = yaml.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer",
				Encode: "c.buf.Reset()\nerr = encode(&c.buf, in[i])\nout = c.buf.Bytes()",
			},
		},
	}
	types.P(encode)
	types.Import("io", "gopkg.in/yaml.v3")
	return emit.Package(req, types, style, binder)
}

// encode declares a function of the generated package. Close writes the data that the encoder
// still holds, and ends the encoder.
const encode = `
// encode writes a document.
func encode(w io.Writer, v any) error {
	e := yaml.NewEncoder(w)
	if err := e.Encode(v); err != nil {
		return err
	}
	return e.Close()
}`
