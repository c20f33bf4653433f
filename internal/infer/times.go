package infer

import (
	"bytes"
	"time"
)

// isTime reports whether a text is a time by RFC 3339 that timestamps hold exactly: it has at most
// nanoseconds, and is in the years 1 to 9999 in UTC, because formats have no others.
func isTime(s []byte) bool {
	t, ok := timeOf(s)
	return ok && 1 <= t.UTC().Year() && t.UTC().Year() <= 9999
}

// timeOf parses a text as a time by RFC 3339 with at most nanoseconds, of any year.
func timeOf(s []byte) (t time.Time, ok bool) {
	const whole = len("2006-01-02T15:04:05")
	if len(s) <= whole || len(s) > whole+len(".999999999+07:00") || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' ||
		s[whole] == ',' { // package time accepts a comma for the decimal point
		return t, false
	}
	if i := bytes.IndexAny(s[whole:], "Z+-"); i > len(".999999999") {
		return t, false
	}
	t, err := parseTime(string(s))
	return t, err == nil && offsetFits(s)
}

// offsetFits reports whether the offset of a time, if it has one, is less than a day: package time also
// accepts +24:00 and +23:60, which it refuses to write.
func offsetFits(s []byte) bool {
	at := len(s) - len("+07:00")
	return s[len(s)-1] == 'Z' || string(s[at+1:at+3]) < "24" && string(s[at+4:]) < "60"
}

// isFar reports whether a time is outside of the years 1678 to 2261. These are the years whose times
// 64 bits can count in nanoseconds.
func isFar(t time.Time) bool { return t.UTC().Year() < 1678 || t.UTC().Year() > 2261 }

// parseTime returns the time in a zone without a name, which has only the offset, so that the zones
// known on this machine do not matter.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return t, err
	}
	if _, offset := t.Zone(); offset != 0 {
		return t.In(time.FixedZone("", offset)), nil
	}
	return t.UTC(), nil
}
