package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/texttab"
	"assay/result"
)

// service returns the table of what a service pays: CPU time with the garbage collector on,
// retained memory, and the first call. Its rows are sorted by CPU time; equal rows keep the order
// of the cases. Its title and rows have the marks of the warnings about CPU times.
func service(t *analysis.Table, cases []result.Case, notes *texttab.Notes) *grid {
	g := &grid{title: CellName(t.Cell) + ": with the garbage collector on", serves: true, spare: []string{"vs", "64 MiB live", "first call", "peak RSS", "kept", "GC"}}
	reference := ""
	if t.Reference != nil {
		reference = "vs " + t.Reference.String()
	}
	for _, title := range []string{"contender", "mode"} {
		g.columns = append(g.columns, column{title: title})
	}
	g.columns = append(g.columns, column{"CPU/op", true}, column{}) // the second has the marks
	for _, title := range []string{reference, "64 MiB live", "vs", "GC", "kept", "peak RSS", "first call"} {
		g.columns = append(g.columns, column{title, true})
	}
	common := commonWarnings(t, analysis.CPUTime)
	for _, w := range common {
		g.title += " " + notes.Mark(w.Text)
	}
	// Cases without a CPU time come last, in their original order.
	ordered := slices.Clone(cases)
	slices.SortStableFunc(ordered, func(a, b result.Case) int {
		x, inX := steadyTime(t, a)
		y, inY := steadyTime(t, b)
		if inX != inY {
			return map[bool]int{true: -1, false: 1}[inX]
		}
		return cmp.Compare(x, y)
	})
	for _, c := range ordered {
		cell := func(metric string, format func(analysis.Row) string) string {
			row, ok := t.Row(c, metric)
			if !ok || row.Number == nil {
				return ""
			}
			return format(row)
		}
		time := func(row analysis.Row) string { return MeasureText(*row.Number) }
		size := func(row analysis.Row) string { return BytesText(row.Number.Value) }
		cells := []string{
			cell(analysis.CPUTime, time), cell(analysis.CPUTime, against), cell(analysis.CPUTimeLive, time),
			cell(analysis.CPUTimeLive, func(row analysis.Row) string { text, _, _ := strings.Cut(against(row), " "); return text }),
			cell(analysis.GCShare, func(row analysis.Row) string { return ShareText(row.Number.Value) }),
			cell(analysis.LiveHeap, size), cell(analysis.PeakRSS, size),
			cell(analysis.ColdTime, func(row analysis.Row) string {
				return phrase.Nanoseconds(row.Number.Value)
			}),
		}
		if strings.Join(cells, "") == "" {
			continue
		}
		var texts []string
		for _, metric := range []string{analysis.CPUTime, analysis.CPUTimeLive} {
			if row, ok := t.Row(c, metric); ok {
				for _, text := range remarks(row, common) {
					if metric == analysis.CPUTimeLive {
						text = "64 MiB live: " + text
					}
					texts = append(texts, text)
				}
			}
		}
		g.row(slices.Concat([]string{c.Contender, shownMode(t, c), cells[0], markOf(texts, notes)}, cells[1:])...)
	}
	return g
}

// steadyTime returns the case's CPU time. It reports false for the floor and for a case without a
// CPU time.
func steadyTime(t *analysis.Table, c result.Case) (float64, bool) {
	if row, ok := t.Row(c, analysis.CPUTime); ok && row.Number != nil && c.Contender != analysis.Floor {
		return row.Number.Value, true
	}
	return 0, false
}

// against formats how many times as fast as the reference a row is, with bounds.
func against(row analysis.Row) string {
	switch {
	case row.Ratio == nil || row.Case.Contender == analysis.Floor:
		return ""
	case *row.Reference == row.Case.Subject():
		return "1×"
	}
	factor, bounds := speed(*row.Ratio)
	return strings.TrimSpace(factor + " " + bounds)
}

// shownMode returns the mode of a case. It is empty if the table has only default modes.
func shownMode(t *analysis.Table, c result.Case) string {
	if slices.ContainsFunc(t.Rows, func(r analysis.Row) bool { return r.Case.Mode != "" }) {
		return analysis.ModeName(c.Mode)
	}
	return ""
}

// scaling returns the table of the speed-up on several CPUs, with a column for each number of
// goroutines.
func scaling(t *analysis.Table, cases []result.Case) *grid {
	g := &grid{title: CellName(t.Cell) + ": on several CPUs, operations a second relative to one goroutine"}
	g.columns = []column{{title: "contender"}, {title: "mode"}, {"one goroutine", true}}
	var counts []int
	for _, row := range t.Scaling {
		counts = append(counts, row.CPUs)
	}
	slices.Sort(counts)
	counts = slices.DeleteFunc(slices.Compact(counts), func(n int) bool { return n == 1 })
	for i, n := range counts {
		title := fmt.Sprintf("%d at once", n)
		g.columns = append(g.columns, column{title, true})
		if i < len(counts)-1 { // the largest number says most, so its column stays
			g.spare = append(g.spare, title)
		}
	}
	fill(g, t, cases, append([]int{1}, counts...), func(c result.Case, n int) (text string, ok bool) {
		i := slices.IndexFunc(t.Scaling, func(r analysis.Row) bool { return r.Case == c && r.CPUs == n })
		if i < 0 {
			return "", false
		}
		if up := t.Scaling[i].SpeedUp; n != 1 && up != nil {
			return TimesText(*up), true
		}
		return MeasureText(*t.Scaling[i].Number), true
	})
	return g
}

// fill adds a row for each case that has at least one cell: its name, its mode and a cell for
// each key.
func fill[K any](g *grid, t *analysis.Table, cases []result.Case, keys []K, cell func(result.Case, K) (text string, ok bool)) {
	for _, c := range cases {
		cells := []string{c.Contender, shownMode(t, c)}
		found := false
		for _, k := range keys {
			text, ok := cell(c, k)
			cells, found = append(cells, text), found || ok
		}
		if found {
			g.row(cells...)
		}
	}
}

// CellName formats a cell for titles: "movie · values=64 · encode".
func CellName(c result.Cell) string {
	return strings.Join(slices.DeleteFunc([]string{c.Workload, c.Size, string(c.Op)}, func(s string) bool { return s == "" }), " · ")
}
