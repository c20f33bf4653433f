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

// wholeHang is how long an op on a whole value may take. It gives no sign of life.
const wholeHang = 2 * time.Hour

// A took is the memory that an op on a whole value took.
type took struct {
	of     result.Case
	values int64 // bytes of the values
	peak   int64 // largest resident set, in bytes
}

// ordered sorts whole values by size, so that there are smaller ones to estimate the memory of
// larger ones from.
func (s *streams) ordered() {
	if s.Values != nil {
		slices.SortStableFunc(s.Cases, func(a, b result.Case) int { return cmp.Compare(s.Values(a), s.Values(b)) })
	}
}

// kept stores the memory that an op on a whole value took.
func (s *streams) kept(one *result.Stream) {
	if contender.Whole(one.Case.Mode) && one.Peak > 0 {
		s.took = append(s.took, took{one.Case, s.Values(one.Case), one.Peak})
	}
}

// expected returns how much memory a case was expected to take, in bytes, and the measurement
// from which it is estimated: that of the next smaller size of the run, for the same contender
// and op. The memory is taken to be proportional to the bytes of the values. It returns 0 if
// there is no such measurement.
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

// needText says how much memory a whole value was expected to take, and how much its process had
// when it ended.
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

// expectedText says how much memory a case was expected to take, and why. It returns "" if that
// is unknown.
func (s *streams) expectedText(c result.Case) string {
	bytes, from := s.expected(c)
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf(" was expected to need %s, as %s took %s, which is %.1f times the bytes of its values",
		byteText(bytes), from.of.Size, byteText(from.peak), float64(from.peak)/float64(from.values))
}

// alsoNeeds says how much memory the other op of a whole value was expected to take, if it could
// not be tried because memory ran out.
func (s *streams) alsoNeeds(c result.Case, f *Failure) string {
	if s.Values == nil || f.Status != result.OOM {
		return ""
	}
	if text := s.expectedText(c); text != "" {
		return "; " + string(c.Op) + text
	}
	return ""
}

// ownLimit matches the words in which libraries say that a message is larger than they or their
// format allow.
var ownLimit = regexp.MustCompile(`(?i)beyond 2 ?gigabytes|too (big|large|long)|exceeds? .*(limit|max)|max(imum)? .*(size|length)|(size|length) limit`)

// lengthPanic matches the words in which Go's runtime says that a length or an index is out of
// range.
var lengthPanic = regexp.MustCompile(`(?i)out of range|overflow|negative|makeslice`)

// most32 is the largest length in formats that use a signed 32-bit length.
const most32 = 1<<31 - 1

// limited changes the failure of a whole value to unsupported if it shows a limit of the format
// or its library. That is so if the reason says so, or if the value is larger than most32 and the
// process answered with an error or panicked about a length. A wrong result or any other panic is
// not such a limit.
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

// unread marks an encoded whole value as never read back, if decode ran out of memory. The
// encoded value keeps its number. If the encode case is wanted, unread records it.
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
