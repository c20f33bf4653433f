package claims

import (
	"math"

	"assay/internal/analysis"
)

// loop is by how many nanoseconds the loop around an operation is taken to change its time at most.
// It is the bar of the experiment overhead, whose medians on quiet hosts are within it.
const loop = 0.5

// loops reports whether the loop around an operation matters to the times of the claim: not to whole
// values, and not to times for each item, of which many share the loop.
func (j judge) loops(whole int) bool {
	return j.metric.Unit == "ns" && whole == 0 && !j.claim.PerItem && !j.bare
}

// looped returns the interval of an amount with what its loops may add or hide.
func (j judge) looped(a amount) analysis.Interval {
	i := a.Interval
	if j.loops(a.whole) {
		d := a.looping()
		i.Lo, i.Hi = max(i.Lo-d, 0), i.Hi+d
	}
	return i
}

// loopedRatio returns the interval of the ratio of two amounts with what their loops may add or
// hide. Within an op the loops are the same, so they change both amounts by as much; it does not
// cancel if the amounts are as short as the loops.
func (j judge) loopedRatio(i analysis.Interval, a, b amount) analysis.Interval {
	if !j.loops(max(a.whole, b.whole)) || a.Value <= 0 || b.Value <= 0 {
		return i
	}
	da, db := a.looping(), b.looping()
	lo, hi := max(a.Value-da, 0)/(b.Value+db), (a.Value+da)/max(b.Value-db, 0)
	if a.term.Op == b.term.Op {
		least := min(1, a.Value/da, b.Value/db) // all that the loops can hide
		more, less := (a.Value+da)/(b.Value+db), (a.Value-least*da)/(b.Value-least*db)
		if math.IsNaN(less) {
			less = a.Value / b.Value
		}
		lo, hi = min(more, less, a.Value/b.Value), max(more, less, a.Value/b.Value)
	}
	i.Lo, i.Hi = i.Lo*lo*b.Value/a.Value, i.Hi*hi*b.Value/a.Value
	return i
}

// looping returns how many nanoseconds the loops of an amount may add or hide: it has one loop for
// each of its ops, and one for conversion.
func (a amount) looping() float64 {
	n := len(parts(a.term.Op))
	if a.term.WithConvert {
		n++
	}
	return loop * float64(n)
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
	session, sessionPause = 2.4, 8
	sessionsBehind        = 5
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
		if (j.claim.Predicate == Order || j.claim.Predicate == Constant) && a.Value == b.Value {
			v = 1
		}
		f.Interval = analysis.Interval{Value: v, Lo: v, Hi: v}
		return f
	}
	f.Interval = j.loopedRatio(j.quotient(a, b), a, b)
	return f
}

// quotient returns the ratio of two estimates as they were measured, loops included.
func (j judge) quotient(a, b amount) analysis.Interval {
	if a.whole == 0 && b.whole == 0 { // whole values have no rounds, though their cases may have been in some
		if i, ok := j.paired(a, b); ok {
			return i
		}
		if i, ok := j.trips(a, b); ok {
			return i
		}
	}
	i := a.Interval.Quotient(b.Interval)
	switch {
	case j.metric.Unit != "ns" && j.metric.Unit != "B/s":
		return i
	case a.whole > 0 || b.whole > 0:
		return widened(i, math.Log(j.acrossSessions()))
	}
	return drifted(i)
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
	case analysis.Throughput: // the size of a message over its time
		over, ok := t.Between(y[0].Subject(), x[0].Subject())
		p, _ := t.Row(x[0], analysis.EncodedSize)
		q, _ := t.Row(y[0], analysis.EncodedSize)
		if !ok || p.Number == nil || q.Number == nil || q.Number.Value == 0 {
			return analysis.Interval{}, false
		}
		size := p.Number.Value / q.Number.Value
		return analysis.Interval{Value: over.Value * size, Lo: over.Lo * size, Hi: over.Hi * size}, true
	case analysis.CPUTimeLive:
		p, _ := t.Row(x[0], j.metric.Name)
		q, _ := t.Row(y[0], j.metric.Name)
		if p.Ratio != nil && q.Ratio != nil {
			return p.Ratio.Quotient(*q.Ratio), true
		}
	}
	return analysis.Interval{}, false
}
