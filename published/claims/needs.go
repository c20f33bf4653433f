package claims

import (
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/result"
)

// A Need is a case that claims rest on, with the metrics that they need.
type Need struct {
	Case    result.Case
	Metrics []string
	// Whole says that the CPU time of its whole value is needed if it is too large for the ordinary
	// passes.
	Whole bool
}

// Needs returns the cases that the ledger's claims rest on, each once, in the order in which the
// claims name them. With gc, claims about times with the
// collector on need cpu-time, which takes a pass of its own.
func (l *Ledger) Needs(gc bool) []Need {
	var needs []Need
	add := func(c result.Case, metric string) *Need {
		i := slices.IndexFunc(needs, func(n Need) bool { return n.Case == c })
		if i < 0 {
			i = len(needs)
			needs = append(needs, Need{Case: c})
		}
		if !slices.Contains(needs[i].Metrics, metric) {
			needs[i].Metrics = append(needs[i].Metrics, metric)
		}
		return &needs[i]
	}
	for _, c := range l.Claims {
		for _, condition := range c.Conditions {
			for _, t := range condition.Terms {
				for _, one := range t.cases(c.Workload) {
					need := add(one, c.Metric)
					need.Whole = need.Whole || gc && c.WithGC
					if gc && c.WithGC && c.published(condition) && (one.Op == result.Encode || one.Op == result.Decode) {
						add(one, analysis.CPUTime)
					}
					if c.Metric == analysis.FloorRatio && one.Op != result.Encode {
						add(floorOf(one), analysis.Time)
					}
				}
			}
		}
	}
	return needs
}

// floorOf returns the case of the contender floor that analysis.FloorRatio divides the time of a case
// by.
func floorOf(c result.Case) result.Case {
	if c.Op == result.Decode && slices.Contains(strings.Split(c.Mode, ","), "strings=alias") {
		c.Op = result.Scan
	}
	c.Contender, c.Mode = analysis.Floor, ""
	return c
}

// cases returns the measured cases that a term is made of: one for each of its ops, and then that
// of its conversion.
func (t Term) cases(workload string) []result.Case {
	c := contenderNamed(t.Contender)
	var cases []result.Case
	for _, op := range parts(t.Op) {
		one := result.Case{Workload: workload, Size: t.Size, Contender: t.Contender, Op: op}
		if hasMode(c, t.Mode, op) {
			one.Mode = t.Mode
		}
		cases = append(cases, one)
	}
	if t.WithConvert {
		cases = append(cases, result.Case{Workload: workload, Size: t.Size, Contender: t.Contender, Op: result.Convert})
	}
	return cases
}
