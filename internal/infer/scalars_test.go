package infer

import (
	"fmt"
	"strings"
	"testing"

	"assay/schema/text"
)

// Objects with a single scalar are not a union with a kind for each key.
func TestSingleScalars(t *testing.T) {
	sample := func(key, value string, keys ...string) string {
		var b strings.Builder
		for i := range 24 {
			fmt.Fprintf(&b, "{\"id\":%d,%q:{%q:%s}}\n", i, key, keys[i%len(keys)], value)
		}
		return b.String()
	}
	keys := strings.Fields("page size sort order query limit")
	for _, test := range []struct{ name, key, sample, want string }{
		{"texts under a plural", "parameters", sample("parameters", `"a"`, keys...), "map[string]string"},
		{"numbers under a plural", "counts", sample("counts", "7", keys...), "map[string]int64"},
		{"texts under no plural", "query", sample("query", `"a"`, keys...), "Query"},
		{"few keys", "parameters", sample("parameters", `"a"`, keys[:4]...), "Parameters"},
	} {
		r := inferred(t, test.sample)
		for _, f := range r.Schema.Message(r.Root).Fields {
			if got := text.FormatType(f.Type); f.Name == test.key && got != test.want {
				t.Errorf("%s: the type is %s, want %s", test.name, got, test.want)
			}
		}
		if unions := unionsOf(r.Schema); len(unions) > 0 {
			t.Errorf("%s: there is a union: %s", test.name, unions)
		}
		overruleAll(t, test.name, "", Bytes("f", []byte(test.sample)))
	}
	// Under the same keys, objects instead of scalars do give a union.
	r := inferred(t, sample("step", `{"a":1,"b":2}`, keys...))
	if unions := unionsOf(r.Schema); len(unions) != 1 {
		t.Errorf("objects by their key: %s", unions)
	}
}

// If two texts tell the type of a value, inference takes the one whose key is one of kinds.
func TestTypeBeforeKey(t *testing.T) {
	const line = `{"tags":[{"key":"code","type":"int64","value":200},{"key":"error","type":"bool","value":true},{"key":"name","type":"string","value":"x"}]}` + "\n"
	r := inferred(t, strings.Repeat(line, 12))
	if got := strings.Join(unionsOf(r.Schema), "|"); got != "Tag(type) int64:int64 bool:bool string:string" {
		t.Errorf("the union is %s", got)
	}
}
