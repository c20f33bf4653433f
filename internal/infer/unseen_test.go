package infer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/internal/guess"
)

// words does not split the plural of an acronym.
func TestAcronyms(t *testing.T) {
	for key, want := range map[string]string{
		"podIPs": "pod ips", "imageURLsSeen": "image urls seen", "ExecIDs": "exec ids", "CPUs": "cpus", "IDs_2": "ids 2",
		"HTTPServer": "http server", "getURLString": "get url string", "isASet": "is a set", "userID": "user id", "DNSSEC": "dnssec",
	} {
		if got := strings.Join(words(key), " "); got != want {
			t.Errorf("the words of %s are %q, want %q", key, got, want)
		}
	}
}

// Every spelling is suggested, even if many others save more.
func TestManySuggestions(t *testing.T) {
	var sample strings.Builder
	for i := range 10 {
		for k := range 7 {
			fmt.Fprintf(&sample, "%s\"k%d\":\"%08x-0000-4000-8000-00000000000%d\"", map[bool]string{true: "{", false: ","}[k == 0], k, i+1, k)
		}
		fmt.Fprintf(&sample, ",\"price\":\"%d.50\",\"at\":%d}\n", i+1, 1767225600000+int64(i)*61000)
	}
	r, err := JSON([]Source{Bytes("f", []byte(sample.String()))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"k6", "price", "at"} {
		if !slices.ContainsFunc(r.Guesses, func(g guess.Guess) bool { return g.Path == at }) {
			t.Errorf("nothing is suggested for %s; the guesses are %+v", at, r.Guesses)
		}
	}
}

// An object with a few texts, some of them optional, is a struct even beside a map of texts.
func TestAuthorBesideMap(t *testing.T) {
	var sample strings.Builder
	for i := range 20 {
		author := []string{`{"name":"n"}`, `{"name":"n","email":"e"}`, `{"name":"n","url":"u"}`}[i%3]
		fmt.Fprintf(&sample, "{\"settings\":{\"k%c\":\"v\",\"k%c\":\"w\"},\"author\":%s}\n", 'a'+i, 'b'+i, author)
	}
	if messages, _, _ := messagesOf(t, sample.String(), "", Options{}); messages != "F Author" {
		t.Errorf("the messages are %s", messages)
	}
}

// Names of kinds may have slashes, as media types do.
func TestKindsWithSlashes(t *testing.T) {
	var sample strings.Builder
	for range 6 {
		sample.WriteString(`{"type":"text/plain","text":"t","charset":"utf-8","lang":"en"}
{"type":"image/png","width":5,"height":6,"alt":"a","src":"x"}
{"type":"application/json","schema":"s","bytes":7,"depth":2,"keys":["k"]}
`)
	}
	if messages, _, _ := messagesOf(t, sample.String(), "", Options{}); messages != "F TextPlain ImagePng ApplicationJson" {
		t.Errorf("the messages are %s", messages)
	}
}

// A list in the nodes of a tree is at many places, so no note offers its elements at one place as
// records.
func TestNoRecordsInTrees(t *testing.T) {
	var fills strings.Builder
	for i := range 12 {
		fmt.Fprintf(&fills, ",{\"color\":%d}", i)
	}
	node := `{"id":"c","name":"x","kind":"t","fills":[` + fills.String()[1:] + `],"children":[]}`
	sample := `{"version":1,"document":{"id":"a","name":"x","kind":"d","children":[{"id":"b","name":"y","kind":"t","children":[` + node + "," + node + `]}]}}`
	r, err := JSON([]Source{Bytes("f", []byte(sample))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, note := range r.Notes {
		if strings.Contains(note, "fills") {
			t.Errorf("a note says: %s", note)
		}
	}
}

// A reference with a few fields of a record is a type of its own, so that the record's fields stay
// required. A node of a tree that lacks some fields still has the tree's type.
func TestReferencesInRecords(t *testing.T) {
	const many = `"summary":"s","status":{"name":"n","id":1},"f1":1,"f2":2,"f3":3,"f4":4,"f5":5,"f6":6`
	for _, test := range []struct{ name, sample, messages string }{
		{"within what it has few of", `{"id":1,"key":"k","fields":{` + many + `,"parent":{"id":2,"key":"l","fields":{"summary":"s","status":{"name":"n","id":1}}}}}`, "F Fields Status Parent ParentFields"},
		{"in a list", `{"id":1,"key":"k","fields":{` + many + `,"links":[{"type":"t","to":{"id":2,"key":"l","fields":{"summary":"s","status":{"name":"n","id":1}}}}]}}`, "F Fields Status Link To ToFields"},
		{"under the same key", `{"issue":{` + many + `,"parent":{"issue":{"summary":"s","status":{"name":"n","id":1}}}}}`, "F Issue Status Parent ParentIssue"},
		{"with most of the fields", `{"id":1,"key":"k","fields":{` + many + `,"parent":{"id":2,"key":"l","fields":{` + many + `}}}}`, "F Fields Status"},
		{"identifiers under the same key", `{"data":[{"type":"t","id":"1","text":"x","size":1,"by":{"data":{"type":"p","id":"2"}}},{"type":"t","id":"2","text":"x","size":1,"by":{"data":null}}]}`, "F Data By ByData"},
		{"leaves under the same key", `{"data":[{"type":"t","id":"1","text":"x","size":1,"by":{"data":{"type":"p","id":"2","by":{"data":{"type":"p","id":"3"}}}}}]}`, "F Data By"},
		{"leaves that lack little", `{"data":[{"type":"t","id":"1","text":"x","by":{"data":{"type":"p","id":"2"}}}]}`, "F Data By"},
		{"without some", `{"id":1,"key":"k","fields":{` + many + `,"parent":{"id":2,"key":"l","fields":{"summary":"s","status":{"name":"n","id":1},"f1":1}}}}`, "F Fields Status"},
	} {
		if messages, _, _ := messagesOf(t, test.sample, "", Options{}); messages != test.messages {
			t.Errorf("%s: the messages are %s, want %s", test.name, messages, test.messages)
		}
	}
}

// A few objects of one shape under a plural are a map of things by name if each record has other keys,
// or if the keys are capitalized differently from the keys around them.
func TestFewNamedThings(t *testing.T) {
	const network, picture = `{"NetworkID":"a","Gateway":"b","Prefix":16}`, `{"url":"u","width":1,"height":2}`
	records := func(key, value string, names ...string) string {
		var b strings.Builder
		for _, keys := range names {
			var all []string
			for k := range strings.FieldsSeq(keys) {
				all = append(all, fmt.Sprintf("%q:%s", k, value))
			}
			fmt.Fprintf(&b, "{\"u\":1,%q:{%s}}\n", key, strings.Join(all, ","))
		}
		return b.String()
	}
	for _, test := range []struct {
		name, key, sample string
		isMap             bool
	}{
		{"names that differ", "pictures", records("pictures", picture, "roof garden", "kitchen", "hall", "garden", "stairs"), true},
		{"names that differ, under no plural", "picture", records("picture", picture, "roof garden", "kitchen", "hall", "garden", "stairs"), false},
		{"three records", "pictures", records("pictures", picture, "roof garden", "kitchen", "hall"), false},
		{"a name that is always there", "pictures", records("pictures", picture, "small", "small large", "small", "small huge", "small"), false},
		{"names that most have", "pictures", records("pictures", picture, "small large", "small large", "large huge", "small huge", "large"), false},
		{"things with two fields", "pictures", records("pictures", `{"url":"u","width":1}`, "roof garden", "kitchen", "hall", "garden", "stairs"), false},
		{"things of other fields", "pictures", strings.Replace(records("pictures", picture, "roof garden", "kitchen", "hall", "garden", "stairs"), `"url":"u","width":1`, `"a":1,"b":2`, 1), false},
		{"names written otherwise", "Networks", records("Networks", network, "my_net bridge"), true},
		{"one name written otherwise", "Networks", records("Networks", network, "bridge"), false},
		{"names written as keys are", "Networks", records("Networks", network, "My Bridge"), false},
		{"names written as other keys are", "Networks", records("Networks", picture, "my_net bridge"), false},
	} {
		r := inferred(t, test.sample)
		if got := fieldType(r, test.key); strings.HasPrefix(got, "map[") != test.isMap {
			t.Errorf("%s: the type is %s", test.name, got)
		}
	}
}

// Unions of the same kinds are one type, whatever the order of the kinds in the sample. A union of some
// of these kinds has that type too.
func TestUnionsOfTheSameKinds(t *testing.T) {
	kinds := map[string]string{"card": `"number":"n","brand":"v","expiry":1`, "bank": `"iban":"i","bic":"b","holder":"h"`, "cash": `"till":3,"given":5,"change":2`, "note": `"text":"t","lang":"l","size":2`}
	kinds["credit"], kinds["debit"] = kinds["card"], kinds["card"]
	sample := func(tagged bool, places ...string) string {
		var b strings.Builder
		for i := range 24 {
			b.WriteString(`{"id":1`)
			for p, names := range places {
				all := strings.Fields(names)
				name := all[i%len(all)]
				tag := map[bool]string{true: fmt.Sprintf(`"type":%q,`, name)}[tagged]
				fmt.Fprintf(&b, `,"p%c":{%s%s}`, 'a'+p, tag, kinds[name])
			}
			b.WriteString("}\n")
		}
		return b.String()
	}
	for _, test := range []struct {
		name, sample string
		unions       int
	}{
		{"in another order", sample(true, "card bank cash", "cash bank card"), 1},
		{"told by keys, in another order", sample(false, "card bank cash", "cash bank card"), 1},
		{"a part of them", sample(true, "card bank cash", "bank card"), 1},
		{"a part of them, first", sample(true, "bank card", "card bank cash"), 1},
		{"a part of them, told by keys", sample(false, "card bank cash", "cash bank"), 1},
		{"a part, of which others have more", sample(true, "card bank cash", "card bank cash note", "bank card"), 1},
		{"a kind with more texts", sample(true, "card credit bank", "card bank"), 1},
		{"a kind with more texts, later", sample(true, "card bank", "card credit bank"), 1},
		{"a kind with other texts", sample(true, "card credit bank", "debit bank"), 1},
		{"others", sample(true, "card bank cash", "note card"), 2},
	} {
		r := inferred(t, test.sample)
		if got := unionsOf(r.Schema); len(got) != test.unions {
			t.Errorf("%s: %d unions, want %d\n%s", test.name, len(got), test.unions, strings.Join(got, "\n"))
		}
		overruleAll(t, test.name, "", Bytes("f", []byte(test.sample)))
	}
}
