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

// A runnerOrder says what a runner is to contain.
type runnerOrder struct {
	group string
	// linked are the contenders to link, as far as they belong to the group. selected are the
	// contenders that were asked for.
	linked, selected []*contender.Contender
	cases            []result.Case
	layouts          []uint64 // the ordinary layout and random ones
	variant          Variant
	side             string // label of a version that is compared with another
	lazy             bool   // all layouts except the first are linked later
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

// leftOut returns the selected contenders that a runner lacks.
func leftOut(r *build.Runner, sel []*contender.Contender) []LeftOut {
	var out []LeftOut
	for _, c := range sel {
		if f, ok := r.Failed[c.Name]; ok {
			out = append(out, LeftOut{c.Name, f.Workloads, f.Reason})
		}
	}
	return out
}

// make builds the runners of a selection, one for each group, and reports the selected contenders
// that could not be built. If no contender of a group can be built, the other groups are not
// affected.
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

// A BuiltRunner is the runner of a group of contenders, built before it is used.
type BuiltRunner struct {
	// Path is the program of the ordinary layout.
	Path string
	// LeftOut are the selected contenders that it lacks.
	LeftOut []LeftOut
}

// Build builds the runners of a selection in the ordinary layout and a number of random ones.
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

// KeptRunners returns the runners in the cache, the last used one first.
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

// drive returns the drive.Runner of the runner that is being measured.
func (m *Measurement) drive() drive.Runner {
	r := m.at.drive(m.Run.Seed)
	r.Data = m.cfg.Input.timed()
	r.Ready = m.linked(m.at.Runner)
	r.Limits.Memory = max(r.Limits.Memory, m.Run.Plan.Memory)
	r.Garbage = footprintOf(m.Run.Plan)
	return r
}

// linked returns a func that links a layout that was left for later. The time for that is build
// time, which no budget counts.
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

// later moves the end and the beginning of measuring by the time of something that no budget
// counts. Processes that start at the same time may call it concurrently. No other goroutine may
// read the two times meanwhile.
func (m *Measurement) later(took time.Duration) {
	m.moving.Lock()
	defer m.moving.Unlock()
	m.until = m.until.Add(took)
	if !m.began.IsZero() {
		m.began = m.began.Add(took)
	}
}

// ahead links layouts that were left for later, while nothing is timed, until the caller calls
// stop. stop waits for the layout that is being linked; no budget counts that wait.
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

// drive returns the drive.Runner of the runner's processes.
func (r runner) drive(seed uint64) drive.Runner {
	return drive.Runner{
		Binary: func(layout uint64) drive.Binary { return drive.Binary{Path: r.Path(layout)} },
		Limits: drive.Limits{Memory: memoryLimit, Raise: "assay run --memory", Spare: spareLimit, Answer: answerLimit, Hang: hangLimit},
		Seed:   seed, Losses: allLosses(),
	}
}
