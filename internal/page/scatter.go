package page

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"unicode/utf8"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/report"
	"assay/result"
)

// mostPoints is how many points a picture has. Points of the Pareto front come first, then the
// first rows of the ranking.
const mostPoints = 80

// A point is a subject in a picture. If the picture covers all workloads, time and size are
// relative to the reference; otherwise they are in ns and bytes.
type point struct {
	subject int
	name    string
	x       analysis.Interval
	y       float64
	front   bool
	shape   string // "text", "free" or "schema"
}

// shapeOf returns the shape of a point, which shows what a reader of the bytes needs.
func shapeOf(c *contender.Contender) string {
	switch {
	case c.Is(contender.HumanReadable):
		return "text"
	case c.Is(contender.SchemaFree):
		return "free"
	}
	return "schema"
}

// pictures draws size against time: by code-only time and, if it was measured, by CPU time with
// the garbage collector on.
func (p *builder) pictures(d *dataset) []picture {
	var out []picture
	for _, metric := range []string{"time", "cpu"} {
		points, floor := p.points(d, metric)
		if len(points) < 2 {
			continue
		}
		how := "code only, garbage collector off"
		if metric == "cpu" {
			how = "CPU time with the garbage collector on"
		}
		label := fmt.Sprintf("Size against %s time, %s: %s", report.OpsText(d.overview), how, d.Title)
		pic := picture{Metric: metric, Caption: label, SVG: scatter(points, floor, d.cell.Workload != "", label, d.overview.Reference.String())}
		out = append(out, pic)
	}
	return out
}

// points returns the points of a picture, those of the front first, and the time of the floor; 0
// if there is none.
func (p *builder) points(d *dataset, metric string) (points []point, floor float64) {
	o := d.overview
	absolute := d.cell.Workload != ""
	var tables []*analysis.Table
	if absolute {
		for i := range p.Results.Tables {
			t := &p.Results.Tables[i]
			if t.Cell.Workload == d.cell.Workload && t.Cell.Size == d.cell.Size && slices.Contains(o.Ops, t.Cell.Op) {
				tables = append(tables, t)
			}
		}
		if metric == "time" {
			floor = floorOf(tables)
		}
	}
	for _, row := range o.Rows {
		ratio, front := row.Overall, row.Front
		if metric == "cpu" {
			ratio, front = row.CPU, row.CPUFront
		}
		if row.Size == nil || ratio == nil || !finite(*row.Size, ratio.Value) || !(*row.Size > 0) || !(ratio.Value > 0) {
			continue
		}
		pt := point{subject: p.subject(row.Subject), name: row.Subject.String(), x: *ratio, y: *row.Size, front: front, shape: shapeOf(p.about(row.Contender))}
		if absolute {
			time, size, ok := absoluteOf(tables, row.Subject, metric)
			if !ok {
				continue
			}
			pt.x, pt.y = time, size
		}
		points = append(points, pt)
	}
	slices.SortStableFunc(points, func(a, b point) int {
		switch {
		case a.front == b.front:
			return 0
		case a.front:
			return -1
		}
		return 1
	})
	return points[:min(len(points), mostPoints)], floor
}

// floorOf returns the sum of the floor's times over all tables. It returns 0 if a table has no
// floor.
func floorOf(tables []*analysis.Table) float64 {
	sum := 0.0
	for _, t := range tables {
		row, ok := t.Row(t.Cell.Case(result.Subject{Contender: analysis.Floor}), analysis.Time)
		if !ok || row.Number == nil || !finite(row.Number.Value) {
			return 0
		}
		sum += row.Number.Value
	}
	return sum
}

// absoluteOf returns the time of a subject, summed over the tables of a round trip or op, and its
// size.
func absoluteOf(tables []*analysis.Table, s result.Subject, metric string) (time analysis.Interval, size float64, ok bool) {
	name := analysis.Time
	if metric == "cpu" {
		name = analysis.CPUTime
	}
	for _, t := range tables {
		who := t.StandIn(s)
		row, found := t.Row(t.Cell.Case(who), name)
		if !found || row.Number == nil || !finite(row.Number.Value) || !(row.Number.Value > 0) {
			return time, 0, false
		}
		time = analysis.Sum(time, *row.Number)
		if n := number(t, who, analysis.EncodedSize, report.BytesText); n != nil && size == 0 {
			size = n.V
		}
	}
	return time, size, size > 0
}

// A box is an area that is already used.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) hits(c box) bool { return b.x0 < c.x1 && c.x0 < b.x1 && b.y0 < c.y1 && c.y0 < b.y1 }

// A picture is drawn in shares of its plot, so that one drawing fits every width while its texts
// keep their size. Names are placed for two sizes of plots: wide and narrow are the smallest
// plots, in pixels, of each. In a larger plot points are further apart, and so are names. The
// style sheet chooses between the two by the width of the figure.
var (
	wide   = box{0, -2, 392, 420}
	narrow = box{0, -2, 258, 330}
)

// A place is the position of a name relative to its point. Its anchor is empty if the name does
// not fit.
type place struct {
	dx, dy float64
	anchor string
}

// places lists the positions of a name in the order in which they are tried.
var places = []place{{8, 4, "start"}, {-8, 4, "end"}, {0, -9, "middle"}, {0, 18, "middle"}, {7, -9, "start"}, {-7, -9, "end"}, {7, 17, "start"}, {-7, 17, "end"}}

// A plot has the scales of a picture. x and y return shares of its width and height.
type plot struct{ sx, sy scale }

func (p plot) x(v float64) float64 { return 1 - p.sx.of(v) }
func (p plot) y(v float64) float64 { return 1 - p.sy.of(v) }

// percent formats a share.
func percent(share float64) string { return at(100*share) + "%" }

// scatter draws points on logarithmic axes: faster is further right, smaller is further down.
func scatter(points []point, floor float64, absolute bool, label, reference string) template.HTML {
	xs, ys := []float64{}, []float64{}
	for _, p := range points {
		xs = append(xs, p.x.Value, max(p.x.Lo, p.x.Value/3), min(p.x.Hi, p.x.Value*3))
		ys = append(ys, p.y)
	}
	if floor > 0 {
		xs = append(xs, floor)
	}
	l := plot{newScale(0.06, xs...), newScale(0.09, ys...)}
	var d drawing
	for _, v := range l.sx.round(5) {
		d.raw(`<line class="grid" x1="%s" x2="%[1]s" y2="100%%"/><text class="tick" x="%[1]s" y="100%%" dy="16" text-anchor="middle">%s</text>`, percent(l.x(v)), timeTick(v, absolute))
	}
	for _, v := range l.sy.round(6) {
		d.raw(`<line class="grid" x2="100%%" y1="%s" y2="%[1]s"/><text class="tick" x="-6" y="%[1]s" dy="4" text-anchor="end">%s</text>`, percent(l.y(v)), sizeTick(v, absolute))
	}
	xTitle, yTitle := "time → faster to the right", "bytes, smaller below"
	if !absolute {
		xTitle, yTitle = "time, "+short(reference)+" = 1 → faster to the right", "size, "+short(reference)+" = 1"
	}
	d.raw(`<text class="axis" x="100%%" y="100%%" dy="36" text-anchor="end">%s</text><text class="axis" x="-54" y="-8">%s</text>`, html.EscapeString(clean(xTitle)), html.EscapeString(clean(yTitle)))
	if floor > 0 {
		d.raw(`<line class="floor" x1="%s" x2="%[1]s" y2="100%%"/><text class="floor-name" x="%[1]s" y="100%%" dx="-4" dy="-6" text-anchor="end">floor</text>`, percent(l.x(floor)))
	}
	d.front(points, l)
	inWide, inNarrow := names(points, floor, l, wide), names(points, floor, l, narrow)
	for i, p := range points {
		d.point(p, l, inWide[i], inNarrow[i])
	}
	return template.HTML(fmt.Sprintf(`<svg class="scatter" role="img" aria-label="%s">%s</svg>`, html.EscapeString(clean(label)), d.b.String()))
}

// point draws a point with its interval and its name. The coordinates of the parts are shares,
// relative to the point.
func (d *drawing) point(p point, l plot, inWide, inNarrow place) {
	class := "point"
	if p.front {
		class += " best"
	}
	px := l.x(p.x.Value)
	d.raw(`<svg class="%s" data-s="%d" x="%s" y="%s"><title>%s</title>`, class, p.subject, percent(px), percent(l.y(p.y)), html.EscapeString(short(p.name)))
	if p.x.Bounded() && p.x.Lo > 0 {
		d.raw(`<line class="whisker" x1="%s" x2="%s"/>`, percent(l.x(p.x.Lo)-px), percent(l.x(p.x.Hi)-px))
	}
	d.raw(`%s`, marks[p.shape])
	if inWide == inNarrow {
		d.name("", p.name, inWide)
	} else {
		d.name(" wide", p.name, inWide)
		d.name(" narrow", p.name, inNarrow)
	}
	d.raw(`</svg>`)
}

// marks maps each shape to its drawing. The style sheet has the radius of the circle.
var marks = map[string]string{
	"text":   `<path class="mark" d="M-4-4h8v8h-8z"/>`,
	"free":   `<path class="mark" d="M0-5.5l5.5 5.5-5.5 5.5-5.5-5.5z"/>`,
	"schema": `<circle class="mark"/>`,
}

func (d *drawing) name(class, name string, at place) {
	if at.anchor == "" {
		return
	}
	anchor := ""
	if at.anchor != "start" {
		anchor = ` text-anchor="` + at.anchor + `"`
	}
	d.raw(`<text class="name%s" x="%g" y="%g"%s>%s</text>`, class, at.dx, at.dy, anchor, html.EscapeString(short(name)))
}

// names places the names of points in a plot with the given size in pixels.
func names(points []point, floor float64, l plot, size box) []place {
	width, height := size.x1, size.y1
	var taken []box
	if floor > 0 {
		x := width * l.x(floor)
		taken = append(taken, box{x - 36, height - 18, x + 2, height})
	}
	for _, p := range points {
		x, y := width*l.x(p.x.Value), height*l.y(p.y)
		taken = append(taken, box{x - 5, y - 5, x + 5, y + 5})
		if p.x.Bounded() && p.x.Lo > 0 {
			taken = append(taken, box{width * l.x(p.x.Hi), y - 2, width * l.x(p.x.Lo), y + 2})
		}
	}
	out := make([]place, len(points))
	for i, p := range points {
		for _, try := range places {
			b := nameBox(short(p.name), width*l.x(p.x.Value), height*l.y(p.y), try)
			if b.x0 < size.x0 || b.x1 > width+2 || b.y0 < size.y0 || b.y1 > height || slices.ContainsFunc(taken, b.hits) {
				continue
			}
			taken = append(taken, b)
			out[i] = try
			break
		}
	}
	return out
}

// nameBox returns the area that the name of a point covers.
func nameBox(name string, x, y float64, at place) box {
	wide := 6.9*float64(utf8.RuneCountInString(name)) + 2
	b := box{x + at.dx, y + at.dy - 11, x + at.dx + wide, y + at.dy + 3}
	switch at.anchor {
	case "end":
		b.x0, b.x1 = b.x0-wide, b.x0
	case "middle":
		b.x0, b.x1 = b.x0-wide/2, b.x0+wide/2
	}
	return b
}

// front joins the points of the front with a line, starting at the fastest. A point that is on
// the front only because of its interval is not on the line: another point of the front beats it.
func (d *drawing) front(points []point, l plot) {
	var front []point
	for _, p := range points {
		beaten := slices.ContainsFunc(points, func(q point) bool {
			return q.front && q.x.Value <= p.x.Value && q.y <= p.y && (q.x.Value < p.x.Value || q.y < p.y)
		})
		if p.front && !beaten {
			front = append(front, p)
		}
	}
	slices.SortFunc(front, func(a, b point) int {
		switch {
		case a.x.Value < b.x.Value:
			return -1
		case a.x.Value > b.x.Value:
			return 1
		}
		return 0
	})
	for i := 1; i < len(front); i++ {
		a, b := front[i-1], front[i]
		d.raw(`<line class="front" x1="%s" y1="%s" x2="%s" y2="%s"/>`, percent(l.x(a.x.Value)), percent(l.y(a.y)), percent(l.x(b.x.Value)), percent(l.y(b.y)))
	}
}

func timeTick(v float64, absolute bool) string {
	if absolute {
		return plainTick(v, 1000, []string{" ns", " µs", " ms", " s"})
	}
	return tickText(v) + "×"
}

func sizeTick(v float64, absolute bool) string {
	if absolute {
		return plainTick(v, 1000, []string{" B", " kB", " MB", " GB"})
	}
	return tickText(v) + "×"
}

// plainTick formats a round number in the largest unit in which it is at least 1.
func plainTick(v, step float64, units []string) string {
	i := 0
	for v >= step*0.9999 && i < len(units)-1 {
		v /= step
		i++
	}
	return tickText(v) + units[i]
}
