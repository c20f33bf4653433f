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

// A runner is the program of one group of contenders. Groups are kept apart
// because some libraries are heavy to build, or disturb others by being linked.
// Each runner links the reference and the floor as well, so that ratios of
// different runners meet. A group whose messages are compressed has a second
// runner, which links codecs.
type runner struct {
	group string
	*build.Runner
	// selected are the names of the contenders that it was built for; nil: only those
	// that are known everywhere.
	selected []string
}

// runners are the runners of a run, that of the default group first when it is
// among them.
type runners []runner

// common says whether a contender is linked into the runners of all grours.
func common(name string) bool { return name == Reference || name == analysis.Floor }

// groups returns the groups of the contenders, the default one first. What all
// groups have makes no group of its own, unless there is nothing else.
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

// of returns the group whose runner a case is measured in: its contender's, or
// the first that times such ops for what all of them have.
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

// cases returns those that are measured in the runner of a group.
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

// built returns what the runners were built with and from, as one: all modules,
// and the keys joined.
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

// one is a run's only runner: that of comparisons of versions, which have one
// for each side.
func one(r *build.Runner) runners { return runners{{Runner: r}} }

// beside returns the cases with which a group's cases are launched: those of the
// reference in its default mode and of the floor, in cells where the group has
// cases, as far as they were found to work in the runner that they are verified
// in.
func (m *Measurement) beside(cases []result.Case) []result.Case {
	cells := map[result.Cell]bool{}
	for _, c := range cases {
		cells[c.Cell()] = true
	}
	return slices.DeleteFunc(slices.Clone(m.shared), func(c result.Case) bool {
		return !cells[c.Cell()] || m.runners.of(c) == m.at.group
	})
}
