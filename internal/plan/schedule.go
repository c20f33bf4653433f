package plan

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"assay/bench"
	"assay/result"
)

// Batch is how long a batch is: at least 200 µs and 50 operations, unless 50
// operations would take more than 5 ms; one operation is always run. Shorter
// batches are disturbed by the clock, longer ones by preemption: at 200 µs most
// batches fit between two.
var Batch = bench.Calibrate{BatchNS: 200_000, MinOps: 50, MaxNS: 5_000_000}

// The rounds of a launch: what is wanted, and the least that is still worth a
// launch.
const (
	fullWarmup, fullRounds   = 10, 40
	leastWarmup, leastRounds = 2, 5
)

// launchCost is about what starting and ending a process takes.
const launchCost = 15 * time.Millisecond

// mark is about what goes before each batch of any case.
const mark = 50 * time.Microsecond

// An Overhead is about what a case costs a launch besides its operations.
type Overhead struct {
	Launch time.Duration // once: its messages are encoded, its sums learned
	Batch  time.Duration // before each batch: the collections that it makes necessary
}

// A Cell is what one launch of a cell runs.
type Cell struct {
	result.Cell
	// Cases have their N and Every set.
	Cases          []bench.CaseSpec
	Warmup, Rounds int
	// Launch is about how long one launch takes.
	Launch time.Duration
}

// A Schedule is the cells in the order of a sweep.
type Schedule struct {
	Cells []Cell
	// Outcomes are the cases that are too slow for the budget.
	Outcomes []result.Outcome
	// Time is about how long all launches take.
	Time time.Duration
}

// Of fits the cells into the budget. Every cell gets one launch of each layout;
// cells that need less than their share leave the rest to the others. Slow
// cases take part in fewer rounds, and slow cells have fewer rounds, but what a
// round is never changes. rounds, when not 0, is the number of rounds of every
// launch, whatever the budget.
func Of(cases []result.Case, calibrations map[result.Case]result.Calibration, overheads map[result.Case]Overhead, budget time.Duration, layouts, rounds int) Schedule {
	var s Schedule
	for _, c := range cases {
		cal, ok := calibrations[c]
		if !ok {
			continue
		}
		i := slices.IndexFunc(s.Cells, func(x Cell) bool { return x.Cell == c.Cell() })
		if i < 0 {
			i = len(s.Cells)
			s.Cells = append(s.Cells, Cell{Cell: c.Cell()})
		}
		s.Cells[i].Cases = append(s.Cells[i].Cases, bench.CaseSpec{Subject: c.Subject(), Op: c.Op, N: cal.N, Every: 1})
	}
	fit := fitter{calibrations: calibrations, overheads: overheads, rounds: rounds}
	fit.drop(&s, budget, layouts)
	fit.share(s.Cells, budget/time.Duration(layouts))
	for _, c := range s.Cells {
		s.Time += c.Launch * time.Duration(layouts)
	}
	return s
}

// roughly rounds a duration to two or three digits.
func roughly(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}

type fitter struct {
	calibrations map[result.Case]result.Calibration
	overheads    map[result.Case]Overhead
	rounds       int
}

// op returns the time of one operation.
func (f fitter) op(c Cell, spec bench.CaseSpec) time.Duration {
	return time.Duration(f.calibrations[c.Cell.Case(spec.Subject)].NS)
}

// batch returns about how long a batch takes with what goes before it.
func (f fitter) batch(c Cell, spec bench.CaseSpec) time.Duration {
	warm := spec.N / 10
	return time.Duration(float64(spec.N+warm)*f.calibrations[c.Cell.Case(spec.Subject)].NS) + mark + f.overheads[c.Cell.Case(spec.Subject)].Batch
}

// caseCost returns about how much a case adds to a launch with that many
// rounds, warm-up included.
func (f fitter) caseCost(c Cell, spec bench.CaseSpec, rounds int) time.Duration {
	return f.overheads[c.Cell.Case(spec.Subject)].Launch + f.batch(c, spec)*time.Duration((rounds+spec.Every-1)/spec.Every)
}

// overrun is how many times the budget the shortest launches of all cells may
// take before cases are dropped.
const overrun = 1.25

// drop takes the cases out of the schedule that are too slow for the budget:
// those that cost most in the shortest launch, until what is left fits.
func (f fitter) drop(s *Schedule, budget time.Duration, layouts int) {
	if f.rounds > 0 {
		return
	}
	limit := time.Duration(overrun * float64(budget) / float64(layouts))
	for {
		var total, most time.Duration
		var cell, index int
		for i := range s.Cells {
			c := &s.Cells[i]
			f.strides(c, leastRounds)
			total += launchCost
			for k, spec := range c.Cases {
				cost := f.caseCost(*c, spec, leastWarmup+leastRounds)
				total += cost
				if cost > most {
					most, cell, index = cost, i, k
				}
			}
		}
		if total <= limit || most == 0 {
			break
		}
		c := &s.Cells[cell]
		spec := c.Cases[index]
		s.Outcomes = append(s.Outcomes, result.Outcome{
			Case:   c.Cell.Case(spec.Subject),
			Status: result.Timeout,
			Reason: fmt.Sprintf("one op takes about %v, which does not fit into a budget of %v for %d cells and %d layouts: raise --budget or select less", roughly(f.op(*c, spec)), budget, len(s.Cells), layouts),
		})
		c.Cases = slices.Delete(c.Cases, index, index+1)
	}
	s.Cells = slices.DeleteFunc(s.Cells, func(c Cell) bool { return len(c.Cases) == 0 })
}

// share sets the rounds of each cell so that one launch of all of them takes
// about as long as given.
func (f fitter) share(cells []Cell, left time.Duration) {
	// What the cheapest leave of their share goes to the others.
	order := make([]*Cell, len(cells))
	for i := range cells {
		order[i] = &cells[i]
		f.fix(order[i], leastRounds)
		left -= order[i].Launch
	}
	full := map[result.Cell]time.Duration{}
	for _, c := range order {
		least := c.Launch
		f.fix(c, fullRounds)
		full[c.Cell] = c.Launch
		f.fix(c, leastRounds)
		full[c.Cell] -= least
	}
	slices.SortStableFunc(order, func(a, b *Cell) int { return cmp.Compare(full[a.Cell], full[b.Cell]) })
	for i, c := range order {
		least := c.Launch
		allowed := least + max(0, left)/time.Duration(len(order)-i)
		if f.rounds > 0 {
			f.fix(c, f.rounds)
			continue
		}
		for r := leastRounds + 1; r <= fullRounds; r++ {
			if f.fix(c, r); c.Launch > allowed {
				f.fix(c, r-1)
				break
			}
		}
		left -= c.Launch - least
	}
}

// fix gives a cell that many rounds, warm-up not counted.
func (f fitter) fix(c *Cell, rounds int) {
	c.Rounds = rounds
	c.Warmup = min(fullWarmup, max(leastWarmup, rounds*fullWarmup/fullRounds))
	f.strides(c, rounds)
	c.Launch = launchCost
	for _, spec := range c.Cases {
		c.Launch += f.caseCost(*c, spec, c.Warmup+c.Rounds)
	}
}

// slow is how many times the cell's median batch a batch may take before its
// case begins to skip rounds.
const slow = 4

// leastSamples is the least number of samples that a case has in a launch.
const leastSamples = 2

// strides lets the slow cases of a cell skip rounds of a launch.
func (f fitter) strides(c *Cell, rounds int) {
	times := make([]time.Duration, len(c.Cases))
	for i, spec := range c.Cases {
		times[i] = f.batch(*c, spec)
	}
	if len(times) == 0 {
		return
	}
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	median := sorted[len(sorted)/2]
	for i, t := range times {
		c.Cases[i].Every = max(1, min(int(1+t/(slow*median)), rounds/leastSamples))
	}
}
