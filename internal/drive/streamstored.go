package drive

import (
	"cmp"
	"math"
	"time"

	"assay/result"
)

// most returns the largest number of processes in which an op is done.
func (s *streams) most() int { return cmp.Or(s.Repeats, streamRepeats) }

// unstored returns the cases of the streams that an earlier attempt did not complete.
func (s *streams) unstored() []result.Case {
	var left []result.Case
	for rest := s.Cases; len(rest) > 0; {
		n := paired(rest)
		if !s.over(rest[:n]) {
			left = append(left, rest[:n]...)
		}
		rest = rest[n:]
	}
	return left
}

// over says whether an earlier attempt completed the wanted cases of a stream: as often as was
// asked for, or once if that took long or what was written could not be read.
func (s *streams) over(wanted []result.Case) bool {
	n := s.repeated(wanted)
	if n >= s.most() {
		return true
	}
	took := make([]time.Duration, n)
	for _, c := range wanted {
		for i, one := range s.stored(c)[:n] {
			took[i] += time.Duration(one.Elapsed)
			if one.Unread != "" || s.Repeats == 0 && took[i] > streamShort {
				return true
			}
		}
	}
	return false
}

// repeated returns how often an earlier attempt did all of the wanted cases of a stream.
func (s *streams) repeated(wanted []result.Case) int {
	n := math.MaxInt
	for _, c := range wanted {
		n = min(n, len(s.stored(c)))
	}
	return n
}

// stored returns the streams of a case from an earlier attempt.
func (s *streams) stored(c result.Case) []result.Stream {
	var out []result.Stream
	for _, one := range s.Stored {
		if one.Case == c {
			out = append(out, one)
		}
	}
	return out
}
