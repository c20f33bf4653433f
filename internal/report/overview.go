package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/result"
)

// fewTables is up to how many tables a run is shown as tables.
const fewTables = 2

// mostRows is up to how many rows an overview has the modes of contenders too.
const mostRows = 34

// An overviewPage is an overview as people read it.
type overviewPage struct {
	trust []string
	grid  *grid
	front []string
	notes []string
}

// overview lays out the overview of a run, or returns nil where its tables are to be
// shown.
func overview(r *analysis.Results, opts Options) *overviewPage {
	if opts.Tables || len(r.Tables) <= fewTables || r.Tables[0].Streamed() {
		return nil
	}
	o := analysis.OverviewOf(r, opts.Typical)
	if o == nil {
		return nil
	}
	rows, modes := shownRows(o)
	p := &overviewPage{trust: overviewTrust(r, o), grid: overviewGrid(o, rows)}
	p.front = frontLines(o, opts.About)
	p.notes = overviewNotes(r, o, rows, modes)
	return p
}

// shownRows returns the rows of an overview, without those of modes where they are
// too many, and how many rows were left out.
func shownRows(o *analysis.Overview) (rows []analysis.OverviewRow, left int) {
	if len(o.Rows) <= mostRows {
		return o.Rows, 0
	}
	rows = slices.DeleteFunc(slices.Clone(o.Rows), func(r analysis.OverviewRow) bool { return r.Mode != "" })
	if len(rows) < 2 {
		rows = o.Rows[:mostRows]
	}
	return rows, len(o.Rows) - len(rows)
}

// overviewTrust says how far the run can be trusted, in a line, and why not further.
func overviewTrust(r *analysis.Results, o *analysis.Overview) []string {
	parts := trustWords(r)
	if o.Widest > 0 {
		parts = append(parts, widths(o))
	}
	return trustLines(r, parts)
}

// widths says how precise the ratios are: "ratios ±1.8%, widest ±5.3%". Of a ratio that is
// not known no width is a statement, so these are counted.
func widths(o *analysis.Overview) string {
	switch {
	case o.Unknown == 0:
		return fmt.Sprintf("ratios %s in the median, widest %s", halfWidth(o.Median), halfWidth(o.Widest))
	case 2*o.Unknown > o.Ratios:
		return fmt.Sprintf("%d of %d ratios not known to a factor of 2 yet", o.Unknown, o.Ratios)
	}
	return fmt.Sprintf("ratios %s in the median, %d of %d not known to a factor of 2 yet", halfWidth(o.Median), o.Unknown, o.Ratios)
}

// halfWidth is a half-width as a share for reading: "±2.1%".
func halfWidth(v float64) string {
	return plusMinus(analysis.Interval{Value: 1, Lo: 1 - v, Hi: 1 + v})
}

// The columns of an overview besides those of workloads, in the order of the rows'
// cells.
const (
	overallTitle = "overall"
	encodeTitle  = "encode"
	decodeTitle  = "decode"
	sizeTitle    = "size"
	allocsTitle  = "allocs"
	cpuTitle     = "GC on"
)

// overviewGrid lays the rows out.
func overviewGrid(o *analysis.Overview, rows []analysis.OverviewRow) *grid {
	g := &grid{title: overviewTitle(o), tight: true, close: true}
	g.columns = []column{{"", true}, {title: "contender"}, {title: "mode"}}
	for _, c := range o.Columns {
		g.columns = append(g.columns, column{c.Workload, true})
	}
	for _, title := range []string{overallTitle, encodeTitle, decodeTitle, cpuTitle, sizeTitle, allocsTitle} {
		g.columns = append(g.columns, column{title, true})
	}
	g.drops = []string{allocsTitle, encodeTitle, decodeTitle}
	for i := len(o.Columns) - 1; i > 0; i-- {
		g.spare = append(g.spare, o.Columns[i].Workload)
	}
	both, alone := len(o.Ops) > 1, lone(o)
	for _, r := range rows {
		rank := ""
		if r.Rank > 0 && !alone {
			rank = padRank(PlaceText(r.Rank, r.Equal))
		}
		cells := []string{rank, r.Contender, r.Mode}
		for _, c := range r.Columns {
			cells = append(cells, brief(c))
		}
		cells = append(cells, overall(r))
		if both {
			cells = append(cells, brief(r.Encode), brief(r.Decode))
		} else {
			cells = append(cells, "", "")
		}
		g.row(append(cells, brief(r.CPU), factor(r.Size), factor(r.Allocs))...)
	}
	return g
}

// overviewTitle says what the numbers are.
func overviewTitle(o *analysis.Overview) string {
	what := "round trip"
	if len(o.Ops) == 1 {
		what = string(o.Ops[0])
	}
	return fmt.Sprintf("times as fast as %s: %s, one size of each workload (code only, GC off)", o.Reference, what)
}

// brief returns how many times as fast a ratio of times is in at most four digits
// and a point: "15.7", "0.29". Nil is empty.
func brief(ratio *analysis.Interval) string {
	if ratio == nil {
		return ""
	}
	v := 1 / ratio.Value
	return factor(&v)
}

// factor returns a factor in two or three digits.
func factor(v *float64) string {
	switch {
	case v == nil:
		return ""
	case *v == 0:
		return "0"
	case *v < 0.0095:
		return strconv.FormatFloat(*v, 'f', 3, 64)
	case *v < 9.95:
		return strconv.FormatFloat(*v, 'f', 2, 64)
	case *v < 99.5:
		return strconv.FormatFloat(*v, 'f', 1, 64)
	}
	return strconv.FormatFloat(*v, 'f', 0, 64)
}

// lone says that no two rows have all workloads, so that there is no order of them.
func lone(o *analysis.Overview) bool {
	n := 0
	for _, r := range o.Rows {
		if r.Overall != nil {
			n++
		}
	}
	return n < 2
}

// overall is a row's overall ratio with its uncertainty, of which the reference's,
// which is 1, has none. The signs ± stand below one another.
func overall(r analysis.OverviewRow) string {
	if r.Overall == nil {
		return ""
	}
	bounds, about := "", ""
	switch {
	case !r.Overall.Known():
		about = "~"
	case r.Overall.Lo != r.Overall.Hi:
		bounds = plusMinus(*r.Overall)
	}
	return fmt.Sprintf("%s%s %-5s", about, brief(r.Overall), bounds)
}

// frontLines say who is on the Pareto front of speed and size, and what each takes to
// use. They take in rows that the table has no room for: these may beat the others.
func frontLines(o *analysis.Overview, about func(string) *contender.Contender) []string {
	if lone(o) {
		return nil
	}
	rows, open := front(o)
	var names, gives []string
	for _, r := range rows {
		names = append(names, fmt.Sprintf("%s (%s×, %s of the size)", r.Subject, brief(r.Overall), share(*r.Size)))
		if text := takes(r.Subject, about); text != "" {
			gives = append(gives, r.Subject.String()+": "+text)
		}
	}
	if len(names) == 0 {
		return nil
	}
	line := "Pareto front of speed and size: " + strings.Join(names, ", ")
	if open > 0 {
		line += fmt.Sprintf("; this is by the estimates, and %d others may be on it too (more launches tell: a larger --budget, or less selected)", open)
	}
	lines := []string{line}
	if len(gives) > 0 {
		lines = append(lines, "gives up: "+strings.Join(gives, "; "))
	}
	return lines
}

// front returns the rows of the Pareto front. Where little is told apart, most rows are not shown
// to be beaten: then it returns those that are on the front of the estimates, and how many
// others are open.
func front(o *analysis.Overview) (rows []analysis.OverviewRow, open int) {
	for _, r := range o.Rows {
		if r.Front {
			rows = append(rows, r)
		}
	}
	var likely []analysis.OverviewRow
	for _, r := range rows {
		if !slices.ContainsFunc(rows, func(by analysis.OverviewRow) bool { return above(by, r) }) {
			likely = append(likely, r)
		}
	}
	if len(rows) > 2*len(likely)+1 {
		return likely, len(rows) - len(likely)
	}
	return rows, 0
}

// above says that a row's estimates are as good as another's in both speed and size, and
// better in one.
func above(by, r analysis.OverviewRow) bool {
	faster, smaller := r.Overall.Value-by.Overall.Value, *r.Size-*by.Size // Overall is a ratio of times
	return faster >= 0 && smaller >= 0 && faster+smaller > 0
}

// takes says what is unwanted of a contender, and of a mode.
func takes(s result.Subject, about func(string) *contender.Contender) string {
	if about == nil {
		return ""
	}
	c := about(s.Contender)
	if c == nil {
		return ""
	}
	var parts []string
	for _, w := range contender.Traits {
		if w.Unwanted && c.Is(w.Trait) {
			parts = append(parts, w.Trait.In().Short)
		}
	}
	if s.Mode != "" {
		parts = append(parts, s.Mode)
	}
	return strings.Join(parts, ", ")
}

// overviewNotes explain what the rows use, say what is missing from them, and what is
// besides.
func overviewNotes(r *analysis.Results, o *analysis.Overview, rows []analysis.OverviewRow, modes int) []string {
	var sizes []string
	for _, c := range o.Columns {
		sizes = append(sizes, c.Workload+" "+c.Size)
	}
	notes := []string{"workloads: " + strings.Join(sizes, ", ") + "; overall: their geometric mean; below 1 is slower"}
	text := "size, allocs: encoded bytes and allocations relative to " + o.Reference.String()
	if slices.ContainsFunc(rows, func(r analysis.OverviewRow) bool { return r.CPU != nil }) {
		text = "GC on: CPU time with the garbage collector on; " + text
	}
	notes = append(notes, text)
	if slices.ContainsFunc(rows, func(r analysis.OverviewRow) bool { return r.Equal }) {
		notes = append(notes, "= marks a shared rank: not shown to be slower than the first row of that rank")
	}
	if slices.ContainsFunc(rows, func(r analysis.OverviewRow) bool { return r.Overall != nil && !r.Overall.Known() }) {
		notes = append(notes, "~ marks what is not known to a factor of 2 yet: more launches tell (a larger --budget, or less selected)")
	}
	if lone(o) {
		notes = append(notes, "no two contenders have all of these workloads, so none is ranked: -w selects those that are compared")
	}
	notes = append(notes, missingNotes(r, o, rows)...)
	if o.Beside > 0 || modes > 0 {
		notes = append(notes, besideNote(o.Beside, modes))
	}
	for _, w := range r.Warnings {
		notes = append(notes, w.Text)
	}
	return notes
}

// besideNote says what the screen leaves out.
func besideNote(tables, modes int) string {
	var parts []string
	if modes > 0 {
		parts = append(parts, phrase.Count(modes, "row")+" of modes")
	}
	if tables > 0 {
		parts = append(parts, phrase.Count(tables, "more table"))
	}
	return "not on this screen: " + strings.Join(parts, " and ") + " (--tables of assay show prints them; -w, -o and -m select)"
}

// missingNotes say why rows lack a column, those of one reason together.
func missingNotes(r *analysis.Results, o *analysis.Overview, rows []analysis.OverviewRow) []string {
	var all tally
	add := func(s result.Subject, c analysis.Column, word string) {
		for _, t := range r.Tables {
			if t.Cell.Workload != c.Workload || t.Cell.Size != c.Size || !slices.Contains(o.Ops, t.Cell.Op) {
				continue
			}
			if row, ok := t.Row(t.Cell.Case(s), analysis.Time); ok && row.Number == nil {
				all.add(s, word, firstSentence(row.Reason))
				return
			}
		}
	}
	for _, row := range rows {
		for _, i := range row.Missing {
			add(row.Subject, o.Columns[i], "no "+o.Columns[i].Workload)
		}
	}
	for _, s := range o.Without {
		for _, c := range o.Columns {
			add(s, c, "left out")
		}
	}
	var out []string
	for _, x := range all.outcomes() {
		out = append(out, x.word+": "+x.text())
	}
	return out
}

// firstSentence is a reason up to where its first line ends.
func firstSentence(reason string) string {
	line, _, _ := strings.Cut(reason, "\n")
	return line
}

// text writes the page for a terminal.
func (p *overviewPage) text(w io.Writer, opts Options) error {
	if err := paragraphs(w, p.trust, opts.Width); err != nil {
		return err
	}
	if err := p.grid.write(w, opts); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if err := paragraphs(w, p.front, opts.Width); err != nil {
		return err
	}
	notes := slices.Clone(p.notes)
	_, dropped := p.grid.fit(opts)
	for _, o := range dropped {
		notes = append(notes, o.word+" "+o.reason)
	}
	return footnotes(w, notes, nil, opts.Width)
}

// markdown writes the page as a pipe table and lists.
func (p *overviewPage) markdown(b *strings.Builder) {
	for _, text := range p.trust {
		fmt.Fprintf(b, "%s\n\n", escape(text))
	}
	p.grid.markdown(b)
	for _, text := range slices.Concat(p.front, p.notes) {
		fmt.Fprintf(b, "- %s\n", escape(text))
	}
}
