package userdata

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/contender"
	"assay/internal/infer"
	"assay/schema"
)

// hostile are keys that samples may have and that collide with generated code: keywords and
// predeclared names of Go and of schema languages, names of packages, methods and variables
// that generators write, keys with equal Go names, and keys that are not identifiers.
var hostile = strings.Split(`type|func|range|map|chan|struct|interface|package|import|return|default|var|go|select|`+
	`string|int|int64|uint32|byte|bool|error|any|nil|true|iota|len|cap|append|make|new|copy|delete|min|max|panic|init|main|`+
	`message|enum|oneof|optional|repeated|union|table|namespace|list|void|data|text|root|Timestamp|Duration|group|record|exception|`+
	`time|bench|model|workload|errors|math|bytes|fmt|io|unsafe|proto|utf8|strconv|`+
	`v|m|b|x|i|n|k|s|e|d|in|out|dst|src|buf|key|keys|value|values|err|ok|tmp|self|this|offset|length|`+
	`String|Reset|Size|Marshal|Unmarshal|MarshalJSON|UnmarshalJSON|MarshalBinary|MarshalText|MarshalBSON|ProtoMessage|ProtoReflect|`+
	`Descriptor|GoString|Equal|Clone|Read|Write|Encode|Decode|EncodeMsg|Msgsize|Error|Format|IsZero|IsNil|Bytes|Len|Get|Set|Has|Build|`+
	`LeafSum|GetValue|SetValue|HasValue|ClearValue|NewValue|WhichValue|IsSetValue|ValueLength|MutateValue|value_|_value|`+
	`userName|user_name|UserName|user-name|user name|a1|a_1|A1|a__1|x_y|xY|XY|xy|id|ID|Id|iD|url|URL|HTTPServer|`+
	`1st|2|3d|007|_|__|_id|a.b|a/b|$ref|@type|#text|a:b|a b c|it's|"quoted"|back`+"`"+`tick|`+
	`größe|naïve|日本語|ключ|Ünï|ß|ﬁ|😀|λ|µ|state|sizeCache|unknownFields|XXX_unrecognized|extensionFields|class|self_|None|True`, "|")

// hostileTypes are keys that give messages their names.
var hostileTypes = strings.Split(`item|items|string|error|map|list|time|message|type|any|timestamp|duration|int32|float64|bool|byte|`+
	`codec|encoder|decoder|builder|writer|reader|marshaler|binding|bindings|schema|file|root|value|values|entry|item entry|item list|`+
	`item builder|new item|item t|value list|go|func|package|nil|append|len|struct|test|linux|t|x|b|m|enum|object|`+
	`protoMessage|state|node|struct1|1st|日本|größe|user_name|userName|data|table|union|void|text|options|none|self`, "|")

var scalars = []schema.Kind{
	schema.Bool, schema.Int32, schema.Int64, schema.Uint32, schema.Uint64, schema.Float32, schema.Float64,
	schema.String, schema.Bytes, schema.Timestamp, schema.Duration,
}

var keyKinds = []schema.Kind{schema.String, schema.Int32, schema.Int64, schema.Uint32, schema.Uint64}

// A maker makes a random schema.
type maker struct {
	*rand.Rand
	s *schema.Schema
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// randomSchema returns a valid schema that depends only on the seed. It has features of
// strangers' samples and .proto files: package infer makes its names from hostile keys.
func randomSchema(seed uint64) *schema.Schema {
	m := &maker{rand.New(rand.NewPCG(seed, 0)), &schema.Schema{Name: fmt.Sprintf("random%d", seed), Doc: "Random."}}
	types := infer.NewTypeNames()
	name := func() string { return types.Name(pick(m.Rand, hostileTypes)) }
	for range m.IntN(3) {
		m.s.Enums = append(m.s.Enums, &schema.Enum{Name: name()})
	}
	structs := 2 + m.IntN(4)
	for i := range structs + m.IntN(4) {
		m.s.Messages = append(m.s.Messages, &schema.Message{Name: name(), Bare: i >= structs})
	}
	values := infer.NewValueNames(m.s)
	for _, e := range m.s.Enums {
		e.Values = []schema.EnumValue{{Name: "none"}}
		for i, word := range strings.Split("red|type|2D|max", "|")[:m.IntN(5)] {
			e.Values = append(e.Values, schema.EnumValue{Name: word, Number: int32(i+1) * pick(m.Rand, []int32{1, 7, -3, 1 << 20})})
		}
		values.Name(e)
	}
	for i, message := range m.s.Messages {
		if message.Bare {
			message.Fields = []*schema.Field{{Name: "items", Number: 1, Type: m.container()}}
		} else {
			m.fields(message, i)
		}
	}
	m.nested(types)
	m.union(types)
	first := m.IntN(len(m.s.Messages))
	m.s.Roots = []string{m.s.Messages[0].Name}
	if first > 0 {
		m.s.Roots = append(m.s.Roots, m.s.Messages[first].Name)
	}
	if m.IntN(4) == 0 { // a list of messages, which formats of tables can hold
		list := types.Name("all")
		elem := schema.Type{Kind: schema.MessageKind, Ref: m.s.Messages[0].Name, Optional: m.IntN(2) == 0}
		m.s.Messages = append(m.s.Messages, &schema.Message{Name: list, Bare: true, Fields: []*schema.Field{
			{Name: "items", Number: 1, Type: schema.Type{Kind: schema.List, Elem: &elem}},
		}})
		m.s.Roots = []string{list}
	}
	m.spelled()
	return m.s
}

// nested adds to some schemas two bare messages that contain each other: lists of lists,
// lists of maps or maps of lists. Their values end only in an empty list or map.
func (m *maker) nested(types *infer.TypeNames) {
	if m.IntN(3) > 0 {
		return
	}
	outer, inner := types.Name("nested"), types.Name("nested item")
	kinds := [][2]schema.Kind{{schema.List, schema.List}, {schema.List, schema.Map}, {schema.Map, schema.List}}
	kind := pick(m.Rand, kinds)
	for i, name := range []string{outer, inner} {
		t := schema.Type{Kind: kind[i], Elem: &schema.Type{Kind: schema.MessageKind, Ref: []string{inner, outer}[i]}}
		if t.Kind == schema.Map {
			t.Key = schema.String
		}
		m.s.Messages = append(m.s.Messages, &schema.Message{Name: name, Bare: true, Fields: []*schema.Field{{Name: "items", Number: 1, Type: t}}})
	}
	root := m.s.Messages[0]
	root.Wraps = false
	number := 1
	for _, f := range root.Fields {
		number = max(number, f.Number+1)
	}
	root.Fields = append(root.Fields, &schema.Field{Name: "nested_lists", Number: number, Type: schema.Type{Kind: schema.MessageKind, Ref: outer}})
}

// union adds to some schemas a union of messages, as a field and in a list. A tag or the keys
// select the variant.
func (m *maker) union(types *infer.TypeNames) {
	if m.IntN(2) > 0 {
		return
	}
	u := &schema.Message{Name: types.Name("choice"), Union: true}
	if m.IntN(2) == 0 {
		u.Tag = "the kind"
	}
	variants := 2 + m.IntN(3)
	for i := range variants {
		v := &schema.Message{Name: types.Name(pick(m.Rand, hostileTypes))}
		m.s.Messages = append(m.s.Messages, v)
		f := &schema.Field{
			Name: fmt.Sprintf("variant%d", i), Number: i + 1, OmitEmpty: true, When: []string{fmt.Sprintf("key %d", i)},
			Type: schema.Type{Kind: schema.MessageKind, Ref: v.Name, Optional: true},
		}
		tell := &schema.Field{Name: "tells", Number: 1, Type: schema.Type{Kind: pick(m.Rand, []schema.Kind{schema.Int64, schema.String, schema.Bool})}, Text: f.When[0]}
		switch {
		case u.Tag != "":
			f.When = append(f.When, "<\"é\">"+f.When[0])
			tell.Text, tell.Type.Kind = u.Tag, schema.String
		case i == variants-1 && m.IntN(2) == 0:
			f.When = nil
		}
		v.Fields = []*schema.Field{tell}
		for j := range m.IntN(4) {
			f := &schema.Field{Name: fmt.Sprintf("own%d", j), Number: j + 2, Type: schema.Type{Kind: pick(m.Rand, scalars), Optional: m.IntN(2) == 0}}
			m.presence(f)
			v.Fields = append(v.Fields, f)
		}
		u.Fields = append(u.Fields, f)
	}
	m.s.Messages = append(m.s.Messages, u)
	root := m.s.Messages[0]
	root.Wraps = false
	number := 1
	for _, f := range root.Fields {
		number = max(number, f.Number+1)
	}
	one := schema.Type{Kind: schema.MessageKind, Ref: u.Name, Optional: m.IntN(2) == 0}
	root.Fields = append(root.Fields,
		&schema.Field{Name: "one_choice", Number: number, Type: one},
		&schema.Field{Name: "more_choices", Number: number + 1, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.MessageKind, Ref: u.Name}}})
}

// fields adds fields to message i, which is not bare.
func (m *maker) fields(message *schema.Message, i int) {
	names, texts := infer.NewFieldNames(), map[string]bool{"nested_lists": true, "one_choice": true, "more_choices": true}
	for name := range texts {
		names.Name(name)
	}
	number := 0
	for range m.IntN(9) {
		key := pick(m.Rand, hostile)
		f := &schema.Field{Name: names.Name(key), Type: m.field(i)}
		if text := infer.TextName(key); text != f.Name {
			f.Text = text
		}
		if texts[f.TextName()] {
			continue
		}
		texts[f.TextName()] = true
		number += 1 + pick(m.Rand, []int{0, 0, 0, 1, 20})
		f.Number = number
		m.presence(f)
		message.Fields = append(message.Fields, f)
	}
	message.Wraps = len(message.Fields) == 1 && m.IntN(2) == 0
	message.Row = len(message.Fields) > 0 && !message.Wraps && m.IntN(5) == 0
	for _, f := range message.Fields {
		if message.Row {
			f.OmitEmpty, f.OmitZero = false, false
		}
	}
}

// presence decides how a field treats absent values, whether a string is a JSON text, and how
// JSON spells some other leaves.
func (m *maker) presence(f *schema.Field) {
	nilable := f.Type.Elem != nil || f.Type.Kind == schema.Bytes && !f.Type.Optional
	switch n := m.IntN(10); {
	case n < 3:
		f.OmitEmpty = true
	case n < 6 && nilable:
		f.OmitZero = true
	case n < 8 && nilable:
		f.Null = true
	}
	leaf := f.Type
	if leaf.Elem != nil {
		leaf = *leaf.Elem
	}
	f.JSONText = leaf.Kind == schema.String && m.IntN(4) == 0
	fit := slices.DeleteFunc(slices.Clone(spellings), func(s schema.Spelling) bool { return s.Kind() != leaf.Kind })
	if len(fit) > 0 && m.IntN(2) == 0 {
		f.As = pick(m.Rand, fit)
		if f.Type.Elem == nil && !f.Type.Optional {
			f.OmitEmpty, f.OmitZero, f.Null = false, false, false
		}
	}
}

// spellings are all spellings, some with several numbers of digits.
var spellings = append(slices.DeleteFunc(slices.Clone(schema.Spellings), func(s schema.Spelling) bool { return s == schema.AsDecimal }),
	"local:1", "local-space:9", "decimal:0", "decimal:1", "decimal:18")

// field returns the type of a field of message i. Only later messages are held by value, so
// that no message contains itself.
func (m *maker) field(i int) schema.Type {
	if m.IntN(3) == 0 {
		return m.container()
	}
	t := m.leaf()
	t.Optional = m.IntN(3) == 0
	if t.Kind == schema.MessageKind {
		at := slices.IndexFunc(m.s.Messages, func(o *schema.Message) bool { return o.Name == t.Ref })
		if !m.s.Messages[at].Bare {
			t.Optional = t.Optional || at <= i
		}
	}
	return t
}

func (m *maker) leaf() schema.Type {
	switch n := m.IntN(10); {
	case n < 3:
		return schema.Type{Kind: schema.MessageKind, Ref: pick(m.Rand, m.s.Messages).Name}
	case n < 4 && len(m.s.Enums) > 0:
		return schema.Type{Kind: schema.EnumKind, Ref: pick(m.Rand, m.s.Enums).Name}
	}
	return schema.Type{Kind: pick(m.Rand, scalars)}
}

func (m *maker) container() schema.Type {
	elem := m.leaf()
	elem.Optional = elem.Kind == schema.MessageKind && !m.bare(elem.Ref) && m.IntN(3) == 0
	if m.IntN(2) == 0 {
		return schema.Type{Kind: schema.List, Elem: &elem}
	}
	return schema.Type{Kind: schema.Map, Key: pick(m.Rand, keyKinds), Elem: &elem}
}

func (m *maker) bare(name string) bool { return m.s.Message(name).Bare }

// values makes random values in neutral form.
type values struct {
	*rand.Rand
	s *schema.Schema
	// avoid lists losses that no value may suffer.
	avoid []contender.Loss
	// json says that strings are JSON texts.
	json bool
	// as is the spelling of leaves.
	as schema.Spelling
}

func (v *values) may(l contender.Loss) bool { return !slices.Contains(v.avoid, l) }

func (v *values) message(name string, depth int) any {
	m := v.s.Message(name)
	if m.Bare {
		return v.value(m.Fields[0].Type, depth)
	}
	out := map[string]any{}
	if m.Union {
		set := pick(v.Rand, m.Fields)
		for _, f := range m.Fields {
			out[f.TextName()] = nil
		}
		of := v.message(set.Type.Ref, depth+1).(map[string]any)
		if m.Tag != "" {
			of[m.Tag] = pick(v.Rand, set.When)
		}
		out[set.TextName()] = of
		return out
	}
	for _, f := range m.Fields {
		r := *v
		r.json, r.as = f.JSONText, f.As
		out[f.TextName()] = left(v.s, f, r.value(f.Type, depth))
	}
	return out
}

// left returns the value of a field, or nil if the field omits it because it is an empty list
// or map, or empty bytes: these do not come back. Neither does the sign of a zero.
func left(s *schema.Schema, f *schema.Field, v any) any {
	t := f.Type
	if t.Kind == schema.MessageKind && s.Message(t.Ref).Bare {
		t = s.Message(t.Ref).Fields[0].Type
	}
	empty := t.Kind == schema.Bytes && v == ""
	switch v := v.(type) {
	case []any:
		empty = len(v) == 0
	case map[string]any:
		empty = t.Kind == schema.Map && len(v) == 0
	}
	if f.OmitEmpty && !f.Type.Optional && empty {
		return nil
	}
	if f.OmitEmpty && !f.Type.Optional && v == json.Number("-0.0") {
		return json.Number("0.0")
	}
	return v
}

// value returns a value of a type. Beyond a depth, the value is as small as possible.
func (v *values) value(t schema.Type, depth int) any {
	const enough = 5
	if t.Optional && (depth > enough || v.IntN(3) == 0) {
		return nil
	}
	switch t.Kind {
	case schema.MessageKind:
		return v.message(t.Ref, depth+1)
	case schema.String:
		if v.json {
			return v.jsonText(t)
		}
	case schema.EnumKind:
		e := pick(v.Rand, v.s.Enum(t.Ref).Values)
		if e.Number < 0 && !v.may(contender.NegEnum) {
			return int32(0)
		}
		return e.Number
	case schema.List, schema.Map:
		n := v.IntN(4)
		if depth > enough {
			n = 0
		}
		if v.IntN(10) == 0 && depth < 3 {
			return nil
		}
		elem := *t.Elem
		elem.Optional = false // elements by pointer are never nil
		if t.Kind == schema.List {
			out := []any{}
			for range n {
				out = append(out, v.value(elem, depth+1))
			}
			return out
		}
		out := map[string]any{}
		for range n {
			out[v.key(t.Key)] = v.value(elem, depth+1)
		}
		return out
	}
	if v.as != "" {
		return v.spelled()
	}
	return v.scalar(t.Kind)
}

// spelled returns a value that the spelling can write.
func (v *values) spelled() any {
	switch v.as.Kind() {
	case schema.Bytes:
		b := pick(v.Rand, [][]byte{{}, {0}, {255, 254, 0x0a}, make([]byte, 40)})
		if v.as == schema.AsUUID || v.as == schema.AsUpperUUID {
			b = pick(v.Rand, [][]byte{make([]byte, 16), {1, 2, 3, 4, 5, 6, 7, 8, 0xaf, 10, 11, 12, 13, 14, 15, 0xff}})
		}
		return base64.StdEncoding.EncodeToString(b)
	case schema.Int64:
		return v.scalar(schema.Int64)
	}
	at := time.Unix(v.Int64N(4e9), pick(v.Rand, []int64{0, 1, 123456789, 500e6})).UTC()
	at, err := v.as.ParseTime(v.as.AppendTime(nil, at))
	if err != nil {
		panic(err) // it was written by AppendTime
	}
	return at.Format(time.RFC3339Nano)
}

// texts are strings, plainest first. Strings that suffer a known loss come last.
var texts = []string{"", "a", "Text with spaces", "ünï 日本 😀", "<b>&amp;\"it's\"</b>", "a,b;c|d\\e", "\u2028", "tab\tand\r\nmore", "k.e/y:z"}

// jsonTexts are JSON texts in the form of neutral values: compact, with only necessary
// escapes.
var jsonTexts = []string{
	`{"a":[1,2.50,-0],"b":null,"c":{"d":"<é>&"}}`, `[]`, `{}`, `12`, `"\\u003c \"q\""`, `[[1],"x",{"y":1e300}]`, `true`, `123456789012345678901234567890`,
}

// jsonText returns a JSON text. It returns null only if the field cannot be absent.
func (v *values) jsonText(t schema.Type) string {
	if !v.may(contender.Syntax) {
		return `{"a":[1,"<é>"]}`
	}
	if !t.Optional && v.IntN(6) == 0 {
		return "null"
	}
	return pick(v.Rand, jsonTexts)
}

func (v *values) text() string {
	all := texts
	if !v.may(contender.NUL) {
		all = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return strings.ContainsAny(s, "\r\u2028") })
	} else {
		all = append(slices.Clone(all), "\x00", "a\x01b\x7f")
	}
	if v.may(contender.Newline) {
		all = append(slices.Clone(all), "\n", "\nline\n")
	}
	if v.may(contender.Syntax) {
		all = append(slices.Clone(all), "null", "true", "1e3", "0x1F", "~", "- a", "# c", "{}", "<<", "2001-01-01", "@x", "!!str", "%", "*a", "&b", "'", "\"")
	}
	return pick(v.Rand, all)
}

func (v *values) key(k schema.Kind) string {
	if k == schema.String {
		return v.text()
	}
	return fmt.Sprint(v.scalar(k))
}

// scalar returns a value of a kind, often at the end of its range.
func (v *values) scalar(k schema.Kind) any {
	switch k {
	case schema.Bool:
		return v.IntN(2) == 0
	case schema.Int32:
		return pick(v.Rand, []int32{0, 1, -1, 127, 128, -129, 65536, math.MaxInt32, math.MinInt32})
	case schema.Int64, schema.Duration:
		return pick(v.Rand, []int64{0, 1, -1, 255, 1e9 + 1, -1 << 31, 1<<53 + 1, math.MaxInt64, math.MinInt64})
	case schema.Uint32:
		return pick(v.Rand, []uint32{0, 1, 127, 255, 65536, math.MaxInt32, math.MaxUint32})
	case schema.Uint64:
		if v.may(contender.UintRange) && v.IntN(3) == 0 {
			return pick(v.Rand, []uint64{1 << 63, math.MaxUint64})
		}
		return pick(v.Rand, []uint64{0, 1, 255, 1 << 32, 1<<53 + 1, math.MaxInt64})
	case schema.Float32:
		all := []float32{0, 1, -1.5, 0.1, 16777216, math.SmallestNonzeroFloat32, float32(math.Copysign(0, -1))}
		if v.may(contender.FloatRange) {
			all = append(all, math.MaxFloat32)
		}
		return v.float(float64(pick(v.Rand, all)), 32)
	case schema.Float64:
		return v.float(pick(v.Rand, []float64{0, 1, -1.5, 0.1, 1e21, 1e-7, 123456789.125, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1)}), 64)
	case schema.String:
		return v.text()
	case schema.Bytes:
		return base64.StdEncoding.EncodeToString(pick(v.Rand, [][]byte{{}, {0}, {255, 254, '\n'}, []byte("text"), make([]byte, 40)}))
	}
	zone := time.FixedZone("", pick(v.Rand, []int{0, 0, 3600, -5*3600 - 1800}))
	return time.Unix(v.Int64N(4e9), pick(v.Rand, []int64{0, 1, 123456789, 500e6})).In(zone).Format(time.RFC3339Nano)
}

func (v *values) float(f float64, bits int) any {
	if v.may(contender.NaNInf) && v.IntN(8) == 0 {
		return pick(v.Rand, []string{"NaN", "Infinity", "-Infinity"})
	}
	text := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return json.Number(text)
}

// smaller returns values like v with less content, smallest first.
func smaller(s *schema.Schema, t schema.Type, v any) []any {
	var out []any
	if v == nil {
		return nil
	}
	if t.Optional {
		out = append(out, nil)
		t.Optional = false
	}
	switch v := v.(type) {
	case []any:
		if len(v) > 0 {
			out = append(out, []any{})
		}
		for i, x := range v {
			if len(v) > 1 {
				out = append(out, slices.Delete(slices.Clone(v), i, i+1))
			}
			elem := element(s, t)
			for _, x := range smaller(s, elem, x) {
				c := slices.Clone(v)
				c[i] = x
				out = append(out, c)
			}
		}
	case map[string]any:
		m := s.Message(t.Ref)
		if t.Kind == schema.MessageKind && !m.Bare {
			for _, f := range m.Fields {
				if f.JSONText || f.As != "" {
					continue // a reduced JSON text or UUID may be invalid
				}
				for _, x := range smaller(s, f.Type, v[f.TextName()]) {
					if x = left(s, f, x); x != nil || v[f.TextName()] != nil {
						out = append(out, with(v, f.TextName(), x))
					}
				}
			}
			break
		}
		if len(v) > 0 {
			out = append(out, map[string]any{})
		}
		elem := element(s, t)
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if len(v) > 1 {
				c := maps.Clone(v)
				delete(c, k)
				out = append(out, c)
			}
			for _, x := range smaller(s, elem, v[k]) {
				out = append(out, with(v, k, x))
			}
		}
	default:
		if least := zero(t.Kind); v != least {
			out = append(out, least)
		}
	}
	return out
}

func with(v map[string]any, key string, x any) map[string]any {
	v = maps.Clone(v)
	v[key] = x
	return v
}

// element returns the type of the elements of a list or map, which may be a bare message.
func element(s *schema.Schema, t schema.Type) schema.Type {
	if t.Kind == schema.MessageKind {
		t = s.Message(t.Ref).Fields[0].Type
	}
	elem := *t.Elem
	elem.Optional = false
	return elem
}

func zero(k schema.Kind) any {
	switch k {
	case schema.Bool:
		return false
	case schema.String, schema.Bytes:
		return ""
	case schema.Float32, schema.Float64:
		return json.Number("0.0")
	case schema.Timestamp:
		return "1970-01-01T00:00:00Z"
	case schema.EnumKind, schema.Int32:
		return int32(0)
	case schema.Uint32:
		return uint32(0)
	case schema.Uint64:
		return uint64(0)
	}
	return int64(0)
}
