package cli

import (
	"slices"
	"time"

	"assay/internal/plan"
	"assay/result"
)

// launchesPass is the pass that every run takes.
const launchesPass = "launches"

// scalingPass is that of --cpus.
const scalingPass = "scaling"

// weights are how the passes share the time that verifying, sizing and counting leave.
var weights = map[string]int{launchesPass: 10, alsoCPU: 5, alsoLive: 5, alsoCold: 1, alsoHeap: 1, alsoRSS: 2, scalingPass: 3}

// passesOf are the passes of a plan that take of its budget, in their order.
func passesOf(p result.Plan) []string {
	out := []string{launchesPass}
	for _, name := range alsoNames() {
		if weights[name] > 0 && slices.Contains(p.Also, name) {
			out = append(out, name)
		}
	}
	if len(p.CPUs) > 0 {
		out = append(out, scalingPass)
	}
	return out
}

// weight is the weight of a pass in its plan. The counts of CPU time are one process
// for each case, which a short run has to give more of its time.
func weight(p result.Plan) func(string) int {
	return func(name string) int {
		if p.Quick && name == alsoCPU {
			return 10
		}
		return weights[name]
	}
}

// About what a case takes in a launch of many rounds, and in a set of counts of CPU
// time.
const (
	launchOf = 20 * time.Millisecond
	steadyOf = 70 * time.Millisecond
)

// phasesOf says how long each phase of a plan takes.
func phasesOf(p result.Plan, live []result.Case) string {
	most := func(name string) time.Duration {
		switch {
		case name == launchesPass && p.Quick:
			return max(quickSpan, time.Duration(len(live)*2*len(p.Layouts))*launchOf)
		case name == launchesPass:
			return max(span, time.Duration(len(live)*2*len(p.Layouts))*launchOf)
		case name == alsoCPU && p.Quick:
			return time.Duration(len(working(live, nil))*quickSets) * steadyOf
		case name == alsoCPU:
			return time.Duration(len(working(live, nil))*steadySets) * steadyOf
		}
		return 0
	}
	return plan.PhasesText(plan.Phases(live, nil, p.Budget, passesOf(p), weight(p), most), func(name string) string {
		switch name {
		case launchesPass:
			return "measure"
		case alsoCPU:
			return "CPU time"
		}
		return name
	})
}

// open begins the time of a party: its part of what is left of the budget.
func (m *measurement) open(own, rest int) {
	m.whole = time.Duration(float64(m.run.Plan.Budget) * float64(own) / float64(max(own, m.all)))
	if m.began.IsZero() {
		return
	}
	left := m.run.Plan.Budget - time.Since(m.began)
	m.until = time.Now().Add(time.Duration(float64(left) * float64(own) / float64(rest)))
}

// share returns the part of the budget that a pass of the current party gets: of the
// time that is left until its end or, where the budget is for the launches alone, as
// when two versions are compared, of all of it.
func (m *measurement) share(pass string) time.Duration {
	p := m.run.Plan
	passes, weight := passesOf(p), weight(p)
	total := 0
	for _, name := range passes {
		total += weight(name)
	}
	if m.began.IsZero() {
		whole := m.whole
		if whole == 0 {
			whole = p.Budget
		}
		return time.Duration(float64(whole) * float64(weight(pass)) / float64(total))
	}
	var later []int
	for _, name := range passes[slices.Index(passes, pass)+1:] {
		later = append(later, weight(name))
	}
	return plan.Portion(time.Until(m.until), m.whole, total, weight(pass), later...)
}

// printSoFar prints what is known of a run that was interrupted, for people: the
// tables say that it is not finished, and how to go on.
func (a *app) printSoFar(m *measurement, o output) {
	timed := slices.ContainsFunc(m.records, func(r result.Record) bool { return r.Launch != nil })
	if !timed || o.format != "text" && o.format != "md" {
		return
	}
	// The error that follows is that of the interruption.
	_, _ = a.print(m.run, m.records, o, selection{})
}
