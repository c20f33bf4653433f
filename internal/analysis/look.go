package analysis

import (
	"fmt"
	"math"
	"slices"

	"assay/result"
)

// A Precision says how precise the ratios of a cell are so far, and so whether it needs more
// launches. It never says whether a difference is significant: stopping on significance would
// produce it.
type Precision struct {
	// HalfWidth is the half-width of the widest row, as a share: 0.02 for ±2%. It is infinite while
	// nothing is known.
	HalfWidth float64
	Widest    result.Case
	// Launches is the smallest number of launches behind a row.
	Launches int
	// Narrow says that every row's half-width is at most the precision asked for. One narrow look
	// may be luck: two in a row, with at least 9 launches, stop a cell.
	Narrow bool
	// Coarse says that a row's half-width is more than half of the margin, so two equal rows cannot
	// be shown to be tied. It depends on widths only, and not on estimates: going on until
	// neighbours are told apart would mean stopping when chance says so, which doubles the share of
	// intervals that miss the truth (TestGoingOnForWidthKeepsCoverage).
	Coarse bool
}

// leastRows is the smallest number of rows in lock step with a common variance.
const leastRows = 3

// A Gauge looks at cells while they are measured. It remembers what each cell shows of the
// machine's changes, because the intervals of all cells allow for these. The zero value is ready to
// use.
type Gauge struct {
	order []result.Cell
	kept  map[result.Cell]unrest
}

// Look returns the precision of the cell, from the records so far. The rows are the subjects that
// have samples and no outcome that ends them, each compared with the reference; the reference and
// the floor are no rows. If two versions are compared in lock step, the rows are the subjects of
// both, version against version. A cell without rows is narrow.
//
// The half-width is that of the 95% interval that tables print. In lock step the printed intervals
// have no prior, and those of Look have one of all rows: a row's own variance in a few layouts is
// often too small by chance, and a rule that stops on it would stop on luck. A cell of ten subjects
// takes Look up to 20 ms, and the time grows with the square of their number. Look reads the
// records of another cell once, and not again until it is called for that cell.
func (g *Gauge) Look(run *result.Run, records []result.Record, key result.Cell, precision float64) Precision {
	for _, r := range records {
		if r.Launch != nil && r.Launch.Cell != key {
			if _, ok := g.kept[r.Launch.Cell]; !ok {
				g.rows(run, records, r.Launch.Cell)
			}
		}
	}
	rows, common, ok := g.rows(run, records, key)
	if !ok {
		return Precision{HalfWidth: math.Inf(1)}
	}
	environment := g.environment(len(Sides(run, records)) > 1)
	v := Precision{Narrow: true}
	for i, half := range halfWidths(rows, common, environment) {
		if i == 0 || half > v.HalfWidth {
			v.HalfWidth, v.Widest = half, rows[i].of
		}
		if n := len(rows[i].readings); i == 0 || n < v.Launches {
			v.Launches = n
		}
		v.Narrow = v.Narrow && half <= precision
		v.Coarse = v.Coarse || half > margin/2
	}
	return v
}

// rows returns the rows of a cell and their prior, and keeps in the gauge what they show of the
// machine's changes. ok is false if the cell has no launch.
func (g *Gauge) rows(run *result.Run, records []result.Record, key result.Cell) (rows []candidate, common prior, ok bool) {
	own, kept := recordsOf(run, records, key)
	a := gather(own, kept, "")
	c := a.cells[key]
	if c == nil {
		return nil, prior{}, false
	}
	var shown unrest
	if sides := Sides(own, kept); len(sides) > 1 {
		b := gather(own, kept, sides[1])
		rows, shown = a.lockStep(b, key), a.lockStepUnrest(b, key)
		var all []scatter
		for _, row := range rows {
			all = append(all, scatterOf(perLayout(row.readings))...)
		}
		common = priorOf(all, leastRows)
	} else {
		rows, common, shown = a.candidates(key, c), c.prior(), a.unrest(key)
	}
	if g.kept == nil {
		g.kept = map[result.Cell]unrest{}
	}
	if _, ok := g.kept[key]; !ok {
		g.order = append(g.order, key)
	}
	g.kept[key] = shown
	return rows, common, true
}

// environment returns the environment term of all cells that the gauge keeps.
func (g *Gauge) environment(lockStep bool) float64 {
	var all unrest
	for _, key := range g.order {
		all.join(g.kept[key])
	}
	if lockStep {
		return all.lockStep()
	}
	return all.environment()
}

// recordsOf returns the run with only the cell's cases, and the records that concern the cell's
// launches.
func recordsOf(run *result.Run, records []result.Record, key result.Cell) (*result.Run, []result.Record) {
	own := *run
	own.Plan.Cases = slices.DeleteFunc(slices.Clone(run.Plan.Cases), func(c result.Case) bool { return c.Cell() != key })
	var kept []result.Record
	for _, r := range records {
		if r.Launch != nil && r.Launch.Cell == key || r.Outcome != nil && r.Outcome.Case.Cell() == key ||
			r.Verification != nil && r.Verification.Workload == key.Workload && r.Verification.Size == key.Size {
			kept = append(kept, r)
		}
	}
	return &own, kept
}

// A candidate is a row of Look with its readings.
type candidate struct {
	of       result.Case
	readings []reading
}

// candidates returns the rows of a cell: its cases with their ratios to the reference.
func (a *account) candidates(key result.Cell, c *cell) []candidate {
	reference := a.reference(key, c)
	if reference == nil {
		return nil
	}
	var rows []candidate
	for _, one := range a.compared(key, c, *reference) {
		use, _ := c.pick(c.ratios(one.Subject(), *reference))
		rows = append(rows, candidate{one, use})
	}
	return rows
}

// compared returns the cases of a cell that are compared with its reference.
func (a *account) compared(key result.Cell, c *cell, reference result.Subject) []result.Case {
	return slices.DeleteFunc(slices.Clone(a.cases[key]), func(one result.Case) bool {
		return one.Contender == Floor || one.Subject() == reference || !a.usable(one, c)
	})
}

// halfWidths returns the half-widths of the rows' ratios, as shares.
func halfWidths(rows []candidate, common prior, environment float64) []float64 {
	var halves []float64
	for _, row := range rows {
		half := math.Inf(1)
		if len(row.readings) > 1 {
			e := common.estimateOf(row.readings).with(environment)
			half = math.Expm1(max(e.down, e.up))
		}
		halves = append(halves, half)
	}
	return halves
}

// checkPrecision marks the rows of Time whose ratio is wider than the run asked for.
func (a *account) checkPrecision(t *Table, c *cell) {
	asked := a.run.Plan.Precision
	if asked <= 0 {
		return
	}
	for j := range t.Rows {
		timed := &t.Rows[j]
		if timed.Metric != Time || timed.Ratio == nil || timed.Case.Contender == Floor || timed.Ratio.HalfWidth() <= asked {
			continue
		}
		remedy, hopeless := "raise --budget", c.unreachable(asked)
		if hopeless {
			remedy = fmt.Sprintf("no budget reaches it: the machine moved ratios by ±%s during the run", shortPercent(math.Expm1(c.environment)))
		}
		half := shortPercent(timed.Ratio.HalfWidth())
		if half == shortPercent(asked) {
			half = beyond(timed.Ratio.HalfWidth(), asked, math.Round)
		}
		reason := fmt.Sprintf("±%s, asked for ±%s (%s)", half, shortPercent(asked), remedy)
		for k := range t.Rows {
			row := &t.Rows[k]
			if row.Case == timed.Case && row.Status == result.OK &&
				(row.Metric == Time || row.Metric == Throughput || row.Metric == FloorRatio) {
				row.Status, row.Reason = result.Noisy, reason
			}
		}
		timed.TooWide, timed.Hopeless, timed.Remedy = true, hopeless, remedy
	}
}

// shortPercent formats a share with one decimal below 10%, and without decimals from there on.
func shortPercent(share float64) string {
	switch p := 100 * share; {
	case math.IsInf(p, 1):
		return "?"
	case p < 9.95:
		return fmt.Sprintf("%.1f%%", p)
	default:
		return fmt.Sprintf("%.0f%%", p)
	}
}
