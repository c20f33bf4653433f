// Package plaintext makes untrusted text safe to show: names in a run that another machine
// stored, file names, the output of a process that died. Such text may hold control characters,
// which move a terminal's cursor or change its colours, and bidirectional characters, which
// reorder the text around them. Both are shown escaped, in the form \u202e, which JSON strings
// use too.
package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// active reports whether a rune affects the text around it: a control character (Cc), a
// bidirectional mark, embedding, override or isolate, or a line or paragraph separator.
func active(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// Line returns the text on one line. If the text has a control character or separator that is
// white space, each run of white space becomes one space. Other active characters and invalid
// UTF-8 are escaped.
func Line(text string) string {
	if clean(text, active) {
		return text
	}
	if strings.IndexFunc(text, breaks) >= 0 {
		text = strings.Join(strings.FieldsFunc(text, unicode.IsSpace), " ")
	}
	return escaped(text, active)
}

// breaks reports whether a rune is white space that is also active: a tab, a line end or a
// separator.
func breaks(r rune) bool { return unicode.IsSpace(r) && active(r) }

// Text returns the text with line ends and tabs unchanged. Other active characters and invalid
// UTF-8 are escaped.
func Text(text string) string {
	if clean(text, activeInText) {
		return text
	}
	return escaped(text, activeInText)
}

func activeInText(r rune) bool { return r != '\n' && r != '\t' && active(r) }

// Clean reports whether Line returns the text unchanged.
func Clean(text string) bool { return clean(text, active) }

// clean reports whether a text is valid UTF-8 without any rune of a kind.
func clean(text string, kind func(rune) bool) bool {
	return strings.IndexFunc(text, kind) < 0 && utf8.ValidString(text)
}

// escaped returns the text with the runes of a kind and invalid UTF-8 escaped.
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

// invalid replaces an invalid byte: the escape of U+FFFD, the replacement character, which is
// also its escape in a JSON string.
const invalid = `\ufffd`

const hex = "0123456789abcdef"

// escape writes the escape of an active rune. All active runes have at most four hexadecimal
// digits.
func escape(b *strings.Builder, r rune) {
	b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		b.WriteByte(hex[r>>shift&0xf])
	}
}
