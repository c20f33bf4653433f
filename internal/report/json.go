package report

import (
	stdbytes "bytes"
	"cmp"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

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
	// Precision is the half-width asked of each ratio's interval, as a share; 0:
	// none.
	Precision float64 `json:"precision"`
	// Verified of Trips round trips returned the value they were given.
	Verified int `json:"verified"`
	Trips    int `json:"trips"`
	// VerifiedRecords is how many of a user's records they went over, where that was not all.
	VerifiedRecords int64 `json:"verified_records,omitempty"`
	// Earlier of them were made by earlier runs of the same program with the same
	// values, since EarlierAt.
	Earlier   int       `json:"earlier,omitempty"`
	EarlierAt time.Time `json:"earlier_at,omitzero"`
	// Grade is null when nothing was launched.
	Grade *JSONGrade `json:"grade"`
	// StreamDisk is how fast the disk is that streams were written to; absent where that
	// was not measured.
	StreamDisk *result.Disk `json:"stream_disk,omitempty"`
	// Warnings concern the run as a whole.
	Warnings []JSONWarning `json:"warnings,omitempty"`
}

// JSONWarning is what a reader of a number should know; analysis.WarningText explains
// each kind.
type JSONWarning struct {
	Kind analysis.WarningKind `json:"kind"`
	Text string               `json:"text"`
}

// JSONCellWarning concerns a cell as a whole.
type JSONCellWarning struct {
	result.Cell
	JSONWarning
}

func jsonWarnings(all []analysis.Warning) (out []JSONWarning) {
	for _, w := range all {
		out = append(out, JSONWarning(w))
	}
	return out
}

// jsonCellWarnings are those of all tables, in their order.
func jsonCellWarnings(r *analysis.Results) (out []JSONCellWarning) {
	for _, t := range r.Tables {
		for _, w := range jsonWarnings(t.Warnings) {
			out = append(out, JSONCellWarning{t.Cell, w})
		}
	}
	return out
}

// JSONGrade says how far a run can be trusted. Its numbers are null where they
// were not measured; analysis.Grade defines them.
type JSONGrade struct {
	Letter       string   `json:"letter"`
	Reasons      []string `json:"reasons"`
	Launches     int      `json:"launches"`
	Disturbed    int      `json:"disturbed"`
	Clean        number   `json:"clean"`
	SentinelBest number   `json:"sentinel_best"` // ns
	Sentinel     number   `json:"sentinel"`      // the median over the best
	Steal        number   `json:"steal"`
	Others       number   `json:"others"`
	Load         number   `json:"load"`
	Control      number   `json:"control"`
	ControlLo    number   `json:"control_lo"`
	ControlHi    number   `json:"control_hi"`
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
	// Reason is empty when Status is ok, but for stream-time: why nothing read it back.
	Reason string `json:"reason"`
	// Across says that the contender has a runner of its own, so that its ratio is
	// across processes; absent otherwise.
	Across bool `json:"across,omitempty"`
	// Losses are the declared losses that the values of the case did suffer. They and
	// Warnings are on rows of time, and absent where there are none.
	Losses   []string      `json:"losses,omitempty"`
	Warnings []JSONWarning `json:"warnings,omitempty"`
	*JSONRatio
	*JSONOrdinary
	*JSONScaling
	*JSONFootprint
}

// JSONOrdinary is on rows of time only: the same in the ordinary layout, the one
// that go build makes, where that was measured.
type JSONOrdinary struct {
	Ordinary      number `json:"ordinary"`
	OrdinaryRatio number `json:"ordinary_ratio"` // null without a reference
}

// JSONScaling is on rows of time on several CPUs only, which come after the
// others of their cell.
type JSONScaling struct {
	CPUs int `json:"cpus"`
	// SpeedUp is how many times as many operations a second that makes as one
	// goroutine; null where one was not measured.
	SpeedUp number `json:"speed_up"`
}

// JSONFootprint is on rows of time at several footprints only, which come after the
// others of their cell.
type JSONFootprint struct {
	// Footprint is how many bytes were allocated between two runs of the garbage
	// collector.
	Footprint int64 `json:"footprint"`
	// Slower is how many times as long that takes as with the smallest footprint.
	Slower   number `json:"slower"`
	SlowerLo number `json:"slower_lo"`
	SlowerHi number `json:"slower_hi"`
}

// JSONRatio is on rows of time and cpu-time only: the case's time over that of the
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

// A figure is a number as it was published: all of its digits.
type figure float64

// String returns the figure, or "" for null.
func (f figure) String() string {
	if v := float64(f); !math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

func (f figure) MarshalJSON() ([]byte, error) { return []byte(cmp.Or(f.String(), "null")), nil }

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
		for _, row := range slices.Concat(t.Rows, t.Scaling, t.Footprints) {
			rows = append(rows, jsonRow(row))
		}
	}
	return rows
}

func jsonRow(row analysis.Row) JSONRow {
	c := row.Case
	j := JSONRow{
		Workload: c.Workload, Size: c.Size, Contender: c.Contender, Mode: c.Mode, Op: c.Op,
		Metric: row.Metric, Unit: row.Unit, N: row.N, Status: row.Status, Reason: row.Reason, Across: row.Across,
		Warnings: jsonWarnings(row.Warnings),
	}
	for _, loss := range row.Losses {
		j.Losses = append(j.Losses, lossText(loss))
	}
	j.Value, j.Lo, j.Hi = numbers(row.Number)
	if row.Ratio != nil {
		j.JSONRatio = &JSONRatio{Reference: row.Reference.String()}
		j.Ratio, j.RatioLo, j.RatioHi = numbers(row.Ratio)
	}
	if row.Ordinary != nil {
		j.JSONOrdinary = &JSONOrdinary{Ordinary: number(row.Ordinary.Time.Value), OrdinaryRatio: null}
		if row.Ordinary.Ratio != nil {
			j.OrdinaryRatio = number(row.Ordinary.Ratio.Value)
		}
	}
	if row.CPUs > 0 {
		up, _, _ := numbers(row.SpeedUp)
		j.JSONScaling = &JSONScaling{CPUs: row.CPUs, SpeedUp: up}
	}
	if row.Footprint > 0 {
		j.JSONFootprint = &JSONFootprint{Footprint: row.Footprint}
		j.Slower, j.SlowerLo, j.SlowerHi = numbers(row.Slower)
	}
	return j
}

// InfoOf returns what JSON says of the run and its grade.
func InfoOf(r *analysis.Results) RunInfo {
	run := r.Run
	info := RunInfo{
		ID: run.ID, Tool: run.Tool, Go: run.Build.Go, Seed: run.Seed,
		Budget: run.Plan.Budget.Seconds(), Finished: run.Complete(),
		Host: run.Host, Versions: run.Build.Modules, Precision: run.Plan.Precision,
		Verified: r.Verified, Trips: r.Trips, VerifiedRecords: r.Values, Earlier: r.Earlier, EarlierAt: r.EarlierAt,
		Warnings: jsonWarnings(r.Warnings),
	}
	if p := r.Run.Plan.Stream; p != nil {
		info.StreamDisk = p.Disk
	}
	if r.Grade != nil {
		info.Grade = jsonGrade(r.Grade)
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

func jsonGrade(g *analysis.Grade) *JSONGrade {
	j := &JSONGrade{
		Letter: g.Letter, Reasons: g.Reasons, Launches: g.Launches, Disturbed: g.Disturbed,
		Clean: number(g.Clean), SentinelBest: null, Sentinel: null, Steal: number(g.Steal), Others: number(g.Others), Load: number(g.Load),
	}
	if j.Reasons == nil {
		j.Reasons = []string{} // never null in JSON
	}
	if g.Sentinel != nil {
		j.SentinelBest, j.Sentinel = number(g.Sentinel.Best), number(g.Sentinel.Median)
	}
	j.Control, j.ControlLo, j.ControlHi = numbers(g.Control)
	return j
}

// JSON writes the run and its rows as one object, one row a line: small to
// compare, and still one JSON value. The overview comes last, where there is one.
func JSON(w io.Writer, r *analysis.Results, opts Options) error {
	var b stdbytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := writeRun(&b, e, r, JSONRows(r)); err != nil {
		return err
	}
	if o := jsonOverview(r, opts); o != nil {
		b.WriteString(",\n\"overview\":")
		if err := e.Encode(o); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1)
	}
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
}

// writeRun begins an object with the version, the run, rows of it, one a line, and the
// warnings of its cells, if there are any.
// The encoder writes to b.
func writeRun[Row any](b *stdbytes.Buffer, e *json.Encoder, r *analysis.Results, rows []Row) error {
	b.WriteString(`{"schema":` + strconv.Itoa(JSONSchema) + ",\n\"run\":")
	if err := e.Encode(InfoOf(r)); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // Encode ends with a newline
	b.WriteString(",\n\"rows\":[")
	for i, row := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		if err := e.Encode(row); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1)
	}
	b.WriteString("\n]")
	if warnings := jsonCellWarnings(r); len(warnings) > 0 {
		b.WriteString(",\n\"warnings\":")
		if err := e.Encode(warnings); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1)
	}
	return nil
}
