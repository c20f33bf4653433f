package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/build"
	"assay/internal/codegen"
	"assay/internal/plan"
	"assay/result"
	"assay/workload/builtin"
)

// A party is the runner of one group of contenders. Groups are kept apart
// because some libraries are heavy to build, or disturb others by being linked.
// Each runner links the reference and the floor as well, so that ratios of
// different parties meet. A group whose messages are compressed has a second
// party, whose runner has codecs.
type party struct {
	group string
	*build.Runner
}

// parties are the runners of a run, that of the default group first when it is
// among them.
type parties []party

// common says whether a contender is linked into the runners of all groups.
func common(name string) bool { return name == reference || name == analysis.Floor }

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

// link makes the runner of a party. All contenders of the group are linked, whatever
// is selected, so that the same contender has the same code around it; of the
// workloads, those that the cases are of, with the roots of their sizes: the others'
// code would have to be generated and compiled first.
func (a *app) link(ctx context.Context, o build.Options, party string, cases []result.Case, layouts []uint64) (*build.Runner, error) {
	if a.own != nil {
		o.Generated, o.Extra = a.own.packages.Files, a.own.packages.Extra
		return build.Make(ctx, o, a.own.spec(party), layouts)
	}
	group, packed := cutCodecs(party)
	linked := slices.DeleteFunc(slices.Clone(contenders.All()), func(c *contender.Contender) bool { return c.Group != group && !common(c.Name) })
	return codegen.Make(ctx, o, codegen.ForCases(builtin.All(), cases), linked, packed, layouts)
}

// within returns the selected contenders that a party's runner links.
func within(sel []*contender.Contender, party string) []*contender.Contender {
	group, _ := cutCodecs(party)
	return slices.DeleteFunc(slices.Clone(sel), func(c *contender.Contender) bool {
		return c.Group != group && !common(c.Name)
	})
}

// make builds the runners of a selection, one for each party, and reports what
// could not be built of what is selected. A group none of whose contenders can
// be built costs the others nothing.
func (a *app) make(ctx context.Context, sel plan.Selection, layouts []uint64, p *progress) (parties, error) {
	var out parties
	for _, g := range partyNames(sel) {
		r, err := a.build(ctx, g, within(sel.Contenders, g), sel.Cases, layouts, build.Variant{Go: a.goCommand}, "", p)
		if err != nil {
			return nil, err
		}
		out = append(out, party{g, r})
	}
	return out, nil
}

// of returns the party whose runner a case is measured in: its contender's, or
// the first that times such ops for what all of them have.
func (ps parties) of(c result.Case) string {
	if common(c.Contender) {
		for _, p := range ps {
			if _, packed := cutCodecs(p.group); packed == compresses(c.Op) {
				return p.group
			}
		}
		return ps[0].group
	}
	for _, x := range known() {
		switch {
		case x.Name != c.Contender:
		case compresses(c.Op):
			return withCodecs(x.Group)
		default:
			return x.Group
		}
	}
	return guestGroup(c.Contender)
}

// cases returns those that are measured in the runner of a group.
func (ps parties) cases(cases []result.Case, group string) []result.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool { return ps.of(c) != group })
}

// failed returns the outcomes of cases whose contender could not be built.
func (ps parties) failed(cases []result.Case) []result.Outcome {
	var out []result.Outcome
	for _, p := range ps {
		out = append(out, failed(p.Runner, ps.cases(cases, p.group))...)
	}
	return out
}

// built returns what the runners were built with and from, as one: all modules,
// and the keys joined.
func (ps parties) built() result.Build {
	b := ps[0].Build
	keys := []string{b.Key}
	modules := slices.Clone(b.Modules)
	for _, p := range ps[1:] {
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
func one(r *build.Runner) parties { return parties{{"", r}} }

// beside returns the cases with which a group's own are launched: those of the
// reference in its default mode and of the floor, in cells where the group has
// cases, as far as they were found to work in the runner that they are verified
// in.
func (m *measurement) beside(own []result.Case) []result.Case {
	cells := map[result.Cell]bool{}
	for _, c := range own {
		cells[c.Cell()] = true
	}
	return slices.DeleteFunc(slices.Clone(m.shared), func(c result.Case) bool {
		return !cells[c.Cell()] || m.runners.of(c) == m.at.group
	})
}
