package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/bench/compress"
	"assay/contender"
	"assay/result"
)

// table makes the table of one cell. The view affects which subjects are ranked, but not what they
// are compared with.
func (a *account) table(key result.Cell, view View) Table {
	c := a.cells[key]
	if c == nil {
		c = newCell()
	}
	t := Table{Cell: key, Reference: a.reference(key, c), Layouts: c.layouts()}
	var ranked []result.Subject
	for _, one := range a.cases[key] {
		if !view.Case(one) {
			continue
		}
		rows := a.rows(one, c, t.Reference)
		t.Rows = append(t.Rows, rows...)
		if rows[0].Status == result.OK || rows[0].Status == result.Noisy {
			t.Scaling = append(t.Scaling, a.scalings(one)...)
			t.Footprints = append(t.Footprints, a.footprints(one)...)
		}
		if rows[0].Ratio != nil && one.Contender != Floor {
			ranked = append(ranked, one.Subject())
		}
	}
	if t.Reference != nil {
		a.checkPrecision(&t, c)
		t.Ranking = rank(c, *t.Reference, ranked)
		t.steady = a.steady(key, *t.Reference, t.Rows)
		if c := a.passes.steady[steadyKey{key, 0}]; c != nil && c.layouts() >= LeastLayouts {
			t.Busy = t.steady
		}
		t.Warnings = append(t.Warnings, c.controlWarnings(*t.Reference)...)
	}
	damaged := c.damaged
	for _, liveMB := range []int{0, liveMB} {
		if s := a.passes.steady[steadyKey{key, liveMB}]; s != nil {
			damaged = damaged || s.damaged
		}
	}
	if damaged {
		t.Warnings = append(t.Warnings, Warning{Damaged, "some stored samples could not be used and were left out"})
	}
	return t
}

// steady compares the subjects of rows by CPU time.
func (a *account) steady(key result.Cell, reference result.Subject, rows []Row) Ranking {
	var subjects []result.Subject
	for _, r := range rows {
		if r.Metric == CPUTime && r.Ratio != nil && r.Case.Contender != Floor {
			subjects = append(subjects, r.Case.Subject())
		}
	}
	if len(subjects) == 0 {
		return Ranking{}
	}
	return rank(a.passes.steady[steadyKey{key, 0}], reference, subjects)
}

// ByCPU returns the table with CPU time, with the garbage collector on, in place of time. A case
// that lacks it has a row without a number.
func (t *Table) ByCPU() *Table {
	out := *t
	out.Rows, out.Ranking = nil, t.Busy
	for _, c := range t.Cases() {
		row, ok := t.Row(c, CPUTime)
		if !ok {
			row = Row{Case: c, Unit: "ns", Status: result.Timeout, Reason: "no " + CPUTime}
		}
		row.Metric = Time
		out.Rows = append(out.Rows, row)
	}
	return &out
}

// layouts counts the link layouts measured, without the ordinary one.
func (c *cell) layouts() int {
	seen := make(map[uint64]bool)
	for _, l := range c.launches {
		if l.layout != 0 {
			seen[l.layout] = true
		}
	}
	return len(seen)
}

// usable reports whether the case has samples and no outcome that rules them out.
func (a *account) usable(one result.Case, c *cell) bool {
	status, _ := a.verdict(one, c)
	return (status == result.OK || status == result.Noisy) && c.measured(one.Subject())
}

// reference returns the plan's reference in its default mode. For the ops of package compress,
// which the default mode lacks, it returns the reference in its first mode. If the plan's reference
// is not usable, it returns the first subject with samples, in the order of the plan, that is not
// the floor.
func (a *account) reference(key result.Cell, c *cell) *result.Subject {
	want := result.Subject{Contender: a.run.Plan.Reference}
	if slices.Contains(a.cases[key], key.Case(want)) && a.usable(key.Case(want), c) {
		return &want
	}
	if slices.Contains(compress.Ops, key.Op) {
		for _, one := range a.cases[key] {
			if s := one.Subject(); s.Contender == want.Contender && a.usable(one, c) {
				return &s
			}
		}
	}
	for _, one := range a.cases[key] {
		if s := one.Subject(); s.Contender != Floor && a.usable(one, c) {
			return &s
		}
	}
	return nil
}

// floor returns the floor in the given mode or, if that has no samples, in the first mode that
// does.
func (a *account) floor(key result.Cell, c *cell, mode string) *result.Subject {
	var found *result.Subject
	for _, one := range a.cases[key] {
		s := one.Subject()
		if s.Contender == Floor && (found == nil || s.Mode == mode && found.Mode != mode) && a.usable(one, c) {
			found = &s
		}
	}
	return found
}

// verdict returns the status of a case and its reason: the last outcome of the case, or a failed
// round trip, or that there are no samples.
func (a *account) verdict(one result.Case, c *cell) (result.Status, string) {
	if o := a.outcomes[one]; o != nil && o.Status != result.OK {
		if o.Status != result.Noisy || c.measured(one.Subject()) {
			return o.Status, o.Reason
		}
	}
	trip := one
	trip.Op = ""
	if v := a.verified[trip]; v != nil && !v.OK {
		return result.Unverified, v.Reason
	}
	switch {
	case c.measured(one.Subject()):
		return result.OK, ""
	case a.elsewhere[one] != nil:
		return result.Timeout, "not measured: " + a.elsewhere[one].Side + " failed"
	case a.untimed[one] != nil:
		return a.untimed[one].Status, a.untimed[one].Reason
	case a.run.Finished.IsZero():
		return result.Timeout, "not measured: " + a.run.Interrupted()
	}
	return result.Timeout, "not measured: the budget " + result.NoLaunch + " (raise --budget)"
}

// liveMB is the live heap of CPUTimeLive in MiB.
const liveMB = 64

// oneSample is the reason of rows whose interval has no bounds.
const oneSample = "one sample: there is no interval (raise --budget or --rounds)"

// rows returns the rows of one case. The first row is of Time, except for building and streams.
func (a *account) rows(one result.Case, c *cell, reference *result.Subject) []Row {
	if one.Op == result.Building {
		return a.buildRows(one)
	}
	if contender.Alone(one.Mode) {
		return a.streamRows(one)
	}
	status, reason := a.verdict(one, c)
	across := a.run.External(one.Contender)
	first := Row{Case: one, Metric: Time, Unit: "ns", Status: status, Reason: reason, Across: across}
	m := &measured{
		count: a.counts[one], retained: a.passes.retained[one],
		peak: a.passes.peak[one], cold: a.passes.cold[one], compressed: a.passes.compressed[one], mode: one.Mode,
		cpu: a.steadyOf(one, 0, reference), live: a.steadyOf(one, liveMB, reference),
	}
	if share, n, ok := a.share(one); ok {
		m.share, m.shares = share, n
	}
	if status == result.OK || status == result.Noisy {
		a.timed(&first, m, c, reference)
		if one.Contender != Floor {
			m.floor = a.floorOf(one, c)
		}
	} else if a.outcomes[one] != nil || status == result.Unverified {
		return []Row{first} // it failed, perhaps late, so its samples and counts do not count
	}
	rows := []Row{first}
	for _, metric := range Metrics {
		if metric.Name == Time || metric.Ops != nil && !slices.Contains(metric.Ops, one.Op) {
			continue
		}
		value, n, ok := metric.of(m)
		if !ok {
			continue
		}
		row := Row{Case: one, Metric: metric.Name, Unit: metric.Unit, Number: &value, N: n, Status: result.OK, Across: across}
		switch {
		case !value.Bounded():
			row.Status, row.Reason = result.Noisy, oneSample
		case metric.Name == Throughput || metric.Name == FloorRatio:
			row.Status, row.Reason = first.Status, first.Reason
		}
		if metric.steady != nil {
			s := metric.steady(m)
			row.Warnings = s.certain.warnings()
			if s.ratio != nil {
				row.Ratio, row.Reference = s.ratio, reference
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// pick returns the readings to use: those of the random layouts or, if there are none, those of the
// ordinary layout. rest are the readings that are not used.
func (c *cell) pick(readings, ordinary []reading) (use, rest []reading) {
	if len(readings) == 0 {
		return ordinary, nil
	}
	return readings, ordinary
}

// timed fills in the row of Time of a case that was measured.
func (a *account) timed(row *Row, m *measured, c *cell, reference *result.Subject) {
	s := row.Case.Subject()
	readings, ordinary := c.pick(c.times(s))
	clock := timeOf(readings)
	m.clock = &clock
	number, n, _ := m.time()
	row.Number, row.N = &number, n
	row.Launches = c.said(s, readings[0].layout == 0)
	if len(ordinary) > 0 {
		row.Ordinary = &Ordinary{Time: timeOf(ordinary).interval()}
	}

	certain := clock // the estimate that the warnings describe
	if reference != nil {
		use, rest := c.pick(c.ratios(s, *reference))
		if len(use) > 0 {
			certain = c.ratio(use)
			ratio := certain.interval()
			if s == *reference {
				ratio = exactly(1)
			}
			row.Ratio, row.Reference = &ratio, reference
		}
		if len(rest) > 0 && row.Ordinary != nil {
			ratio := c.ratio(rest).interval()
			if s == *reference {
				ratio = exactly(1)
			}
			row.Ordinary.Ratio = &ratio
		}
	}
	if !number.Bounded() && row.Status == result.OK {
		row.Status, row.Reason = result.Noisy, oneSample
	}
	trip := row.Case
	trip.Op = ""
	if v := a.verified[trip]; v != nil {
		row.Losses = v.Losses
	}
	row.Warnings = append(certain.warnings(), a.misreadings(trip)...)
	row.Warnings = append(row.Warnings, a.oddities(row, m, c)...)
	if row.Across {
		row.Warnings = append([]Warning{acrossProcesses}, row.Warnings...)
	}
}

// said returns the launches behind a case's number: those of the ordinary layout if ordinary is
// set, otherwise the others.
func (c *cell) said(s result.Subject, ordinary bool) []Launch {
	var launches []Launch
	for _, l := range c.launches {
		series := l.series[s]
		if series == nil || (l.layout == 0) != ordinary || c.hosts(l, s) {
			continue
		}
		values, _ := series.times()
		launches = append(launches, Launch{
			Layout: l.layout,
			Index:  l.index,
			Ops:    series.ops * len(series.round),
			NS:     math.Exp(median(values)),
		})
	}
	return launches
}

// misreadings warns that the subject did not read another contender's bytes correctly.
func (a *account) misreadings(trip result.Case) []Warning {
	var warnings []Warning
	for _, v := range a.misread[trip] {
		text := fmt.Sprintf("reads the bytes of %s as another value", v.From)
		if v.Reason != "" {
			text += ": " + strings.TrimSpace(v.Reason)
		}
		warnings = append(warnings, Warning{Misreads, text})
	}
	return warnings
}
