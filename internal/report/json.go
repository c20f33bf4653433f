package report

import (
	"bytes"
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

// JSONSchema is the version of the JSON output. It grows if a reader of an earlier version would
// misread the output. New fields do not change it.
const JSONSchema = 1

// RunInfo is the JSON form of a run's metadata.
type RunInfo struct {
	ID   string `json:"id"`
	Tool string `json:"tool"` // the version of assay
	Go   string `json:"go"`   // the toolchain that built the measured program
	Seed uint64 `json:"seed"`
	// Budget is the time budget of the measurement, in seconds.
	Budget float64 `json:"budget"`
	// Layouts is the number of planned link layouts, without the ordinary layout.
	Layouts  int             `json:"layouts"`
	Finished bool            `json:"finished"`
	Host     result.Host     `json:"host"`
	Versions []result.Module `json:"versions"` // of the modules measured
	// Precision is the half-width that each ratio's interval should reach, as a share; 0 if none
	// was set.
	Precision float64 `json:"precision"`
	// Verified is how many of the Trips round trips returned the value that they were given.
	Verified int `json:"verified"`
	Trips    int `json:"trips"`
	// VerifiedRecords is the number of a user's records that the round trips covered; absent if
	// they covered all records.
	VerifiedRecords int64 `json:"verified_records,omitempty"`
	// Earlier counts the round trips that earlier runs of the same program made with the same
	// values, since EarlierAt.
	Earlier   int       `json:"earlier,omitempty"`
	EarlierAt time.Time `json:"earlier_at,omitzero"`
	// Grade is null if nothing was launched.
	Grade *JSONGrade `json:"grade"`
	// StreamDisk is the speed of the disk that streams were written to; absent if it was not
	// measured.
	StreamDisk *result.Disk `json:"stream_disk,omitempty"`
	// Warnings concern the run as a whole.
	Warnings []JSONWarning `json:"warnings,omitempty"`
}

// JSONWarning is a fact that a reader of a number should know. analysis.WarningText explains each
// kind.
type JSONWarning struct {
	Kind analysis.WarningKind `json:"kind"`
	Text string               `json:"text"`
}

// JSONCellWarning is a warning about a cell as a whole.
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

// jsonCellWarnings returns the warnings of all tables, in the order of the tables.
func jsonCellWarnings(r *analysis.Results) (out []JSONCellWarning) {
	for _, t := range r.Tables {
		for _, w := range jsonWarnings(t.Warnings) {
			out = append(out, JSONCellWarning{t.Cell, w})
		}
	}
	return out
}

// JSONGrade says how far a run can be trusted. Numbers that were not measured are null.
// analysis.Grade defines them.
type JSONGrade struct {
	Letter       string   `json:"letter"`
	Reasons      []string `json:"reasons"`
	Launches     int      `json:"launches"`
	Disturbed    int      `json:"disturbed"`
	Clean        number   `json:"clean"`
	SentinelBest number   `json:"sentinel_best"` // ns
	Sentinel     number   `json:"sentinel"`      // the median relative to the best
	Steal        number   `json:"steal"`
	Others       number   `json:"others"`
	Load         number   `json:"load"`
	Control      number   `json:"control"`
	ControlLo    number   `json:"control_lo"`
	ControlHi    number   `json:"control_hi"`
}

// JSONRow is one metric of one case. Its numbers are per operation, in Unit, and have ten
// significant digits.
type JSONRow struct {
	Workload  string    `json:"workload"`
	Size      string    `json:"size"`
	Contender string    `json:"contender"`
	Mode      string    `json:"mode"` // empty for the default mode
	Op        result.Op `json:"op"`
	Metric    string    `json:"metric"`
	Unit      string    `json:"unit"`
	// Value is null unless Status is ok or noisy. Lo and Hi are the bounds of its 95% interval;
	// they are also null if there is only one sample.
	Value number `json:"value"`
	Lo    number `json:"lo"`
	Hi    number `json:"hi"`
	// N is the number of launches behind a time or ratio, of rounds behind a time with cpus, of layouts
	// behind one with a footprint, of operations behind a count of memory, or of messages behind a size.
	N      int           `json:"n"`
	Status result.Status `json:"status"`
	// Reason is empty if Status is ok. As an exception, for stream-time it says why nothing read
	// the stream back.
	Reason string `json:"reason"`
	// Across says that the contender has its own runner, so its ratio compares processes; absent
	// otherwise.
	Across bool `json:"across,omitempty"`
	// Losses are the declared losses that the values of the case really suffered. Only rows of
	// time and of stream-time have Losses, and only rows of times have Warnings; they are absent if there are none.
	Losses   []string      `json:"losses,omitempty"`
	Warnings []JSONWarning `json:"warnings,omitempty"`
	*JSONRatio
	*JSONOrdinary
	*JSONScaling
	*JSONFootprint
}

// JSONOrdinary is only on rows of time. It has the same figures in the ordinary layout, which go
// build makes, if that layout was measured.
type JSONOrdinary struct {
	Ordinary      number `json:"ordinary"`
	OrdinaryRatio number `json:"ordinary_ratio"` // null without a reference
}

// JSONScaling is only on rows of time on several CPUs. These rows come after the other rows of
// their cell.
type JSONScaling struct {
	CPUs int `json:"cpus"`
	// SpeedUp is the number of operations a second relative to one goroutine, with the bounds of
	// its interval; null if one goroutine was not measured.
	SpeedUp   number `json:"speed_up"`
	SpeedUpLo number `json:"speed_up_lo"`
	SpeedUpHi number `json:"speed_up_hi"`
}

// JSONFootprint is only on rows of time at several footprints. These rows come after the other
// rows of their cell.
type JSONFootprint struct {
	// Footprint is the number of bytes allocated between two runs of the garbage collector.
	Footprint int64 `json:"footprint"`
	// Slower is the time relative to the smallest footprint.
	Slower   number `json:"slower"`
	SlowerLo number `json:"slower_lo"`
	SlowerHi number `json:"slower_hi"`
}

// JSONRatio is only on rows of time and of CPU times. The ratio is the case's time over the
// reference's time in the same cell, paired round by round. Below 1 is faster.
type JSONRatio struct {
	Ratio     number `json:"ratio"`
	RatioLo   number `json:"ratio_lo"`
	RatioHi   number `json:"ratio_hi"`
	Reference string `json:"reference"`
}

// A number is a float64 that is written with ten significant digits. Ten digits are enough for
// every purpose, and they are the same on machines that fuse multiplication and addition. A value
// that is not finite is null.
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

// A figure is a published number. It is written with all of its digits.
type figure float64

// String returns the figure, or "" for null.
func (f figure) String() string {
	if v := float64(f); !math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

func (f figure) MarshalJSON() ([]byte, error) { return []byte(cmp.Or(f.String(), "null")), nil }

// numbers splits an interval. For nil all results are null; without bounds lo and hi are null.
func numbers(i *analysis.Interval) (value, lo, hi number) {
	switch {
	case i == nil:
		return null, null, null
	case !i.Bounded():
		return number(i.Value), null, null
	}
	return number(i.Value), number(i.Lo), number(i.Hi)
}

// JSONRows returns the rows of all tables, in the order of the tables.
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
		j.JSONScaling = &JSONScaling{CPUs: row.CPUs}
		j.SpeedUp, j.SpeedUpLo, j.SpeedUpHi = numbers(row.SpeedUp)
	}
	if row.Footprint > 0 {
		j.JSONFootprint = &JSONFootprint{Footprint: row.Footprint}
		j.Slower, j.SlowerLo, j.SlowerHi = numbers(row.Slower)
	}
	return j
}

// InfoOf returns the JSON form of the run and its grade.
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
		Clean: number(g.Clean), SentinelBest: null, Sentinel: null, Steal: null, Others: number(g.Others), Load: number(g.Load),
	}
	if j.Reasons == nil {
		j.Reasons = []string{} // never null in JSON
	}
	if knownSteal(g) {
		j.Steal = number(g.Steal)
	}
	if g.Sentinel != nil {
		j.SentinelBest, j.Sentinel = number(g.Sentinel.Best), number(g.Sentinel.Median)
	}
	j.Control, j.ControlLo, j.ControlHi = numbers(g.Control)
	return j
}

// JSON writes the run and its rows as one object. Each row is on a line of its own, so that diffs
// are small. If there is an overview, it comes last.
func JSON(w io.Writer, r *analysis.Results, opts Options) error {
	var b bytes.Buffer
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

// writeRun begins an object and leaves it open. It writes the version, the run, the rows, one on
// each line, and any warnings of cells. The encoder e must write to b.
func writeRun[Row any](b *bytes.Buffer, e *json.Encoder, r *analysis.Results, rows []Row) error {
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
