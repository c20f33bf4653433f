package workload

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/contender"
)

// text compares strings. If a loss of bytes is forgiven, the rest of the string must still be
// the same. A library may drop the lost bytes or replace them by U+FFFD.
func (d *differ) text(want, got string) *mismatch {
	if want == got {
		return nil
	}
	bad := d.forgive[string(contender.BadUTF8)] && !utf8.ValidString(want)
	control := d.forgive[string(contender.NUL)] && strings.ContainsFunc(want, unicode.IsControl)
	switch { // one loss explains less than both, so it is tried first
	case bad && lostBytes(want, got, false):
		d.forgiven(contender.BadUTF8)
		return nil
	case control && lostControls(want, got):
		d.forgiven(contender.NUL)
		return nil
	case bad && control && lostBytes(want, got, true):
		d.forgiven(contender.BadUTF8)
		d.forgiven(contender.NUL)
		return nil
	}
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	return became(showText(want, at), showText(got, at))
}

// lostBytes reports whether got is want with its invalid bytes dropped, replaced, or read as
// Latin-1. If controls is set, control characters may be lost too.
func lostBytes(want, got string, controls bool) bool {
	return remains(want, controls) == remains(got, controls) || latin1(want) == got
}

// lostControls reports whether got is want with control characters dropped or replaced, and
// everything else as it was, invalid bytes included.
func lostControls(want, got string) bool {
	if utf8.ValidString(want) && utf8.ValidString(got) {
		return remains(want, true) == remains(got, true)
	}
	return printable(want) == printable(got)
}

// printable returns s without control characters. It keeps invalid bytes.
func printable(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if !unicode.IsControl(r) {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// latin1 returns s with each byte that is not valid UTF-8 replaced by the Latin-1 character
// of that number. Libraries that take bytes for characters return such strings.
func latin1(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			r = rune(s[0])
		}
		b.WriteRune(r)
		s = s[n:]
	}
	return b.String()
}

// remains returns s without invalid UTF-8, without U+FFFD and, if control is set, without
// control characters.
func remains(s string, control bool) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || control && unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}

// showText quotes the part of a string around byte at.
func showText(s string, at int) string {
	if len(s) <= shown {
		return strconv.Quote(s)
	}
	from := max(0, min(at-shown/4, len(s)-shown))
	to := min(from+shown, len(s))
	// Cut between characters only: a part of a character would look like invalid UTF-8.
	for n := 0; n < utf8.UTFMax-1 && from > 0 && !utf8.RuneStart(s[from]); n++ {
		from--
	}
	for n := 0; n < utf8.UTFMax-1 && to < len(s) && !utf8.RuneStart(s[to]); n++ {
		to++
	}
	cut := strconv.Quote(s[from:to])
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(s) {
		cut += "…"
	}
	return fmt.Sprintf("%s (%d bytes)", cut, len(s))
}
