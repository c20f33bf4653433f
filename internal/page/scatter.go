package page

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strconv"
	"unicode/utf8"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/report"
	"assay/result"
)

// mostPoints is how many points a picture has: the first of the ranking, and the front.
const mostPoints = 80

// A point of a picture: time and size are relative to the reference where the picture is
// of all workloads, and otherwise in ns and bytes.
type point struct {
	subject    int
	name, text string
	x          analysis.Interval
	y          float64
	front      bool
	shape      string // "text", "free" or "schema"
}

// shapeOf is the shape of a point, by what a reader of the bytes needs.
func shapeOf(c *contender.Contender) string {
	switch {
	case c.Is(contender.HumanReadable):
		return "text"
	case c.Is(contender.SchemaFree):
		return "free"
	}
	return "schema"
}

// pictures draws size against time, by code only and by CPU time with the collector on
// where that was measured.
func (p *builder) pictures(d *dataset) []picture {
	var out []picture
	for _, metric := range []string{"time", "cpu"} {
		points, floor := p.points(d, metric)
		if len(points) < 2 {
			continue
		}
		what := "round trip"
		if len(d.overview.Ops) == 1 {
			what = string(d.overview.Ops[0])
		}
		how := "code only, garbage collector off"
		if metric == "cpu" {
			how = "CPU time with the garbage collector on"
		}
		label := fmt.Sprintf("Size against %s time, %s: %s", what, how, d.Title)
		pic := picture{Metric: metric, Caption: label}
		pic.Wide = scatter(points, floor, d.cell.Workload != "", 720, 500, label, "scatter wide", d.overview.Reference.String())
		pic.Narrow = scatter(points, floor, d.cell.Workload != "", 360, 400, label, "scatter narrow", d.overview.Reference.String())
		out = append(out, pic)
	}
	return out
}

// points are those of a picture, the front's first, and the floor's time, or 0.
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
		pt.text = fmt.Sprintf("%s: %s as fast as %s, %s of the size", row.Subject, report.SpeedText(*ratio), o.Reference, report.ShareText(*row.Size))
		if absolute {
			time, size, ok := absoluteOf(tables, row.Subject, metric)
			if !ok {
				continue
			}
			pt.x, pt.y = time, size
			pt.text = fmt.Sprintf("%s: %s, %s", row.Subject, report.MeasureText(time), report.BytesText(size))
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

// floorOf is the time of the floor over all tables, or 0 where one lacks it.
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

// absoluteOf is the time of a subject over the tables of a round trip or op, and its
// size.
func absoluteOf(tables []*analysis.Table, s result.Subject, metric string) (time analysis.Interval, size float64, ok bool) {
	name := analysis.Time
	if metric == "cpu" {
		name = analysis.CPUTime
	}
	for _, t := range tables {
		row, found := t.Row(t.Cell.Case(s), name)
		if !found || row.Number == nil { // the op is that of the default mode
			row, found = t.Row(t.Cell.Case(result.Subject{Contender: s.Contender}), name)
		}
		if !found || row.Number == nil || !finite(row.Number.Value) || !(row.Number.Value > 0) {
			return time, 0, false
		}
		time = analysis.Sum(time, *row.Number)
		if n := number(t, s, analysis.EncodedSize, report.BytesText); n != nil && size == 0 {
			size = n.V
		} else if n := number(t, result.Subject{Contender: s.Contender}, analysis.EncodedSize, report.BytesText); n != nil && size == 0 {
			size = n.V
		}
	}
	return time, size, size > 0
}

// A box is where something is drawn already.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) hits(c box) bool { return b.x0 < c.x1 && c.x0 < b.x1 && b.y0 < c.y1 && c.y0 < b.y1 }

// scatter draws points on logarithmic axes: faster to the right, smaller above.
func scatter(points []point, floor float64, absolute bool, width, height float64, label, class, reference string) template.HTML {
	const left, right, top, bottom = 58, 14, 16, 52
	xs, ys := []float64{}, []float64{}
	for _, p := range points {
		xs = append(xs, p.x.Value, max(p.x.Lo, p.x.Value/3), min(p.x.Hi, p.x.Value*3))
		ys = append(ys, p.y)
	}
	if floor > 0 {
		xs = append(xs, floor)
	}
	sx, sy := newScale(0.06, xs...), newScale(0.09, ys...)
	x := func(v float64) float64 { return width - right - (width-left-right)*sx.of(v) }
	y := func(v float64) float64 { return height - bottom - (height-top-bottom)*sy.of(v) }
	var d drawing
	for _, v := range sx.round(int(width / 90)) {
		d.line("grid", x(v), top, x(v), height-bottom)
		d.text("tick", x(v), height-bottom+16, "middle", timeTick(v, absolute))
	}
	for _, v := range sy.round(6) {
		d.line("grid", left, y(v), width-right, y(v))
		d.text("tick", left-6, y(v)+4, "end", sizeTick(v, absolute))
	}
	xTitle, yTitle := "time → faster to the right", "bytes, smaller below"
	if !absolute {
		xTitle, yTitle = "time, "+short(reference)+" = 1 → faster to the right", "size, "+short(reference)+" = 1"
	}
	d.text("axis", width-right, height-bottom+36, "end", xTitle)
	d.text("axis", 4, top-4, "start", yTitle)
	var taken []box
	if floor > 0 {
		d.line("floor", x(floor), top, x(floor), height-bottom)
		d.text("floor-name", x(floor)-4, height-bottom-6, "end", "floor")
		taken = append(taken, box{x(floor) - 36, height - bottom - 18, x(floor) + 2, height - bottom})
	}
	d.raw(`<path class="front" d="%s"/>`, frontPath(points, x, y))
	for _, p := range points {
		taken = append(taken, box{x(p.x.Value) - 5, y(p.y) - 5, x(p.x.Value) + 5, y(p.y) + 5})
		if p.x.Bounded() && p.x.Lo > 0 {
			taken = append(taken, box{x(p.x.Hi), y(p.y) - 2, x(p.x.Lo), y(p.y) + 2})
		}
	}
	for _, p := range points {
		px, py := x(p.x.Value), y(p.y)
		name := "point"
		if p.front {
			name += " best"
		}
		d.raw(`<g class="%s" data-s="%d" tabindex="-1"><title>%s</title>`, name, p.subject, html.EscapeString(clean(p.text)))
		if p.x.Bounded() && p.x.Lo > 0 {
			d.line("whisker", x(p.x.Lo), py, x(p.x.Hi), py)
		}
		d.mark(p.shape, px, py)
		if lx, ly, anchor, ok := place(short(p.name), px, py, &taken, box{left, top - 2, width - 2, height - bottom}); ok {
			d.text("name", lx, ly, anchor, short(p.name))
		}
		d.raw(`</g>`)
	}
	return d.svg(class, width, height, label)
}

// mark draws a point's shape.
func (d *drawing) mark(shape string, x, y float64) {
	switch shape {
	case "text":
		d.raw(`<rect class="mark" x="%s" y="%s" width="8" height="8"/>`, at(x-4), at(y-4))
	case "free":
		d.raw(`<path class="mark" d="M%s %sl5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>`, at(x), at(y-5.5))
	default:
		d.raw(`<circle class="mark" cx="%s" cy="%s" r="4.5"/>`, at(x), at(y))
	}
}

// place finds room for a name beside its point; there may be none.
func place(name string, x, y float64, taken *[]box, within box) (lx, ly float64, anchor string, ok bool) {
	wide := 6.9*float64(utf8.RuneCountInString(name)) + 2
	for _, try := range []struct {
		dx, dy float64
		anchor string
	}{{8, 4, "start"}, {-8, 4, "end"}, {0, -9, "middle"}, {0, 18, "middle"}, {7, -7, "start"}, {-7, -7, "end"}, {7, 15, "start"}, {-7, 15, "end"}} {
		lx, ly = x+try.dx, y+try.dy
		b := box{lx, ly - 11, lx + wide, ly + 3}
		switch try.anchor {
		case "end":
			b.x0, b.x1 = lx-wide, lx
		case "middle":
			b.x0, b.x1 = lx-wide/2, lx+wide/2
		}
		if b.x0 < within.x0 || b.x1 > within.x1 || b.y0 < within.y0 || b.y1 > within.y1 ||
			slices.ContainsFunc(*taken, b.hits) {
			continue
		}
		*taken = append(*taken, b)
		return lx, ly, try.anchor, true
	}
	return 0, 0, "", false
}

// frontPath joins the points of the front, from the fastest on. Those of the front by their
// intervals alone are not on the line.
func frontPath(points []point, x, y func(float64) float64) string {
	var front []point
	for _, p := range points {
		beaten := slices.ContainsFunc(points, func(q point) bool {
			return q.x.Value <= p.x.Value && q.y <= p.y && (q.x.Value < p.x.Value || q.y < p.y)
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
	path := ""
	for i, p := range front {
		op := "L"
		if i == 0 {
			op = "M"
		}
		path += fmt.Sprintf("%s%s %s", op, at(x(p.x.Value)), at(y(p.y)))
	}
	return path
}

func timeTick(v float64, absolute bool) string {
	if absolute {
		return plainTick(v, 1000, []string{" ns", " µs", " ms", " s"})
	}
	return strconv.FormatFloat(v, 'g', 2, 64) + "×"
}

func sizeTick(v float64, absolute bool) string {
	if absolute {
		return plainTick(v, 1000, []string{" B", " kB", " MB", " GB"})
	}
	return strconv.FormatFloat(v, 'g', 2, 64) + "×"
}

// plainTick is a round number in the largest unit in which it is 1 or more.
func plainTick(v, step float64, units []string) string {
	i := 0
	for v >= step*0.9999 && i < len(units)-1 {
		v /= step
		i++
	}
	return strconv.FormatFloat(v, 'g', 3, 64) + units[i]
}
