package infer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/schema/text"
)

// The schema says how absent, null and empty values of a field are written, without and with the
// user's answers.
func TestPresence(t *testing.T) {
	for _, test := range []fieldTest{
		{name: "always there", sample: ndjson(`{"v":1}`, `{"v":0}`), field: `type = "int64"`, lines: `{"v":1} {"v":0}`},
		{name: "absent", sample: ndjson(`{"v":1}`, `{}`), field: `type = "*int64", omitempty = true`, lines: `{"v":1} {"v":null}`},
		{name: "null", sample: ndjson(`{"v":1}`, `{"v":null}`), field: `type = "*int64"`, lines: `{"v":1} {"v":null}`},
		{name: "absent more often than null", sample: ndjson(`{"v":1}`, `{}`, `{}`, `{"v":null}`), field: `type = "*VOrNull", omitempty = true`,
			guesses: "a value, null or absent; --type v=omitempty", lines: `{"v":{"value":1}} {"v":null} {"v":null} {"v":{"value":null}}`},
		{name: "null more often than absent", sample: ndjson(`{"v":1}`, `{}`, `{"v":null}`, `{"v":null}`), field: `type = "*VOrNull", omitempty = true`,
			guesses: "a value, null or absent; --type v=null", lines: `{"v":{"value":1}} {"v":null} {"v":{"value":null}} {"v":{"value":null}}`},
		{name: "object or null or absent", sample: ndjson(`{"v":{"a":1}}`, `{}`, `{"v":null}`), field: `type = "*VOrNull", omitempty = true`,
			guesses: "a value, null or absent; --type v=omitempty", lines: `{"v":{"value":{"a":1}}} {"v":null} {"v":{"value":null}}`},
		{name: "any kind of value, null or absent", sample: ndjson(`{"v":{"a":1}}`, `{}`, `{"v":null}`, `{"v":7}`), field: `type = "*VOrNull", omitempty = true`,
			guesses: "a union: number or object; --type v=json|a value, null or absent; --type v=omitempty",
			lines:   `{"v":{"value":{"number":null,"object":{"a":1}}}} {"v":null} {"v":{"value":null}} {"v":{"value":{"number":7,"object":null}}}`},
		{name: "null, absent or an empty text that stands for none", sample: ndjson(`{"v":{"a":1}}`, `{}`, `{"v":null}`, `{"v":""}`), field: `type = "*V"`,
			guesses: "null where it is absent too; --type v=omitempty|null where it is an empty text; --type v=json"},
		{name: "an object or an empty list", sample: ndjson(`{"v":{"a":1}}`, `{"v":[]}`), field: `type = "[]V", one_or_many = true`, guesses: "a list, without brackets in JSON when it has one element; --type v=null", lines: `{"v":[{"a":1}]} {"v":[]}`},
		{name: "an object or an empty list, and null asked for", sample: ndjson(`{"v":{"a":1}}`, `{"v":[]}`), overrules: "type v=null", field: `type = "*V"`, lines: `{"v":{"a":1}} {"v":null}`},
		{name: "an object, an empty list or null", sample: ndjson(`{"v":{"a":1}}`, `{"v":[]}`, `{"v":null}`), field: `type = "[]V", null = true, one_or_many = true`, guesses: "a list, without brackets in JSON when it has one element; --type v=null", lines: `{"v":[{"a":1}]} {"v":[]} {"v":null}`},
		{name: "an object, an empty list or absent", sample: ndjson(`{"u":1,"v":{"a":1}}`, `{"u":1}`, `{"u":1}`, `{"u":1,"v":[ ]}`), field: `type = "[]V", omitzero = true, one_or_many = true`,
			guesses: "a list, without brackets in JSON when it has one element; --type v=null", lines: `{"u":1,"v":[{"a":1}]} {"u":1,"v":null} {"u":1,"v":null} {"u":1,"v":[]}`},
		{name: "an object, an empty list or an empty text", sample: ndjson(`{"v":{"a":1}}`, `{"v":[]}`, `{"v":""}`), field: `type = "*V"`, guesses: "null where it is an empty text or list; --type v=json", lines: `{"v":{"a":1}} {"v":null} {"v":null}`},
		{name: "an element that is an object or an empty list", sample: ndjson(`{"v":[{"a":1},[]]}`, `{"v":[{"a":2}]}`), field: `type = "[]VOrNull"`, guesses: "null where it is an empty list; --type 'v[]=json'",
			lines: `{"v":[{"value":{"a":1}},{"value":null}]} {"v":[{"value":{"a":2}}]}`},
		{name: "a map or an empty list", sample: ndjson(`{"v":{"1":2}}`, `{"v":[]}`), overrules: "map v", field: `type = "map[string]int64"`, lines: `{"v":{"1":2}} {"v":{}}`},
		{name: "a map, an empty list or absent", sample: ndjson(`{"v":{"1":2}}`, `{"u":1}`, `{"v":[]}`), overrules: "map v", field: `type = "map[string]int64", omitzero = true`, lines: `{"v":{"1":2},"u":null} {"v":null,"u":1} {"v":{},"u":null}`},
		{name: "a map by its keys, or an empty list", sample: ndjson(`{"v":{"1":2}}`, `{"v":[]}`), field: `type = "map[string]int64"`,
			guesses: "an empty map where it is an empty list; --type v=list|map[string]int64; --struct v|keys of a map as text; --type 'v=map[int64]'", lines: `{"v":{"1":2}} {"v":{}}`},
		{name: "an element that is a map or an empty list", sample: ndjson(`{"v":[{"1":2},[]]}`, `{"v":[{"3":4}]}`), overrules: "map v[]", field: `type = "[]VMap"`, lines: `{"v":[{"1":2},{}]} {"v":[{"3":4}]}`},
		{name: "an object or an empty list, and lists asked for", sample: ndjson(`{"v":{"a":1}}`, `{"v":[]}`), overrules: "type v=list", field: `type = "[]V", one_or_many = true`, lines: `{"v":[{"a":1}]} {"v":[]}`},
		{name: "an object, an empty list or a number", sample: ndjson(`{"v":{"a":1}}`, `{"v":[]}`, `{"v":7}`), field: `type = "VUnion"`,
			guesses: "a union: number, list or object; --type v=json", lines: `{"v":{"number":null,"items":null,"object":{"a":1}}} {"v":{"number":null,"items":[],"object":null}} {"v":{"number":7,"items":null,"object":null}}`},
		{name: "overruled to null", sample: ndjson(`{"v":1}`, `{}`, `{}`, `{"v":null}`), overrules: "type v=null", field: `type = "*int64"`},
		{name: "overruled to omitempty", sample: ndjson(`{"v":1}`, `{}`, `{"v":null}`, `{"v":null}`), overrules: "type v=omitempty", field: `type = "*int64", omitempty = true`},
		{name: "overruled, and the type too", sample: ndjson(`{"v":"1"}`, `{}`, `{"v":null}`), overrules: "type v=null|type v=int32", field: `type = "*int32"`},
		{name: "never absent, omitempty", sample: ndjson(`{"u":1,"v":""}`, `{"u":1,"v":"a"}`), overrules: "type v=omitempty", field: `type = "string", omitempty = true`,
			lines: `{"u":1,"v":""} {"u":1,"v":"a"}`},

		{name: "list", sample: ndjson(`{"v":[1]}`, `{"v":[]}`), field: `type = "[]int64"`, lines: `{"v":[1]} {"v":[]}`},
		{name: "list that is absent", sample: ndjson(`{"v":[1]}`, `{}`), field: `type = "[]int64", omitempty = true`, lines: `{"v":[1]} {"v":null}`},
		{name: "list that is absent or empty", sample: ndjson(`{"v":[1]}`, `{}`, `{"v":[]}`), field: `type = "[]int64", omitzero = true`, lines: `{"v":[1]} {"v":null} {"v":[]}`},
		{name: "list that is null", sample: ndjson(`{"v":[1]}`, `{"v":null}`, `{"v":[]}`), field: `type = "[]int64", null = true`, lines: `{"v":[1]} {"v":null} {"v":[]}`},
		{name: "list that is all of that", sample: ndjson(`{"v":[1]}`, `{}`, `{"v":null}`, `{"v":[]}`), field: `type = "*VOrNull", omitempty = true`,
			guesses: "a value, null or absent; --type v=omitempty", lines: `{"v":{"value":[1]}} {"v":null} {"v":{"value":null}} {"v":{"value":[]}}`},
		{name: "list that is all of that, null", sample: ndjson(`{"v":[1]}`, `{}`, `{"v":null}`, `{"v":[]}`), overrules: "type v=null", field: `type = "[]int64", null = true`},
		{name: "list without what is empty", sample: ndjson(`{"v":[1]}`, `{}`, `{"v":[]}`), overrules: "type v=omitempty", field: `type = "[]int64", omitempty = true`,
			lines: `{"v":[1]} {"v":null} {"v":null}`},
		{name: "map that is absent or empty", sample: ndjson(`{"v":{"1":2}}`, `{}`, `{"v":{}}`), overrules: "map v", field: `type = "map[string]int64", omitzero = true`,
			lines: `{"v":{"1":2}} {"v":null} {"v":{}}`},
		{name: "bytes that are absent or empty", sample: ndjson(`{"v":"aGk="}`, `{}`, `{"v":""}`), overrules: "type v=bytes", field: `type = "bytes", omitzero = true`,
			lines: `{"v":"aGk="} {"v":null} {"v":""}`},
		{name: "object that is absent", sample: ndjson(`{"v":{"a":1}}`, `{}`), field: `type = "*V", omitempty = true`},
		{name: "row that is absent", sample: ndjson(`{"v":[1,"a"]}`, `{}`), overrules: "type v=row", field: `type = "*V", omitempty = true`},

		{name: "only nulls", sample: ndjson(`{"u":1,"v":null}`), field: `type = "*string"`, guesses: "a string that is always null; --type v=json", lines: `{"u":1,"v":null}`},
		{name: "only nulls, or absent", sample: ndjson(`{"u":1,"v":null}`, `{"u":1}`), field: `type = "*VOrNull", omitempty = true`,
			guesses: "a string that is always null; --type v=json|a value, null or absent; --type v=omitempty"},
		{name: "only empty lists", sample: ndjson(`{"u":1,"v":[]}`, `{"u":2}`), field: `type = "[]string", omitzero = true`, guesses: "a list of strings; --type v=json", lines: `{"u":1,"v":[]} {"u":2,"v":null}`},
		{name: "only empty objects", sample: ndjson(`{"u":1,"v":{}}`), field: `type = "map[string]string"`, guesses: "a map of strings; --type v=json", lines: `{"u":1,"v":{}}`},
		{name: "only lists of nulls", sample: ndjson(`{"u":1,"v":[null,null]}`), field: `type = "[]VOrNull"`, guesses: "a string that is always null; --type 'v[]=json'", lines: `{"u":1,"v":[{"value":null},{"value":null}]}`},
		{name: "only lists of empty lists", sample: ndjson(`{"u":1,"v":[[],[]]}`), field: `type = "[]VItems"`, guesses: "a list of strings; --type 'v[]=json'", lines: `{"u":1,"v":[[],[]]}`},
		{name: "lists of lists and nulls", sample: ndjson(`{"u":1,"v":[[1],null]}`), field: `type = "[]VItems"`, lines: `{"u":1,"v":[[1],null]}`},
	} {
		t.Run(test.name, test.run)
	}
}

// A fieldTest has the expected results for the field v of records.
type fieldTest struct {
	name      string
	sample    []byte
	overrules string // flags, as "type v=null"
	field     string // the field v in the schema
	guesses   string // each decision and its flag
	lines     string // the records in neutral form; empty: they are not checked
}

func (test fieldTest) run(t *testing.T) {
	r, err := JSON([]Source{Bytes("f", test.sample)}, Options{Overrules: overrules(t, test.overrules)})
	if err != nil {
		t.Fatal(err)
	}
	if test.overrules == "" {
		accepts(t, r, test.sample)
	}
	if got := fieldText(r, "v"); got != test.field {
		t.Errorf("the field is %s, want %s", got, test.field)
	}
	if diff := cmp.Diff(test.guesses, decisions(r)); diff != "" && test.overrules == "" {
		t.Errorf("guesses -want +got\n%s", diff)
	}
	var lines []string
	for _, l := range write(t, r) {
		lines = append(lines, strings.TrimSpace(string(l)))
	}
	if got := strings.Join(lines, " "); test.lines != "" && got != test.lines {
		t.Errorf("got  %s\nwant %s", got, test.lines)
	}
}

// overrules parses flags, as "map a|type a=json".
func overrules(t *testing.T, flags string) (all []Overrule) {
	t.Helper()
	for _, f := range strings.Split(flags, "|") {
		if flag, value, ok := strings.Cut(f, " "); ok {
			rule, err := ParseOverrule(flag, value)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(strings.ReplaceAll(rule.String(), "'", ""), "--"+f) {
				t.Errorf("the flag of %s is %s", f, rule)
			}
			all = append(all, rule)
		}
	}
	return all
}

// fieldText returns a field in the text form, without its number and name.
func fieldText(r *Result, name string) string {
	for line := range strings.Lines(string(text.Format(r.Schema))) {
		if _, rest, ok := strings.Cut(line, `name = "`+name+`",`); ok {
			rest, _, _ = strings.Cut(rest, " },")
			return strings.Join(strings.Fields(rest), " ")
		}
	}
	return ""
}

// A given schema treats absent, null and empty values in the same way, even for values that are not
// optional.
func TestPresenceOfAGivenSchema(t *testing.T) {
	const head = "name = \"s\"\nroots = [\"M\"]\n[[messages]]\nname = \"M\"\nfields = [{ number = 1, name = \"v\", "
	for _, test := range []struct{ name, field, sample, want string }{
		{"a value left out", `type = "string", omitempty = true`, `{"v":"a"} {} {"v":""} {"v":null}`, `{"v":"a"} {"v":""} {"v":""} {"v":""}`},
		{"a number left out", `type = "float64", omitempty = true`, `{"v":1} {} {"v":-0}`, `{"v":1.0} {"v":0.0} {"v":0.0}`},
		{"a truth value left out", `type = "bool", omitempty = true`, `{"v":true} {}`, `{"v":true} {"v":false}`},
		{"an optional value", `type = "*string", omitempty = true`, `{"v":"a"} {} {"v":""}`, `{"v":"a"} {"v":null} {"v":""}`},
		{"a list left out when empty", `type = "[]string", omitempty = true`, `{"v":["a"]} {} {"v":[]} {"v":[ ]}`, `{"v":["a"]} {"v":null} {"v":null} {"v":null}`},
		{"a list left out when absent", `type = "[]string", omitzero = true`, `{"v":["a"]} {} {"v":[]}`, `{"v":["a"]} {"v":null} {"v":[]}`},
		{"bytes left out when empty", `type = "bytes", omitempty = true`, `{"v":"YQ=="} {} {"v":""}`, `{"v":"YQ=="} {"v":null} {"v":null}`},
		{"a value that is missing", `type = "string"`, `{}`, "s.json:1:2: M.v is missing in the object that ends here, and in the schema it is never absent; make its type optional, with a * before it"},
		{"a time that is missing", `type = "timestamp", omitempty = true`, `{}`, "s.json:1:2: M.v is missing in the object that ends here, and in the schema it is never absent; make its type optional, with a * before it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := text.Parse("s.toml", []byte(head+test.field+" }]\n"))
			if err != nil {
				t.Fatal(err)
			}
			r, err := JSON([]Source{Bytes("s.json", []byte(test.sample))}, Options{Schema: s})
			var lines []string
			if err != nil {
				lines = append(lines, err.Error())
			} else {
				for _, l := range write(t, r) {
					lines = append(lines, strings.TrimSpace(string(l)))
				}
			}
			if got := strings.Join(lines, " "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// Messages at two places are not shared if a field would then be both absent and null, but is so at
// neither place.
func TestPresenceKeepsApart(t *testing.T) {
	for _, test := range []struct{ sample, messages string }{
		{`{"a":{"q":1,"p":{"x":1,"y":null}},"b":{"p":{"x":1,"y":2}}}`, "F A P B"},
		{`{"a":{"p":{"x":1,"y":1,"z":1,"u":1,"v":null}},"b":{"p":{"x":1,"y":2,"z":1,"u":1}}}`, "F A P B BP"},
		{`{"a":{"q":1,"p":{"x":1,"y":1,"z":1,"u":1,"v":2}},"b":{"p":{"x":1,"y":2,"z":1,"u":1}}}`, "F A P B"},
	} {
		r, err := JSON([]Source{Bytes("f", []byte(test.sample))}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		accepts(t, r, []byte(test.sample))
		var names []string
		for _, m := range r.Schema.Messages {
			names = append(names, m.Name)
		}
		if got := strings.Join(names, " "); got != test.messages {
			t.Errorf("%s: the messages are %s, want %s", test.sample, got, test.messages)
		}
	}
}
