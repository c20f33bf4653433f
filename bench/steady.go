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
	// steadyBatch is about how long a batch of steady work takes, in nanoseconds. It is 500
	// times the cost of reading the clock and the collector's metrics after each batch, and
	// short compared with a cycle of the collector.
	steadyBatch = 100_000
	// maxLiveMB is the largest size of the additional live heap.
	maxLiveMB = 4096
	// roomTimes is how many times the room between live heap and goal is made resident before the
	// first count of a process, since the heap grows beyond its goal while it is marked, and mostRoom
	// the most of it.
	roomTimes = 2
	mostRoom  = 64 << 20
	roomBlock = 8 << 10
	pageSize  = 4 << 10 // the smallest that systems have
)

// steady counts operations with the collector on, over whole cycles of it.
//
// The count begins and ends with a cycle that the runtime started by itself, unless cycles are
// too rare to matter or to wait for. A forced collection is not a suitable beginning: it sweeps
// the heap at once, so the cycles in the count would lack that work, and the memory that the
// first cycle allocates was never touched. A fixed time after a forced collection is not
// suitable either: all counts would contain the same part of a cycle too much or too little,
// and their average would keep this error.
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
	s.dropBallast() // it would delay collections
	s.live.resize(c.LiveMB)
	if err := s.loaded.mark.set(c.Subject, c.Op); err != nil {
		return nil, err
	}
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	defer func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}()
	if c.MinCycles > 0 { // else the count is of the memory that the case takes
		s.settleHeap()
	}
	guarded := beginWatch()
	k, err := newChecker(b, c.Op, func() {})
	if err != nil {
		return nil, failed(c.Subject, c.Op, err)
	}
	b.known[c.Op] = k.want // the next count of this process need not learn them again
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
		s.hold(b, c.Op, false) // a codec that skips its work returns this spoiled result
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
	return out, s.settled(b, c.Op, "steady work", guarded, out.Ops, w.n)
}

// settleHeap writes to the memory that the heap will grow into, up to mostRoom, once in a process
// and for each live heap. The kernel provides a page when it is first written to, which takes 2 to
// 3 µs in a virtual machine: without settleHeap, the first count of a process took 3 to 6% longer
// than the others.
func (s *session) settleHeap() {
	if s.live.settled {
		return
	}
	s.live.settled = true
	runtime.GC()
	heap := [2]metrics.Sample{{Name: "/gc/heap/goal:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(heap[:])
	goal, live := heap[0].Value.Uint64(), heap[1].Value.Uint64()
	var blocks [][]byte
	for range min(mostRoom, roomTimes*(max(goal, live)-live)) / roomBlock {
		b := make([]byte, roomBlock)
		for at := 0; at < len(b); at += pageSize {
			b[at] = 1
		}
		blocks = append(blocks, b)
	}
	runtime.KeepAlive(blocks)
}

// validate reports an argument that is out of range.
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

// steadyWork runs a case in batches whose number of operations grows until they take
// steadyBatch.
type steadyWork struct {
	*checker
	n     int
	meter [2]metrics.Sample
	heap  [3]metrics.Sample
	// parts is the least number of operations or of cycles of a count; one of both suffices.
	parts int
	// allocated is how many bytes were allocated when the work began, goal the collector's heap
	// goal at that time, and ended the number of cycles that had ended.
	allocated, goal uint64
	ended           int
	ops             int // operations since the work began
}

const (
	// A count waits for a collection if collections take at least one part in waitShare of the
	// time between two of them. Below that, one cycle too few or too many changes the count by
	// less than that part.
	waitShare = 200
	// wholeParts is the least number of operations or cycles of a count that waits. Cycles end
	// within operations, so a count may contain one operation or cycle too much or too little,
	// which matters if it has few of both.
	wholeParts = 4
	// dueTimes is how many times the heap goal may be allocated for each cycle of the
	// collector, and for one cycle more.
	dueTimes = 2
	// dueShare limits the size of operations that are judged: an operation may allocate at most
	// this part of the heap goal, so that the goal stays about the same during it.
	dueShare = 8
	// starvedTries is the number of counts that must all show too few cycles before a case is
	// charged with it; a pause of starvedPause lies between two of them. One count is not
	// enough: if the machine takes a CPU away, a collection ends late, while work that allocates
	// memory without pointers goes on.
	starvedTries = 5
	starvedPause = 20 * time.Millisecond
)

// lead runs operations that do not count, for half of MinNS and then until a cycle has ended that
// the runtime started by itself. It returns the longest time in nanoseconds that the count may
// take. If it does not wait for a cycle, it ends after a further quarter of MaxNS and returns MaxNS.
func (w *steadyWork) lead(c Steady) (most int64, err error) {
	_, before := w.collector()
	runtime.GC()
	_, after := w.collector()
	w.parts = 0
	if half := c.MinNS / 2; half > 0 {
		if _, err := w.until(half, 0, half); err != nil {
			return 0, err
		}
	}
	w.begin()
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

// worthWaiting reports whether a count waits for a collection. The collection takes cost
// nanoseconds and comes every period nanoseconds; most is the longest wait in nanoseconds.
func worthWaiting(period float64, cost, most int64) bool {
	return period <= float64(most) && float64(cost)*waitShare >= period
}

// period returns the expected nanoseconds from one collection to the next. wall is the time
// since begin, in which the bytes since begin were allocated. The next collection is due when
// the heap has grown from the live heap to its goal. The result is infinite if nothing was
// allocated.
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

// starved describes that too many bytes were allocated for the number of cycles, so the case
// must have kept the collector from running; it is empty otherwise. A cycle is due at the
// latest when the heap has grown from nothing to its goal.
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

// until runs batches until three conditions hold: least nanoseconds have passed; cycles
// collections have ended, one of them in the last batch; and the count has w.parts operations
// or cycles. It ends in any case after most nanoseconds. It runs at least one batch.
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

// collector returns how many collections have ended and the CPU time that they took, in
// nanoseconds, by the runtime's estimate. The runtime updates the estimate only when a cycle
// ends. So the difference of two readings, each after the end of a cycle, covers whole cycles.
func (w *steadyWork) collector() (cycles int, cpu int64) {
	metrics.Read(w.meter[:])
	return int(w.meter[0].Value.Uint64()), int64(1e9 * w.meter[1].Value.Float64())
}

// A liveHeap is memory that the collector has to trace in every cycle.
type liveHeap struct {
	mb   int
	root *liveNode
	// settled says that the heap's memory is resident, see settleHeap.
	settled bool
}

// A liveNode is one object of a live heap: 64 bytes, all of them pointers.
type liveNode [8]*liveNode

// liveRecent limits the objects that an object may point to: only the last liveRecent objects,
// because programs allocate related objects together.
const liveRecent = 1 << 12

// resize makes the heap mb MiB large. It keeps a heap that has this size.
func (h *liveHeap) resize(mb int) {
	if h.mb == mb {
		return
	}
	*h = liveHeap{mb: mb}
	runtime.GC() // collects the old heap before the new one is allocated
	random := rand.New(rand.NewPCG(1, 0))
	recent := new([liveRecent]*liveNode)
	for i := range mb << 20 / 64 {
		n := &liveNode{h.root} // to the previous object, so that all stay reachable
		for k := 1; k < len(n); k++ {
			n[k] = recent[random.IntN(liveRecent)]
		}
		recent[i%liveRecent] = n
		h.root = n
	}
}
