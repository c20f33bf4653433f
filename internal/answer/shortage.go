package answer

import (
	"fmt"
	"math"
	"slices"
	"time"

	"assay/internal/analysis"
	"assay/internal/plan"
)

// A Shortage says why there is no answer about time, and what would be enough.
type Shortage struct {
	// Reason is a sentence without a full stop.
	Reason string
	// Budget is a budget that would probably be enough; 0 if more time alone would not help.
	Budget time.Duration
	// Layouts is the number of layouts to ask for; 0 if it is as many as were asked for.
	Layouts int
	// Records says that the records are few and large, so it would be better to measure the records
	// within them.
	Records bool
}

// Needs returns the flags that together would help, as the user types them.
func (s *Shortage) Needs() []string {
	var flags []string
	if s.Layouts > 0 {
		flags = append(flags, fmt.Sprintf("--layouts %d", s.Layouts))
	}
	if s.Budget > 0 {
		flags = append(flags, "--budget "+plan.Brief(s.Budget))
	}
	return flags
}

const (
	// enoughWidth is the half-width that a shortage aims at. It is below analysis.WideC, because
	// the result is often a little wider than the estimate.
	enoughWidth = 0.2
	// fewRecords is the number of records below which they are few, and longTrip the time in ns
	// above which a round trip is long.
	fewRecords = 8
	longTrip   = 5e6
)

// shortage returns why there is no answer about time, or nil. The answer depends on the ratio of
// the fastest safe candidate to the contender in use.
func (a *asked) shortage() *Shortage {
	if len(a.Candidates) == 0 {
		return &Shortage{Reason: "no round trip was measured"}
	}
	half, ratio := a.rests()
	layouts := min(a.encode.Layouts, a.decode.Layouts)
	var s Shortage
	switch {
	case layouts < analysis.LeastLayouts:
		s.Reason = fmt.Sprintf("%s measured, and %d are needed, because each link moves ratios", layoutsWere(layouts), analysis.LeastLayouts)
	case half > analysis.WideC:
		s.Reason = fmt.Sprintf("the ratio of %s is known to %s only", ratio, wide(half))
	default:
		return nil
	}
	run := a.Results.Run.Plan
	asked := len(run.Layouts) - 1 // without the ordinary one
	wanted := max(analysis.LeastLayouts, analysis.LayoutsFor(half, layouts, enoughWidth))
	if asked < wanted {
		s.Layouts = max(wanted, 8)
	}
	if run.Rounds == 0 && run.Budget > 0 {
		// A launch of the ordinary layout comes with them.
		more := float64(wanted+1) / float64(max(1, layouts+1))
		if more > 1 || s.Layouts == 0 {
			s.Budget = plan.Ample(time.Duration(float64(run.Budget) * max(more, 2)))
		}
	}
	s.Records = a.Records < fewRecords && slices.ContainsFunc(a.Candidates, func(c *Candidate) bool {
		return c.Subject == a.Answer.Have && c.Time.Value > longTrip
	})
	return &s
}

// rests returns the half-width of the ratio that the answer depends on, and whose ratio it is. It
// is the ratio of the fastest candidate that may be recommended to the contender in use or, if that
// has no number, to the next candidate. The half-width is 0 if there is no such ratio.
func (a *asked) rests() (half float64, ratio string) {
	var first *Candidate
	for _, c := range a.Candidates {
		switch {
		case !c.Safe() || len(c.Unmet) > 0 || c.Subject == a.Answer.Have:
		case c.ToHave != nil:
			return c.ToHave.HalfWidth(), fmt.Sprintf("%s to %s", c.Subject, a.Question.Have)
		case first == nil:
			first = c
		default:
			return a.Between(first, c).HalfWidth(), fmt.Sprintf("%s to %s", first.Subject, c.Subject)
		}
	}
	return 0, ""
}

// layoutsWere returns the beginning of a sentence about a number of layouts.
func layoutsWere(n int) string {
	switch n {
	case 0:
		return "only the ordinary link layout was"
	case 1:
		return "only 1 link layout was"
	}
	return fmt.Sprintf("only %d link layouts were", n)
}

// wide returns a half-width in words: as a percentage, or as a factor if that is clearer.
func wide(half float64) string {
	switch {
	case math.IsInf(half, 1):
		return "a single sample"
	case half >= 1:
		return fmt.Sprintf("a factor of %.1f", 1+half)
	}
	return fmt.Sprintf("±%.0f%%", 100*half)
}
