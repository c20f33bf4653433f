package infer

import (
	"bytes"
	"os"
	"testing"
)

// The path in a guess about a field that only the lower levels of a tree have leads to such a level.
func TestDeepFieldOfTree(t *testing.T) {
	const data = `{"id":1,"body":"a","score":1,"replies":[{"id":2,"body":"b","score":2,"replies":[{"id":3,"body":"c","score":3,"edited":"2026-01-02T03:04:05Z"}],"edited":"2026-01-02T03:04:06Z"}]}
{"id":4,"body":"d","score":4}`
	from := Bytes("tree.ndjson", []byte(data))
	r, err := JSON([]Source{from}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range r.Guesses {
		if g.Decision != "timestamp" {
			continue
		}
		if _, err := JSON([]Source{from}, Options{Overrules: []Overrule{{g.Path, "string"}}}); err != nil {
			t.Errorf("the flag of the guess is refused: %v", err)
		}
		return
	}
	t.Errorf("there is no such guess: %+v", r.Guesses)
}

// The schema has all fields of a tree of several kinds, at every depth. Joining two of its nodes also
// joins the nodes within them, which may be the same nodes again. In these trees, no key is one of
// kinds.
func TestTreesOfKinds(t *testing.T) {
	s := made(t, "syntax")
	for _, n := range []int{30, 80} {
		sample := bytes.ReplaceAll(s.JSON(n), []byte(`"type"`), []byte(`"is"`))
		for _, rules := range []string{"", "type expression.is=enum", "struct expression.loc.end"} {
			r, err := JSON([]Source{Bytes(s.File(), sample)}, Options{Overrules: overrules(t, rules)})
			if err == nil {
				err = r.Lines(func(_, _ []byte) error { return nil })
			}
			if err != nil {
				t.Errorf("%d records, %q: %v", n, rules, err)
			}
		}
	}
}

// A key of a tree whose values are sometimes a list of nodes and sometimes a node is a union, and the
// records stay objects.
func TestTreeWithListOrNode(t *testing.T) {
	r := inferred(t, `{"type":"P","start":1,"end":2,"body":[{"type":"E","start":1,"end":2,"body":{"type":"B","start":1,"end":2,"body":[]}},`+
		`{"type":"E","start":1,"end":2,"body":[{"type":"E","start":1,"end":2,"body":[]}]}]}`)
	if m := r.Schema.Message(r.Root); m.Wraps || len(m.Fields) != 4 {
		t.Fatalf("the records are %+v", m)
	}
	if got := fieldType(r, "body"); got != "BodyUnion" {
		t.Errorf("the type is %s", got)
	}
}

// A syntax tree in which a value may be a truth value, a node, or a list of nodes stays a tree of
// objects. If all of its nodes were joined at once, they would be joined with such values too, and the
// record would be kept as the text of its JSON.
func TestTangle(t *testing.T) {
	data, err := os.ReadFile("testdata/trees/tangle.json")
	if err != nil {
		t.Fatal(err)
	}
	r := inferred(t, string(data))
	if m := r.Schema.Message(r.Root); m.Wraps || len(r.Schema.Messages) < 2 {
		t.Errorf("%d messages, and the records are %+v", len(r.Schema.Messages), m)
	}
}
