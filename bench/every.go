package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"assay/result"
	"assay/workload"
)

// errSkips is what is wrong with a batch that leaves operations out.
var errSkips = errors.New("a batch does not do all of its operations")

const (
	// leastEvery is the shortest batch in which an operation can be in the middle.
	leastEvery = 3
	// everyTries is in how many places of a batch a verification puts something, as long as
	// that takes less than everyFor; timedTries and timedFor are those of a calibration. Half of
	// what leaves out every other operation passes one try, and on a machine under load two may
	// take all of that time, so there are leastTries unless they take patience times as long.
	// There are two in any case, and no more of an operation that takes a second: an answer is
	// waited for.
	everyTries, timedTries, leastTries = 16, 8, 5
	everyFor, timedFor                 = 10 * time.Millisecond, 8 * time.Millisecond
	patience                           = 20
	// everyBatch is how many nanoseconds a batch may take for a calibration to put something
	// into it.
	everyBatch = 10e6
	// mostOnce is how many values are made for a batch in which each comes once.
	mostOnce = 1 << 14
)

// everywhere is once and every by turns in several places: as many as tries for as long as
// most, and fewer for longer. What leaves out every other operation but the last ones may pass
// every, whose batch has each input among these. Two places of once are next to one another:
// it leaves out one of them.
func (s *session) everywhere(b *bound, op result.Op, n, tries int, most time.Duration) error {
	start := time.Now()
	at := 0
	for try := range tries {
		switch took := time.Since(start); {
		case try >= leastTries && took >= most, try >= 2 && took >= patience*most:
			return nil
		}
		var err error
		switch try % 4 {
		case 0:
			at = rand.IntN(mostOnce)
			err = s.once(b, op, n, at)
		case 1:
			err = s.once(b, op, n, at+1)
		default:
			err = s.every(b, op, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// shows reports whether something that is put into a batch shows.
func shows(b *bound, op result.Op) bool {
	if b.inputs < leastEvery || streams(b.Mode) || b.codec.Placed {
		return false
	}
	switch op {
	case result.Encode:
		return b.codec.Fill != nil
	case result.Decode, result.Open, result.Scan:
		return len(b.messages) == b.inputs && !streams(b.from.Mode)
	}
	return false
}

// every checks that a batch of n does all of its operations and not only those whose
// result is seen: something that must show is put into it, where is not to be foreseen.
// Codecs are left as they were.
func (s *session) every(b *bound, op result.Op, n int) error {
	if !shows(b, op) {
		return nil
	}
	n = max(n, leastEvery)
	k, times := within(n, b.inputs)
	if op == result.Encode {
		return s.everyValue(b, n, k, times)
	}
	return everyMessage(b, op, n, b.inputs, k)
}

// once is every with inputs enough for none to come twice in the batch: one that does each
// input once, and not again, is told too. At is the place, counted on where the batch ends.
func (s *session) once(b *bound, op result.Op, n, at int) error {
	if !shows(b, op) {
		return nil
	}
	n = min(max(n, leastEvery), mostOnce)
	k := at % (n - 1)
	if op == result.Encode {
		return s.onceValue(b, n, k)
	}
	return everyMessage(b, op, n, n, k)
}

// within returns an input of a batch that begins with the first, of which there are inputs,
// and how often it comes. It is any but the one that the batch ends with.
func within(n, inputs int) (k, times int) {
	k = rand.IntN(min(n, inputs) - 1)
	if k >= (n-1)%inputs {
		k++
	}
	return k, (n-k-1)/inputs + 1
}

// everyValue empties an input: its message has another length then, and a batch another
// sum, or it cannot be written, and neither can the batch.
func (s *session) everyValue(b *bound, n, k, times int) (err error) {
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
	return compareSums(b, n, k, before, was, uint64(times))
}

// compareSums checks what a batch of b returns with an empty value in place k that comes so
// often: was is what the value before it returned, and before is what a batch did.
func compareSums(b *bound, n, k int, before, was, times uint64) error {
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
	if want := before + times*(alone-was); got != want {
		return fmt.Errorf("%w: with another value in it, %d operations return the sum %d, want %d", errSkips, n, got, want)
	}
	return nil
}

// onceValue empties the value in place k of n, which are the inputs again and again, each
// time in a value of its own.
func (s *session) onceValue(b *bound, n, k int) error {
	was, err := encoded(b, k%b.inputs, 1)
	if err != nil {
		return err
	}
	before, err := encoded(b, 0, n)
	b.restart(result.Encode)
	if err != nil {
		return err
	}
	inputs := reflect.ValueOf(s.loaded.slice)
	all := reflect.MakeSlice(inputs.Type(), n, n)
	for i := range n {
		if i != k {
			all.Index(i).Set(inputs.Index(i % b.inputs))
		}
	}
	binding, err := s.binding(b.Subject)
	if err != nil {
		return err
	}
	codec, err := binding.New(all.Interface())
	if err != nil {
		return nil // it does not take an empty value
	}
	c := newBound(b.Subject, codec, n)
	c.mayVary = b.mayVary
	return compareSums(c, n, k, before, was, 1)
}

// encoded encodes n inputs from input k on and returns the sum.
func encoded(b *bound, k, n int) (uint64, error) {
	b.last, b.next[result.Encode] = "", k
	return attempt(func() (uint64, error) { return b.run(result.Encode, n) })
}

// everyMessage damages message k of a ring of messages so that it cannot be read: then no
// batch that has it can be.
func everyMessage(b *bound, op result.Op, n, size, k int) error {
	messages, from := b.messages, b.from
	defer b.use(messages, from)
	ring := make([][]byte, size)
	for i := range ring {
		ring[i] = messages[i%len(messages)]
	}
	ring[k] = slices.Clone(ring[k][:len(ring[k])/2])
	b.use(ring, from)
	b.codec.Seek(k)
	_, unread := attempt(func() (uint64, error) { return b.call(op, 1) })
	if unread == nil || errors.Is(unread, errPanic) {
		return nil // it does not show
	}
	b.use(ring, from)
	b.codec.Seek(0)
	if _, err := attempt(func() (uint64, error) { return b.call(op, n) }); err != nil {
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
