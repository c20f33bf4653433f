package analysis

import (
	"math"
	"slices"
)

// confidence is the confidence of every interval, unless stated otherwise.
const confidence = 0.95

// An Interval is an estimate and the bounds of its 95% interval.
type Interval struct {
	Value, Lo, Hi float64
}

// Bounded reports whether the interval has bounds. One sample gives an estimate without bounds: Lo
// is 0 and Hi is infinite.
func (i Interval) Bounded() bool { return !math.IsInf(i.Hi, 0) && !math.IsInf(i.Lo, 0) }

// HalfWidth is the distance from the value to the farther bound as a share of
// the value: 0.02 for ±2%. It is infinite for an interval without bounds.
func (i Interval) HalfWidth() float64 {
	switch {
	case !i.Bounded():
		return math.Inf(1)
	case i.Hi == i.Lo:
		return 0
	}
	return max(i.Hi/i.Value-1, 1-i.Lo/i.Value)
}

// Known reports whether the value is known to a factor of two. A wider interval says only that more
// has to be measured.
func (i Interval) Known() bool { return i.HalfWidth() < 1 }

// Over returns f divided by the interval. For a ratio of times and f = 1, that is how many times as
// fast.
func (i Interval) Over(f float64) Interval { return Interval{f / i.Value, f / i.Hi, f / i.Lo} }

// Quotient returns i divided by j, two positive and independent estimates.
func (i Interval) Quotient(j Interval) Interval {
	down := math.Hypot(math.Log(i.Value/i.Lo), math.Log(j.Hi/j.Value))
	up := math.Hypot(math.Log(i.Hi/i.Value), math.Log(j.Value/j.Lo))
	v := i.Value / j.Value
	return Interval{v, v * math.Exp(-down), v * math.Exp(up)}
}

// At returns the interval with bounds of another confidence than 95%. level is from 0 to 1, and df
// is the degrees of freedom of the estimate. On a logarithmic scale, the distances from the value
// to the bounds scale with Student's quantiles.
func (i Interval) At(level, df float64) Interval {
	v := math.Log(i.Value)
	return estimate{log: v, down: v - math.Log(i.Lo), up: math.Log(i.Hi) - v, df: df}.at(level).interval()
}

// exactly returns the interval of a number that is counted instead of estimated.
func exactly(v float64) Interval { return Interval{v, v, v} }

// An estimate is a logarithm and its uncertainty.
type estimate struct {
	log      float64
	down, up float64 // from log to the bounds of the interval
	// df is the degrees of freedom of the t-interval; infinite if the interval is that of the sign
	// test.
	df       float64
	layouts  int
	launches int
	samples  int
	clocks   [4]int // launches by clock
	// environment is the environment term in down and up.
	environment float64
	// by has the layouts behind log; nil if there is only one.
	by []cluster
}

// inverse returns the estimate of the inverse ratio.
func (e estimate) inverse() estimate {
	e.log, e.down, e.up = -e.log, e.up, e.down
	e.by = slices.Clone(e.by)
	for i := range e.by {
		e.by[i].log = -e.by[i].log
	}
	return e
}

// interval returns the exponential of the estimate and of its bounds.
func (e estimate) interval() Interval {
	return Interval{math.Exp(e.log), math.Exp(e.log - e.down), math.Exp(e.log + e.up)}
}

// at returns an estimate of 95% confidence with bounds of another confidence, from 0 to 1. The
// distances to the bounds scale with Student's quantiles. For bounds of the sign test this is an
// approximation.
func (e estimate) at(level float64) estimate {
	factor := tQuantile((1+level)/2, e.df) / tQuantile((1+confidence)/2, e.df)
	e.down, e.up = factor*e.down, factor*e.up
	return e
}

// p is the two-sided p-value of the hypothesis log = 0 that agrees with the interval: it is 0.05
// exactly when a bound of a 95% interval is 0.
func (e estimate) p() float64 { return e.pBeyond(0) }

// pBeyond is the p-value of the hypothesis that the true logarithm is within the margin of 0. It
// agrees with the interval: it is 0.05 exactly when a bound of a 95% interval is the margin.
func (e estimate) pBeyond(margin float64) float64 {
	toward := e.down
	if e.log < 0 {
		toward = e.up
	}
	away := math.Abs(e.log) - margin
	switch {
	case away <= 0 || math.IsInf(toward, 0):
		return 1
	case toward == 0:
		return 0
	}
	t := away / toward * tQuantile((1+confidence)/2, e.df)
	return 2 * tCDF(-t, e.df)
}

// estimateOf combines one or more launches, without a prior.
func estimateOf(readings []reading) estimate { return prior{}.estimateOf(readings) }

// estimateOf combines one or more launches.
//
// Each launch contributes its median. The estimate is the mean over layouts of the mean of each
// layout's launches. The layout is the unit of replication, because linking the same code again
// moves ratios by 1.4 to 3.7%, and repeating one link does not show that. The interval is Student's
// over the layouts, with the variance shrunk towards the prior's. It is at least as wide as that of
// the sign test over all rounds: a few launches that agree by chance would otherwise give a
// narrower one. estimateOf uses no minimum and no mean of times, because both repeated worse than
// the median by a factor of two and more. With prior.alone, the sign test has no say.
//
// If there is one layout, launches take the place of layouts, and there is no prior. If there is
// one launch, the interval is that of the sign test.
func (p prior) estimateOf(readings []reading) estimate {
	e := estimate{launches: len(readings), df: math.Inf(1)}
	for _, r := range readings {
		e.clocks[r.clock]++
	}
	pooled := pool(readings)
	e.by = perLayout(readings)
	clusters, layouts := unitsOf(e.by, readings)
	e.layouts, e.samples = layouts, len(pooled)
	e.log = mean(clusters)
	if e.by == nil {
		p.variance, p.df = 0, 0
	}
	n, k := len(pooled), len(clusters)
	if tested := signRank(n, confidence) > 0; k < 2 || !p.alone && (tested || p.df == 0) {
		e.down, e.up = signDistances(pooled)
		if n > 1 && !tested {
			e.df = float64(n - 1) // signDistances used the t-interval
		}
	}
	if k > 1 {
		half, df := p.half(clusters)
		e.df, e.down, e.up = df, max(e.down, half), max(e.up, half)
	}
	return e
}

// LayoutsFor returns about how many layouts a half-width of target takes, if that of the given
// number of layouts is half. Both are shares. It assumes that the variance over layouts stays the
// same, and that half has a common variance: without one, fewer layouts would do. The result is at
// most mostLayouts; it is also mostLayouts if the variance is unknown, as with one layout.
func LayoutsFor(half float64, layouts int, target float64) int {
	if half <= target {
		return layouts
	}
	if layouts < 2 || math.IsInf(half, 1) || math.IsNaN(half) {
		return mostLayouts
	}
	standard := func(n int) float64 { return tQuantile((1+confidence)/2, float64(n-1+priorDF)) / math.Sqrt(float64(n)) }
	spread := math.Log1p(half) / standard(layouts)
	n := layouts
	for n < mostLayouts && spread*standard(n) > math.Log1p(target) {
		n++
	}
	return n
}

// mostLayouts is the number of layouts of a run by default.
const mostLayouts = 16

// pool returns the values of all readings.
func pool(readings []reading) []float64 {
	n := 0
	for _, r := range readings {
		n += len(r.values)
	}
	pooled := make([]float64, 0, n)
	for _, r := range readings {
		pooled = append(pooled, r.values...)
	}
	return pooled
}

// clustersOf returns one value for each unit of replication: the mean over each layout's launches
// or, if there is one layout, the median of each launch.
func clustersOf(readings []reading) (clusters []float64, layouts int) {
	return unitsOf(perLayout(readings), readings)
}

// unitsOf is clustersOf for readings whose perLayout is by.
func unitsOf(by []cluster, readings []reading) (clusters []float64, layouts int) {
	for _, c := range by {
		clusters = append(clusters, c.log)
	}
	if by != nil {
		return clusters, len(clusters)
	}
	for _, r := range readings {
		clusters, layouts = append(clusters, median(r.values)), 1
	}
	return clusters, layouts
}

// perLayout returns the mean over each layout's launches, in the order of their first launches; nil
// if there is one layout or none.
func perLayout(readings []reading) []cluster {
	byLayout := make(map[uint64][]float64)
	var order []uint64 // keeps sums independent of the map's order
	for _, r := range readings {
		if byLayout[r.layout] == nil {
			order = append(order, r.layout)
		}
		byLayout[r.layout] = append(byLayout[r.layout], median(r.values))
	}
	if len(order) < 2 {
		return nil
	}
	var clusters []cluster
	for _, layout := range order {
		clusters = append(clusters, cluster{layout, mean(byLayout[layout])})
	}
	return clusters
}

// timeOf combines launches into a time. The time is descriptive: its centre is the median over
// launches, which one launch at another clock frequency does not move, and its interval has no
// environment term.
func timeOf(readings []reading) estimate { return prior{}.timeOf(readings) }

// timeOf is timeOf with a prior.
func (p prior) timeOf(readings []reading) estimate {
	e := p.estimateOf(readings)
	medians := make([]float64, len(readings))
	for i, r := range readings {
		medians[i] = median(r.values)
	}
	e.log = median(medians)
	return e
}

// ratio combines launches of the cell into a ratio.
func (c *cell) ratio(readings []reading) estimate {
	return c.prior().estimateOf(readings).with(c.environment)
}

// with returns the estimate with an environment term added.
func (e estimate) with(environment float64) estimate {
	e.down = math.Hypot(e.down, environment)
	e.up = math.Hypot(e.up, environment)
	e.environment = math.Hypot(e.environment, environment)
	return e
}

// minus returns the difference of two independent estimates. Its degrees of freedom are the smaller
// number of the two, which makes the interval wider rather than narrower.
func (e estimate) minus(f estimate) estimate {
	return estimate{
		log:      e.log - f.log,
		down:     math.Hypot(e.down, f.up),
		up:       math.Hypot(e.up, f.down),
		df:       min(e.df, f.df),
		layouts:  min(e.layouts, f.layouts),
		launches: min(e.launches, f.launches),
		samples:  min(e.samples, f.samples),

		environment: math.Hypot(e.environment, f.environment),
	}
}

// signDistances returns how far the bounds of the sign test's interval of the median are from the
// median. For five values or fewer there is no such interval; signDistances then uses the
// t-interval, but at least the range of the values. For one value the distances are infinite.
func signDistances(values []float64) (down, up float64) {
	n := len(values)
	if n < 2 {
		return math.Inf(1), math.Inf(1)
	}
	sorted := ascending(values)
	m := median(sorted)
	k := signRank(n, confidence)
	if k == 0 {
		half := tHalf(values)
		return max(half, m-sorted[0]), max(half, sorted[n-1]-m)
	}
	return m - sorted[k-1], sorted[n-k] - m
}

// tHalf returns the half-width of Student's interval of the mean of two or more values.
func tHalf(values []float64) float64 {
	half, _ := prior{}.half(values)
	return half
}

// variance returns the sample variance of two or more values.
func variance(values []float64) float64 {
	m, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return sum / float64(len(values)-1)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// ascending returns a sorted copy of the values.
func ascending(values []float64) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted
}

// median returns the median of the values.
func median(values []float64) float64 {
	return Spread(values).Value
}

// Spread returns the median of the values, or the mean of the two middle ones, with the smallest
// and the largest as bounds. There must be at least one value.
func Spread(values []float64) Interval {
	sorted := ascending(values)
	n := len(sorted)
	return Interval{Value: (sorted[(n-1)/2] + sorted[n/2]) / 2, Lo: sorted[0], Hi: sorted[n-1]}
}
