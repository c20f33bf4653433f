package drive

import (
	"cmp"
	"context"
	"time"

	"assay/result"
)

// A Pace says how many launches cells get, and when.
type Pace struct {
	// Layouts are the seeds of the link layouts: launch k of every cell has layout k, and no cell
	// gets more launches than there are layouts. A layout may be listed again.
	Layouts []uint64
	// Least is the number of launches that every cell gets. 0: one for each entry of Layouts.
	Least int
	// Look judges a cell by its launches so far; nil: every cell gets a launch of each layout.
	// Look is called after each launch of a cell from launch Least on. A cell stops when two
	// consecutive looks found it narrow, and for no other reason. A cell that stopped because a
	// difference has become significant would show differences where there are none.
	Look func(result.Cell) Look
	// Budget ends the pass at the first end of a launch after it. If all cells have stopped
	// before, the rest of the budget goes to the cells with the greatest need. 0: no budget, and
	// every cell in need gets all layouts.
	Budget time.Duration
	// Sure is the number of launches in which every case takes part even if the budget is over.
	// No cell gets more launches for that than its share. When all cells have these launches, the
	// rest of the budget is divided anew, by what launches took.
	Sure int
	// Late is the time after which only the first two launches of a cell are sure; 0: twice the
	// budget.
	Late time.Duration
	// Span is the time over which the first Least launches of a cell are spread. If there are few
	// cells, the pass waits between sweeps. The reason is that disturbances of a machine come and
	// go in seconds, and launches close in time all see the same ones. At most half of the budget
	// is used.
	Span time.Duration
	// Disturbed says why a launch was disturbed too much to count, or returns ""; nil: no launch
	// is. A disturbed launch is recorded with that reason and measured again once, at the end of
	// the sweep. At most about one launch in four is repeated: a machine that is always disturbed
	// is measured as it is.
	Disturbed func(result.Launch) string
	// Skip has the launches that were measured in an earlier attempt, without disturbed ones, and
	// how long they took.
	Skip map[LaunchKey]time.Duration
}

// A LaunchKey names a launch.
type LaunchKey struct {
	Cell  result.Cell
	Index int
}

// Progress says how far a pass of launches came.
type Progress struct {
	// Launches is the number of launches of each cell, including skipped ones and excluding
	// disturbed ones.
	Launches map[result.Cell]int
	// Outcomes are the outcomes of excluded cases.
	Outcomes []result.Outcome
	// OverBudget says that the budget ended the pass before every cell had stopped.
	OverBudget bool
}

// wholeRepeats is n if at most one launch in n may be repeated because it was disturbed.
const wholeRepeats = 4

// A sweeper runs a pass of launches at a pace.
type sweeper struct {
	Pace
	*ledger
	course *course
	// measure measures launch k of a cell. It returns one record, or one for each side, or none
	// if no case of the cell is left.
	measure func(ctx context.Context, cell Cell, k int) ([]*result.Launch, error)
	// ready builds what launch k needs; nil: everything is built. The time that this takes, which
	// away sums up, does not count as time of the pass.
	ready func(ctx context.Context, k int) error
	away  time.Duration
	// now returns the time since the pass began, and sleep waits.
	now   func() time.Duration
	sleep func(context.Context, time.Duration) error

	done     int // launches of this pass that count
	before   int // the least number of skipped launches of any open cell
	repeated int
	pending  time.Duration // time of the launches to be repeated
	over     bool
}

// sleep waits, or returns the context's cause if the context is cancelled before.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// run runs sweeps until every cell has stopped, and then blocks of launches for the cells in
// need.
func (s *sweeper) run(ctx context.Context) error {
	total, _ := s.course.ahead()
	s.before = s.course.swept()
	s.event(PassStarted{"launches", total})
	for {
		if s.Budget > 0 {
			s.course.divide(s.Budget - s.spent())
		}
		cells := s.course.sweep()
		if len(cells) == 0 {
			return s.extend(ctx)
		}
		if s.late() {
			if cells = s.short(); len(cells) == 0 {
				s.over = true
				return nil
			}
		}
		if err := s.idle(ctx); err != nil {
			return err
		}
		if err := s.sweep(ctx, cells); err != nil {
			return err
		}
	}
}

// late says that the budget is over, or that most of another launch would come after its end.
func (s *sweeper) late() bool {
	return s.Budget > 0 && (s.spent() >= s.Budget || s.spent()+s.course.mean()/2 > s.Budget)
}

// short returns the open cells that have fewer launches than are sure and are furthest behind.
func (s *sweeper) short() []*standing {
	return s.course.behind(s.course.owed, func(c *standing) bool { return c.done < s.sure(c) })
}

// extend spends the rest of the budget on the cells in need.
func (s *sweeper) extend(ctx context.Context) error {
	for {
		cells := s.course.needy(s.Budget-s.spent(), s.Budget > 0)
		if len(cells) == 0 {
			return nil
		}
		for range s.course.block() {
			var open []*standing
			for _, c := range cells {
				if !s.course.exhausted(c) && c.done < c.until {
					open = append(open, c)
				}
			}
			if len(open) == 0 {
				break
			}
			if err := s.sweep(ctx, open); err != nil {
				return err
			}
			if s.late() {
				return nil
			}
		}
	}
}

// spent returns the time that the pass has used.
func (s *sweeper) spent() time.Duration { return s.now() - s.away }

// idle waits until the next sweep is due.
func (s *sweeper) idle(ctx context.Context) error {
	wait := s.gap(s.course.swept(), s.spent())
	if wait <= 0 {
		return context.Cause(ctx)
	}
	s.event(Waiting{wait})
	return s.sleep(ctx, wait)
}

// gap returns how long to wait before the next sweep, if every cell has had so many launches and
// the pass has used the time now.
func (s *sweeper) gap(sweep int, now time.Duration) time.Duration {
	if sweep >= s.course.least {
		return 0
	}
	return s.spanOf(sweep-s.before) - now
}

// spanOf returns the part of the span that so many sweeps of this pass take. Those that were skipped
// have had their part.
func (s *sweeper) spanOf(sweeps int) time.Duration {
	span := s.Span
	if s.Budget > 0 {
		span = min(span, s.Budget/2)
	}
	return span * time.Duration(sweeps) / time.Duration(max(1, s.course.least))
}

// sweep measures one launch of each cell, and then repeats the disturbed ones.
func (s *sweeper) sweep(ctx context.Context, cells []*standing) error {
	var disturbed []*standing
	s.pending = 0
	for _, c := range cells {
		if s.late() && c.done >= s.sure(c) {
			break
		}
		again, err := s.launch(ctx, c, true)
		if err != nil {
			return err
		}
		if again {
			disturbed = append(disturbed, c)
		}
	}
	for _, c := range disturbed {
		if _, err := s.launch(ctx, c, false); err != nil {
			return err
		}
	}
	return nil
}

// firstLaunches is the number of launches that a cell gets however late it is: one of the
// ordinary layout and one of a random layout.
const firstLaunches = 2

// sure returns how many launches a cell gets even if the budget is over.
func (s *sweeper) sure(c *standing) int {
	n := s.course.owed(c)
	if s.spent() >= cmp.Or(s.Late, 2*s.Budget) {
		n = min(n, firstLaunches)
	}
	return n
}

// launch measures and records the next launch of a cell. It reports whether the launch was
// disturbed and must be repeated, which it does on the first try only.
func (s *sweeper) launch(ctx context.Context, c *standing, first bool) (again bool, err error) {
	k := c.next
	if s.ready != nil {
		start := s.now()
		if err := s.ready(ctx, k); err != nil {
			return false, err
		}
		s.away += s.now() - start
	}
	records, err := s.measure(ctx, c.Cell, k)
	if err != nil {
		return false, err
	}
	if len(records) == 0 {
		c.out = true
		return false, nil
	}
	var elapsed time.Duration
	for _, r := range records {
		elapsed = max(elapsed, time.Duration(r.Elapsed)) // sides run at the same time
	}
	reason := ""
	if first && s.mayRepeat(elapsed) {
		reason = s.disturbed(records)
	}
	for _, r := range records {
		r.Disturbed = reason
		if err := s.sink(result.Record{Time: time.Now(), Launch: r}); err != nil {
			return false, err
		}
	}
	if reason != "" {
		s.repeated++
		s.pending += elapsed
		s.event(LaunchDisturbed{c.Cell.Cell, k, reason})
		return true, nil
	}
	s.course.take(c, elapsed)
	s.done++
	s.event(s.progress(c, records[0], elapsed))
	return false, nil
}

// mayRepeat says whether one more launch may be repeated, and whether there is time for it.
func (s *sweeper) mayRepeat(elapsed time.Duration) bool {
	return s.Disturbed != nil && s.repeated*wholeRepeats <= s.done &&
		(s.Budget <= 0 || s.spent()+s.pending+elapsed <= s.Budget)
}

// disturbed returns the first reason why one of the records must not count, or "".
func (s *sweeper) disturbed(records []*result.Launch) string {
	for _, r := range records {
		if reason := s.Disturbed(*r); reason != "" {
			return reason
		}
	}
	return ""
}

// progress returns the event to report after a launch.
func (s *sweeper) progress(c *standing, l *result.Launch, elapsed time.Duration) LaunchDone {
	launches, left := s.course.ahead()
	now := s.spent()
	if s.course.swept() < s.course.least {
		left = max(left, s.spanOf(s.course.least-s.before)-now)
	}
	if s.Budget > 0 {
		left = max(0, min(left, s.Budget-now))
	}
	return LaunchDone{
		Cell: c.Cell.Cell, Layout: l.Layout, Index: l.Index, Done: s.done, Total: s.done + launches,
		Elapsed: elapsed, Left: left, Widest: s.course.widest(),
	}
}

// state returns the progress of the pass.
func (s *sweeper) state() Progress {
	p := Progress{Launches: map[result.Cell]int{}, Outcomes: s.outcomes, OverBudget: s.over}
	for _, c := range s.course.cells {
		p.Launches[c.Cell.Cell] = c.done
	}
	return p
}
