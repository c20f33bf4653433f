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

// errSkips reports a batch that leaves operations out.
var errSkips = errors.New("a batch does not do all of its operations")

const (
	// leastEvery is the shortest batch that has an operation between its first and its last. With
	// fewer inputs, few results differ from the result before.
	leastEvery = 3
	// everyTries is the number of tries of a verification, and timedTries of a calibration.
	// Each try puts an empty value or a damaged message into one place of a batch. No further
	// tries follow once they took everyFor or timedFor, but at least leastTries are made: a
	// codec that leaves out every other operation passes one try in two, and two tries may take
	// all of the time on a machine under load. Only if two tries take more than patience times
	// as long, as for an operation that takes a second, the tries end after two, because the
	// parent waits for the answer.
	everyTries, timedTries, leastTries = 16, 8, 5
	everyFor, timedFor                 = 10 * time.Millisecond, 8 * time.Millisecond
	patience                           = 20
	// everyBatch is the longest batch, in nanoseconds, that a calibration checks for skipped
	// operations.
	everyBatch = 10e6
	// mostOnce is the largest number of values in a batch in which each value occurs once, and
	// mostOnceBytes is the largest total size of their messages in bytes.
	mostOnce      = 1 << 14
	mostOnceBytes = 256 << 20
	// sameTries is how often a sum that does not fit is measured again where lengths may vary from
	// call to call. If it is the same each time, it does not vary. Lengths that follow the order of
	// a map with two entries pass as unvarying once in 2 to the power of 12.
	sameTries = 12
)

// everywhere runs once and every alternately, at several places of the batch: up to tries times
// within most, and fewer times if they take longer. In the batch of every, each input may also
// be among the last operations, so a codec that skips every other operation except the last
// ones may pass it. The two tries of once use neighbouring places, and such a codec skips one of
// them.
func (s *session) everywhere(b *bound, op result.Op, n, tries int, most time.Duration) error {
	start := time.Now()
	at := 0
	for try := range tries {
		enough := 2
		if b.inputs < leastEvery {
			enough = 1 // the inputs are large
		}
		switch took := time.Since(start); {
		case try >= leastTries && took >= most, try >= enough && took >= patience*most:
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

// shows reports whether the result of a batch of op can reveal an empty value or a damaged
// message in it.
func shows(b *bound, op result.Op) bool {
	if streams(b.Mode) || b.codec.Placed {
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

// every checks that a batch of n does all of its operations, and not only those whose results
// are checked. It puts an empty value or a damaged message, whose effect must show, at an
// unpredictable place of the batch. It restores the codec afterwards. A single input is the last
// of every batch, so every uses once for it.
func (s *session) every(b *bound, op result.Op, n int) error {
	if !shows(b, op) {
		return nil
	}
	if b.inputs == 1 {
		return s.once(b, op, n, rand.IntN(mostOnce))
	}
	n = max(n, leastEvery)
	k, times := within(n, b.inputs)
	if op == result.Encode {
		return s.everyValue(b, n, k, times)
	}
	return everyMessage(b, op, n, b.inputs, k)
}

// once is like every, but uses enough inputs that none occurs twice in the batch, so it also
// detects a codec that processes each input only once. at is the place of the changed input,
// modulo the places of the batch except the last.
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

// within returns a random input k of a batch of n that begins with the first of so many inputs,
// and how often the batch processes it. It never returns the input that the batch ends with.
func within(n, inputs int) (k, times int) {
	k = rand.IntN(min(n, inputs) - 1)
	if k >= (n-1)%inputs {
		k++
	}
	return k, (n-k-1)/inputs + 1
}

// everyValue empties input k. Either its message then has another length and the batch another
// sum, or the input cannot be encoded and the batch must fail.
func (s *session) everyValue(b *bound, n, k, times int) (err error) {
	model := s.loaded.models[k]
	defer func() {
		err = errors.Join(err, b.codec.Fill(k, model))
		b.restart(result.Encode)
	}()
	again := func(i, n int) (uint64, error) {
		if err := b.codec.Fill(k, model); err != nil {
			return 0, err
		}
		return encoded(b, i, n)
	}
	was, err := encoded(b, k, 1)
	if err != nil {
		return err
	}
	before, err := encoded(b, 0, n)
	if err != nil {
		return err
	}
	if b.codec.Fill(k, emptyOf(model)) != nil {
		return nil
	}
	return compareSums(b, n, k, before, was, uint64(times), again)
}

// emptyOf returns an empty value of a model's type.
func emptyOf(model workload.Model) any {
	return reflect.New(reflect.TypeOf(model).Elem()).Interface()
}

// compareSums checks the sum of a batch of b after value k, which occurs times times, was
// emptied. was is the sum of the original value k alone, and before is the sum of the original
// batch. again returns the sum of n operations on the original values from value i on.
func compareSums(b *bound, n, k int, before, was, times uint64, again func(i, n int) (uint64, error)) error {
	alone, unfit := encoded(b, k, 1)
	if unfit == nil && alone == was {
		return nil // the change has no effect on the sum
	}
	got, failed := encoded(b, 0, n)
	switch {
	case unfit != nil && failed == nil:
		return fmt.Errorf("%w: it cannot encode one of its values (%w), and a batch of %d with that value says nothing", errSkips, unfit, n)
	case unfit != nil || failed != nil:
		return nil
	}
	want := before + times*(alone-was)
	here := func(i, n int) (uint64, error) { return encoded(b, i, n) }
	switch {
	case got == want:
		return nil
	case b.mayVary && (varies(got, here, 0, n) || varies(alone, here, k, 1) || varies(before, again, 0, n) || varies(was, again, k, 1)):
		return nil
	}
	return fmt.Errorf("%w: with another value in it, %d operations return the sum %d, want %d", errSkips, n, got, want)
}

// varies reports whether n operations from value i on return sums other than sum.
func varies(sum uint64, of func(i, n int) (uint64, error), i, n int) bool {
	for range sameTries {
		if again, err := of(i, n); err != nil || again != sum {
			return true
		}
	}
	return false
}

// onceValue binds a new codec to n values, which repeat the inputs as separate copies, and then
// empties the value at place k.
func (s *session) onceValue(b *bound, n, k int) error {
	was, err := encoded(b, k%b.inputs, 1)
	if err != nil || was > mostOnceBytes/uint64(n) {
		return err
	}
	again := func(i, n int) (uint64, error) {
		defer b.restart(result.Encode)
		return encoded(b, i%b.inputs, n)
	}
	before, err := encoded(b, 0, n)
	b.restart(result.Encode)
	if err != nil {
		return err
	}
	inputs := reflect.ValueOf(s.loaded.slice)
	all := reflect.MakeSlice(inputs.Type(), n, n)
	for i := range n {
		all.Index(i).Set(inputs.Index(i % b.inputs))
	}
	binding, err := s.binding(b.Subject)
	if err != nil {
		return err
	}
	codec, err := binding.New(all.Interface())
	if err != nil {
		return err
	}
	c := newBound(b.Subject, codec, n)
	c.mayVary = b.mayVary
	if codec.Fill == nil || codec.Fill(k, emptyOf(s.loaded.models[k%b.inputs])) != nil {
		return nil // it does not accept an empty value
	}
	return compareSums(c, n, k, before, was, 1, again)
}

// encoded encodes n inputs from input k on and returns the sum.
func encoded(b *bound, k, n int) (uint64, error) {
	b.last, b.next[result.Encode] = "", k
	return attempt(func() (uint64, error) { return b.run(result.Encode, n) })
}

// everyMessage damages message k of a ring of messages so that it cannot be read. A batch that
// includes this message must then fail.
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
		return nil // the damage has no effect
	}
	b.use(ring, from)
	b.codec.Seek(0)
	if _, err := attempt(func() (uint64, error) { return b.call(op, n) }); err != nil {
		return nil
	}
	return fmt.Errorf("%w: it cannot read one of its messages (%w), and a batch of %d with that message says nothing", errSkips, unread, n)
}

// errPanic reports a panic on a damaged message. A contender has to declare such panics
// elsewhere.
var errPanic = errors.New("panic")

// attempt runs an operation on damaged content and turns a panic into an error.
func attempt(do func() (uint64, error)) (sum uint64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return do()
}
