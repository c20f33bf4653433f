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
	if err := held(req.Schema); err != nil {
		return contender.Output{}, err
	}
	style := &emit.Style{
		Wrapped:       true,
		Entries:       req.Schema,
		SortedEntries: true,
		Spelled:       emit.SpelledText(req.Schema),
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

// held returns nil if structs can hold the schema. The library takes a field XMLName for the name of
// the struct's element and writes no value of it.
func held(s *schema.Schema) error {
	for _, m := range s.Messages {
		for _, f := range m.Fields {
			if schema.GoName(f.Name) == "XMLName" {
				return &contender.Unsupported{Field: m.Name + "." + f.Name, Reason: "encoding/xml takes the field of a struct that is called XMLName for the name of its element"}
			}
		}
	}
	return nil
}

// tag returns the tag of a field. A list never has omitempty, because encoding/xml would omit
// its zero elements one by one. A list without elements writes nothing anyway. If a field of
// the message has a text name that cannot be an element's name, as JSON keys may, all fields of
// the message use their schema names.
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

// isName says whether a tag can give an element that name. It refuses some valid names, such as
// those with a namespace.
func isName(text string) bool {
	for i, r := range text {
		if !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r) && r != '-' && r != '.') {
			return false
		}
	}
	if text == "" || text == "-" {
		return false
	}
	// XML allows fewer letters than Unicode has, and the library writes names that it cannot
	// read.
	_, err := xml.NewDecoder(strings.NewReader("<" + text + "/>")).RawToken()
	return err == nil
}

// base64Bytes declares a type of the generated package.
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
