package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"assay/internal/analysis"
	"assay/internal/plaintext"
)

// CSV writes a header and one line for each row, with those fields of JSONRow that fit into a
// line. A null field is empty.
func CSV(w io.Writer, r *analysis.Results) error {
	lines := [][]any{{
		"workload", "size", "contender", "mode", "op", "metric", "unit", "value", "lo", "hi", "n", "status", "reason",
		"ratio", "ratio_lo", "ratio_hi", "reference",
		"ordinary", "ordinary_ratio", "cpus", "speed_up", "across", "footprint", "slower", "slower_lo", "slower_hi",
		"speed_up_lo", "speed_up_hi",
	}}
	for _, row := range JSONRows(r) {
		ratio := JSONRatio{Ratio: null, RatioLo: null, RatioHi: null}
		if row.JSONRatio != nil {
			ratio = *row.JSONRatio
		}
		ordinary := JSONOrdinary{Ordinary: null, OrdinaryRatio: null}
		if row.JSONOrdinary != nil {
			ordinary = *row.JSONOrdinary
		}
		scaling := JSONScaling{SpeedUp: null, SpeedUpLo: null, SpeedUpHi: null}
		cpus := null
		if row.JSONScaling != nil {
			scaling, cpus = *row.JSONScaling, number(row.CPUs)
		}
		footprint := JSONFootprint{Slower: null, SlowerLo: null, SlowerHi: null}
		bytes := null
		if row.JSONFootprint != nil {
			footprint, bytes = *row.JSONFootprint, number(row.Footprint)
		}
		across := ""
		if row.Across {
			across = "true"
		}
		lines = append(lines, append(rowCells(row),
			ratio.Ratio, ratio.RatioLo, ratio.RatioHi, ratio.Reference,
			ordinary.Ordinary, ordinary.OrdinaryRatio, cpus, scaling.SpeedUp, across,
			bytes, footprint.Slower, footprint.SlowerLo, footprint.SlowerHi, scaling.SpeedUpLo, scaling.SpeedUpHi,
		))
	}
	return writeCSV(w, lines)
}

// rowCells returns the cells of the fields that all rows have.
func rowCells(row JSONRow) []any {
	return []any{
		row.Workload, row.Size, row.Contender, row.Mode, row.Op, row.Metric, row.Unit,
		row.Value, row.Lo, row.Hi, row.N, row.Status, row.Reason,
	}
}

// writeCSV writes lines of cells. A cell is a number or a text.
func writeCSV(w io.Writer, lines [][]any) error {
	out := csv.NewWriter(w)
	for _, line := range lines {
		cells := make([]string, len(line))
		for i, c := range line {
			switch c := c.(type) {
			case figure:
				cells[i] = c.String()
			case number:
				cells[i] = c.String()
			case int:
				cells[i] = fmt.Sprint(c)
			default:
				cells[i] = csvText(fmt.Sprint(c))
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// csvText returns the text of a cell. A spreadsheet runs a text that begins like a formula; a
// leading apostrophe prevents that. None of our own names begins in that way.
func csvText(text string) string {
	text = plaintext.Text(text)
	if text != "" && strings.ContainsRune("=+-@\t\n", rune(text[0])) {
		return "'" + text
	}
	return text
}
