package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/result"
)

// indented writes a value as indented JSON.
func indented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// compareGrids returns the tables of a comparison, one for each workload and size.
func compareGrids(c *analysis.Comparison) []*grid {
	var all []*grid
	var reasons tally
	var g *grid
	finish := func() {
		if g == nil {
			return
		}
		g.below = reasons.outcomes()
		reasons = tally{}
		if len(g.rows)+len(g.below) > 0 {
			all = append(all, g)
		}
	}
	at := result.Cell{}
	modes := slices.ContainsFunc(c.Rows, func(row analysis.Change) bool { return row.A.Mode != "" })
	for _, row := range c.Rows {
		if here := (result.Cell{Workload: row.A.Workload, Size: row.A.Size}); g == nil || here != at {
			finish()
			at = here
			g = &grid{title: CellName(here) + ": " + c.A.Label + " → " + c.B.Label, columns: []column{
				{title: "op"}, {title: "contender"}, {title: "mode"}, {title: "metric"},
				{c.A.Label, true}, {c.B.Label, true}, {title: "change"},
			}, spare: []string{c.A.Label, c.B.Label}}
		}
		switch {
		case unsupported(row) && !TooLarge(row):
			continue // neither side can hold it
		case row.Factor == nil && !row.Reference:
			reasons.add(row.A.Subject(), string(row.A.Op), row.Reason)
			continue
		case row.Counted() && row.Verdict == analysis.Tied:
			continue // an unchanged count is no news
		}
		contender, mode, text := row.A.Contender, "", "the reference"
		if c.Kind == analysis.OfContenders {
			contender = ""
		}
		if modes {
			mode = analysis.ModeName(row.A.Mode)
		}
		if row.Factor != nil {
			text = Changed(row)
		}
		a, b := quantities(row)
		g.row(string(row.A.Op), contender, mode, row.Metric, a, b, text)
	}
	finish()
	return all
}

// unsupported reports whether neither side can hold a case.
func unsupported(row analysis.Change) bool {
	return row.ValueA == nil && row.ValueB == nil && row.StatusA == result.Unsupported && row.StatusB == result.Unsupported
}

// TooLarge reports whether neither side can hold a case because its size takes too much memory.
func TooLarge(row analysis.Change) bool {
	return unsupported(row) && result.LacksMemory(row.StatusA, row.Reason)
}

// unchanged says that no count differs, if nothing else is compared. It is empty otherwise.
func unchanged(c *analysis.Comparison) string {
	n, builds := 0, false
	for _, row := range c.Rows {
		if !row.Counted() || row.Verdict != analysis.Tied {
			return ""
		}
		n, builds = n+1, builds || row.A.Op == result.Building
	}
	switch {
	case n == 0:
		return ""
	case builds:
		return "both sides have the same " + phrase.Count(n, "count") + "; build times vary with the machine and are not compared"
	}
	return "both sides have the same " + phrase.Count(n, "count")
}

// quantities formats both values of a change. Counts that differ do not look equal.
func quantities(row analysis.Change) (a, b string) {
	a, b = quantity(row.Unit, *row.ValueA), quantity(row.Unit, *row.ValueB)
	if a != b || row.Unit == "ns" || row.Verdict == analysis.Tied {
		return a, b
	}
	unit := ""
	if row.Unit == "B" {
		unit = " B"
	}
	exact := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) + unit }
	if a, b = phrase.Significant(row.ValueA.Value, 4)+unit, phrase.Significant(row.ValueB.Value, 4)+unit; a == b {
		a, b = exact(row.ValueA.Value), exact(row.ValueB.Value)
	}
	return a, b
}

// quantity formats a value with its unit. A time also has its uncertainty.
func quantity(unit string, i analysis.Interval) string {
	switch unit {
	case "ns":
		return MeasureText(i)
	case "B":
		return BytesText(i.Value)
	}
	return CountText(i.Value)
}

// NoShare reports whether a change has no percentage, because a count is below zero on a side. The
// growth of a program can be: code that two programs share may fit better into the larger one.
func NoShare(row analysis.Change) bool {
	return row.Factor != nil && row.Counted() && *row.ValueA != *row.ValueB && (row.ValueA.Lo < 0 || row.ValueB.Lo < 0)
}

// direction returns how B compares with A by their values, for a change without a percentage.
func direction(row analysis.Change) analysis.Relation {
	switch {
	case row.ValueB.Lo > row.ValueA.Hi:
		return analysis.Slower
	case row.ValueB.Hi < row.ValueA.Lo:
		return analysis.Faster
	}
	return analysis.Unresolved
}

// Sides formats the values of both sides of a change.
func Sides(row analysis.Change) string {
	return fmt.Sprintf("from %s to %s", quantity(row.Unit, *row.ValueA), quantity(row.Unit, *row.ValueB))
}

// Changed formats a change with its bounds. It returns "~" if no change is shown. It appends
// "small" if a change is certain but not shown to exceed the margin. A change without a percentage
// is "more" or "less".
func Changed(row analysis.Change) string {
	if NoShare(row) {
		switch direction(row) {
		case analysis.Slower:
			return "more"
		case analysis.Faster:
			return "less"
		}
		return "~"
	}
	text, bounds := change(*row.Factor)
	switch {
	case row.Verdict == analysis.Tied || row.Verdict == analysis.Unresolved:
		text = "~"
	case !row.Beyond:
		bounds += " small"
	}
	return strings.TrimSpace(text + " " + bounds)
}

// compareLegend says how the comparison was made, and what else differs between the sides.
func compareLegend(c *analysis.Comparison) []string {
	what := "change"
	if c.Kind == analysis.OfRuns && c.Reference != "" {
		what = "change of a count, or of a time relative to that of " + c.Reference
	}
	texts := []string{fmt.Sprintf("%s: from %s to %s; + means more; ~ means no change shown; \"small\" means a certain change that may be under %.0f%%",
		what, c.A.Label, c.B.Label, 100*c.Margin())}
	if slices.ContainsFunc(c.Rows, func(row analysis.Change) bool { return row.Factor != nil && strings.HasPrefix(Changed(row), "×") }) {
		texts = append(texts, "×0.3 means 0.3 times as much")
	}
	if text := unchanged(c); text != "" {
		texts = append(texts, text)
	}
	timed := slices.ContainsFunc(c.Rows, func(row analysis.Change) bool { return row.Factor != nil && !row.Counted() })
	switch c.Kind {
	case analysis.OfContenders:
		switch {
		case timed && sharedLaunch(c):
			texts = append(texts, "paired round by round within the run")
		case timed:
			texts = append(texts, "the two shared no launch: each is compared by its ratio to the reference")
		}
		if text := SizesOf(c.A.Run); text != "" {
			texts = append(texts, text)
		}
	case analysis.OfVersions:
		if timed {
			texts = append(texts, "the two ran in lock step on one CPU; paired round by round")
		}
	}
	if c.Confidence > confidence {
		texts = append(texts, fmt.Sprintf("bounds of times have %s confidence each: of all changes shown, at most %.0f%% are expected to be false", confidenceText(c.Confidence), 100*c.FalseShare()))
	}
	if slices.ContainsFunc(compareGrids(c), (*grid).lone) {
		texts = append(texts, loneLegend)
	}
	if differs := shownDiffers(c); len(differs) > 0 {
		what := "the runs differ in: "
		if c.Kind == analysis.OfVersions {
			what = "the two differ in: "
		}
		text := what + strings.Join(differs, "; ")
		if len(c.Same) > 0 {
			text += "; same " + strings.Join(c.Same, ", ")
		}
		texts = append(texts, text)
	} else if len(c.Same) > 0 {
		same := slices.Clone(c.Same)
		if len(c.A.Run.Build.Modules)+len(c.B.Run.Build.Modules) > 0 { // a run of build costs has the versions in its records
			same = append(same, "versions")
		}
		texts = append(texts, "the runs differ in nothing else that assay knows: same "+phrase.List(same, "and"))
	}
	for _, side := range []struct {
		label string
		cases []result.Case
	}{{c.A.Label, c.OnlyA}, {c.B.Label, c.OnlyB}} {
		if n := len(side.cases); n > 0 {
			var names []string
			for _, one := range side.cases {
				names = append(names, one.String())
			}
			texts = append(texts, fmt.Sprintf("only in %s: %s", side.label, phrase.Some(names, 4)))
		}
	}
	texts = append(texts, lacking(c)...)
	for _, w := range c.Warnings {
		texts = append(texts, w.Text)
	}
	return texts
}

// sharedLaunch reports whether two contenders were measured in one launch, so that their rounds can be paired.
func sharedLaunch(c *analysis.Comparison) bool {
	return slices.ContainsFunc(c.A.Records, func(r result.Record) bool {
		has := func(name string) bool {
			return slices.ContainsFunc(r.Launch.Series, func(s result.Series) bool { return s.Contender == name && s.Role == "" })
		}
		return r.Launch != nil && has(c.A.Contender) && has(c.B.Contender)
	})
}

// lacking names the metrics that only one side has, in a line for each side.
func lacking(c *analysis.Comparison) []string {
	var reasons, lines []string
	names := map[string][]string{}
	for _, gap := range c.Lacking {
		if names[gap.Reason] == nil {
			reasons = append(reasons, gap.Reason)
		}
		one := gap.Case
		if c.Kind == analysis.OfContenders && strings.HasSuffix(gap.Reason, " in "+c.B.Label) {
			one.Contender = c.B.Contender // the case of the side that has it
		}
		names[gap.Reason] = append(names[gap.Reason], fmt.Sprintf("%s of %s", gap.Metric, one))
	}
	for _, reason := range reasons {
		lines = append(lines, reason+": "+phrase.Some(names[reason], 4))
	}
	return lines
}

// mostOneSided is the largest number of modules in only one of the runs that are listed by name.
const mostOneSided = 3

// shownDiffers lists the differences between two runs or versions in a form for people.
func shownDiffers(c *analysis.Comparison) []string {
	if n := len(c.OneSided); n > mostOneSided && c.Kind == analysis.OfRuns {
		return append(slices.Clone(c.Differs), fmt.Sprintf("modules: %d are only in one run, because it links other contenders (--format json lists them)", n))
	}
	return slices.Concat(c.OneSided, c.Differs)
}

// compareSummary says how far each side can be trusted.
func compareSummary(c *analysis.Comparison) []string {
	var lines []string
	say := func(label string, g *analysis.Grade) {
		if g == nil {
			return
		}
		text := fmt.Sprintf("%s: grade %s", label, g.Letter)
		if len(g.Reasons) > 0 {
			text += ": " + strings.Join(g.Reasons, "; ")
		}
		lines = append(lines, text)
	}
	if c.Kind == analysis.OfContenders {
		say("the run", c.GradeA)
		return lines
	}
	say(c.A.Label, c.GradeA)
	say(c.B.Label, c.GradeB)
	return lines
}

// StreamsUncompared says that a side of the comparison is a run of streams and whole values,
// which are not compared. It is empty if neither side is such a run.
func StreamsUncompared(c *analysis.Comparison) string {
	for _, s := range []*analysis.Side{c.A, c.B} {
		if s.Run != nil && s.Run.Plan.Stream != nil {
			return "streams and whole values are not compared: assay show prints their times"
		}
	}
	return ""
}

// compareHead says how far each side can be trusted. If nothing is compared, it says why.
func compareHead(c *analysis.Comparison) []string {
	lines := compareSummary(c)
	if text := StreamsUncompared(c); text != "" {
		return append(lines, text)
	}
	if len(c.Rows) == 0 {
		return append(lines, "nothing to compare: the two sides share no case in view")
	}
	return lines
}

// CompareText writes a table of changes for each workload and size.
func CompareText(w io.Writer, c *analysis.Comparison, opts Options) error {
	opts = opts.orDefaults()
	if err := paragraphs(w, compareHead(c), opts.Width); err != nil {
		return err
	}
	for _, g := range compareGrids(c) {
		if err := g.write(w, opts); err != nil {
			return err
		}
	}
	return footnotes(w, compareLegend(c), nil, opts.Width)
}

// CompareMarkdown writes the content of CompareText as Markdown.
func CompareMarkdown(w io.Writer, c *analysis.Comparison) error {
	var b strings.Builder
	markdownAll(&b, compareHead(c), compareGrids(c), compareLegend(c))
	_, err := io.WriteString(w, b.String())
	return err
}

// JSONComparison is the JSON of a comparison.
type JSONComparison struct {
	Schema    int                     `json:"schema"`
	Kind      analysis.ComparisonKind `json:"kind"` // runs, contenders or versions
	A         JSONSide                `json:"a"`
	B         JSONSide                `json:"b"`
	Reference string                  `json:"reference"` // for two runs; empty otherwise
	// Confidence is the confidence level, as a share, of the intervals of changes of times. At
	// this level at most FalseShare of the changes that the intervals show are expected to be
	// false. It is 0 if no time is compared.
	Confidence float64       `json:"confidence"`
	FalseShare float64       `json:"false_share"`
	Rows       []JSONChange  `json:"rows"`
	OnlyA      []result.Case `json:"only_a"`
	OnlyB      []result.Case `json:"only_b"`
	// Lacking are the metrics that only one side has of a case that both sides have.
	Lacking []JSONGap `json:"lacking"`
	// Differs says what else differs between two runs, or between what two versions were built with.
	Differs  []string `json:"differs"`
	Warnings []string `json:"warnings"`
}

// JSONGap is a metric of a case that only one side has.
type JSONGap struct {
	Workload  string    `json:"workload"`
	Size      string    `json:"size"`
	Contender string    `json:"contender"` // on side A
	Mode      string    `json:"mode"`
	Op        result.Op `json:"op"`
	Metric    string    `json:"metric"`
	Reason    string    `json:"reason"` // "only in" and the side's label
}

// JSONSide is one side of a comparison.
type JSONSide struct {
	Label string     `json:"label"`
	Run   string     `json:"run"` // its ID
	Grade *JSONGrade `json:"grade"`
}

// JSONChange is one metric of one case on both sides. A change is a share of A: -0.084 is 8.4%
// less. If Reason is set, the change is null, and so are the values of a side without a number. If
// A is 0 or a count is below 0, the change is null although Reason is empty. The reference of two runs
// has values and no change.
type JSONChange struct {
	Workload  string    `json:"workload"`
	Size      string    `json:"size"`
	Contender string    `json:"contender"` // on side A; side B has another one if contenders are compared
	Mode      string    `json:"mode"`
	Op        result.Op `json:"op"`
	Metric    string    `json:"metric"`
	Unit      string    `json:"unit"`
	// StatusA and StatusB say whether the sides have a number, and if not, why. Unverified means that
	// the side returns another value than it was given.
	StatusA  result.Status `json:"status_a"`
	StatusB  result.Status `json:"status_b"`
	A        number        `json:"a"`
	ALo      number        `json:"a_lo"`
	AHi      number        `json:"a_hi"`
	B        number        `json:"b"`
	BLo      number        `json:"b_lo"`
	BHi      number        `json:"b_hi"`
	Change   number        `json:"change"`
	ChangeLo number        `json:"change_lo"`
	ChangeHi number        `json:"change_hi"`
	// Verdict is better, worse, tied or unresolved; empty if there is no change to judge. For
	// every metric that is compared, less is better.
	Verdict string `json:"verdict"`
	// BeyondMargin says that the change certainly exceeds the comparison's margin. It is false if a
	// count is below 0, which no margin is for.
	BeyondMargin bool   `json:"beyond_margin"`
	Reason       string `json:"reason"`
}

// verdicts maps the relation of B to A to the word for it.
var verdicts = map[analysis.Relation]string{
	analysis.Faster: "better", analysis.Slower: "worse", analysis.Tied: "tied", analysis.Unresolved: "unresolved",
}

// JSONChanges converts the rows of a comparison to their JSON form.
func JSONChanges(rows []analysis.Change) []JSONChange {
	all := []JSONChange{} // never null in JSON
	for _, row := range rows {
		j := JSONChange{
			Workload: row.A.Workload, Size: row.A.Size, Contender: row.A.Contender, Mode: row.A.Mode, Op: row.A.Op,
			Metric: row.Metric, Unit: row.Unit, StatusA: row.StatusA, StatusB: row.StatusB, Reason: row.Reason, Change: null, ChangeLo: null, ChangeHi: null,
		}
		j.A, j.ALo, j.AHi = numbers(row.ValueA)
		j.B, j.BLo, j.BHi = numbers(row.ValueB)
		if NoShare(row) {
			j.Verdict = verdicts[direction(row)]
		} else if f := row.Factor; f != nil {
			j.Change, j.ChangeLo, j.ChangeHi = numbers(&analysis.Interval{Value: f.Value - 1, Lo: f.Lo - 1, Hi: f.Hi - 1})
			j.Verdict, j.BeyondMargin = verdicts[row.Verdict], row.Beyond
		}
		all = append(all, j)
	}
	return all
}

// CompareJSON writes the comparison as one indented object.
func CompareJSON(w io.Writer, c *analysis.Comparison) error { return indented(w, jsonComparison(c)) }

func jsonComparison(c *analysis.Comparison) JSONComparison {
	out := JSONComparison{
		Schema: JSONSchema, Kind: c.Kind, A: jsonSide(c.A, c.GradeA), B: jsonSide(c.B, c.GradeB), Reference: c.Reference, Confidence: c.Confidence, FalseShare: c.FalseShare(),
		Rows: JSONChanges(c.Rows), OnlyA: orEmpty(c.OnlyA), OnlyB: orEmpty(c.OnlyB), Lacking: []JSONGap{},
		Differs: orEmpty(slices.Concat(c.OneSided, c.Differs)), Warnings: []string{},
	}
	for _, gap := range c.Lacking {
		one := gap.Case
		out.Lacking = append(out.Lacking, JSONGap{one.Workload, one.Size, one.Contender, one.Mode, one.Op, gap.Metric, gap.Reason})
	}
	for _, w := range c.Warnings {
		out.Warnings = append(out.Warnings, w.Text)
	}
	return out
}

func jsonSide(s *analysis.Side, g *analysis.Grade) JSONSide {
	side := JSONSide{Label: s.Label, Run: s.Run.ID}
	if g != nil {
		side.Grade = jsonGrade(g)
	}
	return side
}

// orEmpty returns the list, or an empty list for nil, so that JSON never has null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
