package anonymize

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assay/internal/infer"
)

// kindsOf returns records that are alternately of two kinds. Each kind has two of the texts under key:
// beside its fields if inside is set, otherwise beside the object with its fields.
func kindsOf(key string, inside bool, texts [4]string) []byte {
	var b strings.Builder
	for i := range 6 {
		for k, fields := range []string{`"a1":%d,"a2":%d,"a3":%d,"a4":%d`, `"b1":"t%d","b2":"u%d","b3":"v%d","b4":"w%d"`} {
			fields = fmt.Sprintf(fields, i+11, i+12, i+13, i+14)
			if !inside {
				fields = `"payload":{` + fields + `}`
			}
			fmt.Fprintf(&b, "{%q:%q,%s}\n", key, texts[2*k+i%2], fields)
		}
	}
	return []byte(b.String())
}

// Texts that tell kinds apart are replaced as data, unless their key says that they name kinds.
func TestTags(t *testing.T) {
	customers := [4]string{"Acme", "Globex", "Initech", "Umbrella"}
	events := [4]string{"push", "pull", "opened", "closed"}
	for _, test := range []struct {
		key    string
		inside bool
		texts  [4]string
		kept   int // how many of the texts are kept
	}{
		{"customer", false, customers, 0},
		{"customer", true, customers, 0},
		{"type", false, events, 2}, // each of the two types is named after one text
		{"type", true, events, 4},
		{"eventKind", true, events, 4},
	} {
		data := kindsOf(test.key, test.inside, test.texts)
		s, out := sampleOf(t, data, infer.Options{Name: "f"})
		if !s.Same {
			t.Errorf("%s: the schema changed", test.key)
		}
		if test.kept > 0 {
			check(t, s, infer.Options{Name: "f"})
		}
		became := map[string]map[string]bool{}
		kept := 0
		for i, line := range originals(t, s) {
			var before, after map[string]any
			if json.Unmarshal([]byte(line), &before) != nil || json.Unmarshal([]byte(out[i]), &after) != nil {
				t.Fatal(line, out[i])
			}
			b, a := before[test.key].(string), after[test.key].(string)
			if became[b] == nil {
				became[b] = map[string]bool{}
				if a == b {
					kept++
				}
			}
			became[b][a] = true
		}
		different := map[string]bool{}
		for b, all := range became {
			if len(all) != 1 {
				t.Errorf("%s: %q became %v", test.key, b, all)
			}
			for a := range all {
				different[a] = true
			}
		}
		if kept != test.kept || len(different) != 4 {
			t.Errorf("%s, inside %v: %d texts are kept, want %d: %v", test.key, test.inside, kept, test.kept, became)
		}
	}
}

// If the user gives the schema, its texts are kept, also under a key that no struct tag can hold.
func TestTagsOfSchema(t *testing.T) {
	customers := [4]string{"Acme", "Globex", "Initech", "Umbrella"}
	base, err := infer.JSON([]infer.Source{infer.Bytes("f", kindsOf("custo_mer", true, customers))}, infer.Options{Name: "f"})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"custo_mer", "custo,mer"} {
		s, out := sampleOf(t, kindsOf(key, true, customers), infer.Options{Schema: base.Schema})
		if !s.Same || !strings.Contains(out[0], `"`+key+`":"Acme"`) {
			t.Errorf("%s: %v: %s", key, s.Same, out[0])
		}
	}
}
