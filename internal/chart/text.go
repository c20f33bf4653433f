package chart

import (
	"io"
	"strings"

	"assay/internal/plaintext"
	"assay/internal/texttab"
)

// leastRoom is the smallest length of the longest bar, in terminal cells, whatever the width.
const leastRoom = 12

// eighths has the last cell of a bar, by how many eighths of it are full.
var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// styles has the styles of the series, in their order.
var styles = []texttab.Style{texttab.Dim, "33", "36"}

// WriteText draws the chart for a terminal of that width in cells. Every bar has a name, so a
// reader does not need colours.
func (c *Chart) WriteText(w io.Writer, width int, color bool) error {
	s := c.scale()
	labels, names, texts := 0, 0, 0
	for _, name := range c.Series {
		names = max(names, texttab.Width(plaintext.Line(name)))
	}
	for _, g := range c.Groups {
		labels = max(labels, texttab.Width(plaintext.Line(g.Label)))
		for _, b := range g.Bars {
			if b.drawn() {
				texts = max(texts, texttab.Width(plaintext.Line(b.Text)))
			}
		}
	}
	before := 2 + labels + 2 + names + 1 // the number of cells before a bar
	room := max(leastRoom, width-before-1-texts)

	var out strings.Builder
	line := func(text string) { out.WriteString(strings.TrimRight(text, " ") + "\n") }
	line(texttab.Bold.Paint(plaintext.Line(c.Title), color))
	head := ""
	for _, g := range c.Groups {
		if g.Head != head {
			head = g.Head
			line(plaintext.Line(head))
		}
		label := g.Label
		if len(g.Bars) == 0 {
			line("  " + plaintext.Line(label))
		}
		for i, b := range g.Bars {
			start := "  " + pad(label, labels) + "  " + pad(c.Series[i], names) + " "
			label = ""
			if !b.drawn() {
				line(start + cut(b.Text, width-before))
				continue
			}
			drawn := blocks(s.at(b.Value), room)
			if drawn != "" {
				drawn = styles[i%len(styles)].Paint(drawn, color) + " "
			}
			line(start + drawn + plaintext.Line(b.Text))
		}
	}
	line(strings.Repeat(" ", before) + c.ticks(s, room))
	axis := plaintext.Line(c.axis(s))
	line(strings.Repeat(" ", max(0, min(before, width-texttab.Width(axis)))) + axis)
	return plaintext.WriteTrusted(w, out.String())
}

// blocks draws a bar over that share of room cells.
func blocks(share float64, room int) string {
	n := int(share*float64(room)*8 + 0.5)
	if share > 0 {
		n = max(n, 1)
	}
	return strings.Repeat("█", n/8) + eighths[n%8]
}

// ticks writes the labels of the ticks. If all of them do not fit without touching, it writes
// every second one, or every third, and so on.
func (c *Chart) ticks(s scale, room int) string {
	for stride := 1; ; stride++ {
		line, fits := "", true
		for i := 0; i < len(s.ticks); i += stride {
			begin, at := int(s.at(s.ticks[i])*float64(room)+0.5), texttab.Width(line)
			fits = fits && (i == 0 || begin > at+1)
			line += strings.Repeat(" ", max(0, begin-at)) + c.Tick(s.ticks[i])
		}
		if fits {
			return line
		}
	}
}

// pad pads text to that width in cells.
func pad(text string, width int) string {
	text = plaintext.Line(text)
	return text + strings.Repeat(" ", max(0, width-texttab.Width(text)))
}

// cut shortens text to at most that width in cells.
func cut(text string, width int) string {
	text = plaintext.Line(text)
	if texttab.Width(text) <= width {
		return text
	}
	return texttab.Wrap(text, max(leastRoom, width)-2)[0] + " …"
}
