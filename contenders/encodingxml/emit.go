package encodingxml

import (
	"encoding/xml"
	"slices"
	"strings"
	"unicode"

	"assay/contender"
	"assay/contender/emit"
	"assay/result"
	"assay/schema"
)

func emitPackage(req contender.Request) (contender.Output, error) {
	style := &emit.Style{
		Wrapped: true,
		Entries: req.Schema,
		Spelled: emit.SpelledText(req.Schema),
		Leaf: map[schema.Kind]emit.Leaf{
			schema.Bytes: {Go: "base64Bytes", From: "base64Bytes(%)", To: "[]byte(%)", Sum: "workload.LeafText(%)"},
		},
	}
	types := emit.NewSource(req.Package, "assay")
	types.Import("encoding/base64")
	style.Types(types, req.Schema, tag, [2]string{`xml:"key"`, `xml:"value"`})
	types.P(base64Bytes)
	binder := &emit.Binder{
		Stream:  emit.Coders("*xml.Encoder", "xml.NewEncoder(c.w)", "*xml.Decoder", "xml.NewDecoder(c.r)"),
		Imports: []string{"bytes", "encoding/xml"},
		Usages: []emit.Usage{
			{
				Encode: "out, err = xml.Marshal(in[i])",
				Decode: "v = new($T)\nerr = xml.Unmarshal(data, v)",
			},
			{
				Mode:   "output=reuse",
				Only:   []result.Op{result.Encode},
				Fields: "buf bytes.Buffer\nenc *xml.Encoder",
				Start:  "c.enc = xml.NewEncoder(&c.buf)",
				Encode: "c.buf.Reset()\nerr = c.enc.Encode(in[i])\nout = c.buf.Bytes()",
			},
		},
	}
	return emit.Package(req, types, style, binder)
}

// tag returns the tag of a field. A list never has omitempty: encoding/xml would
// leave out its zero elements one by one. Without elements it writes nothing
// anyway. The fields of a message of which one has a text that no element can be
// called, as keys of JSON may have, are called by their names.
func tag(m *schema.Message, f *schema.Field) string {
	name := f.TextName()
	if slices.ContainsFunc(m.Fields, func(f *schema.Field) bool { return !isName(f.TextName()) }) {
		name = f.Name
	}
	if f.OmitEmpty && f.Type.Kind != schema.List && f.Type.Kind != schema.Map {
		name += ",omitempty"
	}
	return `xml:"` + name + `"`
}

// isName says whether an element can be called so, by a tag. It refuses some that
// could be, such as those with a namespace.
func isName(text string) bool {
	for i, r := range text {
		if !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r) && r != '-' && r != '.') {
			return false
		}
	}
	if text == "" || text == "-" {
		return false
	}
	// XML has fewer letters than Unicode, and the library writes what it does not
	// read.
	_, err := xml.NewDecoder(strings.NewReader("<" + text + "/>")).RawToken()
	return err == nil
}

// base64Bytes is a type of the generated package.
const base64Bytes = `
// base64Bytes is a byte string that is written as base64.
type base64Bytes []byte

func (b base64Bytes) MarshalText() ([]byte, error) {
	return base64.StdEncoding.AppendEncode(nil, b), nil
}

func (b *base64Bytes) UnmarshalText(text []byte) error {
	out, err := base64.StdEncoding.AppendDecode(nil, text)
	*b = out
	return err
}`
