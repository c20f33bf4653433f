package drive

import (
	"context"
	"slices"
	"time"

	"assay/bench"
	"assay/result"
)

// unknownMemory is the assumed memory of a process, in bytes, where the system does not show it.
const unknownMemory = 256 << 20

// warmPart is the warm-up of a process, as a part of a count. It shows that a case works and how much
// memory it takes; a count begins with half of its least time untimed.
const warmPart = 0.05

// A steadySet has the processes of one cell that are compared with one another.
type steadySet struct {
	*steady
	unit
	cpu     []int // the CPU of all processes; none: any
	order   *shuffle
	workers map[result.Subject]*worker // those that are alive
	records []*result.Steady
	rounds  map[int]int // number of rounds so far, by live heap
}

// admit starts processes while there is memory for them, and warms each up. It returns the
// subjects of the group, the reference first, and the rest, which must wait for another group.
func (t *steadySet) admit(ctx context.Context, waiting []result.Subject) (group, rest []result.Subject, err error) {
	reference := t.live(t.SteadyCell)[0]
	queue := waiting
	switch {
	case waiting[0] != reference:
		queue = append([]result.Subject{reference}, slices.DeleteFunc(slices.Clone(waiting), func(s result.Subject) bool { return s == reference })...)
	case !t.split[t.Cell]:
		queue = inTurn(waiting, t.index)
	}
	var used, largest int64
	for _, who := range queue {
		// The reference and one other process are always admitted.
		if t.Memory > 0 && len(group) > 1 && used+largest > t.Memory && who != reference {
			rest = append(rest, who)
			continue
		}
		ok, err := t.warm(ctx, who, t.LiveMB[0])
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			continue
		}
		m := t.memory(who)
		used, largest = used+m, max(largest, m)
		if who == reference {
			group = slices.Insert(group, 0, who)
		} else {
			group = append(group, who)
		}
	}
	t.split[t.Cell] = t.split[t.Cell] || len(rest) > 0
	return group, rest, nil
}

// memory returns about how many bytes a worker uses at most.
func (t *steadySet) memory(who result.Subject) int64 {
	m := int64(unknownMemory)
	if p := t.workers[who].session.proc; p != nil {
		if peak := livePeak(p.cmd.Process.Pid); peak > 0 {
			m = peak
		}
	}
	// With GOGC=100, the heap grows to twice the live heap before a collection. The peak includes
	// that of the first live heap.
	return m + 2*int64(slices.Max(t.LiveMB)-t.LiveMB[0])<<20
}

// worker returns the worker of a subject. It makes one if there is none.
func (t *steadySet) worker(who result.Subject) *worker {
	w := t.workers[who]
	if w == nil {
		r := t.Runner
		r.Limits.CPUs = t.cpu
		w = r.worker(t.Layouts[t.index], t.Cell, t.event)
		t.workers[who] = w
	}
	return w
}

// command returns the command for a count of a subject, or for a part of a count. A part does not
// wait for a collection.
func (t *steadySet) command(who result.Subject, liveMB int, part float64) bench.Command {
	times := part * float64(t.times(t.SteadyCell))
	c := &bench.Steady{
		Subject: who, Op: t.Op, LiveMB: liveMB, MinCycles: t.MinCycles,
		MinNS: int64(times * float64(t.Min)), MaxNS: max(1, int64(times*float64(t.Max))),
	}
	if part == 1 {
		c.WaitNS = int64(t.Wait)
	}
	return bench.Command{Cmd: "steady", Steady: c}
}

// warm warms a subject up with warmPart of a count, which is dropped. It says whether the subject
// still takes part.
func (t *steadySet) warm(ctx context.Context, who result.Subject, liveMB int) (bool, error) {
	_, _, f, err := t.worker(who).ask(ctx, who, t.command(who, liveMB, warmPart))
	if err != nil {
		return false, err
	}
	if f != nil {
		return false, t.drop(who, f)
	}
	return true, t.notePinning(t.workers[who].session.proc)
}

// drop excludes a subject and removes its counts of this set.
func (t *steadySet) drop(who result.Subject, f *Failure) error {
	t.workers[who].session.Close()
	delete(t.workers, who)
	c := t.Case(who)
	t.records = slices.DeleteFunc(t.records, func(r *result.Steady) bool { return r.Case == c })
	return t.giveUp(c, f)
}

// count runs the rounds of a group with each live heap, until they are done or the time is over.
// Each live heap gets an equal part of the time, and at least one round.
func (t *steadySet) count(ctx context.Context, group []result.Subject, share time.Duration) error {
	if t.rounds == nil {
		t.rounds = map[int]int{}
	}
	begin := t.now()
	for i, liveMB := range t.LiveMB {
		end := begin + share*time.Duration(i+1)/time.Duration(len(t.LiveMB))
		if err := t.settle(ctx, group, liveMB); err != nil {
			return err
		}
		for round := range t.Rounds {
			if round > 0 && share > 0 && t.now() >= end {
				break
			}
			if err := t.round(ctx, group, liveMB); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle warms a group up with another live heap. The first live heap of a set needs no warm-up
// here: the processes have it since their admission, unless the reference was in the group
// before.
func (t *steadySet) settle(ctx context.Context, group []result.Subject, liveMB int) error {
	if len(t.LiveMB) == 1 || liveMB == t.LiveMB[0] {
		return nil
	}
	for _, who := range group {
		if t.workers[who] == nil {
			continue
		}
		if _, err := t.warm(ctx, who, liveMB); err != nil {
			return err
		}
	}
	return nil
}

// round has every subject of the group make one count, in random order. It drops the first count
// of a process that took the place of one that died, and asks for another.
func (t *steadySet) round(ctx context.Context, group []result.Subject, liveMB int) error {
	round := t.rounds[liveMB]
	t.rounds[liveMB]++
	for _, i := range t.order.next(len(group)) {
		who := group[i]
		w := t.workers[who]
		if w == nil {
			continue
		}
		a, fresh, f, err := w.ask(ctx, who, t.command(who, liveMB, 1))
		if fresh && f == nil && err == nil {
			a, fresh, f, err = w.ask(ctx, who, t.command(who, liveMB, 1))
		}
		switch {
		case err != nil:
			return err
		case f != nil:
			if err := t.drop(who, f); err != nil {
				return err
			}
		case !fresh:
			r := t.series(who, liveMB)
			r.Round = append(r.Round, round)
			r.Ops = append(r.Ops, a.Steadied.Ops)
			r.Wall = append(r.Wall, a.Steadied.Wall)
			r.CPU = append(r.CPU, a.Steadied.CPU)
			r.Cycles = append(r.Cycles, a.Steadied.Cycles)
			r.GCCPU = append(r.GCCPU, a.Steadied.GCCPU)
		}
	}
	return nil
}

// series returns the record of a subject with a live heap. It makes one if there is none.
func (t *steadySet) series(who result.Subject, liveMB int) *result.Steady {
	c := t.Case(who)
	for _, r := range t.records {
		if r.Case == c && r.LiveMB == liveMB {
			return r
		}
	}
	r := &result.Steady{Case: c, LiveMB: liveMB, Layout: t.Layouts[t.index], Index: t.index}
	t.records = append(t.records, r)
	return r
}

// close ends all processes except those of the subjects to keep.
func (t *steadySet) close(keep []result.Subject) {
	for who, w := range t.workers {
		if !slices.Contains(keep, who) {
			w.session.Close()
			delete(t.workers, who)
		}
	}
}

// record passes the set's counts to the sink.
func (t *steadySet) record() error {
	var all []result.Record
	for _, r := range t.records {
		all = append(all, result.Record{Time: time.Now(), Steady: r})
		t.counted[r.Case] = true
	}
	if err := t.together(all); err != nil {
		return err
	}
	for _, who := range t.Subjects {
		t.done++
		t.event(StepDone{Pass: "steady", Case: t.Case(who), Done: t.done, Total: t.total})
	}
	return nil
}
