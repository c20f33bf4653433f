package report

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/texttab"
)

// provisionalRank stands in place of the rank of a row that may still move.
const provisionalRank = "~"

// A Glance is an overview of a run that is still being measured, for a terminal.
type Glance struct {
	Overview *analysis.Overview
	// Settled says that a row is as precise as it will be. Other rows are grey and
	// have no rank.
	Settled func(analysis.OverviewRow) bool
}

// Lines returns the title and the table, line by line, with at most so many rows. The
// reference is always among them, and a last line counts the rows without room.
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

// rows returns the rows that there is room for, and how many there are besides.
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

// unbounded returns the rows without the bounds of their overall ratio: one layout says
// nothing about how far another one moves it.
func unbounded(rows []analysis.OverviewRow) []analysis.OverviewRow {
	out := slices.Clone(rows)
	for i, r := range out {
		if r.Overall != nil {
			out[i].Overall = &analysis.Interval{Value: r.Overall.Value, Lo: r.Overall.Value, Hi: r.Overall.Value}
		}
	}
	return out
}

// title says what the numbers are.
func (g Glance) title() string {
	what := "round trip"
	if ops := g.Overview.Ops; len(ops) == 1 {
		what = string(ops[0])
	}
	return fmt.Sprintf("times as fast as %s: %s (code only, GC off)", g.Overview.Reference, what)
}
