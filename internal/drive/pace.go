package drive

import (
	"cmp"
	"context"
	"time"

	"assay/result"
)

// A Pace says how many launches cells get, and when.
type Pace struct {
	// Layouts are the seeds of the link layouts: launch k of every cell is of
	// layout k, and no cell gets more launches. A layout may be listed again.
	Layouts []uint64
	// Least is how many launches every cell gets. 0: as many as there are
	// layouts.
	Least int
	// Look judges a cell by its launches so far; nil: every cell gets one of
	// each layout. It is asked after each launch of a cell from the least on. A
	// cell stops when it was found narrow twice in a row. That is the only
	// reason for which it stops: one that stops because a difference has become
	// significant finds differences where there are none.
	Look func(result.Cell) Look
	// Budget ends the pass at the first end of a launch after it. What is left
	// of it when all cells have stopped goes to those with the greatest need.
	// 0: no budget, and every cell in need gets all layouts.
	Budget time.Duration
	// Sure is in how many launches every case takes part even if the budget is over, but
	// in no more than its share. When all cells have theirs, what is left is shared out
	// anew by what launches took.
	Sure int
	// Late is from when on only the first two launches are sure; 0: twice the budget.
	Late time.Duration
	// Span is how long the least launches of a cell are spread over, by waiting
	// between sweeps if the cells are few: what disturbs a machine comes and
	// goes in seconds, and launches close in time all see the same. It is never
	// more than half of the budget.
	Span time.Duration
	// Disturbed says why a launch was disturbed too much to count, or nothing;
	// nil: none is. Such a launch is recorded with that reason and measured
	// again at the end of the sweep, once. At most one launch in four is: a
	// machine that is always disturbed is measured as it is.
	Disturbed func(result.Launch) string
	// Skip are the launches that were measured before, disturbed ones not
	// counted.
	Skip map[LaunchKey]bool
}

// A LaunchKey names a launch.
type LaunchKey struct {
	Cell  result.Cell
	Index int
}

// Progress is how far a pass of launches came.
type Progress struct {
	// Launches are how many each cell has, those that were skipped included and
	// disturbed ones not.
	Launches map[result.Cell]int
	// Outcomes are those of the cases that were excluded.
	Outcomes []result.Outcome
	// OverBudget says that the budget ended the pass before every cell had
	// stopped.
	OverBudget bool
}

// wholeRepeats is one launch in how many may be repeated because it was
// disturbed.
const wholeRepeats = 4

// A sweeper runs a pass of launches at a pace.
type sweeper struct {
	Pace
	*ledger
	course *course
	// measure measures launch k of a cell. It returns the records of one launch,
	// several where it has sides, and none when no case of the cell is left.
	measure func(ctx context.Context, cell Cell, k int) ([]*result.Launch, error)
	// ready has what launch k needs made. The time that it takes, away, is none of the
	// pass's; nil: everything is there.
	ready func(ctx context.Context, k int) error
	away  time.Duration
	// now and sleep are the clock: the time since the pass began, and a wait.
	now   func() time.Duration
	sleep func(context.Context, time.Duration) error

	done     int // launches of this pass that count
	repeated int
	pending  time.Duration // of the launches that are to be repeated
	over     bool
}

// sleep waits, or returns the context's cause when that is cancelled first.
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

// run runs the sweeps: first until every cell has stopped, then blocks of
// sweeps for the cells in need.
func (s *sweeper) run(ctx context.Context) error {
	total, _ := s.course.ahead()
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

// late says that the budget is over, or so nearly that most of a launch would come after
// it.
func (s *sweeper) late() bool {
	return s.Budget > 0 && (s.spent() >= s.Budget || s.spent()+s.course.mean()/2 > s.Budget)
}

// short returns the cells that have not stopped and have fewer launches than are sure.
func (s *sweeper) short() []*standing {
	return s.course.behind(s.course.owed, func(c *standing) bool { return c.done < s.sure(c) })
}

// extend spends what is left of the budget on the cells in need.
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

// spent is how much of the pass's time has passed.
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

// gap returns how long to wait before a sweep when every cell has so many launches
// and that much of the pass has passed.
func (s *sweeper) gap(sweep int, now time.Duration) time.Duration {
	if sweep >= s.course.least {
		return 0
	}
	return s.span()*time.Duration(sweep)/time.Duration(s.course.least) - now
}

func (s *sweeper) span() time.Duration {
	if s.Budget > 0 {
		return min(s.Span, s.Budget/2)
	}
	return s.Span
}

// sweep measures one launch of each cell, and again those that were disturbed.
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

// firstLaunches is how many launches a cell gets however late it is: that of the
// ordinary layout, and one of a random layout.
const firstLaunches = 2

// sure is how many launches a cell gets even if the budget is over.
func (s *sweeper) sure(c *standing) int {
	n := s.course.owed(c)
	if s.spent() >= cmp.Or(s.Late, 2*s.Budget) {
		n = min(n, firstLaunches)
	}
	return n
}

// launch measures and records the next launch of a cell. It returns whether
// that was disturbed and does not count, which it says of the first try only.
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

// mayRepeat says whether one more launch may be measured again, and whether
// there is time for it.
func (s *sweeper) mayRepeat(elapsed time.Duration) bool {
	return s.Disturbed != nil && s.repeated*wholeRepeats <= s.done &&
		(s.Budget <= 0 || s.spent()+s.pending+elapsed <= s.Budget)
}

// disturbed returns the first reason why one of the records does not count.
func (s *sweeper) disturbed(records []*result.Launch) string {
	for _, r := range records {
		if reason := s.Disturbed(*r); reason != "" {
			return reason
		}
	}
	return ""
}

// progress is what there is to say after a launch.
func (s *sweeper) progress(c *standing, l *result.Launch, elapsed time.Duration) LaunchDone {
	launches, left := s.course.ahead()
	now := s.spent()
	if s.course.swept() < s.course.least {
		left = max(left, s.span()-now)
	}
	if s.Budget > 0 {
		left = max(0, min(left, s.Budget-now))
	}
	return LaunchDone{
		Cell: c.Cell.Cell, Layout: l.Layout, Index: l.Index, Done: s.done, Total: s.done + launches,
		Elapsed: elapsed, Left: left, Widest: s.course.widest(),
	}
}

// state returns how far the pass is.
func (s *sweeper) state() Progress {
	p := Progress{Launches: map[result.Cell]int{}, Outcomes: s.outcomes, OverBudget: s.over}
	for _, c := range s.course.cells {
		p.Launches[c.Cell.Cell] = c.done
	}
	return p
}
