package hambaavro

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/contender/emit/avsc"
	"assay/result"
	"assay/schema"
)

const module = "github.com/hamba/avro/v2"

func emitPackage(req contender.Request) (contender.Output, error) {
	for _, root := range req.Schema.Roots {
		if empty(req.Schema, req.Schema.Message(root)) {
			return contender.Output{}, &contender.Unsupported{
				Field: root, Reason: "Avro writes no bytes for it, and hamba/avro takes a stream without bytes to have ended",
			}
		}
	}
	style := avsc.Style(req.Schema)
	types := emit.NewSource(req.Package, "assay")
	types.Import(module, "io")
	if err := avsc.Types(req, types, style, "parse"); err != nil {
		return contender.Output{}, err
	}
	types.P(api)
	for _, root := range req.Schema.Roots {
		expr := "v"
		if req.Schema.Message(root).Bare {
			expr = "*v" // the library refuses pointers to lists and maps
		}
		types.P("func value%s(v *%s) any { return %s }\n", root, root, expr)
	}
	types.P(emit.MessageReader)
	binder := &emit.Binder{
		Imports: []string{"bytes", module},
		Usages: []emit.Usage{
			{
				Encode: "out, err = api.Marshal(schema$R, value$R(in[i]))",
				Decode: "v = new($T)\nerr = api.Unmarshal(schema$R, data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "w *avro.Writer",
				Start:  "c.w = avro.NewWriter(nil, 512, avro.WithWriterConfig(api))",
				Encode: "c.w.Reset(nil)\nc.w.WriteVal(schema$R, value$R(in[i]))\nout, err = c.w.Buffer(), c.w.Error",
			},
			{
				Mode:   "output=reuse,session=stream",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Fields: "buf bytes.Buffer\nenc *avro.Encoder\nr messageReader\ndec *avro.Decoder",
				Start:  "c.enc = api.NewEncoder(schema$R, &c.buf)\nc.dec = api.NewDecoder(schema$R, &c.r)",
				Encode: "c.buf.Reset()\nerr = c.enc.Encode(value$R(in[i]))\nout = c.buf.Bytes()",
				Decode: "c.r.data = data\nv = new($T)\nerr = c.dec.Decode(v)",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// api declares the variable and the function with which the generated package calls the
// library.
const api = `
// api refuses lists of more than 1<<21 elements and strings of more than
// 256 MiB: a few bytes of damaged input could ask for as much memory as there
// is.
var api = avro.Config{MaxSliceAllocSize: 1 << 21, MaxByteSliceSize: 1 << 28}.Freeze()

// parse returns a schema whose names are its own: the library would remember
// them for the next.
func parse(text string) avro.Schema {
	s, err := avro.ParseWithCache(text, "", &avro.SchemaCache{})
	if err != nil {
		panic(err)
	}
	return s
}`

// empty reports whether a message has no fields, apart from required messages that are empty
// themselves.
func empty(s *schema.Schema, m *schema.Message) bool {
	for _, f := range m.Fields {
		if f.Type.Kind != schema.MessageKind || f.Type.Optional || !empty(s, s.Message(f.Type.Ref)) {
			return false
		}
	}
	return true
}
