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
func Phases(cases []result.Case, costs Costs, budget time.Duration, passes []string, weight func(string) int, most func(string) time.Duration) []Phase {
	out := costs.first(cases)
	left := budget
	for _, p := range out {
		left -= p.Time
	}
	return append(out, Rest(left, budget, passes, weight, most)...)
}

// Rest returns the phases of the passes when so much of the budget is left. If little
// or nothing is, they take at most a quarter of the budget more.
func Rest(left, budget time.Duration, passes []string, weight func(string) int, most func(string) time.Duration) []Phase {
	total := 0
	for _, name := range passes {
		total += weight(name)
	}
	var out []Phase
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

// first are the phases before the passes.
func (c Costs) first(cases []result.Case) []Phase {
	verify, size, count := Phase{Name: "verify"}, Phase{Name: "size"}, Phase{Name: "count"}
	trips := map[result.Case]bool{}
	for _, one := range cases {
		at := func(phase string) time.Duration { return c.Of(phase, one.Workload, one.Size) }
		size.Time += at(Sizings)
		if one.Op == result.Encode { // it has a floor
			size.Time += at(Sizings)
		}
		count.Time += at(Counting)
		trip := one
		trip.Op = ""
		if !trips[trip] {
			trips[trip] = true
			verify.Time += at(Trips)
		}
	}
	return []Phase{verify, size, count}
}

// PhasesText is the phases with their times and what they are together: "verify 4s,
// size 3s, launches 2m: 2m7s in all".
func PhasesText(all []Phase, name func(string) string) string {
	parts, total := listed(all, name)
	return fmt.Sprintf("%s: %s in all", parts, Brief(total))
}

// RestText is the phases of the passes, and by how much they are late where so much of
// the budget is left: "launches 5s, cpu 2s: 7s more, 5s over the budget".
func RestText(rest []Phase, left time.Duration, name func(string) string) string {
	parts, total := listed(rest, name)
	text := fmt.Sprintf("%s: %s more", parts, Brief(total))
	if over := (total - left).Round(time.Second); over > time.Second {
		text += fmt.Sprintf(", %s over the budget", Brief(over))
	}
	return text
}

// listed are phases with their times, and the sum.
func listed(all []Phase, name func(string) string) (text string, total time.Duration) {
	var parts []string
	for _, p := range all {
		total += p.Time
		parts = append(parts, name(p.Name)+" "+Brief(max(time.Second, p.Time.Round(time.Second))))
	}
	return strings.Join(parts, ", "), total.Round(time.Second)
}

// Differ says whether phases that were planned turn out otherwise: one of them, or all
// together, by more than 15% and more than a second.
func Differ(planned, now []Phase) bool {
	far := func(a, b time.Duration) bool { d := max(a-b, b-a); return d > time.Second && d > a*15/100 }
	var before, after time.Duration
	for _, p := range now {
		i := slices.IndexFunc(planned, func(q Phase) bool { return q.Name == p.Name })
		if i < 0 || far(planned[i].Time, p.Time) {
			return true
		}
		before, after = before+planned[i].Time, after+p.Time
	}
	return far(before, after)
}
