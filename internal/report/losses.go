package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/texttab"
	"assay/result"
)

// lossesTitle stands above what the contenders of a report lose, whether or not
// the data of the run has any of it.
const lossesTitle = "values that do not survive a round trip (assay verify --probes; assay explain NAME)"

// A lossLine is a loss and the contenders of a report that have it. One that has
// it in some modes only is followed by those.
type lossLine struct {
	loss       contender.Loss
	contenders []string
}

// losses returns what the contenders with a number in the report lose, as of the
// options; nothing where those do not say.
func losses(r *analysis.Results, of func(result.Subject) []contender.Loss) []lossLine {
	if of == nil {
		return nil
	}
	var subjects []result.Subject
	var names []string
	for _, t := range r.Tables {
		if t.Cell.Op == result.Building {
			continue
		}
		for _, row := range t.Rows {
			s := row.Case.Subject()
			if row.Number == nil || slices.Contains(subjects, s) {
				continue
			}
			subjects = append(subjects, s)
			if !slices.Contains(names, s.Contender) {
				names = append(names, s.Contender)
			}
		}
	}
	slices.Sort(names)
	modes := map[contender.Loss]map[string][]string{} // of each contender that has the loss
	all := map[string]int{}                           // modes of each contender
	for _, s := range subjects {
		all[s.Contender]++
		for _, l := range of(s) {
			if modes[l] == nil {
				modes[l] = map[string][]string{}
			}
			modes[l][s.Contender] = append(modes[l][s.Contender], analysis.ModeName(s.Mode))
		}
	}
	var out []lossLine
	for l, by := range modes {
		line := lossLine{loss: l}
		for _, name := range names {
			switch in := by[name]; {
			case len(in) == 0:
			case len(in) < all[name]:
				line.contenders = append(line.contenders, fmt.Sprintf("%s (%s)", name, strings.Join(in, "; ")))
			default:
				line.contenders = append(line.contenders, name)
			}
		}
		out = append(out, line)
	}
	slices.SortFunc(out, func(a, b lossLine) int { return strings.Compare(string(a.loss), string(b.loss)) })
	return out
}

// lossesText writes the lines after an empty one; nothing for no lines.
func lossesText(w io.Writer, lines []lossLine, opts Options) error {
	if len(lines) == 0 {
		return nil
	}
	if err := footnotes(w, []string{"", lossesTitle}, nil, opts.Width); err != nil {
		return err
	}
	t := &texttab.Table{Limit: opts.Width}
	for _, l := range lines {
		t.Row().Cell(string(l.loss), texttab.Margin("    ")).Rest(strings.Join(l.contenders, ", "))
	}
	return t.Format(w, opts.Color)
}

// lossesMarkdown writes the lines as a list.
func lossesMarkdown(b *strings.Builder, lines []lossLine) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n\n", strings.ToUpper(lossesTitle[:1])+escape(lossesTitle[1:]))
	for _, l := range lines {
		fmt.Fprintf(b, "- **%s** %s\n", l.loss, escape(strings.Join(l.contenders, ", ")))
	}
}
