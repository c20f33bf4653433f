package claims

import (
	"fmt"
	"slices"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// wholeMetrics are the metrics of whole values that stand for ordinary ones if a size is too large
// for the ordinary passes: CPU time with the collector on, and counts of memory.
var wholeMetrics = map[string]string{
	analysis.CPUTime: analysis.StreamCPU, analysis.AllocBytes: analysis.StreamAlloc, analysis.Allocs: analysis.StreamAllocs,
}

// ofWholes are the metrics of whole values of which analysis.Results.WholeMean has an interval.
var ofWholes = []string{
	analysis.StreamTime, analysis.StreamCPU, analysis.StreamPeak, analysis.StreamAlloc, analysis.StreamPause, analysis.StreamDelay,
}

// wholeMetric returns the metric of whole values that rules on a case in place of the claim's
// metric; empty if there is none.
func (j judge) wholeMetric(c result.Case) string {
	switch {
	case contender.Whole(c.Mode):
		return j.metric.Name
	case c.Mode == "" && contender.WholeOp(c.Op):
		return wholeMetrics[j.metric.Name]
	}
	return ""
}

// whole measures a case by its whole values, of the run itself or of the session at hand, or says why
// they have no number. tried is false if neither run tried them.
func (j judge) whole(c result.Case) (f figure, missing result.Status, why string, tried bool) {
	name := j.wholeMetric(c)
	if name == "" {
		return f, "", "", false
	}
	for _, results := range []*analysis.Results{j.results, j.session} {
		if results == nil {
			continue
		}
		clock, ok := results.Whole(c, analysis.StreamTime)
		if !ok {
			continue
		}
		what := fmt.Sprintf("%s %s at %s, whole", result.Subject{Contender: c.Contender}, c.Op, c.Size)
		if clock.Number == nil {
			return figure{whole: -1}, clock.Status, fmt.Sprintf("%s: %s: %s", what, clock.Status, clock.Reason), true
		}
		if row, ok := results.Whole(c, name); ok && j.metric.Exact {
			if n := row.Number; j.claim.Predicate == Exact && n.Lo != n.Hi {
				return figure{whole: -1}, result.Noisy, fmt.Sprintf("%s has no exact count: its %s are %.10g to %.10g", what, j.metric.Title, n.Lo, n.Hi), true
			}
			return figure{Interval: analysis.Interval{Value: row.Number.Value, Lo: row.Number.Value, Hi: row.Number.Value}, exact: true, whole: row.N, here: results == j.results}, "", "", true
		}
		mean, n, ok := results.WholeMean(c, name)
		if !ok {
			return figure{whole: -1}, result.Noisy, fmt.Sprintf("%s has no %s of two processes or more that is above 0 in run %s", what, name, results.Run.ID), true
		}
		return figure{Interval: mean, layouts: sessionsBehind, whole: n, here: results == j.results}, "", "", true
	}
	return f, "", "", false
}

// wholeWords adds to the detail of a condition that whole values ruled on it.
func wholeWords(detail string, processes, sessions int) string {
	words := fmt.Sprintf("whole values, one op in each of %d processes", processes)
	if sessions > 1 {
		words += fmt.Sprintf(" of %d sessions", sessions)
	}
	return joinWords(detail, words)
}

// Wholes returns the cases of whole values that claims need, each once. These are the cases for
// which tooLarge reports that the ordinary passes cannot measure them, and the cases of claims
// about whole values themselves.
func Wholes(needs []Need, tooLarge func(result.Case) bool) []result.Case {
	seen := map[result.Case]bool{}
	var cases []result.Case
	for _, n := range needs {
		c, wanted := n.Case, contender.Whole(n.Case.Mode)
		if c.Mode == "" && contender.WholeOp(c.Op) && tooLarge(c) {
			wanted = n.Whole || slices.ContainsFunc(n.Metrics, func(metric string) bool { return wholeMetrics[metric] != "" })
		}
		c.Mode = contender.WholeMode
		if wanted && !seen[c] {
			seen[c] = true
			cases = append(cases, c)
		}
	}
	return cases
}

// Ordinary returns the needs without those of whole values.
func Ordinary(needs []Need) []Need {
	var rest []Need
	for _, n := range needs {
		if !contender.Whole(n.Case.Mode) {
			rest = append(rest, n)
		}
	}
	return rest
}
