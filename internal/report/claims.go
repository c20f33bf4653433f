package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/texttab"
	"assay/published/claims"
	"assay/result"
)

// Claims holds the rulings on a ledger and the results that they are based on.
type Claims struct {
	Ledger  *claims.Ledger
	Rulings []claims.Ruling // in the order of the ledger's claims
	// Discovery covers the whole ledger, even if Rulings is only a part of it.
	Discovery claims.Discovery
	// Details asks the text format for the reasons and conditions of each claim.
	Details bool
	// Results are the results of the run; nil if no claim needed a run.
	Results *analysis.Results
	// Reproductions are the runs by the sources' own methods that were given.
	Reproductions []claims.Reproduction
	// Repeat is the command that measures the same again. Print is the command that prints the
	// stored run; it is empty for a run that was just made.
	Repeat, Print string
}

// Ruled returns the rulings on a ledger by results, which are nil if nothing was measured, and by
// reproductions, of which there may be none.
func Ruled(l *claims.Ledger, r *analysis.Results, reproductions ...claims.Reproduction) *Claims {
	by := r
	if by == nil {
		by = &analysis.Results{Run: &result.Run{}}
	}
	c := &Claims{Ledger: l, Results: r, Reproductions: reproductions, Rulings: claims.Rule(l, by, reproductions...)}
	c.Discovery = claims.Discoveries(c.Rulings)
	return c
}

// Only leaves the rulings on the claims of these IDs.
func (c *Claims) Only(ids []string) {
	c.Rulings = slices.DeleteFunc(c.Rulings, func(r claims.Ruling) bool { return !slices.Contains(ids, r.Claim.ID) })
}

// ClaimFormats are all formats of rulings on claims.
var ClaimFormats = []FormatOf[*Claims]{
	{"text", "the ledger for a terminal", ClaimsText},
	{"json", "every claim with its verdict and conditions; a stable, versioned contract", plain(ClaimsJSON)},
	{"md", "the ledger as a page of Markdown", plain(ClaimsMarkdown)},
}

// verdictStyles maps each verdict to its style on a terminal.
var verdictStyles = map[claims.Verdict]texttab.Style{
	claims.Holds: "32", claims.HoldsMeasured: "32", claims.Refuted: texttab.Red, claims.RefutedMeasured: texttab.Red,
	claims.Depends: "33", claims.Undecided: texttab.Dim, claims.Untested: texttab.Dim,
}

// tallied counts the verdicts as published and elsewhere: "41 claims as published: holds 12 · …".
func (c *Claims) tallied() []string {
	published, elsewhere := map[claims.Verdict]int{}, map[claims.Verdict]int{}
	others := 0
	for _, r := range c.Rulings {
		published[r.Verdict]++
		if r.Elsewhere != "" {
			elsewhere[r.Elsewhere]++
			others++
		}
	}
	lines := []string{phrase.Count(len(c.Rulings), "claim") + " as published: " + verdictCounts(published)}
	if others > 0 {
		lines = append(lines, phrase.Count(others, "claim")+" elsewhere (other sizes, payloads and ways of use): "+verdictCounts(elsewhere))
	}
	if c.Discovery.Timed > 0 {
		lines = append(lines, c.Discovery.String())
	}
	if text := c.codeOnly(); text != "" {
		lines = append(lines, text)
	}
	return lines
}

// codeOnly says how many claims about times with the garbage collector on are ruled by times
// without it. It is empty if there are none.
func (c *Claims) codeOnly() string {
	all, without := 0, 0
	for _, r := range c.Rulings {
		on, off := r.Clocks()
		if on+off > 0 {
			all++
		}
		if off > 0 {
			without++
		}
	}
	if without == 0 {
		return ""
	}
	why := "the run has no cpu-time of their cases"
	if c.Results != nil && c.Results.Run.Plan.Quick {
		why = "--quick measures no cpu-time"
	}
	return fmt.Sprintf("code-only time rules on %d of %d claims about published times, which include garbage collection: %s", without, all, why)
}

// verdictCounts formats the number of rulings with each verdict.
func verdictCounts(n map[claims.Verdict]int) string {
	var parts []string
	for _, v := range claims.Verdicts {
		if n[v.Verdict] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", v.Verdict, n[v.Verdict]))
		}
	}
	return strings.Join(parts, " · ")
}

// of returns the rulings on the claims of a source.
func (c *Claims) of(source string) []claims.Ruling {
	var list []claims.Ruling
	for _, r := range c.Rulings {
		if r.Claim.Source == source {
			list = append(list, r)
		}
	}
	return list
}

// ClaimsText writes the ledger by source, in one table. Each claim takes one line: its verdict as
// published, its own words, what was published and what was measured. If that needs more than a
// screen, the table lists only the names of the claims by verdict. With Details each source has
// its own table, which also has the reasons of both verdicts and every condition.
func ClaimsText(w io.Writer, c *Claims, opts Options) error {
	opts = opts.orDefaults()
	above := c.tallied()
	if c.Results != nil {
		above = slices.Concat(above, summary(c.Results), warned(c.Results))
	}
	if !c.Details {
		return claimScreen(w, c, above, opts)
	}
	if err := paragraphs(w, above, opts.Width); err != nil {
		return err
	}
	for _, s := range c.Ledger.Sources {
		rulings := c.of(s.ID)
		if len(rulings) == 0 {
			continue
		}
		title := &texttab.Table{Limit: opts.Width}
		title.Row().Rest(s.ID+": "+s.Title, texttab.Styled(texttab.Bold)).Row().Rest("")
		if err := title.Format(w, opts.Color); err != nil {
			return err
		}
		if err := claimDetails(rulings, opts.Width).Format(w, opts.Color); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}

// claimDetails lays out the claims of one source with everything that is known about them.
func claimDetails(rulings []claims.Ruling, width int) *texttab.Table {
	t := &texttab.Table{Limit: width}
	margin, dim := texttab.Margin("  "), texttab.Styled(texttab.Dim)
	below := texttab.Hang(2*len("  ") + widestVerdict(rulings)) // where the claims' names begin
	t.Row().Cell("verdict", margin, texttab.Styled(texttab.Bold))
	for _, name := range []string{"claim", "published", "measured"} {
		t.Cell(name, texttab.Styled(texttab.Bold))
	}
	for _, r := range rulings {
		t.Row().Cell(briefVerdict(r), margin, texttab.Styled(verdictStyles[r.Verdict]))
		t.Cell(r.Claim.ID, texttab.Styled(texttab.Bold)).Cell(publishedText(r)).Rest(measuredText(r), below)
		line := func(text string, opts ...texttab.Option) { t.Row().Cell("", margin).Rest(text, opts...) }
		line("“" + r.Claim.Statement + "”")
		line("as published: " + r.Headline() + ": " + r.Reason)
		if r.Elsewhere != "" {
			line("elsewhere: " + r.Around() + ": " + r.ElsewhereReason)
		}
		for _, text := range claimRemarks(r) {
			line(text, dim)
		}
		if text := unexpected(r); text != "" {
			line(text, texttab.Styled(texttab.Red))
		}
		if len(r.Claim.Exhibits) > 0 {
			line("see: assay exhibits "+strings.Join(r.Claim.Exhibits, " "), dim)
		}
		for _, f := range r.Findings {
			line(foundLine(r, f), dim)
		}
	}
	return t
}

// foundLine returns the verdict on one condition and what was found there.
func foundLine(r claims.Ruling, f claims.Finding) string {
	where, what := "", ""
	if f.Elsewhere {
		where = "elsewhere · "
	}
	if p := r.Claim.Predicate; f.Measured != nil && (p == claims.Ratio || p == claims.Trend) {
		what = f.Compared(p) + " "
	}
	return fmt.Sprintf("%s%s · %s · %s%s", where, f.Verdict, f.Condition, what, found(r, f))
}

// widestVerdict returns the width, in cells, of the column of verdicts.
func widestVerdict(rulings []claims.Ruling) int {
	w := texttab.Width("verdict")
	for _, r := range rulings {
		w = max(w, texttab.Width(briefVerdict(r)))
	}
	return w
}

// claimRemarks returns what a reader has to know about a ruling besides its reasons.
func claimRemarks(r claims.Ruling) []string {
	var lines []string
	add := func(before, text string) {
		if text != "" {
			lines = append(lines, before+text)
		}
	}
	if r.Claim.Settled != nil {
		add("settled by a test: ", testCommand(r.Claim.Settled.Test))
		if e := r.Claim.Settled.Elsewhere; e != nil {
			add("elsewhere, settled by a test: ", testCommand(e.Test))
		}
	}
	add("", r.RuledBy())
	add("the data differ: ", r.Claim.Differs)
	add("the figure is from ", r.Claim.From)
	add("", r.Aside())
	add("", r.Claim.Note)
	if r.Q > 0 {
		add("", fmt.Sprintf("adjusted level q = %.2g", r.Q))
	}
	return lines
}

// testCommand returns the command that runs a test, which a claims file names by its package and
// function.
func testCommand(test string) string {
	pkg, name, _ := strings.Cut(test, " ")
	if pkg != "." {
		pkg = "./" + pkg
	}
	return "go test " + pkg + " -run " + name
}

// publishedText returns the published figure, or "" if there is none.
func publishedText(r claims.Ruling) string {
	if len(r.Claim.Published) == 0 {
		return ""
	}
	return r.Claim.PublishedText()
}

// aside reports whether the ruling's measured figure belongs to another condition than the
// published figure.
func aside(r claims.Ruling) bool { return r.MeasuredText() != "" && r.Aside() != "" }

// measuredText returns the measured figure as people read it.
func measuredText(r claims.Ruling) string {
	text := r.MeasuredText()
	if aside(r) {
		text += ", of another condition"
	}
	return text
}

// unexpected says which verdict was expected, if the claim got another one; otherwise it is
// empty.
func unexpected(r claims.Ruling) string {
	if r.Claim.Expect == "" || r.Claim.Expect == r.Verdict.Plain() {
		return ""
	}
	return fmt.Sprintf("expected: %s", r.Claim.Expect)
}

// JSONClaims is the JSON of rulings on claims.
type JSONClaims struct {
	Schema int `json:"schema"`
	// Run is null if no claim needed a run.
	Run *RunInfo `json:"run"`
	// WholeRuns are the IDs of the runs whose whole values also decided claims; absent if there are
	// none.
	WholeRuns []string `json:"whole_runs,omitempty"`
	// Reproductions are the IDs of the given runs of assay reproduce; absent if there are none.
	Reproductions []string     `json:"reproductions,omitempty"`
	Sources       []JSONSource `json:"sources"`
	Claims        []JSONClaim  `json:"claims"`
	// Discovery covers all claims that were ruled on; Claims may be a part of them.
	Discovery JSONDiscovery `json:"discovery"`
}

// JSONDiscovery says how the timed conditions of a ledger were decided as one family.
type JSONDiscovery struct {
	// Rate is the largest expected share of wrong decisions among all decisions.
	Rate float64 `json:"rate"`
	// Timed counts the conditions that were measured. Decided counts those that are decided.
	// Withdrawn counts those that would be decided if each were tested by itself.
	Timed     int `json:"timed"`
	Decided   int `json:"decided"`
	Withdrawn int `json:"withdrawn"`
}

// JSONSource is a publication that makes claims.
type JSONSource struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// JSONClaim is one claim and its verdict.
type JSONClaim struct {
	ID        string `json:"id"`
	Source    string `json:"source"`
	Statement string `json:"statement"`
	// Published is null if no figure was published. PublishedTo is the end of a range.
	Published   figure `json:"published"`
	PublishedTo figure `json:"published_to"`
	Unit        string `json:"unit"`
	// Measured is in Unit; null if nothing was measured. If there are several conditions and the
	// published figure belongs to none of them, Measured is their median, Lo and Hi are the
	// smallest and the largest, and Range is true. Predicate constant is reported in the same
	// way, over sizes. For predicate order, Measured is the ratio of the findings' steps; it is
	// null if a count is divided by 0.
	Measured number `json:"measured"`
	Lo       number `json:"lo"`
	Hi       number `json:"hi"`
	Range    bool   `json:"range"`
	// Aside says that the figure beside the published one is of another condition; absent if it is
	// not.
	Aside string `json:"aside,omitempty"`
	// Exact says that figures are counts.
	Exact bool `json:"exact"`
	// Verdict is on the claim as published. Elsewhere is on its other conditions; null if it has
	// none.
	Verdict   string  `json:"verdict"`
	Elsewhere *string `json:"elsewhere"`
	// Conditions counts the conditions as published, and ConditionsMeasured those of them that
	// were measured. A claim that a test settles has one condition.
	Conditions         int `json:"conditions"`
	ConditionsMeasured int `json:"conditions_measured"`
	// Q is the adjusted level of the verdict as published; null if the verdict uses no estimate.
	Q                  number   `json:"q"`
	Reason             string   `json:"reason"`
	ElsewhereReason    string   `json:"elsewhere_reason,omitempty"`
	SettledBy          string   `json:"settled_by,omitempty"`
	ElsewhereSettledBy string   `json:"elsewhere_settled_by,omitempty"`
	RuledBy            string   `json:"ruled_by,omitempty"`
	Expect             string   `json:"expect,omitempty"`
	Predicate          string   `json:"predicate,omitempty"`
	Metric             string   `json:"metric,omitempty"`
	Stated             string   `json:"stated,omitempty"`
	Workload           string   `json:"workload,omitempty"`
	Differs            string   `json:"differs,omitempty"`
	From               string   `json:"from,omitempty"`
	Note               string   `json:"note,omitempty"`
	Exhibits           []string `json:"exhibits"`
	// Findings has every condition, as published and elsewhere.
	Findings []JSONCondition `json:"findings"`
	File     string          `json:"file"`
	Line     int             `json:"line"`
}

// JSONCondition is the verdict on one condition of a claim.
type JSONCondition struct {
	Op   string `json:"op"`
	Size string `json:"size"` // empty: over the claim's sizes
	Also string `json:"also"` // the way of use; empty: as stated
	// Elsewhere says that the condition is none of the claim as published: it counts for the second
	// verdict only.
	Elsewhere bool   `json:"elsewhere"`
	Compared  string `json:"compared"`
	// Metric is the metric that the condition was ruled by.
	Metric string `json:"metric"`
	// Step and CodeStep name the two cases of an order whose ratios are Measured and Code.
	Step     string `json:"step,omitempty"`
	CodeStep string `json:"code_step,omitempty"`
	// Measured, Lo and Hi are the figure with its 95% interval. For predicate constant they are
	// the median, the smallest and the largest over sizes.
	Measured number `json:"measured"`
	Lo       number `json:"lo"`
	Hi       number `json:"hi"`
	// Code, CodeLo and CodeHi are the figure by code-only time, if cpu-time or OwnMethod ruled.
	Code   number `json:"code"`
	CodeLo number `json:"code_lo"`
	CodeHi number `json:"code_hi"`
	// OwnMethod is the ID of the run of assay reproduce that ruled, by the source's own method.
	OwnMethod string `json:"own_method,omitempty"`
	// Q is the adjusted level; null for counts and if nothing was measured.
	Q       number `json:"q"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
	// Launches is roughly how many launches would decide the condition; 0 if the condition is
	// decided or if launches are not what is missing.
	Launches int `json:"launches"`
}

// ClaimsJSON writes the rulings as one indented object.
func ClaimsJSON(w io.Writer, c *Claims) error {
	d := c.Discovery
	out := JSONClaims{
		Schema: JSONSchema, Sources: []JSONSource{}, Claims: []JSONClaim{},
		Discovery: JSONDiscovery{Rate: claims.FalseDiscovery, Timed: d.Timed, Decided: d.Decided, Withdrawn: d.Withdrawn},
	}
	if c.Results != nil {
		out.Run = new(InfoOf(c.Results))
		for whole := c.Results.Besides; whole != nil; whole = whole.Besides {
			if whole.Run.ID != c.Results.Run.ID {
				out.WholeRuns = append(out.WholeRuns, whole.Run.ID)
			}
		}
	}
	for _, r := range c.Reproductions {
		out.Reproductions = append(out.Reproductions, r.Run.ID)
	}
	for _, s := range c.Ledger.Sources {
		if len(c.of(s.ID)) == 0 && len(c.Rulings) > 0 {
			continue
		}
		out.Sources = append(out.Sources, JSONSource(s))
	}
	for _, r := range c.Rulings {
		out.Claims = append(out.Claims, jsonClaim(r))
	}
	return indented(w, out)
}

func jsonClaim(r claims.Ruling) JSONClaim {
	c := r.Claim
	j := JSONClaim{
		ID: c.ID, Source: c.Source, Statement: c.Statement, Published: figure(null), PublishedTo: figure(null), Unit: c.Unit,
		Range: r.Range, Exact: r.Exact, Verdict: string(r.Verdict), Q: number(r.Q), Reason: r.Reason, ElsewhereReason: r.ElsewhereReason,
		RuledBy: r.RuledBy(), Expect: string(c.Expect), Predicate: string(c.Predicate), Metric: c.Metric, Stated: c.Stated(),
		Workload: c.Workload, Differs: c.Differs, From: c.From, Note: c.Note,
		Exhibits: append([]string{}, c.Exhibits...), Findings: []JSONCondition{}, File: c.File, Line: c.Line,
	}
	j.Conditions, j.ConditionsMeasured = r.Counts()
	if aside(r) {
		j.Aside = r.Aside()
	}
	if r.Elsewhere != "" {
		j.Elsewhere = new(string(r.Elsewhere))
	}
	if c.Settled != nil {
		j.SettledBy = c.Settled.Test
		if e := c.Settled.Elsewhere; e != nil {
			j.ElsewhereSettledBy = e.Test
		}
	}
	if j.Unit == "" {
		j.Unit = r.Unit
	}
	if n := len(c.Published); n > 0 {
		j.Published = figure(c.Published[0])
		if n > 1 {
			j.PublishedTo = figure(c.Published[1])
		}
	}
	j.Measured, j.Lo, j.Hi = numbers(r.Measured)
	for _, f := range r.Findings {
		one := JSONCondition{
			Op: string(f.Op), Size: f.Size, Also: f.Also, Elsewhere: f.Elsewhere, Compared: f.Compared(c.Predicate),
			Metric: f.Metric, Step: f.Step, CodeStep: f.CodeStep, OwnMethod: f.OwnMethod, Q: null, Verdict: string(f.Verdict), Reason: f.Reason, Launches: f.Launches,
		}
		one.Measured, one.Lo, one.Hi = numbers(f.Measured)
		one.Code, one.CodeLo, one.CodeHi = numbers(f.Code)
		if f.Timed {
			one.Q = number(f.Q)
		}
		j.Findings = append(j.Findings, one)
	}
	return j
}
