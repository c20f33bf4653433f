package report

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"assay/internal/analysis"
)

// If a filter leaves nothing to compare of two runs on the same records, the records are not named
// as the reason. What only one run has is said in any case.
func TestPairOfNothing(t *testing.T) {
	const reason = "the records or the schema differ"
	run, records := richRun()
	other, others := rival()
	view := analysis.View{Contender: analysis.Match{Include: regexp.MustCompile("^mus$")}}
	changes, err := analysis.Compare(&analysis.Side{Label: "A", Run: run, Records: records}, &analysis.Side{Label: "B", Run: other, Records: others}, view)
	if err != nil || len(changes.Rows) > 0 {
		t.Fatalf("%d rows, %v", len(changes.Rows), err)
	}
	for _, same := range []bool{true, false} {
		p := &TryPair{A: tried(), B: tried(), Changes: changes}
		if !same {
			p.B.Data.Hash = "other"
		}
		for name, write := range map[string]func(io.Writer) error{
			"text": func(w io.Writer) error { return TryPairText(w, p, Options{Width: 200}) },
			"md":   func(w io.Writer) error { return TryPairMarkdown(w, p) },
		} {
			var b strings.Builder
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			for want, there := range map[string]bool{
				reason: !same, "the two sides share no case in view": true, "only in A: movie/values=64/mus (output=reuse)/encode": true,
			} {
				if strings.Contains(b.String(), want) != there {
					t.Errorf("%s of the same records %t: %q is there: %t, want %t, in\n%s", name, same, want, !there, there, &b)
				}
			}
		}
	}
}
