// Package analysis turns what was measured into numbers with intervals: tables
// of rows, ratios paired within a round, and ranks with ties. It computes from
// stored samples only, so an old run can be analysed anew.
//
// Measured effects that its rules rest on: a binary compared with itself, in
// turn instead of interleaved, differs "significantly" in 20 to 50% of tests;
// another link of the same code moves a ratio by 1.4 to 3.7%; contention moves
// it by 1 to 2%. Hence pairs of the same round, layouts as the unit of
// replication, an environment term, and no rank for differences under 2%.
package analysis

import (
	"fmt"
	"slices"

	"assay/result"
)

// Floor is the contender that does nothing but what cannot be avoided. It is
// never a reference by default and takes no rank.
const Floor = "floor"

// Results are the numbers of a run.
type Results struct {
	Run *result.Run
	// Tables are in the order in which the plan names their workloads and
	// sizes, then in that of result.Ops. One without rows is left out.
	Tables []Table
	// Warnings concern the run as a whole.
	Warnings []Warning
}

// A Table is the numbers of one cell.
type Table struct {
	Cell result.Cell
	// Reference is what ratios are taken to; nil when nothing was measured but
	// the floor.
	Reference *result.Subject
	// Layouts is how many link layouts were measured, the ordinary one not
	// counted.
	Layouts int
	// Rows are in the order of the plan's cases, then in that of Metrics. A
	// case without a number has one row, of Time, with a status and a reason.
	Rows []Row
	// Ranking orders the subjects of the rows that have a ratio.
	Ranking Ranking
	// Warnings concern the cell as a whole.
	Warnings []Warning
}

// A Row is one metric of one case.
type Row struct {
	Case   result.Case
	Metric string
	Unit   string
	// Number is nil unless Status is OK or Noisy.
	Number *Interval
	// N is the number of launches behind a time or ratio, of operations behind
	// a count of memory, of messages behind a size.
	N      int
	Status result.Status
	Reason string

	// The fields below are set on rows of Time only.

	// Ratio is the case's time over the reference's; nil when the two never
	// shared a launch. It is not the quotient of two times: it is paired round
	// by round, and so much more precise.
	Ratio *Interval
	// Reference is what Ratio is taken to.
	Reference *result.Subject
	// Ordinary is the same of the ordinary layout, the one that go build
	// makes; nil when it was not measured. It is one layout of many and no part
	// of Number or Ratio.
	Ordinary *Ordinary
	// Launches are what Number was made from.
	Launches []Launch
	// Losses are the declared losses that the values of the case did suffer.
	Losses   []string
	Warnings []Warning
}

// Ordinary are the numbers of the ordinary layout.
type Ordinary struct {
	Time  Interval  // ns per operation
	Ratio *Interval // to the reference; nil without one
}

// A Launch is one launch's say on a case.
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

// Cases are the cases of the table's rows in their order.
func (t *Table) Cases() []result.Case {
	var cases []result.Case
	for _, r := range t.Rows {
		if n := len(cases); n == 0 || cases[n-1] != r.Case {
			cases = append(cases, r.Case)
		}
	}
	return cases
}

// Of analyses the run. Every planned case in view appears.
func Of(run *result.Run, records []result.Record, view View) *Results {
	a := gather(run, records)
	r := &Results{Run: run, Warnings: a.warnings}
	for _, cell := range a.order {
		if !view.cell(cell) {
			continue
		}
		if t := a.table(cell, view); len(t.Rows) > 0 {
			r.Tables = append(r.Tables, t)
		}
	}
	return r
}

// An account is the records of a run sorted by what they concern.
type account struct {
	run      *result.Run
	order    []result.Cell
	cases    map[result.Cell][]result.Case
	cells    map[result.Cell]*cell
	outcomes map[result.Case]*result.Outcome
	counts   map[result.Case]*result.Count
	// verified is by workload, size and subject: the op is empty.
	verified map[result.Case]*result.Verification
	// misread are the cross-readings that failed, by the reader.
	misread  map[result.Case][]*result.Verification
	warnings []Warning
}

// gather sorts the records. Of several that say the same of one case the last
// counts. A case that was measured though no plan names it is added at the end.
func gather(run *result.Run, records []result.Record) *account {
	a := &account{
		run:      run,
		cases:    make(map[result.Cell][]result.Case),
		cells:    make(map[result.Cell]*cell),
		outcomes: make(map[result.Case]*result.Outcome),
		counts:   make(map[result.Case]*result.Count),
		verified: make(map[result.Case]*result.Verification),
		misread:  make(map[result.Case][]*result.Verification),
	}
	seen := make(map[result.Case]bool)
	plan := func(c result.Case) {
		if !seen[c] {
			seen[c] = true
			a.cases[c.Cell()] = append(a.cases[c.Cell()], c)
		}
	}
	for _, c := range run.Plan.Cases {
		plan(c)
	}
	for _, r := range records {
		switch {
		case r.Launch != nil:
			key := r.Launch.Cell
			if a.cells[key] == nil {
				a.cells[key] = &cell{}
			}
			a.cells[key].add(r.Launch)
			for _, s := range r.Launch.Series {
				plan(key.Case(s.Subject))
			}
		case r.Outcome != nil:
			a.outcomes[r.Outcome.Case] = r.Outcome
			plan(r.Outcome.Case)
		case r.Count != nil:
			a.counts[r.Count.Case] = r.Count
			plan(r.Count.Case)
		case r.Verification != nil:
			v := r.Verification
			key := result.Case{Workload: v.Workload, Size: v.Size, Contender: v.Contender, Mode: v.Mode}
			switch {
			case v.From == nil:
				a.verified[key] = v
			case !v.OK:
				a.misread[key] = append(a.misread[key], v)
			}
		case r.Note != nil:
			a.warnings = append(a.warnings, Warning{RunNote, r.Note.Text})
		}
	}
	if run.Finished.IsZero() {
		a.warnings = append(a.warnings, Warning{Unfinished,
			fmt.Sprintf("the run was not finished; assay run --resume %s goes on with it", run.ID)})
	}
	a.sort(records)
	return a
}

// sort puts the cells in order: workloads and sizes as the plan first names
// them, each with its ops in the order of result.Ops.
func (a *account) sort(records []result.Record) {
	type place struct{ workload, size string }
	first := make(map[place]int)
	visit := func(c result.Cell) {
		p := place{c.Workload, c.Size}
		if _, ok := first[p]; !ok {
			first[p] = len(first)
		}
		if !slices.Contains(a.order, c) && len(a.cases[c]) > 0 {
			a.order = append(a.order, c)
		}
	}
	for _, c := range a.run.Plan.Cases {
		visit(c.Cell())
	}
	for _, r := range records {
		switch {
		case r.Launch != nil:
			visit(r.Launch.Cell)
		case r.Outcome != nil:
			visit(r.Outcome.Case.Cell())
		case r.Count != nil:
			visit(r.Count.Case.Cell())
		}
	}
	slices.SortStableFunc(a.order, func(x, y result.Cell) int {
		if d := first[place{x.Workload, x.Size}] - first[place{y.Workload, y.Size}]; d != 0 {
			return d
		}
		return slices.Index(result.Ops, x.Op) - slices.Index(result.Ops, y.Op)
	})
}
