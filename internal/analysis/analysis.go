// Package analysis turns measurements into numbers with intervals: tables of rows, ratios paired
// within a round, and ranks with ties. It reads only stored samples, so an old run can be analysed
// again.
//
// Its rules rest on these measured effects: a binary compared with itself, one batch series after
// the other instead of interleaved, differs "significantly" in 20 to 50% of tests; linking the same
// code again moves a ratio by 1.4 to 3.7%; contention moves it by 1 to 2%. Therefore the package
// pairs samples of the same round, uses layouts as the unit of replication, adds an environment
// term to intervals, and ranks no differences under 2%.
package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"assay/result"
)

// Floor is the contender that does only the unavoidable work. It is never a reference by default
// and takes no rank.
const Floor = "floor"

// Results are the numbers of a run.
type Results struct {
	// Run is the run. If it compares two versions, its Build is that of the version in view.
	Run *result.Run
	// Tables are in the order in which the plan names their workloads and sizes, then in the order
	// of result.Ops. A table without rows is left out.
	Tables []Table
	// Grade judges the run by its controls, whether they are in view or not; nil if nothing was
	// launched.
	Grade *Grade
	// Of the Trips round trips in view, Verified returned the value that they were given. There is
	// one trip for each contender and mode at each size.
	Verified, Trips int
	// Values is the number of a user's records that the round trips used, if they did not use all;
	// 0 means all.
	Values int64
	// Earlier is the number of these round trips that earlier runs of the same program made with
	// the same values; the oldest was made at EarlierAt.
	Earlier   int
	EarlierAt time.Time
	// Warnings concern the run as a whole.
	Warnings []Warning
	// JSON compares the JSON that is measured with the JSON of a user's records; nil for other runs
	// and for records that are not JSON.
	JSON *JSONSize
	// Growth says how the cost changes with the size of streams, in the order of Tables.
	Growth []Growth
	// Besides are the results of another run on whole values, for claims; nil if there are none.
	Besides *Results

	streams map[result.Case][]*result.Stream
}

// A Table is the numbers of one cell.
type Table struct {
	Cell result.Cell
	// Reference is the reference of the ratios; nil if only the floor was measured.
	Reference *result.Subject
	// Layouts is how many link layouts were measured, without the ordinary one.
	Layouts int
	// Rows are in the order of the plan's cases, then in the order of Metrics. A case without a
	// number has one row, of Time, with a status and a reason.
	Rows []Row
	// Scaling are rows of Time on several CPUs: the cases are in the order of Rows, and each case's
	// rows have the fewest CPUs first. They set Row.CPUs.
	Scaling []Row
	// Footprints are rows of Time at several footprints: the cases are in the order of Rows, and
	// each case's rows have the smallest footprint first. They set Row.Footprint.
	Footprints []Row
	// Ranking orders the subjects of the rows that have a ratio.
	Ranking Ranking
	// Busy ranks the subjects that have a CPU time with the garbage collector on, by that time.
	Busy Ranking
	// Warnings concern the cell as a whole.
	Warnings []Warning

	// steady compares the subjects that have such a CPU time, also if Busy is empty because there
	// are too few layouts for ranks.
	steady Ranking
}

// A Row is one metric of one case.
type Row struct {
	Case   result.Case
	Metric string
	Unit   string
	// Number is nil unless Status is OK or Noisy.
	Number *Interval
	// N is the number of launches or processes behind a time or ratio, of operations behind a count
	// of memory, or of messages behind a size.
	N      int
	Status result.Status
	Reason string
	// Across says that the contender is an external contender: it has a process of its own, and its
	// reference is in another process.
	Across bool

	// The fields below are set on rows of Time, CPUTime and CPUTimeLive only.

	// Ratio is the case's time over the reference's; nil if the two never shared a launch. Its
	// rounds are paired, so it is much more precise than the quotient of the two times.
	Ratio *Interval
	// Reference is the reference of Ratio.
	Reference *result.Subject

	// The fields below are set on rows of Time only.

	// CPUs is the number of goroutines that shared the operations, each on a CPU of its own if
	// there are enough; 0 outside of Table.Scaling. Number is then the elapsed time over the
	// operations of all goroutines.
	CPUs int
	// SpeedUp is the number of operations per second over that of one goroutine; nil if one
	// goroutine was not measured.
	SpeedUp *Interval
	// Footprint is how many bytes were allocated between two runs of the garbage collector; 0
	// outside of Table.Footprints.
	Footprint int64
	// Slower is the time over the time with the smallest footprint in the same layouts; nil outside
	// of Table.Footprints, and if the two share no layout.
	Slower *Interval
	// Ordinary has the numbers of the ordinary layout, which is the one that go build makes; nil if
	// it was not measured. It is one layout of many and no part of Number or Ratio.
	Ordinary *Ordinary
	// Launches are the launches behind Number.
	Launches []Launch
	// Losses are the declared losses that the values of the case suffered.
	Losses   []string
	Warnings []Warning
	// TooWide says that the status is noisy because the ratio is less precise than the run asked
	// for. Remedy then says what helps, and Hopeless that no budget does.
	TooWide, Hopeless bool
	Remedy            string
}

// Ordinary are the numbers of the ordinary layout.
type Ordinary struct {
	Time  Interval  // ns per operation
	Ratio *Interval // to the reference; nil without one
}

// A Launch is what one launch measured of a case.
type Launch struct {
	Layout uint64
	Index  int
	Ops    int     // operations timed
	NS     float64 // the median over rounds of ns per operation
}

// Row returns the row of the case and metric.
func (t *Table) Row(c result.Case, metric string) (Row, bool) {
	i := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Case == c && r.Metric == metric })
	if i < 0 {
		return Row{}, false
	}
	return t.Rows[i], true
}

// Cases returns the cases of the table's rows, in their order.
func (t *Table) Cases() []result.Case {
	var cases []result.Case
	for _, r := range t.Rows {
		if n := len(cases); n == 0 || cases[n-1] != r.Case {
			cases = append(cases, r.Case)
		}
	}
	return cases
}

// Of analyses the run. The results have every planned case that is in view.
func Of(run *result.Run, records []result.Record, view View) *Results {
	a := gather(run, records, view.Side)
	r := &Results{Run: a.run, Warnings: a.warnings, Grade: a.grade(a.controls()), JSON: a.jsonSize(), streams: a.passes.streams}
	for _, cell := range a.order {
		if !view.cell(cell) {
			continue
		}
		if t := a.table(cell, view); len(t.Rows) > 0 {
			r.Tables = append(r.Tables, t)
		}
	}
	r.Growth = a.growths(r)
	for trip, v := range a.verified {
		if view.trip(trip) {
			r.Trips++
			if v.OK {
				r.Verified++
			}
			if v.Values > 0 && (r.Values == 0 || v.Values < r.Values) {
				r.Values = v.Values
			}
			if at := v.Earlier; !at.IsZero() {
				r.Earlier++
				if r.EarlierAt.IsZero() || at.Before(r.EarlierAt) {
					r.EarlierAt = at
				}
			}
		}
	}
	return r
}

// TooWide returns the rows of Time whose ratio is less precise than the run asked for, by the same
// rule as Look, which stops a run. It returns none for a run without a precision.
func (r *Results) TooWide() []Row {
	var rows []Row
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if row.TooWide {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// An account holds the records of a run, grouped by what they concern.
type account struct {
	run *result.Run
	// known is the machine's best sentinel in ns as other runs show it; 0 if none does.
	known    float64
	order    []result.Cell
	cases    map[result.Cell][]result.Case
	cells    map[result.Cell]*cell
	outcomes map[result.Case]*result.Outcome
	// elsewhere are the outcomes of the other version's cases, if the run compares two versions.
	elsewhere map[result.Case]*result.Outcome
	untimed   map[result.Case]*result.Outcome
	counts    map[result.Case]*result.Count
	// calibrated are the calibrations of cases, with their times on new and on known values.
	calibrated map[result.Case]*result.Calibration
	// verified has cases without an op as keys: workload, size and subject.
	verified map[result.Case]*result.Verification
	// misread are the failed readings of another contender's bytes, by the reader.
	misread  map[result.Case][]*result.Verification
	passes   passes
	notes    []result.Note // those that were not replaced or withdrawn
	warnings []Warning
	seen     map[result.Case]bool // the cases that cases has
}

// gather groups the records. It uses the launches of the given side only; View.Side says what the
// empty side means. If a case has several outcomes, counts or verifications, the last one counts.
// gather adds a measured case that the plan does not name at the end.
func gather(run *result.Run, records []result.Record, side string) *account {
	a := &account{
		known:      float64(max(run.Host.SentinelBest, 0)),
		cases:      make(map[result.Cell][]result.Case),
		cells:      make(map[result.Cell]*cell),
		outcomes:   make(map[result.Case]*result.Outcome),
		elsewhere:  make(map[result.Case]*result.Outcome),
		untimed:    make(map[result.Case]*result.Outcome),
		counts:     make(map[result.Case]*result.Count),
		calibrated: make(map[result.Case]*result.Calibration),
		verified:   make(map[result.Case]*result.Verification),
		misread:    make(map[result.Case][]*result.Verification),
		passes:     newPasses(),
		seen:       make(map[result.Case]bool),
	}
	sides := Sides(run, records)
	if side == "" && len(sides) > 0 && sides[0] != "" {
		side = sides[0]
		a.warnings = append(a.warnings, Warning{TwoSides,
			fmt.Sprintf("the run compared two versions: this shows %s (assay compare shows the change)", side)})
	}
	a.run = run.OfSide(max(0, slices.Index(sides, side)))
	for _, c := range run.Plan.Cases {
		a.plan(c)
	}
	for i, o := range run.Plan.Untimed {
		a.untimed[o.Case] = &run.Plan.Untimed[i]
	}
	for _, r := range records {
		a.add(r, side)
	}
	for i, n := range a.notes {
		// A resumed run may repeat a note, and runners of several groups may say the same.
		if !slices.ContainsFunc(a.notes[:i], func(earlier result.Note) bool { return earlier.Text == n.Text }) {
			a.warnings = append(a.warnings, Warning{RunNote, n.Text})
		}
	}
	if run.Finished.IsZero() {
		text := "the run was not finished"
		if again := run.Resume(); run.Live {
			text = "the run is still being measured"
		} else if again != "" {
			text += "; " + again + " goes on with it"
		}
		a.warnings = append(a.warnings, Warning{Unfinished, text})
	}
	a.sort()
	a.settle()
	return a
}

// plan adds a case to its cell, unless it is there.
func (a *account) plan(c result.Case) {
	if !a.seen[c] {
		a.seen[c] = true
		a.cases[c.Cell()] = append(a.cases[c.Cell()], c)
	}
}

// add takes in one record.
func (a *account) add(r result.Record, side string) {
	switch {
	case r.Launch != nil:
		if r.Launch.Side == side {
			a.addLaunch(r.Launch)
		}
	case r.Outcome != nil:
		if r.Outcome.Side != "" && r.Outcome.Side != side {
			a.elsewhere[r.Outcome.Case] = r.Outcome
			return
		}
		a.outcomes[r.Outcome.Case] = r.Outcome
		a.plan(r.Outcome.Case)
	case r.Count != nil:
		a.counts[r.Count.Case] = r.Count
		a.plan(r.Count.Case)
	case r.Calibration != nil:
		if r.Calibration.Role == "" {
			a.calibrated[r.Calibration.Case] = r.Calibration
		}
	case r.Verification != nil:
		if v := r.Verification; v.Side == "" || v.Side == side {
			a.addVerification(v)
		}
	case r.Note != nil:
		a.addNote(*r.Note)
	default:
		if c, ok := a.passes.add(r); ok {
			a.plan(c)
		}
	}
}

// addNote adds a note in place of an earlier one about the same.
func (a *account) addNote(n result.Note) {
	a.notes = slices.DeleteFunc(a.notes, func(earlier result.Note) bool {
		return n.About != "" && earlier.About == n.About
	})
	if n.Text != "" {
		a.notes = append(a.notes, n)
	}
}

// addLaunch adds a launch to its cell.
func (a *account) addLaunch(l *result.Launch) {
	if a.cells[l.Cell] == nil {
		a.cells[l.Cell] = newCell()
	}
	a.cells[l.Cell].add(l)
	for _, s := range l.Series {
		a.plan(l.Cell.Case(s.Subject))
	}
}

// addVerification takes in a round trip, or a failed reading of another contender's bytes.
func (a *account) addVerification(v *result.Verification) {
	key := result.Case{Workload: v.Workload, Size: v.Size, Contender: v.Contender, Mode: v.Mode}
	switch {
	case v.From == nil:
		a.verified[key] = v
	case !v.OK:
		a.misread[key] = append(a.misread[key], v)
	}
}

// Sides returns the labels of the versions that the run compares: as planned or, if the plan does
// not say, in the order in which they first appear in launches. A run of one version has one side,
// without a label; a run without launches has none.
func Sides(run *result.Run, records []result.Record) []string {
	if len(run.Plan.Sides) > 0 {
		return run.Plan.Sides
	}
	var sides []string
	for _, r := range records {
		if r.Launch != nil && !slices.Contains(sides, r.Launch.Side) {
			sides = append(sides, r.Launch.Side)
		}
	}
	return sides
}

// sort orders the cells: workloads and sizes in the order in which the plan first names them, each
// with its ops in the order of result.Ops; then the cells that the plan does not name.
func (a *account) sort() {
	type place struct{ workload, size string }
	first := make(map[place]int)
	visit := func(c result.Cell) {
		p := place{c.Workload, c.Size}
		if _, ok := first[p]; !ok {
			first[p] = len(first)
		}
		if !slices.Contains(a.order, c) {
			a.order = append(a.order, c)
		}
	}
	for _, c := range a.run.Plan.Cases {
		visit(c.Cell())
	}
	var rest []result.Cell
	for c := range a.cases {
		rest = append(rest, c)
	}
	slices.SortFunc(rest, func(x, y result.Cell) int {
		return cmp.Or(cmp.Compare(x.Workload, y.Workload), cmp.Compare(x.Size, y.Size))
	})
	for _, c := range rest {
		visit(c)
	}
	slices.SortStableFunc(a.order, func(x, y result.Cell) int {
		return cmp.Or(
			first[place{x.Workload, x.Size}]-first[place{y.Workload, y.Size}],
			slices.Index(result.Ops, x.Op)-slices.Index(result.Ops, y.Op))
	})
}
