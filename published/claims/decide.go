package claims

import (
	"math"

	"assay/internal/analysis"
)

// A place is the position of a figure relative to a bound.
type place int

const (
	unclear place = iota // its interval is on both sides, or it is not a number
	below
	tied // within a tie of the bound; for exact figures, equal to it
	above
)

// A figure is the measured result of a condition.
type figure struct {
	analysis.Interval
	// exact says that it is counted, so only equality is a tie.
	exact bool
	// launches is the number of launches behind it; 0 for counts.
	launches int
	// layouts is the number of replications behind the interval.
	layouts int
	// whole is the number of processes behind a figure of whole values; 0 for other figures, and -1
	// if the whole values have no number.
	whole int
	// here says that a whole value of the run that is ruled on is part of the figure.
	here bool
}

// rounding is the largest rounding error of sums and quotients of exact numbers, as a share.
const rounding = 1e-9

// to returns the position of the figure relative to a bound.
func (f figure) to(bound float64) place {
	if f.exact {
		switch {
		case math.IsNaN(f.Value):
			return unclear
		case math.Abs(f.Value-bound) <= rounding*math.Max(math.Abs(bound), 1e-300):
			return tied
		case f.Value < bound:
			return below
		}
		return above
	}
	if bound <= 0 || f.Value <= 0 {
		switch {
		case f.Lo > bound:
			return above
		case f.Hi < bound:
			return below
		}
		return unclear
	}
	v, lo, hi := f.logs(bound)
	certain := lo > 0 || hi < 0
	switch {
	case math.Abs(v) < analysis.Tie && (certain || -analysis.Tie < lo && hi < analysis.Tie):
		return tied
	case math.Abs(v) < analysis.Tie || !certain:
		return unclear
	case v < 0:
		return below
	}
	return above
}

// logs returns the logarithms of the figure and its bounds, each over bound.
func (f figure) logs(bound float64) (v, lo, hi float64) {
	return math.Log(f.Value / bound), math.Log(f.Lo / bound), math.Log(f.Hi / bound)
}

// A limit is one bound of a claim.
type limit struct {
	at float64
	// upper says that the figure must not be more. strict says that it must not reach the limit.
	upper, strict bool
}

// edge returns where the verdict on a time changes: a tie beyond a limit that may be reached, and a
// tie before a limit that may not.
func (l limit) edge() float64 {
	if l.upper == l.strict {
		return l.at * math.Exp(-analysis.Tie)
	}
	return l.at * math.Exp(analysis.Tie)
}

// meets judges the figure by the limit: an estimate by its whole interval.
func (f figure) meets(l limit) Verdict {
	if f.exact {
		switch p := f.to(l.at); {
		case p == unclear:
			return Undecided
		case p == tied && l.strict:
			return Refuted
		case p == tied, (p == below) == l.upper:
			return Holds
		}
		return Refuted
	}
	switch edge := l.edge(); {
	case f.Lo > edge && l.upper, f.Hi < edge && !l.upper:
		return Refuted
	case f.Lo > edge, f.Hi < edge:
		return Holds
	}
	return Undecided
}

// level returns the p-value of the verdict by all limits: the largest of the limits that hold, or
// the smallest of those that refute. It is 0 for counts.
func (f figure) level(limits []limit) float64 {
	if f.exact {
		return 0
	}
	holds, refutes := 0.0, math.Inf(1)
	for _, l := range limits {
		p := 0.0
		if l.at > 0 && f.Value > 0 {
			p = f.p(l.edge())
		} else if f.meets(l) == Undecided {
			p = 1
		}
		if (f.Value < l.edge()) == l.upper {
			holds = max(holds, p)
		} else {
			refutes = min(refutes, p)
		}
	}
	p := refutes
	if math.IsInf(refutes, 1) {
		p = holds
	}
	if math.IsNaN(p) { // a figure without an interval decides nothing
		return 1
	}
	return p
}

// p returns the p-value of the figure against an edge. Only the bound toward the edge matters, so the
// other one may be 0 or infinite.
func (f figure) p(edge float64) float64 {
	i := f.Interval
	switch square := i.Value * i.Value; {
	case i.Value < edge && i.Lo <= 0:
		i.Lo = square / i.Hi
	case i.Value > edge && math.IsInf(i.Hi, 1):
		i.Hi = square / i.Lo
	}
	return i.P(edge, f.layouts)
}

// within judges the figure by all limits: a limit that is not met refutes.
func (f figure) within(limits []limit) Verdict {
	all := Holds
	for _, l := range limits {
		switch f.meets(l) {
		case Refuted:
			return Refuted
		case Undecided:
			all = Undecided
		}
	}
	return all
}

// most is the largest number of launches that is given: a run has at most as many layouts, and a case
// one count of CPU time in each.
const most = 1000

// launchesFor returns about how many launches would decide the limits that the figure leaves
// undecided; 0 if that is unknown. A half-width shrinks with the square root of the number of
// launches, down to the changes of the machine itself, which are less than half a tie.
func (f figure) launchesFor(limits []limit) int {
	need := 0
	for _, l := range limits {
		if f.meets(l) != Undecided || l.at <= 0 || f.Value <= 0 || f.launches == 0 {
			continue
		}
		v, lo, hi := f.logs(l.edge())
		half, distance := v-lo, math.Abs(v)
		if v < 0 {
			half = hi - v
		}
		wanted := math.Ceil(float64(f.launches) * (half / distance) * (half / distance))
		if math.IsNaN(wanted) || wanted > most {
			return 0
		}
		need = max(need, int(wanted), f.launches+1)
	}
	return need
}

// unbounded says that the figure's interval has no bounds, or none above 0, from which a number of
// launches could be told; empty if it has both.
func (f figure) unbounded() string {
	switch {
	case !f.Bounded():
		return "one sample has no interval (" + moreLaunches + ")"
	case f.Lo <= 0:
		return "the interval reaches 0 (" + moreLaunches + ")"
	}
	return ""
}

// inOrder is the limit of the worst step of an order.
var inOrder = []limit{{1, false, true}}

// limits returns the limits of the claim's figure.
func (c *Claim) limits() []limit {
	if c.Band != nil {
		return c.Band.limits
	}
	b := c.Bounds
	var limits []limit
	add := func(at *float64, upper, strict bool) {
		if at != nil {
			limits = append(limits, limit{*at, upper, strict})
		}
	}
	add(b.AtLeast, false, false)
	add(b.Above, false, true)
	add(b.AtMost, true, false)
	add(b.Below, true, true)
	switch {
	case c.Predicate == Constant:
		return []limit{{1 + b.Tolerance, true, false}}
	case c.Predicate == Order:
		return inOrder
	case len(limits) == 0 && len(c.Published) > 0:
		first, last := c.Published[0], c.Published[len(c.Published)-1]
		limits = []limit{{first * (1 - b.Tolerance), false, false}, {last * (1 + b.Tolerance), true, false}}
	}
	return limits
}
