package text

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/schema"
)

func rich(t testing.TB) []byte {
	data, err := os.ReadFile("testdata/rich.toml")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// The rich schema is in the form that Format writes.
func TestRichIsCanonical(t *testing.T) {
	data := rich(t)
	s, err := Parse("rich.toml", data)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/rich.toml", Format(s), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(data), string(Format(s))); diff != "" {
		t.Error("-file +Format\n" + diff)
	}
}

// Parse accepts every way to write TOML, not only Format's.
func TestParseAnyStyle(t *testing.T) {
	src := "\ufeff" + `# a comment [[messages]]
roots = [ # "X"
  'Order', ]
name = """orders"""

[[messages]]  # one
"name" = "Order"
	[[messages.fields]]
	"num\u0062er" = 1
	name = "a" # } ]
	type = 'map[ string]bool'
	[[messages.fields]]
	number = 2
	doc = '''it's ''a'' = [ {'''''
	name = "b"
	type = "NIL"
[[messages]]
name = "Other"
fields = [{number = 0x10, name = "c", type = "[]\u0042ad"}, { # TOML 1.1
    number = 17
    , name = "d", type = "[]Bad",
  }]
`
	_, err := Parse("x", []byte(src))
	want := `x:11:14: type "map[ string]bool": a type is missing here; write a name, *T, []T or map[K]T
x:16:10: there is no type, message or enum "NIL"
x:19:46: there is no type, message or enum "Bad"
x:21:29: there is no type, message or enum "Bad"`
	if err == nil {
		t.Fatal("accepted")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error("-want +got\n" + diff)
	}
}

func TestParse(t *testing.T) {
	got, err := Parse("x", []byte(`
name = "orders"
doc = "d"
roots = ["Order"]
messages = [{ name = "Order", doc = "m", fields = [
  { number = 3, name = "a", type = "*int64", text = "A", omitempty = true, doc = "f" },
  { number = 1, name = "b", type = "[]*Row" },
  { number = 2, name = "c", type = "map[uint64]E" },
] }, { name = "Row", bare = true, fields = [{ number = 1, name = "l", type = "[]bytes" }]}]
enums = [{ name = "E", doc = "e", values = [{ number = 0, name = "A" }, { number = -5, name = "B" }] }]
`))
	if err != nil {
		t.Fatal(err)
	}
	want := &schema.Schema{
		Name: "orders", Doc: "d", Roots: []string{"Order"},
		Messages: []*schema.Message{
			{Name: "Order", Doc: "m", Fields: []*schema.Field{
				{Name: "a", Number: 3, Text: "A", OmitEmpty: true, Doc: "f", Type: schema.Type{Kind: schema.Int64, Optional: true}},
				{Name: "b", Number: 1, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.MessageKind, Ref: "Row", Optional: true}}},
				{Name: "c", Number: 2, Type: schema.Type{Kind: schema.Map, Key: schema.Uint64, Elem: &schema.Type{Kind: schema.EnumKind, Ref: "E"}}},
			}},
			{Name: "Row", Bare: true, Fields: []*schema.Field{
				{Name: "l", Number: 1, Type: schema.Type{Kind: schema.List, Elem: &schema.Type{Kind: schema.Bytes}}},
			}},
		},
		Enums: []*schema.Enum{{Name: "E", Doc: "e", Values: []schema.EnumValue{{Name: "A"}, {Name: "B", Number: -5}}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("-want +got\n" + diff)
	}
}

func TestParseErrors(t *testing.T) {
	const head = "name = \"s\"\nroots = [\"M\"]\n[[messages]]\nname = \"M\"\n"
	// field makes a text with a field's table in line 6, whose value starts at column 1.
	field := func(s string) string { return head + "fields = [\n" + s + "\n]" }
	tests := []struct{ name, src, want string }{
		{"not TOML", "name = \"s\nroots", "f.toml:1:10: strings cannot contain newlines"},
		{"truncated", "name = [", "f.toml:1:8: unexpected EOF; expected value"},
		{"key twice", "name = \"s\"\nname = \"t\"", "f.toml:2:12: Key 'name' has already been defined."},
		{"not UTF-8", "name = \"s\"\n# \xff", "f.toml:2:3: the text is not valid UTF-8"},
		{"empty", "", "f.toml:1:1: the schema's name \"\" must be lower-case letters, digits and underscores, starting with a letter\n" +
			"f.toml:1:1: the schema has no roots; name at least one message that is encoded as a whole document"},
		{"unknown key", head + "feilds = []", `f.toml:5:1: unknown key "feilds"; did you mean "fields"?`},
		{"unknown key, like no other", head + "\"a b\".c = 1", `f.toml:5:1: unknown key "a b"; the keys here are name, doc, bare, wraps, row, union, tag, fields`},
		{"unknown table", head + "[enum.x]", `f.toml:5:2: unknown key "enum"; did you mean "enums"?`},
		{"unknown key of a field", field(`{ number = 1, name = "a", type = "bool", omit_empty = true }`), `f.toml:6:42: unknown key "omit_empty"; did you mean "omitempty"?`},
		{"missing keys", field(`{ }`), "f.toml:6:1: the key \"number\" is missing\nf.toml:6:1: the key \"name\" is missing\nf.toml:6:1: the key \"type\" is missing"},
		{"name is a number", field(`{ number = 1, name = 1, type = "bool" }`), "f.toml:6:22: name must be a string"},
		{"number is a string", field(`{ number = "1", name = "a", type = "bool" }`), "f.toml:6:12: number must be an integer"},
		{"number out of range", field(`{ number = 9223372036854775807, name = "a", type = "bool" }`), "f.toml:6:12: number must be from 1 to 536870911"},
		{"type is a list", field(`{ number = 1, name = "a", type = [] }`), "f.toml:6:34: type must be a string"},
		{"two ways to be absent", field(`{ number = 1, name = "a", type = "[]bool", omitempty = true, omitzero = true }`), "f.toml:6:73: M.a: omitempty leaves out what is absent or empty, omitzero only what is absent; keep one of them"},
		{"null of what is left out", field(`{ number = 1, name = "a", type = "[]bool", null = true, omitzero = true }`), "f.toml:6:51: M.a: a field is written as null where it is absent, or is left out; keep one of null, omitempty and omitzero"},
		{"omitempty is a string", field(`{ number = 1, name = "a", type = "bool", omitempty = "yes" }`), "f.toml:6:54: omitempty must be true or false"},
		{"fields is a string", head + `fields = "a"`, "f.toml:5:10: fields must be a list"},
		{"fields is a table", head + `fields = { }`, "f.toml:5:10: fields must be a list"},
		{"field is a string", head + `fields = [ "a" ]`, "f.toml:5:12: an element of fields must be a table, { … }"},
		{"root is a number", "name = \"s\"\nroots = [7]", "f.toml:2:10: a root must be a string, the name of a message"},
		{"unknown root", head + "[[messages]]\nname = \"Market\"\n[[enums]]\nname = \"Markex\"\n\"doc\" = 7", "f.toml:9:9: doc must be a string"},
		{"root misspelt", "name = \"s\"\nroots = [\"Markt\"]\n[[messages]]\nname = \"Market\"\n", `f.toml:2:10: the root "Markt" is not a message of the schema; did you mean "Market"?`},
		{"enum number too large", head + "[[enums]]\nname = \"E\"\nvalues = [{ number = 2147483648, name = \"A\" }]", "f.toml:7:22: number must be from -2147483648 to 2147483647"},

		{"empty type", field(`{ number = 1, name = "a", type = "" }`), `f.toml:6:35: type "": a type is missing here; write a name, *T, []T or map[K]T`},
		{"unknown type", field(`{ number = 1, name = "a", type = "[]int" }`), `f.toml:6:37: there is no type, message or enum "int"; did you mean "int32"?`},
		{"list without element", field(`{ number = 1, name = "a", type = "[]" }`), `f.toml:6:37: type "[]": a type is missing here; write a name, *T, []T or map[K]T`},
		{"pointer to pointer", field(`{ number = 1, name = "a", type = "**M" }`), `f.toml:6:36: type "**M": a type is missing here; write a name, *T, []T or map[K]T`},
		{"bad map key", field(`{ number = 1, name = "a", type = "map[M]bool" }`), `f.toml:6:39: type "map[M]bool": a map's key cannot be "M"; it must be string, int32, int64, uint32 or uint64`},
		{"unclosed map key", field(`{ number = 1, name = "a", type = "map[string" }`), `f.toml:6:45: type "map[string": a ] is missing after the map's key`},
		{"more after the type", field(`{ number = 1, name = "a", type = "bool,string" }`), `f.toml:6:39: type "bool,string": unexpected ",string" after the type`},
		{"list in a list", field(`{ number = 1, name = "a", type = "[][]bool" }`), `f.toml:6:37: type "[][]bool": the element of a list or map cannot be a list or a map itself; make it a bare message`},
		{"map in a list", field(`{ number = 1, name = "a", type = "[]*map[string]bool" }`), `f.toml:6:38: type "[]*map[string]bool": the element of a list or map cannot be a list or a map itself; make it a bare message`},
		{"list in a map", field(`{ number = 1, name = "a", type = "map[string][]bool" }`), `f.toml:6:46: type "map[string][]bool": the element of a list or map cannot be a list or a map itself; make it a bare message`},
		{"list in lists without end", field(`{ number = 1, name = "a", type = "` + strings.Repeat("[]", 8_000_000) + `bool" }`), `f.toml:6:37: type "` + strings.Repeat("[]", 40) + `…": the element of a list or map cannot be a list or a map itself; make it a bare message`},
		{"type in escapes", field(`{ number = 1, name = "a", type = "\u005b]int" }`), `f.toml:6:34: there is no type, message or enum "int"; did you mean "int32"?`},

		{"rule of a field's name", field(`{ number = 1, name = "A", type = "bool" }`), "f.toml:6:22: M.A: a field's name must be lower-case letters, digits and underscores, starting with a letter; give the name that formats write as text"},
		{"rule of a field's type", field(`{ number = 1, name = "a", type = "*[]bool" }`), "f.toml:6:34: M.a: lists and maps are never optional; drop the *"},
		{"rule of a field's number", field(`{ number = 1, name = "a", type = "bool" }, { name = "b", number = 1, type = "bool" }`), `f.toml:6:67: M.b: the number 1 is taken by field "a"`},
		{"rule of a message", head + "bare = true\n", "f.toml:5:8: M: a bare message has exactly one field, and it is a list or a map"},
		{"rule of an enum", head + "[[enums]]\nname = \"E\"", "f.toml:5:1: E: the enum has no values; the first is number 0, the value of an unset field"},
		{"rule of an enum's value", head + "[[enums]]\nname = \"E\"\nvalues = [{ number = 0, name = \"\" }]", "f.toml:7:32: E.values[0]: the value has no name"},
		{"message twice", head + "[[messages]]\nname = \"M\"", "f.toml:6:8: M: there is another message of this name; messages and enums share one Go package"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Parse("f.toml", []byte(tt.src))
			if err == nil || s != nil {
				t.Fatalf("accepted: %v", s)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Error("-want +got\n" + diff)
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("no *Error in %T", err)
			}
		})
	}
}

// Optional keys stay aligned in columns, whatever is left out.
func TestFormatAligns(t *testing.T) {
	f := func(name, text string, omit bool, doc string) *schema.Field {
		return &schema.Field{Name: name, Number: len(name), Text: text, OmitEmpty: omit, Doc: doc, Type: schema.Type{Kind: schema.Bool}}
	}
	s := &schema.Schema{Name: "s", Doc: "a\n\"b\" \"\"\\\n\x00\"", Roots: []string{"A", "B"}, Messages: []*schema.Message{
		{Name: "A", Fields: []*schema.Field{f("a", "ÄÄ", false, ""), f("ab", "", true, "tab\there\n"), f("long_name", "", false, "x"), f("abc", "Ä", false, "y")}},
	}}
	want := `name = "s"
doc = """
a
"b" \""\\
\u0000\""""
roots = ["A", "B"]

[[messages]]
name = "A"
fields = [
  { number = 1, name = "a",         type = "bool", text = "ÄÄ" },
  { number = 2, name = "ab",        type = "bool",              omitempty = true, doc = "tab\there\n" },
  { number = 9, name = "long_name", type = "bool",                                doc = "x" },
  { number = 3, name = "abc",       type = "bool", text = "Ä",                    doc = "y" },
]
`
	if diff := cmp.Diff(want, string(Format(s))); diff != "" {
		t.Error("-want +got\n" + diff)
	}
}

// Parse is the inverse of Format.
func TestFormatParse(t *testing.T) {
	for seed := range uint64(2000) {
		want := random(rand.New(rand.NewPCG(seed, 0)))
		if err := want.Validate(); err != nil {
			t.Fatalf("seed %d: the generator made an invalid schema: %v", seed, err)
		}
		data := Format(want)
		got, err := Parse("x", data)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, data)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: -want +got\n%s\n%s", seed, diff, data)
		}
	}
}

// random returns a valid schema.
func random(r *rand.Rand) *schema.Schema {
	doc := func() string {
		letters := []rune("ab \n\t\"\\'{}[]#=,\u00a0\u2028\u200dü€\U0001F600\U000e0001\ufffd")
		d := make([]rune, max(0, r.IntN(12)-4))
		for i := range d {
			d[i] = letters[r.IntN(len(letters))]
		}
		return string(d)
	}
	s := &schema.Schema{Name: "s", Doc: doc()}
	for i := range r.IntN(3) {
		e := &schema.Enum{Name: fmt.Sprintf("E%d", i), Doc: doc()}
		for j := range 1 + r.IntN(3) {
			e.Values = append(e.Values, schema.EnumValue{Name: fmt.Sprintf("V%d_%d", i, j), Number: int32(j * (1 - 2*r.IntN(2)))})
		}
		s.Enums = append(s.Enums, e)
	}
	for i := range 1 + r.IntN(4) {
		m := &schema.Message{Name: fmt.Sprintf("AzZ9_%d", i), Doc: doc()}
		s.Messages = append(s.Messages, m)
		if r.IntN(2) == 0 {
			s.Roots = append(s.Roots, m.Name)
		}
		if r.IntN(4) == 0 {
			elem := randomType(r, s, true)
			m.Bare = true
			m.Fields = []*schema.Field{{Name: "l", Number: 1, Type: schema.Type{Kind: schema.List, Elem: &elem}}}
			continue
		}
		for j := range r.IntN(6) {
			f := &schema.Field{
				Name: fmt.Sprintf("f%d%s", j, strings.Repeat("x", r.IntN(5))), Number: 1 + j*(1+i), Doc: doc(),
				OmitEmpty: r.IntN(3) == 0, Type: randomType(r, s, false),
			}
			if f.Type.Elem != nil && !f.OmitEmpty {
				n := r.IntN(3)
				f.OmitZero, f.Null = n == 1, n == 2
			}
			if leaf := f.Type; leaf.Elem == nil && !leaf.Optional && !f.OmitEmpty && leaf.Kind == schema.Int64 {
				f.As = schema.AsDecimal.WithDigits(r.IntN(4))
			}
			if r.IntN(3) == 0 {
				f.Text = fmt.Sprintf("%c %d]ü", "AB#"[r.IntN(3)], j)
			}
			m.Fields = append(m.Fields, f)
		}
		m.Row = len(m.Fields) > 0 && r.IntN(4) == 0
		for _, f := range m.Fields {
			if m.Row {
				f.OmitEmpty, f.OmitZero = false, false
			}
		}
	}
	s.Roots = append(s.Roots, "Z")
	s.Messages = append(s.Messages, &schema.Message{Name: "Z"})
	return s
}

// randomType returns a type. Messages that are held by value are earlier ones, so that none
// contains itself.
func randomType(r *rand.Rand, s *schema.Schema, elem bool) schema.Type {
	kinds := int(schema.Map)
	if elem {
		kinds = int(schema.MessageKind)
	}
	t := schema.Type{Kind: schema.Kind(1 + r.IntN(kinds)), Optional: !elem && r.IntN(2) == 0}
	switch t.Kind {
	case schema.EnumKind:
		if len(s.Enums) == 0 {
			return schema.Type{Kind: schema.Bool}
		}
		t.Ref = s.Enums[r.IntN(len(s.Enums))].Name
	case schema.MessageKind:
		t.Ref = s.Messages[r.IntN(len(s.Messages))].Name
		t.Optional = t.Ref == s.Messages[len(s.Messages)-1].Name || r.IntN(2) == 0
	case schema.List, schema.Map:
		t.Optional = false
		if t.Kind == schema.Map {
			t.Key = []schema.Kind{schema.String, schema.Int32, schema.Int64, schema.Uint32, schema.Uint64}[r.IntN(5)]
		}
		e := randomType(r, s, true)
		t.Elem = &e
	}
	return t
}

// FuzzParse checks that Parse accepts any bytes without a panic, that errors lie within the
// text, and that a schema that was parsed is written and read back unchanged.
func FuzzParse(f *testing.F) {
	f.Add(rich(f))
	f.Add([]byte("name = \"s\"\nroots = [\"M\"]\n[[messages]]\nname = \"M\"\nfields = [{number = 1, name = \"a\", type = \"map[string]*M\"}]"))
	f.Add([]byte("a.\"b\\u0041\".'c' = {d = [1, 1979-05-27 07:32:00, '''x''', \"\"\"\\\"\"\"\"\"]}\n[[t.u]]\n[t.u.v]\nw=1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("f", data)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 || e.Line > 1+bytes.Count(data, []byte("\n")) || e.Col < 1 {
				t.Fatalf("no place in the text: %v", err)
			}
			return
		}
		out := Format(s)
		again, err := Parse("f", out)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if diff := cmp.Diff(s, again); diff != "" {
			t.Fatalf("-first +second\n%s", diff)
		}
	})
}
