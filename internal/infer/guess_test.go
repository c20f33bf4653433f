package infer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/guess"
	"assay/internal/samples"
)

// ndjson returns records, one on each line.
func ndjson(records ...string) []byte { return []byte(strings.Join(records, "\n") + "\n") }

// many repeats a record, with its number inserted.
func many(n int, record string) []byte {
	var b bytes.Buffer
	for i := range n {
		b.WriteString(strings.ReplaceAll(record, "%d", fmt.Sprint(i)) + "\n")
	}
	return b.Bytes()
}

// Values get these types and guesses, without and with the user's answers.
func TestGuesses(t *testing.T) {
	keys := func(n int, format, value string) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf(format, i)+":"+value)
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	for _, test := range []struct {
		name      string
		sample    []byte
		overrules string // flags, as "map a" and "type a=json"
		typ       string // the type of v
		guesses   string // the guesses about v and the values in it: each decision and its flag
		line      string // the first line
	}{
		{name: "struct", sample: ndjson(`{"v":{"x":1,"y":2}}`), typ: "V", line: `{"v":{"x":1,"y":2}}`},
		{name: "struct made a map", sample: ndjson(`{"v":{"x":1,"y":2}}`), overrules: "map v", typ: "map[string]int64", line: `{"v":{"x":1,"y":2}}`},
		{name: "keys that are numbers", sample: ndjson(`{"v":{"17":1,"4":2,"250":null}}`), typ: "map[string]VOrNull",
			guesses: "a map; --struct v|keys of a map as text; --type 'v=map[int64]'", line: `{"v":{"17":{"value":1},"4":{"value":2},"250":{"value":null}}}`},
		{name: "keys that are numbers, as numbers", sample: ndjson(`{"v":{"17":1,"4":2}}`), overrules: "type v=map[uint32]", typ: "map[uint32]int64", line: `{"v":{"17":1,"4":2}}`},
		{name: "keys that are numbers, as a struct", sample: ndjson(`{"v":{"17":1,"4":2}}`), overrules: "struct v", typ: "V", line: `{"v":{"17":1,"4":2}}`},
		{name: "dates", sample: ndjson(`{"v":{"2024-01-01":{"n":1},"2024-01-02":{"n":2}}}`), typ: "map[string]V", guesses: "a map; --struct v", line: `{"v":{"2024-01-01":{"n":1},"2024-01-02":{"n":2}}}`},
		{name: "very many keys", sample: ndjson(`{"v":` + keys(12000, `"k%dz"`, "[1]") + `}`), typ: "map[string]VItems", guesses: "a map; --struct v"},
		{name: "few of many keys", sample: ndjson(`{"v":{"ab":1,"bc":2}}`, `{"v":{"cd":1,"de":2}}`, `{"v":{"ef":1,"fg":2}}`, `{"v":{"gh":1,"ab":2}}`, `{"v":{"hi":1}}`), typ: "map[string]int64", guesses: "map[string]int64; --struct v"},
		{name: "optional", sample: ndjson(`{"u":1,"v":1}`, `{"u":1}`), typ: "*int64", line: `{"u":1,"v":1}`},
		{name: "null", sample: ndjson(`{"v":1.5}`, `{"v":null}`), typ: "*float64", line: `{"v":1.5}`},
		{name: "times", sample: ndjson(`{"v":"2024-01-01T00:00:00Z"}`, `{"v":"2024-01-01T00:00:00.100-23:59"}`), typ: "timestamp", guesses: "timestamp; --type v=string", line: `{"v":"2024-01-01T00:00:00Z"}`},
		{name: "times as text", sample: ndjson(`{"v":"2024-01-01T00:00:00Z"}`), overrules: "type v=string", typ: "string", line: `{"v":"2024-01-01T00:00:00Z"}`},
		{name: "the year 0", sample: ndjson(`{"v":"0000-01-01T00:00:00Z"}`), typ: "string", line: `{"v":"0000-01-01T00:00:00Z"}`},
		{name: "the year 10000", sample: ndjson(`{"v":"9999-12-31T23:59:59-01:00"}`), typ: "string", line: `{"v":"9999-12-31T23:59:59-01:00"}`},
		{name: "the year 0, as times", sample: ndjson(`{"v":"0000-01-01T00:00:00+01:00"}`), overrules: "type v=timestamp", typ: "timestamp", line: `{"v":{"unix":-62167222800,"nanos":0,"offset":3600}}`},
		{name: "times and another text", sample: ndjson(`{"v":"2024-01-01T00:00:00Z"}`, `{"v":"never"}`), typ: "string", line: `{"v":"2024-01-01T00:00:00Z"}`},
		{name: "finer than nanoseconds", sample: ndjson(`{"v":"2024-01-01T00:00:00.0123456789Z"}`), typ: "string", line: `{"v":"2024-01-01T00:00:00.0123456789Z"}`},
		{name: "dates without a time", sample: ndjson(`{"v":"2024-01-01"}`), typ: "string", line: `{"v":"2024-01-01"}`},
		{name: "numbers in quotes", sample: ndjson(`{"v":"12.50"}`, `{"v":"3"}`), typ: "string", guesses: "string; --type v=float64", line: `{"v":"12.50"}`},
		{name: "numbers in quotes, a whole one first", sample: ndjson(`{"v":"3"}`, `{"v":"12.50"}`), typ: "string", guesses: "string; --type v=float64", line: `{"v":"3"}`},
		{name: "whole numbers in quotes", sample: ndjson(`{"v":"3"}`, `{"v":"-9223372036854775808"}`), typ: "string", guesses: "string; --type v=int64", line: `{"v":"3"}`},
		{name: "large numbers in quotes", sample: ndjson(`{"v":"3"}`, `{"v":"9223372036854775808"}`), typ: "string", guesses: "string; --type v=uint64", line: `{"v":"3"}`},
		{name: "large and negative numbers in quotes", sample: ndjson(`{"v":"-3"}`, `{"v":"9223372036854775808"}`), typ: "string", guesses: "string; --type v=float64", line: `{"v":"-3"}`},
		{name: "numbers in quotes that nothing holds", sample: ndjson(`{"v":"3"}`, `{"v":"1e999"}`), typ: "string", line: `{"v":"3"}`},
		{name: "numbers in quotes, as numbers", sample: ndjson(`{"v":"12.50"}`, `{"v":"3"}`), overrules: "type v=float64", typ: "float64", line: `{"v":12.5}`},
		{name: "few texts", sample: many(40, `{"v":"in stock"}{"v":"sold-out"}{"v":""}`), typ: "string", guesses: "string; --type v=enum", line: `{"v":"in stock"}`},
		{name: "few texts, as an enum", sample: many(40, `{"v":"in stock"}{"v":"sold-out"}{"v":""}{}`), overrules: "type v=enum", typ: "*V", line: `{"v":0}`},
		{name: "many texts", sample: many(400, `{"v":"t%d"}`), typ: "string", line: `{"v":"t0"}`},
		{name: "mixed", sample: ndjson(`{"v":1}`, `{"v":{"a" : [ ]}}`, `{}`), typ: "*VUnion", guesses: "a union: number or object; --type v=json|a list of strings; --type v.a=json", line: `{"v":{"number":1,"object":null}}`},
		{name: "mixed, as JSON", sample: ndjson(`{"v":1}`, `{"v":{"a" : [ ]}}`, `{}`), overrules: "type v=json", typ: "*string", line: `{"v":"1"}`},
		{name: "mixed, left out", sample: ndjson(`{"u":1,"v":1}`, `{"u":1,"v":"a"}`), overrules: "type v=none", typ: "none", line: `{"u":1}`},
		{name: "mixed, as text", sample: ndjson(`{"v":12}`, `{"v":"a"}`), overrules: "type v=string", typ: "string", line: `{"v":"12"}`},
		{name: "nothing", sample: ndjson(`{"u":1,"v":[]}`, `{"u":1,"v":null}`), typ: "[]string", guesses: "a list of strings; --type v=json", line: `{"u":1,"v":[]}`},
		{name: "nothing, left out", sample: ndjson(`{"u":1,"v":[]}`, `{"u":1,"v":null}`), overrules: "type v=none", typ: "none", line: `{"u":1}`},
		{name: "nothing, kept", sample: ndjson(`{"u":1,"v":[]}`, `{"u":1,"v":null}`), overrules: "type v=json", typ: "*string", line: `{"u":1,"v":"[]"}`},
		{name: "list", sample: ndjson(`{"v":["a","b"]}`), typ: "[]string", line: `{"v":["a","b"]}`},
		{name: "list with nulls", sample: ndjson(`{"v":["a",null]}`), typ: "[]VOrNull", line: `{"v":[{"value":"a"},{"value":null}]}`},
		{name: "list of mixed values", sample: ndjson(`{"v":["a",null,1]}`, `{"v":[1]}`), typ: "[]VOrNull", guesses: "a union: text or number; --type 'v[]=json'",
			line: `{"v":[{"value":{"text":"a","number":null}},{"value":null},{"value":{"text":null,"number":1}}]}`},
		{name: "list of lists", sample: ndjson(`{"v":[[1,2],[],[3]]}`), typ: "[]VItems", line: `{"v":[[1,2],[],[3]]}`},
		{name: "list of maps", sample: ndjson(`{"v":[{"1":1},{"2":2}]}`), typ: "[]VMap", guesses: "map[string]int64; --struct 'v[]'|keys of a map as text; --type 'v[]=map[int64]'", line: `{"v":[{"1":1},{"2":2}]}`},
		{name: "row", sample: ndjson(`{"v":[1,"a",null]}`, `{"v":[2,"b",true]}`), typ: "V", guesses: "a message of 3 fields; --type v=list", line: `{"v":{"f1":1,"f2":"a","f3":null}}`},
		{name: "rows and empty lists", sample: ndjson(`{"v":[1,"a"]}`, `{"v":[]}`), typ: "*V", guesses: "a message of 2 fields; --type v=list", line: `{"v":{"f1":1,"f2":"a"}}`},
		{name: "row as a list", sample: ndjson(`{"v":[1,"a"]}`, `{"v":[2,"b"]}`), overrules: "type v=list", typ: "[]VUnion", guesses: "a union: text or number; --type 'v[]=json'", line: `{"v":[{"text":null,"number":1},{"text":"a","number":null}]}`},
		{name: "list as a row", sample: ndjson(`{"v":[1,2]}`, `{"v":[3,4]}`), overrules: "type v=row", typ: "V", line: `{"v":{"f1":1,"f2":2}}`},
		{name: "in any key of a map", sample: ndjson(`{"v":{"1":"2","2":"3"}}`), overrules: "type v.*=int64", typ: "map[string]int64",
			guesses: "map[string]int64; --struct v|keys of a map as text; --type 'v=map[int64]'", line: `{"v":{"1":2,"2":3}}`},
		{name: "bytes and durations", sample: ndjson(`{"v":"aGk=","w":"1m30s"}`, `{"v":"","w":12}`), overrules: "type v=bytes|type w=duration", typ: "bytes", line: `{"v":"aGk=","w":90000000000}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := Options{Overrules: overrules(t, test.overrules)}
			r, err := JSON([]Source{Bytes("f", test.sample)}, o)
			if err != nil {
				t.Fatal(err)
			}
			if test.overrules == "" {
				accepts(t, r, test.sample)
			}
			if got := fieldType(r, "v"); got != test.typ {
				t.Errorf("the type is %s, want %s", got, test.typ)
			}
			if diff := cmp.Diff(test.guesses, decisions(r)); diff != "" {
				t.Errorf("guesses -want +got\n%s", diff)
			}
			if got := strings.TrimSpace(string(write(t, r)[0])); test.line != "" && got != test.line {
				t.Errorf("got  %s\nwant %s", got, test.line)
			}
		})
	}
}

// decisions returns the guesses, each with the flag that overrules it.
func decisions(r *Result) string {
	var all []string
	for _, g := range r.Guesses {
		all = append(all, g.Decision+"; "+g.Overrule)
	}
	return strings.Join(all, "|")
}

// Messages under one key that are nearly the same are one type, unless a value would then be described
// less exactly.
func TestShared(t *testing.T) {
	for _, test := range []struct{ sample, messages, guesses string }{
		{`{"a":{"p":{"x":1,"y":2}},"b":{"p":{"x":1,"y":2}},"c":1}`, "F AOrB P", "b is one type with a, AOrB"},
		{`{"a":{"q":1,"p":{"x":1,"y":2,"z":3,"u":4,"v":5}},"b":{"p":{"x":1,"y":2,"z":3,"u":4}}}`, "F A P B", "b.p is one type with a.p, P"},
		{`{"a":{"q":1,"p":{"x":1,"y":2,"z":3,"u":4,"v":5}},"b":{"p":{"x":1,"y":"2","z":3,"u":4}}}`, "F A P B BP", ""},
		{`{"a":{"q":1,"p":{"x":1,"t":"2024-01-01T00:00:00Z"}},"b":{"p":{"x":1,"t":"soon"}}}`, "F A P B BP", "a.p.t is timestamp"},
		{`{"a":{"q":1,"p":{"x":1,"y":[1,2]}},"b":{"p":{"x":1,"y":["c"]}}}`, "F A P B BP", ""},
		{`{"from":{"x":1,"y":2},"to":{"x":3,"y":4}}`, "F Point", "to is one type with from, Point"},
		{`{"from":{"x":1},"to":{"x":3}}`, "F FromOrTo", "to is one type with from, FromOrTo"},
		{`{"n":"a","kids":[{"n":"b","kids":[{"n":"c","kids":[]}]}]}`, "F", "kids[] is one type with ., F"},
		{`{"user_id":1,"userid":2,"User-Id":3}`, "F", ""},
	} {
		r, err := JSON([]Source{Bytes("f", []byte(test.sample))}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		accepts(t, r, []byte(test.sample))
		var messages, guesses []string
		for _, m := range r.Schema.Messages {
			messages = append(messages, m.Name)
		}
		for _, g := range r.Guesses {
			guesses = append(guesses, g.Path+" is "+g.Decision)
		}
		if m, g := strings.Join(messages, " "), strings.Join(guesses, "|"); m != test.messages || g != test.guesses {
			t.Errorf("%s\ngot messages %s, guesses %s", test.sample, m, g)
		}
	}
}

// Names of fields differ in more than case and underscores, and none is the name of a method or a Go
// keyword.
func TestNames(t *testing.T) {
	sample := `{"user_id":1,"userid":2,"User-Id":3,"x":"4","getX":5,"XX":6,"size":7,"Size":8,"type":9,"":10,"1a":11,"é":12,"` + strings.Repeat("long", 40) + `":13}`
	r, err := JSON([]Source{Bytes("type.json", []byte(sample))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	accepts(t, r, []byte(sample))
	var names []string
	for _, f := range r.Schema.Message(r.Root).Fields {
		names = append(names, f.Name)
	}
	want := "user_id userid_2 user_id_3 x get_x_2 xx size_ size_2 type field f1a ue9 " + strings.Repeat("long", 15)
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if r.Schema.Name != "type_data" || r.Root != "Type" {
		t.Errorf("the schema is called %s, its root %s", r.Schema.Name, r.Root)
	}
}

// The flag of every guess overrules it, unless the data do not allow that.
func TestOverrulesOfGuesses(t *testing.T) {
	sample := ndjson(`{"m":{"1":1},"t":"2024-01-01T00:00:00Z","u":18446744073709551615,"x":1,"r":[1,"a"],"a":{"p":1,"q":"b","a":{"p":1,"q":"b"}},"s":"12","n":null}`,
		`{"m":{"2":1},"t":"2024-01-01T00:00:00Z","u":18446744073709551615,"x":"b","r":[1,"a"],"a":{"p":1,"q":"b","a":{"p":1,"q":"b"}},"s":"13","n":null}`)
	r, err := JSON([]Source{Bytes("f", sample)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Guesses) < 7 {
		t.Errorf("%d guesses", len(r.Guesses))
	}
	for _, g := range r.Guesses {
		words := strings.SplitN(strings.ReplaceAll(g.Overrule, "'", ""), " ", 2)
		rule, err := ParseOverrule(strings.TrimPrefix(words[0], "--"), words[1])
		if err != nil {
			t.Errorf("%s: %v", g.Overrule, err)
			continue
		}
		other, err := JSON([]Source{Bytes("f", sample)}, Options{Overrules: []Overrule{rule}})
		if err != nil {
			t.Errorf("%s: %v", g.Overrule, err)
			continue
		}
		for _, still := range other.Guesses {
			if still == g {
				t.Errorf("%s changes nothing", g.Overrule)
			}
		}
	}
}

// mixture counts values that stand for lists of one element among the values of their own kind.
func TestMixture(t *testing.T) {
	lists := func(kind valueKind) *list { return &list{seen: 1, alone: alone{1, kind}} }
	for _, test := range []struct {
		n    node
		want string
	}{
		{node{ints: 1, strings: 2, object: &object{seen: 1}, list: lists("number")}, "2 numbers, 2 texts, 1 object and 1 list"},
		{node{strings: 2, list: lists("object")}, "2 texts, 1 object and 1 list"},
		{node{list: lists("truth value")}, "1 truth value and 1 list"},
		{node{floats: 1, list: &list{seen: 2}}, "1 number and 2 lists"},
	} {
		if got := test.n.mixture(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestParseOverrule(t *testing.T) {
	for _, test := range []struct{ flag, value, want string }{
		{"map", "a.b", "--map a.b"},
		{"struct", `"a.b"[]`, `--struct '"a.b"[]'`},
		{"type", "a=json", "--type a=json"},
		{"type", `"x=y"=int64`, `--type '"x=y"=int64'`},
		{"type", ".=row", "--type .=row"},
		{"type", "a", `"a" is no PATH=TYPE, as in user.id=string`},
		{"type", "=json", `"" is no path: it is empty; write keys as in user.name, [] for the elements of a list, * for the values of a map, and . for the record`},
		{"map", `"a`, `"\"a" is no path: a quotation mark is not closed; write keys as in user.name, [] for the elements of a list, * for the values of a map, and . for the record`},
		{"type", "a=strin", `a: there is no type "strin"; did you mean "string"?`},
	} {
		o, err := ParseOverrule(test.flag, test.value)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = o.String()
		}
		if got != test.want {
			t.Errorf("%s %s: got %s, want %s", test.flag, test.value, got, test.want)
		}
	}
}

// FuzzPath checks that a path with any keys is parsed as it was written.
func FuzzPath(f *testing.F) {
	for _, s := range []string{".", "a.b[]", `"a.b"[].*.c`, `[]`, `*`, `"*"`, `""`, `"\u00ff\x80"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := parsePath(s)
		if err != nil {
			return
		}
		again, err := parsePath(p.String())
		if err != nil || again.String() != p.String() || len(again) != len(p) {
			t.Errorf("%q is %v, then %v, %v", s, p, again, err)
		}
	})
}

// The guess that texts are times says how many of them are lost in formats that count nanoseconds.
func TestFarTimes(t *testing.T) {
	data := `{"v":"0001-01-01T00:00:00Z","w":"2024-01-01T00:00:00Z"}{"v":"2024-01-01T00:00:00Z","w":"2262-01-01T00:00:00+01:00"}{"v":"1677-01-01T00:00:00+01:00","w":"1678-01-01T00:00:00Z"}`
	r, err := JSON([]Source{Bytes("f", []byte(data))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, g := range r.Guesses {
		got[g.Path] = g.Reason
	}
	if want := "each of the 3 texts is a time by RFC 3339, 1 with an offset from UTC, 2 outside of the years 1678 to 2261, which formats that count nanoseconds lose (assay explain time-range)"; got["v"] != want {
		t.Errorf("v: %s\nwant %s", got["v"], want)
	}
	if want := "each of the 3 texts is a time by RFC 3339, 1 with an offset from UTC"; got["w"] != want {
		t.Errorf("w: %s\nwant %s", got["w"], want)
	}
}

// Each guess has the right Effect.
func TestEffects(t *testing.T) {
	tests := []struct {
		sample   string
		decision string // the beginning of the decision
		want     guess.Effect
	}{
		{`{"v":"x"} {"v":[["a"]]}`, "a string with", guess.Text},
		{`{"v":[1,[2]]} {"v":[[3],1,2]}`, "a string with", guess.Text},
		{`{"v":123456789012345678901234567890}`, "a string with", guess.Text},
		{`{"v":1,"n":1} {"v":null,"n":2} {"n":3}`, "a value, null or absent", guess.Presence},
		{`{"v":{"a":1}} {"v":""}`, "null where", guess.Presence},
		{`{"v":"1500-01-01T00:00:00Z"}`, "timestamp", guess.Presence},
		{`{"v":"2026-01-01T00:00:00Z"}`, "timestamp", guess.Type},
		{`{"v":1.5} {"v":9007199254740993}`, "float64", guess.Presence},
		{`{"v":18446744073709551615}`, "uint64", guess.Type},
		{`{"v":1} {"v":"a"}`, "a union", guess.Structure},
		{`{"v":"a"} {"v":["b","c"]}`, "a list, without brackets", guess.Structure},
		{`{"v":{"1":{"a":1},"2":{"a":1},"3":{"a":1},"4":{"a":2}}}`, "a map", guess.Structure},
		{`{"v":[1,"a"]} {"v":[2,"b"]}`, "a message of 2", guess.Structure},
		{`{"from":{"lat":1.5,"lon":2.5,"z":1},"to":{"lat":3.5,"lon":4.5,"z":2}}`, "one type with", guess.Name},
		{strings.Repeat(`{"v":"550e8400-e29b-41d4-a716-446655440000"} {"v":"550e8400-e29b-41d4-a716-446655440001"} `, 8), "a string that uuid", guess.Saving},
		{`{"v":null}  {"v":null,"w":1}`, "a string that is always null", guess.Type},
	}
	for _, test := range tests {
		r := inferred(t, test.sample)
		i := slices.IndexFunc(r.Guesses, func(g guess.Guess) bool { return strings.HasPrefix(g.Decision, test.decision) })
		if i < 0 {
			t.Errorf("%s: no decision begins with %q: %v", test.sample, test.decision, r.Guesses)
		} else if got := r.Guesses[i].Effect; got != test.want {
			t.Errorf("%s: the effect of %q is %q, want %q", test.sample, r.Guesses[i].Decision, got, test.want)
		}
	}
	for _, s := range samples.All() {
		r, err := JSON([]Source{Bytes(s.File(), s.JSON(0))}, Options{Records: s.Records})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range r.Guesses {
			if g.Effect == "" {
				t.Errorf("%s: nothing says what %s can do to the result: %s", s.Name, g.Path, g.Decision)
			}
		}
	}
}
