package report

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/texttab"
)

// provisionalRank replaces the rank of a row that may still move.
const provisionalRank = "~"

// A Glance is an overview, for a terminal, of a run that is still in progress.
type Glance struct {
	Overview *analysis.Overview
	// Settled reports whether a row is as precise as it will get. Other rows are grey and have no
	// rank.
	Settled func(analysis.OverviewRow) bool
}

// Lines returns the title and the table, line by line, with at most most rows. The reference is
// always among the rows. If rows are left out, a last line counts them.
func (g Glance) Lines(most int, opts Options) ([]string, error) {
	opts = opts.orDefaults()
	rows, left := g.rows(most)
	if g.Overview.Layouts[0] < 2 {
		rows = unbounded(rows)
	}
	table := overviewGrid(g.Overview, rows)
	table.title = g.title()
	for i, r := range rows {
		style := texttab.Plain
		if !g.Settled(r) {
			style = texttab.Dim
			table.rows[i][0] = provisionalRank + " "
		}
		table.styles = append(table.styles, style)
	}
	var out strings.Builder
	if err := table.write(&out, opts); err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if left > 0 {
		lines = append(lines, "… and "+phrase.Count(left, "more row"))
	}
	return lines, nil
}

// rows returns the rows that fit, and how many rows are left out.
func (g Glance) rows(most int) (rows []analysis.OverviewRow, left int) {
	rows, left = shownRows(g.Overview)
	if len(rows) <= most {
		return rows, left
	}
	left += len(rows) - most
	reference := slices.IndexFunc(rows, func(r analysis.OverviewRow) bool { return r.Subject == g.Overview.Reference })
	if reference < most {
		return rows[:most], left
	}
	return append(slices.Clone(rows[:most-1]), rows[reference]), left
}

// unbounded returns the rows without the bounds of their overall ratio: a single layout does not
// show how much the layout affects the ratio.
func unbounded(rows []analysis.OverviewRow) []analysis.OverviewRow {
	out := slices.Clone(rows)
	for i, r := range out {
		if r.Overall != nil {
			out[i].Overall = &analysis.Interval{Value: r.Overall.Value, Lo: r.Overall.Value, Hi: r.Overall.Value}
		}
	}
	return out
}

// title says what the numbers mean.
func (g Glance) title() string {
	return fmt.Sprintf("times as fast as %s: %s (code only, GC off)", g.Overview.Reference, OpsText(g.Overview))
}
