package texttab

import (
	"io"
	"strings"
)

// A Headed is a table with a heading row. The zero value is ready.
type Headed struct {
	Table
	right []bool
}

// Head sets the columns; those whose name begins with > are aligned right. It comes
// before the rows.
func (t *Headed) Head(names ...string) {
	t.Table.Row()
	for _, n := range names {
		name, right := strings.CutPrefix(n, ">")
		t.right = append(t.right, right)
		t.cell(len(t.right)-1, name, Styled(Bold))
	}
}

// Line adds a row of as many cells as there are columns; the last cell may run past
// the table's edge if it is aligned left.
func (t *Headed) Line(cells ...string) {
	t.Table.Row()
	for i, c := range cells {
		if i == len(cells)-1 && !t.right[i] {
			t.Rest(c)
			continue
		}
		t.cell(i, c)
	}
}

func (t *Headed) cell(i int, text string, opts ...Option) {
	if t.right[i] {
		opts = append(opts, Right)
	}
	t.Cell(text, opts...)
}

// headedHang is where the text of a last column without room goes on, in cells from the
// left.
const headedHang = 4

// Format writes the table. Where the limit leaves the last column less than Narrowest, its
// texts go on at the left of the next line.
func (t *Headed) Format(w io.Writer, color bool) error {
	offsets, margins := t.layout()
	for i, c := range t.cells {
		if c.span > 0 {
			continue
		}
		t.cells[i].hang = 0
		if t.Limit > 0 && t.Limit-offsets[c.col]-margins[c.col] < Narrowest {
			t.cells[i].hang = headedHang
		}
	}
	return t.Table.Format(w, color)
}
