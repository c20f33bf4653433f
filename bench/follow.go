package bench

import (
	"errors"
	"fmt"

	"assay/result"
)

// follow checks that op follows content that changes in place: new content in the same Go
// value, or other bytes at the same address. A contender that caches results by address without
// reading the content again fails. follow restores the codec afterwards.
func (s *session) follow(b *bound, op result.Op) error {
	if b.inputs < 2 || streams(b.Mode) || b.codec.Placed {
		return nil
	}
	switch op {
	case result.Encode:
		return s.followValue(b)
	case result.Convert:
		return s.followPlace(b)
	}
	if (op == result.Decode || op == result.Scan) && len(b.messages) == b.inputs && !streams(b.from.Mode) {
		return s.followBytes(b, op)
	}
	return nil
}

// errStale reports a contender that returns an earlier result after its input changed in place.
var errStale = errors.New("it returns an earlier result for content that changed in place")

// followValue copies the content of the second input into the first and encodes the first.
func (s *session) followValue(b *bound) (err error) {
	if b.codec.Fill == nil {
		return nil
	}
	b.restart(result.Encode)
	if _, err := b.run(result.Encode, 2); err != nil {
		return err
	}
	if s.rightBytes(b, 1, b.codec.Encoded()) != nil {
		return nil // its own round trip reports this with the reason
	}
	b.restart(result.Encode)
	if _, err := b.run(result.Encode, 1); err != nil {
		return err
	}
	if err := b.codec.Fill(0, s.loaded.models[1]); err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, b.codec.Fill(0, s.loaded.models[0]))
		b.restart(result.Encode)
	}()
	b.restart(result.Encode)
	if _, err := b.run(result.Encode, 1); err != nil {
		return err
	}
	if err := s.rightBytes(b, 1, b.codec.Encoded()); err != nil {
		return fmt.Errorf("%w: %w", errStale, err)
	}
	return nil
}

// followPlace puts the second input at the place of the first and converts it.
func (s *session) followPlace(b *bound) error {
	place := s.loaded.exchange()
	defer b.restart(result.Convert)
	defer place.undo()
	b.restart(result.Convert)
	if _, err := b.run(result.Convert, 2); err != nil {
		return err
	}
	if s.rightValue(b, 1, b.codec.Converted()) != nil {
		return nil // its own round trip reports this with the reason
	}
	place.place.Index(0).Set(place.own.Index(1))
	b.restart(result.Convert)
	if _, err := b.run(result.Convert, 1); err != nil {
		return err
	}
	if err := s.rightValue(b, 1, b.codec.Converted()); err != nil {
		return fmt.Errorf("%w: %w", errStale, err)
	}
	return nil
}

// followBytes reads the second message from the address at which the first one was read.
func (s *session) followBytes(b *bound, op result.Op) error {
	messages, from := b.messages, b.from
	buf := make([]byte, max(len(messages[0]), len(messages[1])))
	ring := [][]byte{nil}
	defer b.use(messages, from)
	var sums [2]uint64
	for i := range sums {
		ring[0] = buf[:copy(buf, messages[i])]
		if i == 0 {
			b.use(ring, from)
		}
		b.codec.Seek(0)
		var err error
		if sums[i], err = b.call(op, 1); err != nil {
			return err
		}
		if op == result.Decode {
			if err := s.rightValue(b, i, b.codec.Decoded()); err != nil {
				return fmt.Errorf("%w: %w", errStale, input(i, err))
			}
		}
	}
	if op == result.Decode {
		return s.unaliased(b, buf)
	}
	k, err := s.scanned(b, messages)
	if err != nil {
		return err
	}
	if sums[1] != k {
		return fmt.Errorf("%w: the leaves add up to %d, want %d", errStale, sums[1], k)
	}
	return nil
}

// unaliased checks that the value that was decoded last, which equals the second input, does not
// point into buf, where its message is. A contender may do so only once it is timed.
func (s *session) unaliased(b *bound, buf []byte) error {
	if has(b.Mode, "strings=alias") {
		return nil
	}
	for i := range buf {
		buf[i] = '#'
	}
	if err := s.rightValue(b, 1, b.codec.Decoded()); err != nil {
		return fmt.Errorf("%w: %w", errAliases, input(1, err))
	}
	return nil
}

// errAliases reports a decoded value that points into its message without a mode that says so.
var errAliases = errors.New("the decoded value changes with its message, which is mode strings=alias")

// scanned returns the scan sum of the second message at its own address.
func (s *session) scanned(b *bound, messages [][]byte) (uint64, error) {
	b.use(messages, b.from)
	b.codec.Seek(1)
	return b.call(result.Scan, 1)
}
