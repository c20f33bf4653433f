package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/internal/plaintext"
	"assay/internal/texttab"
	"assay/published/claims"
)

// screen is how many lines fit on a screen.
const screen = 60

// claimScreen writes the ledger without reasons, below a few lines about all of it. Each claim
// takes one line. If these lines do not fit on a screen, the claims' names are listed by verdict.
func claimScreen(w io.Writer, c *Claims, above []string, opts Options) error {
	var head, lines strings.Builder
	if err := paragraphs(&head, above, opts.Width); err != nil {
		return err
	}
	if err := claimLines(c, opts.Width).Format(&lines, opts.Color); err != nil {
		return err
	}
	if strings.Count(head.String(), "\n")+strings.Count(lines.String(), "\n") >= screen {
		lines.Reset()
		if err := claimNames(c, opts.Width).Format(&lines, opts.Color); err != nil {
			return err
		}
	}
	// texttab cleaned the texts, so the only control sequences are those of colours.
	return plaintext.WriteTrusted(w, head.String()+lines.String()+"\n")
}

// claimNames lays out the claims of each source by verdict: their numbers and names.
func claimNames(c *Claims, width int) *texttab.Table {
	t := &texttab.Table{Limit: width}
	margin := texttab.Margin("  ")
	label := 0
	for _, r := range c.Rulings {
		label = max(label, len(r.Verdict))
	}
	room := max(width-label-2*2, texttab.Narrowest)
	for _, s := range c.Ledger.Sources {
		rulings := c.of(s.ID)
		if len(rulings) == 0 {
			continue
		}
		t.Row().Rest(s.ID+": "+s.Title, texttab.Styled(texttab.Bold))
		for _, v := range claims.Verdicts {
			var names []string
			for _, r := range rulings {
				if r.Verdict == v.Verdict {
					names = append(names, claimName(r))
				}
			}
			verdict := string(v.Verdict)
			for _, line := range packed(names, room) {
				t.Row().Cell(verdict, margin, texttab.Styled(verdictStyles[v.Verdict])).Rest(line)
				verdict = ""
			}
		}
	}
	for _, line := range texttab.Wrap("--source ID prints one line a claim with its figures; a claim's number, or --details, prints the reasons.", width) {
		t.Row().Rest(line, texttab.Styled(texttab.Dim))
	}
	return t
}

// packed joins names to lines of at most that width. It never breaks a name.
func packed(names []string, width int) []string {
	const between = " · "
	var lines []string
	for _, name := range names {
		last := len(lines) - 1
		if last < 0 || texttab.Width(lines[last]+between+name) > width {
			lines = append(lines, name)
			continue
		}
		lines[last] += between + name
	}
	return lines
}

// claimName returns a claim's number, its name without the prefix of its source, and any remark
// on its verdict.
func claimName(r claims.Ruling) string {
	text := fmt.Sprintf("%d %s", r.Number, strings.TrimPrefix(r.Claim.ID, r.Claim.Source+"-"))
	if r.Verdict != r.Verdict.Plain() {
		all, measured := r.Counts()
		text += fmt.Sprintf(" (%d of %d)", measured, all)
	}
	if why := unexpected(r); why != "" {
		text += " (" + why + ")"
	}
	return text
}

// briefVerdict returns a verdict for a narrow column: "holds 4 of 6" if only some conditions were
// measured.
func briefVerdict(r claims.Ruling) string {
	if r.Verdict == r.Verdict.Plain() {
		return string(r.Verdict)
	}
	all, measured := r.Counts()
	return fmt.Sprintf("%s %d of %d", r.Verdict.Plain(), measured, all)
}

// asideMark follows a figure that belongs to another condition than the published one.
const asideMark = "*"

// tenfoldMark stands for claims.PerTenfold, which would take the room of the statements.
const tenfoldMark = "†"

// claimLines lays out one line for each claim. It cuts statements to the room that the
// other columns leave.
func claimLines(c *Claims, width int) *texttab.Table {
	t := &texttab.Table{Limit: width}
	heads := [4]string{"claim", "verdict", "published", "measured"}
	var widths [4]int
	cellsOf := func(r claims.Ruling) [4]string {
		return [4]string{fmt.Sprint(r.Number), briefVerdict(r), publishedText(r), briefMeasured(r)}
	}
	for _, r := range c.Rulings {
		for k, text := range cellsOf(r) {
			widths[k] = max(widths[k], texttab.Width(plaintext.Line(text)), texttab.Width(heads[k]))
		}
	}
	room := max(width-widths[0]-widths[1]-widths[2]-widths[3]-5*2, texttab.Narrowest)
	margin := texttab.Margin("  ")
	bold := texttab.Styled(texttab.Bold)
	t.Row().Cell(heads[0], margin, bold).Cell(heads[1], bold).Cell("statement", bold).Cell(heads[2], bold).Cell(heads[3], bold)
	for _, s := range c.Ledger.Sources {
		rulings := c.of(s.ID)
		if len(rulings) > 0 {
			t.Row().Rest(s.ID+": "+s.Title, bold)
		}
		for _, r := range rulings {
			statement := plaintext.Line(r.Claim.Statement)
			if unexpected(r) != "" {
				statement = unexpected(r) + ": " + statement
			}
			cells := cellsOf(r)
			t.Row().Cell(cells[0], margin, texttab.Right).Cell(cells[1], texttab.Styled(verdictStyles[r.Verdict]))
			t.Cell(shortened(statement, room)).Cell(cells[2]).Cell(cells[3])
		}
	}
	if slices.ContainsFunc(c.Rulings, func(r claims.Ruling) bool { return strings.Contains(briefMeasured(r), tenfoldMark) }) {
		for _, line := range texttab.Wrap(tenfoldMark+" for ten times as many items", width) {
			t.Row().Rest(line, texttab.Styled(texttab.Dim))
		}
	}
	if slices.ContainsFunc(c.Rulings, aside) {
		for _, line := range texttab.Wrap(asideMark+" of another condition than the published figure, whose condition was not measured", width) {
			t.Row().Rest(line, texttab.Styled(texttab.Dim))
		}
	}
	return t
}

// briefMeasured formats the measured figure for a narrow column: "3.10 times ±1.6%". It appends
// asideMark if the figure belongs to another condition than the published one.
func briefMeasured(r claims.Ruling) string {
	text := r.MeasuredText()
	before, rest, cut := strings.Cut(text, " (")
	if _, unit, whole := strings.Cut(rest, ")"); cut && whole && !r.Range {
		text = before + unit + " " + plusMinus(*r.Measured)
	}
	text = strings.Replace(text, claims.PerTenfold, tenfoldMark, 1)
	if aside(r) {
		text += " " + asideMark
	}
	return text
}

// shortened cuts a line after the last word that fits.
func shortened(text string, width int) string {
	if texttab.Width(text) <= width {
		return text
	}
	return texttab.Wrap(text, width-1)[0] + "…"
}
