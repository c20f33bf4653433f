package report

import (
	"fmt"
	"io"
	"strings"

	"assay/contender"
)

// Axes writes a page about contenders: for each one, which axes its modes cover, why no mode
// covers the other axes, and what its authors advise.
func Axes(w io.Writer, all []*contender.Contender) error {
	var b strings.Builder
	b.WriteString("# Contenders and their modes\n\n" +
		"`assay list axes --format md` writes this page from the contenders' own descriptions. An axis is one way in which modes " +
		"differ from the default mode. \"yes\" means that a mode has it, \"no\" that the contender says below why none does, and an " +
		"empty cell that the axis is about other formats, other ops, or what its default mode does anyway.\n\n")
	axesTable(&b, all)
	b.WriteString("\n## What each axis is\n\n")
	for _, a := range contender.Axes {
		fmt.Fprintf(&b, "- `%s`: %s. The price: %s.\n", a.Name, escape(a.Text), escape(a.GivesUp))
	}
	for _, c := range all {
		fmt.Fprintf(&b, "\n## %s\n\n", escape(c.Name))
		if c.Advice.URL != "" {
			fmt.Fprintf(&b, "Its authors advise: %s (<%s>).\n\n", escape(c.Advice.Text), c.Advice.URL)
		}
		for _, m := range c.Modes {
			fmt.Fprintf(&b, "- `%s`: %s\n", m.Key, escape(m.Text))
		}
		for _, l := range c.Lacks {
			fmt.Fprintf(&b, "- no `%s`: %s.\n", l.Axis, escape(l.Reason))
		}
		if len(c.Modes)+len(c.Lacks) == 0 {
			b.WriteString("It has its default mode only.\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// axesTable writes a row for each contender and a column for each axis.
func axesTable(b *strings.Builder, all []*contender.Contender) {
	b.WriteString("| contender |")
	for _, a := range contender.Axes {
		fmt.Fprintf(b, " %s |", a.Name)
	}
	b.WriteString("\n| :-- |" + strings.Repeat(" :-- |", len(contender.Axes)) + "\n")
	for _, c := range all {
		fmt.Fprintf(b, "| %s |", escape(c.Name))
		for _, a := range contender.Axes {
			switch {
			case a.Offers(c):
				b.WriteString(" yes |")
			case a.Asks(c):
				b.WriteString(" no |")
			default:
				b.WriteString(" |")
			}
		}
		b.WriteString("\n")
	}
}
