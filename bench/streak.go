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
	// streakSets is how many sets of new values a streak has at most, and streakTries how
	// many streaks there are at most, of which the least time counts. From streakQuick tries
	// on there is a pause of streakPause before each: what disturbs the machine may pass.
	streakSets  = 16
	streakTries = 20
	streakQuick = 4
	streakPause = 20 * time.Millisecond
	// streakBytes is how many bytes of messages a streak has at most, unless two sets have
	// more: what does not fit into the caches is slower without anybody's remembering. It is
	// half of the smallest second-level cache that servers have today.
	streakBytes = 256 << 10
	// streakTimes is how many times as long an operation on new values must take as one of
	// a batch on known values, and streakLeast how many nanoseconds longer besides, for the
	// case to be one that remembers them. Messages that are new come from a farther cache,
	// and where that is shared with other machines from memory, which takes 70 ns a line:
	// inPlaceLeast is for ops that do little more than to find a value in its message.
	streakTimes  = 2
	streakLeast  = 25
	inPlaceLeast = 200
	// hindsightTimes is how many times as much longer it must take for the case to have no
	// number.
	hindsightTimes = 1.5
)

// A pace is how long an operation takes at least, in nanoseconds: by the clock that other
// programs disturb least, and by the wall clock, which also counts work on other threads.
type pace struct{ best, wall float64 }

// fastest is before anything was timed.
var fastest = pace{math.Inf(1), math.Inf(1)}

// or returns the less of two paces, the other one that of a batch of n.
func (p pace) or(t span, n int) pace {
	return pace{min(p.best, float64(t.best())/float64(n)), min(p.wall, float64(t.wall)/float64(n))}
}

// remembers reports whether op on new values takes so much longer than in a batch on known
// values, by both clocks, the latter taken so many times.
func (p pace) remembers(op result.Op, batch pace, times float64) bool {
	more := longer(op)
	return p.best > streakTimes*times*batch.best+more && p.wall > streakTimes*times*batch.wall+more
}

// longer is how many nanoseconds op may take longer on new values, besides so many times as
// long, without being one that remembers them.
func longer(op result.Op) float64 {
	if op == result.Open || op == result.Scan {
		return inPlaceLeast
	}
	return streakLeast
}

// touch reads a byte of each line of the messages, which are then in the nearest cache that
// holds them all, like those of a batch that goes over its messages again and again. It
// returns their sum, so that they are read.
func touch(messages [][]byte) (sum byte) {
	const line = 64
	for _, m := range messages {
		for i := 0; i < len(m); i += line {
			sum += m[i]
		}
	}
	return sum
}

// streak measures a case on values that are new to the process without a pause, as long as
// some sets of them; the pace is zero where that cannot be. Whoever remembers values only
// while it is called without a pause does not show it in single passes over new values.
// Batch runs and times a batch, of most operations at the most; enough ends the tries early.
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
		g.between() // before the values of the case are made, which leaves them in the caches
		run, err := s.streaking(b, op, values, n)
		if err != nil {
			if s.loaded.load.Data != "" {
				return pace{}, nil // a variant need not be a value that it takes
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

// hindsight checks, when a case was timed on known values, that new ones do not take much
// longer: whoever remembers values in timed batches only did not show it when it was
// calibrated.
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
	// The batches are as long as the timed ones: on a busy machine the least time of work on
	// other threads is that of a batch without an interruption, and longer ones have none.
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

// several returns some sets of other values in one slice, and how many values there are.
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

// streaking returns op of the case, over n values.
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
