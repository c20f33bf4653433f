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

// LaunchesConfig is what Launches needs.
type LaunchesConfig struct {
	Runner
	Pace
	Cells []Cell
}

// A Cell is a cell and how to measure it. Its cases have the controls and floors
// beside them. A cell with no number of Launches gets all.
type Cell = plan.Cell

// Launches measures. All cells advance together, each in proportion to its number of
// launches, so that whatever changes on the machine in the meantime changes for all.
// The Pace says how many there are. The sink gets a Launch record as soon as one is
// done.
//
// A case whose result was seen to be wrong, or that hangs, is excluded. Any other that fails is
// tried alone once, in a process of its own, and excluded if it fails again. One
// that works alone is kept, but not a second time: when it fails in company again, each of
// the others is tried alone, and it is excluded unless one of those fails. Either way the launch is run again, with the cases that are left.
// When the process does not say which case it was, each is tried alone.
//
// What was recorded before an error stays good. The error is the context's, the
// sink's, or that of a runner that cannot be started.
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
	suspected map[result.Case]bool // failed in company, but not alone
	unmarked  map[LaunchKey]bool   // failed without a mark, and no case did alone
}

// launch runs a launch until it succeeds or none of its cases is left.
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

// live returns the cases of a cell that are not excluded, and take part in launch k.
// Where only rare ones are left, they take part in every launch.
func (l *launcher) live(cell Cell, k int) []bench.CaseSpec {
	kept := slices.DeleteFunc(slices.Clone(cell.Cases), func(spec bench.CaseSpec) bool { return l.excluded[cell.Case(spec.Subject)] })
	present := slices.DeleteFunc(slices.Clone(kept), func(spec bench.CaseSpec) bool { return cell.Absent(spec.Subject, k) })
	if len(present) == 0 {
		return kept
	}
	return present
}

// subjects returns each case once, without a role: a control is charged to the
// case that it repeats, a floor to the case that it is the floor of.
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

// persist measures, again if the process is killed from outside.
func (l *launcher) persist(ctx context.Context, cell Cell, k int, live []bench.CaseSpec) (*result.Launch, error) {
	var launch *result.Launch
	err := persist(func() (err error) {
		launch, err = l.measure(ctx, cell, k, live)
		return err
	}, func(f *Failure) { l.event(Repeated{cell.Cell, f}) })
	return launch, err
}

// unseenIn returns which launch of a cell also tries values that are new: one of the first
// two, of which there is at least one.
func (l *launcher) unseenIn(cell Cell) int {
	return int(orderSeed(l.Seed, cell.Cell, 0) % uint64(min(2, len(l.Layouts))))
}

// measure is one process: load, and the rounds of all live cases.
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

// contain finds whom a failure is to be charged to. After it, either a case is
// excluded or one more is suspected, so that the launch ends at some time.
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
		return nil // it is tried once more, and then nobody is left to blame
	}
	for _, spec := range subjects(live) {
		if err := l.tryAlone(ctx, cell, k, live, spec); err != nil {
			return err
		}
	}
	return nil
}

// suspect deals with a case that failed in company.
func (l *launcher) suspect(ctx context.Context, cell Cell, k int, live []bench.CaseSpec, spec bench.CaseSpec, f *Failure) error {
	c := cell.Case(spec.Subject)
	if !l.suspected[c] {
		l.suspected[c] = true
		return l.tryAlone(ctx, cell, k, live, spec)
	}
	// It may have been the doing of another one, whose timer or goroutine was late.
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

// tryAlone runs the launch with one of its live cases, for about as long as with all of
// them, and excludes that if it fails. What it measures is not kept: there is nothing
// beside it to compare it with.
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

// orderSeed returns the seed of the order of a launch's rounds: its own, so
// that no two launches share an order, and the same again in a run with the
// same seed.
func orderSeed(seed uint64, cell result.Cell, k int) uint64 {
	h := fnv.New64a()
	for _, s := range []string{cell.Workload, cell.Size, string(cell.Op)} {
		io.WriteString(h, s)
		h.Write([]byte{0})
	}
	binary.Write(h, binary.LittleEndian, []uint64{seed, uint64(k)})
	return h.Sum64()
}
