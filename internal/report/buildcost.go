package report

import (
	"cmp"
	"slices"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/result"
)

// buildCost returns the table of what each contender costs to build. Its rows are sorted by how
// much the contender grows the program.
func buildCost(t *analysis.Table) *grid {
	g := &grid{title: "build cost of " + t.Cell.Workload + ", each contender alone beside the floor", columns: []column{
		{title: "contender"}, {"binary", true}, {"modules", true}, {"first build", true}, {title: ""},
		{"CPU", true}, {"after a change", true}, {"generated lines", true},
	}, spare: []string{"generated lines", "CPU", "modules", "after a change"}}
	cases := t.Cases()
	growth := func(c result.Case) float64 {
		row, _ := t.Row(c, analysis.BinaryGrowth)
		return row.Number.Value
	}
	var failures tally
	cases = slices.DeleteFunc(cases, func(c result.Case) bool {
		row, ok := t.Row(c, analysis.BuildTime)
		if ok && row.Number == nil {
			failures.add(c.Subject(), string(row.Status), row.Reason)
		}
		grown, ok := t.Row(c, analysis.BinaryGrowth)
		return !ok || grown.Number == nil
	})
	slices.SortStableFunc(cases, func(a, b result.Case) int { return cmp.Compare(growth(a), growth(b)) })
	for _, c := range cases {
		cell := func(metric string, format func(analysis.Interval) string) string {
			row, ok := t.Row(c, metric)
			if !ok || row.Number == nil {
				return ""
			}
			return format(*row.Number)
		}
		time := func(i analysis.Interval) string { return phrase.Nanoseconds(i.Value * second) }
		whole := func(i analysis.Interval) string { return CountText(i.Value) }
		g.row(c.Contender, cell(analysis.BinaryGrowth, grown),
			cell(analysis.Modules, whole), cell(analysis.BuildTime, time), cell(analysis.BuildTime, rangeOf),
			cell(analysis.BuildCPU, time), cell(analysis.BuildTimeWarm, time), cell(analysis.GeneratedLines, whole))
	}
	g.below = failures.outcomes()
	return g
}

// grown formats the change of a program's size in bytes, with its sign.
func grown(i analysis.Interval) string {
	text := BytesText(i.Value)
	if i.Value >= 0 {
		text = "+" + text
	}
	return text
}

// second is the number of nanoseconds in a second. Build times are in seconds; package phrase
// formats nanoseconds.
const second = 1e9

// rangeOf formats the bounds of a time in seconds. It is empty if both bounds are equal.
func rangeOf(i analysis.Interval) string {
	if i.Lo == i.Hi {
		return ""
	}
	lo, unit := phrase.Time(i.Lo * second)
	hi, other := phrase.Time(i.Hi * second)
	if unit != other {
		lo += " " + unit
	}
	return "(" + lo + "…" + hi + " " + other + ")"
}
