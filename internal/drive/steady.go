package drive

import (
	"context"
	"slices"
	"time"

	"assay/result"
)

// SteadyConfig configures Steady.
type SteadyConfig struct {
	Runner
	// Layouts are the layouts of the sets of processes: set i of every cell has layout i.
	Layouts []uint64
	// Least is the number of sets of every cell, if the budget allows it; 0: one for each layout.
	// The rest of the budget goes to the size on which the least time was spent, again and again.
	// A set of small messages takes a hundredth of the time of a set of the largest messages, and
	// its interval need not be as wide as theirs.
	Least int
	Cells []SteadyCell
	// LiveMB are the sizes of the live heap that a process keeps while it works, in MiB.
	LiveMB []int
	// Rounds is the number of counts of a process with each live heap.
	Rounds int
	// Min and Max are the least and the most time of a count, and MinCycles the least number of
	// collections in a count, as in bench.Steady.
	Min, Max  time.Duration
	MinCycles int
	// Wait is how long a count waits for a collection, see WaitNS of bench.Steady.
	Wait time.Duration
	// Longest is the largest factor by which Min and Max may be multiplied, where Budget allows a
	// set of each layout with such counts; 0: they are not multiplied. The reason for longer
	// counts is that a count of one operation that takes longer than Max either has a collection
	// in it or has none.
	Longest int
	// Budget is divided among the sets of all cells. A set that has used up its share ends after
	// the round. 0: no budget.
	Budget time.Duration
	// Memory is the number of bytes that the processes of a set may use together. 0: no limit. If
	// not all processes fit, they run in groups, each of which includes the reference.
	Memory int64
	// Together stores all records of a set or none of them; nil: the records go to the sink one
	// by one.
	Together func(...result.Record) error
	// Skip has the sets that were counted in an earlier attempt, by cell and Index.
	Skip map[LaunchKey]bool
}

// A SteadyCell has the subjects that are compared in one cell. The first one is the reference.
type SteadyCell struct {
	result.Cell
	Subjects []result.Subject
}

// Steady counts the CPU time of work with the collector on. Each subject and size has a process
// of its own, which runs its ops one after the other. Contenders in one process would pay for
// each other, because the collector works on other CPUs than the program and frees what other
// contenders have left.
//
// The processes of a set are alive at the same time and are kept on one CPU. The next set uses
// the next CPU. In each round every process works in turn, in random order, while the others wait
// for a command. The counts of a round are therefore close in time, and slow changes do not
// affect their ratio. A runner with one CPU has GOMAXPROCS 1, so that its collector has no idle
// processors to use and the count does not depend on the number of processors.
//
// A case whose process dies is tried in a new process, and excluded if that dies too. A case that
// answers with an error gets a note and no count. The sink gets the records of a set when the set
// is done.
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
	out     map[result.Case]bool // excluded, or answered with an error
	counted map[result.Case]bool
	split   map[result.Cell]bool // cells whose processes do not fit in the memory
	done    int
	total   int
}

// A unit is one set of one cell, to be counted.
type unit struct {
	SteadyCell
	index int
}

// A party has the cells of one workload and size. Their ops share processes.
type party struct {
	cells []SteadyCell
	next  int // the index of its next set
	made  int // sets made by this process, in the time spent
	spent time.Duration
}

// parties returns the cells grouped by workload and size, in their order.
func (s *steady) parties() []*party {
	var all []*party
	for _, cells := range grouped(s.Cells, func(c SteadyCell) place { return place{c.Workload, c.Size} }) {
		all = append(all, &party{cells: cells})
	}
	return all
}

// skip advances a party past the sets that were counted in an earlier attempt. It returns the
// units of the party's next set, or nil if no layout is left.
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
	left := 0 // units of the sets up to least
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

// expect adds units to the total number of steps of the pass.
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

// affords says whether the budget has room for another set of a party, judged by the sets that
// this process made.
func (s *steady) affords(p *party) bool {
	return p.made == 0 || s.now()+p.spent/time.Duration(p.made) <= s.Budget
}

// visit makes the next set of a party. It divides what is left of the budget into so many parts,
// and each unit gets one. It reports false if nothing is left.
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

// after returns the set of a unit. It takes over the processes of the set before, which is that
// of another op.
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

// missed returns the cases that have no count and no outcome.
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

// live returns the subjects of a cell that are not excluded.
func (s *steady) live(cell SteadyCell) []result.Subject {
	return slices.DeleteFunc(slices.Clone(cell.Subjects), func(who result.Subject) bool { return s.out[cell.Case(who)] })
}

// set runs one set of processes, in groups that fit in the memory, and records it. The processes
// stay alive for the next set.
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

// times returns the factor by which the counts of a cell are longer than Min and Max, so that
// they fill three quarters of the cell's part of the budget. The rest is for starting processes.
// The factor does not depend on how long counts turn out to take, nor on how many sets there will
// be.
func (s *steady) times(cell SteadyCell) int {
	sets := len(s.Layouts) * len(s.Cells)
	counts := float64(len(cell.Subjects)) * (float64(s.Rounds) + warmPart)
	if s.Longest == 0 || s.Budget == 0 {
		return 1
	}
	// On average, a count takes the mean of Min and Max. The uncounted work before it takes half of
	// Min and up to a quarter of Max.
	count := (s.Min+s.Max)/2 + s.Min/2 + s.Max/4
	part := 3 * s.Budget / time.Duration(4*sets)
	return min(max(1, int(float64(part)/(counts*float64(count)))), s.Longest)
}

// giveUp excludes a case from the pass.
func (s *steady) giveUp(c result.Case, f *Failure) error {
	s.out[c] = true
	_, err := s.spare("cpu-time", c, f)
	return err
}
