package assay

import (
	"math"
	"testing"

	"assay/internal/analysis"
	"assay/result"
)

// Ratios by a few sets of CPU time counts differ from those by the other sets of the stored default
// run by no more than both intervals allow, about as often as 95% intervals should, and not more
// often.
func TestStoredCountsCover(t *testing.T) {
	run, records, _, err := result.Read("docs/evidence/default-run")
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, r := range records {
		if r.Steady != nil {
			all = max(all, r.Steady.Index+1)
		}
	}
	// ratios returns those by the sets whose index is wanted, and by the first rounds of each.
	ratios := func(rounds int, wanted func(int) bool) map[result.Case]analysis.Interval {
		var some []result.Record
		for _, r := range records {
			if r.Steady != nil {
				if !wanted(r.Steady.Index) {
					continue
				}
				s := *r.Steady
				n := min(rounds, len(s.Round))
				s.Round, s.Ops, s.Wall, s.CPU, s.Cycles, s.GCCPU = s.Round[:n], s.Ops[:n], s.Wall[:n], s.CPU[:n], s.Cycles[:n], s.GCCPU[:n]
				r.Steady = &s
			}
			some = append(some, r)
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
	for _, test := range []struct{ sets, rounds int }{{4, 2}, {6, 1}} {
		agree, compared := 0, 0
		for group := range all / test.sets {
			in := func(index int) bool { return index/test.sets == group }
			few, rest := ratios(test.rounds, in), ratios(test.rounds, func(index int) bool { return !in(index) })
			for c, i := range few {
				other, ok := rest[c]
				if !ok {
					continue
				}
				away, half := math.Log(other.Value/i.Value), math.Log(i.Hi/i.Value)
				half = math.Hypot(half, math.Log(other.Hi/other.Value))
				if compared++; math.Abs(away) <= half {
					agree++
				}
			}
		}
		if compared < 400 {
			t.Fatalf("%d ratios by %d sets", compared, test.sets)
		}
		if got := float64(agree) / float64(compared); got < 0.93 || got > 0.985 {
			t.Errorf("%.1f%% of %d ratios by %d sets of %d agree with the others", 100*got, compared, test.sets, test.rounds)
		}
	}
}
