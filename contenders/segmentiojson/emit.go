package segmentiojson

import (
	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	if field := emit.Endless(req.Schema); field != "" {
		// While it prepares for a type, the library recognises only structs that it has already
		// met.
		return contender.Output{}, &contender.Unsupported{
			Field: field, Reason: "segmentio/json cannot hold a list or map that contains itself: it overflows the stack as it prepares for the type",
		}
	}
	style := emit.JSONStyle(req.Schema)
	style.OmitZero = emit.ByPointer
	style.Leaf = map[schema.Kind]emit.Leaf{
		schema.Duration: {Go: "int64", From: "int64(%)", To: "time.Duration(%)"},
	}
	types := emit.NewSource(req.Package, "assay")
	style.Types(types, req.Schema, emit.TagEmpty("json"), [2]string{})
	types.P(emit.MessageReader)
	types.P(whole)
	types.P(buffers)
	marshal, methods, start, flags := "json.Marshal", "segmentio.Marshal", "", "json.EscapeHTML|json.SortMapKeys"
	if req.Schema.Unescaped {
		marshal, methods, start, flags = "marshal", "marshal", "\nc.enc.SetEscapeHTML(false)", "json.SortMapKeys"
		types.P(pooled("marshal", "json.Marshal without escapes for HTML", "SortMapKeys"))
	}
	types.P(pooled("fastest", "json.Marshal with only the flag TrustRawMessage", "TrustRawMessage"))
	emit.JSONMethods(types, style, methods, "segmentio.Unmarshal")
	types.ImportAs("segmentio", "github.com/segmentio/encoding/json")
	types.Import("fmt", "io", "sync")
	binder := &emit.Binder{
		Stream:  emit.Coders("*json.Encoder", "json.NewEncoder(c.w)\nc.enc.SetAppendNewline(false)"+start, "*json.Decoder", "json.NewDecoder(c.r)"),
		Imports: []string{"bytes", "github.com/segmentio/encoding/json"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = " + marshal + "(in[i])",
				Decode: "v = new($T)\nerr = json.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Encode: "out, err = json.Append(out[:0], in[i], " + flags + ")",
			},
			{
				Mode:    "strings=alias",
				Refuses: emit.AliasesStrings,
				Only:    []result.Op{result.Decode, result.Scan},
				Decode:  "v = new($T)\nerr = whole(json.Parse(data, v, json.ZeroCopy))",
			},
			{
				Mode:   "config=fastest",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Encode: "out, err = fastest(in[i])",
				Decode: "v = new($T)\nerr = whole(json.Parse(data, v, json.DontMatchCaseInsensitiveStructFields))",
			},
			{
				Mode:   "output=reuse,strings=alias,config=fastest",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Encode: "out, err = json.Append(out[:0], in[i], json.TrustRawMessage)",
				Decode: "v = new($T)\nerr = whole(json.Parse(data, v, json.ZeroCopy|json.DontMatchCaseInsensitiveStructFields))",
			},
			{
				Mode:   "output=reuse,session=stream",
				Only:   []result.Op{result.Encode, result.Decode, result.Scan},
				Fields: "buf bytes.Buffer\nenc *json.Encoder\nr messageReader\ndec *json.Decoder",
				Start:  "c.enc = json.NewEncoder(&c.buf)\nc.dec = json.NewDecoder(&c.r)" + start,
				Encode: "c.buf.Reset()\nerr = c.enc.Encode(in[i])\nout = c.buf.Bytes()",
				Decode: "c.r.data = data\nv = new($T)\nerr = c.dec.Decode(v)",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// whole declares a function of the generated package.
const whole = `
// whole is the end of json.Unmarshal: what follows the value is an error.
func whole(rest []byte, err error) error {
	if err == nil && len(rest) > 0 {
		return fmt.Errorf("%d bytes follow the value", len(rest))
	}
	return err
}`

// buffers declares a variable of the generated package.
const buffers = `
// buffers is a pool like json.Marshal's own, which is not exported.
var buffers = sync.Pool{New: func() any {
	b := make([]byte, 0, 4096)
	return &b
}}`

// pooled returns a function of the generated package. Is says which call of the library it stands
// for, and flag is the only flag of Append.
func pooled(name, is, flag string) string {
	return `
// ` + name + ` is ` + is + `: Append to a buffer of a pool, then a copy.
// Append to no slice would grow one.
func ` + name + `(v any) ([]byte, error) {
	p := buffers.Get().(*[]byte)
	b, err := segmentio.Append((*p)[:0], v, segmentio.` + flag + `)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(b))
	copy(out, b)
	*p = b
	buffers.Put(p)
	return out, nil
}
`
}
