package chart

import (
	"fmt"
	"io"
	"strings"

	"assay/internal/plaintext"
	"assay/internal/texttab"
)

// The measures of an SVG, in pixels. The width of text is an estimate from the average width of a
// character in common sans-serif fonts.
const (
	svgWidth  = 900
	svgMargin = 16
	letter    = 6.7 // width of a character at 12 px
	leastPlot = 200.0
	barHeight = 11
	barGap    = 2
	groupGap  = 9
	headRoom  = 24
	axisRoom  = 46
	mostChars = 60 // of a text that replaces a bar
)

// look is the style sheet. It sets the background, so that the chart is readable on a light or
// dark page. Colour-blind readers can tell the colours apart.
const look = `
svg{font:12px system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
.back{fill:#ffffff}
text{fill:#24292f}
.dim{fill:#57606a}
.title{font-size:15px;font-weight:600}
.head{font-weight:600}
.grid{stroke:#d0d7de}
.whisker{stroke:#24292f;fill:none}
.s0{fill:#8c959f}
.s1{fill:#d98a00}
.s2{fill:#0072b2}
@media (prefers-color-scheme:dark){
.back{fill:#0d1117}
text{fill:#e6edf3}
.dim{fill:#9198a1}
.grid{stroke:#30363d}
.whisker{stroke:#e6edf3}
.s0{fill:#7d8590}
.s1{fill:#e69f00}
.s2{fill:#56b4e9}
}
`

// WriteSVG writes the chart as an SVG document without external references. Text stays text, and
// the elements title and desc describe the chart.
func (c *Chart) WriteSVG(w io.Writer) error {
	s := c.scale()
	labels, texts := 0, 0
	for _, g := range c.Groups {
		labels = max(labels, texttab.Width(g.Label))
		for _, b := range g.Bars {
			if b.drawn() {
				texts = max(texts, texttab.Width(b.Text))
			}
		}
	}
	d := &drawing{scale: s, left: svgMargin + letter*float64(labels) + 10}
	d.plot = max(leastPlot, svgWidth-svgMargin-letter*float64(texts)-8-d.left)
	y := d.legend(c)
	top := y
	head := ""
	var groups drawing
	groups.scale, groups.left, groups.plot = d.scale, d.left, d.plot
	for _, g := range c.Groups {
		if g.Head != head {
			head = g.Head
			groups.text(svgMargin, y+headRoom-8, "head", "", head)
			y += headRoom
		}
		y = groups.group(g, y)
	}
	d.axis(c, top, y) // before the groups, so that bars cover the grid
	height := y + axisRoom

	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" width="%d" height="%.0f" role="img" aria-labelledby="title desc">`+"\n", svgWidth, height, svgWidth, height)
	fmt.Fprintf(&out, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n<style>%s</style>\n", escape(c.Title), escape(c.Text), look)
	fmt.Fprintf(&out, `<rect class="back" width="%d" height="%.0f"/>`+"\n", svgWidth, height)
	out.WriteString(d.out.String())
	out.WriteString(groups.out.String())
	out.WriteString("</svg>\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// A drawing is the beginning of an SVG, with the position of its bars.
type drawing struct {
	scale
	left, plot float64
	out        strings.Builder
}

// x returns the x coordinate of a value.
func (d *drawing) x(v float64) float64 { return d.left + d.plot*d.at(v) }

// text writes a text with its baseline at y. If anchor is empty, the text begins at x.
func (d *drawing) text(x, y float64, class, anchor, text string) {
	fmt.Fprintf(&d.out, `<text x="%.1f" y="%.1f"`, x, y)
	if class != "" {
		fmt.Fprintf(&d.out, ` class="%s"`, class)
	}
	if anchor != "" {
		fmt.Fprintf(&d.out, ` text-anchor="%s"`, anchor)
	}
	fmt.Fprintf(&d.out, ">%s</text>\n", escape(text))
}

// legend writes the title and the names of the series. It returns the y coordinate where the bars
// begin.
func (d *drawing) legend(c *Chart) float64 {
	d.text(svgMargin, 26, "title", "", c.Title)
	x := float64(svgMargin)
	for i, name := range c.Series {
		fmt.Fprintf(&d.out, `<rect class="s%d" x="%.1f" y="40" width="11" height="11" rx="2"/>`+"\n", i%len(styles), x)
		d.text(x+16, 50, "", "", name)
		x += 16 + letter*float64(texttab.Width(name)) + 22
	}
	return 64
}

// group draws the bars of a group from y down. It returns the y coordinate of the next group.
func (d *drawing) group(g Group, y float64) float64 {
	middle := y + float64(len(g.Bars)*(barHeight+barGap)-barGap)/2
	d.text(d.left-8, middle+4, "", "end", g.Label)
	for i, b := range g.Bars {
		base := y + barHeight - 1.5
		switch {
		case !b.drawn():
			d.text(d.left+4, base, "dim", "", cut(b.Text, mostChars))
		default:
			end := d.x(b.Value)
			fmt.Fprintf(&d.out, `<rect class="s%d" x="%.1f" y="%.1f" width="%.1f" height="%d"/>`+"\n", i%len(styles), d.left, y, max(0.5, end-d.left), barHeight)
			if b.bounded() {
				end = max(end, d.x(b.Hi))
				d.whisker(b, y)
			}
			d.text(end+5, base, "", "", b.Text)
		}
		y += barHeight + barGap
	}
	return y + groupGap
}

// whisker draws the interval of a bar.
func (d *drawing) whisker(b Bar, y float64) {
	lo, hi, middle := d.x(b.Lo), d.x(b.Hi), y+barHeight/2.0
	fmt.Fprintf(&d.out, `<path class="whisker" d="M%.1f %.1fv5M%.1f %.1fH%.1fM%.1f %.1fv5"/>`+"\n",
		lo, middle-2.5, lo, middle, hi, hi, middle-2.5)
}

// axis draws the grid from top to bottom, with the ticks and the title of the axis below it.
func (d *drawing) axis(c *Chart, top, bottom float64) {
	for _, v := range d.ticks {
		x := d.x(v)
		fmt.Fprintf(&d.out, `<path class="grid" d="M%.1f %.1fV%.1f"/>`+"\n", x, top, bottom)
		d.text(x, bottom+15, "dim", "middle", c.Tick(v))
	}
	d.text(d.left+d.plot/2, bottom+34, "dim", "middle", c.axis(d.scale))
}

// escape escapes text for XML. It also replaces characters that XML does not allow.
func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(plaintext.Line(text))
}
