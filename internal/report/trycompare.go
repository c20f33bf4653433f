package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/phrase"
	"assay/result"
)

// A TryPair is two runs on a user's own records, with the changes between them.
type TryPair struct {
	A, B *Try
	// Changes compares the cases that both runs have. It has no rows if there are none.
	Changes *analysis.Comparison
}

// TryPairFormats lists all formats of a pair of runs on a user's own records. They have the names
// of CompareFormats.
var TryPairFormats = []FormatOf[*TryPair]{
	{"text", "both answers and the changes, for a terminal", TryPairText},
	{"json", "every row with its change, and both answers; a stable, versioned contract", plain(TryPairJSON)},
	{"md", "both answers and the changes as Markdown", plain(TryPairMarkdown)},
}

// facts describes each run and says what the two have in common.
func (p *TryPair) facts() []string {
	same := func(equal bool, what string) string {
		if equal {
			return "the same " + what
		}
		return "other " + what
	}
	var lines []string
	for _, side := range []struct {
		name string
		t    *Try
	}{{"A", p.A}, {"B", p.B}} {
		d := side.t.Data
		text := fmt.Sprintf("%s: %s, %s of %s, against %s", side.name, side.t.Results.Run.ID, phrase.Count(d.Records, "record"), strings.Join(d.Files, ", "), side.t.Answer.Have)
		if len(side.t.Answer.Asked.Must) > 0 {
			text += ", must be " + phrase.List(side.t.Answer.Asked.Must, "and")
		}
		if g := side.t.Results.Grade; g != nil {
			text += "; grade " + g.Letter
		}
		lines = append(lines, text)
	}
	return append(lines, strings.Join([]string{
		same(p.sameRecords(), "records"), same(p.sameSchema(), "schema"),
		same(p.A.Answer.Asked.Have == p.B.Answer.Asked.Have, "contender in use"), same(p.A.Answer.Asked.Prices == p.B.Answer.Asked.Prices, "rate and prices"),
	}, ", "))
}

func (p *TryPair) sameRecords() bool {
	return p.A.Data.Hash != "" && p.A.Data.Hash == p.B.Data.Hash
}

func (p *TryPair) sameSchema() bool { return p.A.Data.Schema == p.B.Data.Schema }

// points returns both answers to each question.
func (p *TryPair) points() []Point {
	var points []Point
	for i, of := range p.A.Answer.Picks {
		if i >= len(p.B.Answer.Picks) {
			break
		}
		out := Point{Title: of.Title}
		if other := p.B.Answer.Picks[i].Title; other != of.Title {
			out.Title = strings.ReplaceAll(of.Key, "-", " ") // the titles may name different contenders
		}
		texts := []string{p.A.pickText(of), p.B.pickText(p.B.Answer.Picks[i])}
		if texts[0] == texts[1] {
			out.Text = texts[0] + ", in both"
		} else {
			out.Below = []string{"A  " + texts[0], "B  " + texts[1]}
		}
		points = append(points, out)
	}
	front := Point{Title: "Pareto front of time and size", Below: []string{"A  " + p.A.front(tight).Text, "B  " + p.B.front(tight).Text}}
	if len(p.A.Answer.Front)+len(p.B.Answer.Front) > 0 {
		points = append(points, front)
	}
	return points
}

// pickText returns a recommendation in one line.
func (t *Try) pickText(p answer.Pick) string {
	if len(p.Best) == 0 {
		return "none: " + p.Reason
	}
	text := t.value(p, p.Best[0])
	if n := len(p.Best) - 1; n > 0 {
		text += fmt.Sprintf("; %s %d more", relation(p), n)
	}
	return text
}

// grid returns the table of the candidates of both runs, side by side.
func (p *TryPair) grid() *grid {
	g := &grid{
		title: fmt.Sprintf("round trip: how many times as fast as %s in A and as %s in B, and bytes of a record", p.A.Answer.Have, p.B.Answer.Have),
		columns: []column{
			{title: "contender"}, {"A", true}, {title: ""}, {"B", true}, {title: ""}, {"bytes A", true}, {"bytes B", true}, {title: ""},
		},
		drops: []string{"bytes A", "bytes B"}, rest: true,
	}
	var subjects []result.Subject
	for _, t := range []*Try{p.A, p.B} {
		for _, c := range t.Answer.Candidates {
			if !slices.Contains(subjects, c.Subject) {
				subjects = append(subjects, c.Subject)
			}
		}
	}
	for _, s := range subjects {
		cells := []string{s.Contender, "", "", "", "", "", "", s.Mode}
		for i, t := range []*Try{p.A, p.B} {
			c := t.Answer.Candidate(s)
			if c == nil {
				continue
			}
			if c.ToHave != nil {
				cells[1+2*i], cells[2+2*i] = speed(*c.ToHave)
			}
			if s == t.Answer.Have {
				cells[1+2*i], cells[2+2*i] = "1×", ""
			}
			if c.Size > 0 {
				cells[5+i] = BytesText(c.Size)
			}
		}
		g.row(cells...)
	}
	return g
}

// TryPairText writes both answers side by side, and then the changes of the cases that both runs
// measured.
func TryPairText(w io.Writer, p *TryPair, opts Options) error {
	opts = opts.orDefaults()
	if err := paragraphs(w, p.facts(), opts.Width); err != nil {
		return err
	}
	if err := writePoints(w, p.points(), opts); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if g := p.grid(); len(g.rows) > 0 {
		if err := g.write(w, opts); err != nil {
			return err
		}
	}
	if err := paragraphs(w, p.nothingShared(), opts.Width); err != nil {
		return err
	}
	return CompareText(w, p.Changes, opts)
}

// nothingShared says why there are no changes, if the two runs are on other data.
func (p *TryPair) nothingShared() []string {
	if len(p.Changes.Rows) > 0 || p.sameRecords() && p.sameSchema() {
		return nil
	}
	return []string{"no case was measured in both runs: the records or the schema differ"}
}

// TryPairMarkdown writes the content of TryPairText as Markdown.
func TryPairMarkdown(w io.Writer, p *TryPair) error {
	var b strings.Builder
	for _, line := range p.facts() {
		fmt.Fprintf(&b, "- %s\n", paragraph(line))
	}
	b.WriteString("\n")
	for _, x := range p.points() {
		fmt.Fprintf(&b, "- **%s:** %s\n", escape(x.Title), escape(x.Text))
		for _, l := range x.Below {
			fmt.Fprintf(&b, "  - %s\n", paragraph(l))
		}
	}
	b.WriteString("\n")
	if g := p.grid(); len(g.rows) > 0 {
		g.markdown(&b)
	}
	for _, text := range p.nothingShared() {
		fmt.Fprintf(&b, "%s\n\n", paragraph(text))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return CompareMarkdown(w, p.Changes)
}

// JSONAnswers has the answers of two compared runs on a user's own records.
type JSONAnswers struct {
	SameRecords bool       `json:"same_records"`
	SameSchema  bool       `json:"same_schema"`
	A           JSONAnswer `json:"a"`
	B           JSONAnswer `json:"b"`
}

// TryPairJSON writes the comparison as CompareJSON does, with a further member "answers".
func TryPairJSON(w io.Writer, p *TryPair) error {
	out := struct {
		JSONComparison
		Answers JSONAnswers `json:"answers"`
	}{jsonComparison(p.Changes), JSONAnswers{p.sameRecords(), p.sameSchema(), jsonAnswer(p.A), jsonAnswer(p.B)}}
	return indented(w, out)
}
