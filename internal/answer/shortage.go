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
	// Reason is a sentence without a stop.
	Reason string
	// Budget is the budget that would about do; 0: more time alone would not.
	Budget time.Duration
	// Layouts is how many layouts to ask for; 0: as many as were asked for.
	Layouts int
	// Records says that the records are few and large, so that those within them
	// would be measured better.
	Records bool
}

// Needs are the flags that together would help, as the user types them.
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
	// enoughWidth is the half-width that a shortage asks for: what comes out is
	// often a little wider than what was estimated.
	enoughWidth = 0.2
	// fewRecords and longTrip are how few records are few, and how long a round trip
	// is long, in ns.
	fewRecords = 8
	longTrip   = 5e6
)

// shortage says why there is no answer about time, or returns nil. The answer
// rests on how the fastest that is safe is to what is in use.
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

// rests returns the half-width of the ratio that the answer rests on, and whose it
// is: of the fastest that may be recommended to what is in use or, where that has
// no number, to the next. It is 0 where there is none.
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

// layoutsWere begins a sentence about a number of layouts.
func layoutsWere(n int) string {
	switch n {
	case 0:
		return "only the ordinary link layout was"
	case 1:
		return "only 1 link layout was"
	}
	return fmt.Sprintf("only %d link layouts were", n)
}

// wide is a half-width in words: a percentage, or a factor where that misleads.
func wide(half float64) string {
	switch {
	case math.IsInf(half, 1):
		return "a single sample"
	case half >= 1:
		return fmt.Sprintf("a factor of %.1f", 1+half)
	}
	return fmt.Sprintf("±%.0f%%", 100*half)
}
