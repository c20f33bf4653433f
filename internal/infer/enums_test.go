package infer

import (
	"fmt"
	"strings"
	"testing"

	"assay/schema/text"
)

// Texts that may be an enum give one guess for all kinds of a union. The guess counts all texts that
// the flag makes an enum.
func TestEnumsOfKinds(t *testing.T) {
	sample := func(begin, end string) string {
		var b strings.Builder
		for i := range 20 {
			b.WriteString(`{"ph":"` + string(begin[i%2]) + `","cat":"x` + string("ab"[i%2]) + `","dur":1,"start":2,"thread":3}` + "\n")
			b.WriteString(`{"ph":"` + end + `","cat":"y` + string("ab"[i%2]) + `","id":"0x1","scope":"s","name":"n"}` + "\n")
		}
		return b.String()
	}
	for _, test := range []struct{ name, sample, want string }{
		{"texts of all", sample("XB", "e"), "ph: 40 texts are one of 3, such as \"X\"|cat: 40 texts are one of 4, such as \"xa\""},
		{"texts that would have one name", sample("EB", "e"), "cat: 40 texts are one of 4, such as \"xa\""},
	} {
		r := inferred(t, test.sample)
		var got []string
		for _, g := range r.Guesses {
			if strings.HasSuffix(g.Overrule, "=enum") {
				got = append(got, g.Path+": "+g.Reason)
			}
		}
		if all := strings.Join(got, "|"); all != test.want {
			t.Errorf("%s: the guesses are %s, want %s", test.name, all, test.want)
		}
		if len(unionsOf(r.Schema)) != 1 {
			t.Errorf("%s: it is no union", test.name)
		}
		overruleAll(t, test.name, "", Bytes("f", []byte(test.sample)))
	}
}

// An enum that the user wants may have many texts wherever they are: in rows, in values that are now
// a list and now one of its elements, and in a message that two places share.
func TestEnumOfManyTexts(t *testing.T) {
	rows, tags, places := `["city","n"]`, `{"tag":["t01","t02"]}`, ""
	const person = `{"id":%d,"name":"n%[1]d","since":"2026-01-01T00:00:00Z","score":1.5,"state":"%s%02[1]d"}`
	for i := range 30 {
		rows += fmt.Sprintf(` ["c%02d",%d]`, i, i)
		tags += fmt.Sprintf(` {"tag":"t%02d"}`, i)
		places += `{"author":` + fmt.Sprintf(person, i, "a") + `,"editor":` + fmt.Sprintf(person, i, "b") + "} "
	}
	for _, test := range []struct{ sample, path, want string }{
		{rows, "city", `name = "city", type = "City"`},
		{tags, "tag[]", `name = "tag", type = "[]Tag"`},
		{places, "author.state", `name = "state", type = "State"`},
	} {
		messages, _, r := messagesOf(t, test.sample, "", Options{Overrules: []Overrule{{test.path, "enum"}}})
		if fields := strings.Join(strings.Fields(string(text.Format(r.Schema))), " "); !strings.Contains(fields, test.want) || strings.Count(fields, "State") > 4 {
			t.Errorf("%s: %s of\n%s", test.path, messages, text.Format(r.Schema))
		}
	}
}
