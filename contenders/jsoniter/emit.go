package jsoniter

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := emit.JSONStyle(req.Schema)
	style.OmitZero = emit.ByPointer
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, emit.TagEmpty("json"), [2]string{})
	types.P(emit.MessageReader)
	types.P(configs(req.Schema))
	emit.JSONMethods(types, style, "std.Marshal", "std.Unmarshal")
	types.Import("io")
	const library = "github.com/json-iterator/go"
	types.ImportAs("jsoniter", library)
	binder := &emit.Binder{
		Stream:  stream(),
		Imports: []string{"bytes"},
		Named:   map[string]string{library: "jsoniter"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = std.Marshal(in[i])",
				Decode: "v = new($T)\nerr = std.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "stream *jsoniter.Stream",
				Start:  "c.stream = jsoniter.NewStream(std, nil, 512)",
				Encode: "c.stream.Reset(nil)\nc.stream.WriteVal(in[i])\nout, err = c.stream.Buffer(), c.stream.Error",
			},
			{
				Mode:   "config=fastest",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Encode: "out, err = fastest.Marshal(in[i])",
				Decode: "v = new($T)\nerr = fastest.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse,config=fastest",
				Only:   []result.Op{result.Encode},
				Fields: "stream *jsoniter.Stream",
				Start:  "c.stream = jsoniter.NewStream(fastest, nil, 512)",
				Encode: "c.stream.Reset(nil)\nc.stream.WriteVal(in[i])\nout, err = c.stream.Buffer(), c.stream.Error",
			},
			{
				Mode:   "output=reuse,session=stream",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Fields: "buf bytes.Buffer\nenc *jsoniter.Encoder\nr messageReader\ndec *jsoniter.Decoder",
				Start:  "c.enc = std.NewEncoder(&c.buf)\nc.dec = std.NewDecoder(&c.r)",
				Encode: "c.buf.Reset()\nerr = c.enc.Encode(in[i])\nout = c.buf.Bytes()",
				Decode: "c.r.data = data\nv = new($T)\nerr = c.dec.Decode(v)",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// stream checks whether there is more input before each message, because Decode does not
// distinguish the end of the file from damage.
func stream() *emit.Stream {
	s := emit.Coders("*jsoniter.Encoder", "std.NewEncoder(c.w)", "*jsoniter.Decoder", "std.NewDecoder(c.r)")
	s.Read = "if !c.dec.More() {\nerr = io.EOF\n} else {\n" + s.Read + "\n}"
	return s
}

// configs returns the declarations of variables of the generated package.
func configs(s *schema.Schema) string {
	std := "std = jsoniter.ConfigCompatibleWithStandardLibrary"
	if s.Unescaped {
		std = "// std is jsoniter.ConfigCompatibleWithStandardLibrary without EscapeHTML.\n" +
			"std = jsoniter.Config{SortMapKeys: true, ValidateJsonRawMessage: true}.Froze()"
	}
	return `
var (
	` + std + `
	// fastest is jsoniter.ConfigFastest with floats that keep their value.
	fastest = jsoniter.Config{ObjectFieldMustBeSimpleString: true}.Froze()
)`
}
