package claims

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/result"
)

// A method is a way to measure figures.
type method int

// The methods: byPasses measures batches in a warm process, and counts CPU time and memory;
// byWholes does one op on a whole value in each of several processes.
const (
	byPasses method = iota
	byWholes
)

// methodWords are the names of the methods for display.
var methodWords = [...]string{byPasses: "ordinary passes", byWholes: "whole values"}

// method returns how the figure was measured.
func (f figure) method() method {
	if f.whole > 0 {
		return byWholes
	}
	return byPasses
}

// A measurement has the amounts of terms, or the reason why there are none.
type measurement struct {
	amounts []amount
	// missing is Finding.Missing, and why is its Reason; both are empty if the amounts are there.
	missing result.Status
	why     string
	// asked says that whole values were looked up for what is missing.
	asked bool
	// left says which sizes of a trend are left out, and why; empty if none are.
	left string
}

// by returns a case that a method measured; empty if there is none.
func (m measurement) by(one method) string {
	for _, a := range m.amounts {
		if a.by[one] != "" {
			return a.by[one]
		}
	}
	return ""
}

// processes returns the smallest number of processes behind an amount of whole values; 0 if no
// amount is of whole values.
func (m measurement) processes() int {
	n := 0
	for _, a := range m.amounts {
		n = fewer(n, a.whole)
	}
	return n
}

// measuredOnce measures the terms of a condition by one method, in one session.
func (j judge) measuredOnce(c Condition) measurement {
	if j.claim.Predicate == Trend {
		return j.trended(c.Terms)
	}
	return j.alike(c.Terms)
}

// measure measures terms, each by the ordinary passes or else by whole values. If several have no number,
// the reason is the one that explains most: a contender that failed is not hidden by one that had no time.
func (j judge) measure(terms []Term) (m measurement) {
	for _, t := range terms {
		a, missing, why := j.amount(t)
		switch {
		case missing == "":
			m.amounts = append(m.amounts, a)
		case m.missing == "" || missing.Failed() && missing.Rank() > m.missing.Rank():
			m.missing, m.why, m.asked = missing, why, a.whole != 0
		}
	}
	if m.missing != "" {
		m.amounts = nil
	}
	return m
}

// alike measures all terms by one method, because a ratio must be of figures that were measured in
// the same way: the first op of a process on a value of gigabytes takes several times as long as in
// a warm batch. If the ordinary passes lack a case, the method is whole values.
func (j judge) alike(terms []Term) measurement {
	m := j.measure(terms)
	passed, whole := m.by(byPasses), m.by(byWholes)
	if m.why != "" || passed == "" || whole == "" {
		return m
	}
	j.wholes = true
	if all := j.measure(terms); all.why == "" {
		return all
	}
	return measurement{
		missing: Absent, asked: true,
		why: fmt.Sprintf("by two methods: %s by %s, and %s by %s", passed, methodWords[byPasses], whole, methodWords[byWholes]),
	}
}

// leastTrend is the smallest number of sizes of a trend.
const leastTrend = 3

// trended measures the sizes of a trend by one method, if that has enough sizes: by the ordinary
// passes, or else by whole values. A line through sizes of both methods would show the difference
// between the methods.
func (j judge) trended(terms []Term) measurement {
	var of [2][]Term
	some := 0
	for pair := range slices.Chunk(terms, 2) {
		for by, can := range j.measurable(pair) {
			if can {
				of[by] = append(of[by], pair...)
			}
		}
		if j.measure(pair).why == "" {
			some++
		}
	}
	for by, kept := range of {
		if len(kept) >= 2*leastTrend {
			with := j
			with.wholes = method(by) == byWholes
			m := with.measure(kept)
			m.left = j.leftOut(terms, kept, method(by))
			return m
		}
	}
	if some < leastTrend {
		return j.measure(terms)
	}
	why := "no three sizes by one method"
	for by, kept := range of {
		if len(kept) > 0 {
			why += fmt.Sprintf("; %s by %s", strings.Join(sizesOf(kept), " and "), methodWords[by])
		}
	}
	return measurement{missing: Absent, why: why, asked: true}
}

// measurable reports for each method whether it measures all of the terms.
func (j judge) measurable(terms []Term) (can [2]bool) {
	m := j.measure(terms)
	can[byPasses] = m.why == "" && m.by(byWholes) == ""
	j.wholes = true
	can[byWholes] = j.measure(terms).why == ""
	return can
}

// leftOut says which sizes of a trend are not kept, and why. by is the method of the kept sizes.
func (j judge) leftOut(terms, kept []Term, by method) string {
	var reasons []string
	sizes := map[string][]string{}
	for pair := range slices.Chunk(terms, 2) {
		if slices.Contains(kept, pair[0]) {
			continue
		}
		why := j.whyLeft(pair, by)
		if sizes[why] == nil {
			reasons = append(reasons, why)
		}
		sizes[why] = append(sizes[why], pair[0].Size)
	}
	for i, why := range reasons {
		reasons[i] = strings.Join(sizes[why], " and ") + " " + why
	}
	if len(reasons) == 0 {
		return ""
	}
	return " (" + strings.Join(reasons, "; ") + ")"
}

// whyLeft says why a size is not among the sizes of a trend that are measured by a method.
func (j judge) whyLeft(pair []Term, by method) string {
	codeOnly := j.claim.WithGC && j.metric.Name == analysis.Time
	if codeOnly { // whole values have CPU time in place of it
		j.metric, _ = analysis.MetricNamed(analysis.CPUTime)
	}
	other := 1 - by
	switch {
	case j.measurable(pair)[other]:
		return "measured by another method: " + methodWords[other]
	case codeOnly:
		return "without code-only time"
	}
	if why := j.measure(pair).why; why != "" {
		return "not measured: " + why
	}
	return "measured by two methods"
}

// sizesOf returns the sizes of the terms of a trend.
func sizesOf(terms []Term) (sizes []string) {
	for pair := range slices.Chunk(terms, 2) {
		sizes = append(sizes, pair[0].Size)
	}
	return sizes
}
