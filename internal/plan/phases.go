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
func Phases(cases []result.Case, costs Costs, budget time.Duration, passes Passes, most func(string) time.Duration) []Phase {
	out := costs.first(cases)
	left := budget
	for _, p := range out {
		left -= p.Time
	}
	return append(out, Rest(left, budget, passes, most)...)
}

// Rest returns the phases of the passes when so much of the budget is left. If little
// or nothing is, they take at most a quarter of the budget more.
func Rest(left, budget time.Duration, passes Passes, most func(string) time.Duration) []Phase {
	var out []Phase
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

// first are the phases before the passes.
func (c Costs) first(cases []result.Case) []Phase {
	verify, size, count := Phase{"verify", c[Step{Phase: Blocks}]}, Phase{Name: "size"}, Phase{Name: "count"}
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
