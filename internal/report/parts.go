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

// A Part is a table as people read it, for packages that lay out a report of their
// own: its texts are those of every other format. Columns without text are left out.
type Part struct {
	Title   string
	Columns []PartColumn
	// Rows have a text for each column.
	Rows [][]string
	// Below are sentences about the rows, and about what has none.
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

// parts returns the grids that have something to say.
func parts(grids []*grid) []Part {
	var out []Part
	for _, g := range grids {
		if g != nil && len(g.rows)+len(g.below) > 0 {
			out = append(out, g.part())
		}
	}
	return out
}

// OverviewParts are an overview as people read it: see analysis.Overview.
type OverviewParts struct {
	Table Part
	// Front says who is on the Pareto front and what each gives up, and Notes explain
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

// TrustParts say how far a run can be trusted: first one line, then the reasons and
// what the controls saw.
func TrustParts(r *analysis.Results) []string {
	var lines []string
	if text := trust(r); text != "" {
		lines = append(lines, text)
	}
	return append(lines, summary(r)...)
}

// CellParts are the tables of one cell.
type CellParts struct {
	Cell result.Cell
	// Failures say what has no number, and why.
	Failures []string
	// Service, Scaling, Footprints, Compressed and BuildCost have no rows where
	// that was not measured.
	Service, Scaling, Footprints, Compressed, BuildCost Part
	// Streams are the tables of streams and of whole values.
	Streams []Part
}

// CellPart lays out the further tables of a cell.
func CellPart(t *analysis.Table) CellParts {
	p := CellParts{Cell: t.Cell}
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
	p.Service, p.Scaling, p.Compressed = service(t, cases).part(), scaling(t, cases).part(), compressed(t, cases).part()
	p.Footprints = footprints(t, cases).part()
	return p
}

// Remarks are the texts of the footnotes of a row of time.
func Remarks(row analysis.Row) []string { return remarks(row, nil) }

// CellName is a cell as titles call it: "movie · values=64 · encode".
func CellName(c result.Cell) string { return cellName(c) }

// A Point is one statement of an answer: a title, what it says, and lines below.
// Without a title it is a line.
type Point struct {
	Title, Text string
	Below       []string
}

// Verdict returns what the answer says first, and its recommendations with the front.
func (t *Try) Verdict() (lead []string, points []Point) {
	return t.lead(), t.points(full)
}

// Recommended returns the recommendations and the front alone, for a run of built-in
// workloads, which nobody has records of: nothing is said of what it costs.
func (t *Try) Recommended() []Point {
	_, points := t.Verdict()
	return points
}

// Facts say what was measured.
func (t *Try) Facts() []string {
	plain := *t
	plain.Tables = true
	return plain.head()[:1+len(t.Data.Notes)]
}

// CostPart is what each candidate takes in machines.
func (t *Try) CostPart() Part { return t.cost().part() }

// GuessPart is what was guessed of the schema, by what it can do to the result. It has no
// reasons, which can quote records.
func (t *Try) GuessPart() Part {
	p := Part{Title: "Guessed of the schema, by what it can do to the result", Columns: []PartColumn{
		{Title: "path"}, {Title: "decision"}, {Title: "to overrule it"},
	}}
	for _, g := range guess.ByEffect(t.Data.Guesses) {
		p.Rows = append(p.Rows, []string{g.Path, g.Decision, g.Overrule})
	}
	return p
}

// CompareParts are the tables of a comparison, one for each workload and size; above
// says how far the two sides can be trusted and legend how to read it.
func CompareParts(c *analysis.Comparison) (above []string, tables []Part, legend []string) {
	return compareHead(c), parts(compareGrids(c)), compareLegend(c)
}

// Tallied counts the rulings by verdict, in sentences.
func (c *Claims) Tallied() []string { return c.tallied() }

// Parts are the rulings, a table for each source.
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

// evidence says why a claim is ruled as it is, as published and elsewhere.
func evidence(r claims.Ruling) []string {
	return slices.DeleteFunc([]string{r.Reason, r.ElsewhereReason}, func(s string) bool { return s == "" })
}

// ReproduceParts are the published tables beside what was measured, a line for each
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
	for i, text := range notes.Texts() {
		p.Below = append(p.Below, texttab.Superscript(i+1)+" "+text)
	}
	return p
}

// BytesText and the functions below are how every format writes numbers. This is a number
// of bytes: "66 B", "1.21 kB".
func BytesText(n float64) string { return bytes(n) }

// CountText is a number of allocations.
func CountText(n float64) string { return count(n) }

// ShareText is a share as a percentage.
func ShareText(v float64) string { return share(v) }

// MeasureText is a time in ns with its uncertainty: "39.4 ns ±1.1%".
func MeasureText(i analysis.Interval) string { return measure(i) }

// TimesText is a factor with its bounds: "14.7× (14.5…14.9)".
func TimesText(i analysis.Interval) string {
	factor, bounds := times(i)
	return strings.TrimSpace(factor + " " + bounds)
}

// SpeedText is how many times as fast a ratio of times is, with its bounds.
func SpeedText(ratio analysis.Interval) string { return TimesText(ratio.Over(1)) }

// FactorText is a factor in two or three digits, as an overview has it.
func FactorText(v float64) string { return factor(&v) }
