package analysis

import "math"

// P returns the two-sided p-value of the hypothesis that the true value is on the other side of the
// bound. It agrees with the interval: it is 0.05 exactly when an end of the 95% interval is the
// bound. layouts is the number of replications behind the interval. P is 0 for an interval without
// width that does not contain the bound, and 1 for an interval without bounds. Value and bound must
// be above 0.
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
