package texttab

import (
	"io"
	"slices"
	"strings"
)

// A Headed is a table with a heading row. The zero value is ready to use.
type Headed struct {
	Table
	right []bool
	// spare lists the columns that are left out if lines would be too long. names are the names
	// of all columns.
	spare []int
	names []string
}

// Head sets the columns. It must be called before Line. A column whose name begins with > is
// aligned right. If the limit is too narrow, columns whose names begin with ? are left out, the
// last one first.
func (t *Headed) Head(names ...string) {
	t.Table.Row()
	for i, n := range names {
		name, spare := strings.CutPrefix(n, "?")
		if spare {
			t.spare = append(t.spare, i)
		}
		name, right := strings.CutPrefix(name, ">")
		t.right, t.names = append(t.right, right), append(t.names, name)
		t.cell(i, name, Styled(Bold))
	}
}

// Line adds a row with one cell for each column. The last cell may run past the table's edge if
// it is aligned left.
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

// headedHang is the indentation, in cells, of a last column that has too little room beside the
// other columns.
const headedHang = 4

// Format writes the table. If the limit leaves less than Narrowest for the last column, its texts
// continue at the left of the next line. A line below the table names the columns that were left
// out.
func (t *Headed) Format(w io.Writer, color bool) error {
	t = t.clone()
	var missing []string
	for _, col := range slices.Backward(t.spare) {
		if t.Limit == 0 || t.width() <= t.Limit {
			break
		}
		missing = append([]string{t.names[col]}, missing...)
		t.leaveOut(col)
	}
	if len(missing) > 0 {
		t.Row().Rest("no room: " + strings.Join(missing, ", ") + " (a wider terminal, or --format json, has them)")
	}
	offsets, margins := t.layout()
	for i, c := range t.cells {
		if c.span > 0 {
			if last := len(t.names) - 1; t.Limit > 0 && c.row == 0 && c.col == last && !t.right[last] && offsets[last+1] > t.Limit {
				t.cells[i].text = "" // the column's texts are not below its heading
			}
			continue
		}
		t.cells[i].hang = 0
		if t.Limit > 0 && t.Limit-offsets[c.col]-margins[c.col] < Narrowest {
			t.cells[i].hang = headedHang
		}
	}
	return t.Table.Format(w, color)
}

func (t *Headed) clone() *Headed {
	c := *t
	c.cells, c.names, c.right = slices.Clone(t.cells), slices.Clone(t.names), slices.Clone(t.right)
	return &c
}

// width returns the width of all columns. For a last column that wraps only the heading counts.
func (t *Headed) width() int {
	offsets, _ := t.layout()
	return offsets[t.cols]
}

// leaveOut removes a column.
func (t *Headed) leaveOut(col int) {
	t.cells = slices.DeleteFunc(t.cells, func(c cell) bool { return c.col == col })
	for i := range t.cells {
		if t.cells[i].col > col {
			t.cells[i].col--
		}
	}
	t.names, t.right = slices.Delete(t.names, col, col+1), slices.Delete(t.right, col, col+1)
	t.cols--
}
