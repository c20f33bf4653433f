package bench

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"assay/result"
	"assay/workload"
)

// errSkips is what is wrong with a batch that leaves operations out.
var errSkips = errors.New("a batch does not do all of its operations")

// leastEvery is the shortest batch in which an operation can be in the middle.
const leastEvery = 3

// every checks that a batch of n does all of its operations and not only those whose
// result is seen: something that must show is put in the middle of it. Codecs are left
// as they were.
func (s *session) every(b *bound, op result.Op, n int) error {
	if b.inputs < leastEvery || streams(b.Mode) || b.codec.Placed {
		return nil
	}
	n = max(n, leastEvery)
	if k, _ := middle(n, b.inputs); (n-1)%b.inputs == k {
		n++ // what is in the middle must not be the last as well
	}
	switch {
	case op == result.Encode && b.codec.Fill != nil:
		return s.everyValue(b, n)
	case (op == result.Decode || op == result.Open || op == result.Scan) && len(b.messages) == b.inputs && !streams(b.from.Mode):
		return everyMessage(b, op, n)
	}
	return nil
}

// middle returns the input in the middle of a batch that begins with the first, of which
// there are inputs, and how often it comes.
func middle(n, inputs int) (k, times int) {
	k = (min(n, inputs) - 1) / 2
	return k, (n-k-1)/inputs + 1
}

// everyValue empties an input: its message has another length then, and a batch another
// sum, or it cannot be written, and neither can the batch.
func (s *session) everyValue(b *bound, n int) (err error) {
	k, times := middle(n, b.inputs)
	model := s.loaded.models[k]
	empty, ok := reflect.New(reflect.TypeOf(model).Elem()).Interface().(workload.Model)
	if !ok {
		return nil
	}
	defer func() {
		err = errors.Join(err, b.codec.Fill(k, model))
		b.restart(result.Encode)
	}()
	was, err := encoded(b, k, 1)
	if err != nil {
		return err
	}
	before, err := encoded(b, 0, n)
	if err != nil {
		return err
	}
	if b.codec.Fill(k, empty) != nil {
		return nil
	}
	alone, unfit := encoded(b, k, 1)
	if unfit == nil && (alone == was || b.mayVary) {
		return nil // it does not show
	}
	got, failed := encoded(b, 0, n)
	switch {
	case unfit != nil && failed == nil:
		return fmt.Errorf("%w: it cannot encode one of its values (%w), and a batch of %d with that value says nothing", errSkips, unfit, n)
	case unfit != nil || failed != nil:
		return nil
	}
	if want := before + uint64(times)*(alone-was); got != want {
		return fmt.Errorf("%w: with another value in its middle, %d operations return the sum %d, want %d", errSkips, n, got, want)
	}
	return nil
}

// encoded encodes n inputs from input k on and returns the sum.
func encoded(b *bound, k, n int) (uint64, error) {
	b.last, b.next[result.Encode] = "", k
	return attempt(func() (uint64, error) { return b.run(result.Encode, n) })
}

// everyMessage damages a message so that it cannot be read: then no batch that has it
// can be.
func everyMessage(b *bound, op result.Op, n int) error {
	messages, from := b.messages, b.from
	defer b.use(messages, from)
	k, _ := middle(n, b.inputs)
	ring := slices.Clone(messages)
	ring[k] = slices.Clone(messages[k][:len(messages[k])/2])
	b.use(ring, from)
	b.codec.Seek(k)
	_, unread := attempt(func() (uint64, error) { return b.codec.op(op)(1) })
	if unread == nil || errors.Is(unread, errPanic) {
		return nil // it does not show
	}
	b.use(ring, from)
	b.codec.Seek(0)
	if _, err := attempt(func() (uint64, error) { return b.codec.op(op)(n) }); err != nil {
		return nil
	}
	return fmt.Errorf("%w: it cannot read one of its messages (%w), and a batch of %d with that message says nothing", errSkips, unread, n)
}

// errPanic is a panic over what was damaged, which a contender has to declare elsewhere.
var errPanic = errors.New("panic")

// attempt does something with what is damaged.
func attempt(do func() (uint64, error)) (sum uint64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return do()
}
