package drive

import (
	"context"
	"slices"
	"time"

	"assay/bench"
	"assay/result"
)

// SteadyConfig is what Steady needs.
type SteadyConfig struct {
	Runner
	// Layouts are those of the sets of processes: set i of every cell is of
	// layout i.
	Layouts []uint64
	Cells   []SteadyCell
	// LiveMB are the sizes of the heap that is kept beside, in MiB.
	LiveMB []int
	// Rounds is the number of counts that a process makes with each of them.
	Rounds int
	// Min and Max are the least and the most time of a count, and MinCycles its
	// least number of collections, as in bench.Steady.
	Min, Max  time.Duration
	MinCycles int
	// Budget is shared between the sets of all cells; one that has used its
	// share up ends after the round. 0: no budget.
	Budget time.Duration
	// Memory is how many bytes the processes of a set may have in use together.
	// 0: no limit. If they do not fit, those that do are run beside the
	// reference, then others, beside the reference again.
	Memory int64
	// Skip are the sets that were counted before, by cell and Index.
	Skip map[LaunchKey]bool
}

// A SteadyCell is the subjects that are compared in one cell. The first is the
// reference.
type SteadyCell struct {
	result.Cell
	Subjects []result.Subject
}

// Steady counts the CPU time of work with the collector on, one process for each
// subject and size, which does its ops one after the other. The collector works on other CPUs than its program and clears away what
// others have left, so that contenders in one process would pay for one another.
//
// The processes of a set are alive together and kept on one CPU, the next set's
// on the next. In each round every process works in turn, in random order, while
// the others wait for a command: counts of one round are close in time, and
// their ratio does not see what changes slowly. A runner with one CPU has
// GOMAXPROCS 1 and its collector no idle processors to use, so that what is
// counted does not depend on how many there are.
//
// A case whose process dies is tried in a new one, and excluded if that dies as
// well; one that answers with an error has a note and no count. The sink gets
// the records of a set when that is done.
func Steady(ctx context.Context, cfg SteadyConfig, sink func(result.Record) error, event func(Event)) (Tally, error) {
	s := &steady{
		SteadyConfig: cfg, ledger: &ledger{sink: sink, event: event},
		cpus: CPUs(), out: map[result.Case]bool{}, counted: map[result.Case]bool{},
		split: map[result.Cell]bool{},
	}
	if len(s.LiveMB) == 0 {
		s.LiveMB = []int{0}
	}
	var end func(error) error
	s.now, end = s.budgeted()
	err := s.run(ctx)
	return Tally{Outcomes: s.outcomes, Missed: s.missed()}, end(err)
}

type steady struct {
	SteadyConfig
	*ledger
	cpus    []int
	now     func() time.Duration
	out     map[result.Case]bool // excluded, or answers with errors
	counted map[result.Case]bool
	split   map[result.Cell]bool // its processes do not fit into the memory
	done    int
	total   int
}

// A unit is a set of processes to come.
type unit struct {
	SteadyCell
	index int
}

func (s *steady) run(ctx context.Context) error {
	var units []unit
	for k := range s.Layouts {
		for _, c := range s.Cells {
			if s.Skip[LaunchKey{c.Cell, k}] {
				for _, who := range c.Subjects {
					s.counted[c.Case(who)] = true
				}
				continue
			}
			units = append(units, unit{c, k})
			s.total += len(c.Subjects)
		}
	}
	s.event(PassStarted{"steady", s.total})
	var set *steadySet
	defer func() {
		if set != nil {
			set.close(nil)
		}
	}()
	for i, u := range inCompany(units) {
		share, ok := shareOf(s.Budget, s.now(), len(units)-i)
		if !ok {
			return nil
		}
		set = s.after(set, u)
		if err := s.set(ctx, set, share); err != nil {
			return err
		}
	}
	return nil
}

// inCompany puts the ops of a size next to one another, so that they have the same
// processes, and leaves the order of indices and sizes.
func inCompany(units []unit) []unit {
	var out []unit
	for len(units) > 0 {
		first := units[0]
		same := func(u unit) bool { return first.together(u) }
		for _, u := range units {
			if same(u) {
				out = append(out, u)
			}
		}
		units = slices.DeleteFunc(slices.Clone(units), same)
	}
	return out
}

// together says whether two sets are of one layout and the same values.
func (u unit) together(v unit) bool {
	return u.index == v.index && u.Workload == v.Workload && u.Size == v.Size
}

// after returns the set of a unit. It has the processes of the set before where that
// was of another op of the same; otherwise those are ended.
func (s *steady) after(before *steadySet, u unit) *steadySet {
	set := &steadySet{steady: s, unit: u, workers: map[result.Subject]*worker{}}
	switch {
	case before == nil:
	case before.together(u):
		for who, w := range before.workers {
			w.forgive()
			set.workers[who] = w
		}
	default:
		before.close(nil)
	}
	return set
}

// missed returns the cases that have no count and no reason for it.
func (s *steady) missed() []result.Case {
	var out []result.Case
	for _, cell := range s.Cells {
		for _, who := range cell.Subjects {
			if c := cell.Case(who); !s.counted[c] && !s.out[c] {
				out = append(out, c)
			}
		}
	}
	return out
}

// live returns the subjects of a cell that still take part.
func (s *steady) live(cell SteadyCell) []result.Subject {
	return slices.DeleteFunc(slices.Clone(cell.Subjects), func(who result.Subject) bool { return s.out[cell.Case(who)] })
}

// set runs one set of processes, in groups that fit the memory, and records it. The
// processes stay for the set after it.
func (s *steady) set(ctx context.Context, set *steadySet, share time.Duration) error {
	u := set.unit
	set.order = newShuffle(orderSeed(s.Seed, u.Cell, u.index), 1)
	var err error
	if set.cpu, err = s.turn(s.cpus, u.index); err != nil {
		return err
	}
	waiting := s.live(u.SteadyCell)
	all := max(1, len(waiting)-1)
	for len(waiting) > 0 {
		group, rest, err := set.admit(ctx, waiting)
		if err != nil {
			return err
		}
		part := max(1, len(waiting)-len(rest))
		if err := set.count(ctx, group, share*time.Duration(min(part, all))/time.Duration(all)); err != nil {
			return err
		}
		waiting = rest
		if len(group) > 0 && len(rest) > 0 {
			set.close(group[:1])
		}
	}
	return set.record()
}

// command is a count of one case.
func (s *steady) command(c result.Case, liveMB int) bench.Command {
	return bench.Command{Cmd: "steady", Steady: &bench.Steady{
		Subject: c.Subject(), Op: c.Op, LiveMB: liveMB,
		MinNS: int64(s.Min), MinCycles: s.MinCycles, MaxNS: int64(s.Max),
	}}
}

// giveUp has a case take no further part.
func (s *steady) giveUp(c result.Case, f *Failure) error {
	s.out[c] = true
	_, err := s.spare("cpu-time", c, f)
	return err
}
