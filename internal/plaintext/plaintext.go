// Package plaintext makes text from elsewhere safe to show: names in a run that
// another machine stored, file names, what a process said before it died. Such text
// may hold control characters, which move a terminal's cursor or change its colours,
// and bidirectional ones, which reorder the text around them. Both are shown as
// what they are, in the form \u202e, which is also how a JSON string writes them.
package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// active says whether a rune does something to the text around it instead of
// standing for itself: a control character (Cc), a bidirectional mark, embedding,
// override or isolate, or a line or paragraph separator.
func active(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// Line returns the text on one line: runs of white space that hold a control
// character become one space, other active characters and bytes that are no UTF-8 are
// escaped.
func Line(text string) string {
	if clean(text, active) {
		return text
	}
	if strings.IndexFunc(text, breaks) >= 0 {
		text = strings.Join(strings.FieldsFunc(text, unicode.IsSpace), " ")
	}
	return escaped(text, active)
}

// breaks says whether a rune is white space that ends a line or moves along one.
func breaks(r rune) bool { return unicode.IsSpace(r) && active(r) }

// Text returns the text with its line ends and tabs as they are, and what else is
// active escaped, as is what is no UTF-8.
func Text(text string) string {
	if clean(text, activeInText) {
		return text
	}
	return escaped(text, activeInText)
}

func activeInText(r rune) bool { return r != '\n' && r != '\t' && active(r) }

// Clean says whether Line returns the text as it is.
func Clean(text string) bool { return clean(text, active) }

// clean says whether a text is UTF-8 without any rune of a kind.
func clean(text string, kind func(rune) bool) bool {
	return strings.IndexFunc(text, kind) < 0 && utf8.ValidString(text)
}

// escaped returns the text with the runes of a kind and bytes that are no UTF-8
// escaped.
func escaped(text string, kind func(rune) bool) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(invalid)
		case kind(r):
			escape(&b, r)
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// invalid stands for a byte that is no UTF-8: the escape of U+FFFD, the replacement
// character, so that it is the same in a JSON string.
const invalid = `\ufffd`

const hex = "0123456789abcdef"

// escape writes an active rune, all of which have four hexadecimal digits.
func escape(b *strings.Builder, r rune) {
	b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		b.WriteByte(hex[r>>shift&0xf])
	}
}
