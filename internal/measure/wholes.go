package measure

import (
	"slices"

	"assay/contender"
	"assay/internal/plan"
	"assay/published/claims"
	"assay/published/sources"
	"assay/result"
	"assay/workload"
)

// wholeRepeats is the number of processes in which each op on a whole value is run for claims and
// published tables. By Student's quantiles, an interval of six is two fifths as wide as one of
// three.
const wholeRepeats = 6

// WholesForClaims completes the plan of a run of the whole values that claims need: the cases
// that ForClaims finds too large, and claims about whole values. The selection is empty if there
// are none.
func (cfg *Config) WholesForClaims(p result.Plan, needs []claims.Need) (result.Plan, plan.Selection, error) {
	var named []result.Case
	for _, n := range claims.Ordinary(needs) {
		named = append(named, n.Case)
	}
	ordinary, err := cfg.Explicit(named)
	if err != nil {
		return p, plan.Selection{}, err
	}
	return cfg.wholes(p, claims.Wholes(needs, func(c result.Case) bool { return slices.Contains(ordinary.TooLarge, c) }))
}

// WholesForSources completes the plan of a run of the whole values of published tables: the cases
// that BeginReproduction finds too large. The selection is empty if there are none.
func (cfg *Config) WholesForSources(p result.Plan, all []sources.Source) (result.Plan, plan.Selection, error) {
	sel, err := cfg.published(all, sourceMemory)
	if err != nil {
		return p, plan.Selection{}, err
	}
	var cases []result.Case
	for _, c := range sel.TooLarge {
		if c.Mode == "" && (c.Op == result.Encode || c.Op == result.Decode) {
			c.Mode = contender.WholeMode
			cases = append(cases, c)
		}
	}
	return cfg.wholes(p, cases)
}

// wholes completes the plan of a run of whole values.
func (cfg *Config) wholes(p result.Plan, cases []result.Case) (result.Plan, plan.Selection, error) {
	var sel plan.Selection
	for _, w := range cfg.Input.Workloads() {
		var sizes []string
		for _, c := range cases {
			if c.Workload == w.Name && !slices.Contains(sizes, c.Size) {
				sizes = append(sizes, c.Size)
			}
		}
		for _, size := range sizes {
			one, err := plan.Streams(plan.Options{
				Workloads: []*workload.Workload{w}, Contenders: cfg.Input.Contenders(), Size: size, Holds: cfg.Input.Holds,
				Streams: []string{contender.WholeMode}, Ops: result.Ops, Keep: func(c result.Case) bool { return slices.Contains(cases, c) },
			})
			if err != nil {
				return p, sel, err
			}
			sel.Cases, sel.Outcomes = append(sel.Cases, one.Cases...), append(sel.Outcomes, one.Outcomes...)
		}
	}
	cfg.keepLive(&sel)
	p.Reference, p.Cases = Reference, sel.Cases
	p.Stream.Repeats = wholeRepeats
	return p, sel, nil
}
