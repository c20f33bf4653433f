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

// fewTables is the largest number of tables for which a run is shown as tables.
const fewTables = 2

// mostRows is the largest number of rows for which an overview also shows the modes of
// contenders.
const mostRows = 34

// An overviewPage is an overview in the form that people read.
type overviewPage struct {
	trust []string
	grid  *grid
	front []string
	notes []string
}

// overview lays out the overview of a run. It returns nil if the tables are to be shown instead.
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

// shownRows returns the rows to show, and how many rows it left out. If there are more than
// mostRows, it leaves out the rows of modes.
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

// overviewTrust says in one line how far the run can be trusted, and below it why the grade is
// not better.
func overviewTrust(r *analysis.Results, o *analysis.Overview) []string {
	parts := trustWords(r)
	if o.Widest > 0 {
		parts = append(parts, widths(o))
	}
	return trustLines(r, parts)
}

// widths says how precise the ratios are: "ratios ±1.8% in the median, widest ±5.3%". The width
// of a ratio that is not known says nothing, so such ratios are only counted.
func widths(o *analysis.Overview) string {
	switch {
	case o.Unknown == 0:
		return fmt.Sprintf("ratios %s in the median, widest %s", halfWidth(o.Median), halfWidth(o.Widest))
	case 2*o.Unknown >= o.Ratios: // the one in the middle is not known
		return fmt.Sprintf("%d of %d ratios not known to a factor of 2 yet", o.Unknown, o.Ratios)
	}
	return fmt.Sprintf("ratios %s in the median, %d of %d not known to a factor of 2 yet", halfWidth(o.Median), o.Unknown, o.Ratios)
}

// halfWidth formats a half-width, which is a share: "±2.1%".
func halfWidth(v float64) string {
	return plusMinus(analysis.Interval{Value: 1, Lo: 1 - v, Hi: 1 + v})
}

// These are the titles of the columns of an overview, except those of workloads, in the order of
// the rows' cells.
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

// overviewTitle says what the numbers mean.
func overviewTitle(o *analysis.Overview) string {
	return fmt.Sprintf("times as fast as %s: %s, one size of each workload (code only, GC off)", o.Reference, OpsText(o))
}

// OpsText says what an overview times: "round trip", or its only op.
func OpsText(o *analysis.Overview) string {
	if len(o.Ops) == 1 {
		return string(o.Ops[0])
	}
	return "round trip"
}

// brief formats how many times as fast a ratio of times is: "15.7", "0.29". It returns "" for
// nil.
func brief(ratio *analysis.Interval) string {
	if ratio == nil {
		return ""
	}
	v := 1 / ratio.Value
	return factor(&v)
}

// factor formats a factor, mostly with two or three digits.
func factor(v *float64) string {
	switch {
	case v == nil:
		return ""
	case *v == 0:
		return "0"
	case *v < 0.0005:
		return "<0.001"
	case *v < 0.0095:
		return strconv.FormatFloat(*v, 'f', 3, 64)
	case *v < 9.95:
		return strconv.FormatFloat(*v, 'f', 2, 64)
	case *v < 99.5:
		return strconv.FormatFloat(*v, 'f', 1, 64)
	}
	return strconv.FormatFloat(*v, 'f', 0, 64)
}

// lone reports whether fewer than two rows have all workloads, so that rows cannot be ranked.
func lone(o *analysis.Overview) bool {
	n := 0
	for _, r := range o.Rows {
		if r.Overall != nil {
			n++
		}
	}
	return n < 2
}

// overall formats a row's overall ratio with its uncertainty. The reference's ratio is 1 and has
// no uncertainty. Padding aligns the signs ± of all rows.
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

// frontLines says which rows are on the Pareto front of speed and size, and what each of them
// requires. It includes rows that do not fit into the table, because they may beat the shown
// rows.
func frontLines(o *analysis.Overview, about func(string) *contender.Contender) []string {
	if lone(o) {
		return nil
	}
	rows, open := front(o)
	var names, gives []string
	for _, r := range rows {
		names = append(names, fmt.Sprintf("%s (%s×, %s of the size)", r.Subject, brief(r.Overall), ShareText(*r.Size)))
		if text := takes(r.Subject, about); text != "" {
			gives = append(gives, r.Subject.String()+": "+text)
		}
	}
	if len(names) == 0 {
		return nil
	}
	line := "Pareto front of speed and size: " + strings.Join(names, ", ")
	if open > 0 {
		line += fmt.Sprintf("; by the point estimates; %d more may belong to it (to decide, raise --budget or select less)", open)
	}
	lines := []string{line}
	if len(gives) > 0 {
		lines = append(lines, "gives up: "+strings.Join(gives, "; "))
	}
	return lines
}

// front returns the rows of the Pareto front. If few rows are told apart, most rows are not shown
// to be beaten. In that case, front returns only the rows on the front of the estimates, and open
// counts the others that may be on the front.
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

// above reports whether the estimates of row by are at least as good as those of r in both speed
// and size, and better in one of them.
func above(by, r analysis.OverviewRow) bool {
	faster, smaller := r.Overall.Value-by.Overall.Value, *r.Size-*by.Size // Overall is a ratio of times
	return faster >= 0 && smaller >= 0 && faster+smaller > 0
}

// takes lists the unwanted traits of a contender, and its mode.
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

// overviewNotes explains what the rows show, why figures are missing, and what the overview
// leaves out.
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
		notes = append(notes, sharedRank)
	}
	if slices.ContainsFunc(rows, func(r analysis.OverviewRow) bool { return r.Overall != nil && !r.Overall.Known() }) {
		notes = append(notes, "~ marks a ratio not yet known within a factor of 2: raise --budget or select less")
	}
	if lone(o) {
		notes = append(notes, "no two contenders have all of these workloads, so none is ranked: -w selects those that are compared")
	}
	notes = append(notes, missingNotes(r, o, rows)...)
	if o.Beside > 0 || modes > 0 {
		notes = append(notes, besideNote(o.Beside, modes))
	}
	notes = append(notes, cellWarnings(shownTables(r, o))...)
	return append(notes, warned(r)...)
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

// missingNotes says why rows lack a column. Rows with the same reason share a note.
func missingNotes(r *analysis.Results, o *analysis.Overview, rows []analysis.OverviewRow) []string {
	var all tally
	add := func(s result.Subject, c analysis.Column, word string) {
		for _, t := range r.Tables {
			if t.Cell.Workload != c.Workload || t.Cell.Size != c.Size || !slices.Contains(o.Ops, t.Cell.Op) {
				continue
			}
			if row, ok := t.Row(t.Cell.Case(s), analysis.Time); ok && row.Number == nil {
				all.add(s, word, phrase.FirstLine(row.Reason))
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
		fmt.Fprintf(b, "%s\n\n", paragraph(text))
	}
	p.grid.markdown(b)
	for _, text := range slices.Concat(p.front, p.notes) {
		fmt.Fprintf(b, "- %s\n", paragraph(text))
	}
}
