package drive

import (
	"context"
	"slices"
	"time"

	"assay/result"
)

// SteadyConfig is what Steady needs.
type SteadyConfig struct {
	Runner
	// Layouts are those of the sets of processes: set i of every cell is of
	// layout i.
	Layouts []uint64
	// Least is how many sets every cell has, if the budget allows it; 0: one of each
	// layout. What is then left of the budget goes to the size that has had the least of
	// it, again and again: a set of small messages takes a hundredth of the time that one
	// of the largest takes, and its interval need not be as wide as theirs.
	Least int
	Cells []SteadyCell
	// LiveMB are the sizes of the heap that is kept beside, in MiB.
	LiveMB []int
	// Rounds is the number of counts that a process makes with each of them.
	Rounds int
	// Min and Max are the least and the most time of a count, and MinCycles its
	// least number of collections, as in bench.Steady.
	Min, Max  time.Duration
	MinCycles int
	// Wait is how long a count waits for a collection, as bench.Steady's WaitNS.
	Wait time.Duration
	// Longest is how many times as long as Min and Max a count may be where Budget has room
	// for a set of each layout with such counts; 0: no longer. A count of one operation that
	// takes longer than Max has a collection in it or not.
	Longest int
	// Budget is shared between the sets of all cells; one that has used its
	// share up ends after the round. 0: no budget.
	Budget time.Duration
	// Memory is how many bytes the processes of a set may have in use together.
	// 0: no limit. If they do not fit, those that do are run beside the
	// reference, then others, beside the reference again.
	Memory int64
	// Together is a sink of the records of a set, all of which are stored or none; nil: they
	// come one after the other.
	Together func(...result.Record) error
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
		SteadyConfig: cfg, ledger: &ledger{sink: sink, all: cfg.Together, event: event},
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

// A party is the cells of one size, whose ops have the same processes.
type party struct {
	cells []SteadyCell
	next  int // the index of its next set
	made  int // sets, in the time spent
	spent time.Duration
}

// parties are the cells by size, in their order.
func (s *steady) parties() []*party {
	var all []*party
	for _, cells := range grouped(s.Cells, func(c SteadyCell) place { return place{c.Workload, c.Size} }) {
		all = append(all, &party{cells: cells})
	}
	return all
}

// skip passes over the sets of a party that were counted before, and returns the units
// of the next one; none: there is no layout left.
func (s *steady) skip(p *party) []unit {
	for ; p.next < len(s.Layouts); p.next++ {
		var units []unit
		for _, c := range p.cells {
			if !s.Skip[LaunchKey{c.Cell, p.next}] {
				units = append(units, unit{c, p.next})
				continue
			}
			for _, who := range c.Subjects {
				s.counted[c.Case(who)] = true
			}
		}
		if len(units) > 0 {
			return units
		}
	}
	return nil
}

func (s *steady) run(ctx context.Context) error {
	all, least := s.parties(), len(s.Layouts)
	if s.Least > 0 {
		least = min(least, s.Least)
	}
	left := 0 // units of the least sets
	for _, p := range all {
		for q := *p; ; q.next++ {
			units := s.skip(&q)
			if units == nil || q.next >= least {
				break
			}
			left += len(units)
			s.expect(units)
		}
	}
	s.event(PassStarted{"steady", s.total})
	for k := range least {
		for _, p := range all {
			units := s.skip(p)
			if len(units) == 0 || p.next > k {
				continue
			}
			if going, err := s.visit(ctx, p, units, left); err != nil || !going {
				return err
			}
			left -= len(units)
		}
	}
	return s.rest(ctx, all)
}

// expect counts units among the steps of the pass.
func (s *steady) expect(units []unit) {
	for _, u := range units {
		s.total += len(u.Subjects)
	}
}

// rest spends what is left of the budget.
func (s *steady) rest(ctx context.Context, all []*party) error {
	for s.Budget > 0 {
		var poorest *party
		for _, p := range all {
			if len(s.skip(p)) > 0 && s.affords(p) && (poorest == nil || p.spent < poorest.spent) {
				poorest = p
			}
		}
		if poorest == nil {
			return nil
		}
		units := s.skip(poorest)
		s.expect(units)
		if going, err := s.visit(ctx, poorest, units, len(units)); err != nil || !going {
			return err
		}
	}
	return nil
}

// affords says whether the budget has room for another set of a party, by what those took
// that were made here and not before.
func (s *steady) affords(p *party) bool {
	return p.made == 0 || s.now()+p.spent/time.Duration(p.made) <= s.Budget
}

// visit makes the next set of a party, of which each unit gets one part in so many of
// what is left of the budget. It reports false when nothing is left.
func (s *steady) visit(ctx context.Context, p *party, units []unit, parts int) (going bool, err error) {
	begin := s.now()
	var set *steadySet
	defer func() {
		if set != nil {
			set.close(nil)
		}
		p.next++
		p.made++
		p.spent += s.now() - begin
	}()
	for i, u := range units {
		share, ok := shareOf(s.Budget, s.now(), parts-i)
		if !ok {
			return false, nil
		}
		set = s.after(set, u)
		if err := s.set(ctx, set, share); err != nil {
			return false, err
		}
	}
	return true, nil
}

// after returns the set of a unit, which has the processes of the set of the op before.
func (s *steady) after(before *steadySet, u unit) *steadySet {
	set := &steadySet{steady: s, unit: u, workers: map[result.Subject]*worker{}}
	if before != nil {
		for who, w := range before.workers {
			w.forgive()
			set.workers[who] = w
		}
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

// times is how many times as long as they must be the counts of a cell are, in three
// quarters of the cell's part of the budget: the rest is for processes that begin. It does
// not depend on what counts turn out to take, nor on how many sets there will be.
func (s *steady) times(cell SteadyCell) int {
	sets := len(s.Layouts) * len(s.Cells)
	counts := float64(len(cell.Subjects)) * (float64(s.Rounds) + warmPart)
	if s.Longest == 0 || s.Budget == 0 {
		return 1
	}
	// A count is half way between Min and Max in the mean, after work that does not count
	// of up to a quarter of Max.
	count := (s.Min+s.Max)/2 + s.Max/4
	part := 3 * s.Budget / time.Duration(4*sets)
	return min(max(1, int(float64(part)/(counts*float64(count)))), s.Longest)
}

// giveUp has a case take no further part.
func (s *steady) giveUp(c result.Case, f *Failure) error {
	s.out[c] = true
	_, err := s.spare("cpu-time", c, f)
	return err
}
