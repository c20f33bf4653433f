package plan

import (
	"maps"
	"slices"
	"strings"
	"time"

	"assay/result"
)

// The phases whose steps have a cost of their own.
const (
	Trips    = "verify"    // a step is a round trip of a subject with the readings of others
	Blocks   = "blocks"    // the one step is the verification of values in blocks
	Sizings  = "calibrate" // the sizing of a batch of a case or of a floor
	Counting = "count"     // an exact count of a case
	CPUSets  = "cpu"       // the counts of a case's CPU time in one set of processes
)

// A Step is a kind of step of a phase: those of a size of a workload, or of the phase
// as a whole where they are not.
type Step struct{ Phase, Workload, Size string }

// String is the step's name: "count/movie/record=one".
func (s Step) String() string { return s.Phase + "/" + s.Workload + "/" + s.Size }

// Costs are how long steps take on a machine, as far as that is known. The nil Costs
// know nothing.
type Costs map[Step]time.Duration

// guesses are what steps are taken to cost on a machine that has measured nothing: the
// means of first runs with the default selection on two CPUs, two processes at a time
// where nothing is timed. A round trip goes on for up to 100 ms an op, and layouts are
// linked meanwhile.
var guesses = Costs{
	{Phase: Trips}: 300 * time.Millisecond, {Phase: Sizings}: 36 * time.Millisecond,
	{Phase: Counting}: 25 * time.Millisecond, {Phase: CPUSets}: 70 * time.Millisecond,
}

// Of returns what a step of a phase costs at a size of a workload: what it cost there
// or, where that is not known, the median of the phase's other steps, or a guess.
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

// perByte is about how much longer a step of a user's values takes for each byte of them:
// of those that a round trip goes over, or of one operation.
var perByte = map[string]float64{Trips: 450, Sizings: 30, Counting: 45} // ns

// Size guesses the cost of a step of values of so many bytes, where it is not known.
func (c Costs) Size(s Step, bytes int64) {
	if _, known := c[s]; !known {
		c[s] = c.Of(s.Phase, s.Workload, s.Size) + time.Duration(perByte[s.Phase]*float64(bytes))
	}
}

// First is how long it takes to verify, size and count the cases.
func (c Costs) First(cases []result.Case) (all time.Duration) {
	for _, p := range c.first(cases) {
		all += p.Time
	}
	return all
}

// Learned returns the costs that are remembered where others have been measured since.
// A cost moves half of the way, and at most by half of itself: what one run measures
// depends on what else the machine did.
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

// Moved says whether a cost differs from what it was by more than a tenth, or is new.
func (c Costs) Moved(before Costs) bool {
	for s, d := range c {
		was, ok := before[s]
		if far := d - was; !ok || max(far, -far) > was/10 {
			return true
		}
	}
	return false
}

// A Meter measures the costs of steps by the times at which they end. The zero Meter is
// ready to use.
type Meter struct {
	phase string
	last  time.Time
	took  map[Step]time.Duration
	steps map[Step]int
}

// Begin begins a phase; "" is none.
func (m *Meter) Begin(phase string, now time.Time) { m.phase, m.last = phase, now }

// Done notes that a step of the phase ended, and by how much it made the phase longer; 0:
// by the time since the step before it.
func (m *Meter) Done(c result.Case, took time.Duration, now time.Time) {
	if _, known := guesses[Step{Phase: m.phase}]; !known {
		return
	}
	if m.took == nil {
		m.took, m.steps = map[Step]time.Duration{}, map[Step]int{}
	}
	s := Step{m.phase, c.Workload, c.Size}
	if took <= 0 {
		took = now.Sub(m.last)
	}
	m.took[s] += took
	m.steps[s]++
	m.last = now
}

// leastSteps is how many steps of a kind it takes to know what they cost: the first one
// of a process pays for its start.
const leastSteps = 4

// Costs are the means of the kinds of steps that there were enough of.
func (m *Meter) Costs() Costs {
	out := Costs{}
	for s, n := range m.steps {
		if n >= leastSteps {
			out[s] = m.took[s] / time.Duration(n)
		}
	}
	return out
}

// Figures are the costs in nanoseconds by the names of their steps.
func (c Costs) Figures() map[string]float64 {
	out := map[string]float64{}
	for s, d := range c {
		out[s.String()] = float64(d)
	}
	return out
}

// CostsOf are the costs that such figures are. What names no step or is no time is left
// out.
func CostsOf(figures map[string]float64) Costs {
	out := Costs{}
	for name, ns := range figures {
		if parts := strings.SplitN(name, "/", 3); len(parts) == 3 && ns > 0 && ns < float64(time.Hour) {
			out[Step{parts[0], parts[1], parts[2]}] = time.Duration(ns)
		}
	}
	return out
}
