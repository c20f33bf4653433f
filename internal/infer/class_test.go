package infer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assay/schema/text"
)

func TestClass(t *testing.T) {
	for raw, want := range map[string]string{
		`null`: "", `true`: "b", `false`: "b", `1`: "#", `-1.5e3`: "#", `"a"`: "t", `""`: "", `{"a":1}`: "{",
		`[]`: "[", `[null]`: "[", `[1,2]`: "[#", `[[1],[]]`: "[[#", `[[],[[2]]]`: "[[[#", `[1,"a"]`: "[*", `[1,[2]]`: "[*", `["",[1]]`: "[[#", `[1`: "*",
	} {
		if got := classOf([]byte(raw)); got != want {
			t.Errorf("%s is of class %q, want %q", raw, got, want)
		}
	}
	for _, c := range []struct {
		a, b   string
		differ bool
	}{
		{"", "t", false}, {"#", "#", false}, {"#", "t", true}, {"[", "[[#", false}, {"[#", "[[#", true}, {"[", "{", true}, {"[*", "[#", false}, {"[[[#", "[[#", true}, {"[t", "[#", true},
	} {
		if differ(c.a, c.b) != c.differ || differ(c.b, c.a) != c.differ {
			t.Errorf("%q and %q differ: %t, want %t", c.a, c.b, differ(c.a, c.b), c.differ)
		}
	}
}

// A text beside a value that goes with the value's type makes a union, unless the text has so many
// different values that it would go with any type.
func TestUnionByType(t *testing.T) {
	depths := []string{`[1.5,2]`, `[[1,2],[3.25,4]]`, `[[[1,2],[3,4]]]`}
	for _, c := range []struct {
		name, in  string
		overrules []Overrule
		want      string // the unions; or the types of fields, if no union is needed
	}{
		{"number or text", rows(12, func(i int) string {
			return fmt.Sprintf(`{"id":%d,"is":%q,"value":%s}`, i, []string{"int", "str"}[i%2], []string{"5", `"five"`}[i%2])
		}), nil, "T(is) int:int str:str"},
		{"kinds of one depth are one", rows(12, func(i int) string {
			return fmt.Sprintf(`{"type":%q,"at":%s}`, []string{"Point", "Line", "MultiPoint", "Area"}[i%4], depths[[]int{0, 1, 1, 2}[i%4]])
		}), nil, "T(type) Point:Point Line:Line|MultiPoint Area:Area"},
		{"null and empty are of any kind", rows(12, func(i int) string {
			return fmt.Sprintf(`{"type":%q,"at":%s}`, []string{"Point", "Line"}[i%2], []string{`[1,2]`, `[[1,2]]`, `[]`, `[]`}[i%4])
		}), nil, "T(type) Point:Point Line:Line"},
		{"each record has a name of its own", rows(12, func(i int) string {
			return fmt.Sprintf(`{"name":"n%d","value":%s}`, i, []string{"5", `"five"`}[i%2])
		}), nil, "ValueUnion() text: number:"},
		{"a kind has several types itself", rows(12, func(i int) string {
			return fmt.Sprintf(`{"type":%q,"at":%s}`, []string{"Point", "Line"}[i%2], depths[i%3])
		}), nil, ""},
		{"too few to be sure", rows(3, func(i int) string {
			return fmt.Sprintf(`{"is":%q,"at":%s}`, []string{"Point", "Line", "Area"}[i%3], depths[i%3])
		}), nil, ""},
		{"few, of a key that says kind", rows(3, func(i int) string {
			return fmt.Sprintf(`{"type":%q,"at":%s}`, []string{"Point", "Line", "Area"}[i%3], depths[i%3])
		}), nil, "T(type) Point:Point Line:Line Area:Area"},
		{"few, whose kinds JSON tells", rows(2, func(i int) string {
			return fmt.Sprintf(`{"type":%q,"at":%s}`, []string{"int", "str"}[i%2], []string{"5", `"five"`}[i%2])
		}), nil, "AtUnion() text: number:"},
		{"few, and asked for", rows(3, func(i int) string {
			return fmt.Sprintf(`{"is":%q,"at":%s}`, []string{"Point", "Line", "Area"}[i%3], depths[i%3])
		}), []Overrule{{Path: ".", Type: "union"}}, "T(is) Point:Point Line:Line Area:Area"},
		{"a type that was asked for stays", rows(12, func(i int) string {
			return fmt.Sprintf(`{"type":%q,"at":%s}`, []string{"Point", "Line", "Area"}[i%3], depths[i%3])
		}), []Overrule{{Path: "at", Type: "json"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := JSON([]Source{Bytes("t.ndjson", []byte(c.in))}, Options{Overrules: c.overrules})
			if err != nil {
				t.Fatal(err)
			}
			accepts(t, r, []byte(c.in))
			if got := strings.Join(unionsOf(r.Schema), "; "); got != c.want {
				t.Errorf("the unions are %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzClass compares the classes of JSON texts with those of the values that encoding/json reads.
func FuzzClass(f *testing.F) {
	for _, seed := range []string{`[[1,2],[]]`, `{"a":[1]}`, `[null,"",[["x"]]]`, `["\u003c<",-0]`, `[`, `"\`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var h htmlSeen
		h.text(data)
		class := classOf(data)
		var v any
		if json.Unmarshal(data, &v) != nil {
			return
		}
		if want := classOfValue(v); class != want {
			t.Errorf("%s is of class %q, want %q", data, class, want)
		}
		if escaped := bytes.Contains(bytes.ToLower(data), []byte(`u003c`)); h.escaped && !escaped && !bytes.Contains(bytes.ToLower(data), []byte(`u003e`)) && !bytes.Contains(data, []byte(`u0026`)) {
			t.Errorf("%s is taken for escaped", data)
		}
	})
}

func classOfValue(v any) string {
	switch v := v.(type) {
	case bool:
		return "b"
	case float64:
		return "#"
	case string:
		if v != "" {
			return "t"
		}
	case map[string]any:
		return "{"
	case []any:
		class := ""
		for _, e := range v {
			class = sameClass(class, classOfValue(e))
		}
		return "[" + class
	}
	return ""
}

// The same objects at two places are a union at both places, and both have one type.
func TestUnionShared(t *testing.T) {
	value := func(i int) string {
		return []string{`{"value":"x","type":"string"}`, `{"value":{"id":"q1","n":1},"type":"entity"}`}[i%2]
	}
	r := inferred(t, rows(12, func(i int) string { return fmt.Sprintf(`{"main":%s,"ref":%s}`, value(i), value(i+1)) }))
	if got, want := fieldType(r, "main")+" "+fieldType(r, "ref"), "MainOrRef MainOrRef"; got != want || !r.Schema.Message("MainOrRef").Union {
		t.Errorf("the types are %s, want %s, a union\n%s", got, want, text.Format(r.Schema))
	}
}

// Ids do not tell kinds apart. A few objects are not enough for a union.
func TestNoUnion(t *testing.T) {
	kind := func(i int) string { return string('x' + rune(i%2)) }
	fields := func(i int) string {
		var b strings.Builder
		for n := range 6 {
			fmt.Fprintf(&b, `,"%s%d":1`, kind(i), n)
		}
		return b.String()
	}
	for name, test := range map[string]struct {
		in  string
		tag string // the tag of the union at of; empty: there is no union
	}{
		"an id by its key":      {rows(8, func(i int) string { return fmt.Sprintf(`{"of":{"node_id":"%s"%s}}`, kind(i), fields(i)) }), ""},
		"a type by its id":      {rows(8, func(i int) string { return fmt.Sprintf(`{"of":{"type_id":"%s"%s}}`, kind(i), fields(i)) }), "type_id"},
		"an id by how it looks": {rows(8, func(i int) string { return fmt.Sprintf(`{"of":{"ref":"MDEzOkNvbW1pdENv%s"%s}}`, kind(i), fields(i)) }), ""},
		"a sentence": {rows(8, func(i int) string {
			return fmt.Sprintf(`{"of":{"body":"You are totally right, %s!"%s}}`, kind(i), fields(i))
		}), ""},
		"a hash": {rows(8, func(i int) string { return fmt.Sprintf(`{"of":{"ref":"00ff00ff00ff%d"%s}}`, i%2, fields(i)) }), ""},
	} {
		r := inferred(t, test.in)
		if m := r.Schema.Message("Of"); m == nil || !m.Union || m.Tag != test.tag {
			t.Errorf("%s: want a union with the tag %q\n%s", name, test.tag, text.Format(r.Schema))
		}
	}
	absent := inferred(t, rows(9, func(i int) string {
		return []string{`{"v":80}`, `{"v":"http"}`, `{"v":[1,2]}`, `{"v":null}`, `{"v":true}`, `{"v":[]}`, `{"v":{}}`, `{"v":-1}`, `{"u":1}`}[i]
	}))
	if absent.Schema.Message(absent.Root).Union {
		t.Error("records with one field that is absent, and values of several kinds, are a union")
	}
	few := inferred(t, rows(7, func(i int) string { return fmt.Sprintf(`{"of":{"type":"%s"%s}}`, kind(i), fields(i)) }))
	if few.Schema.Message("Of").Union {
		t.Error("seven objects are a union")
	}
}

func inferred(t *testing.T, in string) *Result {
	t.Helper()
	r, err := JSON([]Source{Bytes("t", []byte(in))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	accepts(t, r, []byte(in))
	return r
}

// rows returns n lines, each with a result of one.
func rows(n int, one func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(one(i) + "\n")
	}
	return b.String()
}
