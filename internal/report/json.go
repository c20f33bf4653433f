package report

import (
	stdbytes "bytes"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"assay/internal/analysis"
	"assay/result"
)

// JSONSchema is the version of the JSON output. It grows when a reader of an
// earlier version would misread the output; new fields do not change it.
const JSONSchema = 1

// RunInfo is what JSON says of the run.
type RunInfo struct {
	ID   string `json:"id"`
	Tool string `json:"tool"` // version of assay
	Go   string `json:"go"`   // toolchain that built what was measured
	Seed uint64 `json:"seed"`
	// Budget is the time set for measuring, in seconds.
	Budget float64 `json:"budget"`
	// Layouts is the number of link layouts planned, the ordinary one not
	// counted.
	Layouts  int             `json:"layouts"`
	Finished bool            `json:"finished"`
	Host     result.Host     `json:"host"`
	Versions []result.Module `json:"versions"` // of the modules measured
}

// JSONRow is one metric of one case. Numbers are per operation in Unit, with
// ten significant digits.
type JSONRow struct {
	Workload  string    `json:"workload"`
	Size      string    `json:"size"`
	Contender string    `json:"contender"`
	Mode      string    `json:"mode"` // empty for the default mode
	Op        result.Op `json:"op"`
	Metric    string    `json:"metric"`
	Unit      string    `json:"unit"`
	// Value is null unless Status is ok or noisy; Lo and Hi, the bounds of its
	// 95% interval, are also null where one sample leaves them open.
	Value number `json:"value"`
	Lo    number `json:"lo"`
	Hi    number `json:"hi"`
	// N is the number of launches behind a time or ratio, of operations behind
	// a count of memory, of messages behind a size.
	N      int           `json:"n"`
	Status result.Status `json:"status"`
	Reason string        `json:"reason"` // empty when Status is ok
	*JSONRatio
}

// JSONRatio is on rows of time only: the case's time over that of the
// reference in the same cell, paired round by round. Below 1 is faster.
type JSONRatio struct {
	Ratio     number `json:"ratio"`
	RatioLo   number `json:"ratio_lo"`
	RatioHi   number `json:"ratio_hi"`
	Reference string `json:"reference"`
}

// A number is a float64 of ten significant digits: enough for every purpose,
// and the same on machines that fuse multiplication and addition. What is not
// finite is null.
type number float64

var null = number(math.NaN())

// String returns the number, or "" for null.
func (n number) String() string {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 10, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

func (n number) MarshalJSON() ([]byte, error) {
	if s := n.String(); s != "" {
		return []byte(s), nil
	}
	return []byte("null"), nil
}

// numbers splits an interval; nil is all null.
func numbers(i *analysis.Interval) (value, lo, hi number) {
	switch {
	case i == nil:
		return null, null, null
	case !i.Bounded():
		return number(i.Value), null, null
	}
	return number(i.Value), number(i.Lo), number(i.Hi)
}

// JSONRows are the rows of all tables, in the order of the tables.
func JSONRows(r *analysis.Results) []JSONRow {
	rows := []JSONRow{} // never null in JSON
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			c := row.Case
			j := JSONRow{
				Workload: c.Workload, Size: c.Size, Contender: c.Contender, Mode: c.Mode, Op: c.Op,
				Metric: row.Metric, Unit: row.Unit, N: row.N, Status: row.Status, Reason: row.Reason,
			}
			j.Value, j.Lo, j.Hi = numbers(row.Number)
			if row.Ratio != nil {
				j.JSONRatio = &JSONRatio{Reference: row.Reference.String()}
				j.Ratio, j.RatioLo, j.RatioHi = numbers(row.Ratio)
			}
			rows = append(rows, j)
		}
	}
	return rows
}

// InfoOf returns what JSON says of the run.
func InfoOf(run *result.Run) RunInfo {
	info := RunInfo{
		ID: run.ID, Tool: run.Tool, Go: run.Build.Go, Seed: run.Seed,
		Budget: run.Plan.Budget.Seconds(), Finished: !run.Finished.IsZero(),
		Host: run.Host, Versions: run.Build.Modules,
	}
	for _, seed := range run.Plan.Layouts {
		if seed != 0 {
			info.Layouts++
		}
	}
	if info.Versions == nil {
		info.Versions = []result.Module{} // never null in JSON
	}
	return info
}

// JSON writes the run and its rows as one object, one row a line: small to
// compare, and still one JSON value.
func JSON(w io.Writer, r *analysis.Results) error {
	var b stdbytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteString(`{"schema":` + strconv.Itoa(JSONSchema) + ",\n\"run\":")
	if err := e.Encode(InfoOf(r.Run)); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // Encode ends with a newline
	b.WriteString(",\n\"rows\":[")
	for i, row := range JSONRows(r) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		if err := e.Encode(row); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1)
	}
	b.WriteString("\n]}\n")
	_, err := w.Write(b.Bytes())
	return err
}
