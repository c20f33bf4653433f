package drive

import (
	"cmp"
	"math"
	"time"

	"assay/result"
)

// most is the largest number of processes that an op is done in.
func (s *streams) most() int { return cmp.Or(s.Repeats, streamRepeats) }

// unstored returns the cases without those of which an earlier attempt did all.
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

// over says whether an earlier attempt did all of the wanted cases of a stream: as often as
// was asked, or once where that took long, or nobody could read what was written.
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

// repeated is how often an earlier attempt did all of the wanted cases of a stream.
func (s *streams) repeated(wanted []result.Case) int {
	n := math.MaxInt
	for _, c := range wanted {
		n = min(n, len(s.stored(c)))
	}
	return n
}

// stored are what an earlier attempt has of a case.
func (s *streams) stored(c result.Case) []result.Stream {
	var out []result.Stream
	for _, one := range s.Stored {
		if one.Case == c {
			out = append(out, one)
		}
	}
	return out
}
