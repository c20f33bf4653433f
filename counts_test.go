package assay

import (
	"math"
	"testing"

	"assay/internal/analysis"
	"assay/result"
)

// Intervals of a few sets of CPU time counts cover what the other sets of the stored default run
// say about as often as 95% intervals should, and not more often.
func TestStoredCountsCover(t *testing.T) {
	run, records, _, err := result.Read("docs/evidence/default-run")
	if err != nil {
		t.Fatal(err)
	}
	const sets = 4
	groups := 0
	for _, r := range records {
		if r.Steady != nil {
			groups = max(groups, (r.Steady.Index+1)/sets)
		}
	}
	// ratios returns those by the sets whose index is wanted.
	ratios := func(wanted func(int) bool) map[result.Case]analysis.Interval {
		var some []result.Record
		for _, r := range records {
			if r.Steady == nil || wanted(r.Steady.Index) {
				some = append(some, r)
			}
		}
		out := map[result.Case]analysis.Interval{}
		for _, table := range analysis.Of(run, some, analysis.View{}).Tables {
			for _, row := range table.Rows {
				if row.Metric == analysis.CPUTime && row.Ratio != nil && row.Ratio.Lo < row.Ratio.Hi {
					out[row.Case] = *row.Ratio
				}
			}
		}
		return out
	}
	covered, all := 0, 0
	for group := range groups {
		in := func(index int) bool { return index/sets == group }
		few, rest := ratios(in), ratios(func(index int) bool { return !in(index) })
		for c, i := range few {
			other, ok := rest[c]
			if !ok {
				continue
			}
			// Both have an error, so the distance is compared with both half-widths.
			away, half := math.Log(other.Value/i.Value), math.Log(i.Hi/i.Value)
			half = math.Hypot(half, math.Log(other.Hi/other.Value))
			if all++; math.Abs(away) <= half {
				covered++
			}
		}
	}
	if all < 400 {
		t.Fatalf("%d ratios of %d groups", all, groups)
	}
	if got := float64(covered) / float64(all); got < 0.93 || got > 0.985 {
		t.Errorf("%.1f%% of %d intervals of %d sets cover the others", 100*got, all, sets)
	}
}
