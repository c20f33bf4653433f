package analysis

import (
	"math"
	"slices"

	"assay/result"
)

// A sample is clean if wall time and the thread's CPU time differ by at most this share of the wall
// time: nothing else ran in between. For clean samples the wall time is the better clock, because a
// thread CPU clock costs ten times as much to read.
const cleanShare = 0.01

// A clock says which times of a launch are used.
type clock int

const (
	wallClean     clock = iota // wall times of clean samples
	cpuAll                     // CPU times of all samples: too few were clean
	wallUnchecked              // wall times of all samples: there is no CPU clock
	wallWhole                  // wall times of all samples: the case waits, or works on other threads
)

// A launch is the samples of one launch of a cell, ready to be compared.
type launch struct {
	layout uint64
	group  string // the group of contenders whose runner it was
	index  int
	series map[result.Subject]*series
	// external is the external contender that ran in a process of its own, in turn with the others;
	// empty if all contenders ran in one process.
	external string
	// control is the second series of a subject: the A/A control.
	control map[result.Subject]*series
	// floor is the subject's own floor.
	floor map[result.Subject]*series
}

func newLaunch(layout uint64, group string, index int) *launch {
	return &launch{
		layout:  layout,
		group:   group,
		index:   index,
		series:  make(map[result.Subject]*series),
		control: make(map[result.Subject]*series),
		floor:   make(map[result.Subject]*series),
	}
}

// A series is the samples of one case in one launch as natural logarithms of
// nanoseconds per operation, in the order in which they were taken.
type series struct {
	ops    int
	round  []int
	wall   []float64
	cpu    []float64 // NaN for a sample without a CPU time
	clean  []bool
	hasCPU bool
	at     map[int]int // the index of each round's sample, for the rounds that have one
	// others is the CPU time of other threads over the thread's own during the batches. waits is
	// how often the thread waited for something, as a mean over the batches.
	others, waits float64
	left          int  // the number of goroutines that it left behind
	fresh         bool // its batches were on values that were new to the process
}

const (
	// othersShare is a limit for the CPU time of other threads, as a share of the thread's own:
	// above it, their work counts as the case's. The runtime's own threads stay below.
	othersShare = 0.1
	// waitsEach is a limit for the number of waits a batch: above it, the case counts as one that
	// waits. Threads that are only interrupted do not wait.
	waitsEach = 0.5
)

// away reports whether the case works or waits away from the thread whose CPU clock is read, so
// that this clock shows too little.
func (s *series) away() bool { return s.others > othersShare || s.waits > waitsEach }

// mostRounds limits round numbers, so that a damaged one cannot exhaust memory.
const mostRounds = 1 << 20

// newSeries reads a stored series. It leaves out samples that cannot be times and samples that some
// slices lack; whole is false if there were any.
func newSeries(stored result.Series) (s *series, whole bool) {
	n := min(len(stored.Round), len(stored.Wall))
	s = &series{ops: stored.N, hasCPU: len(stored.CPU) > 0}
	whole = n == len(stored.Round) && n == len(stored.Wall)
	if s.hasCPU {
		whole = whole && len(stored.CPU) == n
		n = min(n, len(stored.CPU))
	}
	if stored.N <= 0 {
		return s, false
	}
	ops := math.Log(float64(stored.N))
	for i := range n {
		round, wall := stored.Round[i], stored.Wall[i]
		if wall <= 0 || round < 0 || round > mostRounds {
			whole = false
			continue
		}
		cpu, clean := math.NaN(), false
		if s.hasCPU && stored.CPU[i] > 0 {
			cpu = math.Log(float64(stored.CPU[i])) - ops
			clean = math.Abs(float64(wall-stored.CPU[i])) <= cleanShare*float64(wall)
		}
		s.put(round, math.Log(float64(wall))-ops, cpu, clean)
	}
	s.elsewhere(stored)
	return s, whole
}

// elsewhere takes in what the runner saw besides the times of the thread.
func (s *series) elsewhere(stored result.Series) {
	s.fresh = stored.Fresh
	var own int64
	for _, ns := range stored.CPU {
		own += ns
	}
	if own > 0 && stored.Others > 0 {
		s.others = float64(stored.Others) / float64(own)
	}
	if n := len(stored.Round); n > 0 && stored.Waits > 0 {
		s.waits = float64(stored.Waits) / float64(n)
	}
	s.left = stored.Left
}

// put adds a sample: logarithms of nanoseconds per operation.
func (s *series) put(round int, wall, cpu float64, clean bool) {
	if s.at == nil {
		s.at = map[int]int{}
	}
	s.at[round] = len(s.round)
	s.round = append(s.round, round)
	s.wall = append(s.wall, wall)
	s.cpu = append(s.cpu, cpu)
	s.clean = append(s.clean, clean)
}

// A reading is what one launch measured of one quantity.
type reading struct {
	layout uint64
	values []float64 // logarithms, one for each round
	clock  clock
}

// times returns the logarithms of the series' times per operation.
func (s *series) times() ([]float64, clock) {
	var clean, cpu []float64
	for i := range s.round {
		if s.clean[i] {
			clean = append(clean, s.wall[i])
		}
		if !math.IsNaN(s.cpu[i]) {
			cpu = append(cpu, s.cpu[i])
		}
	}
	return choose(s.hasCPU, s.away(), clean, cpu, s.wall)
}

// ratios returns the logarithms of s's time over ref's, for the rounds that both took part in.
func (s *series) ratios(ref *series) ([]float64, clock) {
	var clean, cpu, wall []float64
	for i, round := range s.round {
		j, ok := ref.at[round]
		if !ok {
			continue
		}
		wall = append(wall, s.wall[i]-ref.wall[j])
		if s.clean[i] && ref.clean[j] {
			clean = append(clean, s.wall[i]-ref.wall[j])
		}
		if d := s.cpu[i] - ref.cpu[j]; !math.IsNaN(d) {
			cpu = append(cpu, d)
		}
	}
	return choose(s.hasCPU && ref.hasCPU, s.away() || ref.away(), clean, cpu, wall)
}

// choose picks the times to use: all wall times if the case itself worked on other threads or
// waited, because its clean batches would be those in which it did not. Otherwise it picks the clean
// ones, unless fewer than a quarter are clean: then something else ran, and it picks the times of the
// CPU clock.
func choose(hasCPU, away bool, clean, cpu, wall []float64) ([]float64, clock) {
	switch {
	case !hasCPU || len(cpu) == 0:
		return wall, wallUnchecked
	case away:
		return wall, wallWhole
	case len(clean) == 0 || 4*len(clean) < len(wall):
		return cpu, cpuAll
	}
	return clean, wallClean
}

// A cell is the launches of one cell, in the order of their index.
type cell struct {
	launches []*launch
	damaged  bool // a series had samples that could not be used
	watch    watch
	// environment is the term that widens the interval of each ratio.
	environment float64
	common      *prior // see prior; nil until it is asked for
	counts      bool   // the launches are processes that count CPU time
}

func newCell() *cell { return &cell{environment: priorEnvironment} }

// add takes in a stored launch. A disturbed launch is only counted.
func (c *cell) add(stored *result.Launch) {
	if stored.Disturbed != "" {
		c.watch.disturbed++
		return
	}
	l := newLaunch(stored.Layout, stored.Group, stored.Index)
	l.external = stored.External
	for _, one := range stored.Series {
		s, whole := newSeries(one)
		c.damaged = c.damaged || !whole
		role := l.series
		switch one.Role {
		case "":
		case result.Control:
			role = l.control
		case result.Floor:
			role = l.floor
		default:
			continue
		}
		if len(s.round) > 0 && role[one.Subject] == nil {
			role[one.Subject] = s
		}
	}
	c.watch.see(stored, l)
	c.launches = append(c.launches, l)
	slices.SortStableFunc(c.launches, func(a, b *launch) int { return a.index - b.index })
}

// measured reports whether the subject has samples.
func (c *cell) measured(s result.Subject) bool {
	return slices.ContainsFunc(c.launches, func(l *launch) bool { return l.series[s] != nil })
}

// read collects the values that get returns for each launch; get returns none for a launch that
// lacks them. Readings of the ordinary layout are returned separately.
func (c *cell) read(get func(*launch) ([]float64, clock)) (readings, ordinary []reading) {
	for _, l := range c.launches {
		values, clock := get(l)
		if len(values) == 0 {
			continue
		}
		r := reading{l.layout, values, clock}
		if l.layout == 0 {
			ordinary = append(ordinary, r)
		} else {
			readings = append(readings, r)
		}
	}
	return readings, ordinary
}

// hosts reports whether the subject was in the launch only as the partner of an external contender,
// and has other launches. Between its batches it waited for another process, unlike in the other
// launches, so its times come from those.
func (c *cell) hosts(l *launch, s result.Subject) bool {
	return l.external != "" && l.external != s.Contender && slices.ContainsFunc(c.launches, func(other *launch) bool {
		return other.external == "" && other.series[s] != nil
	})
}

// times reads the subject's times per operation.
func (c *cell) times(s result.Subject) (readings, ordinary []reading) {
	return c.read(func(l *launch) ([]float64, clock) {
		if l.series[s] == nil || c.hosts(l, s) {
			return nil, 0
		}
		return l.series[s].times()
	})
}

// ratios reads the subject's time over the reference's, from the launches that both took part in.
func (c *cell) ratios(s, ref result.Subject) (readings, ordinary []reading) {
	return c.read(func(l *launch) ([]float64, clock) {
		a, b := l.series[s], l.series[ref]
		if a == nil || b == nil {
			return nil, 0
		}
		return a.ratios(b)
	})
}

// control reads the A/A control: the subject's second series over its first.
func (c *cell) control(s result.Subject) []reading {
	readings, ordinary := c.read(func(l *launch) ([]float64, clock) {
		a, b := l.control[s], l.series[s]
		if a == nil || b == nil {
			return nil, 0
		}
		return a.ratios(b)
	})
	return append(readings, ordinary...)
}

// ownFloor reads the subject's time over the time of its own floor.
func (c *cell) ownFloor(s result.Subject) (readings, ordinary []reading) {
	return c.read(func(l *launch) ([]float64, clock) {
		a, b := l.series[s], l.floor[s]
		if a == nil || b == nil {
			return nil, 0
		}
		return a.ratios(b)
	})
}
