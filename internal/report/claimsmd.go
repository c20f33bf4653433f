package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/internal/phrase"
	"assay/internal/plaintext"
	"assay/published/claims"
)

// exhibitPath is where an exhibit is, seen from a page in docs.
const exhibitPath = "../published/exhibits/"

// ClaimsMarkdown writes the ledger as a page of docs: how to read it and to repeat
// it, then each source with a table of its claims, each claim with its conditions.
func ClaimsMarkdown(w io.Writer, c *Claims) error {
	var b strings.Builder
	b.WriteString("# Claims\n\n")
	b.WriteString("What was published about Go serialization, and what measurement says. A claim covers sizes, ops and ways of use. " +
		"Each combination is a condition, and assay rules on each condition by itself. A claim has two verdicts: as published (its sizes, ops, ways of use and metric) and " +
		"elsewhere (other sizes and payloads, other ways of use, with conversion). The first is the headline. " +
		"METHODOLOGY says which figures each word of a claim allows.\n\n")
	for _, v := range claims.Verdicts {
		fmt.Fprintf(&b, "- **%s**: %s\n", v.Verdict, v.Text)
	}
	for _, line := range c.tallied() {
		fmt.Fprintf(&b, "\n%s.\n", escape(line))
	}
	b.WriteByte('\n')
	if c.Results != nil {
		run := c.Results.Run
		fmt.Fprintf(&b, "Run `%s`: %s.\n\n", run.ID, escape(machine(c)))
		for _, line := range summary(c.Results) {
			fmt.Fprintf(&b, "%s\n\n", escape(line))
		}
	}
	fmt.Fprintf(&b, "To measure it again: `%s`.", c.Repeat)
	if c.Print != "" {
		fmt.Fprintf(&b, " To print this page: `%s`.", c.Print)
	}
	b.WriteByte('\n')
	for _, s := range c.Ledger.Sources {
		if rulings := c.of(s.ID); len(rulings) > 0 {
			claimSection(&b, s, rulings)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// machine is what the run was made on and with.
func machine(c *Claims) string {
	run := c.Results.Run
	parts := []string{run.Build.Go, run.Host.OS + "/" + run.Host.Arch}
	if run.Host.CPU != "" {
		parts = append(parts, run.Host.CPU)
	}
	parts = append(parts, phrase.Count(run.Host.CPUs, "CPU"))
	if !run.Started.IsZero() {
		parts = append(parts, run.Started.UTC().Format("2006-01-02"))
	}
	return strings.Join(parts, ", ")
}

// claimSection writes a source and its claims.
func claimSection(b *strings.Builder, s claims.Source, rulings []claims.Ruling) {
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n\n## %s\n\n", s.ID, escape(s.Title))
	if s.Text != "" {
		fmt.Fprintf(b, "%s\n\n", escape(s.Text))
	}
	b.WriteString("| claim | statement | published | measured | as published | elsewhere |\n| :-- | :-- | :-- | :-- | :-- | :-- |\n")
	for _, r := range rulings {
		fmt.Fprintf(b, "| [%s](#%s) | %s | %s | %s | **%s** | %s |\n", r.Claim.ID, r.Claim.ID, escape(r.Claim.Statement),
			escape(publishedText(r)), escape(r.MeasuredText()), r.Headline(), r.Around())
	}
	for _, r := range rulings {
		claimEntry(b, r)
	}
}

// claimEntry writes one claim.
func claimEntry(b *strings.Builder, r claims.Ruling) {
	c := r.Claim
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n\n### %s: %s\n\n", c.ID, c.ID, r.Headline())
	fmt.Fprintf(b, "> %s\n\n", escape(c.Statement))
	fmt.Fprintf(b, "As published: %s.\n", escape(strings.TrimSuffix(plaintext.Line(r.Reason), ".")))
	if r.Elsewhere != "" {
		fmt.Fprintf(b, "\nElsewhere: **%s**: %s.\n", r.Around(), escape(strings.TrimSuffix(plaintext.Line(r.ElsewhereReason), ".")))
	}
	for _, text := range claimRemarks(r) {
		fmt.Fprintf(b, "\n%s.\n", escape(upperFirst(strings.TrimSuffix(plaintext.Line(text), "."))))
	}
	if len(c.Exhibits) > 0 {
		var links []string
		for _, name := range c.Exhibits {
			links = append(links, fmt.Sprintf("[%s](%s%s)", name, exhibitPath, name))
		}
		fmt.Fprintf(b, "\nExhibits: %s.\n", strings.Join(links, ", "))
	}
	if len(r.Findings) == 0 {
		return
	}
	fmt.Fprintf(b, "\nStated of %s, %s: %s.\n\n", c.Workload, c.Metric, escape(c.Stated()))
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

// found is what was measured at one condition, or why nothing was.
func found(r claims.Ruling, f claims.Finding) string {
	text := ""
	switch {
	case f.Measured == nil:
		return plaintext.Line(f.Reason)
	case r.Claim.Predicate == claims.Order:
		text = f.Reason
	default:
		text = r.Interval(*f.Measured)
		if f.Reason != "" {
			text += "; " + f.Reason
		}
	}
	if f.Code != nil {
		text += "; code-only " + r.Interval(*f.Code)
	}
	if f.Launches > 0 {
		text += fmt.Sprintf("; about %d launches would tell", f.Launches)
	}
	return text
}

// upperFirst begins a sentence.
func upperFirst(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
