package report

import (
	"io"
	"slices"
	"strings"
	"testing"

	"assay/internal/analysis"
)

// Every format for people says what the run warns about, such as a budget that was over too early.
// A ruling or a reproduction rests on the run like any table.
func TestWarningsOfRuns(t *testing.T) {
	const text = "the budget was over too early"
	add := func(r *analysis.Results) { r.Warnings = append(slices.Clone(r.Warnings), analysis.Warning{Text: text}) }
	results := rich()
	add(results)
	rulings := claimed()
	rulings.Results = results
	details := *rulings
	details.Details = true
	again := reproducedSources(false)
	add(again.Results)
	for name, write := range map[string]func(w io.Writer) error{
		"claims":              func(w io.Writer) error { return ClaimsText(w, rulings, Options{}) },
		"claims with details": func(w io.Writer) error { return ClaimsText(w, &details, Options{}) },
		"page of claims":      func(w io.Writer) error { return ClaimsMarkdown(w, rulings) },
		"reproduce":           func(w io.Writer) error { return ReproduceText(w, again, Options{}) },
		"reproduce in full":   func(w io.Writer) error { return ReproduceText(w, again, Options{Details: true}) },
		"page of a source":    func(w io.Writer) error { return ReproduceMarkdown(w, again, Options{Files: "x"}) },
	} {
		var out strings.Builder
		if err := write(&out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n := strings.Count(out.String(), text); n != 1 {
			t.Errorf("%s says it %d times:\n%s", name, n, out.String())
		}
	}
}
