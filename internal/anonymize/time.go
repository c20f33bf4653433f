package anonymize

import (
	"encoding/binary"
	"strings"
	"time"
)

// timeBounds has the first and the last of the times that were added.
type timeBounds struct {
	first, last time.Time
	any         bool
}

func (b *timeBounds) add(t time.Time) {
	if !b.any || t.Before(b.first) {
		b.first = t
	}
	if !b.any || t.After(b.last) {
		b.last = t
	}
	b.any = true
}

// with returns bounds that include t too, as those of numbers do.
func (b timeBounds) with(t time.Time) timeBounds {
	b.add(t)
	return b
}

const whole = len("2006-01-02T15:04:05")

// instant is a time by RFC 3339 with the parts of its text.
type instant struct {
	time.Time
	fraction string // with the point; may be empty
	zone     string // Z or an offset
	digits   int    // the number of digits of the fraction, without trailing zeros
}

func parseInstant(s string) (instant, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return instant{}, err
	}
	_, offset := t.Zone()
	i := whole + strings.IndexAny(s[whole:], "Z+-")
	at := instant{Time: t.In(time.FixedZone("", offset)), fraction: s[whole:i], zone: s[i:]}
	at.digits = max(0, len(strings.TrimRight(at.fraction, "0"))-1)
	return at, nil
}

// unit returns how many nanoseconds the last of the time's digits stands for.
func (t instant) unit() int64 {
	u := int64(time.Second)
	for range t.digits {
		u /= 10
	}
	return u
}

// text returns the time at in the form in which t was written.
func (t instant) text(at time.Time) string {
	at = at.In(t.Location())
	out := []byte(at.Format("2006-01-02T15:04:05"))
	if t.fraction != "" {
		digits := at.Format(".000000000")[1:]
		out = append(append(out, t.fraction[0]), digits[:len(t.fraction)-1]...)
	}
	return string(append(out, t.zone...))
}

// yearOf returns the first and the last instant of the year of a time, in UTC.
func yearOf(t time.Time) (first, last time.Time) {
	year := t.UTC().Year()
	first = time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	return first, time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC).Add(-1)
}

// time returns a time that replaces s. It is within the range, and has the same precision and zone.
func (a *anonymizer) time(s string, r *ranges) string {
	t, err := parseInstant(s)
	if err != nil {
		return s
	}
	within := r.times.with(t.Time)
	first, last := within.first, within.last
	unit := t.unit()
	if last.Sub(first) < time.Duration(unit) {
		first, last = yearOf(t.Time)
	}
	accept := func(u time.Time) bool {
		year := u.In(t.Location()).Year()
		ends := t.digits == 0 || int64(u.Nanosecond())/unit%10 != 0
		return ends && year >= 0 && year <= 9999 && !u.Before(first) && !u.After(last)
	}
	domain := append(append(r.id[:], 't', byte(t.digits)), t.zone...)
	base, seconds := first.Unix(), last.Unix()-first.Unix()
	perSecond := int64(time.Second) / unit
	if seconds < (1<<62)/int64(time.Second) {
		at := func(u time.Time) int64 { return (u.Unix()-base)*perSecond + int64(u.Nanosecond())/unit }
		low, high := at(first), at(last) // rounded down, so a time for low may be before first
		for x := at(t.Time); ; {
			x = low + int64(a.permuter.integer(domain, uint64(x-low), uint64(high-low+1)))
			if u := time.Unix(base+x/perSecond, x%perSecond*unit); accept(u) {
				return t.text(u)
			}
		}
	}
	// The units of so many years do not fit in 64 bits, so permute seconds and fractions as a vector.
	v := []uint64{uint64(t.Unix() - base), uint64(int64(t.Nanosecond()) / unit)}
	size := []uint64{uint64(seconds + 1), uint64(perSecond)}
	for {
		a.permuter.vector(domain, v, size)
		if u := time.Unix(base+int64(v[0]), int64(v[1])*unit); accept(u) {
			return t.text(u)
		}
	}
}

// time replaces a text that is a time by any other time in the same zone and with as many digits. It
// guarantees the same as replace.
func (t *texts) time(s string, accept func(string) bool) string {
	at, err := parseInstant(s)
	if err != nil {
		return s
	}
	begin, end := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	perSecond, unit := int64(1), int64(time.Second)
	for range max(0, len(at.fraction)-1) {
		perSecond, unit = perSecond*10, unit/10
	}
	t.domain = append(append(append(t.domain[:0], 't'), at.zone...), at.fraction[:min(1, len(at.fraction))]...)
	t.v = append(t.v[:0], uint64(at.Unix()-begin), uint64(int64(at.Nanosecond())/unit))
	t.size = append(t.size[:0], uint64(end-begin), uint64(perSecond))
	if perSecond == 1 {
		t.v, t.size = t.v[:1], t.size[:1]
	}
	domain := binary.BigEndian.AppendUint64(t.domain, uint64(perSecond))
	for {
		t.vector(domain, t.v, t.size)
		nanos := int64(0)
		if len(t.v) > 1 {
			nanos = int64(t.v[1]) * unit
		}
		if out := at.text(time.Unix(begin+int64(t.v[0]), nanos)); accept(out) {
			return out
		}
	}
}
