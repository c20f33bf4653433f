package infer

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/internal/samples"
	"assay/schema"
	"assay/schema/text"
)

// Values of several kinds are a union with a variant for each kind.
func TestUnionByKind(t *testing.T) {
	const kept, text = `type = "string", json_text = true`, "a string with the value's JSON; --type v=none"
	union := func(kinds string) string { return "a union: " + kinds + "; --type v=json" }
	for _, test := range []fieldTest{
		{name: "a number or a text", sample: ndjson(`{"v":80}`, `{"v":"http"}`, `{"v":0}`, `{"v":""}`), field: `type = "VUnion"`, guesses: union("text or number"),
			lines: `{"v":{"text":null,"number":80}} {"v":{"text":"http","number":null}} {"v":{"text":null,"number":0}} {"v":{"text":"","number":null}}`},
		{name: "numbers with a fraction", sample: ndjson(`{"v":1}`, `{"v":true}`, `{"v":1.5}`), field: `type = "VUnion"`, guesses: union("number or truth value"),
			lines: `{"v":{"number":1.0,"flag":null}} {"v":{"number":null,"flag":true}} {"v":{"number":1.5,"flag":null}}`},
		{name: "a text or an object", sample: ndjson(`{"v":"x"}`, `{"v":{"a":1,"b":"c"}}`, `{"v":{"a":2}}`), field: `type = "VUnion"`, guesses: union("text or object"),
			lines: `{"v":{"text":"x","object":null}} {"v":{"text":null,"object":{"a":1,"b":"c"}}} {"v":{"text":null,"object":{"a":2,"b":null}}}`},
		{name: "a text or objects without keys", sample: ndjson(`{"v":"x"}`, `{"v":{}}`), field: `type = "VUnion"`, guesses: union("text or object") + "|a map of strings; --type v=json",
			lines: `{"v":{"text":"x","object":null}} {"v":{"text":null,"object":{}}}`},
		{name: "an object or lists of objects, of one too", sample: ndjson(`{"v":{"a":1,"b":2}}`, `{"v":[{"c":"x","d":"y"}]}`), field: `type = "VUnion"`, guesses: "a union: list or object; --type v=list",
			lines: `{"v":{"items":null,"object":{"a":1,"b":2}}} {"v":{"items":[{"c":"x","d":"y"}],"object":null}}`},
		{name: "null", sample: ndjson(`{"v":1}`, `{"v":null}`, `{"v":"a"}`), field: `type = "*VUnion"`, guesses: union("text or number")},
		{name: "absent", sample: ndjson(`{"u":1,"v":1}`, `{"u":1}`, `{"u":1,"v":"a"}`), field: `type = "*VUnion", omitempty = true`, guesses: union("text or number")},
		{name: "texts that are times", sample: ndjson(`{"v":1}`, `{"v":"2026-01-01T00:00:00Z"}`), field: `type = "VUnion"`, guesses: union("text or number"), lines: `{"v":{"text":null,"number":1}} {"v":{"text":"2026-01-01T00:00:00Z","number":null}}`},
		{name: "as JSON", sample: ndjson(`{"v":1}`, `{"v":"a"}`), overrules: "type v=json", field: kept, lines: `{"v":"1"} {"v":"\"a\""}`},
		{name: "the objects a map, asked for", sample: ndjson(`{"v":"x"}`, `{"v":{"a":1,"b":2}}`), overrules: "map v", field: `type = "VUnion"`, lines: `{"v":{"text":"x","object":null}} {"v":{"text":null,"object":{"a":1,"b":2}}}`},

		{name: "numbers that nothing holds", sample: ndjson(`{"v":"x"}`, `{"v":123456789012345678901234567890}`), field: kept, guesses: "a string with the value's JSON; --type v=string"},
		{name: "lists that are nested 16 deep", sample: ndjson(`{"v":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}`), field: `type = "[]VItems"`},
		{name: "lists that are nested deeper", sample: ndjson(`{"v":[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]}`), field: kept, guesses: "a string with the value's JSON; --type v=list"},
		{name: "lists of lists", sample: ndjson(`{"v":"x"}`, `{"v":[[1]]}`), field: kept, guesses: text},
		{name: "lists of several kinds, one of them lists", sample: ndjson(`{"v":"x"}`, `{"v":["a",[1]]}`), field: kept, guesses: text},
		{name: "lists of numbers that nothing holds", sample: ndjson(`{"v":"x"}`, `{"v":[-1,18446744073709551615]}`), field: kept, guesses: text},

		{name: "lists of several kinds", sample: ndjson(`{"v":"x"}`, `{"v":[1,"a"]}`), field: `type = "VUnion"`, guesses: union("text or list") + "|a union: text or number; --type 'v[]=json'",
			lines: `{"v":{"text":"x","items":null}} {"v":{"text":null,"items":[{"text":null,"number":1},{"text":"a","number":null}]}}`},
		{name: "lists of a text and an object", sample: ndjson(`{"v":"x"}`, `{"v":["a",{"b":1,"c":2}]}`, `{"v":["b",{"b":3,"c":4}]}`), field: `type = "VUnion"`, guesses: union("text or list") + "|a union: text or object; --type 'v[]=json'",
			lines: `{"v":{"text":"x","items":null}} {"v":{"text":null,"items":[{"text":"a","object":null},{"text":null,"object":{"b":1,"c":2}}]}} {"v":{"text":null,"items":[{"text":"b","object":null},{"text":null,"object":{"b":3,"c":4}}]}}`},
	} {
		t.Run(test.name, test.run)
	}
}

// A variant of a union by kind may be the message around the union, or be shared with a message at
// another place. That message does not become a union because of it.
func TestUnionByKindShared(t *testing.T) {
	for _, test := range []struct{ name, sample, messages string }{
		{"a tree", `{"n":"a","x":1,"in":{"n":"b","x":2,"in":{"n":"c","x":3,"in":true}}} {"n":"a","x":1,"in":false}`, "F InUnion"},
		{"beside an object alone", `{"by":{"id":1,"mail":"x","since":3},"owner":"y"} {"by":{"id":1,"mail":"x","since":3},"owner":{"id":2,"mail":"z","since":4}}`, "F ByOrOwner OwnerUnion"},
		{"two unions", `{"by":{"id":1,"mail":"x","since":3},"owner":"y"} {"by":"z","owner":{"id":2,"mail":"z","since":4}}`, "F ByOrOwnerUnion ByOrOwner"},
		{"of the same scalars", `{"a":1,"b":"x"} {"a":"y","b":2}`, "F TextOrNumber"},
	} {
		messages, _, r := messagesOf(t, test.sample, "", Options{})
		if messages != test.messages {
			t.Errorf("%s: the messages are %s, want %s\n%s", test.name, messages, test.messages, text.Format(r.Schema))
		}
	}
}

// For any part of a sample, no value is kept as the text of its JSON, and a message that contains
// itself stays a message.
func TestUnionByKindInTrees(t *testing.T) {
	i := slices.IndexFunc(samples.All(), func(s samples.Sample) bool { return s.Name == "packages" })
	lines := bytes.SplitAfter(samples.All()[i].JSON(0), []byte("\n"))
	for n := 1; n < len(lines); n += 1 + n/8 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			sample := bytes.Join(lines[:n], nil)
			r, err := JSON([]Source{Bytes("f", sample)}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			accepts(t, r, sample)
			for _, m := range r.Schema.Messages {
				for _, f := range m.Fields {
					if f.JSONText {
						t.Errorf("%s.%s is the text of its JSON", m.Name, f.Name)
					}
					if of := r.Schema.Message(f.Type.Ref); m.Name == r.Root && f.Name == "rule" && (of.Union || f.Type.Kind != schema.MessageKind) {
						t.Errorf("rule is %s", text.FormatType(f.Type))
					}
				}
			}
			if n > 100 && strings.Count(string(text.Format(r.Schema)), "[[messages]]") > 19 {
				t.Errorf("the tree is not one message:\n%s", text.Format(r.Schema))
			}
		})
	}
}

// Trees with values of all kinds are read whatever nodes are joined: objects that contain themselves,
// maps of such objects, and lists of both.
func TestTangled(t *testing.T) {
	samples := []string{
		`{"1":{"a":[],"name":{"number":{"a":{"null":[]}},"a":{}},"number":{},"items":{"$ref":{"name":{"number":{},"null":{"a":[]},"items":{"a":{}},"object":{"name":1},"on":{},"a":{}}},"properties":{"name":{"null":null,"items":null,"on":{},"a":{}},"number":{},"items":{}}}},"b":{"x-y":{},"name":{"m19":{"a":1},"m26":{"a":1}},"id":{"id":{},"name":{}}}}`,
		`{"$ref":{"1":[{"on":{}},{"on":{"$ref":{"a":null}}}]}} {"$ref":{"1":[{"on":1}]}}`,
		`{"name":{"items":[{},{"name":{}}]}} {"name":{"items":[{"name":[]},{}]}} {"name":{"items":[{"name":{}}]}} {"name":{"items":[{"name":{"number":1}}]}}`,
		`{"additionalProperties":{"anyOf":[{"examples":["x"]},{"examples":[{}]}]}} {"additionalProperties":{"anyOf":[{"examples":[{}]},{"examples":[null]}]}}`,
		`{"1":[{"name":{"1":[]}},{"name":{}}]} {"1":[{"name":1},{},{"name":{}}]}`,
	}
	n := uint64(600)
	if testing.Short() {
		n = 50
	}
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(anything(r, 2+r.IntN(5), true) + "\n")
		}
		samples = append(samples, b.String())
	}
	for i, sample := range samples {
		r, err := JSON([]Source{Bytes("f", []byte(sample))}, Options{})
		if err != nil && strings.Contains(err.Error(), "only nulls") {
			continue
		}
		if err != nil {
			t.Fatalf("sample %d: %v\n%s", i, err, sample)
		}
		accepts(t, r, []byte(sample))
	}
}

// anything returns a random JSON value, nested at most depth deep. If object is set, it is an object.
// There are few different keys, so that objects look like those around them.
func anything(r *rand.Rand, depth int, object bool) string {
	kind := r.IntN(10)
	if depth == 0 {
		kind = r.IntN(6)
	}
	if object {
		kind = 9
	}
	var parts []string
	switch {
	case kind < 6:
		return []string{"null", "1", "1.5", `"x"`, "true", `""`}[kind]
	case kind < 7:
		for range r.IntN(4) {
			parts = append(parts, anything(r, depth-1, false))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	keys := strings.Fields("a b c in of next items name")
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for i := range r.IntN(len(keys)) {
		parts = append(parts, fmt.Sprintf("%q:%s", keys[i], anything(r, depth-1, false)))
	}
	if r.IntN(8) == 0 { // a map
		for range 5 + r.IntN(8) {
			parts = append(parts, fmt.Sprintf(`"k%d":%s`, r.IntN(1e6), anything(r, depth-1, false)))
		}
	}
	return "{" + strings.Join(unique(parts), ",") + "}"
}

// unique returns the members of an object without those whose key occurred before.
func unique(members []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(members, func(m string) bool {
		key, _, _ := strings.Cut(m, ":")
		is := seen[key]
		seen[key] = true
		return is
	})
}

// Objects with empty lists among them do not count as only objects. Otherwise joinHeld would join them
// with the objects that a union has set aside, where there can be no lists.
func TestOnlyObjects(t *testing.T) {
	n := &node{object: &object{seen: 2, filled: 2}}
	if !n.onlyObjects() {
		t.Error("objects are not only objects")
	}
	if n.list = (&list{seen: 1, empty: 1}); n.onlyObjects() || !n.blank() {
		t.Error("an empty list is among the objects")
	}
}
