package report

import (
	"slices"
	"strings"

	"assay/internal/texttab"
)

// fit chooses the columns that a terminal of a width has room for, and says which
// it does without. Columns are dropped in the order of g.drops; those that are not
// named there stay, whatever the width.
func (g *grid) fit(width int) (shown []int, dropped []outcome) {
	shown = g.shown()
	var titles []string
	for _, title := range g.drops {
		if g.wide(shown) <= width {
			break
		}
		i := slices.IndexFunc(g.columns, func(c column) bool { return c.title == title })
		if i < 0 || !slices.Contains(shown, i) {
			continue
		}
		titles = append(titles, title)
		gone := []int{i}
		for k := i + 1; k < len(g.columns) && g.columns[k].title == "" && !(g.rest && k == len(g.columns)-1); k++ {
			gone = append(gone, k)
		}
		shown = slices.DeleteFunc(shown, func(i int) bool { return slices.Contains(gone, i) })
	}
	if len(titles) == 0 {
		return shown, nil
	}
	return shown, []outcome{{word: "no room", reason: "for " + strings.Join(titles, ", ") + " (a wider terminal, or --format md, has them)"}}
}

// wide is how many cells a table of some of the columns takes, without a last one
// of words, which can go on below.
func (g *grid) wide(shown []int) int {
	total := 0
	for k, i := range shown {
		if g.rest && i == len(g.columns)-1 {
			continue
		}
		first, other := g.margins()
		margin := len(other)
		if k == 0 {
			margin = len(first)
		}
		widest := texttab.Width(g.columns[i].title)
		for _, row := range g.rows {
			widest = max(widest, texttab.Width(row[i]))
		}
		total += margin + widest
	}
	return total
}
