package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/result"
)

// streamGrids returns the tables of a cell of streams and whole values, one for each of the two
// kinds that the cell has.
func streamGrids(t *analysis.Table) []*grid {
	var all []*grid
	for _, whole := range kindsOf(t) {
		all = append(all, streams(t, whole))
	}
	return all
}

// kindsOf returns the kinds of rows of a table: true for whole values, false for streams.
func kindsOf(t *analysis.Table) []bool {
	return slices.DeleteFunc([]bool{true, false}, func(whole bool) bool {
		return !t.Streamed() || len(t.ByStreamTime(whole)) == 0
	})
}

// streamHead returns an empty table of streams or of whole values.
func streamHead(cell result.Cell, whole bool) *grid {
	title, message, file := "as a stream through a file", "message", "file"
	if whole {
		title, message, file = "whole in memory, one op in a process of its own", "value", "encoded"
	}
	return &grid{title: CellName(cell) + ", " + title, columns: []column{
		{title: "contender"}, {title: "codec"}, {"goroutines", true}, {"time/" + message, true}, {title: ""}, {"time/element", true}, {"rate", true},
		{"plain", true}, {"messages/s", true}, {file, true}, {"peak RSS", true},
		{"CPU/" + message, true}, {"GC", true}, {"cycles", true}, {"p99 pause", true}, {"worst pause", true}, {"delay", true},
	}, drops: []string{"CPU/" + message, "cycles", "time/element", "p99 pause", "delay", "worst pause"},
		spare: []string{"GC", "messages/s", "peak RSS", file, "rate"}}
}

// streams returns the table of the streams of one cell, or of its whole values, fastest first.
func streams(t *analysis.Table, whole bool) *grid {
	g := streamHead(t.Cell, whole)
	several, packed := waysOf(t)
	if packed && !whole {
		g.spare = []string{"GC", "messages/s", "rate", "peak RSS", "file"}
	}
	var failures tally
	for _, c := range t.ByStreamTime(whole) {
		row, _ := t.Row(c, analysis.StreamTime)
		if row.Number == nil {
			failures.add(streamSubject(c), string(row.Status), row.Reason)
			continue
		}
		if row.Reason != "" {
			failures.add(streamSubject(c), "not read back", row.Reason)
		}
		cell := func(metric string, format func(analysis.Interval) string) string {
			row, ok := t.Row(c, metric)
			if !ok || row.Number == nil {
				return ""
			}
			return format(*row.Number)
		}
		time := func(i analysis.Interval) string { return phrase.Nanoseconds(i.Value) }
		size := func(i analysis.Interval) string { return BytesText(i.Value) }
		rate := func(i analysis.Interval) string { return BytesText(i.Value) + "/s" }
		number := func(i analysis.Interval) string { return CountText(i.Value) }
		often := func(i analysis.Interval) string {
			text, unit := phrase.Scaled(i.Value, []string{"", "k", "M", "G"})
			return text + unit
		}
		way, _ := contender.StreamWayOf(c.Mode)
		codec, goroutines, plain, messages := "", "", "", ""
		if packed && !whole {
			codec, plain = cmp.Or(way.Codec, "plain"), cell(analysis.StreamPlain, rate)
		}
		if several && !whole {
			goroutines = strconv.Itoa(way.CPUs)
		}
		if !whole {
			messages = cell(analysis.StreamMessages, often)
		}
		g.row(c.Contender, codec, goroutines, time(*row.Number), spread(*row.Number), cell(analysis.StreamItem, time), cell(analysis.StreamRate, rate),
			plain, messages, cell(analysis.StreamBytes, size), cell(analysis.StreamPeak, size), cell(analysis.StreamCPU, time),
			cell(analysis.StreamGCShare, func(i analysis.Interval) string { return ShareText(i.Value) }),
			cell(analysis.StreamCycles, number), cell(analysis.StreamPause99, time), cell(analysis.StreamPause, time), cell(analysis.StreamDelay, time))
	}
	g.below = failures.outcomes()
	return g
}

// waysOf reports whether a table has streams of several goroutines, and whether it has compressed
// streams.
func waysOf(t *analysis.Table) (several, packed bool) {
	for _, c := range t.Cases() {
		way, _ := contender.StreamWayOf(c.Mode)
		several, packed = several || way.CPUs > 1, packed || way.Codec != ""
	}
	return several, packed
}

// streamSubject names a stream. For a plain stream and for a whole value it returns the contender
// alone.
func streamSubject(c result.Case) result.Subject {
	if contender.Whole(c.Mode) {
		return result.Subject{Contender: c.Contender}
	}
	return result.Subject{Contender: c.Contender, Mode: strings.TrimPrefix(strings.TrimPrefix(c.Mode, contender.StreamMode), ",")}
}

// diskText says how fast the disk that streams are written to is. It is empty if the disk was not
// measured.
func diskText(run *result.Run) string {
	p := run.Plan.Stream
	if p == nil || p.Disk == nil {
		return ""
	}
	rate := func(ns int64) string { return BytesText(float64(p.Disk.Bytes)/float64(ns)*1e9) + "/s" }
	text := "disk      writes " + rate(max(1, p.Disk.Write)) + " with sync"
	if p.Disk.Read > 0 {
		text += ", reads " + rate(p.Disk.Read) + " uncached"
	}
	return text + " (" + BytesText(float64(p.Disk.Bytes)) + "); streams go through the page cache"
}

// power formats an exponent of growth, and powers formats its interval.
func power(i analysis.Interval) string { return fmt.Sprintf("n^%.2f", i.Value) }

func powers(i analysis.Interval) string {
	return strings.ReplaceAll(fmt.Sprintf("(%.2f…%.2f)", i.Lo, i.Hi), "-", "−")
}

// A growthGroup identifies a table of growth.
type growthGroup struct {
	workload string
	op       result.Op
	whole    bool
}

// growth returns the tables of the time of an element by size. There is one for each workload, op
// and kind, stream or whole value, with several sizes. The rows are in the order of the last size.
// Contenders that only earlier sizes have come after them.
func growth(r *analysis.Results) []*grid {
	var out []*grid
	order, of := groupStreams(r, func(c result.Cell, whole bool) growthGroup { return growthGroup{c.Workload, c.Op, whole} })
	for _, k := range order {
		slices.SortStableFunc(of[k], inGrowth(k.whole))
		if len(of[k]) > 1 {
			out = append(out, growthGrid(r, k, of[k]))
		}
	}
	return out
}

// inGrowth orders tables by size. Sizes without a number come last: a run measures large sizes last,
// and they are more often too large.
func inGrowth(whole bool) func(a, b *analysis.Table) int {
	return func(a, b *analysis.Table) int { return cmp.Or(emptyLast(a, b, whole), bySize(whole)(a, b)) }
}

// emptyLast orders tables without a size in bytes after the others.
func emptyLast(a, b *analysis.Table, whole bool) int {
	empty := func(t *analysis.Table) int {
		if mostBytes(t, whole) == 0 {
			return 1
		}
		return 0
	}
	return empty(a) - empty(b)
}

// growthGrid returns the table of growth of a group from the group's tables.
func growthGrid(r *analysis.Results, k growthGroup, tables []*analysis.Table) *grid {
	what := "a stream"
	if k.whole {
		what = "a whole value"
	}
	g := &grid{title: k.workload + " · " + string(k.op) + ": time for each element of " + what + ", by size", columns: []column{{title: "contender"}}}
	for _, t := range tables {
		g.columns = append(g.columns, column{t.Cell.Size, true})
	}
	// The sizes between the ends are dropped first.
	for _, t := range append(slices.Clone(tables[1:len(tables)-1]), tables[0]) {
		g.spare = append(g.spare, t.Cell.Size)
	}
	g.columns = append(g.columns, column{"growth", true}, column{title: ""})
	for _, c := range bySizes(tables, k.whole) {
		g.row(growthRow(tables, c)...)
	}
	for _, one := range r.Growth {
		if one.Of.Workload == k.workload && one.Of.Op == k.op && contender.Whole(one.Of.Mode) == k.whole {
			g.below = append(g.below, growthWords(one)...)
		}
	}
	return g
}

// bySizes returns one case for each row: first the cases of the last table that has a number, in its
// order, and then the cases that only other tables have.
func bySizes(tables []*analysis.Table, whole bool) []result.Case {
	var all []result.Case
	seen := map[result.Subject]bool{}
	last := slices.Clone(tables)
	slices.Reverse(last)
	slices.SortStableFunc(last, func(a, b *analysis.Table) int { return emptyLast(a, b, whole) })
	for _, t := range last {
		for _, c := range t.ByStreamTime(whole) {
			if !seen[c.Subject()] {
				seen[c.Subject()] = true
				all = append(all, c)
			}
		}
	}
	return all
}

// near is the largest distance from 1, at the largest size, of a cost of an element that counts
// as flat.
const near = 0.1

// growthWords says whether the cost of an element is flat, and at which size and with which
// counters it changes. If the processes of a size differ too much to tell, it says that.
func growthWords(g analysis.Growth) []outcome {
	subject := []string{streamSubject(g.Of).String()}
	word, end := "unclear", "; single processes differ too much to tell"
	switch r := g.Ratio; {
	case r.Lo >= 1-near && r.Hi <= 1+near:
		word, end = "flat", ", within 10%"
	case r.Lo > 1:
		word, end = "dearer", "; "+changes("rose", g.Changed)
	case r.Hi < 1:
		word, end = "cheaper", "; "+changes("fell", g.Changed)
	}
	all := []outcome{{word: word, reason: fmt.Sprintf("an element at %s takes %.2f times what it takes at %s%s%s",
		g.Of.Size, g.Ratio.Value, g.Base.Size, bracketed(g.Ratio, "%.2f…%.2f"), end), subjects: subject}}
	if len(g.Steps) == 1 {
		return all // the step repeats the outcome above
	}
	for _, s := range g.Steps {
		if !s.Bends {
			continue
		}
		verb := "rose"
		if s.Power.Value < 1 {
			verb = "fell"
		}
		all = append(all, outcome{word: "bends", reason: fmt.Sprintf("from %s to %s by n^%.2f%s; %s",
			s.From.Size, s.To.Size, s.Power.Value, bracketed(s.Power, "%.2f…%.2f"), changes(verb, s.Changed)), subjects: subject})
	}
	return all
}

// bracketed formats an interval in parentheses. It is empty if the interval has no width.
func bracketed(i analysis.Interval, format string) string {
	if i.Lo == i.Hi {
		return ""
	}
	return " (" + fmt.Sprintf(format, i.Lo, i.Hi) + ")"
}

// changes says which counters changed together with the cost of an element.
func changes(verb string, all []analysis.CounterChange) string {
	if len(all) == 0 {
		return "no counter " + verb + " with it (" + strings.Join(analysis.CounterNames(), ", ") + ")"
	}
	var texts []string
	for _, c := range all {
		texts = append(texts, c.Counter.Text+" "+counterText(c.From, c.Counter.Unit)+" → "+counterText(c.To, c.Counter.Unit))
	}
	return "with it " + verb + ": " + strings.Join(texts, ", ")
}

// counterText formats the value of a counter with its unit.
func counterText(v float64, unit string) string {
	switch unit {
	case "ns":
		return phrase.Nanoseconds(v)
	case "B":
		return BytesText(v)
	case "share":
		return ShareText(v)
	}
	if v >= 1000 {
		return CountText(math.Round(v))
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// GrowthParts returns the tables of growth.
func GrowthParts(r *analysis.Results) []Part { return parts(growth(r)) }

// growthRow returns the row of a case's contender over all tables.
func growthRow(tables []*analysis.Table, c result.Case) []string {
	cells, fit := []string{streamSubject(c).String()}, []string{"", ""}
	for _, t := range tables {
		at := c
		at.Size = t.Cell.Size
		text := "—"
		if row, ok := t.Row(at, analysis.StreamItem); ok && row.Number != nil {
			text = phrase.Nanoseconds(row.Number.Value)
		}
		cells = append(cells, text)
		if row, ok := t.Row(at, analysis.StreamGrowth); ok && row.Number != nil {
			fit = []string{power(*row.Number), powers(*row.Number)}
		}
	}
	return append(cells, fit...)
}

// spread formats the bounds of a time in ns. It is empty if both bounds are equal.
func spread(i analysis.Interval) string {
	return rangeOf(analysis.Interval{Value: i.Value / second, Lo: i.Lo / second, Hi: i.Hi / second})
}
