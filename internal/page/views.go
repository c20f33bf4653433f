package page

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/phrase"
	"assay/internal/report"
	"assay/result"
)

// A dataset is a workload at a size, or all workloads together.
type dataset struct {
	ID, Title string
	cell      result.Cell // without an op; empty for all workloads
	overview  *analysis.Overview
	Pictures  []picture
	Lead      []string
	Points    []report.Point
}

// A picture is the scatter plot of one dataset for one metric.
type picture struct {
	Metric  string // "time" or "cpu"
	SVG     template.HTML
	Caption string
}

// A view is one ranking of a dataset, for the round trip or for one op.
type view struct {
	ID, Data, Title, Op string
	Reference           string
	Rows                []viewRow
	Axis                []tick
	// Absolute says that Size and Allocs are those of a message. Otherwise they are relative to
	// the reference.
	Absolute bool
	// HasCPU and the fields after it say which columns have a number.
	HasCPU, HasTime, HasSize, HasAllocs bool

	// Notes are the texts that the marks of rows refer to. Marks count from 1.
	Notes   []string
	Below   []string
	Command string
	base    [][]analysis.Interval // by baseline, which is one of the first rows
}

// A viewRow is the row of a subject in a ranking.
type viewRow struct {
	Subject       int
	Name, Mode    string
	Rank          string
	Band          int // alternates from rank to rank, and from row to row without a rank
	Front, IsBase bool
	Speed, CPU    *value
	Time          *value
	Size, Allocs  *value
	Dot           template.HTML
	Marks         []int // numbers of the view's Notes
	notes         []string
}

// A value is a number with its interval and its text.
type value struct {
	V, Lo, Hi float64
	Text      string
}

// A tick is a mark on an axis. At is its position in per cent of the axis.
type tick struct {
	At   float64
	Text string
}

func finite(v ...float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// valueOf returns a value, or nil if the number is negative or not finite.
func valueOf(i analysis.Interval, text string) *value {
	if !finite(i.Value) || i.Value < 0 {
		return nil
	}
	if !finite(i.Lo, i.Hi) {
		i.Lo, i.Hi = i.Value, i.Value
	}
	return &value{i.Value, i.Lo, i.Hi, text}
}

// speedOf converts a ratio of times to how many times as fast that is.
func speedOf(ratio *analysis.Interval) *value {
	if ratio == nil || !(ratio.Value > 0) {
		return nil
	}
	if ratio.Lo == 1 && ratio.Hi == 1 {
		return valueOf(*ratio, "1×")
	}
	return valueOf(ratio.Over(1), report.SpeedText(*ratio))
}

// prepare makes the datasets and their views.
func (p *builder) prepare() {
	p.answers = map[string]*report.Try{}
	if p.Results == nil {
		return
	}
	r := p.Results
	var cells []result.Cell
	for i := range r.Tables {
		t := &r.Tables[i]
		for _, row := range t.Rows {
			p.subject(row.Case.Subject())
		}
		if c := (result.Cell{Workload: t.Cell.Workload, Size: t.Cell.Size}); t.Cell.Op != result.Building && !t.Streamed() && !slices.Contains(cells, c) {
			cells = append(cells, c)
		}
	}
	if all := analysis.OverviewOf(r, p.Typical); all != nil && len(all.Columns) > 1 && compares(all) {
		d := dataset{ID: "all", Title: allOf(len(all.Columns)), overview: all}
		d.Points = p.overallPoints(all)
		p.addData(d, p.overviewView("all", all))
	}
	for i, c := range cells {
		p.cellViews(fmt.Sprintf("d%d", i), c)
	}
	if p.Claims != nil { // the verdict of their page is on them
		for i := range p.datas {
			p.datas[i].Lead, p.datas[i].Points = nil, nil
		}
	}
	if words := report.StreamWords(r); len(p.datas) == 0 && len(words) > 0 {
		p.datas = []dataset{{ID: "streams", Title: "streams and whole values", Lead: words}}
	}
	if len(p.views) > 0 && !slices.ContainsFunc(p.views, func(v view) bool { return len(v.Rows) > 0 }) {
		p.views = nil // there is nothing to choose, sort or draw
		p.datas[0].Lead = append(p.datas[0].Lead, "No verdict: nothing here has a number. See Losses and failures, below.")
	}
}

// compares reports whether any subject other than the reference was measured in all workloads.
func compares(o *analysis.Overview) bool {
	return slices.ContainsFunc(o.Rows, func(r analysis.OverviewRow) bool { return r.Overall != nil && r.Subject != o.Reference })
}

// allOf names all workloads together.
func allOf(n int) string {
	if n == 2 {
		return "both workloads"
	}
	return fmt.Sprintf("all %d workloads", n)
}

// subject returns the index of a subject on the page. It adds a new subject.
func (p *builder) subject(s result.Subject) int {
	i := slices.Index(p.subjects, s)
	if i < 0 {
		i = len(p.subjects)
		p.subjects = append(p.subjects, s)
	}
	return i
}

// addData adds a dataset with its views. It skips views that are nil.
func (p *builder) addData(d dataset, views ...*view) {
	for _, v := range views {
		if v == nil {
			continue
		}
		v.Data = d.ID
		v.Title = d.Title + ": " + v.Op
		v.ID = d.ID + "-" + slug(v.Op)
		v.Command = p.command(d.cell, v.Op)
		if text := report.SizesOf(p.Results.Run); text != "" {
			v.Below = append(v.Below, text)
		}
		p.finish(v)
		p.views = append(p.views, *v)
	}
	if d.overview != nil {
		d.Pictures = p.pictures(&d)
	}
	p.datas = append(p.datas, d)
}

// command returns the command line that prints the tables of a view.
func (p *builder) command(c result.Cell, op string) string {
	if p.Again == "" {
		return ""
	}
	text := p.Again
	if c.Workload != "" {
		text += " -w " + phrase.ShellLine("^"+regexp.QuoteMeta(c.Workload)+"$")
	}
	if slices.Contains(result.Ops, result.Op(op)) {
		text += " -o " + op
	}
	return text + " --tables"
}

// cellViews adds the dataset and the views of one workload and size.
func (p *builder) cellViews(id string, c result.Cell) {
	sub := &analysis.Results{Run: p.Results.Run}
	for _, t := range p.Results.Tables {
		if t.Cell.Workload == c.Workload && t.Cell.Size == c.Size {
			sub.Tables = append(sub.Tables, t)
		}
	}
	d := dataset{ID: id, Title: strings.TrimSuffix(short(c.Workload)+" · "+short(c.Size), " · "), cell: c}
	var views []*view
	d.overview = analysis.OverviewOf(sub, nil)
	if o := d.overview; o != nil && len(o.Ops) == 2 {
		t := p.tryOf(c)
		if t != nil && t.Answer.Shortage == nil {
			takeFront(o, t.Answer)
		}
		views = append(views, p.absolute(p.overviewView(id, o), sub))
		if t != nil && (t.Answer.Shortage == nil || len(t.Answer.Candidates) > 0) {
			p.answers[id] = t
			if p.Try != nil {
				d.Lead, d.Points = t.Verdict()
			} else {
				d.Lead, d.Points = t.Recommended()
			}
			if s := t.Answer.Shortage; s != nil && p.Try == nil {
				d.Lead = append(d.Lead, "No winner by time: "+s.Reason+".")
			}
		}
	}
	for i := range sub.Tables {
		views = append(views, p.tableView(&sub.Tables[i]))
	}
	p.addData(d, views...)
}

// takeFront gives the overview the front of an answer, which has no unsafe candidate: the sentence
// beside the picture names it. If the answer ranks by CPU time, it is the front of that picture.
func takeFront(o *analysis.Overview, a *answer.Answer) {
	for i := range o.Rows {
		r := &o.Rows[i]
		front := &r.Front
		if a.Disagreement != nil {
			front = &r.CPUFront
		}
		one := a.Candidate(r.Subject)
		*front = one != nil && one.Pareto
	}
}

// tryOf returns the answer for a workload and size.
func (p *builder) tryOf(c result.Cell) *report.Try {
	if p.Try != nil {
		return p.Try
	}
	return p.answerOf(result.Cell{Workload: c.Workload, Size: c.Size})
}

// overallPoints returns the verdict over all workloads.
func (p *builder) overallPoints(o *analysis.Overview) []report.Point {
	parts := report.OverviewPart(p.Results, o, p.about)
	var points []report.Point
	for _, line := range parts.Front {
		title, text, _ := strings.Cut(line, ": ")
		points = append(points, report.Point{Title: title, Text: text})
	}
	var first []string
	for _, row := range o.Rows {
		if row.Rank == 1 && row.Overall != nil {
			first = append(first, fmt.Sprintf("%s %s", row.Subject, speedOf(row.Overall).Text))
		}
	}
	if len(first) > 0 {
		title := "Fastest " + report.OpsText(o)
		text := strings.Join(first, ", ") + " as fast as " + o.Reference.String()
		switch {
		case len(first) > 1:
			title += ", not told apart"
		case o.Rows[0].Subject == o.Reference:
			text = o.Reference.String() + ", which the others are compared with"
		}
		points = append([]report.Point{{Title: title, Text: text + ", by the geometric mean over all workloads"}}, points...)
	}
	if small := smallest(o); len(small) > 0 {
		var names []string
		for _, r := range small {
			names = append(names, r.Subject.String())
		}
		points = append(points, report.Point{Title: "Smallest", Text: fmt.Sprintf("%s, %s of the size of %s", phrase.List(names, "and"), report.ShareText(*small[0].Size), o.Reference)})
	}
	return points
}

// smallest returns the smallest row of an overview, and those that are larger by less than a tie.
func smallest(o *analysis.Overview) (all []analysis.OverviewRow) {
	for _, r := range o.Rows {
		if r.Size != nil && r.Rank > 0 {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b analysis.OverviewRow) int { return cmp.Compare(*a.Size, *b.Size) })
	return slices.DeleteFunc(all, func(r analysis.OverviewRow) bool { return *r.Size >= *all[0].Size*(1+analysis.Tie) })
}

// A page has the intervals of all rows relative to each row that may be a baseline. mostPairs is
// the largest number of such intervals. leastBases and mostBases bound the number of baselines in
// a view.
const (
	mostPairs  = 12000
	leastBases = 4
	mostBases  = 32
)

// bases returns how many rows of each view may be a baseline.
func (p *builder) bases() int {
	rows := 0
	for _, t := range p.Results.Tables {
		rows += len(t.Ranking.Places)
	}
	rows += rows / 2 // the views of round trips
	return max(leastBases, min(mostBases, mostPairs/max(1, rows)))
}

// overviewView returns the ranking of an overview.
func (p *builder) overviewView(id string, o *analysis.Overview) *view {
	v := &view{Op: report.OpsText(o), Reference: o.Reference.String()}
	ranked := 0
	for _, r := range o.Rows {
		row := p.row(r.Subject)
		row.IsBase = r.Subject == o.Reference
		row.Speed, row.CPU, row.Front = speedOf(r.Overall), speedOf(r.CPU), r.Front
		if r.Size != nil {
			row.Size = valueOf(analysis.Interval{Value: *r.Size, Lo: *r.Size, Hi: *r.Size}, report.FactorText(*r.Size)+"×")
		}
		if r.Allocs != nil {
			row.Allocs = valueOf(analysis.Interval{Value: *r.Allocs, Lo: *r.Allocs, Hi: *r.Allocs}, report.FactorText(*r.Allocs)+"×")
		}
		if r.Rank > 0 {
			ranked++
			row.Rank = report.PlaceText(r.Rank, r.Equal)
		}
		v.Rows = append(v.Rows, row)
	}
	for j := range min(ranked, p.bases()) {
		var column []analysis.Interval
		for i := range ranked {
			column = append(column, o.Between(i, j))
		}
		v.base = append(v.base, column)
	}
	if id == "all" {
		v.Below = report.OverviewPart(p.Results, o, p.about).Notes
	}
	return v
}

// absolute replaces the relative figures in a view of one dataset by the times, sizes and
// allocations of a round trip.
func (p *builder) absolute(v *view, sub *analysis.Results) *view {
	var encode, decode *analysis.Table
	for i := range sub.Tables {
		switch sub.Tables[i].Cell.Op {
		case result.Encode:
			encode = &sub.Tables[i]
		case result.Decode:
			decode = &sub.Tables[i]
		}
	}
	v.Absolute = true
	trips, _ := analysis.Trips(encode, decode)
	for i := range v.Rows {
		row := &v.Rows[i]
		row.Size, row.Allocs = nil, nil
		s := p.subjects[row.Subject]
		for _, t := range trips {
			if t.Subject != s {
				continue
			}
			row.Time = valueOf(t.Time, report.MeasureText(t.Time))
			row.Size = number(encode, t.Encode, analysis.EncodedSize, report.BytesText)
			e, okE := encode.Row(encode.Cell.Case(t.Encode), analysis.Allocs)
			d, okD := decode.Row(decode.Cell.Case(t.Decode), analysis.Allocs)
			if okE && okD && e.Number != nil && d.Number != nil {
				n := e.Number.Value + d.Number.Value
				row.Allocs = valueOf(analysis.Interval{Value: n, Lo: n, Hi: n}, report.CountText(n))
			}
			er, _ := encode.Row(encode.Cell.Case(t.Encode), analysis.Time)
			dr, _ := decode.Row(decode.Cell.Case(t.Decode), analysis.Time)
			row.notes = unique(append(report.Remarks(er), report.Remarks(dr)...))
		}
	}
	for _, t := range []*analysis.Table{encode, decode} {
		cell := report.CellPart(t)
		for _, text := range cell.Warnings {
			v.Below = append(v.Below, string(t.Cell.Op)+": "+text)
		}
		v.Below = append(v.Below, cell.Failures...)
	}
	v.Below = unique(v.Below)
	return v
}

// number returns a number of a subject, formatted without an interval.
func number(t *analysis.Table, s result.Subject, metric string, format func(float64) string) *value {
	row, ok := t.Row(t.Cell.Case(s), metric)
	if !ok || row.Number == nil {
		return nil
	}
	return valueOf(*row.Number, format(row.Number.Value))
}

func unique(texts []string) []string {
	var out []string
	for _, t := range texts {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// tableView returns the ranking of one op of one workload and size.
func (p *builder) tableView(t *analysis.Table) *view {
	v := &view{Op: short(string(t.Cell.Op)), Absolute: true}
	if t.Cell.Op == result.Building || t.Streamed() {
		return nil
	}
	if t.Reference != nil {
		v.Reference = t.Reference.String()
	}
	cases := t.Cases()
	place := func(c result.Case) int {
		i := slices.IndexFunc(t.Ranking.Places, func(x analysis.Place) bool { return x.Subject == c.Subject() })
		if i < 0 {
			return len(t.Ranking.Places)
		}
		return i
	}
	slices.SortStableFunc(cases, func(a, b result.Case) int { return cmp.Compare(place(a), place(b)) })
	for _, c := range cases {
		one, ok := t.Row(c, analysis.Time)
		if !ok || one.Number == nil {
			continue
		}
		row := p.row(c.Subject())
		row.IsBase = t.Reference != nil && c.Subject() == *t.Reference
		row.Time = valueOf(*one.Number, report.MeasureText(*one.Number))
		if row.IsBase {
			row.Speed = speedOf(&analysis.Interval{Value: 1, Lo: 1, Hi: 1})
		} else if c.Contender != analysis.Floor {
			row.Speed = speedOf(one.Ratio)
		}
		if cpu, ok := t.Row(c, analysis.CPUTime); ok && c.Contender != analysis.Floor {
			row.CPU = speedOf(cpu.Ratio)
		}
		row.Size = number(t, c.Subject(), analysis.EncodedSize, report.BytesText)
		row.Allocs = number(t, c.Subject(), analysis.Allocs, report.CountText)
		row.notes = report.Remarks(one)
		if at, ok := t.Ranking.Place(c.Subject()); ok {
			row.Rank = report.PlaceText(at.Rank, at.Equal)
		}
		v.Rows = append(v.Rows, row)
	}
	n := len(t.Ranking.Places)
	for j := range min(n, p.bases()) {
		var column []analysis.Interval
		for i := range n {
			column = append(column, t.Ranking.Difference(i, j))
		}
		v.base = append(v.base, column)
	}
	cell := report.CellPart(t)
	v.Below = slices.Concat(cell.Warnings, cell.Failures)
	return v
}

// row returns a new row for a subject.
func (p *builder) row(s result.Subject) viewRow {
	return viewRow{Subject: p.subject(s), Name: short(s.Contender), Mode: short(s.Mode)}
}

// traitsOf returns the traits of a subject's contender.
func (p *builder) traitsOf(s result.Subject) []string {
	traits := []string{}
	if c := p.about(s.Contender); c != nil {
		for _, t := range c.Traits {
			traits = append(traits, string(t))
		}
	}
	return traits
}

// finish draws the dots of a view, numbers its notes and sets the bands of its ranks.
func (p *builder) finish(v *view) {
	var values []*value
	for i := range v.Rows {
		if v.Rows[i].Speed != nil {
			values = append(values, v.Rows[i].Speed)
		}
	}
	s := scaleOf(values)
	v.Axis = s.ticks()
	band, last := 0, ""
	for i := range v.Rows {
		row := &v.Rows[i]
		v.HasCPU, v.HasTime = v.HasCPU || row.CPU != nil, v.HasTime || row.Time != nil
		v.HasSize, v.HasAllocs = v.HasSize || row.Size != nil, v.HasAllocs || row.Allocs != nil
		for _, text := range row.notes {
			k := slices.Index(v.Notes, text)
			if k < 0 {
				k = len(v.Notes)
				v.Notes = append(v.Notes, text)
			}
			row.Marks = append(row.Marks, k+1)
		}
		if row.Rank != last || row.Rank == "" {
			band, last = 1-band, row.Rank
		}
		row.Band = band
		row.Dot = dot(row.Speed, s)
	}
}

// modes returns the sorted modes of the page's subjects, without the default mode.
func (p *builder) modes() []string {
	var out []string
	for _, s := range p.subjects {
		if s.Mode != "" && !slices.Contains(out, s.Mode) {
			out = append(out, s.Mode)
		}
	}
	slices.Sort(out)
	return out
}

// traits returns the traits that some but not all of the page's subjects have.
func (p *builder) traits() []contender.Word {
	var out []contender.Word
	for _, w := range contender.Traits {
		n := 0
		for _, s := range p.subjects {
			if p.about(s.Contender).Is(w.Trait) {
				n++
			}
		}
		if n > 0 && n < len(p.subjects) {
			out = append(out, w.Word())
		}
	}
	return out
}
