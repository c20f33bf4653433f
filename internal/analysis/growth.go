package analysis

import (
	"cmp"
	"math"
	"slices"

	"assay/result"
)

const (
	// leastSizes is the smallest number of sizes for the power of growth.
	leastSizes = 3
	// bend is how far the power between two neighbouring sizes must be from 1 for cost to bend.
	bend = 0.05
	// settled is the number of elements from which on the start of a stream hardly counts. The
	// largest size is compared with the first size that has so many.
	settled = 30_000
	// rises is the factor by which a counter must change to be named.
	rises = 1.1
)

// A Growth says how the cost of an element changes with the size of a stream, for one contender,
// mode and op.
type Growth struct {
	// Of is the case of the largest size, Base the case that it is compared with, and Ratio the
	// time of an element at Of over that at Base.
	Of, Base result.Case
	Ratio    Interval
	// Changed are the counters that changed in the same direction as Ratio.
	Changed []CounterChange
	// Steps are the steps from each size to the next larger one.
	Steps []GrowthStep
}

// A GrowthStep is the growth between two neighbouring sizes.
type GrowthStep struct {
	From, To result.Case
	// Power is the power of the number of elements by which time grows, from the median times. The
	// bounds are from the fastest and the slowest processes.
	Power Interval
	// Bends says that both bounds are above 1.05, or both below 0.95.
	Bends bool
	// Changed are the counters that changed in the same direction as the cost of an element.
	Changed []CounterChange
}

// A CounterChange has the values of a counter at two sizes.
type CounterChange struct {
	Counter  Counter
	From, To float64
}

// A Counter is a number that may explain the cost of an element of a stream.
type Counter struct {
	// Text says what it counts. Unit is as in Metric.
	Text, Unit string
	// least is the largest change that is too small to matter.
	least float64
	of    func(*result.Stream) float64
}

// counters are the counters of a stream, in the order in which they are named.
var counters = []Counter{
	{"CPU time of an element", "ns", 0, func(s *result.Stream) float64 { return float64(s.CPU) / float64(s.Items) }},
	{"the collector's share", "share", 0.01, gcShare},
	{"collections for a million elements", "1", 0.1, func(s *result.Stream) float64 { return float64(s.Cycles) / float64(s.Items) * 1e6 }},
	{"minor page faults for a thousand elements", "1", 0.1, func(s *result.Stream) float64 { return float64(s.Minor) / float64(s.Items) * 1e3 }},
	{"major page faults for a thousand elements", "1", 0.01, func(s *result.Stream) float64 { return float64(s.Major) / float64(s.Items) * 1e3 }},
	{"the sentinel", "ns", 0, func(s *result.Stream) float64 { return float64(s.Sentinel) }},
	{"bytes of a message", "B", 0, func(s *result.Stream) float64 { return float64(s.Bytes) / float64(s.Messages) }},
}

// CounterNames returns the texts of all counters.
func CounterNames() []string {
	var names []string
	for _, c := range counters {
		names = append(names, c.Text)
	}
	return names
}

// gcShare returns the collector's share of the CPU time of the program.
func gcShare(s *result.Stream) float64 {
	return float64(s.GCCPU) / float64(max(1, cmp.Or(s.Busy, s.TotalCPU)))
}

// itemTime returns the time of an element in ns.
func itemTime(s *result.Stream) float64 { return float64(s.Wall) / float64(s.Items) }

// medianOf returns the median over the streams, with the smallest and the largest as bounds.
func medianOf(all []*result.Stream, value func(*result.Stream) float64) Interval {
	var values []float64
	for _, s := range all {
		values = append(values, value(s))
	}
	return Spread(values)
}

// A length holds the streams of one case.
type length struct {
	of  result.Case
	all []*result.Stream
}

func (l length) items() int64 { return l.all[0].Items }

// lengths returns the streams of a case's contender, mode and op at all sizes of its workload, the
// shortest first. It compares only sizes that do the same work: all with one element in each
// message or all with more, and all with the same kind of message. Streams and whole values are
// different modes, so they are never mixed.
func (a *account) lengths(one result.Case) []length {
	type kind struct {
		single bool
		root   string
	}
	of := func(s *result.Stream) kind { return kind{s.Items == s.Messages, s.Root} }
	own := a.passes.streams[one]
	if len(own) == 0 {
		return nil
	}
	var all []length
	for c, streams := range a.passes.streams {
		if c.Workload == one.Workload && c.Subject() == one.Subject() && c.Op == one.Op && a.outcomes[c] == nil &&
			of(streams[0]) == of(own[0]) {
			all = append(all, length{c, streams})
		}
	}
	slices.SortFunc(all, func(x, y length) int {
		return cmp.Or(cmp.Compare(x.items(), y.items()), cmp.Compare(x.of.Size, y.of.Size))
	})
	// If several sizes have equally many elements, keep one: the case itself, or the first.
	all = slices.DeleteFunc(all, func(l length) bool { return l.of != one && l.items() == (length{one, own}).items() })
	return slices.CompactFunc(all, func(x, y length) bool { return x.items() == y.items() })
}

// growth compares the sizes of a case that has the most elements of its lengths; nil if the case
// does not, or if there are no other sizes.
func (a *account) growth(one result.Case) *Growth {
	all := a.lengths(one)
	last := len(all) - 1
	if last < 1 || all[last].of != one || all[last-1].items() == all[last].items() {
		return nil
	}
	base := max(0, slices.IndexFunc(all[:last], func(l length) bool { return l.items() >= settled }))
	g := &Growth{Of: one, Base: all[base].of, Ratio: timeOver(all[base], all[last])}
	g.Changed = changed(all[base], all[last], g.Ratio.Value)
	for i := range last {
		g.Steps = append(g.Steps, step(all[i], all[i+1]))
	}
	return g
}

// timeOver returns the time of an element at the second length over that at the first.
func timeOver(from, to length) Interval {
	x, y := medianOf(from.all, itemTime), medianOf(to.all, itemTime)
	return Interval{Value: y.Value / x.Value, Lo: y.Lo / x.Hi, Hi: y.Hi / x.Lo}
}

// step returns the growth between two lengths.
func step(from, to length) GrowthStep {
	ratio, longer := timeOver(from, to), math.Log(float64(to.items())/float64(from.items()))
	power := func(v float64) float64 { return 1 + math.Log(v)/longer }
	s := GrowthStep{From: from.of, To: to.of, Power: Interval{Value: power(ratio.Value), Lo: power(ratio.Lo), Hi: power(ratio.Hi)}}
	if s.Bends = s.Power.Lo > 1+bend || s.Power.Hi < 1-bend; s.Bends {
		s.Changed = changed(from, to, ratio.Value)
	}
	return s
}

// changed returns the counters that changed in the same direction as the cost.
func changed(from, to length, cost float64) []CounterChange {
	var all []CounterChange
	for _, c := range counters {
		x, y := medianOf(from.all, c.of).Value, medianOf(to.all, c.of).Value
		lo, hi := x, y
		if cost < 1 {
			lo, hi = y, x
		}
		if hi-lo > c.least && hi > rises*lo {
			all = append(all, CounterChange{c, x, y})
		}
	}
	return all
}

// growths returns the growths of all streams in view.
func (a *account) growths(r *Results) []Growth {
	var all []Growth
	seen := map[result.Case]bool{}
	for i := range r.Tables {
		for _, row := range r.Tables[i].Rows {
			if row.Metric != StreamTime || seen[row.Case] {
				continue
			}
			seen[row.Case] = true
			if g := a.growth(row.Case); g != nil {
				all = append(all, *g)
			}
		}
	}
	return all
}

// powerOf fits the power by which time grows with the elements of streams, and returns the number
// of processes behind it. Each size counts once, with the mean of its processes. A size affects all
// of its processes alike, by its place in the caches or because cost does not follow a power
// exactly, and more processes would not average that out.
func powerOf(lengths []length) (Interval, int, bool) {
	if len(lengths) < leastSizes {
		return Interval{}, 0, false
	}
	var x, y []float64
	processes := 0
	for _, l := range lengths {
		sum := 0.0
		for _, s := range l.all {
			sum += math.Log(itemTime(s))
		}
		x = append(x, math.Log(float64(l.items())))
		y = append(y, sum/float64(len(l.all)))
		processes += len(l.all)
	}
	mx, my := mean(x), mean(y)
	var sxx, sxy float64
	for i := range x {
		sxx, sxy = sxx+(x[i]-mx)*(x[i]-mx), sxy+(x[i]-mx)*(y[i]-my)
	}
	slope := sxy / sxx
	var rest float64
	for i := range x {
		e := y[i] - my - slope*(x[i]-mx)
		rest += e * e
	}
	df := float64(len(x) - 2)
	half := tQuantile(0.975, df) * math.Sqrt(rest/df/sxx)
	return Interval{Value: 1 + slope, Lo: 1 + slope - half, Hi: 1 + slope + half}, processes, true
}
