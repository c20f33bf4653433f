package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"assay/internal/analysis"
)

// CSV writes a header and one line a row, with the fields of JSONRow. What is
// null there is empty here.
func CSV(w io.Writer, r *analysis.Results) error {
	out := csv.NewWriter(w)
	lines := [][]string{{
		"workload", "size", "contender", "mode", "op", "metric", "unit", "value", "lo", "hi", "n", "status", "reason",
		"ratio", "ratio_lo", "ratio_hi", "reference",
		"ordinary", "ordinary_ratio", "cpus", "speed_up", "across",
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
		cpus, speedUp := "", ""
		if row.JSONScaling != nil {
			cpus, speedUp = strconv.Itoa(row.CPUs), row.SpeedUp.String()
		}
		across := ""
		if row.Across {
			across = "true"
		}
		lines = append(lines, []string{
			row.Workload, row.Size, row.Contender, row.Mode, string(row.Op), row.Metric, row.Unit,
			row.Value.String(), row.Lo.String(), row.Hi.String(), strconv.Itoa(row.N), string(row.Status), row.Reason,
			ratio.Ratio.String(), ratio.RatioLo.String(), ratio.RatioHi.String(), ratio.Reference,
			ordinary.Ordinary.String(), ordinary.OrdinaryRatio.String(), cpus, speedUp, across,
		})
	}
	return out.WriteAll(lines)
}
