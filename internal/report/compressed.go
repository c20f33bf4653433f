package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/bench/compress"
	"assay/internal/analysis"
	"assay/result"
)

// compressed returns the table of sizes after compression, of a single message and of a message
// in a batch. Its rows are sorted by the size after zstd in a batch. Modes of a contender with
// equal sizes share a row.
func compressed(t *analysis.Table, cases []result.Case) *grid {
	g := &grid{title: CellName(t.Cell) + ": bytes of a message after compression, by itself / in a batch of all"}
	g.columns = []column{{title: "contender"}, {title: "mode"}, {"plain", true}}
	for _, c := range compress.Codecs {
		g.columns = append(g.columns, column{c.Name, true})
		if c.Name != "zstd" { // zstd stays because the rows are sorted by it
			g.spare = slices.Insert(g.spare, 0, c.Name)
		}
	}
	by := analysis.CompressedSize("zstd", true)
	size := func(c result.Case) float64 {
		row, _ := t.Row(c, by)
		return row.Number.Value
	}
	ordered := slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool {
		row, ok := t.Row(c, by)
		return !ok || row.Number == nil
	})
	slices.SortStableFunc(ordered, func(a, b result.Case) int {
		return cmp.Or(cmp.Compare(size(a), size(b)), strings.Compare(a.Contender, b.Contender), strings.Compare(a.Mode, b.Mode))
	})
	if len(ordered) > 0 {
		plain, known := t.Row(ordered[0], analysis.EncodedSize)
		if packed, _ := t.Row(ordered[0], by); known && plain.N != packed.N {
			g.title += fmt.Sprintf(" %d; plain: of the %d that are timed", packed.N, plain.N)
		}
	}
	for _, c := range ordered {
		number := func(metric string) string {
			row, ok := t.Row(c, metric)
			if !ok || row.Number == nil {
				return "—"
			}
			return plainBytes(row.Number.Value)
		}
		cells := []string{c.Contender, shownMode(t, c), number(analysis.EncodedSize)}
		for _, z := range compress.Codecs {
			cells = append(cells, number(analysis.CompressedSize(z.Name, false))+" / "+number(analysis.CompressedSize(z.Name, true)))
		}
		same := slices.ContainsFunc(g.rows, func(row []string) bool {
			return row[0] == cells[0] && slices.Equal(row[2:], cells[2:])
		})
		if !same {
			g.row(cells...)
		}
	}
	return g
}

// plainBytes formats a number of bytes without a unit, with all digits up to a million, so that a
// reader can compare the columns of the table.
func plainBytes(n float64) string {
	switch {
	case n >= 1e6:
		return BytesText(n)
	case n >= 100 || n == math.Trunc(n):
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return strconv.FormatFloat(n, 'f', 1, 64)
}
