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

// LockstepConfig is what Lockstep needs.
type LockstepConfig struct {
	Pace
	// Sides are the runners to compare, at least two. Launch k of a cell has
	// layout k of every side.
	Sides []Side
	// Cells have the same cases on every side. What they are for besides that,
	// such as controls and floors, has no place here.
	Cells []Cell
	// Relay says that all sides are runners of ours. Where the system lets processes inherit
	// pipes, they pass the turn to one another (bench.Relay). Otherwise, and in a launch in
	// which that failed, each is told when it is its turn, by a command for each case.
	Relay bool
	// Block is how many rounds such a command asks for. 0: as many as the constant says.
	Block int
	// External is the contender whose runner is the last of the sides, where they
	// hold different cases instead of the same: then all sides make one Launch
	// record, which names the external contender, and a cell is over when none of the external contender's
	// cases is left in it. Empty: the sides are compared case by case.
	External string
	// Recheck asks the external contender's process, at the end of a launch, whether a subject that
	// was timed in it still returns what it is given. Nil: nobody does.
	Recheck func(ctx context.Context, cell result.Cell, who result.Subject, ours, theirs *Session) (*Failure, error)
}

// A Side is one of the runners that are compared.
type Side struct {
	// Label names it in the records: a version, a toolchain.
	Label string
	Runner
	// Holds says whose cases are measured on this side; nil: all.
	Holds func(result.Subject) bool
	// Control says that this is the runner of an earlier side with this label once more:
	// its samples go into the launch of that, in the role of a control. It runs the same
	// cases: a process that waits longer between its batches is slower, by 3% where the
	// others had twelve cases and it had one. Either all sides have a control or none
	// has: two processes of one file keep its code in the caches for one another.
	Control bool
}

// blockRounds is how many rounds a command asks for in lock step. Fewer bring the samples of two
// sides closer together, more cost less: a command takes about as long as a batch besides.
// On a host whose neighbours come and go, two samples right after one another say little more
// than one: their errors were correlated by 0.6, those of two commands not at all.
const blockRounds = 2

// Lockstep compares runners that cannot be one program: two versions of a
// library, or two toolchains. For each launch every side has a process. They are
// alive together and kept on one CPU, those of the next launch on the next:
// processes that are not pinned stay each on a CPU of its own, with neighbours
// of its own, and differ from themselves. For each case in turn every side runs
// its batches while the others wait for their turn, in random order. There is one
// Launch record for each side but a control; samples of the same case, index and
// round belong together.
//
// Of sides that are told their turns, a process that dies is replaced, its samples
// of that round are missing, and it is warmed up again. A case that fails twice in
// a row, or dies twice in one launch, is excluded on all sides, with an outcome
// that names the side that failed.
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

// ready has the runners of all sides made of a layout, side by side: each has one link at a
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

// collectorOff keeps the collector of a Go runner off between commands too. A
// runner switches it off in a command and back on after; each time the runtime
// sets itself a new goal for the memory to keep, near nothing, and returns the
// rest to the system. The next batch then has to get it back page by page, which
// makes it 15% slower, in one process more than in another.
const collectorOff = "GOGC=off"

// A pairing is one launch: the processes of all sides.
type pairing struct {
	*lockstep
	cell  Cell
	index int
	seed  uint64
	sides []*side
	relay *relay // nil: there is none
	// cases and turns are the orders of the cases and of the sides.
	cases, turns *shuffle
}

// A side is the process of one side in a launch and its samples.
type side struct {
	*worker
	label  string
	holds  func(result.Subject) bool
	role   string
	warmed int // the session's starts when it was last warmed
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
			continue // a cell without the reference
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

// together makes one launch of those of the sides.
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

// has says whether a subject is measured on the side.
func (s *side) has(who result.Subject) bool { return s.holds == nil || s.holds(who) }

// run runs the rounds of a launch.
func (t *pairing) run(ctx context.Context) error {
	for _, s := range rotated(t.sides, t.index) {
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

// block has every case run its batches on every side, from a round on.
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

// turn has one case run its batches on one side.
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

// warm runs the warm-up of every case on one side, all in one process. The walks
// of the sentinel are made then: in between they would take the caches from
// whoever comes next.
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

// ask asks one side for rounds of one case. There is no answer when the case is
// given up, and all of them are when the values cannot be made.
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

// recheck excludes those of the guest's cases that return something else by now. A cell
// without a process of ours has nobody to compare.
func (t *pairing) recheck(ctx context.Context) error {
	if t.Recheck == nil || len(t.sides) < 2 {
		return nil
	}
	ours, theirs := t.sides[0], t.sides[len(t.sides)-1]
	for _, spec := range t.liveOn(theirs) {
		f, err := t.Recheck(ctx, t.cell.Cell, spec.Subject, ours.session, theirs.session)
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		c := t.cell.Case(spec.Subject)
		t.out[c] = true
		if err := t.excludeSide(c, f, theirs.label); err != nil {
			return err
		}
	}
	return nil
}

// keep adds samples to the series of a case, numbered from a round on.
func (s *side) keep(spec bench.CaseSpec, got result.Series, round int) {
	i := slices.IndexFunc(s.series, func(v result.Series) bool { return v.Subject == spec.Subject })
	if i < 0 {
		i = len(s.series)
		s.series = append(s.series, result.Series{Subject: spec.Subject, Role: s.role, N: spec.N})
	}
	v := &s.series[i]
	if len(v.Round) > 0 && len(got.Round) > 0 && (len(v.CPU) > 0) != (len(got.CPU) > 0) {
		v.CPU, got.CPU = nil, nil // CPU times are of each sample or of none
	}
	for _, r := range got.Round {
		v.Round = append(v.Round, round+r)
	}
	v.Wall = append(v.Wall, got.Wall...)
	v.CPU = append(v.CPU, got.CPU...)
	v.Others, v.Waits = v.Others+got.Others, v.Waits+got.Waits
	v.Left, v.Fresh = max(v.Left, got.Left), v.Fresh || got.Fresh
}
