package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/internal/analysis"
)

// MeanCaution is printed beside every geometric mean.
const MeanCaution = "A mean weighs every cell alike, whatever your program does most. A contender may lead the mean and be slow on your data. This mean is not ranked."

// rankGrids returns the tables of a standing.
func rankGrids(s *analysis.Standing) []*grid {
	var all []*grid
	for _, cell := range s.Cells {
		// Without a pair to compare, the ranking has no confidence of its own.
		g := &grid{title: titleAt(cell.Table, cmp.Or(cell.Table.Ranking.Confidence, confidence)), columns: []column{
			{"", true}, {title: "letters"}, {title: "contender"}, {title: "mode"},
			{"vs " + cell.Reference.String(), true}, {title: "to the next row"},
		}, rest: true}
		few := tooFew(cell)
		for _, l := range cell.Lines {
			if few != "" {
				l.Letters = ""
			}
			rank := padRank(PlaceText(l.Rank, l.Equal))
			ratio := "1×"
			if l.Subject != cell.Reference {
				factor, bounds := speed(l.Ratio)
				ratio = strings.TrimSpace(factor + " " + bounds)
			}
			g.row(rank, l.Letters, l.Contender, shownMode(cell.Table, cell.Cell.Case(l.Subject)), ratio, toNext(l))
		}
		var externals tally
		for _, l := range cell.Lines {
			if s.Results.Run.External(l.Contender) {
				externals.add(l.Subject, "across", "external contender, compared across processes")
			}
		}
		g.below = externals.outcomes()
		if few != "" {
			g.below = append([]outcome{{word: "letters", reason: few}}, g.below...)
		}
		all = append(all, g)
	}
	if len(s.Means) == 0 {
		return all
	}
	g := &grid{title: fmt.Sprintf("geometric mean over %d tables", len(s.Cells)),
		columns: []column{{title: "contender"}, {title: "mode"}, {"vs " + s.Reference.String(), true}}}
	for _, m := range s.Means {
		ratio := "1×"
		if m.Subject != *s.Reference {
			factor, bounds := speed(m.Ratio)
			ratio = strings.TrimSpace(factor + " " + bounds)
		}
		g.row(m.Contender, analysis.ModeName(m.Mode), ratio)
	}
	var partial tally
	for _, m := range s.Partial {
		partial.add(m.Subject, "no mean", "not in every table")
	}
	g.below = append([]outcome{{word: "caution", reason: MeanCaution}}, partial.outcomes()...)
	return append(all, g)
}

// notYet says that two rows are neither told apart nor tied.
const notYet = "not told apart yet"

// mostLetters is the largest number of letters of a row that people can still read.
const mostLetters = 4

// tooFew says that a cell has too few launches for its rows. This is the case if rows share so
// many letters that the letters say nothing. Otherwise it is empty.
func tooFew(cell analysis.CellStanding) string {
	most, launches := 0, 0
	for i, l := range cell.Lines {
		most = max(most, utf8.RuneCountInString(l.Letters))
		row, _ := cell.Table.Row(cell.Cell.Case(l.Subject), analysis.Time)
		if i == 0 || row.N < launches {
			launches = row.N
		}
	}
	if most <= mostLetters {
		return ""
	}
	enough := fmt.Sprintf("%d launches are", launches)
	if launches == 1 {
		enough = "1 launch is"
	}
	return fmt.Sprintf("%s too few to tell %d rows apart: raise --budget", enough, len(cell.Lines))
}

// toNext describes the relation of the line to the line below it.
func toNext(l analysis.StandingLine) string {
	if l.By == nil {
		return ""
	}
	factor, bounds := speed(*l.By)
	switch l.Next {
	case analysis.Tied:
		return "tied"
	case analysis.Unresolved:
		return strings.TrimSpace(notYet + " " + bounds)
	}
	// Slower is possible although the rows are ordered by their ratios to the reference, because
	// the rounds of the pair itself decide.
	return strings.TrimSpace(factor + " as fast " + bounds)
}

// rankLegend explains the tables of a standing.
func rankLegend(s *analysis.Standing) []string {
	texts := []string{
		sharedRank + "; rows that share a letter are not told apart",
		fmt.Sprintf("two rows are told apart if the interval of their ratio lies beyond %s, and tied if it lies within %[1]s; a tie is never ranked; "+
			"the intervals are wide enough that at most %.0f%% of the differences called are expected to be false", tie, 100*falseShare),
	}
	least := 0
	for i, cell := range s.Cells {
		if n := cell.Table.Layouts; i == 0 || n < least {
			least = n
		}
	}
	if least < analysis.LeastLayouts && len(s.Cells) > 0 {
		texts = append(texts, fmt.Sprintf("fewer than %d layouts of a table are too few to tell its rows apart (raise --budget or --layouts)", analysis.LeastLayouts))
	}
	var tables []*analysis.Table
	for _, cell := range s.Cells {
		tables = append(tables, cell.Table)
	}
	texts = append(texts, cellWarnings(tables)...)
	return append(texts, warned(s.Results)...)
}

// PlaceText formats a rank: "1", or "1=" if rows share it.
func PlaceText(rank int, equal bool) string {
	text := strconv.Itoa(rank)
	if equal {
		text += "="
	}
	return text
}

// RankText writes the order in each cell, with ties, and the means over all cells. It writes
// nothing if no case has a time.
func RankText(w io.Writer, s *analysis.Standing, opts Options) error {
	opts = opts.orDefaults()
	if len(s.Cells) == 0 {
		return nil
	}
	if err := paragraphs(w, summary(s.Results), opts.Width); err != nil {
		return err
	}
	for _, g := range rankGrids(s) {
		if err := g.write(w, opts); err != nil {
			return err
		}
	}
	return footnotes(w, rankLegend(s), nil, opts.Width)
}

// RankMarkdown writes the content of RankText as Markdown.
func RankMarkdown(w io.Writer, s *analysis.Standing) error {
	var b strings.Builder
	if len(s.Cells) > 0 {
		markdownAll(&b, summary(s.Results), rankGrids(s), rankLegend(s))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownAll writes paragraphs, tables and a list.
func markdownAll(b *strings.Builder, above []string, grids []*grid, below []string) {
	for _, text := range above {
		fmt.Fprintf(b, "%s\n\n", paragraph(text))
	}
	for _, g := range grids {
		g.markdown(b)
	}
	for _, text := range below {
		fmt.Fprintf(b, "- %s\n", paragraph(text))
	}
}

// JSONStanding is the JSON of a standing.
type JSONStanding struct {
	Schema  int           `json:"schema"`
	Run     RunInfo       `json:"run"`
	Cells   []JSONRanking `json:"cells"`
	Means   []JSONMean    `json:"means"` // empty for a single cell
	Caution string        `json:"caution,omitempty"`
}

// JSONRanking is the order in one cell, fastest first.
type JSONRanking struct {
	Workload  string `json:"workload"`
	Size      string `json:"size"`
	Op        string `json:"op"`
	Reference string `json:"reference"`
	// Confidence is the confidence level of the intervals below, as a share. At this level at
	// most 5% of the differences that they call are expected to be false. It is 0 for a single
	// row.
	Confidence float64    `json:"confidence"`
	Rows       []JSONRank `json:"rows"`
	// Warnings concern the cell as a whole.
	Warnings []JSONWarning `json:"warnings,omitempty"`
}

// JSONRank is one row of a ranking. Ratios are ratios of times: below 1 is faster.
type JSONRank struct {
	Contender string `json:"contender"`
	Mode      string `json:"mode"`
	// Rank is the position of the first row that shares the rank. Two rows that share a letter
	// are not told apart.
	Rank    int    `json:"rank"`
	Equal   bool   `json:"equal"` // shares the rank with others
	Letters string `json:"letters"`
	// Ratio is the time over the reference's time.
	Ratio   number `json:"ratio"`
	RatioLo number `json:"ratio_lo"`
	RatioHi number `json:"ratio_hi"`
	// Next is the relation of the row to the next one: faster, slower, tied or unresolved; empty
	// for the last row. By is the row's time over the next row's time.
	Next string `json:"next"`
	By   number `json:"by"`
	ByLo number `json:"by_lo"`
	ByHi number `json:"by_hi"`
	// Across has the meaning of JSONRow.Across.
	Across bool `json:"across,omitempty"`
}

// JSONMean is a geometric mean over all cells of the ratio to the reference.
type JSONMean struct {
	Contender string `json:"contender"`
	Mode      string `json:"mode"`
	Ratio     number `json:"ratio"`
	RatioLo   number `json:"ratio_lo"`
	RatioHi   number `json:"ratio_hi"`
	Reference string `json:"reference"`
	Cells     int    `json:"cells"`
}

// RankJSON writes the standing as one indented object.
func RankJSON(w io.Writer, s *analysis.Standing) error {
	out := JSONStanding{Schema: JSONSchema, Run: InfoOf(s.Results), Cells: []JSONRanking{}, Means: []JSONMean{}}
	for _, cell := range s.Cells {
		c := JSONRanking{Workload: cell.Cell.Workload, Size: cell.Cell.Size, Op: string(cell.Cell.Op), Reference: cell.Reference.String(), Confidence: cell.Table.Ranking.Confidence, Warnings: jsonWarnings(cell.Table.Warnings)}
		for _, l := range cell.Lines {
			row := JSONRank{Contender: l.Contender, Mode: l.Mode, Rank: l.Rank, Equal: l.Equal, Letters: l.Letters, Across: s.Results.Run.External(l.Contender)}
			row.Ratio, row.RatioLo, row.RatioHi = numbers(&l.Ratio)
			row.By, row.ByLo, row.ByHi = numbers(l.By)
			if l.By != nil {
				row.Next = l.Next.String()
			}
			c.Rows = append(c.Rows, row)
		}
		out.Cells = append(out.Cells, c)
	}
	for _, m := range s.Means {
		mean := JSONMean{Contender: m.Contender, Mode: m.Mode, Reference: s.Reference.String(), Cells: m.Cells}
		mean.Ratio, mean.RatioLo, mean.RatioHi = numbers(&m.Ratio)
		out.Means = append(out.Means, mean)
		out.Caution = MeanCaution
	}
	return indented(w, out)
}
