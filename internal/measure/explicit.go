package measure

import (
	"slices"

	"assay/contender"
	"assay/internal/plan"
	"assay/result"
	"assay/workload"
)

// Explicit plans cases that are listed one by one. A case that no contender offers has an outcome
// that says so.
func (cfg *Config) Explicit(cases []result.Case) (plan.Selection, error) {
	return cfg.explicit(cases, plan.Options{Memory: plan.DefaultMemory})
}

// explicit is Explicit with options: the memory that values may take, and what the reason
// recommends for larger values.
func (cfg *Config) explicit(cases []result.Case, o plan.Options) (plan.Selection, error) {
	type place struct{ workload, size string }
	var places []place
	for _, c := range cases {
		if p := (place{c.Workload, c.Size}); !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	all := plan.Selection{Cases: cases}
	var planned []result.Case
	for _, p := range places {
		i := slices.IndexFunc(cfg.Input.Workloads(), func(w *workload.Workload) bool { return w.Name == p.workload })
		if i < 0 {
			continue
		}
		sel, err := plan.Select(plan.Options{
			Workloads: cfg.Input.Workloads()[i : i+1], Contenders: cfg.Input.Contenders(), Size: p.size, Ops: result.Ops, Holds: cfg.Input.Holds, More: CodecModes, Memory: o.Memory, Larger: o.Larger,
			Keep: func(c result.Case) bool { return slices.Contains(cases, c) },
		})
		if err != nil {
			continue // no contender offers any of its cases
		}
		planned = append(planned, sel.Cases...)
		all.Outcomes = append(all.Outcomes, sel.Outcomes...)
		all.TooLarge = append(all.TooLarge, sel.TooLarge...)
	}
	for _, c := range cases {
		if !slices.Contains(planned, c) {
			all.Outcomes = append(all.Outcomes, result.Outcome{Case: c, Status: result.Unsupported, Reason: "assay has no such case"})
		}
	}
	cfg.keepLive(&all)
	return all, nil
}

// keepLive sets the contenders and workloads of a selection to those of its live cases.
func (cfg *Config) keepLive(all *plan.Selection) {
	live := all.Live()
	all.Contenders = slices.DeleteFunc(slices.Clone(cfg.Input.Contenders()), func(x *contender.Contender) bool {
		return !slices.ContainsFunc(live, func(c result.Case) bool { return c.Contender == x.Name })
	})
	all.Workloads = slices.DeleteFunc(slices.Clone(cfg.Input.Workloads()), func(w *workload.Workload) bool {
		return !slices.ContainsFunc(live, func(c result.Case) bool { return c.Workload == w.Name })
	})
}
