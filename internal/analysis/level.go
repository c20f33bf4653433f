package analysis

import "math"

// P returns the p-value of a true value on the other side of the bound, two-sided,
// that agrees with the interval: 0.05 exactly when an end of the 95% interval is
// the bound. Layouts is how many replications the interval was made of. It is 0
// for an interval without width beside the bound, and 1 for one without bounds.
// Value and bound must be above 0.
func (i Interval) P(bound float64, layouts int) float64 {
	if !i.Bounded() || i.Lo <= 0 {
		return 1
	}
	e := estimate{
		log: math.Log(i.Value / bound), down: math.Log(i.Value / i.Lo), up: math.Log(i.Hi / i.Value),
		df: math.Inf(1),
	}
	if layouts > 1 {
		e.df = float64(layouts - 1)
	}
	return e.p()
}
