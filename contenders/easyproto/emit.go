package easyproto

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
)

const library = "github.com/VictoriaMetrics/easyproto"

func emitPackage(req contender.Request) (contender.Output, error) {
	reads := []result.Op{result.Decode, result.Scan}
	const encode = "m := marshalers.Get()\nmarshal$R(m.MessageMarshaler(), "
	binder := &emit.Binder{
		Stream: emit.Delimited(encode+"in)\nc.buf = m.Marshal(c.buf[:0])\nmarshalers.Put(m)", "err = unmarshal$R(v, data)"),
		Direct: true,
		Usages: []emit.Usage{
			{
				Encode: encode + "in[i])\nout = m.Marshal(nil)\nmarshalers.Put(m)",
				Decode: "v = new($M)\nerr = unmarshal$R(v, data)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Encode: encode + "in[i])\nout = m.Marshal(out[:0])\nmarshalers.Put(m)",
			},
			{
				Mode:   "target=reuse",
				Only:   reads,
				Start:  "c.v = new($M)",
				Decode: "err = unmarshal$R(v, data)",
			},
			{
				Mode:    "strings=alias",
				Refuses: emit.AliasesBoth,
				Only:    reads,
				Decode:  "v = new($M)\nerr = alias$R(v, data)",
			},
			{
				Mode:    "target=reuse,strings=alias",
				Refuses: emit.AliasesBoth,
				Only:    reads,
				Start:   "c.v = new($M)",
				Decode:  "err = alias$R(v, data)",
			},
		},
	}
	bind, err := binder.Write(req)
	if err != nil {
		return contender.Output{}, err
	}
	files := []contender.File{bind}
	for _, part := range []struct {
		name  string
		write func(*emit.Source)
	}{
		{"marshal.go", func(out *emit.Source) { writeMarshal(out, req.Schema) }},
		{"unmarshal.go", func(out *emit.Source) { reader{out, req.Schema, "unmarshal", false}.write() }},
		{"alias.go", func(out *emit.Source) { reader{out, req.Schema, "alias", true}.write() }},
	} {
		out := emit.NewSource(req.Package, "assay")
		out.ImportAs("model", req.Model)
		out.Import(library, "bytes", "fmt", "math", "strings", "time")
		part.write(out)
		data, err := out.Bytes()
		if err != nil {
			return contender.Output{}, err
		}
		files = append(files, contender.File{Name: part.name, Data: data})
	}
	return contender.Output{Files: files}, nil
}
