package measure

import (
	"cmp"
	"slices"
	"strings"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/build"
	"assay/result"
)

// A runner is the program of one group of contenders. There are several groups because some
// libraries are slow to build, or disturb others when they are linked with them. Each runner also
// links the reference and the floor, so that ratios of different runners can be compared. A group
// whose messages are compressed has a second runner, which links codecs.
type runner struct {
	group string
	*build.Runner
	// selected are the names of the contenders that the runner was built for; nil: it was built
	// only for contenders that Known returns.
	selected []string
}

// runners are the runners of a run. If the default group is among them, its runner is the first.
type runners []runner

// common says whether the runners of all groups link a contender.
func common(name string) bool { return name == Reference || name == analysis.Floor }

// groups returns the groups of the contenders, the default group first. The reference and the
// floor, which all runners link, do not add a group unless there are no other contenders.
func groups(sel []*contender.Contender) []string {
	var out []string
	for _, c := range sel {
		if !common(c.Name) && !slices.Contains(out, c.Group) {
			out = append(out, c.Group)
		}
	}
	if len(out) == 0 {
		return []string{""}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(a, b) })
	return out
}

// within returns the selected contenders that the runner of a group links.
func within(sel []*contender.Contender, group string) []*contender.Contender {
	group, _ = cut(group)
	return slices.DeleteFunc(slices.Clone(sel), func(c *contender.Contender) bool {
		return c.Group != group && !common(c.Name)
	})
}

// of returns the group of the runner in which a case is measured: that of its contender or, for
// contenders that all runners link, the first one of the case's kind.
func (rs runners) of(c result.Case) string {
	if common(c.Contender) {
		for _, p := range rs {
			if _, kind := cut(p.group); kind == kindOf(c) {
				return p.group
			}
		}
		return rs[0].group
	}
	for _, x := range Known() {
		if x.Name == c.Contender {
			return with(x.Group, kindOf(c))
		}
	}
	for _, r := range rs {
		if _, kind := cut(r.group); kind == kindOf(c) && slices.Contains(r.selected, c.Contender) {
			return r.group
		}
	}
	return externalGroup(c.Contender)
}

// cases returns the cases that are measured in the runner of a group.
func (rs runners) cases(cases []result.Case, group string) []result.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool { return rs.of(c) != group })
}

// failed returns the outcomes of cases whose contender could not be built.
func (rs runners) failed(cases []result.Case) []result.Outcome {
	var out []result.Outcome
	for _, r := range rs {
		out = append(out, failed(r.Runner, rs.cases(cases, r.group))...)
	}
	return out
}

// built merges what the runners were built with: it returns all modules, and joins the keys.
func (rs runners) built() result.Build {
	b := rs[0].Build
	keys := []string{b.Key}
	modules := slices.Clone(b.Modules)
	for _, p := range rs[1:] {
		keys = append(keys, p.Build.Key)
		for _, m := range p.Build.Modules {
			if !slices.Contains(modules, m) {
				modules = append(modules, m)
			}
		}
	}
	slices.SortFunc(modules, func(x, y result.Module) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Version, y.Version))
	})
	b.Key, b.Modules = strings.Join(keys, "+"), modules
	return b
}

// one returns a run's only runner.
func one(r *build.Runner) runners { return runners{{Runner: r}} }

// beside returns the cases that are launched together with a group's cases: those of the
// reference in its default mode and of the floor, in the cells of these cases, as far as they
// passed verification in their own runner.
func (m *Measurement) beside(cases []result.Case) []result.Case {
	cells := map[result.Cell]bool{}
	for _, c := range cases {
		cells[c.Cell()] = true
	}
	return slices.DeleteFunc(slices.Clone(m.shared), func(c result.Case) bool {
		return !cells[c.Cell()] || m.runners.of(c) == m.at.group
	})
}
