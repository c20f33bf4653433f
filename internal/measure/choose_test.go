package measure

import (
	"regexp"

	"assay/internal/analysis"
)

// choose returns a Choice of the built-in workloads by patterns. An empty pattern matches all.
func choose(workload, contender, op, mode string) Choice {
	pattern := func(s string) analysis.Match {
		if s == "" {
			return analysis.Match{}
		}
		return analysis.Match{Include: regexp.MustCompile(s)}
	}
	return Choice{
		Input: Builtin(),
		View:  analysis.View{Workload: pattern(workload), Contender: pattern(contender), Op: pattern(op), Mode: pattern(mode)},
	}
}
