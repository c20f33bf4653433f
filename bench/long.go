package bench

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay/result"
)

const (
	// A long verification of an op ends after longOps steps or after longFor, whichever comes
	// first.
	longOps = 4096
	longFor = 100 * time.Millisecond
	// One step in longEvery runs several operations at a stretch: longStretch operations or, of
	// a slow op, a few more than two passes over the inputs. The other steps run one operation.
	longEvery   = 61
	longStretch = 500
	// mostKept is how many bytes of messages are kept for comparison with later ones.
	mostKept = 1 << 20
)

// endure continues an op that was verified over each input once, and compares every result. It
// reveals behaviour that changes with the number of calls or occurs in some calls only, and
// results that the caller may not keep. It returns the number of operations it ran.
func (v *verification) endure(c *bound, op result.Op) (done int, err error) {
	check, err := newChecker(c, op, func() {})
	if err != nil {
		return 0, err
	}
	c.restart(op)
	c.held = held{}
	var kept [][]byte
	if op == result.Encode {
		kept = make([][]byte, c.inputs)
	}
	size := 0
	start := time.Now()
	for step := 0; step < longOps && time.Since(start) < longFor; step++ {
		n := 1
		if step%longEvery == longEvery-1 {
			n = 2*c.inputs + 1
			if time.Since(start) < longFor/8 {
				n = max(n, longStretch)
			}
		}
		done += n
		if err := check.batch(n); err != nil {
			return done, longAfter(done, op, err)
		}
		i := (c.next[op] + c.inputs - 1) % c.inputs
		err := v.stays(c, op)
		if err == nil {
			err = v.again(c, op, i, kept)
		}
		if err != nil {
			return done, longAfter(done, op, input(i, err))
		}
		if op == result.Encode && kept[i] == nil && size < mostKept {
			kept[i] = slices.Clone(c.codec.Encoded())
			size += len(kept[i])
		}
		v.hold(c, op, step%2 == 1)
	}
	c.held = held{}
	return done, nil
}

// longAfter adds the number of operations that a long verification ran before err.
func longAfter(done int, op result.Op, err error) error {
	operations := "operations"
	if done == 1 {
		operations = "operation"
	}
	return fmt.Errorf("%s, after %d %s: %w", op, done, operations, err)
}

// again compares the last result on input i. A message that equals an earlier message of the
// input need not be decoded.
func (v *verification) again(c *bound, op result.Op, i int, kept [][]byte) error {
	switch op {
	case result.Encode:
		if kept[i] != nil && bytes.Equal(kept[i], c.codec.Encoded()) {
			return nil
		}
		return v.rightBytes(c, i, c.codec.Encoded())
	case result.Decode:
		return v.compare(i, c.codec.Decoded())
	case result.Convert:
		return v.compare(i, c.codec.Converted())
	}
	return v.right(c, op, i)
}

// owns checks that a decoded value does not alias its message, unless the mode declares it.
func (v *verification) owns(c *bound) error {
	if has(v.who.Mode, "strings=alias") || streams(v.who.Mode) || streams(c.from.Mode) || len(c.messages) == 0 {
		return nil
	}
	messages, from := c.messages, c.from
	defer c.use(messages, from)
	start := time.Now()
	own := copies(messages)
	c.use(own, from)
	for i, buf := range own {
		if i > 0 && time.Since(start) > longFor/8 {
			break
		}
		c.codec.Seek(i)
		if _, err := c.call(result.Decode, 1); err != nil {
			return err
		}
		for j := range buf {
			buf[j] = '#'
		}
		if err := v.compare(i, c.codec.Decoded()); err != nil {
			return fmt.Errorf("%w: %w", errAliases, input(i, err))
		}
	}
	return nil
}

// apart checks that the capacity of a message does not overlap the next message: the caller may
// append to a message, which writes to the capacity behind it.
func (v *verification) apart(c *bound) error {
	if !keeps(v.who.Mode, result.Encode) {
		return nil
	}
	c.codec.Seek(0)
	if _, err := c.call(result.Encode, 1); err != nil {
		return err
	}
	first := c.codec.Encoded()
	if _, err := c.call(result.Encode, 1); err != nil {
		return err
	}
	second := c.codec.Encoded()
	if len(first) > 0 && len(second) > 0 && &first[0] == &second[0] {
		return nil // it is the same buffer, which stays reports
	}
	behind := first[len(first):cap(first)]
	was, want := slices.Clone(behind), slices.Clone(second)
	for i := range behind {
		behind[i] ^= 0xff
	}
	same := bytes.Equal(second, want)
	copy(behind, was)
	if !same {
		return errors.New("whoever appends to a message overwrites the next one: it has capacity that is not its own")
	}
	return nil
}

// word is the size in bytes of a word in formats that align.
const word = 8

// wholly checks that a message is not decoded to the same value without its last byte or with
// another last byte. Otherwise the message has bytes that decode does not read. Blanks and
// zeros may end a message, as they do in text formats and in formats that align.
func (v *verification) wholly(c *bound) error {
	if c.codec.Placed || streams(v.who.Mode) || streams(c.from.Mode) || len(c.messages) == 0 || len(c.messages[0]) < 2 {
		return nil
	}
	messages, from := c.messages, c.from
	buf := slices.Clone(messages[0])
	last := len(buf) - 1
	if bytes.IndexByte([]byte(" \n\r\t\x00"), buf[last]) >= 0 {
		return nil
	}
	if buf[last] == 1 { // it may be the value true, and a decoder may take any byte but 0 for true
		buf[last] = 0
	} else {
		buf[last] ^= 0xff // a decoder that reads beyond the end gets another byte
	}
	if c.codec.Slack { // change the last word, because its first bytes may say what it is
		for i := max(0, last-word+1); i < last; i++ {
			buf[i] ^= 0xff
		}
	}
	defer c.use(messages, from)
	c.use([][]byte{buf[:last:last]}, from)
	c.codec.Seek(0)
	if v.reads(c) {
		return errors.New("a message is read alike without its last byte: it writes bytes that are not read")
	}
	c.use([][]byte{buf}, from)
	c.codec.Seek(0)
	if v.reads(c) {
		return errors.New("a message is read alike with another last byte: it writes bytes that are not read")
	}
	return nil
}

// reads reports whether the next message decodes to the first input. A damaged message may make
// a contender panic, which it has to declare elsewhere.
func (v *verification) reads(c *bound) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if _, err := c.call(result.Decode, 1); err != nil {
		return false
	}
	return v.rightValue(c, 0, c.codec.Decoded()) == nil
}

// beyond runs the checks of an op that go beyond the results over the inputs.
func (v *verification) beyond(c *bound, op result.Op) error {
	if err := c.spares(); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	if op == result.Encode {
		if err := v.apart(c); err != nil {
			return fmt.Errorf("encode: %w", err)
		}
	}
	if op == result.Decode {
		if err := v.owns(c); err != nil {
			return fmt.Errorf("decode: %w", err)
		}
		if err := v.wholly(c); err != nil {
			return fmt.Errorf("decode: %w", err)
		}
	}
	if err := v.follow(c, op); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	if !v.long {
		if c.inputs < leastEvery && v.stretch(c, op) == 0 {
			return nil
		}
		if err := v.every(c, op, leastEvery); err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
		return nil
	}
	live := liveBytes()
	done, err := v.endure(c, op)
	if err != nil {
		return err
	}
	v.visit.grown(c, op, done, liveBytes()-live)
	if fault := v.visit.finalizers(); fault != "" {
		return fmt.Errorf("%s: %s", op, fault)
	}
	n := v.stretch(c, op)
	if n == 0 {
		return nil
	}
	if err := v.everywhere(c, op, n, everyTries, everyFor); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return nil
}

// stretch returns the number of operations of a batch for the long verification: few if the op
// is slow. It is 0 for one or two large values, of which an operation takes more than longFor: their
// timed batches have one operation.
func (v *verification) stretch(c *bound, op result.Op) int {
	c.restart(op)
	least := longFor
	for range c.inputs {
		start := time.Now()
		if _, err := c.run(op, 1); err != nil {
			return leastEvery
		}
		if least = min(least, time.Since(start)); least > longFor/leastEvery {
			break
		}
	}
	switch {
	case c.inputs < leastEvery && least > longFor:
		return 0
	case least > longFor/longStretch/4:
		return leastEvery
	}
	return 2*c.inputs + longStretch
}

// errVaries reports message lengths that differ from call to call without a declared reason.
var errVaries = errors.New("the same input has messages of different length from call to call, the schema has no map whose order could be why, and the contender declares no other reason")

const (
	// keptLeast is how many bytes of the results of keptOps operations or more a contender must
	// retain to be reported.
	keptLeast = 1 << 20
	keptOps   = 256
	// keptResult is the least size of a result, in bytes.
	keptResult = 32
)

// grown reports that the contender retains results, if the heap in use grew over some
// operations by half or more of the size of their results. bytes is that growth.
func (t *visit) grown(c *bound, op result.Op, operations int, bytes int64) {
	size := keptResult
	if op == result.Encode {
		size = max(size, len(c.codec.Encoded()))
	} else if len(c.messages) > 0 {
		size = max(size, len(c.messages[0]))
	}
	if operations < keptOps || bytes < keptLeast || bytes < int64(operations)*int64(size)/2 {
		return
	}
	t.keeps = append(t.keeps, fmt.Sprintf("keeps %d MiB of %d operations of %s for good", bytes>>20, operations, op))
}
