package codegen

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"assay/contender"
	"assay/internal/build"
	"assay/result"
	"assay/workload"
)

// Of returns the target of a built-in workload with the given roots.
func Of(w *workload.Workload, roots []string) Target {
	return Target{Schema: w.Schema.Only(roots), Whole: w.Schema, Model: "assay/workload/" + w.Name}
}

// Whole returns the targets of built-in workloads with all of their roots.
func Whole(all []*workload.Workload) []Target {
	targets := make([]Target, len(all))
	for i, w := range all {
		targets[i] = Of(w, w.Schema.Roots)
	}
	return targets
}

// ForCases returns the targets that the cases need. It ignores cases of other than the built-in
// workloads. The targets are in the order of the workloads, each with the roots of its cases'
// sizes.
func ForCases(all []*workload.Workload, cases []result.Case) []Target {
	roots := map[string][]string{} // by workload
	seen := map[result.Case]bool{}
	for _, c := range cases {
		size := result.Case{Workload: c.Workload, Size: c.Size}
		if seen[size] {
			continue
		}
		seen[size] = true
		i := slices.IndexFunc(all, func(w *workload.Workload) bool { return w.Name == c.Workload })
		if i < 0 {
			continue // the code that measures the case reports it
		}
		if s, err := all[i].Size(c.Size); err == nil {
			roots[c.Workload] = append(roots[c.Workload], s.Root)
		}
	}
	var targets []Target
	for _, w := range all {
		if some := roots[w.Name]; len(some) > 0 {
			targets = append(targets, Of(w, some))
		}
	}
	return targets
}

// ForStreams returns the targets that streams of the cases need. It ignores cases of other than
// the built-in workloads. Each target has the messages of its cases' streams as roots.
func ForStreams(all []*workload.Workload, cases []result.Case) ([]Target, error) {
	var targets []Target
	for _, w := range all {
		var roots []string
		seen := map[string]bool{}
		for _, c := range cases {
			if c.Workload != w.Name || seen[c.Size] {
				continue
			}
			seen[c.Size] = true
			size, err := w.Size(c.Size)
			if err != nil {
				return nil, err
			}
			stream, err := w.Stream(size, 0)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(roots, stream.Root) {
				roots = append(roots, stream.Root)
			}
		}
		if len(roots) > 0 {
			slices.Sort(roots)
			targets = append(targets, Target{Schema: w.Schema.Over(roots), Model: "assay/workload/" + w.Name, Streams: true})
		}
	}
	return targets, nil
}

// Ready generates the contenders' packages for the targets. It returns the options and the spec
// for build.Make, and the contenders whose generators failed, to be added to Runner.Failed.
func Ready(ctx context.Context, o build.Options, targets []Target, wanted []*contender.Contender) (build.Options, build.Spec, map[string]build.Failure, error) {
	if err := o.Check(); err != nil { // before a minute is spent on generators
		return o, build.Spec{}, nil, err
	}
	p, err := Generate(ctx, o, targets, wanted)
	if err != nil {
		return o, build.Spec{}, nil, err
	}
	o.Generated = p.Files
	spec := build.Spec{Contenders: p.Contenders}
	for _, t := range targets {
		spec.Workloads = append(spec.Workloads, t.Schema.Name)
		spec.Streams = spec.Streams || t.Streams
	}
	failed := map[string]build.Failure{}
	for _, l := range p.LeftOut {
		if l.Status == result.BuildFailed {
			failed[l.Contender] = failed[l.Contender].And(build.Failure{Workloads: []string{l.Workload}, Reason: l.Text})
		}
	}
	return o, spec, failed, nil
}

// Make generates the contenders' packages for the targets and calls build.Make, which makes the
// runner in the layouts. It leaves out a contender whose generator fails, as build.Make leaves
// out one that cannot be built. With codecs, the runner has the codecs too.
func Make(ctx context.Context, o build.Options, targets []Target, wanted []*contender.Contender, codecs bool, layouts []uint64) (*build.Runner, error) {
	o, spec, failed, err := Ready(ctx, o, targets, wanted)
	if err != nil {
		return nil, err
	}
	if names := slices.Sorted(maps.Keys(failed)); len(names) > 0 && len(spec.Contenders) == 0 {
		return nil, fmt.Errorf("no contender could be built; %s: %s", names[0], failed[names[0]].Reason)
	}
	spec.Codecs = codecs
	r, err := build.Make(ctx, o, spec, layouts)
	if err != nil {
		return nil, err
	}
	for name, f := range failed {
		r.Failed[name] = f.And(r.Failed[name])
	}
	return r, nil
}
