package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"assay/result"
)

// A runningCase is a case while its rounds run.
type runningCase struct {
	CaseSpec
	*checker
	series  result.Series
	renewed *renewal // nil unless CaseSpec.Fresh is set
	batches int
}

// rounds runs rounds of batches and returns every sample of the kept rounds.
func (s *session) rounds(r Rounds) (*Measured, error) {
	if _, err := s.need(); err != nil {
		return nil, err
	}
	if err := r.validate(); err != nil {
		return nil, err
	}
	turns := r.Relay.turns(r.Seed)
	defer turns.close()
	if err := turns.await(); err != nil {
		return nil, err
	}
	m, err := s.measure(r, s.enter(r.Garbage), turns)
	if err == nil {
		err = turns.end()
	}
	if err != nil {
		s.leave()
		return nil, err
	}
	return m, nil
}

// A stay is the state of the process that consecutive rounds commands share: the collector, the
// surroundings, and the sums learned so far.
type stay struct {
	*collector
	place surroundings
	sums  map[summed]sums // the sums learned so far
}

// A summed identifies whose sums they are: a bound codec and an op.
type summed struct {
	*bound
	op result.Op
}

// alone reports whether only cases of contender have run in the stay.
func (t *stay) alone(contender string) bool {
	for of := range t.sums {
		if of.Contender != contender {
			return false
		}
	}
	return true
}

// checker returns a checker for batches of a case. It learns the sums of the case if the stay
// does not have them yet, and reports whether it did.
func (t *stay) checker(b *bound, op result.Op) (k *checker, learned bool, err error) {
	of := summed{b, op}
	if want, ok := t.sums[of]; ok {
		return &checker{bound: b, op: op, want: want, between: t.between}, false, nil
	}
	if k, err = newChecker(b, op, t.between); err == nil {
		t.sums[of] = k.want
	}
	return k, true, err
}

// enter begins the stay of a rounds command, or continues the stay of the previous command if
// that was a rounds command with the same garbage. In lock step by commands, each has two rounds: a
// collection and two readings of the surroundings for each would take six times as long as the
// batches. With a shared stay, memory is collected as often as in one command of many rounds.
func (s *session) enter(garbage int64) *stay {
	if s.stay == nil || s.stay.most != limitOf(garbage) {
		s.leave()
		s.stay = &stay{s.takeCollector(garbage), readSurroundings(), map[summed]sums{}}
	}
	return s.stay
}

// leave ends the stay, because a rounds command failed or a command of another kind follows.
func (s *session) leave() {
	if s.stay != nil {
		s.stay.release()
		s.stay = nil
	}
}

// measure runs the rounds of a command in its stay. It begins and ends within a turn of the
// process.
func (s *session) measure(r Rounds, t *stay, turns *turns) (*Measured, error) {
	g := t.collector
	for _, b := range s.loaded.bound {
		clear(b.known) // values may have changed since the last command
	}
	bound, err := s.prepareAll(r.Cases, func(c CaseSpec) int { return r.inputs(c, len(s.loaded.models)) })
	if err != nil {
		return nil, err
	}
	cases, err := s.runningCases(r, bound, t)
	if err != nil {
		return nil, err
	}
	if s.guard == nil {
		s.guard = newGuard()
	}
	if r.Sentinel && s.sentinel == nil {
		s.sentinel = newSentinel()
	}
	g.forced = 0
	m := &Measured{}
	began, checked := s.guard.reader.read(), s.checking
	if m.Sentinel, err = s.run(r, cases, g, turns); err != nil {
		return nil, err
	}
	if err := s.afterwards(r, cases, t, began); err != nil {
		return nil, err
	}
	m.GCs, m.Checks = g.forced, int64(s.checking-checked)
	for i, c := range cases {
		if c.Role == "" {
			c.series.Left = max(0, s.guard.left[c.Subject])
		}
		m.Series = append(m.Series, c.series)
		if c.varying {
			m.Varying = append(m.Varying, i)
		}
	}
	return m, nil
}

// inputs returns to how many of the values a case is bound; 0 means all.
func (r *Rounds) inputs(c CaseSpec, all int) int {
	if !r.Last || r.Unseen { // hindsight needs all of them
		return 0
	}
	every := max(c.Every, 1)
	batches := (r.Warmup+every-1)/every + (r.Rounds+every-1)/every
	if n := c.Bound(batches, all); n < all {
		return n
	}
	return 0
}

// runningCases makes the running cases and learns their sums.
func (s *session) runningCases(r Rounds, bound []*bound, t *stay) ([]*runningCase, error) {
	cases := make([]*runningCase, len(r.Cases))
	for i, spec := range r.Cases {
		if err := s.loaded.mark.set(spec.Subject, spec.Op); err != nil {
			return nil, err
		}
		spec.Every = max(spec.Every, 1)
		k, learned, err := t.checker(bound[i], spec.Op)
		if err != nil {
			return nil, failed(spec.Subject, spec.Op, err)
		}
		if learned && spec.Role != result.Floor && sized(spec.Op) {
			s.hold(k.bound, spec.Op, false) // a codec that skips its work returns this spoiled result
		}
		cases[i] = newRunningCase(spec, k, r.Rounds)
		if spec.Fresh {
			if cases[i].renewed, err = s.renewing(k.bound, spec.Op); err != nil {
				return nil, failed(spec.Subject, spec.Op, err)
			}
		}
	}
	return cases, nil
}

// afterwards runs the checks after the rounds, for effects that single batches do not show:
// values that cases remember, goroutines that still work, and changes of the surroundings.
func (s *session) afterwards(r Rounds, cases []*runningCase, t *stay, began state) error {
	if r.Unseen {
		for _, c := range cases {
			if err := s.hindsight(c, t.collector); err != nil {
				return err
			}
		}
	}
	if who, fault := s.guard.leftovers(began); fault != "" {
		return wrongly(who, r.Cases[0].Op, errors.New(fault))
	}
	return s.settle(r.Cases[0], t)
}

// validate reports an argument that is out of range.
func (r *Rounds) validate() error {
	if len(r.Cases) == 0 {
		return errors.New("no cases")
	}
	for _, c := range r.Cases {
		if c.N < 1 || c.N > maxCount {
			return fmt.Errorf("%s %s: n is %d, want 1 to %d: calibrate says how many", c.Subject, c.Op, c.N, maxCount)
		}
		if c.Every < 0 || c.Every > maxCount {
			return fmt.Errorf("%s %s: every is %d, want 0 to %d", c.Subject, c.Op, c.Every, maxCount)
		}
	}
	switch {
	case r.Rounds < 1 || r.Rounds > maxCount:
		return fmt.Errorf("rounds is %d, want 1 to %d", r.Rounds, maxCount)
	case r.Warmup < 0 || r.Warmup > maxCount:
		return fmt.Errorf("warmup is %d, want 0 to %d", r.Warmup, maxCount)
	case r.Garbage < 0 || r.Garbage > MostGarbage:
		return fmt.Errorf("garbage is %d bytes, want 1 to %d, or 0 for %d", r.Garbage, MostGarbage, GarbageLimit)
	case r.LimitNS < 0:
		return fmt.Errorf("limit_ns is %d, want at least 1, or 0 for no limit", r.LimitNS)
	case r.Relay != nil && (r.Sentinel || r.LimitNS > 0):
		return errors.New("relay: its processes take the same turns, so that there is no limit_ns and no sentinel")
	case r.Relay != nil:
		return r.Relay.validate()
	}
	return nil
}

// newRunningCase allocates room for the samples beforehand: a slice that grows makes garbage,
// and the samples of one case would influence when a collection comes in another case.
func newRunningCase(spec CaseSpec, k *checker, rounds int) *runningCase {
	room := min((rounds-1)/spec.Every+1, 1<<12)
	c := &runningCase{CaseSpec: spec, checker: k}
	c.series = result.Series{
		Subject: spec.Subject,
		Role:    spec.Role,
		N:       spec.N,
		Fresh:   spec.Fresh,
		Round:   make([]int, 0, room),
		Wall:    make([]int64, 0, room),
	}
	if hasThreadCPU {
		c.series.CPU = make([]int64, 0, room)
	}
	return c
}

// run runs the warm-up and then the kept rounds. Both are numbered from 0, so every case takes
// part in the first round of each. The sentinel has a place in the order like one more case;
// run returns the times of its walks. Each batch has a turn of its own. The work after the
// batches also has a turn, which continues when run returns.
func (s *session) run(r Rounds, cases []*runningCase, g *collector, turns *turns) (walks []int64, err error) {
	if err := turns.pass(); err != nil {
		return nil, err
	}
	places := len(cases)
	if r.Sentinel {
		places++
		walks = make([]int64, 0, min(r.Rounds, 1<<12))
	}
	start := time.Now()
	spots := &spots{session: s, start: start}
	random := rand.New(rand.NewPCG(r.Seed, 0))
	for _, phase := range []struct {
		rounds int
		keep   bool
	}{{r.Warmup, false}, {r.Rounds, true}} {
		var order []int
		for round := range phase.rounds {
			over := r.LimitNS > 0 && int64(time.Since(start)) >= r.LimitNS
			if over && !(phase.keep && round == 0) {
				break
			}
			// With a round and its reverse, every case comes as often before as after every
			// other case.
			if round%2 == 0 {
				order = random.Perm(places)
			} else {
				slices.Reverse(order)
			}
			for _, i := range order {
				if i == len(cases) {
					if round%sentinelEvery == 0 {
						if t := s.sentinel.watch(); phase.keep {
							walks = append(walks, t)
						}
					}
					continue
				}
				c := cases[i]
				if round%c.Every != 0 {
					continue
				}
				if err := turns.await(); err != nil {
					return nil, err
				}
				t, err := s.batch(c, g)
				var w *wrong
				if errors.As(err, &w) {
					return nil, err
				}
				if err != nil {
					if in := spots.inputs(c.Op); in != nil {
						return nil, in
					}
					return nil, failed(c.Subject, c.Op, err)
				}
				if phase.keep {
					c.keep(round, t)
				}
				if err := spots.batch(c); err != nil {
					return nil, err
				}
				if err := turns.pass(); err != nil {
					return nil, err
				}
			}
		}
	}
	if err := turns.await(); err != nil {
		return nil, err
	}
	return walks, spots.end(cases, r.Last || r.Relay != nil)
}

// keep adds a sample to the series.
func (c *runningCase) keep(round int, t span) {
	c.series.Round = append(c.series.Round, round)
	c.series.Wall = append(c.series.Wall, t.wall)
	c.series.Others += t.others
	c.series.Waits += t.waits
	if hasThreadCPU {
		c.series.CPU = append(c.series.CPU, t.cpu)
	}
}

// batch runs, times and checks one batch of a case.
func (s *session) batch(c *runningCase, g *collector) (span, error) {
	if err := s.loaded.mark.set(c.Subject, c.Op); err != nil {
		return span{}, err
	}
	if c.renewed != nil {
		return s.freshBatch(c, g)
	}
	g.between()
	before := s.guard.reader.read()
	if err := c.warm(c.N); err != nil {
		return span{}, err
	}
	start := c.bound.seek(c.Op)
	sum, t, err := s.stretch(c, before, c.bound.codec.op(c.Op), c.N)
	if err != nil {
		return span{}, err
	}
	return t, c.check(start, c.N, sum)
}

// stretch runs and times n operations of a case from the codec's current position. before is
// the state of the process before the operations, which must be the same afterwards.
func (s *session) stretch(c *runningCase, before state, run Op, n int) (uint64, span, error) {
	// This lock is in addition to the lock of Serve: if the contender unlocks the thread once,
	// other contenders are still timed on their thread.
	runtime.LockOSThread()
	thread := threadID()
	process, waited := int64(0), waits()
	if hasProcessCPU {
		process = processCPU()
	}
	sum, t, err := timed(run, n)
	if hasProcessCPU {
		t.others = max(0, processCPU()-process-t.cpu)
	}
	t.waits = waits() - waited
	moved := threadID() != thread
	runtime.UnlockOSThread()
	if moved {
		return 0, span{}, wrongly(c.Subject, c.Op, errors.New("it lets go of the thread whose CPU time is read, by runtime.UnlockOSThread"))
	}
	if err != nil {
		return 0, span{}, err
	}
	if fault := s.guard.check(c.Subject, before, s.guard.reader.read()); fault != "" {
		return 0, span{}, s.disturbed(c, fault)
	}
	c.bound.advance(c.Op, n)
	return sum, t, nil
}

// disturbed charges a fault that was seen in a batch to the contender of the case, if no other
// contender has run in this process. Otherwise, a timer or a goroutine of another contender may
// be the cause, so disturbed blanks the mark and the parent tries each contender alone.
func (s *session) disturbed(c *runningCase, fault string) error {
	for other := range s.loaded.bound {
		if other.Contender != c.Contender {
			if err := s.loaded.mark.blank(); err != nil {
				return err
			}
			return fmt.Errorf("in a batch of %s %s, which of the contenders does it is not known: %s", c.Subject, c.Op, fault)
		}
	}
	return wrongly(c.Subject, c.Op, errors.New(fault))
}
