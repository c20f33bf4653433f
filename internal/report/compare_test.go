package report

import (
	"regexp"
	"slices"
	"strings"
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

// TestCompareOfGroups checks that two contenders that never shared a launch are not said to be paired.
func TestCompareOfGroups(t *testing.T) {
	const paired, apart = "paired round by round within the run", "the two shared no launch: each is compared by its ratio to the reference"
	run, together := richRun()
	var groups []result.Record
	for _, r := range together {
		if r.Launch == nil {
			groups = append(groups, r)
			continue
		}
		for _, group := range []string{"", "more"} {
			l := *r.Launch
			l.Group, l.Series = group, slices.DeleteFunc(slices.Clone(l.Series), func(s result.Series) bool {
				return s.Contender != run.Plan.Reference && (s.Contender == "msgp") != (group == "more")
			})
			groups = append(groups, result.Record{Launch: &l})
		}
	}
	for _, test := range []struct {
		records []result.Record
		op      string
		want    string
	}{{together, "encode", paired}, {groups, "encode", apart}, {together, "scan", ""}} {
		side := func(name string) *analysis.Side {
			return &analysis.Side{Label: name, Contender: name, Run: run, Records: test.records}
		}
		c, err := analysis.Compare(side("protobuf"), side("msgp"), analysis.View{Op: analysis.Match{Include: regexp.MustCompile(test.op)}})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := CompareText(&text, c, Options{Width: 1000}); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{paired, apart} {
			if strings.Contains(text.String(), line) != (line == test.want) {
				t.Errorf("want only %q of how they are compared:\n%s", test.want, &text)
			}
		}
	}
}
