package claims

import (
	"math"
	"slices"
)

// shared returns the amounts, each with its share of the conversion.
func shared(amounts []amount, shares []float64) []amount {
	out := make([]amount, len(amounts))
	for i, a := range amounts {
		out[i] = a.with(shares[i])
	}
	return out
}

// ends returns combinations of shares for the split conversions, one slice for each. Among them are
// the shares that give the smallest and the largest figure. It returns none if no conversion is
// split. A ratio, grows and a trend are monotonic in each share, so the ends need only shares of 0
// and 1. Constant and an order are not: the shares of the most equal or most ordered amounts may be
// in between.
func (j judge) ends(amounts []amount) [][]float64 {
	if !slices.ContainsFunc(amounts, func(a amount) bool { return a.split }) {
		return nil
	}
	var ends [][]float64
	// add adds a combination with the given shares, and 0 for all others.
	add := func(shares map[int]float64) {
		one := make([]float64, len(amounts))
		for i, s := range shares {
			one[i] = s
		}
		ends = append(ends, one)
	}
	last := len(amounts) - 1
	switch j.claim.Predicate {
	case Constant:
		add(nil)
		for i, a := range amounts {
			if a.split {
				add(map[int]float64{i: 1})
			}
		}
		ends = append(ends, alike(amounts))
	case Trend:
		x, mean, _ := j.sizes(amounts)
		up, down := map[int]float64{}, map[int]float64{}
		for i := range amounts {
			of := i%2 == 0 // otherwise it is to
			if late := x[i/2] > mean; late == of {
				up[i] = 1
			} else {
				down[i] = 1
			}
		}
		add(up)
		add(down)
	case Order:
		for _, s := range j.steps(len(amounts)) {
			add(map[int]float64{s[1]: 1})
		}
		ends = append(ends, j.ordered(amounts))
	default:
		for corner := range 4 { // only the first and the last amount matter
			shares := map[int]float64{last: float64(corner >> 1)}
			shares[0] = float64(corner & 1)
			add(shares)
		}
	}
	return ends
}

// ends returns the amount with none and with all of the conversion.
func (a amount) ends() (none, all float64) { return a.with(0).Value, a.with(1).Value }

// shareOf returns the share with which the amount is v, or as near to v as it can be.
func (a amount) shareOf(v float64) float64 {
	none, all := a.ends()
	if all <= none {
		return 0
	}
	return min(max((v-none)/(all-none), 0), 1)
}

// alike returns the shares with which the amounts differ least.
func alike(amounts []amount) []float64 {
	most := 0.0 // the smallest value that no amount can be entirely below
	for _, a := range amounts {
		none, _ := a.ends()
		most = max(most, none)
	}
	shares := make([]float64, len(amounts))
	for i, a := range amounts {
		shares[i] = a.shareOf(most)
	}
	return shares
}

// ordered returns the shares with which the smallest step of the order is largest.
func (j judge) ordered(amounts []amount) []float64 {
	shares := make([]float64, len(amounts))
	switch j.claim.Only {
	case "first":
		for i := range shares {
			shares[i] = min(float64(i), 1)
		}
		return shares
	case "last":
		shares[len(shares)-1] = 1
		return shares
	}
	// Between any two cases, the product of the steps is at most the later case with all of its
	// conversion over the earlier one with none.
	const floor = 1e-9 // as a share of all, so that a ratio to none exists
	step := math.Inf(1)
	for i, a := range amounts {
		none, all := a.ends()
		if none = max(none, floor*all); none == 0 {
			continue
		}
		for k, b := range amounts[i+1:] {
			_, later := b.ends()
			step = min(step, math.Pow(later/none, 1/float64(k+1)))
		}
	}
	if math.IsInf(step, 1) {
		step = 1
	}
	before := 0.0
	for i, a := range amounts {
		none, all := a.ends()
		before = max(none, floor*all, step*before)
		shares[i] = a.shareOf(before)
	}
	return shares
}
