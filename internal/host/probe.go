package host

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"
)

// batch is the duration of a timed batch. The effect of a disturbed clock reading is relative
// to it.
const batch = 200 * time.Microsecond

// A Clock describes how precisely the wall clock can be read.
type Clock struct {
	// Min, P50 and P999 are the minimum, the median and the 99.9th percentile of the steps
	// between immediately successive readings.
	Min, P50, P999 time.Duration
	// Resolution is the smallest difference that the clock can show.
	Resolution time.Duration
}

// ProbeClock measures the wall clock with 20,000 readings.
func ProbeClock() Clock {
	steps := make([]time.Duration, 20_000)
	last := time.Now()
	for i := range steps {
		now := time.Now()
		steps[i] = now.Sub(last)
		last = now
	}
	return clockOf(steps)
}

// clockOf summarises steps, which must not be empty. It sorts them.
func clockOf(steps []time.Duration) Clock {
	slices.Sort(steps)
	at := func(q float64) time.Duration { return steps[int(q*float64(len(steps)-1))] }
	c := Clock{Min: steps[0], P50: at(0.5), P999: at(0.999)}
	// If some steps are 0, the clock is coarser than the time between readings, and the
	// smallest other step is its resolution. Otherwise steps are multiples of the resolution,
	// which is then the smallest step or difference between steps.
	distinct := slices.Compact(slices.Clone(steps))
	switch {
	case distinct[0] == 0 && len(distinct) > 1:
		c.Resolution = distinct[1]
	case distinct[0] == 0:
		c.Resolution = math.MaxInt64
	default:
		c.Resolution = distinct[0]
		for i := 1; i < len(distinct); i++ {
			c.Resolution = min(c.Resolution, distinct[i]-distinct[i-1])
		}
	}
	return c
}

// Check judges the clock by the error that reading it adds to a batch.
func (c Clock) Check() Check {
	if c.Resolution == math.MaxInt64 {
		return Check{Name: "clock", Level: Bad, Text: "stands still", Remedy: "measure on another machine"}
	}
	out := Check{
		Name: "clock", Level: OK,
		Text: fmt.Sprintf("steps of %v (least %v, 1 in 1000 over %v), resolution %v", c.P50, c.Min, c.P999, c.Resolution),
	}
	switch worst := max(c.P50, c.Resolution); {
	case worst > batch/100:
		out.Level = Bad
	case worst > batch/1000:
		out.Level = Warn
	default:
		return out
	}
	out.Remedy = "choose a faster clock source if there is one: /sys/devices/system/clocksource/clocksource0/available_clocksource on Linux"
	return out
}

// A ThreadClock describes the CPU clock of a thread, which stops while another program has
// the CPU.
type ThreadClock struct {
	Available bool
	Cost      time.Duration // median time of a reading
}

// ProbeThreadClock measures the thread's CPU clock with 2000 readings.
func ProbeThreadClock() ThreadClock {
	if _, ok := threadCPU(); !ok {
		return ThreadClock{}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	costs := make([]time.Duration, 2000)
	for i := range costs {
		start := time.Now()
		threadCPU()
		costs[i] = time.Since(start)
	}
	slices.Sort(costs)
	return ThreadClock{true, costs[len(costs)/2]}
}

// Check judges the clock.
func (c ThreadClock) Check() Check {
	out := Check{Name: "thread-clock", Level: OK}
	switch {
	case !c.Available:
		out.Level, out.Text = Warn, "no CPU clock of threads: disturbed batches cannot be told from slow ones, and times are wall time"
		out.Remedy = "keep the machine quiet, or measure on Linux"
	case c.Cost > batch/100:
		out.Level, out.Text = Warn, fmt.Sprintf("takes %v to read, more than 1%% of a batch", c.Cost)
		out.Remedy = "choose a kernel or a sandbox with faster system calls, if there is one"
	default:
		out.Text = fmt.Sprintf("takes %v to read", c.Cost)
	}
	return out
}

// CheckPinning judges the result of Pinning.
func CheckPinning(err error) Check {
	if err != nil {
		return Check{
			Name: "pinning", Level: Warn, Text: "processes cannot be pinned to a CPU: " + err.Error(),
			Remedy: "give versions and toolchains, which are compared across processes, more time",
		}
	}
	return Check{Name: "pinning", Level: OK, Text: "processes can be pinned to a CPU"}
}

// A Spin holds the sorted times of repetitions of the same arithmetic. It uses no memory, so
// only the CPU's frequency and other programs change its time.
type Spin []time.Duration

// ProbeSpin does the same arithmetic fifty times, which takes some 10 ms.
func ProbeSpin() Spin {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := make(Spin, 50)
	x := uint64(len(s))
	for i := range s {
		start := time.Now()
		x = spin(x)
		s[i] = time.Since(start)
	}
	if x == 0 {
		// This never happens, because the generator never reaches zero. But the compiler does
		// not know that, and so keeps the arithmetic.
		return nil
	}
	slices.Sort(s)
	return s
}

// spin steps Marsaglia's xorshift generator.
func spin(x uint64) uint64 {
	for range 100_000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// Spread returns by what fraction the 90th percentile exceeds the 10th; 0 if there are too
// few times.
func (s Spin) Spread() float64 {
	if len(s) < 10 || s[len(s)/10] <= 0 {
		return 0
	}
	return float64(s[len(s)*9/10])/float64(s[len(s)/10]) - 1
}

// Check judges how steady the CPU is.
func (s Spin) Check() Check {
	c := Check{Name: "frequency", Level: OK, Text: fmt.Sprintf("steady within %.1f%%", 100*s.Spread())}
	switch spread := s.Spread(); {
	case spread > 0.25:
		c.Level = Bad
	case spread > 0.03:
		c.Level = Warn
	default:
		return c
	}
	c.Text = fmt.Sprintf("the same arithmetic differs by %.1f%%: the frequency changes, or other programs take the CPU", 100*s.Spread())
	c.Remedy = "stop other work; trust ratios, not absolute times"
	return c
}
