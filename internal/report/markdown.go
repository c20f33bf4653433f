package report

import (
	"fmt"
	"io"
	"strings"

	"assay/internal/analysis"
	"assay/internal/plaintext"
)

// Markdown writes a pipe table for each cell and then the footnotes of all tables as a list.
func Markdown(w io.Writer, r *analysis.Results, opts Options) error {
	var b strings.Builder
	if o := overview(r, opts); o != nil {
		o.markdown(&b)
		_, err := io.WriteString(w, b.String())
		return err
	}
	all, notes := sheets(r)
	if len(all) == 0 {
		b.WriteString("Nothing to show: no case of the run is in view.\n")
	}
	if len(all) > 0 {
		for _, text := range summary(r) {
			fmt.Fprintf(&b, "%s\n\n", paragraph(text))
		}
	}
	for _, s := range all {
		if s.title != "" {
			fmt.Fprintf(&b, "### %s\n\n", escape(s.title))
		}
		if len(s.lines) > 0 {
			s.markdown(&b)
			b.WriteByte('\n')
		}
		markdownOutcomes(&b, s.failures)
		for _, g := range s.more {
			g.markdown(&b)
		}
	}
	for _, text := range legend(r, all) {
		fmt.Fprintf(&b, "- %s\n", paragraph(text))
	}
	for _, text := range numbered(notes) {
		fmt.Fprintf(&b, "- %s\n", paragraph(text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s sheet) markdown(b *strings.Builder) {
	head, rule := []string{"", "contender"}, []string{"--:", ":--"}
	column := func(shown bool, title, align string) {
		if shown {
			head, rule = append(head, title), append(rule, align)
		}
	}
	column(s.modes, "mode", ":--")
	column(true, "time/op", "--:")
	column(s.speeds, "vs "+s.reference, "--:")
	column(s.ordinary, "go build", "--:")
	column(s.allocations, "B/op", "--:")
	column(s.allocations, "allocs", "--:")
	column(s.sizes, "bytes", "--:")
	column(true, "", ":--")
	pipe(b, head)
	fmt.Fprintf(b, "|%s|\n", strings.Join(rule, "|"))
	for _, l := range s.lines {
		cells := []string{l.rank, l.subject.Contender}
		cell := func(shown bool, text string) {
			if shown {
				cells = append(cells, text)
			}
		}
		cell(s.modes, analysis.ModeName(l.subject.Mode))
		cell(true, strings.TrimSpace(l.time+" "+l.unit+" "+l.plusMinus))
		cell(s.speeds, strings.TrimSpace(l.speed+" "+l.bounds))
		cell(s.ordinary, l.ordinary)
		cell(s.allocations, l.allocBytes)
		cell(s.allocations, l.allocs)
		cell(s.sizes, l.size)
		cell(true, l.marks)
		pipe(b, cells)
	}
}

// pipe writes one row of a pipe table.
func pipe(b *strings.Builder, cells []string) {
	for _, c := range cells {
		b.WriteString("| ")
		b.WriteString(escape(c))
		if c != "" {
			b.WriteByte(' ')
		}
	}
	b.WriteString("|\n")
}

// escape returns text on one line that Markdown shows unchanged.
func escape(text string) string { return plaintext.Markdown(text) }

// paragraph does what escape does, for a text that begins a paragraph or an item of a list.
func paragraph(text string) string { return plaintext.MarkdownParagraph(text) }
