package page

import (
	"fmt"
	"html/template"
	"strings"

	"assay/internal/report"
)

// A section is a part of the page below the ranking, with an entry in its contents.
type section struct {
	ID, Title string
	Blocks    []block
}

// A block is a piece of a section. One of its fields but Command, Class and Inner is set.
type block struct {
	Text    string
	List    []string
	Points  []report.Point
	Table   *table
	SVG     template.HTML
	Code    string
	Summary string // of Inner, which opens
	Inner   []block
	Links   []Link
}

// A table is a table of a section.
type table struct {
	Title   string
	Columns []report.PartColumn
	Rows    []tableRow
	Below   []string
	// Command prints the same in a terminal; empty: none does.
	Command string
}

// A tableRow has a cell for each column.
type tableRow struct {
	Subject int // -1: none
	Cells   []cell
}

// A cell is a text, with a drawing before it or a class.
type cell struct {
	Text, Class string
	Link        string // to another page of a site; Text is its name
	SVG         template.HTML
	Head        bool
}

// mostShort is how many bytes a cell may have whose column may become as narrow as its
// longest word.
const mostShort = 32

// Classes are the cell's class, and one for a text of some length.
func (c cell) Classes() string {
	if len(c.Text) > mostShort {
		return strings.TrimSpace(c.Class + " text")
	}
	return c.Class
}

// mostWord is how many bytes a word may have that is not broken, but makes its column as
// wide.
const mostWord = 48

// Long says that the table has a word that is broken where it does not fit.
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

// mostAligned is the last column that the style has a class for.
const mostAligned = 16

// Aligned are classes by which the style puts columns of numbers at the right: " r2" for
// the second, " from3" for the third and all after it.
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

// tableOf lays out a part; nil where it has nothing.
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

// tables returns blocks of the parts that have something.
func tables(command string, list ...report.Part) []block {
	var out []block
	for _, p := range list {
		if t := tableOf(p, command); t != nil {
			out = append(out, block{Table: t})
		}
	}
	return out
}
