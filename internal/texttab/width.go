package texttab

import (
	"strings"
	"unicode"

	"assay/internal/plaintext"
)

// wide are the runes that take two terminal cells: the ranges of Unicode's East
// Asian Width classes W and F that occur in practice, coarsened to blocks.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, // Hangul initial consonants
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1}, // CJK radicals and punctuation
		{Lo: 0x3041, Hi: 0x33ff, Stride: 1}, // kana to CJK compatibility
		{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, // CJK extension A
		{Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, // CJK
		{Lo: 0xa000, Hi: 0xa4cf, Stride: 1}, // Yi
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, // Hangul
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1}, // CJK compatibility
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, // CJK compatibility forms
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, // fullwidth forms
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1}, // fullwidth signs
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, // pictographs and emoji
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1}, // transport
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1}, // more pictographs
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1}, // CJK extensions
	},
}

// Width returns how many terminal cells the text takes.
func Width(text string) int {
	width := 0
	for _, r := range text {
		width += runeWidth(r)
	}
	return width
}

func runeWidth(r rune) int {
	switch {
	case r < 0x20 || r == 0x7f:
		return 0
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// Wrap breaks the text at spaces into lines of at most width cells. A word that
// is wider than that is cut. The result has at least one line.
func Wrap(text string, width int) []string { return wrap(text, max(width, 1), max(width, 1)) }

// wrap is Wrap with another width of the first line, which stays empty where its
// first word does not fit.
func wrap(text string, first, width int) []string {
	width, further := first, width
	var lines []string
	line, used := "", 0
	flush := func() {
		lines = append(lines, line)
		line, used, width = "", 0, further
	}
	for _, word := range strings.Fields(plaintext.Line(text)) {
		if used > 0 && used+1+Width(word) > width || len(lines) == 0 && width < min(further, Width(word)) {
			flush()
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		for _, r := range word {
			if used > 0 && used+runeWidth(r) > width {
				flush()
			}
			line, used = line+string(r), used+runeWidth(r)
		}
	}
	if used > 0 || len(lines) == 0 {
		flush()
	}
	return lines
}
