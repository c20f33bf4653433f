package report

import (
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
				text = p.Title + ", not told apart from " + p.Best[0].Subject.String() + ": "
			}
			why = append(why, text+t.value(p, c))
			break
		}
	}
	return why
}
