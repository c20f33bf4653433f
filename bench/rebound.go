package bench

import (
	"fmt"
	"math"
	"time"

	"assay/result"
	"assay/workload"
)

const (
	// reboundTries is with how many codecs a case is tried. A case that seems to keep the
	// messages of values is tried with up to reboundSure codecs, for reboundFor at most:
	// disturbances make times longer, so more tries bring the least times closer to the true
	// ones.
	reboundTries = 3
	reboundSure  = 25
	reboundFor   = 400 * time.Millisecond
	// reboundAgain is how many passes over the inputs of a codec follow the first.
	reboundAgain = 3
	// A contender keeps its results if its first pass takes at least knownMargin times as long
	// as the others, and is longer by at least knownLeast nanoseconds. Cold caches make a first
	// pass up to 1.5 times as long, and a short pass longer by some microseconds.
	knownMargin = 3
	knownLeast  = 20e3
)

// rebound checks that encode does not cache messages by the addresses of values. It covers
// codecs whose values cannot be changed in place, so that follow cannot detect such a cache.
// The first pass over the values of a new codec must take about as long as the following
// passes. The values are copies, so their addresses are new to the contender.
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
		g.between() // a collection between binding and pass would evict the new values from the caches
		codec, err := binding.New(workload.Clone(s.loaded.slice))
		if err != nil {
			return err
		}
		other := newBound(b.Subject, codec, b.inputs)
		if _, err := b.pass(op); err != nil { // warms code and branch predictors
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

// knows reports whether a first pass over so many inputs takes too much longer than the passes
// after it to be explained by caches. first and again are in nanoseconds an operation.
func knows(first, again float64, inputs int) bool {
	return first > again*knownMargin && (first-again)*float64(inputs) > knownLeast
}
