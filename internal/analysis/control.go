package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"assay/result"
)

// A Grade says how far a run can be trusted. It follows from the run's controls and from how much
// the run measured.
//
// A: at least 97% of the samples were clean, three launches of four had the sentinel within a tenth
// of the best that this machine is known for, at most 1% of one CPU's time was stolen, other
// programs used at most 5% of all CPUs' time, and the reference is within 0.5% of itself.
// C: under 70% of the samples were clean, or other programs used a quarter of the machine's CPU
// time, so that only ratios are worth reading, with wider intervals; or the reference differs from
// itself by more than 0.5% and by more than chance; or a cell has fewer than 4 random layouts; or
// half of its ratios are wider than ±30%.
// B: everything else, and runs whose controls could not see enough.
type Grade struct {
	Letter string // "A", "B" or "C"
	// Reasons say why the grade is not A, the gravest first; empty for A.
	Reasons []string
	// Launches were counted; Disturbed were repeated, and their samples do not count.
	Launches, Disturbed int
	// Clean is the share of samples during which nothing else ran; NaN if there is no clock to
	// tell.
	Clean float64
	// Sentinel is nil if it was not measured.
	Sentinel *Sentinel
	// Steal is the CPU time that the host took from all CPUs during launches, as a share of one
	// CPU's time. The run measures on one CPU, which may be the one that lost the time.
	Steal float64
	// Others is the share of all CPUs' time that other programs used during launches; NaN if it is
	// unknown.
	Others float64
	// Load is the median over launches of the load average; NaN if it is unknown. It does not
	// affect the grade, because it includes the run itself and the builds before it.
	Load float64
	// Control is the reference's second series over its first, over all cells; nil if the reference
	// did not take part twice.
	Control *Interval
}

// GradeText explains grades.
const GradeText = "A grade says how far you can trust a run. Some rounds also time a walk through 1 MiB of pointers, the sentinel, " +
	"which shows how much cache other programs leave. Every round also runs the reference a second time, which must not differ from " +
	"itself. A: at least 97% of the samples were undisturbed, in three launches of four the sentinel was within a tenth of the " +
	"best that this machine has shown, the host took at most 1% of one CPU's time, other programs used at most 5% of all CPUs' time, and the " +
	"reference is within 0.5% of itself. C: under 70% of the samples were undisturbed, or other programs used a quarter of the " +
	"machine's CPU time, so read only the ratios; or the reference differs from itself by more than 0.5% and by more than chance; or a table has fewer than 4 random layouts; or half of its ratios are wider than ±30%. " +
	"B: everything else, and runs whose controls could not see enough. The interval of each ratio allows for the machine's " +
	"changes during the run, as far as the run shows them: by how much more than chance explains the reference differs from " +
	"itself, and the parts of the run from one another."

// A Sentinel says how long walks through 1 MiB of pointers took, which shows how much of the caches
// the rest of the machine left.
type Sentinel struct {
	// Best is the smallest of the launches' medians in ns: of this run or, if it is smaller, of
	// earlier runs on this machine and of the run that this one is compared with.
	Best float64
	// Remembered says that Best includes other runs. Without them, a run under load from end to
	// end cannot be told from a quiet run.
	Remembered bool
	// P10, Median and P90 are quantiles over launches of the launches' medians, as multiples of
	// Best.
	P10, Median, P90 float64
	// Near is the share of launches within a tenth of Best.
	Near float64
}

// The limits of grades.
const (
	cleanA = 0.97
	cleanC = 0.70
	// NearSentinel is the largest sentinel of a launch that is near the machine's best, as a
	// multiple of the best.
	NearSentinel = 1.1
	nearShare    = 0.75
	stealA       = 0.01
	othersA      = 0.05
	controlLimit = 0.005 // the largest A/A difference that a run may show
	// WideC is the half-width from which on a ratio decides nothing.
	WideC = 0.30
)

// A watch collects what the controls of launches saw.
type watch struct {
	launches, disturbed int
	clean, checked      int       // checked samples have a CPU time
	sentinels           []float64 // for each launch with sentinels, their median in ns
	loads               []float64
	steal               float64 // ns of CPU time
	elapsed             float64 // ns
	others, seen        float64 // ns in which others used all CPUs, and ns in which that is known
}

// stealTick is the unit of Launch.Steal in ns: Linux's USER_HZ is 100.
const stealTick = 1e7

// see takes in a launch that counts.
func (w *watch) see(stored *result.Launch, l *launch) {
	w.launches++
	for _, s := range l.series {
		for i := range s.round {
			if !math.IsNaN(s.cpu[i]) {
				w.checked++
				if s.clean[i] {
					w.clean++
				}
			}
		}
	}
	var walks []float64
	for _, ns := range stored.Sentinel {
		if ns > 0 {
			walks = append(walks, float64(ns))
		}
	}
	if len(walks) > 0 {
		w.sentinels = append(w.sentinels, median(walks))
	}
	if stored.Load > 0 {
		w.loads = append(w.loads, stored.Load)
	}
	if stored.Steal > 0 {
		w.steal += float64(stored.Steal) * stealTick
	}
	elapsed := float64(max(stored.Elapsed, 0))
	w.elapsed += elapsed
	if o := stored.Others; o != nil {
		w.others += min(max(*o, -1), 1) * elapsed
		w.seen += elapsed
	}
}

// merge adds what another watch saw.
func (w *watch) merge(other watch) {
	w.launches += other.launches
	w.disturbed += other.disturbed
	w.clean += other.clean
	w.checked += other.checked
	w.sentinels = append(w.sentinels, other.sentinels...)
	w.loads = append(w.loads, other.loads...)
	w.steal += other.steal
	w.others += other.others
	w.seen += other.seen
	w.elapsed += other.elapsed
}

// cleanShare returns the share of clean samples; NaN if none was checked.
func (w *watch) cleanShare() float64 {
	if w.checked == 0 {
		return math.NaN()
	}
	return float64(w.clean) / float64(w.checked)
}

// sentinel summarizes the sentinels. remembered is the best of other runs in ns, or 0.
func (w *watch) sentinel(remembered float64) *Sentinel {
	if len(w.sentinels) == 0 {
		return nil
	}
	sorted := ascending(w.sentinels)
	s := &Sentinel{Best: sorted[0], Remembered: remembered > 0}
	if s.Remembered {
		s.Best = min(s.Best, remembered)
	}
	at := func(q float64) float64 { return sorted[int(math.Round(q*float64(len(sorted)-1)))] / s.Best }
	s.P10, s.Median, s.P90 = at(0.1), median(sorted)/s.Best, at(0.9)
	near, _ := slices.BinarySearchFunc(sorted, NearSentinel*s.Best, func(v, limit float64) int {
		return cmp.Or(cmp.Compare(v, limit), -1) // the limit itself is near
	})
	s.Near = float64(near) / float64(len(sorted))
	return s
}

// controls returns the readings of the controls of all cells.
func (a *account) controls() (all []reading) {
	for _, key := range a.order {
		if c := a.cells[key]; c != nil {
			if reference := a.reference(key, c); reference != nil {
				all = append(all, c.control(*reference)...)
			}
		}
	}
	return all
}

// grade judges the whole run by its controls and by how much was measured; nil if nothing was
// launched.
func (a *account) grade(controls []reading) *Grade {
	var all watch
	var spent extent
	for _, key := range a.order {
		c := a.cells[key]
		if c == nil {
			continue
		}
		all.merge(c.watch)
		if len(c.launches) > 0 {
			spent.add(a, key, c)
		}
	}
	if all.launches == 0 {
		return nil
	}
	g := &Grade{
		Launches: all.launches, Disturbed: all.disturbed,
		Clean:    all.cleanShare(),
		Sentinel: all.sentinel(a.known),
		Load:     math.NaN(), Others: math.NaN(),
	}
	if len(all.loads) > 0 {
		g.Load = median(all.loads)
	}
	if all.elapsed > 0 {
		g.Steal = all.steal / all.elapsed
	}
	if all.seen > 0 {
		g.Others = max(0, all.others/all.seen) // clock ticks may make it negative
	}
	g.judge(controls)
	spent.judge(g)
	return g
}

// An extent says how much was measured of the cells of a run.
type extent struct {
	cells, few, wide int
	least            int // the number of layouts of the cell with the fewest
}

// add takes in a cell that has launches.
func (e *extent) add(a *account, key result.Cell, c *cell) {
	n := c.layouts()
	if e.cells == 0 || n < e.least {
		e.least = n
	}
	e.cells++
	if n < LeastLayouts {
		e.few++
	}
	var halves []float64
	for _, row := range a.candidates(key, c) {
		if len(row.readings) > 0 {
			halves = append(halves, c.ratio(row.readings).interval().HalfWidth())
		}
	}
	if len(halves) > 0 && median(halves) > WideC {
		e.wide++
	}
}

// judge lowers the grade of a run that measured too little.
func (e *extent) judge(g *Grade) {
	of := func(n int) string {
		if n == e.cells {
			return ""
		}
		return fmt.Sprintf(" in %d of %d tables", n, e.cells)
	}
	if e.wide > 0 {
		g.Lower("half of the ratios are wider than ±30%%%s", of(e.wide))
	}
	if e.few > 0 {
		g.Lower("only %s%s (%d are needed)", layoutCount(e.least), of(e.few), LeastLayouts)
	}
}

// layoutCount returns a number of random layouts in words.
func layoutCount(n int) string {
	switch n {
	case 0:
		return "the ordinary layout"
	case 1:
		return "1 layout"
	}
	return fmt.Sprintf("%d layouts", n)
}

// Lower makes the grade a C. The reason becomes the first of Reasons.
func (g *Grade) Lower(format string, args ...any) {
	g.Letter = "C"
	g.Reasons = slices.Insert(g.Reasons, 0, fmt.Sprintf(format, args...))
}

// judge sets the letter and its reasons.
func (g *Grade) judge(controls []reading) {
	g.Letter = "A"
	lower := func(to byte, format string, args ...any) {
		if to == 'C' {
			g.Lower(format, args...)
			return
		}
		g.Letter = max(g.Letter, string(to))
		g.Reasons = append(g.Reasons, fmt.Sprintf(format, args...))
	}
	if len(controls) > 0 {
		// Neighbours affect both series in the same way, so there is no environment term.
		e := estimateOf(controls)
		i := e.interval()
		g.Control = &i
		if math.Abs(e.log) > controlLimit {
			if e.p() < 1-confidence {
				lower('C', "the reference differs from itself: %.3f (%.3f…%.3f)", i.Value, i.Lo, i.Hi)
			} else {
				lower('B', "the reference differs from itself, perhaps by chance: %.3f (%.3f…%.3f)", i.Value, i.Lo, i.Hi)
			}
		}
	} else {
		lower('B', "no control: the reference was not measured a second time")
	}
	switch {
	case math.IsNaN(g.Clean):
		lower('B', "no CPU clock: disturbed samples cannot be told from clean ones")
	case g.Clean < cleanC:
		lower('C', "only %s of the samples were clean: read the ratios only", percent(g.Clean))
	case g.Clean < cleanA:
		lower('B', "%s of the samples were clean", percent(g.Clean))
	}
	switch s := g.Sentinel; {
	case s == nil:
		lower('B', "no sentinel watched the caches")
	case s.Near < nearShare && s.Median <= NearSentinel:
		lower('B', "the caches were shared: the sentinel was near its best in only %s of the launches", percent(s.Near))
	case s.Near < nearShare:
		lower('B', "the caches were shared: the sentinel took %.2f times its best", s.Median)
	}
	if g.Steal > stealA {
		lower('B', "the host took %s of a CPU's time", beyond(g.Steal, stealA, math.Round))
	}
	switch text := "other programs used " + beyond(g.Others, othersA, floor) + " of the machine's CPU time"; {
	case math.IsNaN(g.Others):
		lower('B', "the run does not show what other programs used")
	case g.Others >= result.Crowded:
		lower('C', "%s: read the ratios only", text)
	case g.Others > othersA:
		lower('B', "%s", text)
	}
}

// percent rounds down, so that 96.6% is not shown as 97%, the limit that it misses.
func percent(share float64) string { return fmt.Sprintf("%.0f%%", floor(100*share)) }

// floor is math.Floor with a tolerance for products that are slightly too small by rounding.
func floor(x float64) float64 { return math.Floor(x + 1e-9) }

// beyond formats a share that is above a limit. It uses as many decimals as it takes to show a
// number above the limit, up to 3: 5.2%, because 5% is still within a limit of 5%.
func beyond(share, limit float64, round func(float64) float64) string {
	const most = 3
	for digits, scale := 0, 100.0; ; digits, scale = digits+1, 10*scale {
		shown := round(scale * share)
		if shown > floor(scale*limit) || digits == most {
			return fmt.Sprintf("%.*f%%", digits, 100*shown/scale)
		}
	}
}

// controlWarnings returns the warnings about the A/A control of one cell, if it has a control.
func (c *cell) controlWarnings(reference result.Subject) []Warning {
	readings := c.control(reference)
	if len(readings) == 0 {
		return nil
	}
	e := estimateOf(readings)
	if math.Abs(e.log) <= controlLimit || e.p() >= 1-confidence {
		return nil
	}
	i := e.interval()
	return []Warning{{Control, fmt.Sprintf("%s differs from itself: %.3f (%.3f…%.3f)", reference, i.Value, i.Lo, i.Hi)}}
}
