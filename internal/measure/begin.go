package measure

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"assay/internal/host"
	"assay/internal/plan"
	"assay/result"
)

// An Order says what a new run is to be.
type Order struct {
	// Plan says what is measured and within which limits. Selection has the plan's cases, and
	// outcomes of those that are ruled out. Begin fills in what the plan says about the input and
	// external contenders.
	Plan      result.Plan
	Selection plan.Selection
	Externals Externals
	// Seed is the seed of the values of built-in workloads.
	Seed uint64
	// Variant says how the runners are built.
	Variant Variant
}

// Begin builds the runners of a new run and makes its directory. The caller must close the
// returned Measurement.
func (cfg *Config) Begin(ctx context.Context, o Order) (*Measurement, error) {
	if err := cfg.Writable(); err != nil {
		return nil, err
	}
	m := &Measurement{cfg: cfg, sel: o.Selection, Externals: o.Externals}
	if err := m.build(ctx, o.Plan.Layouts, o.Variant); err != nil {
		return nil, err
	}
	o.Plan.Data, o.Plan.Externals = cfg.Input.data(), o.Externals.kept()
	return m, m.create(o.Plan, o.Seed)
}

// build generates the code for the selection and builds the runners.
func (m *Measurement) build(ctx context.Context, layouts []uint64, v Variant) error {
	err := m.cfg.Input.prepare(ctx, m.cfg, &m.sel, m.Externals.ours(m.sel).Contenders)
	if err == nil {
		m.runners, err = m.cfg.make(ctx, m.Externals.ours(m.sel), layouts, v, true)
	}
	return err
}

// create makes the run and its directory. It stores what is ruled out at once, because a resumed run
// does not plan again.
func (m *Measurement) create(p result.Plan, seed uint64) error {
	m.Run = m.cfg.newRun(p, seed, m.runners.built())
	if len(m.versions) > 1 {
		m.Run.SecondBuild = &m.versions[1].Build
	}
	var err error
	if m.store, err = m.cfg.create(m.Run); err != nil {
		return err
	}
	if _, err := m.outcome(m.sel.Outcomes); err != nil {
		return errors.Join(err, m.store.Close())
	}
	return nil
}

// Dir returns the run's directory.
func (m *Measurement) Dir() string { return m.store.Dir() }

// Selected returns the cases of the run and what is known of them before measuring.
func (m *Measurement) Selected() plan.Selection { return m.sel }

// Close closes the run's store and releases its lock. All stored measurements are kept.
func (m *Measurement) Close() error {
	if m.store == nil {
		return nil
	}
	return m.store.Close()
}

// A Continuation says how a stored run is resumed.
type Continuation struct {
	// Originals says that the run is one of published benchmarks and of their cases.
	Originals bool
	// Runners are the current directories of those external contenders of the run that have moved
	// since it began.
	Runners []string
	// Variant says how the runners are built, as in Order.
	Variant Variant
}

// Reopen opens a stored run to resume it, and builds its runners. These must be the same as when
// the run began. The caller must close the returned Measurement.
func (cfg *Config) Reopen(ctx context.Context, dir string, how Continuation) (*Measurement, error) {
	s, run, records, err := cfg.open(dir)
	if err != nil {
		return nil, err
	}
	m := &Measurement{cfg: cfg, store: s, Run: run, Records: records}
	if err := m.reopened(ctx, how); err != nil {
		s.Close()
		return nil, err
	}
	return m, nil
}

// reopened checks that a run can be resumed, and builds its runners.
func (m *Measurement) reopened(ctx context.Context, how Continuation) error {
	run := m.Run
	switch command := run.Command(); {
	case len(run.Plan.Cases) == 0:
		return refuse("run %s has no cases, only published benchmarks, which are run anew: assay exhibits", run.ID)
	case command == "":
		return refuse("run %s compares two versions, which are compared anew: assay compare", run.ID)
	case how.Originals != (command == "reproduce") || command == "buildcost" || !m.cfg.Input.Keeps(command):
		return refuse("go on with run %s by %s", run.ID, run.Resume())
	}
	here := host.Facts()
	err := begunHere(run, here)
	if err != nil {
		return err
	}
	if m.Externals, err = m.cfg.inviteAgain(ctx, run, how.Runners); err != nil {
		return err
	}
	if m.sel, err = m.cfg.planned(run.Plan.Cases, m.stored()); err != nil {
		return err
	}
	how.Variant.Go = cmp.Or(how.Variant.Go, m.cfg.Go)
	if err := m.build(ctx, run.Plan.Layouts, how.Variant); err != nil {
		return err
	}
	if key := m.runners.built().Key; key != run.Build.Key {
		return refuse("run %s was made with another runner (%.12s, now %.12s): the tool, a library or the Go toolchain has changed since, or --go or --with differ; go on with those, or start a new run", run.ID, run.Build.Key, key)
	}
	return m.noteKernel(here)
}

// planned returns the selection of a stored run's cases as it was when the run was planned. Its
// contenders include those that failed while measuring or did not build, because they are in the
// runners that the run began with.
func (cfg *Config) planned(cases []result.Case, stored []result.Outcome) (plan.Selection, error) {
	again := plan.Selection{Cases: cases}
	if Alone(cases) {
		again.Outcomes = cfg.unheld(cases)
	} else {
		var err error
		// The memory limit of the plan is unknown, so no case is ruled out for its memory here.
		if again, err = cfg.explicit(cases, plan.Options{Memory: math.MaxInt64}); err != nil {
			return again, err
		}
		again.Outcomes = append(again.Outcomes, ofWholeSizes(cases, stored)...)
	}
	cfg.keepLive(&again)
	return plan.Selection{Cases: cases, Contenders: again.Contenders}, nil
}

// unheld returns the outcomes of streams and whole values whose contender cannot hold the
// workload.
func (cfg *Config) unheld(cases []result.Case) []result.Outcome {
	type of struct{ contender, workload string }
	refused := map[of]bool{}
	for _, c := range cfg.Input.Contenders() {
		for _, w := range cfg.Input.Workloads() {
			has := func(one result.Case) bool { return one.Contender == c.Name && one.Workload == w.Name }
			refused[of{c.Name, w.Name}] = slices.ContainsFunc(cases, has) && cfg.Input.Holds(c, w) != nil
		}
	}
	var out []result.Outcome
	for _, c := range cases {
		if refused[of{c.Contender, c.Workload}] {
			out = append(out, result.Outcome{Case: c, Status: result.Unsupported})
		}
	}
	return out
}

// ofWholeSizes returns the outcomes of sizes whose cases are all unsupported, such as sizes that
// take too much memory.
func ofWholeSizes(cases []result.Case, stored []result.Outcome) []result.Outcome {
	type of struct{ workload, size string }
	unsupported := slices.DeleteFunc(slices.Clone(stored), func(o result.Outcome) bool { return o.Status != result.Unsupported })
	some := map[of]bool{}
	for _, c := range plan.Without(cases, unsupported) {
		some[of{c.Workload, c.Size}] = true
	}
	return slices.DeleteFunc(unsupported, func(o result.Outcome) bool { return some[of{o.Case.Workload, o.Case.Size}] })
}
