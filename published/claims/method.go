package claims

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/analysis"
	"assay/result"
)

// A method is a way in which figures are measured.
type method int

// The methods: batches of a warm process, counts of CPU time and of memory among them, and one op on
// a whole value in each of several processes.
const (
	byPasses method = iota
	byWholes
)

// methodWords are the methods for reading.
var methodWords = [...]string{byPasses: "ordinary passes", byWholes: "whole values"}

// method is how the figure was measured.
func (f figure) method() method {
	if f.whole > 0 {
		return byWholes
	}
	return byPasses
}

// A measurement is the amounts of terms, or why there are none.
type measurement struct {
	amounts []amount
	// missing is Finding.Missing, and why its Reason; empty: the amounts are there.
	missing result.Status
	why     string
	// asked says that whole values were asked for what is missing.
	asked bool
	// left says which sizes of a trend are left out, and why; empty: none are.
	left string
}

// by names a case that a method measured; empty: there is none.
func (m measurement) by(one method) string {
	for _, a := range m.amounts {
		if a.by[one] != "" {
			return a.by[one]
		}
	}
	return ""
}

// processes is how many are behind each amount at least, where these are of whole values; 0: they are not.
func (m measurement) processes() int {
	n := 0
	for _, a := range m.amounts {
		n = fewer(n, a.whole)
	}
	return n
}

// measured measures the terms of a condition by one method.
func (j judge) measured(c Condition) measurement {
	if j.claim.Predicate == Trend {
		return j.trended(c.Terms)
	}
	return j.alike(c.Terms)
}

// measure measures terms, each by the ordinary passes or else by whole values.
func (j judge) measure(terms []Term) (m measurement) {
	for _, t := range terms {
		a, missing, why := j.amount(t)
		if missing != "" {
			return measurement{missing: missing, why: why, asked: a.whole != 0}
		}
		m.amounts = append(m.amounts, a)
	}
	return m
}

// alike measures terms all by one method, because a ratio is of figures that were taken alike:
// the first op of a process on a value of gigabytes takes several times what it takes in a warm
// batch. Where the ordinary passes lack a case, that is by whole values.
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

// leastTrend is how many sizes a trend takes.
const leastTrend = 3

// trended measures the sizes of a trend that one method has, where these are enough: the ordinary
// passes, or else whole values. A line through sizes of both would be of what tells the methods
// apart.
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

// measurable says for each method whether it measures all of the terms.
func (j judge) measurable(terms []Term) (can [2]bool) {
	m := j.measure(terms)
	can[byPasses] = m.why == "" && m.by(byWholes) == ""
	j.wholes = true
	can[byWholes] = j.measure(terms).why == ""
	return can
}

// leftOut says which sizes of a trend are not among those that are kept, which are by a method, and why.
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

// whyLeft says why a size is not among those of a trend that are by a method.
func (j judge) whyLeft(pair []Term, by method) string {
	codeOnly := j.claim.WithGC && j.metric.Name == analysis.Time
	if codeOnly { // in whose place whole values have CPU time
		j.metric, _ = analysis.MetricNamed(analysis.CPUTime)
	}
	other := 1 - by
	switch {
	case j.measurable(pair)[other]:
		return "measured by another method: " + methodWords[other]
	case codeOnly:
		return "without code-only time"
	case j.measure(pair).why == "":
		return "measured by two methods"
	}
	return "not measured"
}

// sizesOf are the sizes of the terms of a trend.
func sizesOf(terms []Term) (sizes []string) {
	for pair := range slices.Chunk(terms, 2) {
		sizes = append(sizes, pair[0].Size)
	}
	return sizes
}
