package claims

import (
	"math"
	"slices"

	"assay/internal/analysis"
	"assay/result"
)

// trips returns the ratio of two round trips of one size, with each op paired by round. Conversion
// is measured in rounds of its own, so it is added as a share of the second trip.
func (j judge) trips(a, b amount) (analysis.Interval, bool) {
	if j.claim.PerItem || a.term.Op != RoundTrip || b.term.Op != RoundTrip || a.term.Size != b.term.Size {
		return analysis.Interval{}, false
	}
	cell := result.Cell{Workload: j.claim.Workload, Size: a.term.Size, Op: result.Encode}
	encode := j.table(cell)
	cell.Op = result.Decode
	decode := j.table(cell)
	switch j.metric.Name {
	case analysis.Time:
	case analysis.CPUTime:
		encode, decode = encode.ByCPU(), decode.ByCPU()
	default:
		return analysis.Interval{}, false
	}
	ratio, ok := analysis.BetweenTrips(encode, decode, a.term.Subject, b.term.Subject)
	if !ok || !ratio.Bounded() {
		return analysis.Interval{}, false
	}
	return quotient(plus(ratio, share(a, b)), plus(analysis.Interval{Value: 1, Lo: 1, Hi: 1}, share(b, b))), true
}

// share returns the conversion of a over the trip of b; 0 without a conversion.
func share(a, b amount) analysis.Interval {
	if a.convert.Value <= 0 {
		return analysis.Interval{}
	}
	return drifted(a.convert.Quotient(b.trip.Interval))
}

// plus adds two independent estimates.
func plus(a, b analysis.Interval) analysis.Interval {
	return sum(figure{Interval: a}, figure{Interval: b}).Interval
}

// quotient divides two independent estimates above 0.
func quotient(a, b analysis.Interval) analysis.Interval {
	if b.Lo == b.Hi {
		return analysis.Interval{Value: a.Value / b.Value, Lo: a.Lo / b.Value, Hi: a.Hi / b.Value}
	}
	return a.Quotient(b)
}

// trend returns how many times as large the ratio of two cases is for ten times as many items. It
// is the least-squares slope of the ratio's logarithm. The errors of the ratios are independent,
// because they are of different cells.
func (j judge) trend(amounts []amount) weighed {
	var ratios []figure
	for pair := range slices.Chunk(amounts, 2) {
		ratios = append(ratios, j.ratio(pair[0], pair[1]))
	}
	x, mean, spread := j.sizes(amounts)
	slope, down, up := 0.0, 0.0, 0.0
	f := ratios[0]
	for i, r := range ratios {
		weight := (x[i] - mean) / spread
		if weight == 0 { // it says nothing about the slope, also if it has no interval
			f.launches, f.layouts = fewer(f.launches, r.launches), fewer(f.layouts, r.layouts)
			continue
		}
		v, lo, hi := r.logs(1)
		slope += weight * v
		less, more := weight*(v-lo), weight*(hi-v)
		if weight < 0 {
			less, more = more, less
		}
		down, up = math.Hypot(down, less), math.Hypot(up, more)
		f.launches, f.layouts = fewer(f.launches, r.launches), fewer(f.layouts, r.layouts)
	}
	f.Interval = analysis.Interval{Value: math.Exp(slope), Lo: math.Exp(slope - down), Hi: math.Exp(slope + up)}
	first, last := ratios[0].Value, ratios[len(ratios)-1].Value
	ratio := func(v float64, t Term) string { return estimated(v) + " " + Times + " at " + t.Size }
	return weighed{figure: f, detail: "from " + ratio(first, amounts[0].term) + " to " + ratio(last, amounts[len(amounts)-1].term)}
}

// sizes returns the logarithms of the items at each size of a trend, with their mean and the sum of
// their squared deviations from it.
func (j judge) sizes(amounts []amount) (x []float64, mean, spread float64) {
	for pair := range slices.Chunk(amounts, 2) {
		items := math.NaN()
		if s, err := workloadNamed(j.claim.Workload).Size(pair[0].term.Size); err == nil {
			items = float64(max(1, s.Items))
		}
		x = append(x, math.Log10(items))
	}
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		spread += (v - mean) * (v - mean)
	}
	return x, mean, spread
}
