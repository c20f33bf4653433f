package measure

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/contender"
	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/plan"
	"assay/result"
)

// A runnerOrder is what a runner is to hold.
type runnerOrder struct {
	group string
	// linked are the contenders of which it links those of the group, and selected are
	// those that somebody asked for.
	linked, selected []*contender.Contender
	cases            []result.Case
	layouts          []uint64 // the ordinary one and random ones
	variant          Variant
	side             string // label of one that is compared with another
	lazy             bool   // all layouts but the first are linked later
}

// build makes a runner.
func (cfg *Config) build(ctx context.Context, want runnerOrder) (*build.Runner, error) {
	o := cfg.options(want.variant)
	o.Lazy = want.lazy
	r, err := cfg.Input.link(ctx, o, want.group, want.linked, want.cases, want.layouts)
	if err != nil && want.side != "" {
		err = fmt.Errorf("%s: %w", want.side, err)
	}
	if err != nil {
		return nil, err
	}
	cfg.tell(Built{
		Contenders: len(r.Spec.Contenders), Group: want.group, Layouts: len(want.layouts) - 1, Unlinked: r.Unlinked(), Side: want.side, Changed: r.Changed,
		Selected: len(want.selected), LeftOut: leftOut(r, want.selected),
	})
	return r, nil
}

// leftOut returns those of the contenders that a runner lacks.
func leftOut(r *build.Runner, sel []*contender.Contender) []LeftOut {
	var out []LeftOut
	for _, c := range sel {
		if f, ok := r.Failed[c.Name]; ok {
			out = append(out, LeftOut{c.Name, f.Workloads, f.Reason})
		}
	}
	return out
}

// make builds the runners of a selection, one for each group, and tells what
// could not be built of what is selected. A group none of whose contenders can
// be built costs the others nothing.
func (cfg *Config) make(ctx context.Context, sel plan.Selection, layouts []uint64, v Variant, lazy bool) (runners, error) {
	var out runners
	for _, g := range groupNames(sel) {
		r, err := cfg.build(ctx, runnerOrder{
			group: g, linked: cfg.Input.Contenders(), selected: within(sel.Contenders, g),
			cases: sel.Cases, layouts: layouts, variant: v, lazy: lazy,
		})
		if err != nil {
			return nil, err
		}
		out = append(out, runner{group: g, Runner: r, selected: Names(within(sel.Contenders, g))})
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
	made, err := cfg.make(ctx, sel, Layouts(layouts), Variant{Go: cfg.Go}, false)
	if err != nil {
		return nil, err
	}
	var out []BuiltRunner
	for _, r := range made {
		out = append(out, BuiltRunner{r.Path(0), leftOut(r.Runner, within(sel.Contenders, r.group))})
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
	r.Ready = m.linked(m.at.Runner)
	r.Limits.Memory = max(r.Limits.Memory, m.Run.Plan.Memory)
	r.Garbage = footprintOf(m.Run.Plan)
	return r
}

// linked has layouts linked that were left for later. That is building, which no budget
// counts.
func (m *Measurement) linked(r *build.Runner) func(context.Context, uint64) error {
	return func(ctx context.Context, layout uint64) error {
		start := time.Now()
		if r.Unlinked() == 0 {
			return nil
		}
		if err := r.Linked(ctx, layout); err != nil {
			return err
		}
		m.later(time.Since(start))
		return nil
	}
}

// later moves the end of what is measured, and its beginning, after something that no
// budget counts. Processes that start side by side may call it at the same time; no other
// goroutine reads the two meanwhile.
func (m *Measurement) later(took time.Duration) {
	m.moving.Lock()
	defer m.moving.Unlock()
	m.until = m.until.Add(took)
	if !m.began.IsZero() {
		m.began = m.began.Add(took)
	}
}

// ahead links what was left for later while nothing is timed, until what it returns is
// called. That waits for the layout that is being linked, which no budget counts.
func (m *Measurement) ahead(ctx context.Context) (stop func()) {
	end := m.at.LinkAhead(ctx)
	m.linking = m.at.Unlinked() > 0
	return func() {
		m.linking = false
		start := time.Now()
		end()
		m.later(time.Since(start))
	}
}

// drive returns how the runner's processes are started.
func (r runner) drive(seed uint64) drive.Runner {
	return drive.Runner{
		Binary: func(layout uint64) drive.Binary { return drive.Binary{Path: r.Path(layout)} },
		Limits: drive.Limits{Memory: memoryLimit, Raise: "assay run --memory", Spare: spareLimit, Answer: answerLimit, Hang: hangLimit},
		Seed:   seed, Losses: allLosses(),
	}
}
