package claims

import (
	"math"

	"assay/internal/analysis"
)

// loop is by how many nanoseconds the loop around an operation may change its time: the bar of the
// experiment overhead. All cases of an op have the same loop, so it matters to a time by itself and to
// the ratio of two ops.
const loop = 0.5

// looped returns the interval of a time with what the loop may add or hide. It leaves a tenth of a
// time, so that there are ratios to it. Of other figures it returns the interval as it is, as of
// times for each item, of which many share the loop.
func (j judge) looped(f figure) analysis.Interval {
	i := f.Interval
	if j.metric.Unit == "ns" && f.whole == 0 && !j.claim.PerItem && !j.bare {
		i.Lo, i.Hi = max(i.Lo-loop, i.Lo/10), i.Hi+loop
	}
	return i
}

// drift widens the interval of a ratio of times that were not measured in the same rounds, because
// the machine's clock moves between cells.
const drift = 0.02

// The processes of a whole value are from one session, and sessions differ by more than their
// processes do. session is the factor by which a ratio of times may differ between two sessions,
// and sessionPause the factor for a pause and for a ratio of pauses. sessionsBehind is the number of
// sessions that show these factors, so it is the number of replications behind a figure of whole
// values, whatever the number of their processes. METHODOLOGY lists the sessions.
const (
	session, sessionPause = 3, 11
	sessionsBehind        = 4
)

// ratio returns the metric of one term over that of another. In an order, a count over 0 is
// infinite, and 0 over 0 is 1.
func (j judge) ratio(a, b amount) figure {
	if n := len(a.sessions); n > 0 && n == len(b.sessions) {
		ratios := make([]figure, n)
		for i := range ratios {
			ratios[i] = j.ratio(a.sessions[i], b.sessions[i])
		}
		return pool(ratios)
	}
	f := figure{exact: j.metric.Exact, launches: fewer(a.launches, b.launches), layouts: fewer(a.layouts, b.layouts)}
	if f.exact {
		v := a.Value / b.Value
		if j.claim.Predicate == Order && a.Value == b.Value {
			v = 1
		}
		f.Interval = analysis.Interval{Value: v, Lo: v, Hi: v}
		return f
	}
	if a.whole == 0 && b.whole == 0 { // whole values have no rounds, though their cases may have been in some
		if i, ok := j.paired(a, b); ok {
			f.Interval = i
			return f
		}
		if i, ok := j.trips(a, b); ok {
			f.Interval = i
			return f
		}
	}
	f.Interval = a.Interval.Quotient(b.Interval)
	if a.term.Op != b.term.Op {
		f.Interval = j.looped(a.figure).Quotient(j.looped(b.figure))
	}
	switch {
	case j.metric.Unit != "ns":
	case a.whole > 0 || b.whole > 0:
		f.Interval = widened(f.Interval, math.Log(j.acrossSessions()))
	default:
		f.Interval = drifted(f.Interval)
	}
	return f
}

// acrossSessions returns the factor by which a ratio of whole values may differ between two sessions.
func (j judge) acrossSessions() float64 {
	switch j.metric.Name {
	case analysis.StreamPause, analysis.StreamPause99, analysis.StreamDelay:
		return sessionPause
	}
	return session
}

// drifted widens a ratio by drift.
func drifted(i analysis.Interval) analysis.Interval { return widened(i, drift) }

// widened adds an independent half-width, a difference of logarithms, to an interval.
func widened(i analysis.Interval, by float64) analysis.Interval {
	down, up := math.Log(i.Value/i.Lo), math.Log(i.Hi/i.Value)
	i.Lo, i.Hi = i.Value*math.Exp(-math.Hypot(down, by)), i.Value*math.Exp(math.Hypot(up, by))
	return i
}

// paired returns the ratio of two cases of one cell that were timed in the same rounds.
func (j judge) paired(a, b amount) (analysis.Interval, bool) {
	x, y := a.term.cases(j.claim.Workload), b.term.cases(j.claim.Workload)
	if j.claim.PerItem || len(x) != 1 || len(y) != 1 || x[0].Cell() != y[0].Cell() {
		return analysis.Interval{}, false
	}
	t := j.table(x[0].Cell())
	switch j.metric.Name {
	case analysis.Time:
		return t.Between(x[0].Subject(), y[0].Subject())
	case analysis.CPUTime:
		return t.ByCPU().Between(x[0].Subject(), y[0].Subject())
	case analysis.CPUTimeLive:
		p, _ := t.Row(x[0], j.metric.Name)
		q, _ := t.Row(y[0], j.metric.Name)
		if p.Ratio != nil && q.Ratio != nil {
			return p.Ratio.Quotient(*q.Ratio), true
		}
	}
	return analysis.Interval{}, false
}
