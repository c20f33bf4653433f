package measure

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"assay/internal/plan"
	"assay/result"
)

// launchesPass is the pass of launches, which every run has.
const launchesPass = "launches"

// scalingPass is the pass of --cpus.
const scalingPass = "scaling"

// footprintPass is the pass of --footprint with more than one footprint.
const footprintPass = "footprint"

// weights are the shares of the passes in the time that verifying, sizing and counting leave.
var weights = map[string]int{launchesPass: 10, AlsoCPU: 8, AlsoLive: 5, AlsoCold: 1, AlsoHeap: 1, AlsoRSS: 2, scalingPass: 3, footprintPass: 10}

// passesOf returns the passes of a plan that use its budget. Counting CPU time gets more weight
// in a quick run, because it has a process for each case.
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

// Phases returns the phases of measuring the live cases of a plan, and about how long each takes,
// from the known costs of steps.
func (cfg *Config) Phases(p result.Plan, live []result.Case, costs plan.Costs) []plan.Phase {
	costs = cfg.sized(costs, p, live)
	var cases []result.Case
	var longest time.Duration // of a launch of every cell
	for _, c := range live {
		c = anonymous(p, c)
		cases = append(cases, c)
		longest += costs.Of(plan.Launches, c.Workload, c.Size)
	}
	launches := longest * time.Duration(2*len(p.Layouts)) // see pace
	pack := packing(p, live)
	phases := plan.Phases(cases, costs, p.Budget-pack, passesOf(p), most(p, live, costs, launches))
	if pack > 0 {
		phases = append(phases, plan.Phase{Name: AlsoCompressed, Time: pack})
	}
	return phases
}

// packByte is about how long encoding and compressing a byte of a user's records takes with one
// contender, in ns.
const packByte = 150

// packing returns about how long the pass that compresses a user's records takes. It is the last
// pass, and its time does not depend on what the others leave.
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

// PhasesText formats phases with their times and the sum of the times.
func PhasesText(phases []plan.Phase) string { return plan.PhasesText(phases, phaseName) }

// RestText formats the phases that are left with their times, and says by how much they exceed
// what is left of the budget.
func RestText(phases []plan.Phase, left time.Duration) string {
	return plan.RestText(phases, left, phaseName)
}

// phaseName returns the displayed name of a phase of a plan.
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

// phaseOf maps the phases that have another name in the plan to that name. CountingCPU is
// missing, because two passes use it.
var phaseOf = map[string]string{
	Calibrating: "size", FirstCalls: AlsoCold, KeptHeap: AlsoHeap, PeakRSS: AlsoRSS,
}

// planned returns about how long a phase takes according to the plan, for all runners together;
// 0: unknown.
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

// open starts a runner's part of what is left of the budget.
func (m *Measurement) open(cases, rest int) {
	m.whole = time.Duration(float64(m.Run.Plan.Budget) * float64(cases) / float64(max(cases, m.all)))
	if m.began.IsZero() {
		return
	}
	left := m.Run.Plan.Budget - time.Since(m.began) - packing(m.Run.Plan, plan.Without(m.Run.Plan.Cases, m.stored()))
	m.until = time.Now().Add(time.Duration(float64(left) * float64(cases) / float64(rest)))
}

// share returns the part of the budget for a pass of the current runner. It is a part of the time
// until the runner's end. If the budget is for the launches alone, as in a comparison of
// versions, it is a part of the whole budget.
func (m *Measurement) share(pass string) time.Duration {
	passes := passesOf(m.Run.Plan)
	if m.began.IsZero() {
		return passes.Share(pass, cmp.Or(m.whole, m.Run.Plan.Budget))
	}
	return passes.Portion(pass, time.Until(m.until), m.whole)
}

// firstShare is the largest share of a budget that verifying, sizing and counting may take before
// Fit drops modes that nobody asked for.
const firstShare = 0.5

// Fit fills in what the order's plan says about a user's records. If verifying, sizing and
// counting everything would take more than firstShare of the budget, it also rules out modes
// besides the default ones and drops ops besides encode and decode, unless modes or ops were
// chosen. The reason is that a large record is verified in every mode, and there are three times
// as many modes as contenders.
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
	first := cfg.sized(cfg.Costs(), p, live).First(cases)
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

// halfTrip says whether an op is half of a round trip.
func halfTrip(op result.Op) bool { return op == result.Encode || op == result.Decode }
