package measure

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"

	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/codegen"
	"assay/internal/plan"
	"assay/workload/builtin"
)

// A Source is the module that the runners of a selection are built from.
type Source struct {
	Files []contender.File
	// Lines is the number of lines of Go code in Files that were generated for contenders.
	Lines int
	// Runners are the runners that can be built from Files. They have no Path.
	Runners []BuiltRunner
}

// SourceOf returns the source of the runners of a selection of the built-in workloads. The main
// package of a group is runner/GROUP, and that of the default group is runner/default.
func (cfg *Config) SourceOf(ctx context.Context, sel plan.Selection) (*Source, error) {
	out := &Source{}
	specs := map[string]build.Spec{}
	o := cfg.options(Variant{Go: cfg.Go})
	var generated []contender.File
	for _, g := range groupNames(sel) {
		group, packed := cutCodecs(g)
		ready, spec, failed, err := codegen.Ready(ctx, o, codegen.ForCases(builtin.All(), sel.Cases), within(contenders.All(), group))
		if err != nil {
			return nil, err
		}
		generated = append(generated, ready.Generated...)
		spec.Codecs = packed
		name := cmp.Or(group, "default")
		if packed {
			name += "-codecs"
		}
		specs[name] = spec
		b := BuiltRunner{}
		for _, c := range within(sel.Contenders, g) {
			if f, ok := failed[c.Name]; ok {
				b.LeftOut = append(b.LeftOut, LeftOut{c.Name, f.Workloads, f.Reason})
			}
		}
		out.Runners = append(out.Runners, b)
	}
	o.Generated = slices.CompactFunc(slices.SortedFunc(slices.Values(generated), func(a, b contender.File) int { return cmp.Compare(a.Name, b.Name) }),
		func(a, b contender.File) bool { return a.Name == b.Name })
	for _, f := range o.Generated {
		if path.Ext(f.Name) == ".go" {
			out.Lines += bytes.Count(f.Data, []byte("\n"))
		}
	}
	var err error
	out.Files, err = build.Files(o, specs)
	return out, err
}
