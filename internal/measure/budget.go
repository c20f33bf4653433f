package measure

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"assay/internal/plan"
	"assay/result"
)

// launchesPass is the pass that every run takes.
const launchesPass = "launches"

// scalingPass is that of --cpus.
const scalingPass = "scaling"

// footprintPass is that of --footprint with more than one.
const footprintPass = "footprint"

// weights are how the passes share the time that verifying, sizing and counting leave.
var weights = map[string]int{launchesPass: 10, AlsoCPU: 7, AlsoLive: 5, AlsoCold: 1, AlsoHeap: 1, AlsoRSS: 2, scalingPass: 3, footprintPass: 10}

// passesOf are the passes of a plan that take of its budget. The counts of CPU time are
// one process for each case, which a short run has to give more of its time.
func passesOf(p result.Plan) plan.Passes {
	names := []string{launchesPass}
	for _, name := range PassNames() {
		if weights[name] > 0 && slices.Contains(p.Also, name) {
			names = append(names, name)
		}
	}
	if len(p.CPUs) > 0 {
		names = append(names, scalingPass)
	}
	if len(p.Footprints) > 1 {
		names = append(names, footprintPass)
	}
	var out plan.Passes
	for _, name := range names {
		pass := plan.Pass{Name: name, Weight: weights[name]}
		if p.Quick && name == AlsoCPU {
			pass.Weight = 10
		}
		out = append(out, pass)
	}
	return out
}

// launchOf is about what a case takes in a launch of many rounds, and launchByte how many
// nanoseconds more for each byte of a user's records that are timed.
const (
	launchOf   = 20 * time.Millisecond
	launchByte = 130
)

// Phases returns the phases of measuring the cases of a plan that are live, and about
// how long each takes by what steps cost.
func Phases(p result.Plan, live []result.Case, costs plan.Costs) []plan.Phase {
	costs = ofData(costs, p, live)
	launch := launchOf
	if p.Data != nil {
		_, timed := volume(p.Data)
		launch += time.Duration(launchByte * timed)
	}
	launches := time.Duration(len(live)*2*len(p.Layouts)) * launch
	var cases []result.Case
	for _, c := range live {
		cases = append(cases, anonymous(p, c))
	}
	pack := packing(p, live)
	phases := plan.Phases(cases, costs, p.Budget-pack, passesOf(p), most(p, live, costs, launches))
	if pack > 0 {
		phases = append(phases, plan.Phase{Name: AlsoCompressed, Time: pack})
	}
	return phases
}

// packByte is about how many nanoseconds it takes to encode and compress a byte of a user's
// records with one contender.
const packByte = 150

// packing is about how long the pass takes that compresses a user's records; it comes last,
// and does not depend on what the others leave.
func packing(p result.Plan, live []result.Case) time.Duration {
	if p.Data == nil || !slices.Contains(p.Also, AlsoCompressed) {
		return 0
	}
	n := 0
	for _, c := range live {
		if c.Op == result.Encode {
			n++
		}
	}
	return min(p.Budget/4, time.Duration(packByte*min(p.Data.Bytes, compressedBytes(p.Quick))*int64(n)))
}

// PhasesText is phases with their times, and what they are together.
func PhasesText(phases []plan.Phase) string { return plan.PhasesText(phases, phaseName) }

// RestText is phases that are left with their times, and by how much they are late where
// so much of the budget is left.
func RestText(phases []plan.Phase, left time.Duration) string {
	return plan.RestText(phases, left, phaseName)
}

// phaseName is what people read of a phase of a plan.
func phaseName(name string) string {
	switch name {
	case launchesPass:
		return "measure"
	case AlsoCPU:
		return "CPU time"
	case AlsoCompressed:
		return "compress"
	}
	return name
}

// phaseOf is the planned phase of a phase that the plan calls otherwise. Steady work
// is counted by two passes.
var phaseOf = map[string]string{
	Calibrating: "size", FirstCalls: AlsoCold, KeptHeap: AlsoHeap, PeakRSS: AlsoRSS,
}

// planned is about how long a phase takes by the plan, all runners together; 0: nobody
// knows.
func (m *Measurement) planned(phase string) time.Duration {
	name := phase
	if of := phaseOf[phase]; of != "" {
		name = of
	}
	if phase == CountingCPU {
		name = m.pass
	}
	for _, p := range m.phases {
		if p.Name == name {
			return p.Time
		}
	}
	return 0
}

// open begins the time of a runner: its part of what is left of the budget.
func (m *Measurement) open(cases, rest int) {
	m.whole = time.Duration(float64(m.Run.Plan.Budget) * float64(cases) / float64(max(cases, m.all)))
	if m.began.IsZero() {
		return
	}
	left := m.Run.Plan.Budget - time.Since(m.began) - packing(m.Run.Plan, m.sel.Live())
	m.until = time.Now().Add(time.Duration(float64(left) * float64(cases) / float64(rest)))
}

// share returns the part of the budget that a pass of the current runner gets: of the
// time that is left until its end or, where the budget is for the launches alone, as
// when two versions are compared, of all of it.
func (m *Measurement) share(pass string) time.Duration {
	passes := passesOf(m.Run.Plan)
	if m.began.IsZero() {
		return passes.Share(pass, cmp.Or(m.whole, m.Run.Plan.Budget))
	}
	return passes.Portion(pass, time.Until(m.until), m.whole)
}

// firstShare is the most that verifying, sizing and counting may take of a budget before
// modes give way that nobody asked for.
const firstShare = 0.5

// Fit fills in what the order's plan says of a user's records. Unless modes or ops were chosen, it
// also rules out those beside the default ones, and leaves out ops beside encode and decode,
// where to verify, size and count all would take more of the budget than it leaves to measure: every
// mode of a large record is verified whole, and there are three times as many as contenders.
func (cfg *Config) Fit(o *Order, chosen bool) {
	o.Plan.Data = cfg.Input.data()
	p := o.Plan
	if p.Data == nil || p.Budget <= 0 || chosen {
		return
	}
	live := o.Selection.Live()
	var cases []result.Case
	for _, c := range live {
		cases = append(cases, anonymous(p, c))
	}
	first := ofData(cfg.Costs(), p, live).First(cases)
	if float64(first) <= firstShare*float64(p.Budget) {
		return
	}
	reason := fmt.Sprintf("not measured: this budget has time for default modes only (try --budget %s, or choose modes with -m)",
		plan.Brief(plan.Ample(time.Duration(float64(first)/firstShare))))
	for _, c := range live {
		if c.Mode != "" && halfTrip(c.Op) {
			o.Selection.Outcomes = append(o.Selection.Outcomes, result.Outcome{Case: c, Status: result.Timeout, Reason: reason})
		}
	}
	other := func(c result.Case) bool { return !halfTrip(c.Op) && !compresses(c.Op) }
	o.Selection.Cases = slices.DeleteFunc(slices.Clone(o.Selection.Cases), other)
	o.Selection.Outcomes = slices.DeleteFunc(o.Selection.Outcomes, func(out result.Outcome) bool { return other(out.Case) })
	o.Plan.Cases = o.Selection.Cases
}

// halfTrip says that an op is half of a round trip.
func halfTrip(op result.Op) bool { return op == result.Encode || op == result.Decode }
