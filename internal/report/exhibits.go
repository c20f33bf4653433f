package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/texttab"
	"assay/published/exhibits"
	"assay/result"
)

// ExhibitsFormats are all formats of exhibits.
var ExhibitsFormats = []FormatOf[*exhibits.Results]{
	{"text", "both halves side by side, for a terminal", ExhibitsText},
	{"json", "every number of both halves; a stable, versioned contract", plain(ExhibitsJSON)},
	{"md", "a Markdown page", plain(ExhibitsMarkdown)},
}

// ExhibitsText writes each exhibit: both halves, their ratio, its text, and whether the
// expectations of the text hold.
func ExhibitsText(w io.Writer, r *exhibits.Results, opts Options) error {
	opts = opts.orDefaults()
	for _, e := range r.Exhibits {
		if err := exhibitGrid(e).write(w, opts); err != nil {
			return err
		}
		t := &texttab.Table{Limit: opts.Width}
		for _, line := range aboutLines(e) {
			t.Row().Cell(line[0]).Rest(line[1])
		}
		if err := t.Format(w, opts.Color); err != nil {
			return err
		}
		if err := footnotes(w, []string{"", e.Text, ""}, nil, opts.Width); err != nil {
			return err
		}
		t = &texttab.Table{Limit: opts.Width}
		for _, c := range e.Checks {
			style := texttab.Plain
			if !c.Holds {
				style = texttab.Red
			}
			t.Row().Cell(checkWord(c), texttab.Styled(style)).Rest(checkText(c))
		}
		if err := t.Format(w, opts.Color); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return footnotes(w, exhibitsLegend(r), nil, opts.Width)
}

// ExhibitsMarkdown writes the content of ExhibitsText as Markdown.
func ExhibitsMarkdown(w io.Writer, r *exhibits.Results) error {
	var b strings.Builder
	for _, e := range r.Exhibits {
		exhibitGrid(e).markdown(&b)
		for _, line := range aboutLines(e) {
			fmt.Fprintf(&b, "- %s: %s\n", escape(line[0]), escape(line[1]))
		}
		fmt.Fprintf(&b, "\n%s\n\n", paragraph(e.Text))
		for _, c := range e.Checks {
			fmt.Fprintf(&b, "- **%s** %s\n", checkWord(c), escape(checkText(c)))
		}
		b.WriteByte('\n')
	}
	for _, text := range exhibitsLegend(r) {
		fmt.Fprintf(&b, "- %s\n", paragraph(text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// halfLines describes what each half does.
func halfLines(e exhibits.Exhibit) [][2]string {
	return [][2]string{{exhibits.Published, e.Published}, {exhibits.Corrected, e.Corrected}}
}

// aboutLines describes what each half does, the source and the claims of an exhibit.
func aboutLines(e exhibits.Exhibit) [][2]string {
	lines := append(halfLines(e), [2]string{"source", e.Source})
	if len(e.Claims) > 0 {
		lines = append(lines, [2]string{"claims", strings.Join(e.Claims, ", ")})
	}
	return lines
}

// exhibitMetrics lists the metrics that have a column in every exhibit, to the left of the
// metrics that the benchmarks themselves report.
var exhibitMetrics = []string{analysis.Time, analysis.AllocBytes, analysis.Allocs, analysis.EncodedSize}

// exhibitGrid returns the table of both halves and their ratio.
func exhibitGrid(e exhibits.Exhibit) *grid {
	g := &grid{title: e.Name + ": " + e.Title, columns: []column{{title: ""}}}
	metrics := slices.Clone(exhibitMetrics)
	for _, m := range exhibitMetrics {
		g.columns = append(g.columns, column{metricHeads[m], true})
	}
	var checked []string // dropped last; the checks below repeat these figures
	for _, m := range slices.Backward(exhibitMetrics) {
		switch {
		case !slices.ContainsFunc(e.Checks, func(c exhibits.Check) bool { return c.Metric == m }):
			g.spare = append(g.spare, metricHeads[m])
		case m != analysis.Time:
			checked = append(checked, metricHeads[m])
		}
	}
	g.spare = append(g.spare, checked...)
	for _, name := range e.Own {
		g.columns = append(g.columns, column{name, true})
		metrics = append(metrics, name)
	}
	var reasons tally
	for i, half := range exhibits.Halves {
		b := e.Half[i]
		if b.Status != result.OK {
			reasons.add(result.Subject{Contender: half}, string(b.Status), b.Reason)
			continue
		}
		cells := []string{half}
		for _, m := range metrics {
			n, ok := b.Number(m)
			cells = append(cells, benchNumber(m, n, ok))
		}
		g.row(cells...)
	}
	g.below = reasons.outcomes()
	if len(g.rows) == len(exhibits.Halves) {
		cells := []string{ratioName}
		for _, m := range metrics {
			ratio, ok := e.Ratio(m)
			cells = append(cells, benchRatio(m, ratio, ok))
		}
		g.row(cells...)
	}
	return g
}

// ratioName is the label of the ratio of the halves.
const ratioName = "corrected ÷ published"

// benchNumber formats a number of a published benchmark.
func benchNumber(metric string, n analysis.Interval, ok bool) string {
	switch {
	case !ok:
		return ""
	case metric == analysis.Time && n.Value == 0:
		return "0 ns"
	case metric == analysis.Time:
		return MeasureText(n)
	case metric == analysis.AllocBytes, metric == analysis.EncodedSize:
		return BytesText(n.Value)
	case metric == analysis.Allocs:
		return CountText(n.Value)
	}
	return plainly(n.Value)
}

// plainly formats a number without a unit. A whole number has all of its digits.
func plainly(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	text, _ := phrase.Digits(v)
	return text
}

// benchRatio formats the ratio of the halves. Only times have bounds, because only times are
// estimated.
func benchRatio(metric string, ratio analysis.Interval, ok bool) string {
	switch {
	case !ok:
		return ""
	case math.IsInf(ratio.Value, 1):
		return "from 0"
	}
	factor, bounds := times(ratio)
	if metric != analysis.Time {
		return factor
	}
	return strings.TrimSpace(factor + " " + bounds)
}

func checkWord(c exhibits.Check) string {
	if c.Holds {
		return "holds"
	}
	return "fails"
}

// checkText says what was expected and what was measured.
func checkText(c exhibits.Check) string {
	of, unit := c.Of, ""
	switch {
	case c.Of == exhibits.Ratio:
		of = ratioName
	case c.Metric == analysis.Time:
		unit = " ns"
	case c.Metric == analysis.AllocBytes, c.Metric == analysis.EncodedSize:
		unit = " B"
	}
	got := "nothing was measured"
	switch {
	case c.Got == nil:
	case math.IsInf(c.Got.Value, 1):
		got = "from 0"
	default:
		got = plainly(c.Got.Value) + unit
	}
	return fmt.Sprintf("%s, %s: %s; expected %s%s", metricTitle(c.Metric), of, got, c.Bound, unit)
}

// metricTitle returns the title of a metric for use in a sentence. If a benchmark reports a
// metric of its own, metricTitle returns the name unchanged.
func metricTitle(metric string) string {
	if m, ok := analysis.MetricNamed(metric); ok {
		return m.Title
	}
	return metric
}

// exhibitsLegend explains the tables and how the halves were measured.
func exhibitsLegend(r *exhibits.Results) []string {
	var fails []string
	rounds, layouts := 0, 0
	for _, e := range r.Exhibits {
		if !e.Holds() {
			fails = append(fails, e.Name)
		}
		for _, b := range e.Half {
			rounds, layouts = max(rounds, b.Rounds/max(1, b.Layouts)), max(layouts, b.Layouts)
		}
	}
	verdict := "every exhibit shows what its text says"
	if r.Run != nil && !r.Run.Complete() {
		verdict = "the run was cut short; every exhibit that it reached shows what its text says"
	}
	if len(fails) > 0 {
		verdict = fmt.Sprintf("%d of %s failed to show what the text says: %s", len(fails), phrase.Count(len(r.Exhibits), "exhibit"), strings.Join(fails, ", "))
	}
	texts := []string{verdict}
	if rounds > 0 {
		texts = append(texts, fmt.Sprintf("the halves ran in turn as package testing runs benchmarks, %s in each of %s; %s of times is paired round by round, with its %s interval",
			phrase.Count(rounds, "round"), phrase.Count(layouts, "link layout"), ratioName, confidenceText(confidence)))
	}
	return texts
}

// JSONExhibits is the JSON of exhibits.
type JSONExhibits struct {
	Schema   int           `json:"schema"`
	Run      RunInfo       `json:"run"`
	Exhibits []JSONExhibit `json:"exhibits"`
}

// JSONExhibit is one exhibit.
type JSONExhibit struct {
	Name   string   `json:"name"`
	Title  string   `json:"title"`
	Source string   `json:"source"`
	Claims []string `json:"claims"`
	Text   string   `json:"text"`
	// Holds says whether all expectations hold.
	Holds bool `json:"holds"`
	// Halves are published and corrected, in this order.
	Halves []JSONHalf  `json:"halves"`
	Rows   []JSONBench `json:"rows"`
	// Expectations are the checks of what the text says.
	Expectations []JSONExpectation `json:"expectations"`
}

// JSONHalf is one half of an exhibit.
type JSONHalf struct {
	Half      string        `json:"half"`
	Does      string        `json:"does"` // one line about what the half does
	Status    result.Status `json:"status"`
	Reason    string        `json:"reason"`
	Rounds    int           `json:"rounds"`
	Layouts   int           `json:"layouts"`
	Benchtime string        `json:"benchtime"`
	Ops       int           `json:"ops"` // the median per round
}

// JSONBench is one metric of both halves.
type JSONBench struct {
	Metric string `json:"metric"`
	// Unit is ns, B or 1, per operation; empty for a metric that the benchmark itself defines.
	Unit        string `json:"unit"`
	Published   number `json:"published"` // null if there is no figure, here and below
	PublishedLo number `json:"published_lo"`
	PublishedHi number `json:"published_hi"`
	Corrected   number `json:"corrected"`
	CorrectedLo number `json:"corrected_lo"`
	CorrectedHi number `json:"corrected_hi"`
	// Ratio is corrected over published; null also if published is 0.
	Ratio   number `json:"ratio"`
	RatioLo number `json:"ratio_lo"`
	RatioHi number `json:"ratio_hi"`
}

// JSONExpectation is one expected range. An open bound is null.
type JSONExpectation struct {
	Metric string `json:"metric"`
	// Of is ratio, published or corrected.
	Of      string `json:"of"`
	AtLeast number `json:"at_least"`
	AtMost  number `json:"at_most"`
	// Got is null if nothing was measured, and for a ratio to 0.
	Got   number `json:"got"`
	Holds bool   `json:"holds"`
}

// ExhibitsJSON writes the exhibits as one indented object.
func ExhibitsJSON(w io.Writer, r *exhibits.Results) error {
	out := JSONExhibits{Schema: JSONSchema, Run: InfoOf(&analysis.Results{Run: r.Run}), Exhibits: []JSONExhibit{}}
	for _, e := range r.Exhibits {
		out.Exhibits = append(out.Exhibits, jsonExhibit(e))
	}
	return indented(w, out)
}

func jsonExhibit(e exhibits.Exhibit) JSONExhibit {
	j := JSONExhibit{
		Name: e.Name, Title: e.Title, Source: e.Source, Claims: append([]string{}, e.Claims...), Text: e.Text, Holds: e.Holds(),
		Rows: []JSONBench{}, Expectations: []JSONExpectation{}, // never null in JSON
	}
	for i, line := range halfLines(e) {
		b := e.Half[i]
		j.Halves = append(j.Halves, JSONHalf{
			Half: line[0], Does: line[1], Status: b.Status, Reason: b.Reason,
			Rounds: b.Rounds, Layouts: b.Layouts, Benchtime: b.Benchtime, Ops: b.Ops,
		})
	}
	for _, metric := range slices.Concat(exhibitMetrics, e.Own) {
		row := JSONBench{Metric: metric}
		if m, ok := analysis.MetricNamed(metric); ok {
			row.Unit = m.Unit
		}
		maybe := func(i analysis.Interval, ok bool) (value, lo, hi number) {
			if !ok {
				return null, null, null
			}
			return numbers(&i)
		}
		row.Published, row.PublishedLo, row.PublishedHi = maybe(e.Half[0].Number(metric))
		row.Corrected, row.CorrectedLo, row.CorrectedHi = maybe(e.Half[1].Number(metric))
		row.Ratio, row.RatioLo, row.RatioHi = maybe(e.Ratio(metric))
		if row.Published.String() != "" || row.Corrected.String() != "" {
			j.Rows = append(j.Rows, row)
		}
	}
	for _, c := range e.Checks {
		x := JSONExpectation{Metric: c.Metric, Of: c.Of, AtLeast: number(c.Bound.AtLeast), AtMost: number(c.Bound.AtMost), Got: null, Holds: c.Holds}
		if c.Got != nil {
			x.Got = number(c.Got.Value)
		}
		j.Expectations = append(j.Expectations, x)
	}
	return j
}
