package report

import (
	"slices"

	"assay/internal/claims"
	"assay/internal/texttab"
)

// leastStatement is the least width of a claim's own words.
const leastStatement = 24

// claimLines lays out the claims of one source, one a line: the verdict, the claim in
// its own words as far as there is room, what was published and what was measured.
func claimLines(rulings []claims.Ruling, width int) *texttab.Table {
	widest := func(title string, of func(claims.Ruling) string) int {
		w := texttab.Width(title)
		for _, r := range rulings {
			w = max(w, texttab.Width(of(r)))
		}
		return w
	}
	verdict := func(r claims.Ruling) string { return string(r.Verdict) }
	room := width - widest("verdict", verdict) - widest("published", publishedText) - widest("measured", func(r claims.Ruling) string { return r.MeasuredText() }) - 8
	t := &texttab.Table{Limit: width}
	margin := texttab.Margin("  ")
	t.Row().Cell("verdict", margin, texttab.Styled(texttab.Bold))
	for _, name := range []string{"claim", "published", "measured"} {
		t.Cell(name, texttab.Styled(texttab.Bold))
	}
	for _, r := range rulings {
		t.Row().Cell(string(r.Verdict), margin, texttab.Styled(verdictStyles[r.Verdict]))
		t.Cell(cut(r.Claim.Statement, max(room, leastStatement))).Cell(publishedText(r)).Rest(r.MeasuredText())
		if text := unexpected(r); text != "" {
			t.Row().Cell("", margin).Rest(r.Claim.ID+": "+text, texttab.Styled(texttab.Red))
		}
	}
	return t
}

// cut returns a text in at most that many cells: its beginning, and … for the rest.
func cut(text string, width int) string {
	if texttab.Width(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && texttab.Width(string(runes)) >= width {
		runes = slices.Delete(runes, len(runes)-1, len(runes))
	}
	return string(runes) + "…"
}
