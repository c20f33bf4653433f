package report

import (
	"fmt"
	"io"
	"strings"

	"assay/internal/analysis"
	"assay/internal/claims"
	"assay/internal/plaintext"
	"assay/internal/texttab"
)

// Claims are rulings on a ledger, and what they rest on.
type Claims struct {
	Ledger  *claims.Ledger
	Rulings []claims.Ruling // in the order of the ledger's claims
	// Results are of the run; nil when no claim needed one.
	Results *analysis.Results
	// Repeat is the command that measures the same again; Print the one that prints
	// the stored run, empty for a run that was made just now.
	Repeat, Print string
	// Details asks the text for what each verdict rests on, not for a line a claim.
	Details bool
}

// ClaimFormats are all formats of rulings on claims.
var ClaimFormats = []FormatOf[*Claims]{
	{"text", "the ledger for a terminal", ClaimsText},
	{"json", "every claim with its verdict and conditions; a stable, versioned contract", plain(ClaimsJSON)},
	{"md", "the ledger as a page of Markdown", plain(ClaimsMarkdown)},
}

// verdictStyles are how verdicts look on a terminal.
var verdictStyles = map[claims.Verdict]texttab.Style{
	claims.Holds: "32", claims.Refuted: texttab.Red, claims.Depends: "33",
	claims.Undecided: texttab.Dim, claims.Untested: texttab.Dim,
}

// tallied counts rulings: "41 claims: holds 12 · refuted 20 …".
func (c *Claims) tallied() string {
	n := map[claims.Verdict]int{}
	for _, r := range c.Rulings {
		n[r.Verdict]++
	}
	var parts []string
	for _, v := range claims.Verdicts {
		if n[v] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", v, n[v]))
		}
	}
	return plural(len(c.Rulings), "claim") + ": " + strings.Join(parts, " · ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// of are the rulings of a source.
func (c *Claims) of(source string) []claims.Ruling {
	var list []claims.Ruling
	for _, r := range c.Rulings {
		if r.Claim.Source == source {
			list = append(list, r)
		}
	}
	return list
}

// ClaimsText writes the ledger by source, a line a claim: verdict, claim, what was
// published and what was measured. With details the reason and the notes follow.
func ClaimsText(w io.Writer, c *Claims, opts Options) error {
	opts = opts.orDefaults()
	above := []string{c.tallied()}
	if c.Results != nil {
		above = append(above, summary(c.Results)...)
	}
	if err := paragraphs(w, above, opts.Width); err != nil {
		return err
	}
	for _, s := range c.Ledger.Sources {
		rulings := c.of(s.ID)
		if len(rulings) == 0 {
			continue
		}
		title := texttab.Bold.Paint(plaintext.Line(s.ID), opts.Color) + ": " + plaintext.Line(s.Title)
		if err := plaintext.WriteTrusted(w, title+"\n\n"); err != nil {
			return err
		}
		lay := claimLines
		if c.Details {
			lay = claimTable
		}
		if err := lay(rulings, opts.Width).Format(w, opts.Color); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}

// claimTable lays out the claims of one source.
func claimTable(rulings []claims.Ruling, width int) *texttab.Table {
	t := &texttab.Table{Limit: width}
	margin := texttab.Margin("  ")
	t.Row().Cell("verdict", margin, texttab.Styled(texttab.Bold))
	for _, name := range []string{"claim", "published", "measured"} {
		t.Cell(name, texttab.Styled(texttab.Bold))
	}
	for _, r := range rulings {
		t.Row().Cell(string(r.Verdict), margin, texttab.Styled(verdictStyles[r.Verdict]))
		t.Cell(r.Claim.ID, texttab.Styled(texttab.Bold)).Cell(publishedText(r)).Rest(r.MeasuredText())
		t.Row().Cell("", margin).Rest("“" + r.Claim.Statement + "”")
		t.Row().Cell("", margin).Rest(r.Reason)
		if r.Claim.Note != "" {
			t.Row().Cell("", margin).Rest(r.Claim.Note, texttab.Styled(texttab.Dim))
		}
		if text := unexpected(r); text != "" {
			t.Row().Cell("", margin).Rest(text, texttab.Styled(texttab.Red))
		}
		if len(r.Claim.Exhibits) > 0 {
			t.Row().Cell("", margin).Rest("see: assay exhibits "+strings.Join(r.Claim.Exhibits, " "), texttab.Styled(texttab.Dim))
		}
	}
	return t
}

// publishedText is the published figure, where there is one.
func publishedText(r claims.Ruling) string {
	if len(r.Claim.Published) == 0 {
		return ""
	}
	return r.Claim.PublishedText()
}

// unexpected says that a claim was expected to have another verdict.
func unexpected(r claims.Ruling) string {
	if r.Claim.Expect == "" || r.Claim.Expect == r.Verdict {
		return ""
	}
	return fmt.Sprintf("expected: %s", r.Claim.Expect)
}

// JSONClaims is the JSON of rulings on claims.
type JSONClaims struct {
	Schema int `json:"schema"`
	// Run is null when no claim needed one.
	Run     *RunInfo     `json:"run"`
	Sources []JSONSource `json:"sources"`
	Claims  []JSONClaim  `json:"claims"`
}

// JSONSource is where claims were made.
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
	// Published is null where no figure was; PublishedTo is the end of a range.
	Published   number `json:"published"`
	PublishedTo number `json:"published_to"`
	Unit        string `json:"unit"`
	// Measured is in Unit; null where nothing was measured. Of several conditions
	// without one that the published figure belongs to it is the median, Lo and Hi
	// are the least and the largest, and Range is true.
	Measured number `json:"measured"`
	Lo       number `json:"lo"`
	Hi       number `json:"hi"`
	Range    bool   `json:"range"`
	// Exact says that figures are counted.
	Exact      bool            `json:"exact"`
	Verdict    string          `json:"verdict"`
	Reason     string          `json:"reason"`
	Expect     string          `json:"expect,omitempty"`
	Predicate  string          `json:"predicate,omitempty"`
	Metric     string          `json:"metric,omitempty"`
	Stated     string          `json:"stated,omitempty"`
	Workload   string          `json:"workload,omitempty"`
	Note       string          `json:"note,omitempty"`
	Exhibits   []string        `json:"exhibits"`
	Conditions []JSONCondition `json:"conditions"`
	File       string          `json:"file"`
	Line       int             `json:"line"`
}

// JSONCondition is the verdict on one condition of a claim.
type JSONCondition struct {
	Op       string `json:"op"`
	Size     string `json:"size"` // empty: over the claim's sizes
	Also     string `json:"also"` // the way of use; empty: as stated
	Compared string `json:"compared"`
	Measured number `json:"measured"`
	Lo       number `json:"lo"`
	Hi       number `json:"hi"`
	Verdict  string `json:"verdict"`
	Reason   string `json:"reason"`
	// Launches is about how many launches would decide; 0 where that is not the
	// question.
	Launches int `json:"launches"`
}

// ClaimsJSON writes the rulings as one indented object.
func ClaimsJSON(w io.Writer, c *Claims) error {
	out := JSONClaims{Schema: JSONSchema, Sources: []JSONSource{}, Claims: []JSONClaim{}}
	if c.Results != nil {
		out.Run = new(InfoOf(c.Results))
	}
	for _, s := range c.Ledger.Sources {
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
		ID: c.ID, Source: c.Source, Statement: c.Statement, Published: null, PublishedTo: null, Unit: c.Unit,
		Range: r.Range, Exact: r.Exact, Verdict: string(r.Verdict), Reason: r.Reason, Expect: string(c.Expect),
		Predicate: string(c.Predicate), Metric: c.Metric, Stated: c.Stated(), Workload: c.Workload, Note: c.Note,
		Exhibits: append([]string{}, c.Exhibits...), Conditions: []JSONCondition{}, File: c.File, Line: c.Line,
	}
	if j.Unit == "" {
		j.Unit = r.Unit
	}
	if n := len(c.Published); n > 0 {
		j.Published = number(c.Published[0])
		if n > 1 {
			j.PublishedTo = number(c.Published[1])
		}
	}
	j.Measured, j.Lo, j.Hi = numbers(r.Measured)
	for _, f := range r.Findings {
		one := JSONCondition{
			Op: string(f.Op), Size: f.Size, Also: f.Also, Compared: f.Compared(c.Predicate),
			Verdict: string(f.Verdict), Reason: f.Reason, Launches: f.Launches,
		}
		one.Measured, one.Lo, one.Hi = numbers(f.Measured)
		j.Conditions = append(j.Conditions, one)
	}
	return j
}
