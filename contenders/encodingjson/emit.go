package encodingjson

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, tag, [2]string{})
	binder := &emit.Binder{
		Imports: []string{"bytes", "encoding/json"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = json.Marshal(in[i])",
				Decode: "v = new($T)\nerr = json.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer\nenc *json.Encoder",
				Start:  "c.enc = json.NewEncoder(&c.buf)",
				Encode: "c.buf.Reset()\nerr = c.enc.Encode(in[i])\nout = c.buf.Bytes()\nout = out[:len(out)-1]",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

func tag(_ *schema.Message, f *schema.Field) string {
	name := f.TextName()
	if f.OmitEmpty {
		name += ",omitempty"
	}
	return `json:"` + name + `"`
}
