package report

import (
	"slices"

	"assay/internal/analysis"
	"assay/internal/plan"
	"assay/result"
)

// footprints returns the table of times at several footprints, with a column for each footprint.
func footprints(t *analysis.Table, cases []result.Case) *grid {
	g := &grid{title: CellName(t.Cell) + ": by footprint, time relative to the smallest (bytes allocated between two runs of the garbage collector)"}
	g.columns = []column{{title: "contender"}, {title: "mode"}}
	var sizes []int64
	for _, row := range t.Footprints {
		sizes = append(sizes, row.Footprint)
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	for i, size := range sizes {
		g.columns = append(g.columns, column{plan.Bytes(size), true})
		if i > 0 && i < len(sizes)-1 {
			g.spare = append(g.spare, plan.Bytes(size))
		}
	}
	fill(g, t, cases, sizes, func(c result.Case, size int64) (text string, ok bool) {
		i := slices.IndexFunc(t.Footprints, func(r analysis.Row) bool { return r.Case == c && r.Footprint == size })
		if i < 0 {
			return "", false
		}
		if row := t.Footprints[i]; size != sizes[0] && row.Slower != nil {
			return TimesText(*row.Slower), true
		}
		return MeasureText(*t.Footprints[i].Number), true
	})
	return g
}
