package measure

import (
	"fmt"
	"slices"

	"assay/internal/analysis"
	"assay/internal/plan"
	"assay/published/claims"
	"assay/result"
)

// Limits, in bytes, on the memory of one value in a quick run for claims. A value above
// quickTimed is not timed. A value above quickCounted is not counted either.
const (
	quickTimed   = 8 << 20
	quickCounted = 64 << 20
)

// referenceLimit is the largest size of a value, in bytes, for which the reference is added to a
// cell whose claims are not about it.
const referenceLimit = 1 << 20

// counted are the metrics of the exact counts that every run makes.
var counted = []string{analysis.AllocBytes, analysis.Allocs, analysis.EncodedSize}

// passOf returns the pass that measures a metric. It returns "" for time and for metrics derived
// from time, which the launches measure.
func passOf(metric string) string {
	if slices.Contains(analysis.CompressedSizes(), metric) {
		return AlsoCompressed
	}
	return map[string]string{
		analysis.CPUTime: AlsoCPU, analysis.GCShare: AlsoCPU, analysis.CPUTimeLive: AlsoLive,
		analysis.ColdTime: AlsoCold, analysis.LiveHeap: AlsoHeap, analysis.PeakRSS: AlsoRSS,
	}[metric]
}

// ForClaims completes the plan of a run for claims. It adds the cases that the claims need, and
// the reference beside those that are timed. It does not time cases of which only counts are
// needed, and keeps the counts of those that turn out to be too slow. WholesForClaims plans the whole
// values.
func (cfg *Config) ForClaims(p result.Plan, needs []claims.Need) (result.Plan, plan.Selection, error) {
	needs = claims.Ordinary(needs)
	p.Counts = true
	var cases, untimed []result.Case
	var outcomes []result.Outcome
	passes := map[string]bool{}
	for _, n := range needs {
		cases = append(cases, n.Case)
		for _, metric := range n.Metrics {
			if pass := passOf(metric); pass != "" {
				passes[pass] = true
			}
		}
		switch late, counts := cfg.late(n, p.Quick); {
		case late == nil:
		case counts:
			p.Untimed, untimed = append(p.Untimed, *late), append(untimed, n.Case)
		default:
			outcomes = append(outcomes, *late)
		}
	}
	for _, n := range needs {
		one := n.Case
		one.Contender, one.Mode = Reference, ""
		if !slices.Contains(cases, one) && !slices.Contains(untimed, n.Case) && n.Case.Op != result.Open && cfg.bytesOf(one) <= referenceLimit {
			cases = append(cases, one)
		}
	}
	sel, err := cfg.explicit(cases, plan.Options{
		Memory: plan.DefaultMemory, Larger: result.AddGiants + " to measure each contender in a process of its own, or --whole RUN to use such a run",
	})
	if err != nil {
		return p, sel, err
	}
	sel.Outcomes = append(sel.Outcomes, outcomes...)
	p.Reference, p.Cases = Reference, sel.Cases
	for _, name := range PassNames() {
		if passes[name] {
			p.Also = append(p.Also, name)
		}
	}
	return p, sel, nil
}

// late returns why a needed case is not timed; nil: it is timed. counts says that the case is
// still counted.
func (cfg *Config) late(n claims.Need, quick bool) (late *result.Outcome, counts bool) {
	isCounted := func(m string) bool { return slices.Contains(counted, m) }
	onlyCounted := !slices.ContainsFunc(n.Metrics, func(m string) bool { return !isCounted(m) })
	nothingCounted := !slices.ContainsFunc(n.Metrics, isCounted)
	late = &result.Outcome{Case: n.Case, Status: result.Timeout}
	size := cfg.bytesOf(n.Case)
	switch {
	case quick && (size > quickCounted || size > quickTimed && nothingCounted):
		late.Reason = fmt.Sprintf("a value takes %s, which is %s", plan.Bytes(size), result.TooLargeForQuick)
		return late, false
	case quick && size > quickTimed:
		late.Reason = fmt.Sprintf("not timed: a value takes %s, which is %s", plan.Bytes(size), result.TooLargeForQuick)
		return late, true
	case onlyCounted:
		late.Reason = "not timed: the claims need its memory and sizes only"
		return late, true
	}
	return nil, false
}

// bytesOf returns about how much memory one value of a case takes, in bytes.
func (cfg *Config) bytesOf(c result.Case) int64 {
	for _, w := range cfg.Input.Workloads() {
		if w.Name == c.Workload {
			if s, err := w.Size(c.Size); err == nil {
				return s.Bytes
			}
		}
	}
	return 0
}
