package claims

import (
	"math"

	"assay/internal/analysis"
)

// A place is where a figure is, seen from a bound.
type place int

const (
	unclear place = iota // its interval is on both sides
	below
	tied // within the tie of the bound; of exact figures, equal to it
	above
)

// A figure is what a condition came to.
type figure struct {
	analysis.Interval
	// exact says that it is counted: it has no ties but equality.
	exact bool
	// launches is how many are behind it; 0 for counts.
	launches int
}

// rounding is what sums and quotients of exact numbers may be off by.
const rounding = 1e-9

// to returns where the figure is, seen from a bound.
func (f figure) to(bound float64) place {
	if f.exact {
		switch {
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

// logs returns the logarithms of the figure and its bounds over a bound.
func (f figure) logs(bound float64) (v, lo, hi float64) {
	return math.Log(f.Value / bound), math.Log(f.Lo / bound), math.Log(f.Hi / bound)
}

// A limit is one bound of a claim.
type limit struct {
	at float64
	// upper says that the figure must not be more; strict that it must not reach it.
	upper, strict bool
}

// meets judges the figure by the limit.
func (f figure) meets(l limit) Verdict {
	p := f.to(l.at)
	if p == unclear && !f.exact && l.at > 0 && f.Value > 0 {
		// Which side of the bound it is on is not known, but that it is no farther
		// than a tie on the wrong one, or the right one, may be.
		_, lo, hi := f.logs(l.at)
		switch {
		case lo > -analysis.Tie && !l.upper, hi < analysis.Tie && l.upper:
			if !l.strict {
				return Holds
			}
		}
		switch {
		case hi < analysis.Tie && !l.upper, lo > -analysis.Tie && l.upper:
			if l.strict {
				return Refuted
			}
		}
	}
	switch {
	case p == unclear:
		return Undecided
	case p == tied:
		if l.strict {
			return Refuted
		}
		return Holds
	case (p == below) == l.upper:
		return Holds
	}
	return Refuted
}

// within judges the figure by all limits: one that is not met refutes.
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

// most is the largest number of launches that is named.
const most = 10_000

// launchesFor returns about how many launches would tell where the figure is, seen
// from the limits that it does not decide; 0 where that cannot be told. A
// half-width shrinks with the square root of the number of launches, down to
// what the machine itself changes, which is less than half a tie.
func (f figure) launchesFor(limits []limit) int {
	need := 0
	for _, l := range limits {
		if f.meets(l) != Undecided || l.at <= 0 || f.Value <= 0 || f.launches == 0 {
			continue
		}
		v, lo, hi := f.logs(l.at)
		half := v - lo
		if v < 0 {
			half = hi - v
		}
		distance := math.Abs(v)
		if distance < analysis.Tie {
			distance = math.Max(distance, analysis.Tie-distance)
		}
		wanted := math.Ceil(float64(f.launches) * (half / distance) * (half / distance))
		if math.IsNaN(wanted) || wanted > most {
			return 0
		}
		need = max(need, int(wanted), f.launches+1)
	}
	return need
}

// limits are the bounds of a claim's figure.
func (c *Claim) limits() []limit {
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
		return []limit{{1, false, true}}
	case len(limits) == 0 && len(c.Published) > 0:
		first, last := c.Published[0], c.Published[len(c.Published)-1]
		limits = []limit{{first * (1 - b.Tolerance), false, false}, {last * (1 + b.Tolerance), true, false}}
	}
	return limits
}
