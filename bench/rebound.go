package bench

import (
	"fmt"
	"math"
	"time"

	"assay/result"
	"assay/workload"
)

const (
	// reboundTries is how many codecs a case is tried with, and reboundSure with how many
	// one that seems to keep what it makes of values, unless that takes reboundFor: what
	// disturbs the machine makes times longer, so that more tries bring the least times closer
	// to what they are.
	reboundTries = 3
	reboundSure  = 25
	reboundFor   = 400 * time.Millisecond
	// reboundAgain is how many passes over the inputs of a codec follow the first.
	reboundAgain = 3
	// knownMargin is how many times as long the first pass takes at least of what keeps its
	// results, and knownLeast by how many nanoseconds it is longer: caches that are cold make a
	// first pass up to 1.5 times as long, and a short one longer by some microseconds.
	knownMargin = 3
	knownLeast  = 20e3
)

// rebound checks that encode does not keep the message of each value by where the value
// is, in a codec whose values cannot be changed in place, so that no earlier result shows: its
// first pass over the values of a codec takes about as long as those that follow. The
// values are copies, which are new to the contender by their addresses.
func (s *session) rebound(b *bound, op result.Op, g *collector) error {
	c := b.codec
	if op != result.Encode || c.Fill != nil || c.Placed || b.inputs < freshInputs || streams(b.Mode) {
		return nil
	}
	binding, err := s.binding(b.Subject)
	if err != nil {
		return err
	}
	start := time.Now()
	first, again := math.Inf(1), math.Inf(1)
	for try := range reboundSure {
		if try >= reboundTries && (!knows(first, again, b.inputs) || time.Since(start) > reboundFor) {
			break
		}
		g.between() // a collection now would leave the new values out of the caches
		codec, err := binding.New(workload.Clone(s.loaded.slice))
		if err != nil {
			return err
		}
		other := newBound(b.Subject, codec, b.inputs)
		if _, err := b.pass(op); err != nil { // code and predictors are warm
			return err
		}
		for pass := range 1 + reboundAgain {
			took, err := other.pass(op)
			if err != nil {
				return err
			}
			if pass == 0 {
				first = min(first, took)
			} else {
				again = min(again, took)
			}
		}
	}
	if knows(first, again, b.inputs) {
		return fmt.Errorf("it keeps the messages of values: encode takes %.0f ns the first time and %.0f ns after that", first, again)
	}
	return nil
}

// knows reports whether a first pass over so many inputs takes so much longer than those
// after it, in nanoseconds of an operation, that it cannot be for caches alone.
func knows(first, again float64, inputs int) bool {
	return first > again*knownMargin && (first-again)*float64(inputs) > knownLeast
}
