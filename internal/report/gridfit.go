package report

import (
	"slices"
	"strings"

	"assay/internal/texttab"
)

// fit chooses the columns that fit into the width, and says which columns it dropped. It drops
// columns in the order of g.drops and then, on a terminal, of g.spare. Other columns stay at any
// width. For a tight table, fit does not report columns of g.drops.
func (g *grid) fit(opts Options) (shown []int, dropped []outcome) {
	shown = g.shown()
	var titles []string
	drops := g.drops
	if !opts.open {
		drops = slices.Concat(drops, g.spare)
	}
	for _, title := range drops {
		if g.wide(shown) <= opts.Width {
			break
		}
		i := slices.IndexFunc(g.columns, func(c column) bool { return c.title == title })
		if i < 0 || !slices.Contains(shown, i) {
			continue
		}
		if !g.tight || !slices.Contains(g.drops, title) {
			titles = append(titles, title)
		}
		gone := []int{i}
		for k := i + 1; k < len(g.columns) && g.columns[k].title == "" && !(g.rest && k == len(g.columns)-1); k++ {
			gone = append(gone, k)
		}
		shown = slices.DeleteFunc(shown, func(i int) bool { return slices.Contains(gone, i) })
	}
	return shown, noRoom(titles)
}

// noRoom says which columns were dropped from a table.
func noRoom(titles []string) []outcome {
	if len(titles) == 0 {
		return nil
	}
	return []outcome{{word: "no room", reason: "for " + strings.Join(titles, ", ") + " (a wider terminal, or --format md, has them)"}}
}

// fit returns the sheet with only the columns that fit on the terminal, and says which columns it
// dropped.
func (s sheet) fit(opts Options) (fitted sheet, dropped []outcome) {
	if opts.open {
		return s, nil
	}
	var titles []string
	for _, column := range []struct {
		title string
		shown *bool
	}{{"go build", &s.ordinary}, {"B/op, allocs", &s.allocations}, {"bytes", &s.sizes}} {
		var text strings.Builder
		s.table(opts.Width).Format(&text, false) // a strings.Builder has no errors
		if widest(text.String()) <= opts.Width {
			break
		}
		if *column.shown {
			*column.shown, titles = false, append(titles, column.title)
		}
	}
	return s, noRoom(titles)
}

// wide returns the width, in cells, of a table with the given columns. It does not count a last
// column of words, because that column can wrap.
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
