package measure

import (
	"context"
	"fmt"
	"slices"

	"assay/contender"
	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/plan"
	"assay/result"
)

// build makes the runner of a group for the cases in all layouts, the ordinary one and
// random ones. side is the label of a runner that is compared with another, or nothing.
func (cfg *Config) build(ctx context.Context, group string, sel []*contender.Contender, cases []result.Case, layouts []uint64, v Variant, side string) (*build.Runner, error) {
	r, err := cfg.Input.link(ctx, cfg.options(v), group, cases, layouts)
	if err != nil && side != "" {
		err = fmt.Errorf("%s: %w", side, err)
	}
	if err != nil {
		return nil, err
	}
	e := Built{Contenders: len(r.Spec.Contenders), Group: group, Layouts: len(layouts) - 1, Side: side, Changed: r.Changed, Selected: len(sel)}
	for _, c := range sel {
		if f, ok := r.Failed[c.Name]; ok {
			e.LeftOut = append(e.LeftOut, LeftOut{c.Name, f.Workloads, f.Reason})
		}
	}
	cfg.tell(e)
	return r, nil
}

// make builds the runners of a selection, one for each group, and tells what
// could not be built of what is selected. A group none of whose contenders can
// be built costs the others nothing.
func (cfg *Config) make(ctx context.Context, sel plan.Selection, layouts []uint64, v Variant) (runners, error) {
	var out runners
	for _, g := range groupNames(sel) {
		r, err := cfg.build(ctx, g, within(sel.Contenders, g), sel.Cases, layouts, v, "")
		if err != nil {
			return nil, err
		}
		out = append(out, runner{g, r})
	}
	return out, nil
}

// A BuiltRunner is the runner of a group of contenders, built ahead of its use.
type BuiltRunner struct {
	// Path is the program of the ordinary layout.
	Path string
	// LeftOut are the selected contenders that it lacks.
	LeftOut []LeftOut
}

// Build builds the runners of a selection in a number of random layouts and the
// ordinary one.
func (cfg *Config) Build(ctx context.Context, sel plan.Selection, layouts int) ([]BuiltRunner, error) {
	made, err := cfg.make(ctx, sel, Layouts(layouts), Variant{Go: cfg.Go})
	if err != nil {
		return nil, err
	}
	var out []BuiltRunner
	for _, r := range made {
		b := BuiltRunner{Path: r.Path(0)}
		for _, c := range within(sel.Contenders, r.group) {
			if f, ok := r.Failed[c.Name]; ok {
				b.LeftOut = append(b.LeftOut, LeftOut{c.Name, f.Workloads, f.Reason})
			}
		}
		out = append(out, b)
	}
	return out, nil
}

// Layouts returns the seeds of the ordinary layout and of n random ones.
func Layouts(n int) []uint64 {
	out := []uint64{}
	for l := range uint64(n + 1) {
		out = append(out, l)
	}
	return out
}

// A KeptRunner is a runner in the cache.
type KeptRunner = build.Kept

// KeptRunners returns the runners in the cache, the last used first.
func (cfg *Config) KeptRunners() ([]KeptRunner, error) { return build.List(cfg.Cache) }

// failed returns the outcomes of cases whose contender could not be built.
func failed(r *build.Runner, cases []result.Case) []result.Outcome {
	var out []result.Outcome
	for _, c := range cases {
		if f, ok := r.Failed[c.Contender]; ok && slices.Contains(f.Workloads, c.Workload) {
			out = append(out, result.Outcome{Case: c, Status: result.BuildFailed, Reason: f.Reason})
		}
	}
	return out
}

// drive returns how the processes of the runner that is measured are started.
func (m *Measurement) drive() drive.Runner {
	r := m.at.drive(m.Run.Seed)
	r.Data = m.cfg.Input.timed()
	return r
}

// drive returns how the runner's processes are started.
func (r runner) drive(seed uint64) drive.Runner {
	return drive.Runner{
		Binary: func(layout uint64) drive.Binary { return drive.Binary{Path: r.Path(layout)} },
		Limits: drive.Limits{Memory: memoryLimit, Answer: answerLimit, Hang: hangLimit},
		Seed:   seed,
	}
}
