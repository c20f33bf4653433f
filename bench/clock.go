package bench

import (
	"cmp"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A span is how long a batch took, in nanoseconds.
type span struct {
	wall int64
	cpu  int64 // CPU time of the thread; 0 if the system has no such clock
	// others is the CPU time that the process's other threads used during the batch. waits is
	// how often the thread waited for something.
	others, waits int64
}

// best returns the time that other programs disturb least: thread CPU time if available,
// otherwise wall time.
func (s span) best() int64 {
	if hasThreadCPU {
		return s.cpu
	}
	return s.wall
}

// timed runs one batch. It reads the wall clock between the two readings of the CPU clock,
// because reading the CPU clock takes ten times as long. The wall time is then too long by 0.03
// µs and the CPU time by 0.3 µs. That is 0.2% of a 200 µs batch, well below the 1% by which the
// two times of a clean batch may differ.
func timed(f Op, n int) (sum uint64, s span, err error) {
	cpu := threadCPU()
	start := time.Now()
	sum, err = f(n)
	s.wall = int64(time.Since(start))
	s.cpu = threadCPU() - cpu
	return sum, s, err
}

// GarbageLimit is how many bytes may be allocated before a collection is forced, if the command
// does not specify Garbage. It is about the size of a large second-level cache, so batches that
// allocate seldom meet a collection or memory that was never touched. Memory that is reused so
// soon is still in the caches, which favours contenders that allocate; Rounds.Garbage asks for
// another footprint.
const GarbageLimit = 3 << 20

// MostGarbage is the largest Rounds.Garbage that a command may ask for, in bytes.
const MostGarbage = 1 << 30

// A collector controls the garbage collector, which then runs only between batches. A pass of
// its own measures the cost of collections.
type collector struct {
	most      uint64 // bytes that may be allocated before the next collection
	forced    int
	base      uint64 // bytes allocated at the last collection
	allocated [1]metrics.Sample
	percent   int
	limit     int64
}

// ballastSize is the size of the ballast in bytes, for a footprint of GarbageLimit.
const ballastSize = 128 << 20

// ballastTimes is the least ratio of the ballast to the footprint: ten, because the runtime
// keeps a tenth of the heap in use, and half as much again to spare.
const ballastTimes = 15

// takeCollector calls the function takeCollector after it has made a ballast: a live block of
// memory that holds no pointers and is never touched, so that it occupies no physical memory.
// The runtime returns memory to the system that exceeds a tenth of the heap in use, and a
// forced collection leaves little in use. Without a ballast, a case that allocates would fault
// the same pages in again and again, which made a quarter of its batches 10 to 20% slower. With
// the ballast, enough heap is always in use. takeCollector adds blocks and keeps the old ones,
// because the runtime would have to clear a block that takes the place of another.
//
// garbage is how many bytes may be allocated before a collection; 0 means GarbageLimit.
func (s *session) takeCollector(garbage int64) *collector {
	most := limitOf(garbage)
	for _, need := range []uint64{ballastSize, ballastTimes * most} {
		if s.ballasted < need {
			s.ballast = append(s.ballast, make([]byte, need-s.ballasted))
			s.ballasted = need
		}
	}
	g := takeCollector()
	g.most = most
	return g
}

// dropBallast lets the runtime free the ballast. The next takeCollector makes another one.
func (s *session) dropBallast() { s.ballast, s.ballasted = nil, 0 }

// limitOf returns the number of bytes that may be allocated before a collection; 0 means
// GarbageLimit.
func limitOf(garbage int64) uint64 { return uint64(cmp.Or(garbage, GarbageLimit)) }

// takeCollector switches the collector off until release.
func takeCollector() *collector {
	g := &collector{most: GarbageLimit, percent: debug.SetGCPercent(-1), limit: debug.SetMemoryLimit(math.MaxInt64)}
	g.allocated[0].Name = "/gc/heap/allocs:bytes"
	runtime.GC()
	g.base = g.bytes()
	return g
}

// release gives the collector back to the runtime.
func (g *collector) release() {
	debug.SetGCPercent(g.percent)
	debug.SetMemoryLimit(g.limit)
}

// between forces a collection if more than g.most bytes were allocated since the last one.
func (g *collector) between() {
	if g.bytes()-g.base <= g.most {
		return
	}
	runtime.GC()
	g.forced++
	g.base = g.bytes()
}

// bytes returns the bytes allocated since the process began, except those that a size class has
// not reported yet. It takes 0.3 µs, a tenth of ReadMemStats.
func (g *collector) bytes() uint64 {
	metrics.Read(g.allocated[:])
	return g.allocated[0].Value.Uint64()
}
