package report

import (
	"assay/internal/analysis"
	"assay/result"
)

// JSONOverview is a run in one table: see analysis.Overview. A ratio is a time over the
// reference's time, so below 1 is faster.
type JSONOverview struct {
	Reference string               `json:"reference"`
	Ops       []result.Op          `json:"ops"`
	Columns   []JSONOverviewColumn `json:"columns"`
	Rows      []JSONOverviewRow    `json:"rows"`
	// Widest is the half-width of the widest ratio of one op, as a share; Median is the median
	// half-width. Ratios counts the ratios, and Unknown counts those of them that are not known
	// to a factor of 2.
	Widest  number `json:"widest"`
	Median  number `json:"median"`
	Ratios  int    `json:"ratios"`
	Unknown int    `json:"unknown"`
	// Beside counts the tables of the run that the overview leaves out.
	Beside int `json:"beside"`
}

// JSONOverviewColumn is a workload at a size.
type JSONOverviewColumn struct {
	Workload string `json:"workload"`
	Size     string `json:"size"`
}

// JSONOverviewRow is a contender in a mode. A figure that was not measured is null.
type JSONOverviewRow struct {
	Contender string `json:"contender"`
	Mode      string `json:"mode"` // empty for the default mode
	// Rank is 0 if a column is missing.
	Rank  int  `json:"rank"`
	Equal bool `json:"equal"` // shares the rank with others
	// Ratios are in the order of the columns.
	Ratios    []number `json:"ratios"`
	Overall   number   `json:"overall"`
	OverallLo number   `json:"overall_lo"`
	OverallHi number   `json:"overall_hi"`
	Encode    number   `json:"encode"`
	Decode    number   `json:"decode"`
	CPU       number   `json:"cpu"` // with the garbage collector on
	CPULo     number   `json:"cpu_lo"`
	CPUHi     number   `json:"cpu_hi"`
	Size      number   `json:"size"`
	Allocs    number   `json:"allocs"`
	Front     bool     `json:"front"` // on the Pareto front of speed and size
}

// jsonOverview returns the overview of a run, or nil where there is none.
func jsonOverview(r *analysis.Results, opts Options) *JSONOverview {
	o := analysis.OverviewOf(r, opts.Typical)
	if o == nil {
		return nil
	}
	j := &JSONOverview{Reference: o.Reference.String(), Ops: o.Ops, Widest: number(o.Widest), Median: number(o.Median), Ratios: o.Ratios, Unknown: o.Unknown, Beside: o.Beside}
	for _, c := range o.Columns {
		j.Columns = append(j.Columns, JSONOverviewColumn{c.Workload, c.Size})
	}
	for _, r := range o.Rows {
		row := JSONOverviewRow{Contender: r.Contender, Mode: r.Mode, Rank: r.Rank, Equal: r.Equal, Front: r.Front, Size: pointed(r.Size), Allocs: pointed(r.Allocs)}
		for _, c := range r.Columns {
			v, _, _ := numbers(c)
			row.Ratios = append(row.Ratios, v)
		}
		row.Overall, row.OverallLo, row.OverallHi = numbers(r.Overall)
		row.Encode, _, _ = numbers(r.Encode)
		row.Decode, _, _ = numbers(r.Decode)
		row.CPU, row.CPULo, row.CPUHi = numbers(r.CPU)
		j.Rows = append(j.Rows, row)
	}
	return j
}

// pointed converts a number that may be missing; nil becomes null.
func pointed(v *float64) number {
	if v == nil {
		return null
	}
	return number(*v)
}
