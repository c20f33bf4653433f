package page

import (
	"html"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/result"
)

func TestWithoutConditions(t *testing.T) {
	got := withoutConditions([]string{"try", "a=b.ndjson", "--only", "customer.email=alice@example.com", "--only=type=order", "--only", "customer", "-q"})
	want := []string{"try", "a=b.ndjson", "--only", "customer.email=…", "--only=type=…", "--only", "customer", "-q"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// versions returns a stored comparison of versions.
func versions(t *testing.T) *analysis.Comparison {
	t.Helper()
	run, records, _, err := result.Read(runs + "versions")
	if err != nil {
		t.Fatal(err)
	}
	labels := analysis.Sides(run, records)
	if len(labels) != 2 {
		t.Fatalf("the run has the versions %q", labels)
	}
	sideOf := func(label string) *analysis.Side {
		return &analysis.Side{Label: label, Run: run, Records: records, Version: label}
	}
	c, err := analysis.Compare(sideOf(labels[0]), sideOf(labels[1]), analysis.View{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The page of a comparison of versions shows the second version, says so, and keeps the samples of
// the two apart.
func TestOfVersions(t *testing.T) {
	c := versions(t)
	run, records := c.B.Run, c.B.Records
	labels := []string{c.A.Version, c.B.Version}
	s := OfComparison(c)
	second := analysis.Of(run, records, analysis.View{Side: labels[1]})
	for i, row := range second.Tables[0].Rows {
		if got := s.Results.Tables[0].Rows[i]; row.Metric == analysis.Time && got.Number.Value != row.Number.Value {
			t.Errorf("%s takes %v, want the %v of %s", row.Case, got.Number.Value, row.Number.Value, labels[1])
		}
	}
	page := write(t, s)
	if want := "the run compared two versions: this shows " + labels[1]; !strings.Contains(page, html.EscapeString(want)) {
		t.Errorf("the page does not say %q", want)
	}
	if strings.Contains(page, "assay show ") {
		t.Error("the page names a command that prints the first version")
	}
	sides := map[string]bool{}
	for _, r := range records {
		if r.Launch != nil {
			sides[pack(r.Launch).Side] = true
		}
	}
	if !sides[labels[0]] || !sides[labels[1]] || sides[""] {
		t.Errorf("samples are of %v", sides)
	}
}

// The page of a comparison of versions shows what the second version was built with, as it shows its
// numbers, and what differs from the first. If that is not known, it does not show the first one's build instead.
func TestBuildsOfVersions(t *testing.T) {
	const first, second = "<td>go1.26.8\n", "<td>go1.25.3\n"
	c := versions(t)
	if page := write(t, OfComparison(c)); strings.Contains(page, first) {
		t.Error("an older run: the page shows the first build beside the numbers of the second version")
	}
	of := c.A.Run.Build
	of.Go, of.GOAMD64 = "go1.25.3", "v3"
	c.A.Run.SecondBuild = &of // one run has both sides
	c, err := analysis.Compare(c.A, c.B, analysis.View{})
	if err != nil {
		t.Fatal(err)
	}
	page := write(t, OfComparison(c))
	if strings.Contains(page, first) || !strings.Contains(page, second) {
		t.Error("the page does not show the Go of the second version alone")
	}
	if want := "the two differ in: go go1.26.8 → go1.25.3; GOAMD64 v1 → v3"; !strings.Contains(page, html.EscapeString(want)) {
		t.Errorf("the page does not say %q", want)
	}
}
