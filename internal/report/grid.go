package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/plaintext"
	"assay/internal/texttab"
	"assay/result"
)

// A grid is a table of texts with remarks below it. A column without any text is left out.
type grid struct {
	title   string
	columns []column
	rows    [][]string
	below   []outcome
	// serves says that this is the table of the service metrics: CPU time and memory with the
	// garbage collector on.
	serves bool
	// drops lists the titles of the columns that are dropped if the table is too wide, in this
	// order. A column without a title is dropped with the column before it.
	drops []string
	// spare lists the titles of further columns, which are dropped only on a terminal.
	spare []string
	// rest says that the last column holds words, which may wrap to the next line.
	rest bool
	// tight says that the table is part of a screen. It has no empty lines around it, and the
	// screen itself names the dropped columns.
	tight bool
	// close says that columns are one space apart and that the table has no left margin.
	close bool
	// styles are the styles of the first rows; the other rows are plain.
	styles []texttab.Style
}

// margins returns the margin before the first column and the margin before each other column.
func (g *grid) margins() (first, other string) {
	if g.close {
		return "", " "
	}
	return "    ", "  "
}

type column struct {
	title string
	right bool
}

// An outcome is a status, or another word, with its reason and the subjects that it applies to.
type outcome struct {
	word, reason string
	subjects     []string
	// modes counts the subjects, each mode by itself, if none of them is a default mode;
	// otherwise it is 0.
	modes int
}

// text returns the outcome without its word: "mus, msgp (output=reuse): no uint64".
func (o outcome) text() string {
	if len(o.subjects) == 0 {
		return o.reason
	}
	return strings.TrimSuffix(strings.Join(o.subjects, ", ")+": "+plaintext.Line(o.reason), ": ")
}

// lone reports whether any number of the grid is based on a single sample.
func (g *grid) lone() bool {
	return slices.ContainsFunc(g.rows, func(cells []string) bool {
		return slices.ContainsFunc(cells, func(c string) bool { return strings.Contains(c, noInterval) })
	})
}

// row adds a row.
func (g *grid) row(cells ...string) { g.rows = append(g.rows, cells) }

// shown returns the indices of the columns that have text.
func (g *grid) shown() []int {
	var shown []int
	for i := range g.columns {
		if slices.ContainsFunc(g.rows, func(row []string) bool { return row[i] != "" }) {
			shown = append(shown, i)
		}
	}
	return shown
}

// write lays the grid out for a terminal.
func (g *grid) write(w io.Writer, opts Options) error {
	if err := footnotes(w, []string{g.title}, nil, opts.Width); err != nil {
		return err
	}
	if err := g.space(w); err != nil {
		return err
	}
	t := &texttab.Table{Limit: opts.Width}
	shown, dropped := g.fit(opts)
	last := len(g.columns) - 1
	var below []texttab.Option
	if opts.Width-g.wide(shown) < texttab.Narrowest+2 {
		below = append(below, texttab.Hang(8))
	}
	add := func(cells []string, style texttab.Style) {
		look := texttab.Styled(style)
		t.Row()
		for _, i := range shown {
			if g.rest && i == last {
				t.Rest(cells[i], append(slices.Clone(below), look)...)
				continue
			}
			align := []texttab.Option{look}
			if g.columns[i].right {
				align = append(align, texttab.Right)
			}
			first, other := g.margins()
			if i == shown[0] {
				align = append(align, texttab.Margin(first))
			} else {
				align = append(align, texttab.Margin(other))
			}
			t.Cell(cells[i], align...)
		}
	}
	if len(g.rows) > 0 {
		head := make([]string, len(g.columns))
		for i, c := range g.columns {
			head[i] = c.title
		}
		add(head, texttab.Plain)
	}
	for i, row := range g.rows {
		style := texttab.Plain
		if i < len(g.styles) {
			style = g.styles[i]
		}
		add(row, style)
	}
	if err := t.Format(w, opts.Color); err != nil {
		return err
	}
	if g.tight {
		dropped = nil
	}
	if err := writeOutcomes(w, slices.Concat(g.below, dropped), opts); err != nil {
		return err
	}
	return g.space(w)
}

// space writes an empty line unless the table is tight.
func (g *grid) space(w io.Writer) error {
	if g.tight {
		return nil
	}
	_, err := fmt.Fprintln(w)
	return err
}

// writeOutcomes writes each outcome on one line or more, over the whole width.
func writeOutcomes(w io.Writer, outcomes []outcome, opts Options) error {
	t := &texttab.Table{Limit: opts.Width}
	for _, o := range outcomes {
		t.Row().Cell(o.word, texttab.Margin("    "), texttab.Styled(texttab.Red)).Rest(o.text())
	}
	return t.Format(w, opts.Color)
}

// markdown writes the grid as a pipe table.
func (g *grid) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "### %s\n\n", escape(g.title))
	var head, rule []string
	shown := g.shown()
	for _, i := range shown {
		head = append(head, g.columns[i].title)
		if g.columns[i].right {
			rule = append(rule, "--:")
		} else {
			rule = append(rule, ":--")
		}
	}
	if len(g.rows) > 0 {
		pipe(b, head)
		fmt.Fprintf(b, "|%s|\n", strings.Join(rule, "|"))
	}
	for _, row := range g.rows {
		var cells []string
		for _, i := range shown {
			cells = append(cells, row[i])
		}
		pipe(b, cells)
	}
	b.WriteByte('\n')
	markdownOutcomes(b, g.below)
}

func markdownOutcomes(b *strings.Builder, outcomes []outcome) {
	for _, o := range outcomes {
		fmt.Fprintf(b, "- **%s** %s\n", escape(o.word), escape(o.text()))
	}
	if len(outcomes) > 0 {
		b.WriteByte('\n')
	}
}

// A tally collects outcomes. It merges outcomes with the same word and reason, and names the
// modes of one contender together.
type tally struct {
	order []outcomeKey
	of    map[outcomeKey][]result.Subject
}

type outcomeKey struct{ word, reason string }

func (t *tally) add(s result.Subject, word, reason string) {
	key := outcomeKey{word, reason}
	if t.of == nil {
		t.of = make(map[outcomeKey][]result.Subject)
	}
	if t.of[key] == nil {
		t.order = append(t.order, key)
	}
	if !slices.Contains(t.of[key], s) {
		t.of[key] = append(t.of[key], s)
	}
}

func (t *tally) outcomes() []outcome {
	var all []outcome
	for _, key := range t.order {
		o := outcome{word: key.word, reason: key.reason}
		var names []string
		if !slices.ContainsFunc(t.of[key], func(s result.Subject) bool { return s.Mode == "" }) {
			o.modes = len(t.of[key])
		}
		modes := make(map[string][]string)
		for _, s := range t.of[key] {
			if modes[s.Contender] == nil {
				names = append(names, s.Contender)
			}
			modes[s.Contender] = append(modes[s.Contender], analysis.ModeName(s.Mode))
		}
		for _, name := range names {
			if m := modes[name]; len(m) > 1 || m[0] != analysis.DefaultMode {
				name += " (" + strings.Join(m, "; ") + ")"
			}
			o.subjects = append(o.subjects, name)
		}
		all = append(all, o)
	}
	return all
}
