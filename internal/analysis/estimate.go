package analysis

import (
	"math"
	"slices"
)

// confidence is that of every interval.
const confidence = 0.95

// environment is the half-width that is added in quadrature to the interval of
// a ratio, for what a whole session shares and its launches cannot show: how
// much the neighbours leave of the caches. Without it, intervals of sessions
// some minutes apart covered one another's centre in 88% of cases; with it in
// 95%.
const environment = 0.005

// An Interval is an estimate and the bounds of its 95% interval.
type Interval struct {
	Value, Lo, Hi float64
}

// Bounded says whether the interval has bounds. One sample gives an estimate
// but no bounds: Lo is then 0 and Hi is infinite.
func (i Interval) Bounded() bool { return !math.IsInf(i.Hi, 0) && !math.IsInf(i.Lo, 0) }

// Over returns f divided by the interval: of a ratio of times and 1, how many
// times as fast.
func (i Interval) Over(f float64) Interval { return Interval{f / i.Value, f / i.Hi, f / i.Lo} }

// exactly returns the interval of a number that is counted, not estimated.
func exactly(v float64) Interval { return Interval{v, v, v} }

// An estimate is a logarithm and its uncertainty.
type estimate struct {
	log      float64
	down, up float64 // from log to the bounds of the interval
	// df is the degrees of freedom of the t-interval; infinite where the
	// interval is that of the sign test.
	df       float64
	layouts  int
	launches int
	samples  int
	clocks   [3]int // launches by clock
}

// interval returns the estimate on the scale of its logarithm's argument.
func (e estimate) interval() Interval {
	return Interval{math.Exp(e.log), math.Exp(e.log - e.down), math.Exp(e.log + e.up)}
}

// p is the two-sided p-value of log = 0 that agrees with the interval: it is
// 0.05 exactly when a bound is 0.
func (e estimate) p() float64 {
	toward := e.down
	if e.log < 0 {
		toward = e.up
	}
	switch {
	case e.log == 0 || math.IsInf(toward, 0):
		return 1
	case toward == 0:
		return 0
	}
	t := math.Abs(e.log) / toward * tQuantile((1+confidence)/2, e.df)
	return 2 * tCDF(-t, e.df)
}

// estimateOf combines launches, of which there is at least one.
//
// A launch says its median. The estimate is the mean over layouts of the mean
// of each layout's launches: the layout is the unit of replication, because
// one link of a binary moves ratios by 1.4 to 3.7% and no repetition of it shows
// that. The interval is Student's over the layouts. It is nowhere narrower than
// that of the sign test over all rounds, which a few launches that agree by
// chance would otherwise undercut. A minimum or a mean of times appears nowhere:
// both were found to repeat worse than the median by a factor of two and more.
//
// Where there is one layout, launches stand in for layouts; where there is one
// launch, the sign test's interval is all there is.
func estimateOf(readings []reading) estimate {
	e := estimate{launches: len(readings), df: math.Inf(1)}
	byLayout := make(map[uint64][]float64)
	var order []uint64 // so that sums do not depend on the order of a map
	var medians, pooled []float64
	for _, r := range readings {
		m := median(r.values)
		if byLayout[r.layout] == nil {
			order = append(order, r.layout)
		}
		byLayout[r.layout] = append(byLayout[r.layout], m)
		medians = append(medians, m)
		pooled = append(pooled, r.values...)
		e.clocks[r.clock]++
	}
	e.layouts, e.samples = len(order), len(pooled)

	clusters := medians
	if len(order) > 1 {
		clusters = clusters[:0:0]
		for _, layout := range order {
			clusters = append(clusters, mean(byLayout[layout]))
		}
	}
	e.log = mean(clusters)
	e.down, e.up = signDistances(pooled)
	if k := len(clusters); k > 1 {
		e.df = float64(k - 1)
		half := tHalf(clusters)
		e.down, e.up = max(e.down, half), max(e.up, half)
	}
	return e
}

// timeOf combines launches into a time. It is descriptive: its centre is the
// median over launches, which one launch at another clock frequency does not
// move, and it has no environment term.
func timeOf(readings []reading) estimate {
	e := estimateOf(readings)
	medians := make([]float64, len(readings))
	for i, r := range readings {
		medians[i] = median(r.values)
	}
	e.log = median(medians)
	return e
}

// ratioOf combines launches into a ratio.
func ratioOf(readings []reading) estimate { return estimateOf(readings).withEnvironment() }

// withEnvironment returns the estimate with the environment term added.
func (e estimate) withEnvironment() estimate {
	e.down = math.Hypot(e.down, environment)
	e.up = math.Hypot(e.up, environment)
	return e
}

// minus returns the difference of two independent estimates. Its degrees of
// freedom are the fewer of the two, which errs on the wide side.
func (e estimate) minus(f estimate) estimate {
	return estimate{
		log:      e.log - f.log,
		down:     math.Hypot(e.down, f.up),
		up:       math.Hypot(e.up, f.down),
		df:       min(e.df, f.df),
		layouts:  min(e.layouts, f.layouts),
		launches: min(e.launches, f.launches),
		samples:  min(e.samples, f.samples),
	}
}

// signDistances returns how far the bounds of the sign test's interval of the
// median are from the median. Five samples or fewer have no such interval; the
// t-interval stands in, no narrower than their range. One sample has none at
// all: the distances are infinite.
func signDistances(values []float64) (down, up float64) {
	n := len(values)
	if n < 2 {
		return math.Inf(1), math.Inf(1)
	}
	sorted := slices.Sorted(slices.Values(values))
	m := median(sorted)
	k := signRank(n, confidence)
	if k == 0 {
		half := tHalf(values)
		return max(half, m-sorted[0]), max(half, sorted[n-1]-m)
	}
	return m - sorted[k-1], sorted[n-k] - m
}

// tHalf is the half-width of Student's interval of the mean of two values or
// more.
func tHalf(values []float64) float64 {
	n, m, sum := float64(len(values)), mean(values), 0.0
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return tQuantile((1+confidence)/2, n-1) * math.Sqrt(sum/(n-1)/n)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// median returns the middle value, or the mean of the two middle ones.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
