package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/result"
)

// A Phase is a part of measuring and about how long it takes.
type Phase struct {
	Name string
	Time time.Duration
}

// What the phases before the launches take: a round trip of a subject with the readings
// of others, the sizing of a batch of a case or of a floor, and an exact count.
const (
	tripCost  = 35 * time.Millisecond
	sizeCost  = 10 * time.Millisecond
	countCost = 15 * time.Millisecond
)

// A Pass takes a part of a budget.
type Pass struct {
	Name   string
	Weight int
}

// Passes share a budget by their weights, one after the other.
type Passes []Pass

// Share returns the part of the whole that a pass has; 0: it is none of them.
func (ps Passes) Share(name string, whole time.Duration) time.Duration {
	total, own := 0, 0
	for _, p := range ps {
		total += p.Weight
		if p.Name == name {
			own = p.Weight
		}
	}
	return time.Duration(float64(whole) * float64(own) / float64(max(1, total)))
}

// Portion returns how much of the time that is left a pass gets, which those after it
// share with it. It is at least a quarter of the pass's part of the whole, so that a
// short budget costs precision and not the pass.
func (ps Passes) Portion(name string, left, whole time.Duration) time.Duration {
	i := max(0, slices.IndexFunc(ps, func(p Pass) bool { return p.Name == name }))
	return max(ps[i:].Share(name, left), ps.Share(name, whole)/4)
}

// Phases returns what measuring the cases takes, phase by phase, within a budget of
// which the passes share what the first phases leave. Most is how long a pass takes
// where there is time enough, 0 where nobody knows.
func Phases(cases []result.Case, budget time.Duration, passes Passes, most func(string) time.Duration) []Phase {
	trips, floors := map[result.Case]bool{}, 0
	for _, c := range cases {
		if c.Op == result.Encode {
			floors++
		}
		trip := c
		trip.Op = ""
		trips[trip] = true
	}
	out := []Phase{
		{"verify", time.Duration(len(trips)) * tripCost},
		{"size", time.Duration(len(cases)+floors) * sizeCost},
		{"count", time.Duration(len(cases)) * countCost},
	}
	left := budget
	for _, p := range out {
		left -= p.Time
	}
	for _, p := range passes {
		t := passes.Portion(p.Name, left, budget)
		if m := most(p.Name); m > 0 {
			t = min(t, m)
		}
		out = append(out, Phase{p.Name, t})
		left -= t
	}
	return out
}

// PhasesText is the phases with their times and what they are together: "verify 4s,
// size 3s, launches 2m: 2m7s in all".
func PhasesText(all []Phase, name func(string) string) string {
	var parts []string
	var total time.Duration
	for _, p := range all {
		total += p.Time
		parts = append(parts, name(p.Name)+" "+Brief(max(time.Second, p.Time.Round(time.Second))))
	}
	return fmt.Sprintf("%s: %s in all", strings.Join(parts, ", "), Brief(total.Round(time.Second)))
}
