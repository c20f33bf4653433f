package bench

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"time"

	"assay/result"
)

const (
	// streakSets is the largest number of sets of new values in a streak. streakTries is the
	// largest number of streaks, of which the least time counts. From try streakQuick on, a
	// pause of streakPause comes before each, in which a disturbance of the machine may pass.
	streakSets  = 16
	streakTries = 20
	streakQuick = 4
	streakPause = 20 * time.Millisecond
	// streakBytes is the largest total size of the messages of a streak, in bytes, unless two
	// sets are larger. Messages that do not fit into the caches are slower even for a contender
	// that remembers nothing. It is half of the smallest second-level cache of current servers.
	streakBytes = 256 << 10
	// A case remembers values if an operation takes more than streakTimes times as long on new
	// values as in a batch on known values, plus streakLeast nanoseconds. New messages come
	// from a farther cache or, if other machines share that cache, from memory, which takes 70
	// ns a line. inPlaceLeast replaces streakLeast for ops that do little more than find a
	// value in its message.
	streakTimes  = 2
	streakLeast  = 25
	inPlaceLeast = 200
	// hindsightTimes is the further factor that the time on new values must exceed, after the
	// rounds, for the case to have no result.
	hindsightTimes = 1.5
)

// A pace is the least time of an operation in nanoseconds: by the clock that other programs
// disturb least, and by the wall clock, which also counts work on other threads.
type pace struct{ best, wall float64 }

// fastest is the pace before the first measurement.
var fastest = pace{math.Inf(1), math.Inf(1)}

// or returns the lesser of p and the pace of a batch of n that took t.
func (p pace) or(t span, n int) pace {
	return pace{min(p.best, float64(t.best())/float64(n)), min(p.wall, float64(t.wall)/float64(n))}
}

// remembers reports, for p measured on new values, whether op takes so much longer than in a
// batch on known values that it remembers values. Both clocks must show it. times is a further
// factor on the pace of the batch.
func (p pace) remembers(op result.Op, batch pace, times float64) bool {
	more := longer(op)
	return p.best > streakTimes*times*batch.best+more && p.wall > streakTimes*times*batch.wall+more
}

// longer returns by how many nanoseconds, beyond the factor streakTimes, op may take longer on
// new values without being reported.
func longer(op result.Op) float64 {
	if op == result.Open || op == result.Scan {
		return inPlaceLeast
	}
	return streakLeast
}

// touch reads a byte of each cache line of the messages. This brings them into the nearest
// cache that holds all of them, like the messages of a batch that reads them again and again.
// It returns the sum of the bytes, so that the compiler keeps the reads.
func touch(messages [][]byte) (sum byte) {
	const line = 64
	for _, m := range messages {
		for i := 0; i < len(m); i += line {
			sum += m[i]
		}
	}
	return sum
}

// streak measures a case on several sets of values that are new to the process, without a pause
// between them. It detects contenders that remember values only while they are called without a
// pause, which single passes over new values do not show. It returns a zero pace if op cannot
// run on new values. batch runs and times a batch of at most most operations; enough ends the
// tries early.
func (s *session) streak(b *bound, op result.Op, g *collector, most int, batch func(Op, int) (span, error), enough func(pace) bool) (pace, error) {
	if !renewable(b, op) {
		return pace{}, nil
	}
	sets, err := streakLength(b, op)
	if err != nil {
		return pace{}, err
	}
	messages, from := b.messages, b.from
	defer func() {
		if reads(op) {
			b.use(messages, from)
		}
		b.restart(op)
	}()
	least := fastest
	for try := range streakTries {
		if try >= streakQuick {
			time.Sleep(streakPause)
		}
		values, n, err := s.several(sets)
		if err != nil {
			return pace{}, err
		}
		g.between() // before the codec is bound, which brings the new values into the caches
		run, err := s.streaking(b, op, values, n)
		if err != nil {
			if s.loaded.load.Data != "" {
				return pace{}, nil // a contender need not accept a variant of a user's value
			}
			return pace{}, err
		}
		b.mark.beat()
		if reads(op) {
			runtime.KeepAlive(touch(b.messages))
		}
		size := min(n, most)
		for done := 0; done+size <= n; done += size {
			t, err := batch(run, size)
			if err != nil {
				return pace{}, err
			}
			least = least.or(t, size)
		}
		if enough(least) {
			break
		}
	}
	return least, nil
}

// hindsight checks, after a case was timed on known values, that new values do not take much
// longer. A contender that remembers values only in timed batches did not show this at
// calibration.
func (s *session) hindsight(c *runningCase, g *collector) error {
	if c.Role != "" || c.renewed != nil || len(c.series.Wall) == 0 {
		return nil
	}
	known := fastest
	for i, wall := range c.series.Wall {
		t := span{wall: wall}
		if hasThreadCPU {
			t.cpu = c.series.CPU[i]
		}
		known = known.or(t, c.N)
	}
	if err := s.loaded.mark.set(c.Subject, c.Op); err != nil {
		return err
	}
	start := time.Now()
	defer func() { s.checking += time.Since(start) }()
	// The batches are as long as the timed ones: on a busy machine, the least wall time is the
	// time of a batch without an interruption, and every longer batch may be interrupted.
	fresh, err := s.streak(c.bound, c.Op, g, c.N, func(run Op, n int) (span, error) {
		_, t, err := s.stretch(c, s.guard.reader.read(), run, n)
		return t, err
	}, func(p pace) bool { return !p.remembers(c.Op, known, hindsightTimes) })
	if err != nil {
		return failed(c.Subject, c.Op, err)
	}
	if !fresh.remembers(c.Op, known, hindsightTimes) {
		return nil
	}
	return wrongly(c.Subject, c.Op, fmt.Errorf(
		"an operation takes %v in timed batches and %v on values that are new: it remembers those that it has seen, and did not show it before",
		time.Duration(known.best), time.Duration(fresh.best)))
}

// streakLength returns how many sets of values a streak has.
func streakLength(b *bound, op result.Op) (int, error) {
	size := 0
	for _, m := range b.messages {
		size += len(m)
	}
	if op == result.Encode {
		b.restart(op)
		sum, err := b.run(op, b.inputs)
		if err != nil {
			return 0, err
		}
		size = int(sum)
	}
	return min(max(streakBytes/max(size, 1), 2), streakSets), nil
}

// several returns sets sets of other values in one slice, and the number of values.
func (s *session) several(sets int) (any, int, error) {
	all := reflect.MakeSlice(reflect.TypeOf(s.loaded.slice), 0, 0)
	for range sets {
		values, _, err := s.loaded.others()
		if err != nil {
			return nil, 0, err
		}
		all = reflect.AppendSlice(all, reflect.ValueOf(values))
	}
	return all.Interface(), all.Len(), nil
}

// streaking returns the case's op, bound to n values.
func (s *session) streaking(b *bound, op result.Op, values any, n int) (Op, error) {
	if reads(op) {
		messages, err := s.messagesOf(b.from, values, n)
		if err != nil {
			return nil, err
		}
		b.use(messages, b.from)
		b.codec.Seek(0)
		return b.codec.op(op), nil
	}
	binding, err := s.binding(b.Subject)
	if err != nil {
		return nil, err
	}
	codec, err := binding.New(values)
	if err != nil {
		return nil, err
	}
	codec.Seek(0)
	return codec.op(op), nil
}
