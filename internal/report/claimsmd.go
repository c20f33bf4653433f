package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/internal/analysis"
	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/published/claims"
	"assay/result"
)

// sourcePath is the directory of the claims of published sources. exhibitPath is the directory of
// exhibits, relative to a page in docs.
const (
	sourcePath  = "published/sources/"
	exhibitPath = "../published/exhibits/"
)

// ClaimsMarkdown writes the ledger as a page of docs: how to read it and how to repeat it, then
// each source with a table of its claims, then each claim with its conditions.
func ClaimsMarkdown(w io.Writer, c *Claims) error {
	var b strings.Builder
	ours := !slices.ContainsFunc(c.Ledger.Claims, func(one *claims.Claim) bool { return !strings.HasPrefix(one.File, sourcePath) })
	about, rules := "What is claimed", "METHODOLOGY"
	if ours {
		about, rules = "What was published about Go serialization", "[METHODOLOGY](../METHODOLOGY.md#claims)"
	}
	b.WriteString("# Claims\n\n")
	b.WriteString(about + ", and what measurement says. A claim covers sizes, ops and ways of use. " +
		"Each combination is a condition, and assay rules on each condition by itself. A claim has two verdicts: as published (its sizes, ops, ways of use and metric) and " +
		"elsewhere (other sizes and payloads, other ways of use, with conversion). The first is the headline. " +
		rules + " says which figures each word of a claim allows, and by which rules conditions become a verdict. " +
		"CPU time with the garbage collector on rules on published times, and code-only time, without it, elsewhere. Figures in parentheses are " + confidenceText(confidence) + " intervals, of one run or of several sessions of whole values; where the loop around an op matters, they cover what it may add or hide. " +
		"In an order, &lt; is less by more than a tie of " + tie + ", = is a tie, and ≈ means that neither is shown. q is the false discovery rate at which all that a verdict rests on would still be decided; " +
		fmt.Sprintf("above %g, it is not.\n\n", claims.FalseDiscovery))
	for _, v := range claims.Verdicts {
		fmt.Fprintf(&b, "- **%s**: %s\n", v.Verdict, v.Text)
	}
	for _, line := range c.tallied() {
		fmt.Fprintf(&b, "\n%s.\n", paragraph(line))
	}
	b.WriteByte('\n')
	if c.Results != nil {
		run := c.Results.Run
		fmt.Fprintf(&b, "Run %s: %s.\n\n", plaintext.Code(run.ID), escape(machine(run)))
		for _, line := range slices.Concat(summary(c.Results), warned(c.Results)) {
			fmt.Fprintf(&b, "%s\n\n", paragraph(line))
		}
		for whole := c.Results.Besides; whole != nil; whole = whole.Besides {
			if whole.Run != run {
				fmt.Fprintf(&b, "Whole values, of sizes that take too much memory for that: run %s: %s.\n\n", plaintext.Code(whole.Run.ID), escape(machine(whole.Run)))
			}
		}
	}
	for _, r := range c.Reproductions {
		fmt.Fprintf(&b, "By the sources' own methods, where a time is as short as the loop around an operation: run %s: %s.\n\n", plaintext.Code(r.Run.ID), escape(machine(r.Run)))
	}
	fmt.Fprintf(&b, "To measure it again: %s.", plaintext.Code(c.Repeat))
	if c.Print != "" {
		fmt.Fprintf(&b, " To print this page: %s.", plaintext.Code(c.Print))
	}
	b.WriteByte('\n')
	for _, s := range c.Ledger.Sources {
		if rulings := c.of(s.ID); len(rulings) > 0 {
			claimSection(&b, s, rulings, ours)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// machine describes the toolchain and the host of a run.
func machine(run *result.Run) string {
	parts := []string{run.Build.Go, run.Host.OS + "/" + run.Host.Arch, processors(run.Host)}
	if !run.Started.IsZero() {
		parts = append(parts, run.Started.UTC().Format("2006-01-02"))
	}
	return strings.Join(parts, ", ")
}

// claimSection writes a source and its claims. If ours is true, the page is one of docs, and
// links work from there.
func claimSection(b *strings.Builder, s claims.Source, rulings []claims.Ruling, ours bool) {
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n\n## %s\n\n", s.ID, escape(s.Title))
	if s.Text != "" {
		fmt.Fprintf(b, "%s\n\n", paragraph(s.Text))
	}
	b.WriteString("| claim | statement | published | measured | as published | elsewhere |\n| :-- | :-- | :-- | :-- | :-- | :-- |\n")
	for _, r := range rulings {
		fmt.Fprintf(b, "| [%s](#%s) | %s | %s | %s | **%s** | %s |\n", r.Claim.ID, r.Claim.ID, escape(r.Claim.Statement),
			escape(publishedText(r)), escape(measuredText(r)), r.Headline(), r.Around())
	}
	for _, r := range rulings {
		claimEntry(b, r, ours)
	}
}

// claimEntry writes one claim.
func claimEntry(b *strings.Builder, r claims.Ruling, ours bool) {
	c := r.Claim
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n\n### %s: %s\n\n", c.ID, c.ID, r.Headline())
	fmt.Fprintf(b, "> %s\n\n", paragraph(c.Statement))
	fmt.Fprintf(b, "As published: %s.\n", escape(strings.TrimSuffix(plaintext.Line(r.Reason), ".")))
	if r.Elsewhere != "" {
		fmt.Fprintf(b, "\nElsewhere: **%s**: %s.\n", r.Around(), escape(strings.TrimSuffix(plaintext.Line(r.ElsewhereReason), ".")))
	}
	for _, text := range claimRemarks(r) {
		fmt.Fprintf(b, "\n%s.\n", paragraph(upperFirst(strings.TrimSuffix(plaintext.Line(text), "."))))
	}
	if len(c.Exhibits) > 0 {
		var links []string
		for _, name := range c.Exhibits {
			if name = escape(plaintext.Line(name)); ours {
				name = fmt.Sprintf("[%s](%s%s)", name, exhibitPath, name)
			}
			links = append(links, name)
		}
		fmt.Fprintf(b, "\nExhibits: %s.\n", strings.Join(links, ", "))
	}
	if len(r.Findings) == 0 {
		return
	}
	fmt.Fprintf(b, "\nStated of %s, %s: %s.\n\n", c.Workload, c.Quantity(), escape(c.Stated()))
	pipe(b, []string{"op", "size", "compared", "measured", "verdict"})
	b.WriteString("| :-- | :-- | :-- | :-- | :-- |\n")
	for _, f := range r.Findings {
		compared := f.Compared(c.Predicate)
		switch {
		case f.Also != "":
			compared = "elsewhere, " + f.Also + ": " + compared
		case f.Elsewhere:
			compared = "elsewhere: " + compared
		}
		size := f.Size
		if size == "" {
			size = "all"
		}
		pipe(b, []string{string(f.Op), size, compared, found(r, f), string(f.Verdict)})
	}
}

// found returns what was measured at one condition, or why nothing was measured.
func found(r claims.Ruling, f claims.Finding) string {
	if f.Measured == nil {
		return plaintext.Line(f.Reason)
	}
	var parts []string
	code := ""
	if f.Code != nil {
		code = "code-only " + r.Interval(*f.Code)
	}
	switch r.Claim.Predicate {
	case claims.Order:
		parts = append(parts, f.Reason, strings.TrimSpace(f.Step+" "+r.Interval(*f.Measured)))
		if f.Code != nil && f.CodeStep != f.Step {
			code = "code-only " + f.CodeStep + " " + r.Interval(*f.Code)
		}
	case claims.Constant:
		parts = append(parts, f.Reason) // r.Reason holds the ratio that rules, and the metric at both ends
		if f.Code != nil {
			code = "code-only from " + r.Spread(*f.Code)
		}
	default:
		parts = append(parts, r.Interval(*f.Measured), f.Reason)
	}
	parts = append(parts, code)
	if r.Claim.WithGC && !f.Elsewhere && f.Metric == analysis.Time && f.OwnMethod == "" {
		parts = append(parts, "by code-only time")
	}
	if f.Launches > 0 {
		parts = append(parts, fmt.Sprintf("about %s would tell", phrase.Count(f.Launches, "launch")))
	}
	return strings.Join(slices.DeleteFunc(parts, func(text string) bool { return text == "" }), "; ")
}

// upperFirst makes the first letter upper case, for the beginning of a sentence.
func upperFirst(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
