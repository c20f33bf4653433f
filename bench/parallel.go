package bench

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxGoroutines is the largest number of goroutines of one command, each with its own
	// codec.
	maxGoroutines = 1024
	// barrierSpins is how often a goroutine checks whether all others have arrived before it
	// yields: about 0.1 ms. A goroutine that yields at once may share the processor of another
	// goroutine when the barrier opens.
	barrierSpins = 1 << 16
)

// parallel times rounds of batches that run on several goroutines at once.
func (s *session) parallel(p Parallel) (*Paralleled, error) {
	if _, err := s.need(); err != nil {
		return nil, err
	}
	if err := p.validate(); err != nil {
		return nil, err
	}
	g := s.takeCollector(0)
	defer g.release()
	w := beginWatch()
	team, err := s.team(p, g)
	if err != nil {
		return nil, err
	}
	if err := s.loaded.mark.set(p.Subject, p.Op); err != nil {
		return nil, err
	}
	g.forced = 0
	out := &Paralleled{Wall: make([]int64, 0, min(p.Rounds, 1<<12))}
	for round := range p.Warmup + p.Rounds {
		g.between()
		s.loaded.mark.beat()
		t, err := together(team, p.N)
		if err != nil {
			return nil, failed(p.Subject, p.Op, err)
		}
		if round < p.Warmup {
			continue
		}
		out.Wall = append(out.Wall, t.wall)
		if hasThreadCPU {
			out.CPU = append(out.CPU, t.cpu)
		}
	}
	for i, k := range team {
		if err := s.settled(k.bound, p.Op, fmt.Sprintf("work on several goroutines, by number %d", i), w, (p.Warmup+p.Rounds)*p.N, p.N); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// validate reports an argument that is out of range.
func (p *Parallel) validate() error {
	switch {
	case p.Goroutines < 1 || p.Goroutines > maxGoroutines:
		return fmt.Errorf("goroutines is %d, want 1 to %d", p.Goroutines, maxGoroutines)
	case p.N < 1 || p.N > maxCount:
		return fmt.Errorf("n is %d, want 1 to %d: calibrate says how many", p.N, maxCount)
	case p.Warmup < 0 || p.Warmup > maxCount:
		return fmt.Errorf("warmup is %d, want 0 to %d", p.Warmup, maxCount)
	case p.Rounds < 1 || p.Rounds > maxCount:
		return fmt.Errorf("rounds is %d, want 1 to %d", p.Rounds, maxCount)
	}
	return nil
}

// team binds a codec for each goroutine, with its own messages: a decoder that writes into the
// message that it reads must not write into another decoder's message. The first codec
// determines the expected sums.
func (s *session) team(p Parallel, g *collector) ([]*checker, error) {
	var messages [][]byte
	writes := written(p.Op)
	writer := s.partner(p.Subject, writes)
	team := make([]*checker, p.Goroutines)
	for i := range team {
		c, err := s.attach(p.Subject, p.Op)
		if err != nil {
			return nil, err
		}
		c.mark = nil // codecs of a team work at the same time
		if reads(p.Op) {
			if messages == nil {
				if messages, err = s.outputs(writer, writes, 0); err != nil {
					return nil, err
				}
			}
			own := make([][]byte, len(messages))
			for k, m := range messages {
				own[k] = slices.Clone(m)
			}
			if err := s.loaded.mark.set(p.Subject, p.Op); err != nil {
				return nil, err
			}
			c.use(own, writer)
		}
		// Codecs of a team check at the same time, so none may force a collection.
		team[i] = &checker{bound: c, op: p.Op, between: func() {}}
		if i == 0 {
			if team[0].want, err = measureSums(c, p.Op, g.between); err != nil {
				return nil, failed(p.Subject, p.Op, err)
			}
			continue
		}
		team[i].want = team[0].want
	}
	return team, nil
}

// A turn describes the batch of one goroutine in a round: its begin and end since a common
// origin, and its CPU time in nanoseconds.
type turn struct {
	begin, end time.Duration
	cpu        int64
	err        error
}

// together makes every checker of the team run a batch of n on its own goroutine. It returns
// the wall time from the first begin to the last end, and the CPU time of all batches.
func together(team []*checker, n int) (span, error) {
	origin := time.Now()
	turns := make([]turn, len(team))
	spins := barrierSpins
	if len(team) > runtime.GOMAXPROCS(0) {
		spins = 0 // some goroutines have no processor until others yield
	}
	var ready atomic.Int64
	var done sync.WaitGroup
	for i, k := range team {
		done.Go(func() {
			runtime.LockOSThread() // for the thread's CPU clock
			defer runtime.UnlockOSThread()
			t := turn{err: k.warm(n)}
			ready.Add(1)
			for spun := 0; ready.Load() < int64(len(team)); spun++ {
				if spun >= spins {
					runtime.Gosched()
				}
			}
			if t.err == nil {
				t = k.turn(origin, n)
			}
			turns[i] = t
		})
	}
	done.Wait()
	begin, end, cpu := turns[0].begin, turns[0].end, int64(0)
	for _, t := range turns {
		if t.err != nil {
			return span{}, t.err
		}
		begin, end, cpu = min(begin, t.begin), max(end, t.end), cpu+t.cpu
	}
	return span{wall: int64(end - begin), cpu: cpu}, nil
}

// turn runs, times and checks one batch.
func (k *checker) turn(origin time.Time, n int) (t turn) {
	start := k.bound.seek(k.op)
	f := k.bound.codec.op(k.op)
	cpu := threadCPU()
	t.begin = time.Since(origin)
	sum, err := f(n)
	t.end = time.Since(origin)
	t.cpu = threadCPU() - cpu
	if t.err = err; err == nil {
		k.bound.advance(k.op, n)
		t.err = k.check(start, n, sum)
	}
	return t
}
