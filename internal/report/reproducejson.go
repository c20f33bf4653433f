package report

import (
	"bytes"
	"encoding/json"
	"io"

	"assay/internal/analysis"
	"assay/published/reproduce"
)

// ReproduceRow is one metric of one row of a source's table, by one method. The fields of JSONRow
// describe what was measured. For a benchmark by the source's method they name the corresponding
// case.
type ReproduceRow struct {
	Source  string `json:"source"`
	Table   string `json:"table"`
	Row     string `json:"row"`     // the published label
	Library string `json:"library"` // as published
	// Method is "here" for the source's method on this machine, or "corrected" for assay's
	// method.
	Method string `json:"method"`
	// Benchmark is the benchmark in the source's set; empty if there is none.
	Benchmark string `json:"benchmark"`
	// Published is the published figure; null if the source has none.
	Published figure `json:"published"`
	JSONRow
	// Ratio is the time over that of the library that the source shows as the fastest, see
	// [reproduce.Row.Ratio], and PublishedRatio is the same of the published times. They are null for
	// other metrics. RatioLo and RatioHi are the 95% interval of a ratio that is paired by round, and
	// null for other ratios and for the fastest library itself.
	Ratio          number `json:"ratio"`
	RatioLo        number `json:"ratio_lo"`
	RatioHi        number `json:"ratio_hi"`
	PublishedRatio number `json:"published_ratio"`
	// Note is a note about the row; absent if there is none.
	Note string `json:"note,omitempty"`
}

// measuredMethods lists the methods that have rows.
var measuredMethods = []reproduce.Method{reproduce.Here, reproduce.Corrected}

// ReproduceRows returns the rows of all tables. Each row of a table has all metrics by the
// source's method and then all metrics by assay's method.
func ReproduceRows(r *reproduce.Reproduction) []ReproduceRow {
	rows := []ReproduceRow{} // never null in JSON
	for _, s := range r.Sources {
		for _, t := range s.Tables {
			for i := range t.Rows {
				rows = append(rows, reproduceRows(s, t, &t.Rows[i])...)
			}
		}
	}
	return rows
}

func reproduceRows(s reproduce.Source, t reproduce.Table, r *reproduce.Row) []ReproduceRow {
	var rows []ReproduceRow
	for _, m := range measuredMethods {
		for _, metric := range reproduce.Metrics {
			v := r.Number(metric, m)
			j := ReproduceRow{
				Source: s.ID, Table: t.ID, Row: r.Label, Library: r.Library, Method: methodNames[m],
				Benchmark: r.Benchmark, Published: figure(null),
				JSONRow: JSONRow{
					Workload: r.Case.Workload, Size: r.Case.Size, Contender: r.Case.Contender, Mode: r.Case.Mode, Op: r.Case.Op,
					Metric: metric, N: v.N, Status: v.Status, Reason: v.Reason,
				},
			}
			if known, ok := analysis.MetricNamed(metric); ok {
				j.Unit = known.Unit
			}
			if p := r.Number(metric, reproduce.Published); p.Number != nil {
				j.Published = figure(p.Number.Value)
			}
			j.Value, j.Lo, j.Hi = numbers(v.Number)
			j.Note = r.Note
			j.Ratio, j.RatioLo, j.RatioHi, j.PublishedRatio = null, null, null, null
			if metric == analysis.Time {
				if j.Ratio, j.RatioLo, j.RatioHi = numbers(r.Ratio(m).Number); j.RatioLo == j.RatioHi {
					j.RatioLo, j.RatioHi = null, null
				}
				j.PublishedRatio, _, _ = numbers(r.Ratio(reproduce.Published).Number)
			}
			rows = append(rows, j)
		}
	}
	return rows
}

// ReproduceJSON writes the run and the rows as one object. Each row is on a line of its own. If whole
// values are of another run, the member "whole_run" describes that run.
func ReproduceJSON(w io.Writer, r *reproduce.Reproduction) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := writeRun(&b, e, r.Results, ReproduceRows(r)); err != nil {
		return err
	}
	if r.Wholes != nil {
		b.WriteString(",\n\"whole_run\":")
		if err := e.Encode(InfoOf(r.Wholes)); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // Encode ends with a newline
	}
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
}

// ReproduceCSV writes a header and one line for each row, with the fields of ReproduceRow. A null
// field is empty.
func ReproduceCSV(w io.Writer, r *reproduce.Reproduction) error {
	lines := [][]any{{
		"source", "table", "row", "library", "method", "benchmark", "published",
		"workload", "size", "contender", "mode", "op", "metric", "unit", "value", "lo", "hi", "n", "status", "reason",
		"ratio", "ratio_lo", "ratio_hi", "published_ratio", "note",
	}}
	for _, j := range ReproduceRows(r) {
		line := append([]any{j.Source, j.Table, j.Row, j.Library, j.Method, j.Benchmark, j.Published}, rowCells(j.JSONRow)...)
		lines = append(lines, append(line, j.Ratio, j.RatioLo, j.RatioHi, j.PublishedRatio, j.Note))
	}
	return writeCSV(w, lines)
}
