package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/plaintext"
	"assay/internal/texttab"
)

// Text writes how far the run can be trusted, a table for each cell, and then the footnotes of
// all tables.
func Text(w io.Writer, r *analysis.Results, opts Options) error {
	opts = opts.orDefaults()
	if o := overview(r, opts); o != nil {
		return o.text(w, opts)
	}
	all, notes := sheets(r)
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "nothing to show: no case of the run is in view")
		return err
	}
	if err := paragraphs(w, summary(r), opts.Width); err != nil {
		return err
	}
	for _, s := range all {
		if err := s.write(w, opts); err != nil {
			return err
		}
	}
	return footnotes(w, legend(r, all), notes.Texts(), opts.Width)
}

func (o Options) orDefaults() Options {
	if o.Width == 0 {
		o.Width, o.open = 100, true
	}
	return o
}

// paragraphs writes the lines and an empty line after them. It writes nothing if there are no
// lines.
func paragraphs(w io.Writer, lines []string, width int) error {
	if len(lines) == 0 {
		return nil
	}
	if err := footnotes(w, lines, nil, width); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// write writes the tables of one cell.
func (s sheet) write(w io.Writer, opts Options) error {
	if s.title != "" {
		if err := s.writeTimes(w, opts); err != nil {
			return err
		}
	}
	for _, g := range s.more {
		if err := g.write(w, opts); err != nil {
			return err
		}
	}
	return nil
}

// writeTimes writes the table of times.
func (s sheet) writeTimes(w io.Writer, opts Options) error {
	if err := paragraphs(w, []string{plaintext.Line(s.title)}, opts.Width); err != nil {
		return err
	}
	fitted, dropped := s.fit(opts)
	if len(s.lines) > 0 {
		if err := fitted.table(opts.Width).Format(w, opts.Color); err != nil {
			return err
		}
	}
	if err := writeOutcomes(w, slices.Concat(s.failures, dropped), opts); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// table lays the sheet out for a terminal.
func (s sheet) table(width int) *texttab.Table {
	t := &texttab.Table{Limit: width}
	t.Row().Cell("").Cell("contender")
	if s.modes {
		t.Cell("mode")
	}
	t.Span(3, "time/op", texttab.Right)
	if s.speeds {
		t.Span(2, "vs "+s.reference, texttab.Center)
	}
	if s.ordinary {
		t.Cell("go build", texttab.Right)
	}
	if s.allocations {
		t.Cell("B/op", texttab.Right).Cell("allocs", texttab.Right)
	}
	if s.sizes {
		t.Cell("bytes", texttab.Right)
	}
	for _, l := range s.lines {
		s.row(t, l)
	}
	return t
}

func (s sheet) row(t *texttab.Table, l line) {
	style := texttab.Plain
	switch {
	case l.floor:
		style = texttab.Dim
	case l.best:
		style = texttab.Bold
	}
	look := texttab.Styled(style)
	t.Row().Cell(padRank(l.rank), texttab.Right, look).Cell(l.subject.Contender, look)
	if s.modes {
		t.Cell(analysis.ModeName(l.subject.Mode), look)
	}
	t.Cell(l.time, texttab.Right, look).Cell(l.unit, texttab.Margin(" "), look)
	t.Cell(l.plusMinus, texttab.Right, texttab.Margin(" "), look)
	if s.speeds {
		speed := l.speed
		if speed == "" {
			speed = "—"
		}
		t.Cell(speed, texttab.Right, look).Cell(l.bounds, texttab.Margin(" "), look)
	}
	if s.ordinary {
		t.Cell(l.ordinary, texttab.Right, look)
	}
	if s.allocations {
		t.Cell(l.allocBytes, texttab.Right, look).Cell(l.allocs, texttab.Right, look)
	}
	if s.sizes {
		t.Cell(l.size, texttab.Right, look)
	}
	t.Rest(l.marks)
}

// padRank adds a space to a rank that is not shared, to align the digits of all ranks.
func padRank(rank string) string {
	if rank == "" || strings.HasSuffix(rank, "=") {
		return rank
	}
	return rank + " "
}

// footnotes writes the legend and then the numbered notes.
func footnotes(w io.Writer, legend, numbered []string, width int) error {
	t := &texttab.Table{Limit: width}
	for _, text := range legend {
		t.Row().Rest(text)
	}
	for i, text := range numbered {
		t.Row().Cell(texttab.Superscript(i+1), texttab.Right).Cell("", texttab.Margin(" ")).Rest(text, texttab.Margin(" "))
	}
	return t.Format(w, false)
}
