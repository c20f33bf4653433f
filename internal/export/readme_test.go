package export

import (
	"fmt"
	"strings"
	"testing"

	"assay/contender"
	"assay/internal/infer"
	"assay/schema"
)

// README.md shows no values of records, because users commit it and others read it.
func TestReadmeShowsNoValues(t *testing.T) {
	const card, mail, bad, only = "4111111111111111", "ada@example.org", "not-a-number", "Lovelace"
	var sample strings.Builder
	for i := range 30 {
		fmt.Fprintf(&sample, `{"name":%q,"card":%q,"by":{%q:{"n":%d,"m":1},"b@example.org":{"n":2,"m":2}}}`+"\n", only, card, mail, i)
	}
	fmt.Fprintf(&sample, `{"name":%q,"card":%q,"by":{%q:{"n":%q,"m":1}}}`+"\n{\"name\":\"x\"}\n", only, card, mail, bad)
	cond, err := infer.ParseOnly("name=" + only)
	if err != nil {
		t.Fatal(err)
	}
	o := inferred(t, "cards.ndjson", []byte(sample.String()), infer.Options{
		SkipBad: true, Only: []infer.Only{cond}, Overrules: []infer.Overrule{{Path: "by.*.n", Type: "int64"}},
	})
	o.About.Notes = append(o.About.Notes, "a note on the schema")
	values := []string{card, mail, bad, only}

	var reasons strings.Builder
	for _, g := range o.About.Guesses {
		reasons.WriteString(g.Reason)
	}
	for _, v := range values {
		if said := reasons.String() + strings.Join(o.About.Notes, ""); !strings.Contains(said, v) {
			t.Fatalf("no reason and no note shows %q, so that this tests nothing: %s", v, said)
		}
	}
	readme := func() string {
		m := moduleOf(t, o)
		return m.file("README.md")
	}
	got := readme()
	for _, v := range values {
		if strings.Contains(got, v) {
			t.Errorf("README.md shows %q:\n%s", v, got)
		}
	}
	for _, kept := range []string{"- `card` is string; otherwise `--type card=int64`\n", "`assay data infer FILE --details` prints them", "- a note on the schema\n"} {
		if !strings.Contains(got, kept) {
			t.Errorf("README.md lacks %q:\n%s", kept, got)
		}
	}
	o.About.Run, o.About.Show = "20260102-150405-ab12", "assay show 20260102-150405-ab12"
	if got := readme(); !strings.Contains(got, "`assay show 20260102-150405-ab12` prints them") {
		t.Errorf("README.md does not name the run that has the reasons:\n%s", got)
	}
}

// README.md says that the tests read records of the user's only if there are some that they can read.
func TestReadmeOfRecords(t *testing.T) {
	const yours, madeUp = "records of yours, which are in `testdata`", "a made-up record, and records of yours once you write some"
	for _, test := range []struct {
		records []string
		neutral bool
		want    string
	}{
		{[]string{`{"size":1}`}, false, yours},
		{[]string{`{"size":1}`, `{"size":"NaN"}`}, true, yours},
		{[]string{`{"size":"NaN"}`}, true, madeUp},
		{nil, false, madeUp},
	} {
		o := Options{Root: "Node", Neutral: test.neutral, Schema: &schema.Schema{Name: "x", Roots: []string{"Node"}, Messages: []*schema.Message{
			{Name: "Node", Fields: []*schema.Field{{Name: "size", Number: 1, Type: schema.Type{Kind: schema.Float64}}}},
		}}}
		for _, r := range test.records {
			o.Records = append(o.Records, []byte(r))
		}
		m := &Module{Packages: []Package{{Contender: &contender.Contender{Name: "x"}}}}
		if err := m.testdata(o); err != nil {
			t.Fatal(err)
		}
		if got := (&readme{module: m, Options: o}).tested(); !strings.Contains(got, test.want) {
			t.Errorf("of %q: %s; want %q", test.records, got, test.want)
		}
	}
}
