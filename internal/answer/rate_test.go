package answer

import (
	"math"
	"testing"

	"assay/internal/analysis"
)

// At rate 0 no core is busy, so none can be saved.
func TestRateZero(t *testing.T) {
	one := Cost{Candidate: &Candidate{}}
	if got := fewer(one.Cores, (&asked{Answer: &Answer{}}).ratio(one, one)); got.Value != 0 || got.Lo != 0 || got.Hi != 0 {
		t.Errorf("saved: %+v", got)
	}
}

// What is saved of a time is farthest off where the time is, whether the ratio is below 1 or above.
func TestFewer(t *testing.T) {
	busy := analysis.Interval{Value: 10, Lo: 9, Hi: 14}
	for r, want := range map[float64]analysis.Interval{0.5: {Value: 5, Lo: 4.5, Hi: 7}, 1: {}, 2: {Value: -10, Lo: -14, Hi: -9}} {
		if got := fewer(busy, analysis.Interval{Value: r, Lo: r, Hi: r}); got != want {
			t.Errorf("at a ratio of %v: %v, want %v", r, got, want)
		}
	}
	got := fewer(analysis.Interval{Value: 10, Lo: 10, Hi: 10}, analysis.Interval{Value: 0.5, Lo: 0.4, Hi: 0.8})
	if math.Abs(got.Lo-2) > 1e-9 || math.Abs(got.Hi-6) > 1e-9 {
		t.Errorf("at a ratio from 0.4 to 0.8: %v, want from 2 to 6", got)
	}
}
