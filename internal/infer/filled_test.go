package infer

import (
	"fmt"
	"strings"
	"testing"
)

// If a tag's key is one of kinds, the objects are a union even if each kind has optional fields,
// provided that one struct would have far fewer of its fields.
func TestKindsWithOptionalFields(t *testing.T) {
	contents := []string{
		`{"body":"a","format":"b"}`, `{"body":"a","url":"u"}`, `{"body":"a","file":"f"}`, `{"body":"a","reply":{"to":1}}`, `{"body":"a"}`, `{"body":"a"}`,
		`{"membership":"j","name":"n"}`, `{"membership":"j","name":"n"}`, `{"topic":"t"}`, `{"topic":"t"}`, `{"reason":"r"}`, `{"reason":"r"}`,
	}
	kinds := strings.Fields("message message message message message message member member topic topic redaction redaction")
	sample := func(key string, others bool) string {
		var b strings.Builder
		for i := range 4 * len(kinds) {
			content := contents[i%len(kinds)]
			if others { // the kinds do not go with the fields
				content = contents[i*5%7]
			}
			fmt.Fprintf(&b, "{%q:%q,\"content\":%s}\n", key, kinds[i%len(kinds)], content)
		}
		return b.String()
	}
	for _, test := range []struct {
		name, sample string
		isUnion      bool
	}{
		{"told by a type", sample("type", false), true},
		{"told by a name", sample("name", false), false},
		{"merely optional", sample("type", true), false},
	} {
		r := inferred(t, test.sample)
		m := r.Schema.Message("Content")
		if m.Union != test.isUnion {
			t.Errorf("%s: a union is %v: %v", test.name, m.Union, m.Fields)
		}
		overruleAll(t, test.name, "", Bytes("f", []byte(test.sample)))
	}
}
