package anonymize

import (
	"time"

	"assay/internal/infer"
	"assay/schema"
)

// What replace keeps of texts with a spelling, besides signs: see replace.
const (
	asHex     = 'h' // the case of letters
	asDecimal = 'd' // a first digit that is zero
)

// spelled replaces a text by another one with the same spelling.
func (a *anonymizer) spelled(as schema.Spelling, s string, r *ranges) string {
	fits := func(s string) bool { return as.Check([]byte(s)) == nil }
	if !fits(s) {
		return a.texts.plain(s)
	}
	switch as.Kind() {
	case schema.Timestamp:
		return a.spelledTime(as, s, r)
	case schema.Int64:
		return a.texts.replace(s, asDecimal, infer.Look{Number: true}, fits)
	}
	if infer.LookOf(s).Hex { // replaced in the same way at places without a spelling
		return a.texts.plain(s)
	}
	return a.texts.replace(s, asHex, infer.Look{Hex: true}, func(s string) bool { return fits(s) && !infer.LookOf(s).Hex })
}

// spelledTime replaces a time by one with the same spelling within the range.
func (a *anonymizer) spelledTime(as schema.Spelling, s string, r *ranges) string {
	t, err := as.ParseTime([]byte(s))
	if err != nil {
		return s
	}
	// The unit is a day for dates, and otherwise the last digit. If the range is longer than 2^33
	// seconds, which is 272 years, the unit is a second and the fraction is kept.
	seconds, perSecond := int64(1), int64(1)
	if as == schema.AsDate {
		seconds = 24 * 60 * 60
	}
	within := r.times.with(t)
	begin, end := within.first, within.last
	if begin.Equal(end) {
		begin, end = yearOf(begin)
	}
	first, last := begin.Unix(), end.Unix()
	if last-first < 1<<33 {
		for range as.Digits() {
			perSecond *= 10
		}
	}
	nanos := int64(time.Second) / perSecond
	at := func(u time.Time) int64 { return (u.Unix()-first)/seconds*perSecond + int64(u.Nanosecond())/nanos }
	low, high := at(begin), at(end)
	domain := append(append(r.id[:], 's'), as...)
	x := low + int64(a.permuter.integer(domain, uint64(at(t)-low), uint64(high-low+1)))
	u := time.Unix(first+x/perSecond*seconds, x%perSecond*nanos+int64(t.Nanosecond())%nanos)
	return string(as.AppendTime(nil, u))
}
