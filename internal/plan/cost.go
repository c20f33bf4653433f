package plan

import (
	"maps"
	"slices"
	"strings"
	"time"

	"assay/result"
)

// The phases whose steps have a cost.
const (
	Trips    = "verify"    // a step is one subject's round trip, with the messages of others
	Blocks   = "blocks"    // its one step is the verification of values in blocks
	Sizings  = "calibrate" // a step sizes the batch of a case or of a floor
	Counting = "count"     // a step is an exact count of a case
	CPUSets  = "cpu"       // a step counts a case's CPU time in one set of processes
	Launches = "launch"    // a step is a case's part of a launch of the most rounds, by the schedule
)

// A Step is a kind of step: the steps of a phase for one size of a workload. Workload and Size
// are empty for a step of the whole phase.
type Step struct{ Phase, Workload, Size string }

// String returns the step's name, such as "count/movie/record=one".
func (s Step) String() string { return s.Phase + "/" + s.Workload + "/" + s.Size }

// Costs are the known costs of steps on a machine, as durations. The nil Costs know no step.
type Costs map[Step]time.Duration

// guesses are the assumed costs of steps on a machine that has not measured any. They are the
// means of first runs with the default selection on two CPUs, with two processes at a time in
// phases that time nothing. A round trip continues for up to 100 ms an op, while layouts are
// linked. For a launch, Size adds what the values take.
var guesses = Costs{
	{Phase: Trips}: 300 * time.Millisecond, {Phase: Sizings}: 36 * time.Millisecond,
	{Phase: Counting}: 25 * time.Millisecond, {Phase: CPUSets}: 45 * time.Millisecond, {Phase: Launches}: 20 * time.Millisecond,
}

// Of returns the cost of a step of a phase at a size of a workload. If it is not known, Of
// returns the median of the phase's known steps, or a guess if there are none.
func (c Costs) Of(phase, workload, size string) time.Duration {
	if d, ok := c[Step{phase, workload, size}]; ok {
		return d
	}
	var others []time.Duration
	for s, d := range c {
		if s.Phase == phase {
			others = append(others, d)
		}
	}
	if len(others) == 0 {
		return guesses[Step{Phase: phase}]
	}
	slices.Sort(others)
	return others[len(others)/2]
}

// perByte is about how much longer a step takes, in nanoseconds for each byte of the values that
// it covers. The mean over contenders for a launch is that of a few that take fifty times as long
// as others.
var perByte = map[string]float64{Trips: 450, Sizings: 30, Counting: 45, Launches: 1200} // ns

// Size sets an estimated cost for a step on values of so many bytes, if its cost is not known.
func (c Costs) Size(s Step, bytes int64) {
	if _, known := c[s]; known {
		return
	}
	base := c.Of(s.Phase, s.Workload, s.Size)
	if s.Phase == Launches {
		base = guesses[Step{Phase: Launches}] // that of other values depends on their bytes
	}
	c[s] = base + time.Duration(perByte[s.Phase]*float64(bytes))
}

// First returns how long it takes to verify, size and count the cases.
func (c Costs) First(cases []result.Case) (all time.Duration) {
	for _, p := range c.first(cases) {
		all += p.Time
	}
	return all
}

// Learned returns the costs to remember after others have been measured. A known cost moves
// half of the way to the measured one, and changes by at most half of itself, because the
// result of one run depends on the other work of the machine.
func (c Costs) Learned(measured Costs) Costs {
	out := maps.Clone(c)
	if out == nil {
		out = Costs{}
	}
	for s, d := range measured {
		if before, ok := c[s]; ok {
			d = (before + min(d, 2*before)) / 2
		}
		out[s] = d
	}
	return out
}

// Moved reports whether a cost is new or differs from before by more than a tenth.
func (c Costs) Moved(before Costs) bool {
	for s, d := range c {
		was, ok := before[s]
		if far := d - was; !ok || max(far, -far) > was/10 {
			return true
		}
	}
	return false
}

// A Meter measures the costs of steps from the times at which they end. The zero Meter is ready
// to use.
type Meter struct {
	phase string
	last  time.Time
	took  map[Step]time.Duration
	steps map[Step]int
}

// Begin begins a phase; "" means no phase.
func (m *Meter) Begin(phase string, now time.Time) { m.phase, m.last = phase, now }

// Done records that a step of the phase ended and made the phase longer by took. If took is 0,
// Done uses the time since the previous step.
func (m *Meter) Done(c result.Case, took time.Duration, now time.Time) {
	if _, known := guesses[Step{Phase: m.phase}]; !known {
		return
	}
	if took <= 0 {
		took = now.Sub(m.last)
	}
	m.Add(Step{m.phase, c.Workload, c.Size}, took)
	m.last = now
}

// Add records that a step takes as long as took.
func (m *Meter) Add(s Step, took time.Duration) {
	if m.took == nil {
		m.took, m.steps = map[Step]time.Duration{}, map[Step]int{}
	}
	m.took[s] += took
	m.steps[s]++
}

// leastSteps is how many steps of a kind must be measured before their cost is known: the first
// step of a process includes its start.
const leastSteps = 4

// Costs returns the mean cost of each kind of step that was measured at least leastSteps times.
func (m *Meter) Costs() Costs {
	out := Costs{}
	for s, n := range m.steps {
		if n >= leastSteps {
			out[s] = m.took[s] / time.Duration(n)
		}
	}
	return out
}

// Figures returns the costs in nanoseconds, by the names of their steps.
func (c Costs) Figures() map[string]float64 {
	out := map[string]float64{}
	for s, d := range c {
		out[s.String()] = float64(d)
	}
	return out
}

// CostsOf is the inverse of Figures. It ignores names that are no steps, and values that are
// not positive or at least an hour.
func CostsOf(figures map[string]float64) Costs {
	out := Costs{}
	for name, ns := range figures {
		if parts := strings.SplitN(name, "/", 3); len(parts) == 3 && ns > 0 && ns < float64(time.Hour) {
			out[Step{parts[0], parts[1], parts[2]}] = time.Duration(ns)
		}
	}
	return out
}
