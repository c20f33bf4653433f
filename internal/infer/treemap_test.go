package infer

import (
	"fmt"
	"strings"
	"testing"

	"assay/schema/text"
)

// Nested objects under one key, each with its own keys, are maps, such as the properties in schemas.
// Objects that are not nested are structs, and so are levels of a tree with the same keys.
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
		{"within one another", describe(own, `,"properties":{"NAME":{"type":"text"}}`), "map[string]Order"}, // the root is of the tree too
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

// If the name of a message is taken, its name has the keys on the way to it. If its key is a number,
// its name begins with the singular of the key before it.
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

// firstOf returns the type of the first field with a name.
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
