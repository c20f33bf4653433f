package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/schema"
)

// Spelled says how a library holds values that a JSON sample spells in another way than their
// kind says (schema.Field.As): by named types whose methods write and read the text.
// Style.Types declares the types.
type Spelled struct {
	schema *schema.Schema
	// numbers says that times spelled as numbers have their own type, with the methods of
	// encoding/json. Otherwise they are held as int64.
	numbers bool
}

// SpelledJSON returns a Spelled for libraries that use json.Marshaler and
// encoding.TextMarshaler.
func SpelledJSON(s *schema.Schema) *Spelled { return &Spelled{s, true} }

// SpelledText returns a Spelled for libraries that use only encoding.TextMarshaler.
func SpelledText(s *schema.Schema) *Spelled { return &Spelled{s, false} }

// IsSpelled reports whether Spelled holds a type that TypeOf returned, and whether the methods
// of the Go type are those of encoding.TextMarshaler rather than json.Marshaler.
func (st *Style) IsSpelled(t schema.Type) (spelled, text bool) {
	if st.Spelled == nil || t.Ref == "" || !slices.Contains(spelledKinds, t.Kind) {
		return false, false
	}
	return true, !schema.Spelling(t.Ref).Number()
}

var spelledKinds = []schema.Kind{schema.Bytes, schema.Timestamp, schema.Int64}

// typeOf returns the type of a field whose values have a spelling, with the spelling as the Ref
// of the leaf.
func (sp *Spelled) typeOf(f *schema.Field) schema.Type {
	t := f.Type
	if t.Elem != nil {
		elem := *t.Elem
		elem.Ref = string(f.As)
		t.Elem = &elem
	} else {
		t.Ref = string(f.As)
	}
	return t
}

// spelledNames are the names of the Go types.
var spelledNames = map[schema.Spelling]string{
	schema.AsUUID: "UUID", schema.AsUpperUUID: "UpperUUID", schema.AsHex: "Hex", schema.AsUpperHex: "UpperHex",
	schema.AsPrefixed: "PrefixedHex", schema.AsUpperPref: "PrefixedUpperHex",
	schema.AsDate: "Date", schema.AsLocal: "LocalTime", schema.AsLocalSpace: "SpacedTime",
	schema.AsUnix: "UnixTime", schema.AsUnixMilli: "UnixMilli", schema.AsUnixMicro: "UnixMicro", schema.AsUnixNano: "UnixNano",
	schema.AsDecimal: "Decimal",
}

// name returns the name of a spelling's type. No message or enum has the name.
func (sp *Spelled) name(as schema.Spelling) string {
	name := spelledNames[as.Base()]
	if as != as.Base() {
		name += strconv.Itoa(as.Digits())
	}
	return FreeName(sp.schema, name)
}

// unixCalls convert a time to a number and back.
var unixCalls = map[schema.Spelling][2]string{
	schema.AsUnix:      {"%.Unix()", "time.Unix(%, 0).UTC()"},
	schema.AsUnixMilli: {"%.UnixMilli()", "time.UnixMilli(%).UTC()"},
	schema.AsUnixMicro: {"%.UnixMicro()", "time.UnixMicro(%).UTC()"},
	schema.AsUnixNano:  {"%.UnixNano()", "time.Unix(0, %).UTC()"},
}

// leaf says how values of a spelling are held.
func (sp *Spelled) leaf(as schema.Spelling) Leaf {
	name := sp.name(as)
	switch as.Kind() {
	case schema.Bytes:
		if as == schema.AsUUID || as == schema.AsUpperUUID {
			return Leaf{Go: name, From: "new" + name + "(%)", To: "%[:]"}
		}
		return Leaf{Go: name, From: name + "(%)", To: "[]byte(%)"}
	case schema.Int64:
		return Leaf{Go: name, From: name + "(%)", To: "int64(%)"}
	}
	if call := unixCalls[as]; as.Number() && !sp.numbers {
		return Leaf{Go: "int64", From: strings.Replace(call[0], "%", "(%)", 1), To: call[1]}
	}
	return Leaf{Go: name, From: name + "(%)", To: "time.Time(%)"}
}

// types writes the types of all spellings of the schema, in the order of schema.Spellings.
func (sp *Spelled) types(out *Source) {
	var all []schema.Spelling
	for _, m := range sp.schema.Messages {
		for _, f := range m.Fields {
			if f.As != "" && !slices.Contains(all, f.As) && (sp.numbers || !f.As.Number()) {
				all = append(all, f.As)
			}
		}
	}
	slices.SortFunc(all, func(a, b schema.Spelling) int {
		at := func(s schema.Spelling) int { return slices.Index(schema.Spellings, s.Base())*100 + s.Digits() }
		return at(a) - at(b)
	})
	if len(all) > 0 {
		out.Import("bytes", "encoding/hex", "fmt", "slices", "strconv", "time")
	}
	for _, as := range all {
		sp.declare(out, as)
	}
}

// declare writes the type of a spelling with its methods.
func (sp *Spelled) declare(out *Source, as schema.Spelling) {
	name := sp.name(as)
	holds, write, read := "time.Time", "", ""
	switch as.Base() {
	case schema.AsUUID, schema.AsUpperUUID:
		sp.uuid(out, as, name)
		return
	case schema.AsHex, schema.AsUpperHex, schema.AsPrefixed, schema.AsUpperPref:
		holds = "[]byte"
		write, read = hexMethods(as)
	case schema.AsDecimal:
		holds = "int64"
		write, read = decimalMethods(as.Digits(), name)
	case schema.AsUnix, schema.AsUnixMilli, schema.AsUnixMicro, schema.AsUnixNano:
		call := unixCalls[as]
		sp.doc(out, as, name)
		out.P("type %s time.Time\n", name)
		out.P("// MarshalJSON returns the number.\nfunc (v %s) MarshalJSON() ([]byte, error) {\nreturn strconv.AppendInt(nil, %s, 10), nil\n}\n", name, fill(call[0], "time.Time(v)"))
		out.P("// UnmarshalJSON reads what MarshalJSON writes.\nfunc (v *%s) UnmarshalJSON(data []byte) error {\nif string(data) == \"null\" {\nreturn nil\n}", name)
		out.P("n, err := strconv.ParseInt(string(data), 10, 64)\n*v = %s(%s)\nreturn err\n}\n", name, fill(call[1], "n"))
		return
	default:
		write = fmt.Sprintf("return time.Time(v).AppendFormat(nil, %q), nil", as.Layout())
		read = fmt.Sprintf("t, err := time.Parse(%q, string(text))\n*v = %s(t)\nreturn err", as.Layout(), name)
	}
	sp.doc(out, as, name)
	out.P("type %s %s\n", name, holds)
	out.P("// MarshalText returns the text.\nfunc (v %s) MarshalText() ([]byte, error) {\n%s\n}\n", name, write)
	out.P("// UnmarshalText reads what MarshalText writes.\nfunc (v *%s) UnmarshalText(text []byte) error {\n%s\n}\n", name, read)
	if holds == "time.Time" && !sp.numbers {
		// YAML libraries omit a struct whose exported fields are all zero, and this struct has
		// none.
		out.P("// IsZero reports whether the time is the zero one.\nfunc (v %s) IsZero() bool { return time.Time(v).IsZero() }\n", name)
	}
}

func (sp *Spelled) doc(out *Source, as schema.Spelling, name string) {
	out.P("// %s is %s.", name, as.Text())
}

func (sp *Spelled) uuid(out *Source, as schema.Spelling, name string) {
	sp.doc(out, as, name)
	text := "text"
	if as.Upper() {
		text = "bytes.ToUpper(text)"
	}
	out.P("type %s [16]byte\n\nfunc new%s(b []byte) (v %s) {\ncopy(v[:], b)\nreturn v\n}\n", name, name, name)
	out.P("// MarshalText returns the text.\nfunc (v %s) MarshalText() ([]byte, error) {\ntext := make([]byte, 36)", name)
	out.P("hex.Encode(text, v[:4])\nhex.Encode(text[9:], v[4:6])\nhex.Encode(text[14:], v[6:8])\nhex.Encode(text[19:], v[8:10])\nhex.Encode(text[24:], v[10:])")
	out.P("text[8], text[13], text[18], text[23] = '-', '-', '-', '-'\nreturn %s, nil\n}\n", text)
	out.P("// UnmarshalText reads what MarshalText writes.\nfunc (v *%s) UnmarshalText(text []byte) error {", name)
	out.P("if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {\nreturn fmt.Errorf(\"%q is no UUID\", text)\n}")
	out.P("var digits [32]byte\ncopy(digits[:8], text[:8])\ncopy(digits[8:12], text[9:13])\ncopy(digits[12:16], text[14:18])\ncopy(digits[16:20], text[19:23])\ncopy(digits[20:], text[24:])")
	out.P("_, err := hex.Decode(v[:], digits[:])\nreturn err\n}\n")
}

// hexMethods returns the method bodies of bytes spelled as hexadecimal digits.
func hexMethods(as schema.Spelling) (write, read string) {
	prefix, begin := "", ""
	if as == schema.AsPrefixed || as == schema.AsUpperPref {
		prefix, begin = `, "0x"...`, "digits, ok := bytes.CutPrefix(text, []byte(\"0x\"))\nif !ok {\nreturn fmt.Errorf(\"%q does not begin with 0x\", text)\n}\ntext = digits\n"
	}
	write = "text := make([]byte, 0, 2+2*len(v))\n"
	if prefix != "" {
		write += "text = append(text" + prefix + ")\n"
	}
	write += "text = hex.AppendEncode(text, v)\n"
	switch {
	case as == schema.AsUpperPref:
		write += "copy(text[2:], bytes.ToUpper(text[2:]))\n"
	case as.Upper():
		write += "text = bytes.ToUpper(text)\n"
	}
	write += "return text, nil"
	read = begin + "*v = make([]byte, hex.DecodedLen(len(text)))\n_, err := hex.Decode(*v, text)\nreturn err"
	return write, read
}

// decimalMethods returns the method bodies of decimal numbers.
func decimalMethods(digits int, name string) (write, read string) {
	if digits == 0 {
		return "return strconv.AppendInt(nil, int64(v), 10), nil",
			fmt.Sprintf("n, err := strconv.ParseInt(string(text), 10, 64)\n*v = %s(n)\nreturn err", name)
	}
	write = fmt.Sprintf("text, start := strconv.AppendInt(nil, int64(v), 10), 0\nif v < 0 {\nstart = 1\n}\nfor len(text)-start <= %d {\ntext = slices.Insert(text, start, '0')\n}\nreturn slices.Insert(text, len(text)-%d, '.'), nil", digits, digits)
	read = fmt.Sprintf("point := len(text) - %d\nif point < 1 || text[point] != '.' {\nreturn fmt.Errorf(\"%%q is no number with %d digits after the point\", text)\n}\n", digits+1, digits)
	read += fmt.Sprintf("n, err := strconv.ParseInt(string(text[:point])+string(text[point+1:]), 10, 64)\n*v = %s(n)\nreturn err", name)
	return write, read
}
