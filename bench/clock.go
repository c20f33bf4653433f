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
	cpu  int64 // of the thread; 0 without such a clock
	// others is the CPU time of the process's other threads meanwhile, and waits how
	// often the thread waited for something.
	others, waits int64
}

// best returns the time that other programs disturb least.
func (s span) best() int64 {
	if hasThreadCPU {
		return s.cpu
	}
	return s.wall
}

// timed runs one batch. The wall clock is read inside the CPU clock's pair,
// because reading the latter is ten times as slow: the wall time is then too
// long by 0.03 µs and the CPU time by 0.3 µs, which is 0.2% of a 200 µs batch
// and well below the 1% by which a clean batch's two times may differ.
func timed(f Op, n int) (sum uint64, s span, err error) {
	cpu := threadCPU()
	start := time.Now()
	sum, err = f(n)
	s.wall = int64(time.Since(start))
	s.cpu = threadCPU() - cpu
	return sum, s, err
}

// GarbageLimit is how much may be allocated before a collection is forced, where
// the command does not say. It is about the size of a large second-level cache:
// batches that allocate then see neither a collection nor, for long, memory that
// was never touched. Memory that is used again so soon is still in the caches,
// which flatters what allocates; Rounds.Garbage asks for another footprint.
const GarbageLimit = 3 << 20

// MostGarbage bounds what a command may ask for.
const MostGarbage = 1 << 30

// A collector is the garbage collector, taken over: it runs only between
// batches. Its cost is not forgotten but counted in a pass of its own.
type collector struct {
	most      uint64 // bytes allocated before the next
	forced    int
	base      uint64 // bytes allocated at the last collection
	allocated [1]metrics.Sample
	percent   int
	limit     int64
}

// ballastSize is the size of the ballast in bytes, for a footprint of GarbageLimit.
const ballastSize = 128 << 20

// ballastTimes is how many times the footprint the ballast is at least: the tenth
// of the heap in use that the runtime keeps, and half as much to spare.
const ballastTimes = 15

// takeCollector is the function takeCollector with a ballast: a block of memory
// that is live, holds no pointers and is never touched, so that it takes no
// memory. The runtime gives back to the system what exceeds a tenth of the heap
// in use, and a forced collection leaves little in use; an allocating case would
// then fault the same pages in again and again, a quarter of its batches 10 to
// 20% slower for it. With the ballast there is always enough in use. Blocks are
// kept and added to, because one in the place of another would have to be cleared.
// garbage is what may be allocated before a collection; 0: GarbageLimit.
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

// limitOf is how much may be allocated before a collection where a command asks for garbage.
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

// between forces a collection if enough was allocated since the last.
func (g *collector) between() {
	if g.bytes()-g.base <= g.most {
		return
	}
	runtime.GC()
	g.forced++
	g.base = g.bytes()
}

// bytes returns the bytes allocated since the process began, less what each
// size class has not reported yet. It takes 0.3 µs, a tenth of ReadMemStats.
func (g *collector) bytes() uint64 {
	metrics.Read(g.allocated[:])
	return g.allocated[0].Value.Uint64()
}
