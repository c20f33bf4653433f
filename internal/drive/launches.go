package drive

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"time"

	"assay/bench"
	"assay/result"
)

// LaunchesConfig is what Launches needs.
type LaunchesConfig struct {
	Runner
	// Layouts are the seeds of the link layouts. Launch k of every cell is of
	// layout k.
	Layouts []uint64
	Cells   []Cell
	// Budget ends the pass at the first end of a launch after it. 0: no budget.
	Budget time.Duration
	// Skip are the launches that were measured before.
	Skip map[LaunchKey]bool
}

// A Cell is a cell and how to measure it.
type Cell struct {
	result.Cell
	// Cases are those that take part, with their N and stride.
	Cases  []bench.CaseSpec
	Warmup int // rounds
	Rounds int
	// Limit ends a launch's rounds early once they have taken this long. 0: no
	// limit.
	Limit time.Duration
}

// A LaunchKey names a launch.
type LaunchKey struct {
	Cell  result.Cell
	Index int
}

// Progress is how far Launches came.
type Progress struct {
	// Launches are how many each cell has, those that were skipped included.
	Launches map[result.Cell]int
	// Outcomes are those of the cases that were excluded.
	Outcomes []result.Outcome
	// OverBudget says that the budget ended the pass.
	OverBudget bool
}

// Launches measures. It runs launch k of every cell before launch k+1 of any,
// so that whatever changes on the machine in the meantime changes for all. The
// sink gets a Launch record as soon as one is done.
//
// A case that fails is tried alone once, in a process of its own, and excluded
// if it fails again. One that works alone is kept, but not a second time: it is
// excluded when it fails in company again. Either way the launch is run again,
// with the cases that are left. When the process does not say which case it
// was, each is tried alone.
//
// What was recorded before an error stays good. The error is the context's, the
// sink's, or that of a runner that cannot be started.
func Launches(ctx context.Context, cfg LaunchesConfig, sink func(result.Record) error, event func(Event)) (Progress, error) {
	l := &launcher{
		LaunchesConfig: cfg,
		ledger:         ledger{sink: sink, event: event},
		excluded:       map[result.Case]bool{},
		suspected:      map[result.Case]bool{},
		varying:        map[result.Case]bool{},
		unmarked:       map[LaunchKey]bool{},
		progress:       Progress{Launches: map[result.Cell]int{}},
	}
	err := l.run(ctx)
	l.progress.Outcomes = l.outcomes
	return l.progress, err
}

type launcher struct {
	LaunchesConfig
	ledger
	excluded  map[result.Case]bool
	suspected map[result.Case]bool // failed in company, but not alone
	varying   map[result.Case]bool // noted as such
	unmarked  map[LaunchKey]bool   // failed without a mark, and no case did alone
	progress  Progress
	done      int
	total     int
}

func (l *launcher) run(ctx context.Context) error {
	for _, c := range l.Cells {
		l.progress.Launches[c.Cell] = 0
		for k := range l.Layouts {
			if l.Skip[LaunchKey{c.Cell, k}] {
				l.progress.Launches[c.Cell]++
			} else {
				l.total++
			}
		}
	}
	l.event(PassStarted{"launches", l.total})
	start := time.Now()
	for k := range l.Layouts {
		for _, c := range l.Cells {
			if l.Skip[LaunchKey{c.Cell, k}] {
				continue
			}
			if l.Budget > 0 && time.Since(start) >= l.Budget {
				l.progress.OverBudget = true
				return nil
			}
			if err := l.launch(ctx, c, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// launch runs a launch until it succeeds or none of its cases is left.
func (l *launcher) launch(ctx context.Context, cell Cell, k int) error {
	for {
		live := l.live(cell)
		if len(live) == 0 {
			l.total--
			return nil
		}
		launch, err := l.persist(ctx, cell, k, live)
		if err == nil {
			return l.record(cell, k, launch)
		}
		var f *Failure
		if !errors.As(err, &f) {
			return err
		}
		if err := l.contain(ctx, cell, k, live, f); err != nil {
			return err
		}
		if len(l.live(cell)) > 0 {
			l.event(Repeated{cell.Cell, f})
		}
	}
}

func (l *launcher) record(cell Cell, k int, launch *result.Launch) error {
	if err := l.sink(result.Record{Time: time.Now(), Launch: launch}); err != nil {
		return err
	}
	l.done++
	l.progress.Launches[cell.Cell]++
	l.event(LaunchDone{cell.Cell, launch.Layout, k, l.done, l.total, time.Duration(launch.Elapsed)})
	return nil
}

// live returns the cases of a cell that are not excluded.
func (l *launcher) live(cell Cell) []bench.CaseSpec {
	var live []bench.CaseSpec
	for _, spec := range cell.Cases {
		if !l.excluded[cell.Case(spec.Subject)] {
			live = append(live, spec)
		}
	}
	return live
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

// measure is one process: load, and the rounds of all live cases.
func (l *launcher) measure(ctx context.Context, cell Cell, k int, live []bench.CaseSpec) (*result.Launch, error) {
	layout := l.Layouts[k]
	seed := orderSeed(l.Seed, cell.Cell, k)
	p, err := l.start(ctx, layout, cell.Workload, cell.Size)
	if err != nil {
		return nil, err
	}
	answer, err := do(p, bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{
		Cases: live, Warmup: cell.Warmup, Rounds: cell.Rounds, Seed: seed, LimitNS: int64(cell.Limit),
	}})
	elapsed := p.Close()
	if err == nil {
		err = l.noteVarying(cell, live, answer.Measured.Varying)
	}
	if err != nil {
		return nil, err
	}
	return &result.Launch{
		Cell: cell.Cell, Layout: layout, Index: k, Seed: seed, Warmup: cell.Warmup,
		Elapsed: int64(elapsed), Series: answer.Measured.Series,
	}, nil
}

// noteVarying records, once, that the work of a case could not be checked.
func (l *launcher) noteVarying(cell Cell, live []bench.CaseSpec, varying []int) error {
	for _, i := range varying {
		c := cell.Case(live[i].Subject)
		if l.varying[c] {
			continue
		}
		l.varying[c] = true
		text := c.String() + ": what its operations return changes from call to call, so its batches were not checked"
		if err := l.sink(result.Record{Time: time.Now(), Note: &result.Note{Text: text}}); err != nil {
			return err
		}
	}
	return nil
}

// contain finds whom a failure is to be charged to. After it, either a case is
// excluded or one more is suspected, so that the launch ends at some time.
func (l *launcher) contain(ctx context.Context, cell Cell, k int, live []bench.CaseSpec, f *Failure) error {
	if !f.Loading && f.Case != nil {
		for _, spec := range live {
			if spec.Subject == f.Case.Subject {
				return l.suspect(ctx, cell, k, spec, f)
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
	for _, spec := range live {
		if err := l.tryAlone(ctx, cell, k, spec); err != nil {
			return err
		}
	}
	return nil
}

// suspect deals with a case that failed in company.
func (l *launcher) suspect(ctx context.Context, cell Cell, k int, spec bench.CaseSpec, f *Failure) error {
	c := cell.Case(spec.Subject)
	if !l.suspected[c] {
		l.suspected[c] = true
		return l.tryAlone(ctx, cell, k, spec)
	}
	again := *f
	again.Reason += " (twice beside others, not alone)"
	l.excluded[c] = true
	return l.exclude(c, &again)
}

// tryAlone runs the launch with one case and excludes that if it fails. What it
// measures is not kept: there is nothing beside it to compare it with.
func (l *launcher) tryAlone(ctx context.Context, cell Cell, k int, spec bench.CaseSpec) error {
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
	for _, spec := range live {
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
