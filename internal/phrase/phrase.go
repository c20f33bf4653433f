// Package phrase formats the words of output: numbers of things, durations, sentences,
// wrapped paragraphs, and command lines that can be pasted into a shell.
package phrase

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Count returns a number of things in words: "1 case", "2 cases", "3 batches".
func Count[N int | int64](n N, thing string) string {
	return fmt.Sprintf("%d %s", n, Things(int64(n), thing))
}

// Things returns thing in the singular or plural for n: "case", "cases", "batches",
// "entries".
func Things(n int64, thing string) string {
	switch stem, y := strings.CutSuffix(thing, "y"); {
	case n == 1:
		return thing
	case strings.HasSuffix(thing, "ch"), strings.HasSuffix(thing, "ss"):
		return thing + "es"
	case y && stem != "" && !strings.ContainsAny(stem[len(stem)-1:], "aeiou"):
		return stem + "ies"
	}
	return thing + "s"
}

// Grouped returns a number with a comma between thousands: "1,234,567".
func Grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Seconds returns a duration in milliseconds if it is below a second, and otherwise to a
// tenth of a second.
func Seconds(d time.Duration) string {
	if d < time.Second {
		return max(d.Round(time.Millisecond), time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// List joins words with commas, and a conjunction before the last: "a, b and c".
func List(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// Some lists at most most of the words, and the number of the others: "a, b and c", "a, b, c
// and 4 more".
func Some(words []string, most int) string {
	if more := len(words) - most; more > 0 {
		words = append(slices.Clone(words[:most]), fmt.Sprintf("%d more", more))
	}
	return List(words, "and")
}

// FirstLine returns the text before the first line break.
func FirstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// Sentence makes a sentence of a phrase: it adds a capital letter and a full stop. The empty
// phrase stays empty.
func Sentence(s string) string {
	if s == "" {
		return ""
	}
	_, first := utf8.DecodeRuneInString(s)
	s = strings.ToUpper(s[:first]) + s[first:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// Width is the width, in cells, of texts that do not depend on the terminal.
const Width = 80

// Paragraphs writes paragraphs wrapped at Width, with an empty line between them. It returns
// an error of w.
func Paragraphs(w io.Writer, texts ...string) error {
	for i, t := range texts {
		if i > 0 {
			fmt.Fprintln(w)
		}
		width := 0
		for _, word := range strings.Fields(t) {
			n := len([]rune(word))
			switch {
			case width == 0:
			case width+1+n > Width:
				fmt.Fprintln(w)
				width = 0
			default:
				fmt.Fprint(w, " ")
				width++
			}
			fmt.Fprint(w, word)
			width += n
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}

// Bullets returns a list of paragraphs, each wrapped at 78 columns and with a hyphen before
// it.
func Bullets(paragraphs []string) string {
	const width = 78
	var b strings.Builder
	for _, p := range paragraphs {
		line := "-"
		for _, word := range strings.Fields(p) {
			if utf8.RuneCountInString(line+word)+1 > width {
				b.WriteString(line + "\n")
				line = " "
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// mostLines is how many lines Several passes on.
const mostLines = 20

// Several calls say with the first twenty lines and, if there are more, with a line that says
// how many.
func Several(lines []string, say func(line string)) {
	for i, line := range lines {
		if i == mostLines {
			say(fmt.Sprintf("and %d more like these", len(lines)-mostLines))
			return
		}
		say(line)
	}
}

// plainly lists the characters that need no quotes in a shell.
const plainly = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-"

// ShellLine returns a line that a POSIX shell splits into words again.
func ShellLine(words ...string) string {
	line := make([]string, len(words))
	for i, w := range words {
		if w == "" || strings.Trim(w, plainly) != "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		line[i] = w
	}
	return strings.Join(line, " ")
}
