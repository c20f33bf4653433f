package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"assay/internal/analysis"
)

// summary returns what a reader needs before the first number: how far the run can be trusted,
// and why.
func summary(r *analysis.Results) []string {
	lines := jsonLines(r.JSON)
	parts := trustWords(r)
	if text := asked(r); text != "" {
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return lines
	}
	lines = append(lines, StreamWords(r)...)
	lines = append(lines, trustLines(r, parts)...)
	return append(lines, measuredBeside(r)...)
}

// warned returns the warnings about the run as a whole.
func warned(r *analysis.Results) []string {
	var texts []string
	for _, w := range r.Warnings {
		texts = append(texts, w.Text)
	}
	return texts
}

// asked says which precision the run asked for, and how many rows missed it; empty if it asked for
// none.
func asked(r *analysis.Results) string {
	p := r.Run.Plan.Precision
	if p <= 0 {
		return ""
	}
	text := "±" + ShareText(p) + " asked"
	if n := len(r.TooWide()); n == 1 {
		text += ", 1 row is wider"
	} else if n > 1 {
		text += fmt.Sprintf(", %d rows are wider", n)
	}
	return text
}

// measuredBeside says how fast the disk of streams is, and what the controls found.
func measuredBeside(r *analysis.Results) []string {
	var lines []string
	if text := diskText(r.Run); text != "" {
		lines = append(lines, text)
	}
	if r.Grade != nil {
		if text := controls(r.Grade); text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// trustWords returns the beginning of every line of trust: the grade, how much was verified, and
// the number of layouts.
func trustWords(r *analysis.Results) []string {
	var parts []string
	if r.Grade != nil {
		parts = append(parts, "grade "+r.Grade.Letter)
	}
	if r.Trips > 0 {
		parts = append(parts, verifiedWords(r))
	}
	if text := layouts(r.Tables); text != "" {
		parts = append(parts, text)
	}
	return parts
}

// verifiedWords says how many round trips succeeded. If an earlier run made them, it says when:
// "verified 120 of 120 (on 2026-11-22)". If time did not allow all of a user's records, it says
// how many records were covered.
func verifiedWords(r *analysis.Results) string {
	text := fmt.Sprintf("verified %d of %d", r.Verified, r.Trips)
	if data := r.Run.Plan.Data; r.Values > 0 && data != nil {
		text += fmt.Sprintf(" on %d of %d records", r.Values, data.Records)
	}
	day := r.EarlierAt.Format(time.DateOnly)
	switch {
	case r.Earlier == 0:
		return text
	case r.Earlier == r.Trips:
		return fmt.Sprintf("%s (on %s)", text, day)
	}
	return fmt.Sprintf("%s (%d of them on %s)", text, r.Earlier, day)
}

// TieText says which differences count as ties.
var TieText = "differences under " + tie + " are not ranked"

// trustLines returns a line of trust and, below it, why the grade is not better.
func trustLines(r *analysis.Results, parts []string) []string {
	if len(r.Tables) == 0 || !r.Tables[0].Streamed() { // streams are not ranked
		parts = append(parts, TieText)
	}
	return append([]string{strings.Join(parts, " · ")}, notA(r)...)
}

// notA says why the grade is not better; nil if it is A.
func notA(r *analysis.Results) []string {
	if g := r.Grade; g != nil && len(g.Reasons) > 0 {
		return []string{"not A: " + strings.Join(g.Reasons, "; ")}
	}
	return nil
}

// trust returns the summary in one line: the grade with its most serious reason, what was
// verified, and how much was measured.
func trust(r *analysis.Results) string {
	parts := trustWords(r)
	if g := r.Grade; g != nil && len(g.Reasons) > 0 {
		parts[0] += ": " + g.Reasons[0]
	}
	return strings.Join(parts, " · ")
}

// layouts says how many link layouts the tables have.
func layouts(tables []analysis.Table) string {
	least, most := 0, 0
	for _, t := range tables {
		if t.Layouts == 0 {
			continue
		}
		if least == 0 || t.Layouts < least {
			least = t.Layouts
		}
		most = max(most, t.Layouts)
	}
	switch {
	case most == 0:
		return ""
	case most == 1:
		return "1 layout"
	case least < most:
		return fmt.Sprintf("%d to %d layouts", least, most)
	}
	return fmt.Sprintf("%d layouts", most)
}

// controls says what the controls found.
func controls(g *analysis.Grade) string {
	parts := conditions(g)
	if c := g.Control; c != nil {
		text := fmt.Sprintf("reference against itself %.3f", c.Value)
		if c.Bounded() {
			text += fmt.Sprintf(" (%.3f…%.3f)", c.Lo, c.Hi)
		}
		parts = slices.Insert(parts, 0, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return "controls: " + strings.Join(parts, " · ")
}

// conditions lists what the controls found besides the reference against itself.
func conditions(g *analysis.Grade) []string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if !math.IsNaN(g.Clean) {
		add("%s clean", ShareText(math.Floor(100*g.Clean+1e-9)/100)) // 96.6% misses the limit of 97%; 57% is no 56.99…%
	}
	if s := g.Sentinel; s != nil {
		best := "this machine's best"
		if !s.Remembered {
			best = "this run's best (none is remembered)"
		}
		add("sentinel %.2f× %s", s.Median, best)
		if knownSteal(g) {
			add("%s stolen", ShareText(g.Steal))
		}
	}
	if !math.IsNaN(g.Others) {
		add("others used %s", ShareText(g.Others))
	}
	if !math.IsNaN(g.Load) {
		add("load %.1f", g.Load)
	}
	if g.Disturbed == 1 {
		add("1 launch repeated")
	} else if g.Disturbed > 1 {
		add("%d launches repeated", g.Disturbed)
	}
	return parts
}

// knownSteal reports whether the system shows the time that the host took. Where it does not, it does not
// show what other programs used either.
func knownSteal(g *analysis.Grade) bool { return g.Steal > 0 || !math.IsNaN(g.Others) }
