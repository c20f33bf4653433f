package texttab

import (
	"slices"
	"strconv"
	"strings"
)

// Notes are numbered footnotes. Equal texts share a number. The zero Notes is empty.
type Notes struct{ texts []string }

// Mark returns the mark of the footnote with that text, in superscript digits. It adds the
// footnote if it is new.
func (n *Notes) Mark(text string) string {
	i := slices.Index(n.texts, text)
	if i < 0 {
		i = len(n.texts)
		n.texts = append(n.texts, text)
	}
	return Superscript(i + 1)
}

// Texts returns the footnotes in the order of their numbers, from 1.
func (n *Notes) Texts() []string { return n.texts }

// Superscript returns the number in superscript digits.
func Superscript(number int) string {
	return strings.NewReplacer(
		"0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "-", "⁻",
	).Replace(strconv.Itoa(number))
}
