package drive

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"assay/bench"
	"assay/internal/host"
	"assay/result"
)

// LockstepConfig configures Lockstep.
type LockstepConfig struct {
	Pace
	// Sides are the runners to compare, at least two. In launch k of a cell, every side uses
	// layout k.
	Sides []Side
	// Cells have the same cases on every side. Lockstep ignores the roles of cases, such as
	// controls and floors.
	Cells []Cell
	// Relay says that all sides are runners of ours. Where processes can inherit pipes, they pass
	// the turn to one another (bench.Relay). Otherwise, and in a launch in which that failed,
	// each process gets a command for each case when it is its turn.
	Relay bool
	// Block is the number of rounds of such a command. 0: blockRounds.
	Block int
	// External is the contender whose runner is the last side, if the sides hold different cases.
	// In that mode, all sides together make one Launch record, which names the external
	// contender. A cell is done when no case of the external contender is left in it. If External
	// is empty, the sides are compared case by case.
	External string
	// Recheck asks the process of the external contender, at the end of a launch, whether a
	// subject that was timed in it still returns what it is given. A failure counts at once, so
	// Recheck asks that process with Session.AskOnce. Nil: there is no such check.
	Recheck func(ctx context.Context, cell result.Cell, who result.Subject, ours, theirs *Session) (*Failure, error)
}

// A Side is one of the runners to compare.
type Side struct {
	// Label names the side in the records: a version or a toolchain.
	Label string
	Runner
	// Holds says whether the cases of a subject are measured on this side; nil: all are.
	Holds func(result.Subject) bool
	// Control says that this side runs the runner of an earlier side with the same label again.
	// Its samples go into the Launch record of that side, in the role of a control. It runs the
	// same cases as that side, because a process that waits longer between its batches is slower:
	// by 3% where the other processes had twelve cases and it had one. Either all sides have a
	// control or none has, because two processes of one file keep its code in the caches for each
	// other.
	Control bool
}

// blockRounds is the number of rounds of a command in lockstep. Fewer rounds bring the samples of
// two sides closer together. More rounds cost less, because a command has an overhead of about
// one batch. On a host with changing neighbours, two consecutive samples say little more than
// one: the correlation of their errors was 0.6, and that of samples from different commands was
// 0.
const blockRounds = 2

// Lockstep compares runners that cannot be one program, such as two versions of a library or two
// toolchains. In each launch every side has a process. These processes are alive at the same time
// and are kept on one CPU; those of the next launch are kept on the next CPU. Processes that are
// not pinned each stay on a CPU with neighbours of its own, so that two processes of the same
// program differ. For each case, the sides run their batches one after the other in random order,
// while the other sides wait. There is one Launch record for each side except controls.
// Samples of the same case, index and round belong together.
//
// If the sides do not use a relay, a process that dies is replaced and warmed up again, and its
// samples of that round are missing. A case that fails twice in a row, or dies twice in one
// launch, is excluded on all sides. Its outcome names the side that failed.
func Lockstep(ctx context.Context, cfg LockstepConfig, sink func(result.Record) error, event func(Event)) (Progress, error) {
	if cfg.Block <= 0 {
		cfg.Block = blockRounds
	}
	l := &lockstep{
		LockstepConfig: cfg, ledger: &ledger{sink: sink, event: event},
		cpus: CPUs(), out: map[result.Case]bool{},
	}
	now, end := l.budgeted()
	s := &sweeper{
		Pace: cfg.Pace, ledger: l.ledger, course: newCourse(cfg.Cells, cfg.Pace),
		measure: l.launch, now: now, sleep: sleep,
		ready: func(ctx context.Context, k int) error { return l.ready(ctx, l.Layouts[k]) },
	}
	err := s.run(ctx)
	return s.state(), end(err)
}

// ready builds the runners of all sides in a layout, in parallel. Each side links one runner at a
// time.
func (l *lockstep) ready(ctx context.Context, layout uint64) error {
	var wg sync.WaitGroup
	errs := make([]error, len(l.Sides))
	for i, s := range l.Sides {
		wg.Go(func() { errs[i] = s.ready(ctx, layout) })
	}
	wg.Wait()
	return cmp.Or(errs...)
}

type lockstep struct {
	LockstepConfig
	*ledger
	cpus []int
	out  map[result.Case]bool
}

// collectorOff keeps the collector of a Go runner off between commands too. A runner switches the
// collector off in a command and on again after it. Each time, the runtime sets a new memory goal
// near zero and returns the rest of the memory to the system. The next batch then has to get the
// memory back page by page. That makes it 15% slower, and by a different amount in each process.
const collectorOff = "GOGC=off"

// A pairing is one launch with the processes of all sides.
type pairing struct {
	*lockstep
	cell  Cell
	index int
	seed  uint64
	sides []*side
	relay *relay // nil: no relay
	// cases shuffles the order of the cases, and turns the order of the sides.
	cases, turns *shuffle
}

// A side is the process of one Side in a launch, with its samples.
type side struct {
	*worker
	label  string
	holds  func(result.Subject) bool
	role   string
	warmed int // value of session.starts at the last warm-up
	series []result.Series
	walks  []int64
}

// live returns the cases of a cell that are not excluded.
func (l *lockstep) live(cell Cell) []bench.CaseSpec {
	return slices.DeleteFunc(subjects(cell.Cases), func(c bench.CaseSpec) bool { return l.out[cell.Case(c.Subject)] })
}

// launch runs one launch on all sides.
func (l *lockstep) launch(ctx context.Context, cell Cell, k int) ([]*result.Launch, error) {
	seed := orderSeed(l.Sides[0].Seed, cell.Cell, k)
	t := &pairing{lockstep: l, cell: cell, index: k, seed: seed, cases: newShuffle(seed, 3), turns: newShuffle(seed, 4)}
	cpu, err := l.turn(l.cpus, k)
	if err != nil {
		return nil, err
	}
	if l.Relay && canRelay {
		if t.relay, err = newRelay(len(l.Sides)); err != nil {
			return nil, err
		}
		defer t.relay.close()
	}
	for i, s := range l.Sides {
		r := s.Runner
		r.Limits.CPUs = cpu
		if t.relay != nil {
			r = r.handing(t.relay.files(i))
		}
		one := &side{label: s.Label, holds: s.Holds}
		if s.Control {
			one.role = result.Control
		}
		if l.External != "" && len(t.liveOn(one)) == 0 {
			if i == len(l.Sides)-1 {
				return nil, nil
			}
			continue // a cell without cases of ours
		}
		one.worker = r.with(collectorOff).worker(l.Layouts[k], cell.Cell, l.event)
		defer one.session.Close()
		t.sides = append(t.sides, one)
	}
	start, before := time.Now(), host.Now()
	if err := t.run(ctx); err != nil {
		return nil, err
	}
	if err := t.recheck(ctx); err != nil {
		return nil, err
	}
	for _, s := range t.sides {
		s.session.Close()
	}
	elapsed := time.Since(start)
	var out []*result.Launch
	for _, s := range t.sides {
		s.series = slices.DeleteFunc(s.series, func(v result.Series) bool { return l.out[cell.Case(v.Subject)] })
		if s.role == result.Control {
			i := slices.IndexFunc(out, func(l *result.Launch) bool { return l.Side == s.label })
			out[i].Series = append(out[i].Series, s.series...)
			continue
		}
		if len(s.series) == 0 && (l.External == "" || s == t.sides[len(t.sides)-1]) {
			return nil, nil
		}
		launch := &result.Launch{
			Cell: cell.Cell, Layout: l.Layouts[k], Side: s.label, Index: k, Seed: seed, Warmup: cell.Warmup,
			Elapsed: int64(elapsed), Series: s.series, Sentinel: s.walks,
		}
		before.Record(launch)
		out = append(out, launch)
	}
	if l.External != "" {
		return []*result.Launch{l.together(out)}, nil
	}
	return out, nil
}

// together merges the launches of the sides into one launch.
func (l *lockstep) together(sides []*result.Launch) *result.Launch {
	one := sides[0]
	one.External = l.External
	for _, s := range sides[1:] {
		one.Series = append(one.Series, s.Series...)
		if len(one.Sentinel) == 0 {
			one.Sentinel = s.Sentinel
		}
	}
	return one
}

// liveOn returns the cases of the launch's cell that are measured on a side.
func (t *pairing) liveOn(s *side) []bench.CaseSpec {
	return slices.DeleteFunc(t.live(t.cell), func(c bench.CaseSpec) bool { return !s.has(c.Subject) })
}

// has says whether the cases of a subject are measured on this side.
func (s *side) has(who result.Subject) bool { return s.holds == nil || s.holds(who) }

// run runs the rounds of a launch.
func (t *pairing) run(ctx context.Context) error {
	for _, s := range rotated(t.sides, t.index, len(t.cpus)) {
		if err := t.warm(ctx, s); err != nil {
			return err
		}
		if err := t.notePinning(s.session.proc); err != nil {
			return err
		}
	}
	if t.relay != nil {
		if done, err := t.relayed(ctx); done || err != nil {
			return err
		}
	}
	for round := 0; round < t.cell.Rounds; round += t.Block {
		if err := t.block(ctx, round); err != nil {
			return err
		}
	}
	return nil
}

// block runs the batches of every case on every side, for Block rounds from a round on.
func (t *pairing) block(ctx context.Context, round int) error {
	live := t.live(t.cell)
	for _, i := range t.cases.next(len(live)) {
		if (round/t.Block)%max(1, live[i].Every) != 0 {
			continue
		}
		for _, k := range t.turns.next(len(t.sides)) {
			if !t.sides[k].has(live[i].Subject) {
				continue
			}
			if err := t.turn(ctx, t.sides[k], live[i], round); err != nil {
				return err
			}
		}
	}
	return nil
}

// turn runs the batches of one case on one side.
func (t *pairing) turn(ctx context.Context, s *side, spec bench.CaseSpec, round int) error {
	if s.session.starts != s.warmed {
		if err := t.warm(ctx, s); err != nil {
			return err
		}
	}
	m, fresh, err := t.ask(ctx, s, spec, min(t.Block, t.cell.Rounds-round), false)
	if err != nil || m == nil || fresh {
		return err
	}
	s.keep(spec, m.Series[0], round)
	return nil
}

// warm runs the warm-up of every case on one side, in a single process. The sentinel walks are
// measured here, because between batches they would evict the next process's data from the
// caches.
func (t *pairing) warm(ctx context.Context, s *side) error {
	for again := true; again; {
		again, s.walks = false, nil
		for i, spec := range t.liveOn(s) {
			walk := s.walks == nil
			m, fresh, err := t.ask(ctx, s, spec, max(1, t.cell.Warmup), walk)
			if err != nil {
				return err
			}
			if m != nil && walk {
				s.walks = m.Sentinel
			}
			again = again || fresh && i > 0
		}
		again = again || s.session.proc == nil && len(t.liveOn(s)) > 0
	}
	s.warmed = s.session.starts
	return nil
}

// ask asks one side for rounds of one case. If the case fails, ask excludes it and returns no
// answer. If the values cannot be made, it excludes all cases of the side.
func (t *pairing) ask(ctx context.Context, s *side, spec bench.CaseSpec, rounds int, walk bool) (m *bench.Measured, fresh bool, err error) {
	if t.out[t.cell.Case(spec.Subject)] {
		return nil, false, nil
	}
	spec.Every = 0
	a, fresh, f, err := s.worker.ask(ctx, spec.Subject, bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{
		Cases: []bench.CaseSpec{spec}, Rounds: rounds, Sentinel: walk, Garbage: s.session.runner.Garbage,
	}})
	if err != nil {
		return nil, false, err
	}
	if f != nil {
		lost := []bench.CaseSpec{spec}
		if f.Loading {
			lost = t.liveOn(s)
		}
		for _, spec := range lost {
			c := t.cell.Case(spec.Subject)
			t.out[c] = true
			if err := t.excludeSide(c, f, s.label); err != nil {
				return nil, false, err
			}
		}
		return nil, false, nil
	}
	return a.Measured, fresh, t.noteVarying(t.cell.Cell, []bench.CaseSpec{spec}, a.Measured.Varying)
}

// recheck excludes the cases of the external contender that return something else at the end of
// the launch. It does nothing in a cell without a process of ours, because there is nothing to
// compare with.
func (t *pairing) recheck(ctx context.Context) error {
	if t.Recheck == nil || len(t.sides) < 2 {
		return nil
	}
	ours, theirs := t.sides[0], t.sides[len(t.sides)-1]
	timed := theirs.session.proc
	for _, spec := range t.liveOn(theirs) {
		c := t.cell.Case(spec.Subject)
		f, err := t.Recheck(ctx, t.cell.Cell, spec.Subject, ours.session, theirs.session)
		if err == nil && f == nil && theirs.session.proc != timed {
			err = t.note(c.String() + ": its process ended before the check at the end of a launch, which a new process did")
		}
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		t.out[c] = true
		if err := t.excludeSide(c, f, theirs.label); err != nil {
			return err
		}
	}
	return nil
}

// keep appends samples to the series of a case. Their rounds are counted from round.
func (s *side) keep(spec bench.CaseSpec, got result.Series, round int) {
	i := slices.IndexFunc(s.series, func(v result.Series) bool { return v.Subject == spec.Subject })
	if i < 0 {
		i = len(s.series)
		s.series = append(s.series, result.Series{Subject: spec.Subject, Role: s.role, N: spec.N})
	}
	v := &s.series[i]
	if len(v.Round) > 0 && len(got.Round) > 0 && (len(v.CPU) > 0) != (len(got.CPU) > 0) {
		v.CPU, got.CPU = nil, nil // either all samples have CPU times or none
	}
	for _, r := range got.Round {
		v.Round = append(v.Round, round+r)
	}
	v.Wall = append(v.Wall, got.Wall...)
	v.CPU = append(v.CPU, got.CPU...)
	v.Others, v.Waits = v.Others+got.Others, v.Waits+got.Waits
	v.Left, v.Fresh = max(v.Left, got.Left), v.Fresh || got.Fresh
}
