package drive

import (
	"cmp"
	"math"
	"slices"
	"time"

	"assay/result"
)

// A Look is the judgement of a cell by its launches so far.
type Look struct {
	// Narrow says that every confidence interval of the cell is as narrow as asked for.
	Narrow bool
	// Width is the half-width of the widest interval as a fraction; 0 if there is no interval
	// yet.
	Width float64
	// Need says how much the cell would gain from more launches than it takes to be narrow: the
	// half-width of its widest interval if that is too wide to show that two contenders are
	// alike, 0 otherwise. It must depend on the widths of the intervals only.
	Need float64
	// More is about how many launches the cell still needs to become narrow; 0 if that is
	// unknown. It only serves to estimate how long the pass will take.
	More int
}

// narrowLooks is the number of consecutive looks that must find a cell narrow before the cell
// stops, because a single look may find narrow intervals by chance.
const narrowLooks = 2

// A standing is the progress of a cell.
type standing struct {
	Cell
	next   int // index of the next launch
	done   int // launches that count, including skipped ones
	until  int // the cell gets at least so many launches
	narrow int // consecutive looks that found it narrow
	looked bool
	last   Look
	out    bool          // no case is left
	work   time.Duration // of the launches that count, including skipped ones
	taken  int           // number of these launches
}

// A course is the progress of all cells of a pass, and decides which cells come next. It uses no
// clock and no process.
type course struct {
	least, most int // launches of a cell
	layouts     int // number of different layouts
	sure        int // launches that every cell gets before the budget is divided anew
	divided     bool
	skip        map[LaunchKey]time.Duration
	look        func(result.Cell) Look // nil: every cell gets all launches
	cells       []*standing
}

func newCourse(cells []Cell, p Pace) *course {
	c := &course{least: p.Least, most: len(p.Layouts), sure: p.Sure, skip: p.Skip, look: p.Look}
	different := map[uint64]bool{}
	for _, l := range p.Layouts {
		different[l] = true
	}
	c.layouts = len(different)
	if c.least <= 0 || c.least > c.most || c.look == nil {
		c.least = c.most
	}
	for _, cell := range cells {
		s := &standing{Cell: cell, until: c.least}
		for k := range c.most {
			if took, ok := c.skip[LaunchKey{cell.Cell, k}]; ok {
				s.done++
				s.work += took
				s.taken++
			}
		}
		c.advance(s)
		c.ask(s)
		c.cells = append(c.cells, s)
	}
	return c
}

// advance moves a cell to its next launch that was not measured in an earlier attempt.
func (c *course) advance(s *standing) {
	for s.next < c.most {
		if _, ok := c.skip[LaunchKey{s.Cell.Cell, s.next}]; !ok {
			return
		}
		s.next++
	}
}

// ask looks at a cell that has at least the least number of launches.
func (c *course) ask(s *standing) {
	if c.look == nil || s.done < c.least {
		return
	}
	s.last, s.looked = c.look(s.Cell.Cell), true
	if s.last.Narrow {
		s.narrow++
	} else {
		s.narrow = 0
	}
}

// take notes a launch that counts.
func (c *course) take(s *standing, elapsed time.Duration) {
	s.next++
	s.done++
	s.work += elapsed
	s.taken++
	c.advance(s)
	c.ask(s)
}

// exhausted says that a cell cannot get more launches.
func (c *course) exhausted(s *standing) bool { return s.out || s.next >= c.most }

// open says that a cell has not stopped.
func (c *course) open(s *standing) bool {
	return !c.exhausted(s) && s.narrow < narrowLooks && (s.done < c.least || c.look != nil)
}

// sweep returns the open cells that are furthest behind, in their order. Every cell first gets
// the launches that are sure, because the plan may be wrong about the slowest cells. Then each
// cell advances in proportion to its share: if all shares are equal, launch k of every cell comes
// before launch k+1 of any cell, and a pass that ends early ends at the same fraction of every
// share. A cell that has its share waits until all cells have theirs.
func (c *course) sweep() []*standing {
	out := c.unsure()
	if len(out) == 0 {
		share := func(s *standing) int { return cmp.Or(s.Launches, c.most) }
		if out = c.behind(share, func(s *standing) bool { return s.done < share(s) }); len(out) == 0 {
			out = c.behind(share, func(*standing) bool { return true })
		}
	}
	return out
}

// owed returns how many launches a cell is sure to get.
func (c *course) owed(s *standing) int {
	n := s.Enough(c.sure)
	if s.Launches > 0 {
		n = min(n, s.Launches)
	}
	return n
}

// unsure returns the open cells that lack launches that are sure and are furthest behind.
func (c *course) unsure() []*standing {
	return c.behind(c.owed, func(s *standing) bool { return s.done < c.owed(s) })
}

// behind returns the open cells for which among is true and that are furthest behind, measured by
// the fraction of their goal that they have reached.
func (c *course) behind(goal func(*standing) int, among func(*standing) bool) []*standing {
	var out []*standing
	least := math.Inf(1)
	for _, s := range c.cells {
		if !c.open(s) || !among(s) {
			continue
		}
		at := float64(s.next) / float64(goal(s))
		if at < least {
			out, least = nil, at
		}
		if at == least {
			out = append(out, s)
		}
	}
	return out
}

// divide divides what is left of the budget once all cells have the launches that are sure. It
// gives each cell an equal part of the time, measured by what its launches took. A cell that
// needs less leaves the rest to the others. Until then, the shares are those of the plan, which
// is based on batches only.
func (c *course) divide(left time.Duration) {
	if c.divided || c.sure == 0 || len(c.unsure()) > 0 {
		return
	}
	c.divided = true
	var open []*standing
	for _, s := range c.cells {
		if c.open(s) && s.Launches > 0 {
			open = append(open, s)
		}
	}
	need := func(s *standing) time.Duration { return c.cost(s) * time.Duration(max(0, c.layouts-s.done)) }
	slices.SortStableFunc(open, func(a, b *standing) int { return cmp.Compare(need(a), need(b)) })
	for i, s := range open {
		n := c.layouts - s.done
		if cost := c.cost(s); cost > 0 {
			n = min(n, int(max(0, left)/time.Duration(len(open)-i)/cost))
		}
		s.Launches = s.done + max(0, n)
		left -= c.cost(s) * time.Duration(max(0, n))
	}
}

// swept returns the least number of launches of any open cell.
func (c *course) swept() int {
	least := c.most
	for _, s := range c.cells {
		if c.open(s) {
			least = min(least, s.done)
		}
	}
	return least
}

// block is the number of launches that a cell gets at a time once it is narrow, to make its
// intervals narrower still. The decision about more launches is made between blocks only:
// deciding after each launch would stop as soon as the intervals look narrow by chance.
func (c *course) block() int { return max(2, c.least/2) }

// needy returns the cells that would gain from more launches, greatest need first, and grants
// each a block. If the pass is bounded, it returns the cells whose blocks fit in the time that is
// left. The first cell only needs time for one launch.
func (c *course) needy(left time.Duration, bounded bool) []*standing {
	var all []*standing
	for _, s := range c.cells {
		if !c.exhausted(s) && s.last.Need > 0 {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b *standing) int { return cmp.Compare(b.last.Need, a.last.Need) })
	var out []*standing
	for _, s := range all {
		cost, launches := c.cost(s), min(c.block(), c.most-s.next)
		block := cost * time.Duration(launches)
		if bounded && (cost >= left || len(out) > 0 && block > left) {
			continue
		}
		left -= block
		s.until = s.done + launches
		out = append(out, s)
	}
	return out
}

// cost returns about how long a launch of a cell takes; 0 if that is unknown.
func (c *course) cost(s *standing) time.Duration {
	if s.taken > 0 {
		return s.work / time.Duration(s.taken)
	}
	return c.mean()
}

// mean returns about how long a launch of any cell takes; 0 if that is unknown.
func (c *course) mean() time.Duration {
	var work time.Duration
	var taken int
	for _, s := range c.cells {
		work += s.work
		taken += s.taken
	}
	return work / time.Duration(max(1, taken))
}

// remaining returns about how many launches a cell will still get.
func (c *course) remaining(s *standing) int {
	if c.exhausted(s) {
		return 0
	}
	n := s.until - s.done
	if c.open(s) && s.looked {
		n = max(n, s.last.More, narrowLooks-s.narrow)
	}
	return max(0, min(n, c.most-s.next))
}

// ahead returns about how many launches are still to come, and about how long they take.
func (c *course) ahead() (launches int, work time.Duration) {
	for _, s := range c.cells {
		n := c.remaining(s)
		launches += n
		work += c.cost(s) * time.Duration(n)
	}
	return launches, work
}

// widest returns the half-width of the widest interval of all cells that were looked at.
func (c *course) widest() float64 {
	var w float64
	for _, s := range c.cells {
		if !s.out {
			w = max(w, s.last.Width)
		}
	}
	return w
}
