package workload

import (
	"bytes"
	"strings"
)

// PlainJSON returns a JSON text with <, >, &, U+2028 and U+2029 as themselves
// where they are escaped. These are what encoding/json, and who follows it,
// escapes in a text that it is given as it is, so that what was written and read
// again compares equal. No text is null.
func PlainJSON[T ~string | ~[]byte](text T) string {
	if len(text) == 0 {
		return "null"
	}
	s := string(text)
	at := strings.IndexByte(s, '\\')
	if at < 0 {
		return s
	}
	var b strings.Builder
	for at >= 0 && at+1 < len(s) {
		b.WriteString(s[:at])
		n := 2 // of an escape of two characters, the second is no backslash of its own
		if c := plain(s[at:]); c != "" {
			b.WriteString(c)
			n = len(`\u0000`)
		} else {
			b.WriteString(s[at : at+n])
		}
		s = s[at+n:]
		at = strings.IndexByte(s, '\\')
	}
	b.WriteString(s)
	return b.String()
}

// plain returns the character that a text begins with an escape of, if it is one
// that is escaped for HTML or JavaScript only.
func plain(s string) string {
	if len(s) < 6 {
		return ""
	}
	switch strings.ToLower(s[:6]) {
	case `\u003c`:
		return "<"
	case `\u003e`:
		return ">"
	case `\u0026`:
		return "&"
	case `\u2028`:
		return "\u2028"
	case `\u2029`:
		return "\u2029"
	}
	return ""
}

// LeafJSON returns what LeafText does of the JSON text that PlainJSON returns.
func LeafJSON[T ~[]byte](text T) uint64 {
	if len(text) > 0 && bytes.IndexByte(text, '\\') < 0 {
		return LeafText(text)
	}
	return LeafText(PlainJSON(text))
}
