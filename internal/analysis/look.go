package analysis

import (
	"fmt"
	"math"
	"slices"

	"assay/result"
)

// A Precision is what the launches of a cell say so far: whether there is reason
// to make more. It never says that something is significant: to stop on that
// would make it so.
type Precision struct {
	// HalfWidth is that of the widest row, as a share: 0.02 for ±2%. It is
	// infinite while nothing is known.
	HalfWidth float64
	Widest    result.Case
	// Launches is the least number of launches behind a row.
	Launches int
	// Narrow says that every row's half-width is at most the precision asked.
	// One such look may be luck: two in a row, with at least 9 launches, stop a
	// cell.
	Narrow bool
	// Coarse says that a row's half-width is more than half of the margin, so that two
	// rows which are alike cannot be shown to be. It heeds widths and no estimate: to go
	// on until neighbours are told apart would be to stop when chance says so, which
	// doubles the share of intervals that miss the truth (TestGoingOnForWidthKeepsCoverage).
	Coarse bool
}

// The shrinking of a row's variance towards that of all rows. With few layouts
// a row's own variance is so often too small by chance that stopping on it
// would stop on luck. The count is that of degrees of freedom that the median
// variance of all rows is worth.
const (
	priorDF = 4
	// leastRows is how many rows it takes for a variance that they share.
	leastRows = 3
)

// A Gauge looks at cells while they are measured. It keeps what each of them shows of the
// machine's changes, which the intervals of all of them allow for. The zero value is ready.
type Gauge struct {
	order []result.Cell
	kept  map[result.Cell]unrest
}

// Look says what the records say so far of the cell. Rows are the subjects that
// have samples and no outcome that ends them, compared with the reference, which
// is itself no row, and neither is the floor; where two versions are compared in
// lock step, rows are the subjects of both, version against version. A cell
// without rows is narrow.
//
// The half-width is that of the 95% interval, but that the variance over layouts is
// shrunk towards the median of all rows'. Tables and comparisons of many rows print
// wider ones. It takes a few
// milliseconds: of another cell, records are read once, and not again before it is looked
// at itself.
func (g *Gauge) Look(run *result.Run, records []result.Record, key result.Cell, precision float64) Precision {
	for _, r := range records {
		if r.Launch != nil && r.Launch.Cell != key {
			if _, ok := g.kept[r.Launch.Cell]; !ok {
				g.rows(run, records, r.Launch.Cell)
			}
		}
	}
	rows, ok := g.rows(run, records, key)
	if !ok {
		return Precision{HalfWidth: math.Inf(1)}
	}
	environment := g.environment(len(Sides(run, records)) > 1)
	v := Precision{Narrow: true}
	for i, half := range halfWidths(rows, environment) {
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

// rows are those of a cell, of which the gauge keeps what they show of the machine; ok is
// false where it has no launch.
func (g *Gauge) rows(run *result.Run, records []result.Record, key result.Cell) (rows []candidate, ok bool) {
	own, kept := recordsOf(run, records, key)
	a := gather(own, kept, "")
	c := a.cells[key]
	if c == nil {
		return nil, false
	}
	rows, shown := a.candidates(key, c), a.unrest(key)
	if sides := Sides(own, kept); len(sides) > 1 {
		b := gather(own, kept, sides[1])
		rows, shown = a.lockStep(b, key), a.lockStepUnrest(b, key)
	}
	if g.kept == nil {
		g.kept = map[result.Cell]unrest{}
	}
	if _, ok := g.kept[key]; !ok {
		g.order = append(g.order, key)
	}
	g.kept[key] = shown
	return rows, true
}

// environment is the term of what the gauge keeps.
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

// recordsOf returns the run with the cell's cases only, and the records that
// say something of its launches.
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

// A candidate is a row of Look and what launches say of it.
type candidate struct {
	of       result.Case
	readings []reading
}

// candidates are the rows of a cell: what is compared with its reference.
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

// compared are the cases of a cell that are compared with its reference.
func (a *account) compared(key result.Cell, c *cell, reference result.Subject) []result.Case {
	return slices.DeleteFunc(slices.Clone(a.cases[key]), func(one result.Case) bool {
		return one.Contender == Floor || one.Subject() == reference || !a.usable(one, c)
	})
}

// halfWidths are those of the rows' ratios, as shares, with shrunk variances.
func halfWidths(rows []candidate, environment float64) []float64 {
	var variances []float64
	clusters := make([][]float64, len(rows))
	for i, row := range rows {
		clusters[i], _ = clustersOf(row.readings)
		if len(clusters[i]) > 1 {
			variances = append(variances, variance(clusters[i]))
		}
	}
	prior, df := 0.0, 0.0
	if len(variances) >= leastRows {
		prior, df = median(variances), priorDF
	}
	halves := make([]float64, len(rows))
	for i, row := range rows {
		k := float64(len(clusters[i]))
		if k < 2 {
			halves[i] = math.Inf(1)
			continue
		}
		down, up := signDistances(pool(row.readings))
		shrunk := (df*prior + (k-1)*variance(clusters[i])) / (df + k - 1)
		student := tQuantile((1+confidence)/2, df+k-1) * math.Sqrt(shrunk/k)
		halves[i] = math.Expm1(math.Hypot(max(down, up, student), environment))
	}
	return halves
}

// checkPrecision marks the rows of Time whose ratio is wider than the run asked,
// both by the rule that would have stopped the run and as printed: a row that
// the rule called narrow is not blamed for stopping.
func (a *account) checkPrecision(t *Table, c *cell) {
	asked := a.run.Plan.Precision
	if asked <= 0 {
		return
	}
	rows := a.candidates(t.Cell, c)
	for i, half := range halfWidths(rows, c.environment) {
		j := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Case == rows[i].of && r.Metric == Time })
		if j < 0 || half <= asked || t.Rows[j].Ratio == nil || t.Rows[j].Ratio.HalfWidth() <= asked {
			continue
		}
		remedy := "raise --budget"
		if c.unreachable(asked) {
			remedy = fmt.Sprintf("no budget reaches it: the machine moved ratios by ±%s during the run", shortPercent(math.Expm1(c.environment)))
		}
		reason := fmt.Sprintf("±%s, asked for ±%s (%s)", shortPercent(t.Rows[j].Ratio.HalfWidth()), shortPercent(asked), remedy)
		for k := range t.Rows {
			row := &t.Rows[k]
			if row.Case == rows[i].of && row.Status == result.OK &&
				(row.Metric == Time || row.Metric == Throughput || row.Metric == FloorRatio) {
				row.Status, row.Reason = result.Noisy, reason
			}
		}
		t.Rows[j].TooWide = true
	}
}

// shortPercent is a share for reading: two digits, or all before the point.
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
