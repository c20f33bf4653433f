package infer

import (
	"fmt"
	"strings"
	"testing"

	"assay/schema/text"
)

// Objects under one key that are within one another, each with keys of its own, are
// maps: the properties of schemas. Those that no other is within are structs, and so
// are levels of a tree with the same keys.
func TestTreeMaps(t *testing.T) {
	describe := func(name func(i, k int) string, inner string) string {
		var all []string
		for i, place := range []string{"order", "customer", "page"} {
			all = append(all, fmt.Sprintf(`"%s":{"type":"object","properties":{"%s":{"type":"text","size":%d%s},"%s":{"type":"form","pattern":"x","form":"y"},"%s":{"type":"range","least":1,"most":9,"step":2},"%s":{"type":"choice","choices":["a"]}}}`,
				place, name(i, 0), i, strings.ReplaceAll(inner, "NAME", name(i, 5)), name(i, 1), name(i, 2), name(i, 3)))
		}
		return "{" + strings.Join(all, ",") + "}"
	}
	own := func(i, k int) string { return string(rune('a'+i)) + string(rune('a'+k)) + "x" }
	same := func(_, k int) string { return string(rune('a'+k)) + "x" }
	for _, c := range []struct{ name, data, want string }{
		{"within one another", describe(own, `,"properties":{"NAME":{"type":"text"}}`), "map[string]Order"}, // which is of the tree too
		{"the same keys", describe(same, `,"properties":{"NAME":{"type":"text"}}`), "Properties"},
		{"no tree", describe(own, ""), "Properties"},
		{"not objects only", describe(own, `,"properties":{"NAME":true}`), "Properties"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := JSON([]Source{Bytes("data.ndjson", []byte(c.data))}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			accepts(t, r, []byte(c.data))
			if got := firstOf(r, "properties"); got != c.want {
				t.Errorf("the properties are %s, want %s:\n%s", got, c.want, text.Format(r.Schema))
			}
		})
	}
}

// Messages whose key is taken are called after the keys on the way to them, and one
// whose key is a number after what it is one of.
func TestNamesOfWays(t *testing.T) {
	data := `{"get":{"responses":{"200":{"body":{"a":1,"b":2}},"other":{"body":{"c":"x"},"why":"y","to":"z"}}},"put":{"responses":{"200":{"body":{"d":[1],"e":true}},"other":{"text":"u","at":"z"}}}}`
	r, err := JSON([]Source{Bytes("calls.json", []byte(data))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range r.Schema.Messages {
		names = append(names, m.Name)
	}
	if got, want := strings.Join(names, " "), "Call Get Response Body Put Responses Response200 Response200Body Other"; got != want {
		t.Errorf("the messages are called %s, want %s", got, want)
	}
}

// firstOf is the type of the first field of a name.
func firstOf(r *Result, name string) string {
	for _, m := range r.Schema.Messages {
		for _, f := range m.Fields {
			if f.Name == name {
				return text.FormatType(f.Type)
			}
		}
	}
	return "none"
}
