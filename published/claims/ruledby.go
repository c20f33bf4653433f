package claims

import (
	"fmt"
	"slices"

	"assay/internal/analysis"
	"assay/internal/phrase"
)

// RuledBy says which times the verdict as published rests on; empty if the claim is not about times
// with the collector on.
func (r *Ruling) RuledBy() string {
	text := r.clocks()
	own := 0
	for _, f := range r.Findings {
		if f.OwnMethod != "" {
			own++
		}
	}
	if own == 0 {
		return text
	}
	return joinWords(text, "ruled by the source's own method, with wall time and the collector on, at "+phrase.Count(own, "condition")+
		", where the time is as short as the loop around an operation")
}

// clocks says which of assay's times the verdict as published rests on; empty if it rests on none.
func (r *Ruling) clocks() string {
	with, without := r.Clocks()
	switch {
	case with+without == 0:
		if r.Claim.Untested != "" && slices.ContainsFunc(r.Part(true), func(f Finding) bool {
			return f.Also == "" && f.Measured != nil && f.Metric == analysis.CPUTime
		}) {
			return "elsewhere ruled by cpu-time, with the collector on, where only the data differ; code-only time is shown for comparison"
		}
		return ""
	case without == 0:
		text := "ruled by cpu-time, with the collector on"
		if slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Code != nil }) {
			text += "; code-only time is shown for comparison"
		}
		if slices.ContainsFunc(r.Part(true), func(f Finding) bool { return f.Measured != nil && f.Metric == analysis.Time }) {
			text += "; elsewhere by code-only time"
		}
		return text
	case with == 0:
		return "ruled by code-only time, collector off: the run has no cpu-time of these cases; the published times include the collector"
	}
	conditions := "conditions"
	if with == 1 {
		conditions = "condition"
	}
	return fmt.Sprintf("ruled by cpu-time at %d %s, and by code-only time at %d of which the run has no cpu-time", with, conditions, without)
}

// Clocks counts the conditions as published of a claim about times with the collector on. with is
// the number of conditions ruled by cpu-time, and without the number ruled by code-only time
// because the run lacks cpu-time. What the source's own method rules on is neither. Both are 0 for
// other claims.
func (r *Ruling) Clocks() (with, without int) {
	if !r.Claim.WithGC || r.Claim.Settled != nil {
		return 0, 0
	}
	for _, f := range r.Part(false) {
		switch {
		case f.Measured == nil, f.OwnMethod != "":
		case f.Metric == analysis.CPUTime:
			with++
		default:
			without++
		}
	}
	return with, without
}
