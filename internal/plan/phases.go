package plan

import (
	"fmt"
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

// Portion returns how much of the time left a pass gets whose weight is the first, and
// those that come after it have the others. It is at least a quarter of the pass's part
// of the whole, so that a short budget costs precision and not the pass.
func Portion(left, whole time.Duration, total int, weight int, later ...int) time.Duration {
	sum := weight
	for _, w := range later {
		sum += w
	}
	part := func(d time.Duration, of int) time.Duration {
		return time.Duration(float64(d) * float64(weight) / float64(of))
	}
	return max(part(left, sum), part(whole, total)/4)
}

// Phases returns what measuring the cases takes, phase by phase, within a budget of
// which the passes share by weight what the first phases leave. The passes are named
// in their order; most is how long a pass takes where there is time enough, 0 where
// nobody knows.
func Phases(cases []result.Case, budget time.Duration, passes []string, weight func(string) int, most func(string) time.Duration) []Phase {
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
	left, total := budget, 0
	for _, p := range out {
		left -= p.Time
	}
	for _, name := range passes {
		total += weight(name)
	}
	for i, name := range passes {
		var later []int
		for _, n := range passes[i+1:] {
			later = append(later, weight(n))
		}
		t := Portion(left, budget, total, weight(name), later...)
		if m := most(name); m > 0 {
			t = min(t, m)
		}
		out = append(out, Phase{name, t})
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
