package texttab

import "strings"

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
