package measure

import (
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/published/sources"
	"assay/result"
)

// Every row of the sources has a case that assay can plan. A row without one would silently have
// no corrected number.
func TestSourceCasesAreOffered(t *testing.T) {
	all, err := sources.Load(assay.Source)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Input: Builtin()}
	cases := casesOf(all)
	sel, err := cfg.published(all, sourceMemory)
	if err != nil {
		t.Fatal(err)
	}
	if len(sel.Cases) != len(cases) || len(sel.Live()) < len(cases)/2 {
		t.Errorf("%d cases, %d planned, %d live", len(cases), len(sel.Cases), len(sel.Live()))
	}
	for _, o := range sel.Outcomes {
		if !strings.Contains(o.Reason, "takes about") || !strings.Contains(o.Reason, "; add --giants") { // too large is a valid answer
			t.Errorf("%s: %s", o.Case, o.Reason)
		}
	}
	// Exactly the cases that are too large are planned as whole values.
	p, wholes, err := cfg.WholesForSources(result.Plan{Stream: &result.StreamPlan{}}, all)
	if err != nil || p.Stream.Repeats != wholeRepeats || len(wholes.Cases) != len(sel.TooLarge) || len(wholes.Cases) == 0 {
		t.Errorf("%d whole values of %d that are too large, each in %d processes: %v", len(wholes.Cases), len(sel.TooLarge), p.Stream.Repeats, err)
	}
	for _, c := range wholes.Cases {
		c.Mode = ""
		if !slices.Contains(sel.TooLarge, c) {
			t.Errorf("%s is not too large", c)
		}
	}
	if bad, err := cfg.Explicit([]result.Case{{Workload: "movie", Size: "record=one", Contender: "nope", Op: result.Encode}}); err != nil || len(bad.Outcomes) != 1 || len(bad.Contenders) != 0 {
		t.Errorf("a case that is not offered: %+v, %v", bad, err)
	}
}
