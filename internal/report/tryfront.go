package report

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/answer"
	"assay/internal/phrase"
)

// front names the candidates on the Pareto front. The tables say what they give up.
func (t *Try) front(fit fit) Point {
	a := t.Answer
	out := Point{Title: "Pareto front of time and size"}
	most := mostFront
	if t.Tables {
		most = len(a.Front)
	}
	open := slices.ContainsFunc(a.Front, func(c *answer.Candidate) bool { return !c.Unbeaten })
	sure := slices.ContainsFunc(a.Front, func(c *answer.Candidate) bool { return c.Unbeaten })
	var shown, others []string
	for i, c := range a.Front {
		text := c.Subject.String()
		if i >= most && len(a.Front) > most+1 {
			others = append(others, text)
			continue
		}
		if fit < tight {
			how := tripTime(c)
			if c.ToHave != nil && c.Subject != a.Have {
				how, _ = speed(*c.ToHave)
			}
			text += " (" + how + ", " + BytesText(c.Size) + ")"
		}
		if open && sure && !c.Unbeaten {
			text += "°"
		}
		shown = append(shown, text)
	}
	if len(shown) == 0 {
		out.Text = "none"
		return out
	}
	out.Text = strings.Join(shown, ", ")
	if len(others) > 0 {
		out.Text += fmt.Sprintf(" and %d more", len(others))
	}
	switch {
	case open && sure:
		out.Text += "; no safe contender is better in both (°: none is shown to be)"
	case open:
		out.Text += "; no safe contender is shown to be better in both"
	default:
		out.Text += "; no safe contender is better in both"
	}
	var unsafe, unmet []string
	for _, c := range a.Outside {
		if c.Safe() {
			unmet = append(unmet, c.Subject.String())
		} else {
			unsafe = append(unsafe, c.Subject.String())
		}
	}
	if len(unsafe) > 0 {
		out.Text += "; better in one and as good in the other, but not safe: " + phrase.Some(unsafe, mostOutside)
	}
	if len(unmet) > 0 {
		out.Text += "; the same, but without what --must asks for: " + phrase.Some(unmet, mostOutside)
	}
	return out
}

// mostOutside is how many candidates beside the front a line names for each reason.
const mostOutside = 3
