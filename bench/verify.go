package bench

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay/result"
	"assay/workload"
)

// A verification is the state of one verify command.
type verification struct {
	*session
	who     result.Subject
	forgive map[string]bool
	losses  map[string]bool
	long    bool // see Verify.Long
	visit   *visit
	// decoded are the leaf sums of the decoded values, if decode was verified.
	decoded []uint64
	// encoded is the total size in bytes of the messages that the subject wrote.
	encoded int64
	// blind says that verification cannot inspect whether a decoded value has every field in
	// memory.
	blind bool
}

// verify runs a subject's ops over the inputs and compares their results. It reports a
// contender's error in the Verified, and returns an error if the command cannot be carried out.
func (s *session) verify(c Verify) (*Verified, error) {
	if _, err := s.need(); err != nil {
		return nil, err
	}
	b, err := s.binding(c.Subject)
	if err != nil {
		return nil, err
	}
	v := &verification{session: s, who: c.Subject, forgive: set(c.Losses), losses: map[string]bool{}, long: c.Long}
	var at result.Op
	visit := beginVisit()
	v.visit, visit.long = visit, c.Long
	switch {
	case len(c.Messages) > 0 && c.From != nil:
		return nil, errors.New("from and messages are two answers to one question: leave one out")
	case c.First:
		if err := s.handing(c); err != nil {
			return nil, err
		}
		at, err = result.Decode, v.handed(c.Messages)
	case len(c.Messages) > 0:
		if err := s.fitting(c.Subject, c.Messages); err != nil {
			return nil, err
		}
		at, err = result.Decode, v.outside(c.Messages)
	case c.From != nil:
		if !s.offers(c.Subject, result.Decode) {
			return nil, fmt.Errorf("%s offers no decode", c.Subject)
		}
		if !s.offers(s.partner(*c.From, result.Encode), result.Encode) {
			return nil, fmt.Errorf("from: %s offers no encode for this workload", c.From)
		}
		at, err = result.Decode, v.foreign(*c.From)
	default:
		at, err = v.ops(b.Ops)
	}
	if errors.Is(err, errMark) {
		return nil, err
	}
	fault, traces := visit.end()
	if err == nil && fault != "" {
		at, err = "", errors.New(fault)
	}
	// Whatever else is wrong, the next contenders need the right inputs.
	if !s.intact() {
		at, err = "", errors.New(s.change())
	}
	if v.blind {
		traces = append(traces, "it cannot be seen whether its decoded values have every field in memory")
	}
	out := &Verified{OK: err == nil, Traces: traces}
	if c.Sizes && out.OK {
		out.Encoded = v.encoded
	}
	if err != nil {
		out.Op, out.Reason = at, err.Error()
		var c *changed
		var other *elsewhere
		if out.Changed = errors.As(err, &c); errors.As(err, &other) {
			out.Op = other.op
		}
	}
	if c.Habits && c.From == nil {
		out.Habits = s.habits(c.Subject)
	}
	for l := range v.losses {
		out.Losses = append(out.Losses, l)
	}
	slices.Sort(out.Losses)
	return out, nil
}

// A changed describes how a result differs from its input.
type changed struct{ diff string }

func (c *changed) Error() string { return c.diff }

// ops verifies each op in the order of result.Ops and returns the op that failed.
func (v *verification) ops(ops []result.Op) (result.Op, error) {
	for _, op := range result.Ops {
		if !slices.Contains(ops, op) {
			continue
		}
		c, err := v.prepare(v.who, op)
		if err != nil {
			return op, err
		}
		switch op {
		case result.Encode:
			err = v.encode(c)
		case result.Decode:
			err = v.decode(c)
		case result.Open:
			err = v.each(c, op, func(i int, sum uint64) error { return counted(sum, 1) })
		case result.Scan:
			err = v.scan(c)
		case result.Convert:
			err = v.each(c, op, func(i int, sum uint64) error {
				return v.value(i, sum, c.codec.Converted())
			})
		case result.Compress:
			err = v.each(c, op, func(i int, sum uint64) error { return length(sum, c.codec.Compressed()) })
		case result.Decompress:
			err = v.decompress(c)
		}
		if err == nil {
			err = v.beyond(c, op)
		}
		if err != nil {
			return op, err
		}
	}
	return "", nil
}

// stretchFor is a time limit: if the inputs one by one took at most this long, each runs all of
// them again without a pause. A slower op is repeated on the first two inputs only, which is
// enough to show that it advances from one input to the next.
const stretchFor = time.Second

// each runs op over the inputs one by one and calls look for each result. Then it runs op over
// all inputs in one call, as in a timed batch.
func (v *verification) each(c *bound, op result.Op, look func(i int, sum uint64) error) error {
	c.restart(op)
	start := time.Now()
	want := sums{before: make([]uint64, c.inputs+1)}
	for i := range c.inputs {
		sum, err := c.run(op, 1)
		if err == nil {
			err = look(i, sum)
		}
		if err != nil {
			return input(i, fmt.Errorf("%s: %w", op, err))
		}
		want.before[i+1] = want.before[i] + sum
	}
	if c.inputs == 1 {
		return nil
	}
	n := c.inputs
	if time.Since(start) > stretchFor {
		n = 2
	}
	if !sized(op) {
		want = sums{} // the sum is the number of operations
	}
	check := checker{bound: c, op: op, want: want, between: func() {}}
	c.restart(op)
	sum, err := c.run(op, n)
	if err == nil {
		err = check.check(0, n, sum)
	}
	if err != nil {
		return fmt.Errorf("%s of %d inputs in turn: %w", op, n, err)
	}
	return nil
}

// counted checks the sum of an op that returns the number of operations.
func counted(sum uint64, n int) error {
	if sum != uint64(n) {
		return fmt.Errorf("%d operations returned the sum %d, want %d", n, sum, n)
	}
	return nil
}

// encode checks that the sums are sizes. If the mode itself does not decode, encode also checks
// that the contender's default mode decodes the messages.
func (v *verification) encode(c *bound) error {
	err := v.each(c, result.Encode, func(i int, sum uint64) error {
		v.encoded += int64(len(c.codec.Encoded()))
		return length(sum, c.codec.Encoded())
	})
	reader := v.partner(v.who, result.Decode)
	if err != nil || reader == v.who || !v.offers(reader, result.Decode) {
		return err
	}
	return v.read(reader, v.who)
}

// length checks that a sum is the size of the result of one operation.
func length(sum uint64, b []byte) error {
	if sum != uint64(len(b)) {
		return fmt.Errorf("the sum is %d and there are %d bytes", sum, len(b))
	}
	return nil
}

// decompress checks that decompressing every message restores the original.
func (v *verification) decompress(c *bound) error {
	return v.each(c, result.Decompress, func(i int, sum uint64) error {
		got := c.codec.Decompressed()
		if !bytes.Equal(got, c.codec.Plain(i)) {
			return fmt.Errorf("%d bytes came back that are not the %d that were compressed", len(got), len(c.codec.Plain(i)))
		}
		return length(sum, got)
	})
}

// foreign checks that the subject decodes the messages that from wrote.
func (v *verification) foreign(from result.Subject) error {
	return v.read(v.who, v.partner(from, result.Encode))
}

// read checks that reader decodes the messages that writer wrote.
func (v *verification) read(reader, writer result.Subject) error {
	messages, err := v.messages(writer)
	if err != nil {
		return err
	}
	c, err := v.bind(seat{Subject: reader}, result.Decode)
	if err != nil {
		return err
	}
	c.use(messages, writer)
	if err := v.decode(c); err != nil {
		return &elsewhere{fmt.Errorf("bytes of %s read by %s: %w", writer, reader, err), result.Decode}
	}
	return nil
}

// decode checks that every message decodes to its input.
func (v *verification) decode(c *bound) error {
	var sums []uint64
	err := v.each(c, result.Decode, func(i int, sum uint64) error {
		var whole *memory // read before Decoded, which may complete the value
		if i < deferredInputs {
			whole = remembered(c)
			v.blind = v.blind || whole == nil || whole.opaque
		}
		got := c.codec.Decoded()
		if err := v.value(i, sum, got); err != nil {
			return err
		}
		if err := deferred(c, whole); err != nil {
			return err
		}
		if m, ok := got.(workload.Model); ok {
			sums = append(sums, m.LeafSum())
		}
		return nil
	})
	if err != nil {
		return err
	}
	v.decoded = sums
	last := (c.next[result.Decode] + c.inputs - 1) % c.inputs
	if err := v.compare(last, c.codec.Decoded()); err != nil {
		return input(last, fmt.Errorf("decode of inputs in turn: %w", err))
	}
	return nil
}

// scan checks that the sum of the leaves is that of the input. Since a forgiven loss may change
// a leaf, it also accepts the sum of the decoded value, which was verified.
func (v *verification) scan(c *bound) error {
	return v.each(c, result.Scan, func(i int, sum uint64) error {
		want := v.loaded.models[i].LeafSum()
		if sum == want || i < len(v.decoded) && sum == v.decoded[i] {
			return nil
		}
		return &changed{fmt.Sprintf("the leaves add up to %d, want %d", sum, want)}
	})
}

// value checks the sum and the value of one operation on input i.
func (v *verification) value(i int, sum uint64, got any) error {
	if err := counted(sum, 1); err != nil {
		return err
	}
	return v.compare(i, got)
}

// compare reports how a result differs from input i, except for forgiven losses.
func (v *verification) compare(i int, got any) error {
	defer v.loaded.mark.meanwhile()()
	diff, suffered := workload.Diff(v.loaded.models[i], got, v.forgive)
	if diff != "" {
		return &changed{diff}
	}
	for _, l := range suffered {
		v.losses[l] = true
	}
	return nil
}
