package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/result"
)

// A Phase is a part of a run and about how long it takes.
type Phase struct {
	Name string
	Time time.Duration
}

// A Pass takes a part of a budget.
type Pass struct {
	Name   string
	Weight int
}

// Passes share a budget by their weights, and run one after the other.
type Passes []Pass

// Share returns the part of whole that a pass gets; 0 if it is not one of the passes.
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

// Portion returns how much of the remaining time a pass gets; the passes after it share the
// rest. It is at least a quarter of the pass's part of the whole, so that a short budget
// reduces precision but does not drop the pass.
func (ps Passes) Portion(name string, left, whole time.Duration) time.Duration {
	i := max(0, slices.IndexFunc(ps, func(p Pass) bool { return p.Name == name }))
	return max(ps[i:].Share(name, left), ps.Share(name, whole)/4)
}

// Phases returns how long measuring the cases takes, phase by phase, within a budget. The first
// phases come first, and the passes share what they leave. most returns the longest useful time
// of a pass, or 0 if that is not known.
func Phases(cases []result.Case, costs Costs, budget time.Duration, passes Passes, most func(string) time.Duration) []Phase {
	out := costs.first(cases)
	left := budget
	for _, p := range out {
		left -= p.Time
	}
	return append(out, Rest(left, budget, passes, most)...)
}

// Rest returns the phases of the passes if left is the remaining budget. If little or nothing
// remains, the passes together exceed the budget by at most a quarter of it.
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

// first returns the phases before the passes.
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

// PhasesText returns the phases with their times and the total: "verify 4s, size 3s, launches
// 2m: 2m7s in all".
func PhasesText(all []Phase, name func(string) string) string {
	parts, total := listed(all, name)
	return fmt.Sprintf("%s: %s in all", parts, Brief(total))
}

// RestText returns the phases of the passes with their times, and by how much they exceed the
// remaining budget left: "launches 5s, cpu 2s: 7s more, 5s over the budget".
func RestText(rest []Phase, left time.Duration, name func(string) string) string {
	parts, total := listed(rest, name)
	text := fmt.Sprintf("%s: %s more", parts, Brief(total))
	if over := (total - left).Round(time.Second); over > time.Second {
		text += fmt.Sprintf(", %s over the budget", Brief(over))
	}
	return text
}

// listed returns the text of phases with their times, and the sum of the times.
func listed(all []Phase, name func(string) string) (text string, total time.Duration) {
	var parts []string
	for _, p := range all {
		total += p.Time
		parts = append(parts, name(p.Name)+" "+Brief(max(time.Second, p.Time.Round(time.Second))))
	}
	return strings.Join(parts, ", "), total.Round(time.Second)
}

// Differ reports whether phases differ from the planned ones: one of them, or all together, by
// more than 15% and more than a second.
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
