package measure

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"assay/bench"
	"assay/internal/analysis"
	"assay/internal/drive"
	"assay/internal/host"
	"assay/internal/plan"
	"assay/result"
)

// The passes besides the launches and exact counts, by the names that --also takes.
const (
	AlsoCPU        = "cpu"
	AlsoLive       = "live64"
	AlsoCold       = "cold"
	AlsoHeap       = "heap"
	AlsoRSS        = "rss"
	AlsoCompressed = "compressed"
)

// A Pass is a pass besides the launches and exact counts.
type Pass struct {
	Name string
	Text string // what it measures
}

// Passes are all passes besides the launches and exact counts.
var Passes = []Pass{
	{AlsoCPU, "total CPU time with the collector on, and the collector's share"},
	{AlsoLive, "the same beside a live heap of 64 MiB, which takes up to a second for each count"},
	{AlsoCold, "the first call in a process"},
	{AlsoHeap, "the heap that decoded values keep alive"},
	{AlsoRSS, "the peak resident set of a process"},
	{AlsoCompressed, "how large messages are after gzip, zstd, lz4, s2 and snappy, one by one and as a batch"},
}

// PassNames returns the names of all passes.
func PassNames() []string {
	var names []string
	for _, p := range Passes {
		names = append(names, p.Name)
	}
	return names
}

// Finest is the finest precision that can be reached: every interval includes this much for the
// effect of other work on the machine.
const Finest = 0.006

// stopAt is the default precision at which a cell stops.
const stopAt = 0.02

// Precision returns the half-width at which a cell stops, as a fraction.
func (m *Measurement) Precision() float64 {
	if p := m.Run.Plan.Precision; p > 0 {
		return p
	}
	return stopAt
}

// leastLaunches is the number of launches of a cell, including that of the ordinary layout,
// before its precision is checked.
const leastLaunches = 9

// sureLaunches is the number of planned launches that a cell gets even if the budget is over
// because the machine is slower than expected. That is what an answer needs.
const sureLaunches = analysis.LeastLayouts + 1

// The time over which the launches of a cell are spread.
const (
	span      = time.Minute
	quickSpan = 10 * time.Second
)

// pace returns the Pace of the run's launches.
func (m *Measurement) pace() drive.Pace {
	p := m.Run.Plan
	pace := drive.Pace{
		Layouts:   p.Layouts,
		Budget:    m.share(launchesPass),
		Sure:      sureLaunches,
		Span:      span,
		Disturbed: m.disturbed,
		Skip:      map[drive.LaunchKey]time.Duration{},
	}
	if p.Quick {
		// A quick run has no time to repeat launches.
		pace.Span, pace.Disturbed = quickSpan, nil
		// Nor may its launches use the time that counting CPU time needs: precision is given up
		// first. If no CPU time is measured, they may take somewhat longer.
		pace.Late = pace.Budget
		if !slices.Contains(p.Also, AlsoCPU) {
			pace.Late = pace.Budget * 3 / 2
		}
	}
	if p.Rounds > 0 {
		pace.Budget, pace.Span = 0, 0
	}
	if p.Rounds == 0 {
		// The rest of the budget goes into more launches of the same layouts.
		pace.Layouts = append(slices.Clone(p.Layouts), p.Layouts[min(1, len(p.Layouts)-1):]...)
		pace.Least = min(leastLaunches, len(p.Layouts))
		pace.Look = m.look
	}
	for _, r := range m.Records {
		if r.Launch != nil && r.Launch.Disturbed == "" && r.Launch.Group == m.at.group {
			pace.Skip[drive.LaunchKey{Cell: r.Launch.Cell, Index: r.Launch.Index}] = time.Duration(r.Launch.Elapsed)
		}
	}
	return pace
}

// look judges a cell by its records.
func (m *Measurement) look(c result.Cell) drive.Look {
	precision := m.Precision()
	v := m.gauge.Look(m.Run, m.Records, c, precision)
	out := drive.Look{Narrow: v.Narrow}
	if math.IsInf(v.HalfWidth, 0) || math.IsNaN(v.HalfWidth) {
		return out
	}
	out.Width = v.HalfWidth
	if v.Coarse {
		out.Need = v.HalfWidth
	}
	if !v.Narrow {
		// A half-width shrinks with the square root of the number of launches.
		wanted := float64(v.Launches) * (v.HalfWidth / precision) * (v.HalfWidth / precision)
		out.More = int(math.Ceil(wanted)) - v.Launches
	}
	return out
}

// disturbed says why a launch does not count, or returns "".
func (m *Measurement) disturbed(l result.Launch) string {
	best := float64(m.Run.Host.SentinelBest)
	if best == 0 || len(l.Sentinel) == 0 {
		return ""
	}
	if now := sentinel(l); now > analysis.NearSentinel*best {
		return fmt.Sprintf("a walk through 1 MiB took %.2f times this machine's best", now/best)
	}
	return ""
}

// sentinel returns the median of a launch's sentinel in nanoseconds.
func sentinel(l result.Launch) float64 {
	sorted := slices.Clone(l.Sentinel)
	slices.Sort(sorted)
	return float64(sorted[len(sorted)/2])
}

// remember stores the run's best sentinel for later runs on this machine.
func (m *Measurement) remember() {
	best := math.Inf(1)
	for _, r := range m.Records {
		if r.Launch != nil && len(r.Launch.Sentinel) > 0 {
			best = min(best, sentinel(*r.Launch))
		}
	}
	host.Remember(m.cfg.Cache, host.Key(m.Run.Host), best)
}

// floorEvery is n if floors take part in one round of n: they vary little.
const floorEvery = 4

// controlled returns the cases of a cell with the reference a second time, as a control, and with
// the floor of each case of op encode.
func (m *Measurement) controlled(c plan.Cell, floors map[result.Case]result.Calibration) []bench.CaseSpec {
	cases := slices.Clone(c.Cases)
	if i := slices.IndexFunc(c.Cases, func(s bench.CaseSpec) bool {
		return s.Contender == m.Run.Plan.Reference && (s.Mode == "" || compresses(c.Op))
	}); i >= 0 {
		spec := c.Cases[i]
		spec.Role = result.Control
		cases = append(cases, spec)
	}
	for _, spec := range c.Cases {
		if f, ok := floors[c.Cell.Case(spec.Subject)]; ok {
			spec.Role, spec.N, spec.Fresh = result.Floor, f.N, false
			spec.Every = max(spec.Every, min(floorEvery, max(1, c.Rounds/2)))
			cases = append(cases, spec)
		}
	}
	return cases
}

// floors sizes the batches of the floors of op encode.
func (m *Measurement) floors(ctx context.Context, live []result.Case) (map[result.Case]result.Calibration, error) {
	known := map[result.Case]result.Calibration{}
	for _, r := range m.Records {
		if r.Calibration != nil && r.Calibration.Role == result.Floor {
			known[r.Calibration.Case] = *r.Calibration
		}
	}
	var missing []result.Case
	for _, c := range live {
		if _, ok := known[c]; !ok && c.Op == result.Encode && c.Contender != analysis.Floor {
			missing = append(missing, c)
		}
	}
	found, _, err := m.size(ctx, m.drive(), missing, result.Floor)
	for c, cal := range found {
		known[c] = cal
	}
	return known, err
}

// Constants for counting steady work. Beside a large heap there is only one collection in a third
// of a second, so a count must be that long to mean something. The number of sets is even because
// the first process to start is slightly slower, and the order is reversed from one set to the
// next. Each set has another layout, and the width of an interval depends on the number of
// layouts: by Student's quantiles, the interval of four sets is two thirds as wide as that of
// three, and the interval of sixteen sets a third as wide as that of four. So a set has one round:
// in the stored default run, ratios of one count a process scatter by 6.2% over layouts, and those
// of two by 5.4%. What four sets leave of the budget goes to the sizes that cost least: in a run
// for all claims, the largest three sizes take two thirds of the budget.
//
// A count of steadyMin has one or two collections in it, and collection cycles differ: between
// two rounds of the same process, the ratio differs by up to 15%. Longer counts reduce that
// faster than more counts.
const (
	steadySets    = 4
	liveSets      = 4
	steadyMin     = 10 * time.Millisecond
	steadyMax     = 30 * time.Millisecond
	steadyLongest = 10
	liveMB        = 64
	liveRounds    = 2
	liveMin       = 300 * time.Millisecond
	liveMax       = time.Second
	steadyCycles  = 1
	// steadyWait is the time between collections for 4 MiB of garbage at 2 MiB/s, which is almost
	// nothing, and for 64 MiB at 32 MiB/s.
	steadyWait = 2 * time.Second
)

// setsOf returns the number of sets of CPU time counts that every case of a plan has.
func setsOf(p result.Plan) int { return min(steadySets, mostSets(p)) }

// roundsOf returns the number of rounds of a set of CPU time counts: one, or two if there are few
// layouts.
func roundsOf(p result.Plan) int {
	if mostSets(p) < steadySets {
		return 2
	}
	return 1
}

// mostSets returns the number of sets if there is enough time: one of each random layout.
func mostSets(p result.Plan) int { return max(1, len(p.Layouts)-1) }

// The other passes.
const (
	freshProcesses = 5
	retainMessages = 256
	peakWork       = 30 * time.Millisecond
)

// further runs the passes that were asked for besides the launches. If the budget leaves a case
// no time, it has no row of that pass's metrics, and a note says how many such cases there are.
func (m *Measurement) further(ctx context.Context, live []result.Case, calibrations map[result.Case]result.Calibration) error {
	for _, pass := range []struct {
		name string
		run  func(context.Context, []result.Case) (drive.Tally, error)
	}{
		{AlsoCPU, m.cpu},
		{AlsoLive, m.live},
		{AlsoCold, m.cold},
		{AlsoHeap, m.heap},
		{AlsoRSS, m.rss},
		{AlsoCompressed, m.compressed},
	} {
		// The size of compressed messages is shown beside the time that compressing takes.
		told := pass.name == AlsoCompressed && slices.ContainsFunc(live, func(c result.Case) bool { return compresses(c.Op) })
		if !told && !slices.Contains(m.Run.Plan.Also, pass.name) {
			continue
		}
		if err := m.tally(pass.name, func() (drive.Tally, error) { return pass.run(ctx, live) }); err != nil {
			return err
		}
	}
	if len(m.Run.Plan.CPUs) > 0 {
		if err := m.tally(scalingPass, func() (drive.Tally, error) { return m.scaling(ctx, live, calibrations) }); err != nil {
			return err
		}
	}
	if len(m.Run.Plan.Footprints) < 2 {
		return nil
	}
	return m.tally(footprintPass, func() (drive.Tally, error) { return m.footprints(ctx, live, calibrations) })
}

// tally runs a pass and notes how many cases it missed.
func (m *Measurement) tally(name string, pass func() (drive.Tally, error)) error {
	m.pass = name
	t, err := pass()
	if err != nil {
		return err
	}
	if len(t.Missed) == 0 {
		return m.noteOf(name, "")
	}
	return m.noteOf(name, fmt.Sprintf("the budget left no time for %s of %d cases: raise --budget or select less", phaseName(name), len(t.Missed)))
}

// done returns the cases for which there is a record of the given kind.
func (m *Measurement) done(of func(result.Record) (result.Case, bool)) map[result.Case]bool {
	out := map[result.Case]bool{}
	for _, r := range m.Records {
		if c, ok := of(r); ok {
			out[c] = true
		}
	}
	return out
}

// working returns the cases of encode and decode that are not done, without floors. Other ops
// consist of these two and of walks over memory.
func working(live []result.Case, done map[result.Case]bool) []result.Case {
	var out []result.Case
	for _, c := range live {
		if (c.Op == result.Encode || c.Op == result.Decode) && c.Contender != analysis.Floor && !done[c] {
			out = append(out, c)
		}
	}
	return out
}

func (m *Measurement) cpu(ctx context.Context, live []result.Case) (drive.Tally, error) {
	return m.steady(ctx, live, math.MaxInt, drive.SteadyConfig{
		Least: setsOf(m.Run.Plan), LiveMB: []int{0}, Rounds: roundsOf(m.Run.Plan), Min: steadyMin, Max: steadyMax, Longest: steadyLongest,
		Budget: m.share(AlsoCPU),
	})
}

func (m *Measurement) live(ctx context.Context, live []result.Case) (drive.Tally, error) {
	return m.steady(ctx, live, liveSets, drive.SteadyConfig{
		LiveMB: []int{liveMB}, Rounds: liveRounds, Min: liveMin, Max: liveMax, Budget: m.share(AlsoLive),
	})
}

// steady counts steady work with the live heap that cfg has, in at most so many sets.
func (m *Measurement) steady(ctx context.Context, live []result.Case, sets int, cfg drive.SteadyConfig) (drive.Tally, error) {
	cfg.Runner, cfg.MinCycles, cfg.Wait, cfg.Memory = m.drive(), steadyCycles, steadyWait, plan.DefaultMemory
	cfg.Skip, cfg.Together = map[drive.LaunchKey]bool{}, m.sinkAll
	random := slices.DeleteFunc(slices.Clone(m.Run.Plan.Layouts), func(l uint64) bool { return l == 0 })
	cfg.Layouts = random[:min(sets, len(random))]
	for _, r := range m.Records {
		if r.Steady != nil && r.Steady.LiveMB == cfg.LiveMB[0] && r.Steady.Group == m.at.group {
			cfg.Skip[drive.LaunchKey{Cell: r.Steady.Case.Cell(), Index: r.Steady.Index}] = true
		}
	}
	for _, c := range working(append(m.beside(live), live...), nil) {
		i := slices.IndexFunc(cfg.Cells, func(x drive.SteadyCell) bool { return x.Cell == c.Cell() })
		if i < 0 {
			i = len(cfg.Cells)
			cfg.Cells = append(cfg.Cells, drive.SteadyCell{Cell: c.Cell()})
		}
		cell := &cfg.Cells[i]
		if s := c.Subject(); s.Contender == m.Run.Plan.Reference && s.Mode == "" {
			cell.Subjects = slices.Insert(cell.Subjects, 0, s)
		} else {
			cell.Subjects = append(cell.Subjects, s)
		}
	}
	return drive.Steady(ctx, cfg, m.sink, m.event)
}

func (m *Measurement) cold(ctx context.Context, live []result.Case) (drive.Tally, error) {
	done := m.done(func(r result.Record) (result.Case, bool) {
		if r.Cold == nil {
			return result.Case{}, false
		}
		return r.Cold.Case, true
	})
	return drive.Cold(ctx, drive.FreshConfig{
		Runner: m.drive(), Cases: working(live, done), Times: freshProcesses, Budget: m.share(AlsoCold),
	}, m.sink, m.event)
}

func (m *Measurement) rss(ctx context.Context, live []result.Case) (drive.Tally, error) {
	done := m.done(func(r result.Record) (result.Case, bool) {
		if r.Peak == nil {
			return result.Case{}, false
		}
		return r.Peak.Case, true
	})
	return drive.Peak(ctx, drive.FreshConfig{
		Runner: m.drive(), Cases: working(live, done), Times: freshProcesses, Budget: m.share(AlsoRSS),
	}, peakWork, m.sink, m.event)
}

func (m *Measurement) heap(ctx context.Context, live []result.Case) (drive.Tally, error) {
	done := m.done(func(r result.Record) (result.Case, bool) {
		if r.Retained == nil {
			return result.Case{}, false
		}
		return r.Retained.Case, true
	})
	cases := slices.DeleteFunc(working(live, done), func(c result.Case) bool { return c.Op != result.Decode })
	return drive.Retain(ctx, drive.RetainConfig{
		Runner: m.drive(), Cases: cases, Messages: retainMessages, Budget: m.share(AlsoHeap),
	}, m.sink, m.event)
}

// parallelBatch is how long a batch on several goroutines takes. Shorter batches are often over
// before the system has distributed the threads.
const parallelBatch = 10 * time.Millisecond

func (m *Measurement) scaling(ctx context.Context, live []result.Case, calibrations map[result.Case]result.Calibration) (drive.Tally, error) {
	done := m.done(func(r result.Record) (result.Case, bool) {
		if r.Scaling == nil {
			return result.Case{}, false
		}
		return r.Scaling.Case, true
	})
	return drive.Scaling(ctx, drive.ScalingConfig{
		Runner: m.drive(), Cases: working(live, done), CPUs: m.Run.Plan.CPUs,
		N: func(c result.Case) int {
			return max(1, int(float64(parallelBatch)/max(1, calibrations[c].NS)))
		},
		Warmup: 1, Rounds: 5, Visits: 4, Budget: m.share(scalingPass), Together: m.sinkAll,
	}, m.sink, m.event)
}
