package analysis

import (
	"cmp"
	"math"
	"slices"

	"assay/result"
)

// A Trip is a round trip of a value to bytes and back: an encode followed by a decode.
type Trip struct {
	// Subject is the contender in the mode asked for.
	result.Subject
	// Encode and Decode are the subjects whose times are added: the mode's own or, if the mode does
	// not change the op, the contender's default mode.
	Encode, Decode result.Subject
	// Time is the sum of both times in ns per operation.
	Time Interval
}

// Trips returns the round trips of all subjects that encode or decode, and their ranking: Places[i]
// of the ranking is Trips[i]. encode and decode are the tables of these ops for one workload and
// size.
//
// The two ops were measured in separate launches, so the errors in a sum are independent of each
// other. The ratio of two sums is the weighted mean of the ratios of encode and decode, which are
// paired. The weights are how long each op takes, alike for both subjects; see compared.weight.
func Trips(encode, decode *Table) ([]Trip, Ranking) {
	var trips []Trip
	for _, t := range []*Table{encode, decode} {
		for _, p := range t.Ranking.Places {
			trip, ok := tripOf(encode, decode, p.Subject)
			if ok && !slices.ContainsFunc(trips, func(x Trip) bool { return x.Subject == trip.Subject }) {
				trips = append(trips, trip)
			}
		}
	}
	if len(trips) == 0 {
		return nil, Ranking{}
	}
	base := trips[0] // the reference if it is there: readers see the ratios to it
	for _, t := range trips {
		if encode.Reference != nil && t.Subject == *encode.Reference {
			base = t
		}
	}
	to := make(map[result.Subject]float64, len(trips))
	for _, t := range trips {
		to[t.Subject] = tripRatio(encode, decode, t, base).log
	}
	slices.SortStableFunc(trips, func(a, b Trip) int { return cmp.Compare(to[a.Subject], to[b.Subject]) })

	subjects := make([]result.Subject, len(trips))
	for i, t := range trips {
		subjects[i] = t.Subject
	}
	var estimates []estimate
	for i, a := range trips {
		for _, b := range trips[i+1:] {
			estimates = append(estimates, tripRatio(encode, decode, a, b))
		}
	}
	return trips, ordered(subjects, estimates)
}

// BetweenTrips returns the round trip of one subject over that of another, with the 95% interval of
// this pair alone. Each op's ratio is paired by round. It returns false if a subject lacks an op's
// time. encode and decode are as for Trips.
func BetweenTrips(encode, decode *Table, a, b result.Subject) (Interval, bool) {
	x, ok := tripOf(encode, decode, a)
	y, also := tripOf(encode, decode, b)
	if !ok || !also {
		return Interval{}, false
	}
	if x.Encode == y.Encode && x.Decode == y.Decode {
		return exactly(1), true
	}
	return tripRatio(encode, decode, x, y).interval(), true
}

// tripOf returns the trip of a subject, and false if the contender lacks one of the ops.
func tripOf(encode, decode *Table, s result.Subject) (Trip, bool) {
	t := Trip{Subject: s}
	var ok bool
	var e, d Interval
	if t.Encode, e, ok = ownOrDefault(encode, s); !ok {
		return t, false
	}
	if t.Decode, d, ok = ownOrDefault(decode, s); !ok {
		return t, false
	}
	t.Time = e.plus(d)
	return t, true
}

// ownOrDefault returns the subject whose time of the table's op counts for s, and the time. It
// returns false if that subject has none.
func ownOrDefault(t *Table, s result.Subject) (result.Subject, Interval, bool) {
	who := t.StandIn(s)
	if _, ok := t.Ranking.Place(who); ok {
		if row, ok := t.Row(t.Cell.Case(who), Time); ok && row.Number != nil {
			return who, *row.Number, true
		}
	}
	return who, Interval{}, false
}

// StandIn returns the subject whose rows of the table count for s. It is s itself if the table has
// a case of it, which includes a case that failed. Otherwise the mode does not change the op, and
// it is the contender's default mode.
func (t *Table) StandIn(s result.Subject) result.Subject {
	own := t.Cell.Case(s)
	if slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Case == own }) {
		return s
	}
	return result.Subject{Contender: s.Contender}
}

// plus returns the sum of two independent estimates.
func (i Interval) plus(j Interval) Interval {
	v := i.Value + j.Value
	return Interval{v, v - math.Hypot(i.Value-i.Lo, j.Value-j.Lo), v + math.Hypot(i.Hi-i.Value, j.Hi-j.Value)}
}

// Sum returns the sum of two independent estimates. The zero Interval adds nothing.
func Sum(i, j Interval) Interval { return i.plus(j) }

// tripRatio estimates the logarithm of a's time over b's.
func tripRatio(encode, decode *Table, a, b Trip) estimate {
	of := func(t *Table, a, b result.Subject) compared {
		return compared{t.Ranking.estimate(a, b), t.Ranking.time(a), t.Ranking.time(b)}
	}
	return weighted(of(encode, a.Encode, b.Encode), of(decode, a.Decode, b.Decode))
}

// A compared is the paired ratio of two subjects at one op, and the time of each.
type compared struct{ ratio, a, b estimate }

// weight returns b's time at the op, by both times and the ratio: b is b, and a over the ratio. The
// geometric mean of the two makes the ratio of sums the same whichever subject is the first, also
// where the quotient of the times is not the paired ratio. half is its half-width as a share.
func (c compared) weight() (w, half float64) {
	a, b := c.a.interval(), c.b.interval()
	return math.Sqrt(a.Value / math.Exp(c.ratio.log) * b.Value), (a.HalfWidth() + b.HalfWidth()) / 2
}

// weighted returns the estimate of (e·x + d·y)/(x + y) for the ratios e and d and the weights x and
// y. The more the two ratios differ, the more the error of the weights counts.
func weighted(first, second compared) estimate {
	e, d := first.ratio, second.ratio
	x, ofX := first.weight()
	y, ofY := second.weight()
	total := x + y
	wx, wy := x/total, y/total
	re, rd := math.Exp(e.log), math.Exp(d.log)
	r := wx*re + wy*rd
	weights := 0.0
	if re != rd {
		weights = wx * wy * math.Abs(re-rd) * math.Hypot(ofX, ofY) / r
	}
	// Small errors of the ratios, as shares, add up with the shares of the ops in the two sums as
	// weights, half of each: a weight falls with the root of its ratio.
	se, sd := (wx*re/r+wx)/2, (wy*rd/r+wy)/2
	return estimate{
		log:      math.Log(r),
		down:     math.Hypot(math.Hypot(se*e.down, sd*d.down), weights),
		up:       math.Hypot(math.Hypot(se*e.up, sd*d.up), weights),
		df:       min(e.df, d.df),
		layouts:  min(e.layouts, d.layouts),
		launches: min(e.launches, d.launches),
		samples:  min(e.samples, d.samples),

		environment: math.Hypot(se*e.environment, sd*d.environment),
		by: byLayout([]estimate{e, d}, func(logs []float64) float64 {
			return math.Log(r) + se*(logs[0]-e.log) + sd*(logs[1]-d.log)
		}),
	}
}
