package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/texttab"
	"assay/result"
)

// A line is one case as people read it. A field with nothing to say is empty. A case that was
// counted and not timed has no time.
type line struct {
	subject       result.Subject
	rank          string // "1", or "1=" when shared
	time, unit    string
	plusMinus     string
	speed, bounds string // how many times as fast as the reference; empty for the floor
	ordinary      string // the speed in the ordinary layout
	allocBytes    string
	allocs        string
	size          string
	marks         string // marks of footnotes
	best, floor   bool
	packed        bool // size has the bytes before and after a codec
}

// A sheet is one table as people read it.
type sheet struct {
	title     string // empty if there are only further tables
	reference string
	lines     []line
	failures  []outcome // of the cases that have no time
	// The flags say which columns have text.
	modes, speeds, ordinary, allocations, sizes bool
	// more has the other tables of the cell: with the garbage collector on, on several CPUs, at
	// several footprints, and of sizes after compression.
	more []*grid
}

// sheets lays out all tables and collects their footnotes.
func sheets(r *analysis.Results) ([]sheet, *texttab.Notes) {
	notes := &texttab.Notes{}
	var all []sheet
	for i := range r.Tables {
		all = append(all, newSheet(&r.Tables[i], notes))
	}
	for _, g := range growth(r) {
		all = append(all, sheet{more: []*grid{g}})
	}
	return all, notes
}

func newSheet(t *analysis.Table, notes *texttab.Notes) sheet {
	if t.Cell.Op == result.Building {
		return sheet{more: []*grid{buildCost(t)}}
	}
	if t.Streamed() {
		return sheet{more: streamGrids(t)}
	}
	s := sheet{title: title(t)}
	if t.Reference != nil {
		s.reference = t.Reference.String()
	}
	common := commonWarnings(t, analysis.Time)
	for _, w := range append(slices.Clone(t.Warnings), common...) {
		s.title += " " + notes.Mark(w.Text)
	}
	var failures tally
	cases := order(t)
	for _, c := range cases {
		row, _ := t.Row(c, analysis.Time)
		l := newLine(t, c, common, notes)
		if row.Number == nil {
			failures.add(c.Subject(), string(row.Status), row.Reason)
			if l.allocs+l.size == "" {
				continue
			}
		}
		s.modes = s.modes || c.Mode != ""
		s.speeds = s.speeds || l.speed != ""
		s.ordinary = s.ordinary || l.ordinary != ""
		s.allocations = s.allocations || l.allocs != ""
		s.sizes = s.sizes || l.size != ""
		s.lines = append(s.lines, l)
	}
	s.failures = failures.outcomes()
	for _, g := range []*grid{service(t, cases, notes), scaling(t, cases), footprints(t, cases), compressed(t, cases)} {
		if len(g.rows) > 0 {
			s.more = append(s.more, g)
		}
	}
	return s
}

// confidence is the confidence of the intervals of numbers in reports. The intervals that decide a
// ranking or a comparison have their own. At most falseShare of the differences that a ranking
// calls are expected to be false.
const (
	confidence = 0.95
	falseShare = 1 - confidence
)

// tie is the share up to which times tie: "2%".
var tie = fmt.Sprintf("%.0f%%", 100*analysis.Tie)

// title describes a table: "movie · values=64 · encode: time per op, 16 layouts, 95% interval".
func title(t *analysis.Table) string { return titleAt(t, confidence) }

// titleAt returns the title of a table whose intervals have the given confidence.
func titleAt(t *analysis.Table, confidence float64) string {
	layouts := "ordinary layout"
	switch {
	case t.Layouts > 1:
		layouts = strconv.Itoa(t.Layouts) + " layouts"
	case t.Layouts == 1:
		layouts = "1 layout"
	case !slices.ContainsFunc(t.Rows, func(r analysis.Row) bool { return r.Metric == analysis.Time && r.Number != nil }):
		layouts = "not measured"
	}
	return fmt.Sprintf("%s: time per op (code only, GC off), %s, %s interval", CellName(t.Cell), layouts, confidenceText(confidence))
}

// confidenceText formats the confidence of an interval: "95%", "97.3%", "99.95%".
func confidenceText(confidence float64) string {
	for digits := 1; ; digits++ {
		text := strconv.FormatFloat(100*confidence, 'f', digits, 64)
		if digits > 6 || confidence == 1 || !strings.HasPrefix(text, "100") {
			return strings.TrimSuffix(text, ".0") + "%"
		}
	}
}

// order returns the cases in the order of the table: first by rank, then cases with a time but no
// rank, then the floor, and last cases without a number.
func order(t *analysis.Table) []result.Case {
	place := func(c result.Case) int {
		if i := slices.IndexFunc(t.Ranking.Places, func(p analysis.Place) bool { return p.Subject == c.Subject() }); i >= 0 {
			return i
		}
		row, _ := t.Row(c, analysis.Time)
		after := len(t.Ranking.Places)
		switch {
		case row.Number == nil:
			return after + 2
		case c.Contender == analysis.Floor:
			return after + 1
		}
		return after
	}
	cases := t.Cases()
	slices.SortStableFunc(cases, func(a, b result.Case) int { return place(a) - place(b) })
	return cases
}

// commonWarnings returns the warnings that every measured row of a metric has. The title gets them
// once, as notes.
func commonWarnings(t *analysis.Table, metric string) []analysis.Warning {
	var rows []analysis.Row
	for _, row := range t.Rows {
		if row.Metric == metric && row.Number != nil {
			rows = append(rows, row)
		}
	}
	return inAll(rows)
}

// inAll returns the warnings that all of several rows have; nil if there are not several.
func inAll(rows []analysis.Row) []analysis.Warning {
	if len(rows) < 2 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(rows[0].Warnings), func(w analysis.Warning) bool {
		return slices.ContainsFunc(rows, func(row analysis.Row) bool { return !slices.Contains(row.Warnings, w) })
	})
}

func newLine(t *analysis.Table, c result.Case, common []analysis.Warning, notes *texttab.Notes) line {
	l := line{subject: c.Subject(), floor: c.Contender == analysis.Floor}
	number := func(metric string, format func(float64) string) string {
		if row, ok := t.Row(c, metric); ok && row.Number != nil {
			return format(row.Number.Value)
		}
		return ""
	}
	l.allocBytes = number(analysis.AllocBytes, BytesText)
	l.allocs = number(analysis.Allocs, CountText)
	l.size = number(analysis.EncodedSize, BytesText)
	if packed := number(analysis.PackedSize, BytesText); packed != "" {
		l.size, l.packed = l.size+" → "+packed, true
	}

	row, _ := t.Row(c, analysis.Time)
	if row.Number == nil {
		return l // below the table there is the reason
	}
	l.time, l.unit = phrase.Time(row.Number.Value)
	l.plusMinus = plusMinus(*row.Number)
	if row.Ratio != nil && !l.floor {
		if *row.Reference == c.Subject() {
			l.speed = "1×"
		} else {
			l.speed, l.bounds = speed(*row.Ratio)
			if row.Ordinary != nil && row.Ordinary.Ratio != nil {
				l.ordinary, _ = speed(*row.Ordinary.Ratio)
			}
		}
	}
	if p, ok := t.Ranking.Place(c.Subject()); ok {
		l.rank, l.best = PlaceText(p.Rank, p.Equal), p.Rank == 1
	}
	l.marks = markOf(remarks(row, common), notes)
	return l
}

// markOf returns the marks of the footnotes with these texts. A text that occurs twice has one
// mark.
func markOf(texts []string, notes *texttab.Notes) string {
	var marks []string
	for _, text := range texts {
		if mark := notes.Mark(text); !slices.Contains(marks, mark) {
			marks = append(marks, mark)
		}
	}
	return strings.Join(marks, " ")
}

// remarks returns the texts of the row's footnotes.
func remarks(row analysis.Row, common []analysis.Warning) []string {
	var texts []string
	if row.Status == result.Noisy {
		texts = append(texts, "noisy: "+noise(row))
	}
	for _, w := range row.Warnings {
		if !slices.Contains(common, w) {
			texts = append(texts, w.Text)
		}
	}
	for _, loss := range row.Losses {
		texts = append(texts, "loses: "+lossText(loss))
	}
	return texts
}

// lossText describes a loss. For a loss that this version does not know it returns the name.
func lossText(loss string) string { return cmp.Or(contender.Loss(loss).In().Text, loss) }

// noise says why a row is noisy. It does not say how wide the interval is, because the row shows
// that; so all rows of a cell that are too wide share one footnote.
func noise(row analysis.Row) string {
	if !row.TooWide {
		return row.Reason
	}
	return "wider than --precision asks (" + row.Remedy + ")"
}

// legend explains the marks and columns that the tables use, and adds the warnings of the run.
func legend(r *analysis.Results, all []sheet) []string {
	var texts []string
	references := make(map[string]bool)
	var shared, speeds, ordinary, serves, packs bool
	for _, s := range all {
		for _, l := range s.lines {
			shared = shared || strings.HasSuffix(l.rank, "=")
			packs = packs || l.packed
		}
		ordinary = ordinary || s.ordinary
		serves = serves || slices.ContainsFunc(s.more, func(g *grid) bool { return g.serves })
		if s.speeds {
			speeds = true
			references[s.reference] = true
		}
	}
	if shared {
		texts = append(texts, sharedRank+"; differences under "+tie+" are never ranked (assay rank prints all ties and the deciding intervals)")
	}
	if speeds {
		name := "the reference"
		if len(references) == 1 {
			for name = range references {
			}
		}
		texts = append(texts, fmt.Sprintf("vs %s: how many times as fast, paired round by round; below 1 is slower", name))
	}
	if ordinary {
		texts = append(texts, "go build: the ratio in the default link layout, for comparison only")
	}
	if serves {
		texts = append(texts, serviceLegend(all))
	}
	if packs {
		texts = append(texts, "bytes: a message before and after the codec of the row's mode")
	}
	if text := SizesOf(r.Run); text != "" {
		texts = append(texts, text)
	}
	if slices.ContainsFunc(all, sheet.lone) {
		texts = append(texts, loneLegend)
	}
	return append(texts, warned(r)...)
}

// serviceLegend explains the columns that the tables of service metrics have.
func serviceLegend(all []sheet) string {
	has := func(title string) bool {
		return slices.ContainsFunc(all, func(s sheet) bool {
			return slices.ContainsFunc(s.more, func(g *grid) bool {
				i := slices.IndexFunc(g.columns, func(c column) bool { return c.title == title })
				return g.serves && i >= 0 && slices.ContainsFunc(g.rows, func(row []string) bool { return i < len(row) && row[i] != "" && row[i] != "—" })
			})
		})
	}
	texts := []string{"CPU/op: CPU time on all cores, garbage collector included"}
	for _, x := range [][2]string{
		{"64 MiB live", "64 MiB live: the same with a live heap of that size"}, {"GC", "GC: the collector's share of CPU/op"}, {"kept", "kept: heap that one decoded message keeps alive"},
	} {
		if has(x[0]) {
			texts = append(texts, x[1])
		}
	}
	return strings.Join(texts, "; ")
}

// sharedRank explains the mark of a shared rank.
const sharedRank = "= marks a shared rank: not shown to be slower than the first row of that rank"

// loneLegend explains the text that plusMinus returns for a number without bounds.
const loneLegend = noInterval + ": a single sample, no interval"

// lone reports whether any number of the sheet is based on a single sample.
func (s sheet) lone() bool {
	return slices.ContainsFunc(s.lines, func(l line) bool { return l.plusMinus == noInterval }) || slices.ContainsFunc(s.more, (*grid).lone)
}
