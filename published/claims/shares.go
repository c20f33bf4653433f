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

// ends returns shares of the split conversions, among which are those of the least and the
// largest figure that any shares give; none where no conversion is split. A ratio, grows and a
// trend move one way with each share, so that none or all of each decides. Constant and an order do not:
// what is most alike, or most in order, may be between.
func (j judge) ends(amounts []amount) [][]float64 {
	if !slices.ContainsFunc(amounts, func(a amount) bool { return a.split }) {
		return nil
	}
	var ends [][]float64
	// add adds shares of none, but for those that are given.
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
			of := i%2 == 0 // the other is to
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
		for corner := range 4 { // of the first and the last, which are all that count
			shares := map[int]float64{last: float64(corner >> 1)}
			shares[0] = float64(corner & 1)
			add(shares)
		}
	}
	return ends
}

// ends are the amount with none and all of the conversion.
func (a amount) ends() (none, all float64) { return a.with(0).Value, a.with(1).Value }

// shareOf is the share with which the amount comes to v, or as near as it can.
func (a amount) shareOf(v float64) float64 {
	none, all := a.ends()
	if all <= none {
		return 0
	}
	return min(max((v-none)/(all-none), 0), 1)
}

// alike are the shares with which the amounts differ least.
func alike(amounts []amount) []float64 {
	most := 0.0 // the least that all but what is less anyhow can come to
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

// ordered are the shares with which the least step of the order is largest.
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
	// Between any two cases the steps multiply to no more than all of the later over none of
	// the earlier.
	const floor = 1e-9 // of all, so that there is a ratio to none
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
