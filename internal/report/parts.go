package report

import (
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/guess"
	"assay/internal/texttab"
	"assay/published/claims"
	"assay/published/reproduce"
	"assay/result"
)

// A Part is a table in the form that people read, for packages that lay out a report of their
// own. Its texts are the same as in every other format. Columns without text are left out.
type Part struct {
	Title   string
	Columns []PartColumn
	// Rows have a text for each column.
	Rows [][]string
	// Below has sentences about the rows, and about subjects that have no row.
	Below []string
}

// A PartColumn is a column of a Part.
type PartColumn struct {
	Title string
	// Right says that it is aligned right, as numbers are.
	Right bool
}

// part returns a grid as a Part.
func (g *grid) part() Part {
	p := Part{Title: g.title}
	shown := g.shown()
	for _, i := range shown {
		p.Columns = append(p.Columns, PartColumn{g.columns[i].title, g.columns[i].right})
	}
	for _, row := range g.rows {
		var cells []string
		for _, i := range shown {
			cells = append(cells, strings.TrimSpace(row[i]))
		}
		p.Rows = append(p.Rows, cells)
	}
	p.Below = outcomeTexts(g.below)
	return p
}

func outcomeTexts(outcomes []outcome) []string {
	var out []string
	for _, o := range outcomes {
		out = append(out, strings.TrimSuffix(o.word+": "+o.text(), ": "))
	}
	return out
}

// parts converts the grids that have rows or remarks.
func parts(grids []*grid) []Part {
	var out []Part
	for _, g := range grids {
		if g != nil && len(g.rows)+len(g.below) > 0 {
			out = append(out, g.part())
		}
	}
	return out
}

// OverviewParts is an overview in the form that people read: see analysis.Overview.
type OverviewParts struct {
	Table Part
	// Front says which rows are on the Pareto front and what each of them gives up. Notes explain
	// the rows and what is missing.
	Front, Notes []string
}

// OverviewPart lays out an overview with all of its rows. About may be nil.
func OverviewPart(r *analysis.Results, o *analysis.Overview, about func(string) *contender.Contender) OverviewParts {
	return OverviewParts{
		Table: overviewGrid(o, o.Rows).part(),
		Front: frontLines(o, about),
		Notes: overviewNotes(r, o, o.Rows, 0),
	}
}

// TrustParts says how far a run can be trusted: first one line, then the precision that was asked
// for, the reasons and the results of the controls.
func TrustParts(r *analysis.Results) []string {
	first, precision := trust(r), asked(r)
	var lines []string
	if first != "" {
		lines = append(lines, first)
	}
	lines = append(lines, jsonLines(r.JSON)...)
	if precision != "" {
		lines = append(lines, precision)
	}
	if first+precision == "" {
		return lines
	}
	return slices.Concat(lines, StreamWords(r), notA(r), measuredBeside(r))
}

// CellParts has the tables of one cell.
type CellParts struct {
	Cell result.Cell
	// Warnings concern the cell as a whole.
	Warnings []string
	// Failures says which subjects have no number, and why.
	Failures []string
	// Service, Scaling, Footprints, Compressed and BuildCost have no rows if they were not
	// measured.
	Service, Scaling, Footprints, Compressed, BuildCost Part
	// Streams has the tables of streams and of whole values.
	Streams []Part
}

// CellPart lays out the tables of a cell other than its table of times.
func CellPart(t *analysis.Table) CellParts {
	p := CellParts{Cell: t.Cell}
	for _, w := range t.Warnings {
		p.Warnings = append(p.Warnings, w.Text)
	}
	if t.Cell.Op == result.Building {
		p.BuildCost = buildCost(t).part()
		return p
	}
	if t.Streamed() {
		p.Streams = parts(streamGrids(t))
		return p
	}
	cases := order(t)
	var failures tally
	for _, c := range cases {
		if row, _ := t.Row(c, analysis.Time); row.Number == nil {
			failures.add(c.Subject(), string(row.Status), row.Reason)
		}
	}
	p.Failures = outcomeTexts(failures.outcomes())
	var notes texttab.Notes
	p.Service, p.Scaling, p.Compressed = service(t, cases, &notes).part(), scaling(t, cases).part(), compressed(t, cases).part()
	p.Service.Below = append(p.Service.Below, numbered(&notes)...)
	p.Footprints = footprints(t, cases).part()
	return p
}

// Remarks returns the texts of the footnotes of a row of time.
func Remarks(row analysis.Row) []string { return remarks(row, nil) }

// A Point is one statement of an answer: a title, a text, and lines below. A point without a
// title is a single line.
type Point struct {
	Title, Text string
	Below       []string
}

// Verdict returns the opening lines of the answer, and its recommendations with the Pareto front.
func (t *Try) Verdict() (lead []string, points []Point) {
	return t.lead(), t.points(full)
}

// Recommended returns only the recommendations and the Pareto front, and before them that CPU time decides
// where it does. It is for runs of built-in workloads: they are nobody's records, so it says nothing about
// their cost.
func (t *Try) Recommended() (lead []string, points []Point) {
	if text := t.disagreement(); text != "" {
		lead = []string{text}
	}
	return lead, t.points(full)
}

// CostPart returns the table of what each candidate costs in machines.
func (t *Try) CostPart() Part { return t.cost().part() }

// GuessPart returns the guesses about the schema, largest effect on the result first. It leaves
// out the reasons, because they can quote records.
func (t *Try) GuessPart() Part {
	p := Part{Title: "Guessed of the schema, by what it can do to the result", Columns: []PartColumn{
		{Title: "path"}, {Title: "decision"}, {Title: "to overrule it"},
	}}
	for _, g := range guess.ByEffect(t.Data.Guesses) {
		p.Rows = append(p.Rows, []string{g.Path, g.Decision, g.Overrule})
	}
	return p
}

// CompareParts returns the tables of a comparison, one for each workload and size. above says how
// far the two sides can be trusted, and legend explains the tables.
func CompareParts(c *analysis.Comparison) (above []string, tables []Part, legend []string) {
	return compareHead(c), parts(compareGrids(c)), compareLegend(c)
}

// Tallied counts the rulings by verdict, in sentences.
func (c *Claims) Tallied() []string { return c.tallied() }

// Parts returns the rulings, one table for each source.
func (c *Claims) Parts() []Part {
	var out []Part
	for _, s := range c.Ledger.Sources {
		rulings := c.of(s.ID)
		if len(rulings) == 0 {
			continue
		}
		p := Part{Title: s.Title, Columns: []PartColumn{
			{Title: "claim"}, {Title: "statement"}, {Title: "published"}, {Title: "measured"}, {Title: "as published"}, {Title: "elsewhere"}, {Title: "evidence"},
		}}
		for _, r := range rulings {
			p.Rows = append(p.Rows, []string{
				r.Claim.ID, r.Claim.Statement, publishedText(r), measuredText(r), r.Headline(), r.Around(), strings.Join(evidence(r), " "),
			})
		}
		out = append(out, p)
	}
	return out
}

// evidence returns the reasons of a ruling, as published and elsewhere.
func evidence(r claims.Ruling) []string {
	return slices.DeleteFunc([]string{r.Reason, r.ElsewhereReason}, func(s string) bool { return s == "" })
}

// ReproduceParts returns the published tables beside the measured values, with one line for each
// method.
func ReproduceParts(r *reproduce.Reproduction) []Part {
	var out []Part
	for _, s := range r.Sources {
		for i := range s.Tables {
			out = append(out, reproducedPart(s, &s.Tables[i]))
		}
	}
	return out
}

func reproducedPart(s reproduce.Source, t *reproduce.Table) Part {
	var notes texttab.Notes
	p := Part{Title: s.ID + ": " + t.Title, Columns: []PartColumn{{Title: ""}, {Title: "library"}, {Title: "method"}}}
	for i, metric := range reproduce.Metrics {
		p.Columns = append(p.Columns, PartColumn{metricHeads[metric], true})
		if i == 0 {
			p.Columns = append(p.Columns, PartColumn{"ratio", true})
		}
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		for _, m := range reproduce.Methods {
			cells := []string{r.Label, libraryOf(r, &notes), methodNames[m]}
			for k, metric := range reproduce.Metrics {
				cells = append(cells, reproduced(r.Number(metric, m), metric, &notes))
				if k == 0 {
					cells = append(cells, ratio(r.Ratio(m)))
				}
			}
			p.Rows = append(p.Rows, cells)
		}
	}
	p.Below = append(p.Below, numbered(&notes)...)
	return p
}

// numbered returns footnotes with their marks before them.
func numbered(notes *texttab.Notes) []string {
	var out []string
	for i, text := range notes.Texts() {
		out = append(out, texttab.Superscript(i+1)+" "+text)
	}
	return out
}

// TimesText formats a factor with its bounds: "14.7× (14.5…14.9)".
func TimesText(i analysis.Interval) string {
	factor, bounds := times(i)
	return strings.TrimSpace(factor + " " + bounds)
}

// SpeedText formats how many times as fast a ratio of times is, with its bounds.
func SpeedText(ratio analysis.Interval) string { return TimesText(ratio.Over(1)) }

// FactorText formats a factor as an overview does, mostly with two or three digits.
func FactorText(v float64) string { return factor(&v) }
