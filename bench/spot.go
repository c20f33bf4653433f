package bench

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"assay/result"
	"assay/workload"
)

// A wrong is the error of a case that returned a wrong result while it was timed.
type wrong struct {
	Wrong
	text string
}

func (w *wrong) Error() string { return w.text }

// wrongly charges a case with an error that was found during a measurement.
func wrongly(who result.Subject, op result.Op, err error) error {
	err = failed(who, op, err)
	return &wrong{Wrong{who, op}, err.Error()}
}

// errInputs reports inputs that one of several contenders changed.
var errInputs = errors.New("the inputs were changed, by which of the contenders is not known")

const (
	// One batch in spotEvery has a spot check, on average.
	spotEvery = 16
	// Spot checks take at most one part in spotShare of the measuring time.
	spotShare = 50
	// spotLeast is how many batches a case must run in a command, or since its last check, for
	// a command that others may follow to end with a check: in lock step, a command has two batches,
	// and a check after each would take longer than they do.
	spotLeast = 8
	// followCost is about how many operations follow needs. mayCost is the share of a command's
	// operations that each of the longer checks at its end may take, on average.
	followCost = 10
	mayCost    = 0.005
)

// spots are the checks of results while cases are timed. They run between batches, after
// batches that a contender cannot predict.
type spots struct {
	*session
	start time.Time
	spent time.Duration
}

// batch may check the last result of the batch that has just ended.
func (p *spots) batch(c *runningCase) error {
	c.batches++
	c.bound.unchecked++
	if rand.IntN(spotEvery) != 0 || p.spent*spotShare > time.Since(p.start) {
		return nil
	}
	start := time.Now()
	err := p.spot(c)
	p.spent += time.Since(start)
	return err
}

// end checks every case that ran batches since its last check, and then the inputs. It runs
// operations that are not timed. If commands may follow, it checks only the cases that ran
// spotLeast batches, in this command or since their last check.
func (p *spots) end(cases []*runningCase, last bool) error {
	start := time.Now()
	defer func() {
		p.spent += time.Since(start)
		p.checking += p.spent
	}()
	least := spotLeast
	if last {
		least = 1
	}
	checked := false
	for _, c := range cases {
		if c.Role == result.Floor || c.batches < least && c.bound.unchecked < least {
			continue
		}
		checked = true
		if c.bound.last != c.Op {
			continue // another op of the same codec ran later
		}
		if err := p.loaded.mark.set(c.Subject, c.Op); err != nil {
			return err
		}
		if c.bound.unchecked > 0 { // after a check, the result is spoiled
			if err := p.spot(c); err != nil {
				return err
			}
		}
		if err := c.bound.spares(); err != nil {
			return p.charge(c, err)
		}
		if c.bound.followed[c.Op] || !c.affords(followCost) {
			continue
		}
		if c.bound.followed == nil {
			c.bound.followed = map[result.Op]bool{}
		}
		c.bound.followed[c.Op] = true
		if err := p.follow(c.bound, c.Op); err != nil {
			return p.charge(c, err)
		}
		if c.affords(everyCost(c.N)) {
			if err := p.every(c.bound, c.Op, c.N); err != nil {
				return p.charge(c, err)
			}
		}
	}
	if !checked {
		return nil
	}
	return p.inputs(cases[0].Op)
}

// affords decides at random whether a check of so many operations runs at the end of a command.
func (c *runningCase) affords(operations int) bool {
	return affordable(float64(c.batches)*float64(c.N), operations)
}

// affordable decides at random whether a check of so many operations runs after done operations.
// The probability makes such checks take the share mayCost of all operations on average.
func affordable(done float64, operations int) bool {
	return rand.Float64() < mayCost*done/float64(operations)
}

// everyCost is about how many operations every needs for a batch of n.
func everyCost(n int) int { return 2*max(n, leastEvery) + 2 }

// spot checks the last result of a case.
func (p *spots) spot(c *runningCase) error {
	if c.Role == result.Floor {
		return nil
	}
	b := c.bound
	b.unchecked = 0
	if err := p.last(b, c.Op); err != nil {
		return p.charge(c, fmt.Errorf("seen between timed batches: %w", err))
	}
	p.hold(b, c.Op, rand.IntN(2) == 0)
	return nil
}

// last checks the result that op returned last.
func (s *session) last(b *bound, op result.Op) error {
	if err := s.stays(b, op); err != nil {
		return err
	}
	i := (b.next[op] + b.inputs - 1) % b.inputs
	return input(i, s.right(b, op, i))
}

// settled runs the checks after the measurement of one case: the state of the process, the last
// result, the messages and the inputs. If it can afford to after done operations, it also checks
// that a batch of n does all of its operations. It charges the case with a fault. where says what
// was measured.
func (s *session) settled(b *bound, op result.Op, where string, w watch, done, n int) error {
	if err := w.charge(b.Subject, op, where); err != nil {
		return err
	}
	err := s.last(b, op)
	if err == nil {
		err = b.spares()
	}
	if err == nil && affordable(float64(done), everyCost(n)) {
		err = s.every(b, op, n)
	}
	if !s.intact() {
		err = errors.New(s.change())
	}
	if err == nil {
		return nil
	}
	return wrongly(b.Subject, op, fmt.Errorf("seen after %s: %w", where, err))
}

// charge charges a case with an error, unless the inputs have changed: then another contender
// may be the cause.
func (p *spots) charge(c *runningCase, err error) error {
	if in := p.inputs(c.Op); in != nil {
		return in
	}
	return wrongly(c.Subject, c.Op, err)
}

// inputs checks that no contender has changed the inputs. If only one contender ran in this
// process, inputs charges it. Otherwise it blanks the mark, so that the parent tries each
// contender alone.
func (p *spots) inputs(op result.Op) error {
	if p.intact() {
		return nil
	}
	var only *bound
	for _, b := range p.loaded.bound {
		if only != nil && only.Contender != b.Contender {
			if err := p.loaded.mark.blank(); err != nil {
				return err
			}
			return errInputs
		}
		only = b
	}
	return wrongly(only.Subject, op, errors.New(p.change()))
}

// change makes the values anew and describes how the old values differ from them.
func (s *session) change() string {
	const text = "the contender changed its inputs"
	old := s.loaded.models
	if err := s.renew(); err != nil {
		return text
	}
	for i := range old {
		if diff, _ := workload.Diff(s.loaded.models[i], old[i], nil); diff != "" {
			return fmt.Sprintf("%s: input %d: %s", text, i, diff)
		}
	}
	return text
}

// right checks that the last result of op is the right result for input i.
func (s *session) right(b *bound, op result.Op, i int) error {
	switch op {
	case result.Encode:
		return s.rightBytes(b, i, b.codec.Encoded())
	case result.Decode:
		return s.rightValue(b, i, b.codec.Decoded())
	case result.Convert:
		return s.rightValue(b, i, b.codec.Converted())
	case result.Decompress:
		if !bytes.Equal(b.codec.Decompressed(), b.codec.Plain(i)) {
			return errors.New("what came back is not what was compressed")
		}
	}
	return nil
}

// rightValue checks that a decoded or converted value equals input i, except for losses that
// the contender is forgiven.
func (s *session) rightValue(b *bound, i int, got any) error {
	return s.same(b, s.loaded.models[i], got)
}

// same checks that a value of a contender equals want, except for losses that the contender is
// forgiven.
func (s *session) same(b *bound, want, got any) error {
	defer s.loaded.mark.meanwhile()()
	if diff, _ := workload.Diff(want, got, s.loaded.forgiven(b.Contender)); diff != "" {
		return errors.New(diff)
	}
	return nil
}

// set returns losses in the form that workload.Diff takes.
func set(losses []string) map[string]bool {
	out := make(map[string]bool, len(losses))
	for _, l := range losses {
		out[l] = true
	}
	return out
}

// forgiven returns the losses of a contender that are forgiven.
func (v *values) forgiven(contender string) map[string]bool {
	if v.load.Losses == nil {
		return workload.Forgivable()
	}
	if v.losses[contender] == nil {
		if v.losses == nil {
			v.losses = map[string]map[string]bool{}
		}
		v.losses[contender] = set(v.load.Losses[contender])
	}
	return v.losses[contender]
}

// rightBytes checks that got is a message of input i, by decoding it. It checks nothing if no
// binding decodes the messages, or if a message cannot be decoded alone.
func (s *session) rightBytes(b *bound, i int, got []byte) error {
	r, err := s.reader(b.Subject)
	if err != nil || r == nil {
		return err
	}
	value, err := r.readBack(got)
	if err != nil {
		return err
	}
	return s.rightValue(b, i, value)
}

// readBack decodes a message that another codec wrote.
func (c *bound) readBack(message []byte) (any, error) {
	c.use([][]byte{slices.Clone(message)}, outsider)
	c.codec.Seek(0)
	if _, err := c.call(result.Decode, 1); err != nil {
		return nil, fmt.Errorf("its bytes are not read back: %w", err)
	}
	return c.codec.Decoded(), nil
}

// readerRole is the role of a codec that decodes the messages of another codec.
const readerRole = "reader"

// reader returns a codec that decodes single messages of a subject, or nil if there is none.
func (s *session) reader(who result.Subject) (*bound, error) {
	reader := s.partner(who, result.Decode)
	if streams(who.Mode) || streams(reader.Mode) || !s.offers(reader, result.Decode) {
		return nil, nil
	}
	r, err := s.bind(seat{reader, readerRole, 1}, result.Decode) // it only decodes, and binding takes long
	if err != nil || r.codec.Placed {
		return nil, err
	}
	return r, nil
}

// streams reports whether messages of a mode can be decoded only after the messages before
// them.
func streams(mode string) bool { return has(mode, "session=stream") }

// has reports whether a mode has an axis=value, such as strings=alias.
func has(mode, axis string) bool { return slices.Contains(strings.Split(mode, ","), axis) }

// keeps reports whether the caller may keep the result of op in a mode.
func keeps(mode string, op result.Op) bool {
	switch op {
	case result.Encode:
		return !has(mode, "output=reuse") && !streams(mode)
	case result.Decode:
		return !has(mode, "target=reuse") && !has(mode, "pool=on")
	}
	return false
}

// A held is a result that belongs to the caller and that later operations must not change.
type held struct {
	op    result.Op
	out   []byte // the message, spoiled
	sum   uint64 // its hash
	value any    // the decoded value, spoiled
	// model is the decoded value, unspoiled, as a value of the model that may share its texts
	// with the contender's value. It is nil if value is held instead.
	model any
	input int
}

// heldSeed is the seed of held.sum.
var heldSeed = maphash.MakeSeed()

// hold keeps the last result and spoils it, since the caller may write to it. If the contender
// returns the result again, or skips its work, it returns spoiled content. If it has a ring of
// values, it writes into the held result. If whole is set, hold keeps a decoded value
// unspoiled: a contender that keeps parts of the value in its own buffer changes them later.
func (s *session) hold(b *bound, op result.Op, whole bool) {
	if !keeps(b.Mode, op) {
		return
	}
	switch op {
	case result.Encode:
		out := b.codec.Encoded()
		for i := range out {
			out[i] ^= 0xff
		}
		b.held = held{op: op, out: out, sum: maphash.Bytes(heldSeed, out)}
	case result.Decode:
		if whole && !b.codec.Placed && !streams(b.Mode) {
			b.held = held{op: op, model: b.codec.Decoded(), input: (b.next[op] + b.inputs - 1) % b.inputs}
			return
		}
		b.held = held{op: op, value: spoil(b.codec, !has(b.Mode, "strings=alias") && !b.codec.Placed)}
	}
}

// spoil clears the value that was decoded last and returns it. If deep is set, it also clears
// everything that the value refers to. It returns nil if the value is not a pointer to a struct
// with fields.
func spoil(c *Codec, deep bool) any {
	if c.Value == nil {
		return nil
	}
	value := c.Value()
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct || v.Elem().NumField() == 0 {
		return nil
	}
	if deep {
		(&spoiler{left: mostSpoiled, seen: map[place]bool{}}).empty(v)
	}
	v.Elem().SetZero()
	return value
}

// stays checks that later operations did not change the held result.
func (s *session) stays(b *bound, op result.Op) error {
	h := b.held
	b.held = held{}
	switch {
	case h.op != op:
		return nil
	case h.op == result.Encode && maphash.Bytes(heldSeed, h.out) != h.sum:
		return errors.New("a later encode overwrites the bytes of an earlier one, which is mode output=reuse")
	case h.value != nil && h.value == b.codec.Value():
		return errors.New("a later decode returns the value of an earlier one, which is mode target=reuse")
	case h.value != nil && !b.codec.Placed && !reflect.ValueOf(h.value).Elem().IsZero():
		return errors.New("a later decode writes into the value of an earlier one, which is mode target=reuse")
	}
	if h.model != nil {
		if err := s.rightValue(b, h.input, h.model); err != nil {
			return fmt.Errorf("a later decode changes the value of an earlier one, which is mode target=reuse: %w", input(h.input, err))
		}
	}
	return nil
}
