package bench

import (
	"math/rand/v2"
	"time"
)

// sentinelLines is the number of cache lines that a sentinel walks through, of 64 bytes each: 1
// MiB in total. A current second-level cache holds that much as long as no other program uses
// it.
const sentinelLines = 1 << 14

// sentinelEvery is the sentinel's stride in rounds: two walks take as long as two batches.
const sentinelEvery = 4

// A sentinel is a chain of pointers through memory that only the sentinel uses. The time of a
// walk tells how much of the caches other programs use, which moves the ratio of two contenders
// by 1 to 2%. The processor's clock rate moves no ratio.
//
// The pointers are indices, so that the collector has nothing to follow.
type sentinel struct {
	lines *[sentinelLines]sentinelLine
	at    uint32
}

// A sentinelLine is one cache line.
type sentinelLine struct {
	next uint32
	_    [60]byte
}

// newSentinel links the lines to one cycle. The cycle is random, so that no prefetcher can
// predict it, and the same in every process.
func newSentinel() *sentinel {
	s := &sentinel{lines: new([sentinelLines]sentinelLine)}
	for i := range s.lines {
		s.lines[i].next = uint32(i)
	}
	// Sattolo's algorithm: a shuffle that never leaves an element in its place gives a
	// permutation with a single cycle.
	random := rand.New(rand.NewPCG(1, 0))
	for i := sentinelLines - 1; i > 0; i-- {
		j := random.IntN(i)
		s.lines[i].next, s.lines[j].next = s.lines[j].next, s.lines[i].next
	}
	return s
}

// watch walks twice and returns the time of the second walk. The first walk restores the lines
// that the batches before it displaced: the sentinel measures what other programs do to the
// caches, and not how much of them the cases need.
func (s *sentinel) watch() int64 {
	s.walk()
	return s.walk()
}

// walk goes once round the cycle and returns the time in nanoseconds. It uses the thread's CPU
// time if the system has such a clock, because an interruption of the walk says nothing about
// the caches.
func (s *sentinel) walk() int64 {
	var t span
	cpu := threadCPU()
	start := time.Now()
	at, lines := s.at, s.lines
	for range sentinelLines {
		at = lines[at%sentinelLines].next
	}
	s.at = at
	t.wall = int64(time.Since(start))
	t.cpu = threadCPU() - cpu
	return t.best()
}
