// Package texttab lays out tables for a terminal: columns of even width, numbers aligned right,
// cells that span columns, and footnotes. The idea comes from benchstat's package of the same
// name. Here widths are in terminal cells, so wide and combining runes line up, and colour does
// not count.
package texttab

import (
	"io"
	"slices"
	"strings"

	"assay/internal/plaintext"
)

// A Table is a table of rows of cells. The zero Table is empty and ready to use. Row begins a
// row; Cell, Span and Rest add a cell to the current row.
type Table struct {
	cells []cell
	rows  int
	cols  int
	col   int // index of the next cell's column
	// Limit is the largest width of a line, in terminal cells. The text of Rest wraps at it;
	// columns never wrap. 0 means no limit.
	Limit int
}

type cell struct {
	row, col, span int // 0 for Rest, which does not widen columns
	text           string
	margin         string
	align          alignment
	style          Style
	hang           int // indentation of the further lines of a Rest; 0 for below its first line
}

type alignment int

const (
	left alignment = iota
	right
	center
)

// A Style is the look of a cell's text if colour is on: the parameters of an ANSI "select graphic
// rendition" sequence. The empty Style is plain.
type Style string

// The styles in use.
const (
	Plain Style = ""
	Bold  Style = "1"
	Dim   Style = "2"
	Red   Style = "31"
)

// Paint returns text in the style. If colour is off, it returns text unchanged.
func (s Style) Paint(text string, color bool) string {
	if !color || s == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// An Option changes one cell.
type Option func(*cell)

// Right aligns the cell's text right.
func Right(c *cell) { c.align = right }

// Center centers the cell's text.
func Center(c *cell) { c.align = center }

// Styled shows the cell in the style.
func Styled(s Style) Option { return func(c *cell) { c.style = s } }

// Hang sets the indentation, in cells, of the further lines of a Rest. By default they begin
// below its first line.
func Hang(indent int) Option { return func(c *cell) { c.hang = indent } }

// Margin sets the text to the left of the cell. All margins of a column have the width of the
// widest one. The default is two spaces, and nothing in the first column.
func Margin(text string) Option { return func(c *cell) { c.margin = text } }

// Row begins a new row.
func (t *Table) Row() *Table {
	t.rows++
	t.col = 0
	return t
}

// Cell adds a cell of one column.
func (t *Table) Cell(text string, opts ...Option) *Table { return t.Span(1, text, opts...) }

// Span adds a cell of n columns. If its text is wider than the columns, they all grow by the same
// amount.
func (t *Table) Span(n int, text string, opts ...Option) *Table {
	if n < 1 {
		panic("texttab: a cell spans at least one column")
	}
	t.add(n, text, opts)
	t.col += n
	t.cols = max(t.cols, t.col)
	return t
}

// Rest adds the last cell of the row, at the left of the next column. It may run past the table's
// right edge and does not widen any column.
func (t *Table) Rest(text string, opts ...Option) *Table {
	t.add(0, text, opts)
	return t
}

func (t *Table) add(span int, text string, opts []Option) {
	if t.rows == 0 {
		t.rows = 1
	}
	c := cell{row: t.rows - 1, col: t.col, span: span, text: plaintext.Line(text), margin: "  "}
	if t.col == 0 {
		c.margin = ""
	}
	for _, opt := range opts {
		opt(&c)
	}
	t.cells = append(t.cells, c)
}

// Format writes the table. Lines have no trailing spaces. Control characters in the texts of
// cells are escaped, so the only control sequences are those of styles.
func (t *Table) Format(w io.Writer, color bool) error {
	offsets, margins := t.layout()
	var out strings.Builder
	for row, i := 0, 0; row < t.rows; row++ {
		line, at := "", 0 // at is the width of line
		var rest []string
		for ; i < len(t.cells) && t.cells[i].row == row; i++ {
			c := t.cells[i]
			if c.text == "" && strings.TrimSpace(c.margin) == "" {
				continue
			}
			begin := offsets[c.col]
			text := begin + margins[c.col]
			if c.span > 0 {
				text += c.align.pad(offsets[c.col+c.span] - text - Width(c.text))
			} else if t.Limit > 0 {
				hang, first := text, max(t.Limit-text, Narrowest)
				if c.hang > 0 {
					hang, first = c.hang, t.Limit-text
					if first < Narrowest/2 && Width(c.text) > first {
						first = 0 // the first line would have only a word or two
					}
				}
				rest = wrap(c.text, first, max(t.Limit-hang, Narrowest))
				c.text, rest = rest[0], rest[1:]
				for k, more := range rest {
					rest[k] = strings.Repeat(" ", hang) + c.style.Paint(more, color)
				}
			}
			line += strings.Repeat(" ", max(0, begin-at)) + c.margin
			line += strings.Repeat(" ", max(0, text-begin-Width(c.margin))) + c.style.Paint(c.text, color)
			at = text + Width(c.text)
		}
		for _, line := range append([]string{line}, rest...) {
			out.WriteString(strings.TrimRight(line, " "))
			out.WriteByte('\n')
		}
	}
	return plaintext.WriteTrusted(w, out.String())
}

// Narrowest is the smallest width that the text of Rest wraps to, even if the limit is smaller.
// Narrower columns of words are hard to read.
const Narrowest = 24

// pad returns how much of the free room is before the text.
func (a alignment) pad(room int) int {
	switch a {
	case right:
		return max(0, room)
	case center:
		return max(0, room/2)
	}
	return 0
}

// layout returns the offset of each column, followed by the table's width, and the width of each
// column's margin.
func (t *Table) layout() (offsets, margins []int) {
	margins = make([]int, t.cols+1)
	for _, c := range t.cells {
		if c.text != "" {
			margins[c.col] = max(margins[c.col], Width(c.margin))
		}
	}
	widths := make([]int, t.cols)
	// Narrow spans come first, so that a wide span asks only for the width that is still missing.
	order := slices.Clone(t.cells)
	slices.SortStableFunc(order, func(a, b cell) int { return a.span - b.span })
	for _, c := range order {
		if c.span == 0 || c.text == "" {
			continue
		}
		missing := margins[c.col] + Width(c.text)
		for i := range c.span {
			missing -= widths[c.col+i]
		}
		for i := range c.span {
			if missing <= 0 {
				break
			}
			share := (missing + c.span - i - 1) / (c.span - i)
			widths[c.col+i] += share
			missing -= share
		}
	}
	offsets = make([]int, t.cols+1)
	for i, width := range widths {
		offsets[i+1] = offsets[i] + width
	}
	return offsets, margins
}
