package measure

import (
	"context"
	"math"
	"time"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// LeastFootprint and MostFootprint are the smallest and the largest footprint that can be asked
// for, in bytes.
const (
	LeastFootprint = 256 << 10
	MostFootprint  = bench.MostGarbage
)

// footprintOf returns the footprint of the launches of a plan, in bytes.
func footprintOf(p result.Plan) int64 {
	if len(p.Footprints) > 0 {
		return p.Footprints[0]
	}
	return bench.GarbageLimit
}

// The pass that compares footprints has one process in each of footprintLayouts layouts. In each
// process, each footprint has footprintVisits turns.
const (
	footprintLayouts = 4
	footprintVisits  = 2
)

// footprints times the cases at each footprint of the plan. It assumes no allocations for a case
// whose allocations were not counted.
func (m *Measurement) footprints(ctx context.Context, live []result.Case, calibrations map[result.Case]result.Calibration) (drive.Tally, error) {
	done := m.done(func(r result.Record) (result.Case, bool) {
		if r.Footprint == nil {
			return result.Case{}, false
		}
		return r.Footprint.Case, true
	})
	allocated := m.allocated()
	var layouts []uint64
	for _, l := range m.Run.Plan.Layouts {
		if l != 0 && len(layouts) < footprintLayouts {
			layouts = append(layouts, l)
		}
	}
	n := func(c result.Case) int { return max(1, calibrations[c].N) }
	return drive.Footprint(ctx, drive.FootprintConfig{
		Runner: m.drive(), Layouts: layouts, Cases: working(live, done), Sizes: m.Run.Plan.Footprints, N: n,
		Batch:     func(c result.Case) time.Duration { return time.Duration(calibrations[c].NS * float64(n(c))) },
		Allocated: func(c result.Case) int64 { return int64(math.Ceil(allocated[c] * float64(n(c)))) },
		Visits:    footprintVisits, Budget: m.share(footprintPass), Together: m.sinkAll,
	}, m.sink, m.event)
}
