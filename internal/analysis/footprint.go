package analysis

import (
	"maps"
	"math"
	"slices"

	"assay/result"
)

// addFootprint takes in the batches with one footprint in one layout.
func (p *passes) addFootprint(stored *result.Footprint) {
	times, clock := stored.CPU, cpuAll
	if len(times) == 0 {
		times, clock = stored.Wall, wallUnchecked
	}
	if stored.N <= 0 || stored.Bytes <= 0 {
		return
	}
	values := perOp(times, math.Log(float64(stored.N)))
	if len(values) == 0 {
		return
	}
	if p.footprint[stored.Case] == nil {
		p.footprint[stored.Case] = make(map[int64][]reading)
	}
	p.footprint[stored.Case][stored.Bytes] = append(p.footprint[stored.Case][stored.Bytes],
		reading{layout: stored.Layout, values: values, clock: clock})
}

// footprints returns the rows of Table.Footprints of one case, the smallest footprint first.
func (a *account) footprints(one result.Case) []Row {
	by := a.passes.footprint[one]
	sizes := slices.Sorted(maps.Keys(by))
	var rows []Row
	for _, size := range sizes {
		time := timeOf(by[size]).interval()
		row := Row{Case: one, Metric: Time, Unit: "ns", Footprint: size, Number: &time, N: len(by[size]), Status: result.OK}
		if size == sizes[0] {
			one := exactly(1)
			row.Slower = &one
		} else if use := over(by[size], by[sizes[0]]); len(use) > 0 {
			slower := estimateOf(use).with(priorEnvironment).interval()
			row.Slower = &slower
		}
		if !time.Bounded() {
			row.Status, row.Reason = result.Noisy, oneSample
		}
		rows = append(rows, row)
	}
	return rows
}

// over returns the readings minus the median of the base's reading in the same layout; all values
// are logarithms. It leaves out layouts that the base lacks.
func over(readings, base []reading) []reading {
	var out []reading
	for _, r := range readings {
		i := slices.IndexFunc(base, func(b reading) bool { return b.layout == r.layout })
		if i < 0 {
			continue
		}
		middle := median(base[i].values)
		values := make([]float64, len(r.values))
		for k, v := range r.values {
			values[k] = v - middle
		}
		out = append(out, reading{layout: r.layout, values: values, clock: r.clock})
	}
	return out
}
