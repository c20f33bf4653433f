package bench

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// steadyBatch is about how long a batch of steady work takes, in
	// nanoseconds: 500 times what looking at the clock and at the collector
	// after each one costs, and short against a collector's cycle.
	steadyBatch = 100_000
	// maxLiveMB bounds the heap that is kept beside.
	maxLiveMB = 4096
)

// steady counts operations with the collector on, over whole cycles of it.
//
// The count begins and ends with a cycle that the runtime began of itself, unless
// cycles are too rare to matter or to be waited for. A forced collection would not do
// for the beginning: it sweeps the heap at once, which is work that the cycles in the
// count would then not have, and the memory that a first cycle allocates was never
// touched. Nor would any other fixed time after one: all counts would have the same
// part of a cycle too much or too little, which no number of them evens out.
func (s *session) steady(c Steady) (*Steadied, error) {
	if _, err := s.need(); err != nil {
		return nil, err
	}
	if err := c.validate(); err != nil {
		return nil, err
	}
	b, err := s.prepare(c.Subject, c.Op)
	if err != nil {
		return nil, err
	}
	s.ballast = nil // it would put off collections
	s.live.resize(c.LiveMB)
	if err := s.loaded.mark.set(c.Subject, c.Op); err != nil {
		return nil, err
	}
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	defer func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}()
	guarded := beginWatch()
	k, err := newChecker(b, c.Op, func() {})
	if err != nil {
		return nil, failed(c.Subject, c.Op, err)
	}
	w := &steadyWork{checker: k, n: 1}
	w.meter[0].Name = "/gc/cycles/total:gc-cycles"
	w.meter[1].Name = "/cpu/classes/gc/total:cpu-seconds"
	var (
		out *Steadied
		why string
	)
	for try := range starvedTries {
		if try > 0 {
			time.Sleep(starvedPause)
		}
		most, err := w.lead(c)
		if err != nil {
			return nil, failed(c.Subject, c.Op, err)
		}
		s.hold(b, c.Op, false) // what comes next is new
		if out, err = w.until(c.MinNS, c.MinCycles, most); err != nil {
			return nil, failed(c.Subject, c.Op, err)
		}
		out.Peak = peakMemory()
		if why = w.starved(); why == "" {
			break
		}
	}
	if why != "" {
		return nil, wrongly(c.Subject, c.Op, errors.New(why))
	}
	return out, s.settled(b, c.Op, "steady work", guarded)
}

// validate reports an argument that makes no sense.
func (c *Steady) validate() error {
	switch {
	case c.LiveMB < 0 || c.LiveMB > maxLiveMB:
		return fmt.Errorf("live_mb is %d, want 0 to %d", c.LiveMB, maxLiveMB)
	case c.MinNS < 0:
		return fmt.Errorf("min_ns is %d, want at least 0", c.MinNS)
	case c.MinCycles < 0 || c.MinCycles > maxCount:
		return fmt.Errorf("min_cycles is %d, want 0 to %d", c.MinCycles, maxCount)
	case c.MaxNS < 1 || c.MaxNS < c.MinNS:
		return fmt.Errorf("max_ns is %d, want at least 1 and at least min_ns", c.MaxNS)
	case c.WaitNS < 0:
		return fmt.Errorf("wait_ns is %d, want at least 0", c.WaitNS)
	}
	return nil
}

// steadyWork is a case's work in batches whose length grows with what they turn
// out to take.
type steadyWork struct {
	*checker
	n     int
	meter [2]metrics.Sample
	heap  [3]metrics.Sample
	// parts is how many operations or cycles a count has at the least, whichever come first.
	parts int
	// allocated is how many bytes there were allocated when the work began, goal the
	// collector's for the heap then, and ended the cycles so far.
	allocated, goal uint64
	ended           int
	ops             int // since then
}

const (
	// waitShare says from which part of the time between two collections on one costs so
	// much that a count waits for it: one in so many. Below, a count of none or of one too
	// many is wrong by less than that.
	waitShare = 200
	// wholeParts is how many operations, or cycles, a count that waits has at the least. Its
	// cycles end within operations, so that of a few of each, one is too much or too little.
	wholeParts = 4
	// dueTimes is how many times as much as it is due after may be allocated for each cycle
	// of the collector, and one more.
	dueTimes = 2
	// dueShare is which part of that an operation may allocate for the goal to stay about
	// the same during it.
	dueShare = 8
	// starvedTries is in how many counts, each after a pause of starvedPause, work must have
	// been due more cycles to be said to put them off: where the machine takes a CPU away, a
	// collection ends late, and work that allocates what needs no scanning goes on.
	starvedTries = 5
	starvedPause = 20 * time.Millisecond
)

// lead does work that does not count, until a cycle has ended that the runtime began of
// itself. It returns the longest that the count may take. Where cycles are not waited for,
// the work is a quarter of MaxNS, and the count is as long as that allows.
func (w *steadyWork) lead(c Steady) (most int64, err error) {
	_, before := w.collector()
	runtime.GC()
	_, after := w.collector()
	w.begin()
	w.parts = 0
	out, err := w.until(0, 1, c.MaxNS/4)
	if err != nil {
		return 0, err
	}
	if out.Cycles == 0 && worthWaiting(w.period(out.Wall), after-before, c.WaitNS) {
		if out, err = w.until(0, 1, c.WaitNS); err != nil {
			return 0, err
		}
	}
	if out.Cycles == 0 || c.WaitNS <= c.MaxNS {
		return c.MaxNS, nil
	}
	w.parts = wholeParts
	return c.WaitNS, nil
}

// worthWaiting says whether a collection that takes so long, every so many nanoseconds, is waited
// for by who waits for that long at the most.
func worthWaiting(period float64, cost, most int64) bool {
	return period <= float64(most) && float64(cost)*waitShare >= period
}

// period returns the nanoseconds from one collection to the next, by what was allocated in
// so many of them since begin: the next is due when the heap has grown from what was live
// to its goal. It is infinite where nothing was allocated.
func (w *steadyWork) period(wall int64) float64 {
	metrics.Read(w.heap[:])
	allocated, goal, live := w.heap[0].Value.Uint64()-w.allocated, w.heap[1].Value.Uint64(), w.heap[2].Value.Uint64()
	return float64(wall) * (float64(goal) - float64(live)) / float64(allocated)
}

// begin notes what was allocated before the work.
func (w *steadyWork) begin() {
	w.heap[0].Name, w.heap[1].Name, w.heap[2].Name = "/gc/heap/allocs:bytes", "/gc/heap/goal:bytes", "/gc/heap/live:bytes"
	metrics.Read(w.heap[:])
	w.allocated, w.goal, w.ended, w.ops = w.heap[0].Value.Uint64(), w.heap[1].Value.Uint64(), w.cycles(), 0
}

// starved says that so much was allocated with so few cycles that the collector must have
// been kept from more of them; empty: it was not. A cycle is due at the latest when the
// heap has grown from nothing to its goal.
func (w *steadyWork) starved() string {
	metrics.Read(w.heap[:])
	cycles := w.cycles() - w.ended
	allocated, goal := w.heap[0].Value.Uint64()-w.allocated, max(w.goal, w.heap[1].Value.Uint64())
	if goal > math.MaxInt64 || allocated/uint64(w.ops) > goal/dueShare || allocated/dueTimes < uint64(cycles+1)*goal {
		return ""
	}
	return fmt.Sprintf("it keeps the garbage collector from running: %d MiB were allocated with %s, one of which is due every %d MiB",
		allocated>>20, plural(cycles, "cycle"), goal>>20)
}

// until does batches until least nanoseconds have passed and cycles collections
// have ended, one of them in the last batch, and there were as many parts as there must
// be, or until most nanoseconds have passed. At least one batch is done.
func (w *steadyWork) until(least int64, cycles int, most int64) (*Steadied, error) {
	out := &Steadied{}
	first, gcCPU := w.collector()
	seen := first
	cpu := processCPU()
	start := time.Now()
	for {
		before := out.Wall
		if err := w.batch(w.n); err != nil {
			return nil, err
		}
		out.Ops += w.n
		w.ops += w.n
		out.Wall = int64(time.Since(start))
		last := seen
		seen = w.cycles()
		out.Cycles = seen - first
		if out.Wall >= most || seen > last && out.Wall >= least && out.Cycles >= cycles && max(out.Ops, out.Cycles) >= w.parts {
			break
		}
		// A slow batch does not shorten the next: the first operations are slow.
		if took := out.Wall - before; took < steadyBatch/2 {
			w.n = grow(w.n, float64(took)/float64(w.n), steadyBatch)
		}
	}
	out.CPU = out.Wall
	if hasProcessCPU {
		out.CPU = processCPU() - cpu
	}
	_, after := w.collector()
	out.GCCPU = after - gcCPU
	return out, nil
}

// cycles returns how many collections have ended. It takes 0.07 µs.
func (w *steadyWork) cycles() int {
	metrics.Read(w.meter[:1])
	return int(w.meter[0].Value.Uint64())
}

// collector returns how many collections have ended and the CPU time that they
// took, in nanoseconds, by the runtime's estimate. The runtime brings that up to
// date when a cycle ends and at no other time, so that between two readings
// after the ends of cycles lie whole cycles.
func (w *steadyWork) collector() (cycles int, cpu int64) {
	metrics.Read(w.meter[:])
	return int(w.meter[0].Value.Uint64()), int64(1e9 * w.meter[1].Value.Float64())
}

// A liveHeap is memory that the collector has to trace in every cycle.
type liveHeap struct {
	mb   int
	root *liveNode
}

// A liveNode is one object of a live heap: 64 bytes, all of them pointers.
type liveNode [8]*liveNode

// liveRecent is how many of the last objects an object may point to: things
// that belong together are made together.
const liveRecent = 1 << 12

// resize makes the heap mb MiB large. A heap of that size is kept as it is.
func (h *liveHeap) resize(mb int) {
	if h.mb == mb {
		return
	}
	*h = liveHeap{mb: mb}
	runtime.GC() // the old heap goes before the new one comes
	random := rand.New(rand.NewPCG(1, 0))
	recent := new([liveRecent]*liveNode)
	for i := range mb << 20 / 64 {
		n := &liveNode{h.root} // the one before, so that all stay reachable
		for k := 1; k < len(n); k++ {
			n[k] = recent[random.IntN(liveRecent)]
		}
		recent[i%liveRecent] = n
		h.root = n
	}
}
