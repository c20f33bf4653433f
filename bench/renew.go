package bench

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"assay/result"
	"assay/workload"
)

// A renewal makes the batches of a case run on values that are new to the process.
type renewal struct {
	bound *bound
	op    result.Op
	seed  uint64   // number of the first set of values
	place exchange // for op convert
	// clocks is the time that reading the clocks adds to a pass.
	clocks span
	// messages and from are the case's own messages and their writer.
	messages [][]byte
	from     result.Subject
}

// renewing prepares a case for batches on new values, which no other process has had.
func (s *session) renewing(b *bound, op result.Op) (*renewal, error) {
	if !renewable(b, op) {
		return nil, errors.New("fresh: it cannot be run on values that are new to the process")
	}
	return &renewal{
		bound: b, op: op, seed: rand.Uint64() >> 32, place: s.loaded.exchange(),
		clocks: clockCost(), messages: b.messages, from: b.from,
	}, nil
}

// clockCost returns the least times of an empty batch.
func clockCost() span {
	least := span{wall: math.MaxInt64, cpu: math.MaxInt64}
	for range 64 {
		_, t, _ := timed(func(int) (uint64, error) { return 0, nil }, 0)
		least.wall, least.cpu = min(least.wall, t.wall), min(least.cpu, t.cpu)
	}
	return least
}

// freshBatch runs and times a batch of a case in passes over its inputs, each with new content.
// Right before each timed pass, an untimed pass over the known content restores code and branch
// predictors to the state that other cases' batches have.
func (s *session) freshBatch(c *runningCase, g *collector) (total span, err error) {
	r := c.renewed
	for done := 0; done < c.N; {
		n := min(c.bound.inputs, c.N-done)
		done += n
		t, err := s.freshPass(c, g, n)
		if err != nil {
			return span{}, err
		}
		total.wall += max(1, t.wall-r.clocks.wall)
		total.cpu += max(0, t.cpu-r.clocks.cpu)
		total.others += t.others
		total.waits += t.waits
	}
	return total, c.checker.batch(1) // leaves a result on a known value for the checks between batches
}

// freshPass runs and times n operations on new content, and restores the known content.
func (s *session) freshPass(c *runningCase, g *collector, n int) (t span, err error) {
	r, b := c.renewed, c.bound
	set := r.seed + s.loaded.renewals
	s.loaded.renewals++
	values, err := s.loaded.source(set)
	if err != nil {
		return span{}, err
	}
	fresh, err := models(values, b.inputs)
	if err != nil {
		return span{}, err
	}
	var messages [][]byte
	if reads(c.Op) {
		if messages, err = s.messagesOf(r.from, values, b.inputs); err != nil {
			return span{}, err
		}
	}
	g.between()
	b.restart(c.Op)
	if err := c.checker.batch(b.inputs); err != nil {
		return span{}, err
	}
	if err := r.put(messages, values, fresh); err != nil {
		return span{}, err
	}
	before := s.guard.reader.read()
	b.restart(c.Op)
	b.seek(c.Op)
	sum, t, err := s.stretch(c, before, b.codec.op(c.Op), n)
	if err == nil {
		err = s.freshly(c, fresh, n, sum)
	}
	err = errors.Join(err, r.undo(s.loaded.models))
	b.restart(c.Op)
	return t, err
}

// put gives the codec new content.
func (r *renewal) put(messages [][]byte, values any, fresh []workload.Model) error {
	switch {
	case reads(r.op):
		r.bound.use(messages, r.from)
	case r.op == result.Convert:
		r.place.put(values)
	default:
		return r.bound.fill(fresh)
	}
	return nil
}

// undo gives the codec its own content back.
func (r *renewal) undo(models []workload.Model) error {
	switch {
	case reads(r.op):
		r.bound.use(r.messages, r.from)
	case r.op == result.Convert:
		r.place.undo()
	default:
		return r.bound.fill(models)
	}
	return nil
}

// freshly checks the last result of n operations on new content and their sum. It checks the
// result as often as other batches are checked.
func (s *session) freshly(c *runningCase, fresh []workload.Model, n int, sum uint64) error {
	if !sized(c.Op) && sum != uint64(n) {
		return fmt.Errorf("%d operations on new values returned the sum %d", n, sum)
	}
	if rand.IntN(spotEvery) != 0 {
		return nil
	}
	start := time.Now()
	defer func() { s.checking += time.Since(start) }()
	err := s.rightOf(c.bound, c.Op, fresh[n-1])
	if c.Op == result.Scan && err == nil {
		err = s.rightSum(c.bound, fresh[:n], sum)
	}
	if err == nil && sized(c.Op) && !c.bound.mayVary {
		c.bound.restart(c.Op)
		again, failed := c.bound.run(c.Op, n)
		if err = failed; err == nil && again != sum {
			err = fmt.Errorf("%d operations on new values returned the sum %d, and once more %d", n, sum, again)
		}
	}
	if err != nil {
		return wrongly(c.Subject, c.Op, fmt.Errorf("seen between timed batches, of values that are new: %w", err))
	}
	return nil
}

// rightOf checks that the last result of op is the right result for want, a value that need not
// be one of the inputs.
func (s *session) rightOf(b *bound, op result.Op, want workload.Model) error {
	got := any(nil)
	switch op {
	case result.Decode:
		got = b.codec.Decoded()
	case result.Convert:
		got = b.codec.Converted()
	case result.Open, result.Scan:
		return nil // there is no value
	case result.Encode:
		r, err := s.reader(b.Subject)
		if err != nil || r == nil {
			return err
		}
		if got, err = r.readBack(b.codec.Encoded()); err != nil {
			return err
		}
	}
	return s.same(b, want, got)
}

// rightSum checks the sum of a scan of the codec's messages, which hold the values want. A loss
// may change a leaf, so the sum may also be the sum of the leaves that the contender decodes
// from the messages.
func (s *session) rightSum(b *bound, want []workload.Model, got uint64) error {
	var sum uint64
	for _, m := range want {
		sum += m.LeafSum()
	}
	r, err := s.reader(b.Subject)
	if sum == got || r == nil || err != nil {
		return err
	}
	var decoded uint64
	for _, message := range b.messages[:len(want)] {
		value, err := r.readBack(message)
		if err != nil {
			return err
		}
		m, ok := value.(workload.Model)
		if !ok {
			return nil
		}
		decoded += m.LeafSum()
	}
	if decoded != got {
		return fmt.Errorf("the leaves add up to %d, want %d", got, sum)
	}
	return nil
}
