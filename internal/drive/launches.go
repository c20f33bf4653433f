package drive

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"slices"

	"assay/bench"
	"assay/internal/host"
	"assay/internal/plan"
	"assay/result"
)

// LaunchesConfig configures Launches.
type LaunchesConfig struct {
	Runner
	Pace
	Cells []Cell
}

// A Cell is a cell and how to measure it. Its cases include controls and floors. A cell with
// Launches 0 gets all launches.
type Cell = plan.Cell

// Launches runs the pass of launches. All cells advance together, each in proportion to its
// number of launches, so that a change of the machine during the pass affects all cells. The Pace
// decides how many launches there are. The sink gets the record of a launch as soon as the launch
// is done.
//
// A case whose result was seen to be wrong, or that hangs, is excluded at once. Any other case
// that fails is tried once alone, in a new process, and is excluded if it fails again. If it
// works alone, it is kept the first time. If it fails beside others a second time, each of the
// others is tried alone, and the case is excluded unless one of them fails. If the process does
// not say which case failed, each case is tried alone. In all of these situations the launch is
// run again with the cases that are left.
//
// Records that were stored before an error stay valid. The error is that of the context, of the
// sink, or of a runner that cannot be started.
func Launches(ctx context.Context, cfg LaunchesConfig, sink func(result.Record) error, event func(Event)) (Progress, error) {
	l := &launcher{
		LaunchesConfig: cfg,
		ledger:         &ledger{sink: sink, event: event},
		excluded:       map[result.Case]bool{},
		suspected:      map[result.Case]bool{},
		unmarked:       map[LaunchKey]bool{},
	}
	now, end := l.budgeted()
	s := &sweeper{
		Pace: cfg.Pace, ledger: l.ledger, course: newCourse(cfg.Cells, cfg.Pace),
		measure: l.launch, now: now, sleep: sleep,
		ready: func(ctx context.Context, k int) error { return cfg.ready(ctx, cfg.Layouts[k]) },
	}
	err := s.run(ctx)
	return s.state(), end(err)
}

type launcher struct {
	LaunchesConfig
	*ledger
	excluded  map[result.Case]bool
	suspected map[result.Case]bool // failed beside others, but not alone
	unmarked  map[LaunchKey]bool   // failed without naming a case, and no case failed alone
}

// launch runs a launch until it succeeds or no case is left.
func (l *launcher) launch(ctx context.Context, cell Cell, k int) ([]*result.Launch, error) {
	for {
		live := l.live(cell, k)
		if len(live) == 0 {
			return nil, nil
		}
		launch, err := l.persist(ctx, cell, k, live)
		if err == nil {
			return []*result.Launch{launch}, nil
		}
		var f *Failure
		if !errors.As(err, &f) {
			return nil, err
		}
		if err := l.contain(ctx, cell, k, live, f); err != nil {
			return nil, err
		}
		if len(l.live(cell, k)) > 0 {
			l.event(Repeated{cell.Cell, f})
		}
	}
}

// live returns the cases of a cell that are not excluded and take part in launch k. If only rare
// cases are left, they take part in every launch.
func (l *launcher) live(cell Cell, k int) []bench.CaseSpec {
	kept := slices.DeleteFunc(slices.Clone(cell.Cases), func(spec bench.CaseSpec) bool { return l.excluded[cell.Case(spec.Subject)] })
	present := slices.DeleteFunc(slices.Clone(kept), func(spec bench.CaseSpec) bool { return cell.Absent(spec.Subject, k) })
	if len(present) == 0 {
		return kept
	}
	return present
}

// subjects returns each case once, without a role. A failure of a control is charged to the case
// that it repeats, and a failure of a floor to the case whose floor it is.
func subjects(specs []bench.CaseSpec) []bench.CaseSpec {
	var out []bench.CaseSpec
	for _, spec := range specs {
		spec.Role = ""
		if !slices.ContainsFunc(out, func(o bench.CaseSpec) bool { return o.Subject == spec.Subject }) {
			out = append(out, spec)
		}
	}
	return out
}

// persist measures a launch, and repeats it if its process is killed from outside.
func (l *launcher) persist(ctx context.Context, cell Cell, k int, live []bench.CaseSpec) (*result.Launch, error) {
	var launch *result.Launch
	err := persist(func() (err error) {
		launch, err = l.measure(ctx, cell, k, live)
		return err
	}, func(f *Failure) { l.event(Repeated{cell.Cell, f}) })
	return launch, err
}

// unseenIn returns the launch of a cell that also runs on new values: one of the first two
// launches. There must be at least one layout.
func (l *launcher) unseenIn(cell Cell) int {
	return int(orderSeed(l.Seed, cell.Cell, 0) % uint64(min(2, len(l.Layouts))))
}

// measure runs one process: it loads the values and runs the rounds of all live cases.
func (l *launcher) measure(ctx context.Context, cell Cell, k int, live []bench.CaseSpec) (*result.Launch, error) {
	layout := l.Layouts[k]
	seed := orderSeed(l.Seed, cell.Cell, k)
	before := host.Now()
	p, err := l.start(ctx, layout, cell.Workload, cell.Size)
	if err != nil {
		return nil, err
	}
	answer, err := do(p, bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{
		Cases: live, Warmup: cell.Warmup, Rounds: cell.Rounds, Seed: seed,
		Sentinel: true, Garbage: l.Garbage, Unseen: k == l.unseenIn(cell), Last: true,
	}})
	elapsed := p.Close()
	if err == nil {
		err = l.noteVarying(cell.Cell, live, answer.Measured.Varying)
	}
	if err != nil {
		return nil, err
	}
	launch := &result.Launch{
		Cell: cell.Cell, Layout: layout, Index: k, Seed: seed, Warmup: cell.Warmup,
		Elapsed: int64(elapsed), Series: answer.Measured.Series, Sentinel: answer.Measured.Sentinel,
	}
	before.Record(launch)
	return launch, nil
}

// contain finds the case to charge a failure to. Each call excludes a case, suspects one more
// case, or records that the launch failed without naming a case. Therefore a launch is repeated a
// limited number of times.
func (l *launcher) contain(ctx context.Context, cell Cell, k int, live []bench.CaseSpec, f *Failure) error {
	if !f.Loading && f.Case != nil {
		for _, spec := range subjects(live) {
			if spec.Subject == f.Case.Subject && f.once() {
				c := cell.Case(spec.Subject)
				l.excluded[c] = true
				return l.exclude(c, f)
			}
			if spec.Subject == f.Case.Subject {
				return l.suspect(ctx, cell, k, live, spec, f)
			}
		}
	}
	key := LaunchKey{cell.Cell, k}
	if l.unmarked[key] {
		return l.excludeAll(cell, live, f)
	}
	l.unmarked[key] = true
	if f.Loading {
		return nil // the launch is tried once more, and then all cases are excluded
	}
	for _, spec := range subjects(live) {
		if err := l.tryAlone(ctx, cell, k, live, spec); err != nil {
			return err
		}
	}
	return nil
}

// suspect handles a case that failed beside others.
func (l *launcher) suspect(ctx context.Context, cell Cell, k int, live []bench.CaseSpec, spec bench.CaseSpec, f *Failure) error {
	c := cell.Case(spec.Subject)
	if !l.suspected[c] {
		l.suspected[c] = true
		return l.tryAlone(ctx, cell, k, live, spec)
	}
	// Another case may have caused the failure, for example by a timer or goroutine that ran
	// late.
	excluded := len(l.excluded)
	for _, other := range subjects(live) {
		if other.Subject != spec.Subject {
			if err := l.tryAlone(ctx, cell, k, live, other); err != nil {
				return err
			}
		}
	}
	if len(l.excluded) > excluded {
		return nil
	}
	again := *f
	again.Reason += " (twice beside others, not alone)"
	l.excluded[c] = true
	return l.exclude(c, &again)
}

// tryAlone runs the launch with one of its live cases, for about as long as the launch with all
// of them, and excludes the case if it fails. It drops the samples, because there is nothing
// beside them to compare them with.
func (l *launcher) tryAlone(ctx context.Context, cell Cell, k int, live []bench.CaseSpec, spec bench.CaseSpec) error {
	cell.Rounds *= len(live)
	_, err := l.persist(ctx, cell, k, []bench.CaseSpec{spec})
	var f *Failure
	if !errors.As(err, &f) {
		return err
	}
	c := cell.Case(spec.Subject)
	l.excluded[c] = true
	return l.exclude(c, f)
}

func (l *launcher) excludeAll(cell Cell, live []bench.CaseSpec, f *Failure) error {
	for _, spec := range subjects(live) {
		c := cell.Case(spec.Subject)
		l.excluded[c] = true
		if err := l.exclude(c, f); err != nil {
			return err
		}
	}
	return nil
}

// orderSeed returns the seed for the order of a launch's rounds. Each launch of a run has a seed
// of its own, and gets the same one in another run with the same seed.
func orderSeed(seed uint64, cell result.Cell, k int) uint64 {
	h := fnv.New64a()
	for _, s := range []string{cell.Workload, cell.Size, string(cell.Op)} {
		io.WriteString(h, s)
		h.Write([]byte{0})
	}
	binary.Write(h, binary.LittleEndian, []uint64{seed, uint64(k)})
	return h.Sum64()
}
