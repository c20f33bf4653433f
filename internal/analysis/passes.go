package analysis

import (
	"math"
	"slices"
	"strings"

	"assay/result"
)

// passes holds what was measured outside of launches: in processes of one contender each, or on
// several CPUs.
type passes struct {
	steady   map[steadyKey]*cell
	shares   map[result.Case][]reading // the collector's shares; the values are no logarithms
	cold     map[result.Case][]int64
	peak     map[result.Case][]int64
	retained map[result.Case]*result.Retained
	scaling  map[result.Case]map[int][]reading // by the number of goroutines
	// footprint has a reading for each layout.
	footprint map[result.Case]map[int64][]reading

	compressed map[result.Case]*result.Compressed
	built      map[result.Case]*result.BuildCost
	streams    map[result.Case][]*result.Stream
}

// A steadyKey is a cell together with the size of a live heap. The processes of steady work are
// handled like launches: processes with the same index counted in turn on one CPU, and are paired
// round by round.
type steadyKey struct {
	cell   result.Cell
	liveMB int
}

func newPasses() passes {
	return passes{
		steady:   make(map[steadyKey]*cell),
		shares:   make(map[result.Case][]reading),
		cold:     make(map[result.Case][]int64),
		peak:     make(map[result.Case][]int64),
		retained: make(map[result.Case]*result.Retained),
		scaling:  make(map[result.Case]map[int][]reading),

		footprint: make(map[result.Case]map[int64][]reading),

		compressed: make(map[result.Case]*result.Compressed),
		built:      make(map[result.Case]*result.BuildCost),
		streams:    make(map[result.Case][]*result.Stream),
	}
}

// add takes in a record of a pass and returns its case; ok is false for any other record.
func (p *passes) add(r result.Record) (c result.Case, ok bool) {
	switch {
	case r.Steady != nil:
		p.addSteady(r.Steady)
		return r.Steady.Case, true
	case r.Cold != nil:
		p.cold[r.Cold.Case] = append(p.cold[r.Cold.Case], r.Cold.NS...)
		return r.Cold.Case, true
	case r.Peak != nil:
		p.peak[r.Peak.Case] = append(p.peak[r.Peak.Case], r.Peak.RSS...)
		return r.Peak.Case, true
	case r.Retained != nil:
		p.retained[r.Retained.Case] = r.Retained
		return r.Retained.Case, true
	case r.Scaling != nil:
		p.addScaling(r.Scaling)
		return r.Scaling.Case, true
	case r.Footprint != nil:
		p.addFootprint(r.Footprint)
		return r.Footprint.Case, true
	case r.Compressed != nil:
		p.compressed[r.Compressed.Case] = r.Compressed
		return r.Compressed.Case, true
	case r.BuildCost != nil:
		p.built[r.BuildCost.Case] = r.BuildCost
		return r.BuildCost.Case, true
	case r.Stream != nil:
		p.streams[r.Stream.Case] = append(p.streams[r.Stream.Case], r.Stream)
		return r.Stream.Case, true
	}
	return result.Case{}, false
}

// addSteady takes in the counts of one process.
func (p *passes) addSteady(stored *result.Steady) {
	key := steadyKey{stored.Case.Cell(), stored.LiveMB}
	c := p.steady[key]
	if c == nil {
		c = newCell()
		c.counts = true
		p.steady[key] = c
	}
	n := min(len(stored.Round), len(stored.Ops), len(stored.CPU), len(stored.GCCPU))
	c.damaged = c.damaged || n < max(len(stored.Round), len(stored.Ops), len(stored.CPU), len(stored.GCCPU))
	s := &series{hasCPU: true}
	var shares []float64
	for i := range n {
		round, ops, cpu, gc := stored.Round[i], stored.Ops[i], stored.CPU[i], stored.GCCPU[i]
		if round < 0 || round > mostRounds || ops <= 0 || cpu <= 0 || gc < 0 {
			c.damaged = true
			continue
		}
		// The process's CPU clock is the only clock. It is right whatever else ran, so every count
		// is clean.
		log := math.Log(float64(cpu)) - math.Log(float64(ops))
		s.put(round, log, log, true)
		s.ops += ops
		shares = append(shares, min(1, float64(gc)/float64(cpu)))
	}
	if len(s.round) == 0 {
		return
	}
	if stored.LiveMB == 0 {
		p.shares[stored.Case] = append(p.shares[stored.Case], reading{layout: stored.Layout, values: shares})
	}
	i := slices.IndexFunc(c.launches, func(l *launch) bool {
		return l.group == stored.Group && l.index == stored.Index && l.layout == stored.Layout && l.series[stored.Case.Subject()] == nil
	})
	if i < 0 {
		i = len(c.launches)
		c.launches = append(c.launches, newLaunch(stored.Layout, stored.Group, stored.Index))
	}
	c.launches[i].series[stored.Case.Subject()] = s
}

// perOp returns the logarithms of the times of batches per operation. ops is the logarithm of the
// operations of a batch. Times of 0 are left out.
func perOp(times []int64, ops float64) []float64 {
	var values []float64
	for _, t := range times {
		if t > 0 {
			values = append(values, math.Log(float64(t))-ops)
		}
	}
	return values
}

// addScaling takes in the rounds with one number of goroutines.
func (p *passes) addScaling(stored *result.Scaling) {
	if stored.N <= 0 || stored.Goroutines <= 0 {
		return
	}
	values := perOp(stored.Wall, math.Log(float64(stored.N))+math.Log(float64(stored.Goroutines)))
	if len(values) == 0 {
		return
	}
	if p.scaling[stored.Case] == nil {
		p.scaling[stored.Case] = make(map[int][]reading)
	}
	p.scaling[stored.Case][stored.Goroutines] = append(p.scaling[stored.Case][stored.Goroutines],
		reading{values: values, clock: wallUnchecked})
}

// steadyOf estimates the case's CPU time per operation beside the live heap,
// and its ratio to the reference's.
func (a *account) steadyOf(one result.Case, liveMB int, reference *result.Subject) *steady {
	c := a.passes.steady[steadyKey{one.Cell(), liveMB}]
	if c == nil || !c.measured(one.Subject()) {
		return nil
	}
	use, _ := c.pick(c.times(one.Subject()))
	s := &steady{cpu: prior{alone: true}.timeOf(use)}
	s.certain = s.cpu
	if reference == nil {
		return s
	}
	use, _ = c.pick(c.ratios(one.Subject(), *reference))
	if len(use) == 0 {
		return s
	}
	s.certain = c.ratio(use)
	ratio := s.certain.interval()
	if one.Subject() == *reference {
		ratio = exactly(1)
	}
	s.ratio = &ratio
	return s
}

// A steady is the CPU time of a case with the garbage collector on.
type steady struct {
	cpu     estimate  // of the time per operation in ns
	ratio   *Interval // to the reference's
	certain estimate  // the estimate that the warnings describe
}

// share estimates the collector's share of the case's CPU time. Its values are no logarithms,
// because a case that allocates nothing has the share 0.
func (a *account) share(one result.Case) (Interval, int, bool) {
	use, ordinary := a.passes.shares[one], []reading(nil)
	use = slices.DeleteFunc(slices.Clone(use), func(r reading) bool {
		if r.layout == 0 {
			ordinary = append(ordinary, r)
		}
		return r.layout == 0
	})
	if len(use) == 0 {
		use = ordinary
	}
	if len(use) == 0 {
		return Interval{}, 0, false
	}
	e := prior{alone: true}.estimateOf(use)
	i := Interval{e.log, max(0, e.log-e.down), e.log + e.up}
	if i.Bounded() {
		i.Hi = min(1, i.Hi)
	}
	return i, e.launches, true
}

// scalings returns the rows of Table.Scaling of one case.
func (a *account) scalings(one result.Case) []Row {
	by := a.passes.scaling[one]
	var counts []int
	for n := range by {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	var rows []Row
	for _, n := range counts {
		e := estimateOf(by[n])
		time := timeOf(by[n]).interval()
		row := Row{Case: one, Metric: Time, Unit: "ns", CPUs: n, Number: &time, N: e.samples, Status: result.OK}
		if single := by[1]; len(single) > 0 {
			up := exactly(1)
			if n != 1 {
				up = estimateOf(single).minus(e).with(priorEnvironment).interval()
			}
			row.SpeedUp = &up
		}
		if !time.Bounded() {
			row.Status, row.Reason = result.Noisy, oneSample
		}
		rows = append(rows, row)
	}
	return rows
}

// floorOf estimates the case's time over its floor's; the text of Metric FloorRatio defines the
// floor.
func (a *account) floorOf(one result.Case, c *cell) *estimate {
	use, _ := c.pick(c.ownFloor(one.Subject()))
	switch {
	case len(use) > 0:
	case one.Op == result.Decode && aliases(one.Mode):
		use = a.overWalk(one, c)
	default:
		floor := a.floor(one.Cell(), c, one.Mode)
		if floor == nil {
			return nil
		}
		use, _ = c.pick(c.ratios(one.Subject(), *floor))
	}
	if len(use) == 0 {
		return nil
	}
	e := c.ratio(use)
	return &e
}

// aliases reports whether values decoded in the mode point into the input.
func aliases(mode string) bool {
	return slices.Contains(strings.Split(mode, ","), "strings=alias")
}

// overWalk reads the case's time over the time of the floor's scan, launch by launch. The two are
// of different cells, but the launches with the same layout and index ran one after the other.
func (a *account) overWalk(one result.Case, c *cell) []reading {
	key := result.Cell{Workload: one.Workload, Size: one.Size, Op: result.Scan}
	scans := a.cells[key]
	if scans == nil {
		return nil
	}
	floor := a.floor(key, scans, "")
	if floor == nil {
		return nil
	}
	use, _ := c.pick(c.read(func(l *launch) ([]float64, clock) {
		s := l.series[one.Subject()]
		i := slices.IndexFunc(scans.launches, func(other *launch) bool {
			return other.group == l.group && other.layout == l.layout && other.index == l.index && other.series[*floor] != nil
		})
		if s == nil || i < 0 {
			return nil, 0
		}
		times, clock := s.times()
		walks, walked := scans.launches[i].series[*floor].times()
		return []float64{median(times) - median(walks)}, max(clock, walked)
	}))
	return use
}

// middle returns the median of the positive values, with the smallest and the largest as bounds.
// Other values are left out.
func middle(values []int64) (Interval, int, bool) {
	var all []float64
	for _, v := range values {
		if v > 0 {
			all = append(all, float64(v))
		}
	}
	if len(all) == 0 {
		return Interval{}, 0, false
	}
	return Spread(all), len(all), true
}
