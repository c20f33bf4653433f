// Package screen emulates a small terminal. It shows what a program writes, runs programs on a
// pseudo-terminal, and records their output in asciinema's format. It is for tests and recordings
// of what assay shows during a measurement.
package screen

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/internal/texttab"
)

// A Screen is the content of a terminal of a fixed width. It knows the control sequences that
// assay writes: styles, moving the cursor up, and clearing. A newline moves the cursor to the
// beginning of the next line.
type Screen struct {
	width, height int
	lines         [][]cell
	row, col      int
	style         string
	rest          string // beginning of an incomplete sequence or rune
	unknown       []string
}

type cell struct {
	r     rune // 0 for the second half of a wide rune
	style string
}

// New returns an empty screen.
func New(width, height int) *Screen {
	return &Screen{width: width, height: height, lines: make([][]cell, height)}
}

// Resize changes the height as terminals do. A lower screen first loses the lines below the cursor,
// and then those at the top.
func (s *Screen) Resize(height int) {
	for len(s.lines) > height {
		if s.row < len(s.lines)-1 {
			s.lines = s.lines[:len(s.lines)-1]
			continue
		}
		s.lines, s.row = slices.Delete(s.lines, 0, 1), s.row-1
	}
	for len(s.lines) < height {
		s.lines = append(s.lines, nil)
	}
	s.height = height
}

// Write shows text.
func (s *Screen) Write(p []byte) (int, error) {
	text := s.rest + string(p)
	for text != "" {
		n := s.step(text)
		if n == 0 {
			break
		}
		text = text[n:]
	}
	s.rest = text
	return len(p), nil
}

// step shows the first rune or sequence of a text and returns its length. It returns 0 if the
// rune or sequence is incomplete.
func (s *Screen) step(text string) int {
	switch text[0] {
	case '\r':
		s.col = 0
		return 1
	case '\n':
		s.newline()
		return 1
	case '\x1b':
		return s.sequence(text)
	}
	if !utf8.FullRuneInString(text) {
		return 0
	}
	r, n := utf8.DecodeRuneInString(text)
	s.put(r)
	return n
}

func (s *Screen) newline() {
	s.col = 0
	if s.row++; s.row == s.height {
		s.row--
		s.lines = append(slices.Delete(s.lines, 0, 1), nil)
	}
}

func (s *Screen) put(r rune) {
	wide := texttab.Width(string(r))
	if s.col+wide > s.width {
		s.newline()
	}
	line := s.lines[s.row]
	for len(line) < s.col+wide {
		line = append(line, cell{r: ' '})
	}
	for i := range wide {
		line[s.col+i] = cell{0, s.style}
	}
	if wide > 0 {
		line[s.col].r = r
	}
	s.lines[s.row], s.col = line, s.col+wide
}

// sequence carries out a control sequence and returns its length. It returns 0 if the sequence is
// incomplete.
func (s *Screen) sequence(text string) int {
	if len(text) < 2 {
		return 0
	}
	end := strings.IndexFunc(text[2:], func(r rune) bool { return r >= 0x40 && r <= 0x7e })
	if text[1] != '[' {
		s.unknown = append(s.unknown, text[:2])
		return 2
	}
	if end < 0 {
		return 0
	}
	end += 2
	arg := text[2:end]
	n, err := strconv.Atoi(arg)
	if err != nil {
		n = 0
	}
	switch text[end] {
	case 'm':
		if s.style = arg; arg == "0" {
			s.style = ""
		}
	case 'A':
		s.row = max(0, s.row-max(1, n))
	case 'K':
		s.lines[s.row] = s.lines[s.row][:min(s.col, len(s.lines[s.row]))]
	case 'J':
		s.lines[s.row] = s.lines[s.row][:min(s.col, len(s.lines[s.row]))]
		clear(s.lines[s.row+1:])
	default:
		s.unknown = append(s.unknown, text[:end+1])
	}
	return end + 1
}

// Lines returns the lines on the screen, without spaces at their ends and without empty lines at
// the bottom.
func (s *Screen) Lines() []string {
	var out []string
	for _, line := range s.lines {
		var text strings.Builder
		for _, c := range line {
			if c.r != 0 {
				text.WriteRune(c.r)
			}
		}
		out = append(out, strings.TrimRight(text.String(), " "))
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// Text returns the lines of Lines as one text.
func (s *Screen) Text() string {
	var out strings.Builder
	for _, line := range s.Lines() {
		out.WriteString(line + "\n")
	}
	return out.String()
}

// Style returns the first style in a line, as the parameters of its control sequence. It returns
// "" if the line has no style.
func (s *Screen) Style(line int) string {
	for _, c := range s.lines[line] {
		if c.style != "" {
			return c.style
		}
	}
	return ""
}

// Unknown returns the sequences that the screen does not know.
func (s *Screen) Unknown() []string { return s.unknown }
