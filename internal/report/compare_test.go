package report

import (
	"testing"

	"assay/internal/analysis"
	"assay/result"
)

// If a count is below zero on a side, no share of it says what happened: text and JSON give the direction
// by the values.
func TestChangesBelowZero(t *testing.T) {
	exactly := func(v float64) analysis.Interval { return analysis.Interval{Value: v, Lo: v, Hi: v} }
	for _, test := range []struct {
		a, b          analysis.Interval
		text, verdict string
		share         bool
	}{
		{exactly(-1000), exactly(-10), "more", "worse", false},
		{exactly(-10), exactly(-1000), "less", "better", false},
		{exactly(-10), exactly(0), "more", "worse", false},
		{exactly(0), exactly(-10), "less", "better", false},
		{exactly(-10), exactly(1000), "more", "worse", false},
		{exactly(1000), exactly(-10), "less", "better", false},
		{exactly(-10), analysis.Interval{Value: -9, Lo: -12, Hi: -8}, "~", "unresolved", false},
		{exactly(-10), exactly(-10), "~", "tied", true},
		{exactly(1000), exactly(1500), "+50.0%", "worse", true},
	} {
		factor := analysis.Interval{Value: test.b.Value / test.a.Value, Lo: test.b.Lo / test.a.Hi, Hi: test.b.Hi / test.a.Lo}
		row := analysis.Change{
			A: result.Case{Contender: "bson"}, Metric: analysis.BinaryGrowth, Unit: "B", ValueA: &test.a, ValueB: &test.b, Factor: &factor, Beyond: true,
			Verdict: map[bool]analysis.Relation{true: analysis.Slower, false: analysis.Faster}[factor.Value > 1],
		}
		if factor.Value == 1 {
			row.Verdict, row.Beyond = analysis.Tied, false
		}
		if got := Changed(row); got != test.text {
			t.Errorf("from %v to %v: %q, want %q", test.a.Value, test.b.Value, got, test.text)
		}
		j := JSONChanges([]analysis.Change{row})[0]
		if j.Verdict != test.verdict || (j.Change.String() != "") != test.share || (j.ChangeLo.String() != "") != test.share || j.BeyondMargin && !test.share {
			t.Errorf("from %v to %v: JSON has %q, change %v, beyond the margin %v; want %q", test.a.Value, test.b.Value, j.Verdict, j.Change, j.BeyondMargin, test.verdict)
		}
	}
}
