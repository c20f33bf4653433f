package drive

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/contender"
	"assay/result"
)

// wholeHang is how long an op on a whole value may take, in which it gives no sign of life.
const wholeHang = 2 * time.Hour

// A took is what an op on a whole value took.
type took struct {
	of     result.Case
	values int64 // bytes of the values
	peak   int64 // largest resident set, in bytes
}

// ordered sorts whole values by how large they are, so that there are smaller ones to
// estimate from.
func (s *streams) ordered() {
	if s.Values != nil {
		slices.SortStableFunc(s.Cases, func(a, b result.Case) int { return cmp.Compare(s.Values(a), s.Values(b)) })
	}
}

// kept remembers what an op on a whole value took.
func (s *streams) kept(one *result.Stream) {
	if contender.Whole(one.Case.Mode) && one.Peak > 0 {
		s.took = append(s.took, took{one.Case, s.Values(one.Case), one.Peak})
	}
}

// expected is how much memory a case was to be expected to take, in bytes, from the next
// smaller size of the run that was measured of the same contender and op: as many times as
// much as its values are larger. 0: there is none.
func (s *streams) expected(c result.Case) (bytes int64, from took) {
	for _, t := range s.took {
		if t.of.Workload == c.Workload && t.of.Subject() == c.Subject() && t.of.Op == c.Op && t.values > 0 && t.values > from.values && t.values < s.Values(c) {
			from = t
		}
	}
	if from.values == 0 {
		return 0, from
	}
	return int64(float64(from.peak) * float64(s.Values(c)) / float64(from.values)), from
}

// needText says how much memory a whole value was to be expected to take, and how much it
// was seen to take when it was ended.
func (s *streams) needText(c result.Case, f *Failure) string {
	text := ""
	if f.Seen > 0 {
		text = fmt.Sprintf("; it had %s when it ended", byteText(f.Seen))
	}
	if expected := s.expectedText(c); expected != "" {
		return text + "; it" + expected
	}
	return text + "; no smaller size of the run says how much it needs, for values of " + byteText(s.Values(c))
}

// expectedText says how much memory a case was to be expected to take, and why; empty where
// nothing says so.
func (s *streams) expectedText(c result.Case) string {
	bytes, from := s.expected(c)
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf(" was expected to need %s, as %s took %s, which is %.1f times the bytes of its values",
		byteText(bytes), from.of.Size, byteText(from.peak), float64(from.peak)/float64(from.values))
}

// alsoNeeds says what the other op of a whole value was to be expected to take, where it
// could not be tried because memory ran out.
func (s *streams) alsoNeeds(c result.Case, f *Failure) string {
	if s.Values == nil || f.Status != result.OOM {
		return ""
	}
	if text := s.expectedText(c); text != "" {
		return "; " + string(c.Op) + text
	}
	return ""
}

// ownLimit are the words in which libraries say that a message is larger than their format
// or they themselves can have it.
var ownLimit = regexp.MustCompile(`(?i)beyond 2 ?gigabytes|too (big|large|long)|exceeds? .*(limit|max)|max(imum)? .*(size|length)|(size|length) limit`)

// lengthPanic are the words in which Go's runtime says that a length or an index does not
// fit.
var lengthPanic = regexp.MustCompile(`(?i)out of range|overflow|negative|makeslice`)

// most32 is the largest length of formats that have 32 bits for it, one of them for a sign.
const most32 = 1<<31 - 1

// limited makes a failure of a whole value an unsupported one where it is for a limit of
// the format or its library: which says so, or fails with an error, or for a length, with a
// value that is larger than most formats have lengths for. A wrong result is none, and
// neither is any other panic.
func (s *streams) limited(c result.Case, f *Failure) {
	if f.Certain || f.Status != result.Panic && !f.Answered {
		return
	}
	switch {
	case ownLimit.MatchString(f.Reason):
		f.Reason = "a limit of the format or its library: " + f.Reason
	case s.Values(c) > most32 && (f.Answered || lengthPanic.MatchString(f.Reason)):
		f.Reason = fmt.Sprintf("a limit of the format or its library: the values take %s, more than the 2 GiB that lengths of 32 bits count: %s", byteText(s.Values(c)), f.Reason)
	default:
		return
	}
	f.Status = result.Unsupported
}

// unread says that there is a number of what was encoded although nobody had the memory to
// read it back, and records it if it was asked for.
func (s *streams) unread(wanted []result.Case, wrote *result.Stream, err error) error {
	var f *Failure
	if !errors.As(err, &f) || f.Status != result.OOM || !contender.Whole(wrote.Case.Mode) {
		return nil
	}
	wrote.Unread = "decode ran out of memory: " + strings.TrimSuffix(f.Reason, ".")
	if !slices.Contains(wanted, wrote.Case) {
		return nil
	}
	s.kept(wrote)
	return s.sink(result.Record{Stream: wrote})
}
