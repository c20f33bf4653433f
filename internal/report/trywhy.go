package report

import (
	"fmt"

	"assay/internal/analysis"
	"assay/internal/answer"
)

// Why says what an answer recommends a contender for, with its figures, in one phrase for each
// question. It returns nil for a contender that is not recommended.
func Why(a *answer.Answer, contender string) []string {
	var why []string
	t := &Try{Answer: a}
	for _, p := range a.Picks {
		if a.Shortage != nil && p.Metric == analysis.Time {
			continue
		}
		for i, c := range p.Best {
			if c.Contender != contender {
				continue
			}
			text := p.Title + ": "
			if i > 0 {
				text = fmt.Sprintf("%s, %s %s: ", p.Title, relation(p), p.Best[0].Subject)
			}
			why = append(why, text+t.value(p, c))
			break
		}
	}
	return why
}

// relation says how the other candidates of a pick compare with the first one.
func relation(p answer.Pick) string {
	switch {
	case p.Metric != analysis.Time:
		return "within 1% of"
	case p.Unresolved:
		return "not shown to differ from"
	}
	return "tied with"
}
