package page

import (
	"fmt"
	"html/template"
	"strings"

	"assay/internal/report"
)

// A section is a part of the page below the ranking. The table of contents lists it.
type section struct {
	ID, Title string
	Blocks    []block
}

// A block is a piece of a section. Exactly one of its fields is set, except that Summary needs
// Inner.
type block struct {
	Text    string
	List    []string
	Points  []report.Point
	Table   *table
	SVG     template.HTML
	Code    string
	Summary string // the title of Inner, which the reader can open
	Inner   []block
	Links   []Link
}

// A table is a table of a section.
type table struct {
	Title   string
	Columns []report.PartColumn
	Rows    []tableRow
	Below   []string
	// Command prints in a terminal what the table says, or the numbers that it is computed from; empty if
	// no command does.
	Command string
}

// A tableRow has a cell for each column.
type tableRow struct {
	Subject int // -1 if there is none
	Cells   []cell
}

// A cell is a text. It may have a drawing before the text, and a class.
type cell struct {
	Text, Class string
	Link        string // to another page of a site; Text is its name
	SVG         template.HTML
	Head        bool
}

// mostShort is the length in bytes up to which a cell lets its column shrink to its longest word.
const mostShort = 32

// Classes returns the classes of the cell. A long text has the additional class "text".
func (c cell) Classes() string {
	if len(c.Text) > mostShort {
		return strings.TrimSpace(c.Class + " text")
	}
	return c.Class
}

// mostWord is the length in bytes up to which a word is never broken.
const mostWord = 48

// Long reports whether the table has a word so long that it must be broken.
func (t *table) Long() bool {
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			for word := range strings.FieldsSeq(c.Text) {
				if len(word) > mostWord {
					return true
				}
			}
		}
	}
	return false
}

// mostAligned is the last column for which the style sheet has a class.
const mostAligned = 16

// Aligned returns the classes that align columns of numbers at the right: " r2" for the second
// column, " from3" for the third column and all columns after it.
func (t *table) Aligned() string {
	from := len(t.Columns)
	for from > 0 && t.Columns[from-1].Right {
		from--
	}
	var classes strings.Builder
	for i, c := range t.Columns[:min(from, mostAligned)] {
		if c.Right {
			fmt.Fprintf(&classes, " r%d", i+1)
		}
	}
	if from < len(t.Columns) && from < mostAligned {
		fmt.Fprintf(&classes, " from%d", from+1)
	}
	return classes.String()
}

func (s *section) add(b ...block) { s.Blocks = append(s.Blocks, b...) }

func text(t string) block { return block{Text: t} }

// tableOf converts a part to a table. It returns nil if the part is empty.
func tableOf(p report.Part, command string) *table {
	if len(p.Rows)+len(p.Below) == 0 {
		return nil
	}
	t := &table{Title: p.Title, Columns: p.Columns, Below: p.Below, Command: command}
	head := 0
	for i, c := range p.Columns {
		if c.Title == "contender" || c.Title == "claim" || c.Title == "path" {
			head = i
			break
		}
	}
	for _, row := range p.Rows {
		r := tableRow{Subject: -1}
		for i, text := range row {
			r.Cells = append(r.Cells, cell{Text: text, Head: i == head})
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// tables returns a block for each part that is not empty.
func tables(command string, list ...report.Part) []block {
	var out []block
	for _, p := range list {
		if t := tableOf(p, command); t != nil {
			out = append(out, block{Table: t})
		}
	}
	return out
}
