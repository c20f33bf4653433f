package bench

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"time"

	"assay/result"
)

// A steadyHash is SHA-256 as a digest. Equal values have equal sums in every process.
type steadyHash struct{ hash.Hash }

func (h steadyHash) WriteString(s string) (int, error) { return io.WriteString(h.Hash, s) }

// Sum64 returns the first eight bytes of the hash as a little-endian integer.
func (h steadyHash) Sum64() uint64 {
	var sum [sha256.Size]byte
	return binary.LittleEndian.Uint64(h.Sum(sum[:0]))
}

// steadyDigester returns a digester whose sums can be compared between processes.
func steadyDigester() *digester {
	return &digester{hash: steadyHash{sha256.New()}, entry: steadyDigester}
}

// text returns the sum in hexadecimal digits.
func (d *digester) text() string {
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, d.hash.Sum64()))
}

// watched runs a contender's pass with the collector on, and records its resource use.
func (s *Streamed) watched(who result.Subject, op result.Op, pass func() error) error {
	percent := debug.SetGCPercent(100)
	defer debug.SetGCPercent(percent)
	guarded := beginWatch()
	runtime.GC()
	faults := pageFaults()
	before, start, cpu, late := readCollector(), time.Now(), processCPU(), watchDelays()
	err := pass()
	s.Elapsed, s.TotalCPU = int64(time.Since(start)), processCPU()-cpu
	if !hasProcessCPU {
		s.CPU, s.TotalCPU = s.Wall, s.Elapsed
	}
	s.Late = int64(late())
	s.collected(before, readCollector())
	s.faulted(faults, pageFaults())
	if err != nil {
		return err
	}
	return guarded.charge(who, op, "the pass")
}

// timed adds the time of f to Wall and CPU.
func (s *Streamed) timed(f func() error) error {
	start, cpu := time.Now(), processCPU()
	err := f()
	s.Wall += int64(time.Since(start))
	s.CPU += processCPU() - cpu
	return err
}

// A collecting is a reading of the runtime's metrics of the collector.
type collecting struct {
	cycles    uint64
	cpu, busy float64 // seconds
	pauses    *metrics.Float64Histogram
}

func readCollector() collecting {
	m := []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/cpu/classes/gc/total:cpu-seconds"},
		{Name: "/sched/pauses/total/gc:seconds"},
		{Name: "/cpu/classes/total:cpu-seconds"},
		{Name: "/cpu/classes/idle:cpu-seconds"},
	}
	metrics.Read(m)
	return collecting{m[0].Value.Uint64(), m[1].Value.Float64(), m[3].Value.Float64() - m[4].Value.Float64(), m[2].Value.Float64Histogram()}
}

// collected sets the collector's work between two readings.
func (s *Streamed) collected(before, after collecting) {
	s.Cycles = int(after.cycles - before.cycles)
	s.GCCPU = int64((after.cpu - before.cpu) * float64(time.Second))
	s.Busy = int64((after.busy - before.busy) * float64(time.Second))
	counts := make([]uint64, len(after.pauses.Counts))
	for i := range counts {
		counts[i] = after.pauses.Counts[i] - before.pauses.Counts[i]
	}
	s.Pause99, s.PauseMax = quantile(counts, after.pauses.Buckets, 0.99), quantile(counts, after.pauses.Buckets, 1)
}

// quantile returns the upper bound, in nanoseconds, of the bucket that contains the quantile q.
// If the upper bound is infinite, it returns the lower one. It returns 0 if nothing was
// counted.
func quantile(counts []uint64, bounds []float64, q float64) int64 {
	var all, seen uint64
	for _, n := range counts {
		all += n
	}
	rank := uint64(math.Ceil(q * float64(all)))
	for i, n := range counts {
		if seen += n; n > 0 && seen >= rank {
			bound := bounds[i+1]
			if math.IsInf(bound, 1) {
				bound = bounds[i]
			}
			return int64(bound * float64(time.Second))
		}
	}
	return 0
}

// A pageFault counts how often the process touched a page that was not mapped: minor if the
// system had the page in memory, major if it had to read it from a disk.
type pageFault struct{ minor, major int64 }

// faulted sets the page faults between two counts.
func (s *Streamed) faulted(before, after pageFault) {
	s.Minor, s.Major = after.minor-before.minor, after.major-before.major
}

// walkEvery is the least time between two walks of the sentinel. A walk takes about a fiftieth
// of it.
const walkEvery = 50 * time.Millisecond

// walks are the sentinel's times between the calls of a stream.
type walks struct {
	sentinel *sentinel
	last     time.Time
	times    []int64
}

func newWalks() *walks { return &walks{sentinel: newSentinel()} }

// take walks if walkEvery has passed since the last walk.
func (w *walks) take() {
	if w == nil || time.Since(w.last) < walkEvery {
		return
	}
	w.times = append(w.times, w.sentinel.watch())
	w.last = time.Now()
}

// median returns the median time of a walk in nanoseconds, or 0 if there was no walk.
func (w *walks) median() int64 {
	if len(w.times) == 0 {
		return 0
	}
	slices.Sort(w.times)
	return w.times[len(w.times)/2]
}

// tick is how long the goroutine that watches for delays sleeps.
const tick = time.Millisecond

// watchDelays starts a goroutine that sleeps again and again. The returned function stops the
// goroutine and returns its largest delay in waking up.
func watchDelays() (worst func() time.Duration) {
	var late time.Duration
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			start := time.Now()
			time.Sleep(tick)
			late = max(late, time.Since(start)-tick)
		}
	})
	return func() time.Duration {
		close(stop)
		wg.Wait()
		return late
	}
}
