package drive

import (
	"cmp"
	"math"
	"slices"
	"time"

	"assay/result"
)

// A Look is what a look at the launches of a cell says.
type Look struct {
	// Narrow says that every interval of the cell is as narrow as asked.
	Narrow bool
	// Width is the half-width of the widest interval as a fraction; 0 when
	// there is none yet.
	Width float64
	// Need says how much the cell would gain from launches beyond that: the
	// half-width of its widest interval when it is too wide to show that two things are
	// alike, 0 otherwise. It must not depend on what the intervals are of.
	Need float64
	// More is about how many launches the cell still takes to be narrow; 0 when
	// nobody can tell. It only serves to say how long the pass will go on.
	More int
}

// narrowLooks is how many looks in a row must find a cell narrow before it
// stops: an interval is narrow for once by chance.
const narrowLooks = 2

// A standing is how far a cell is.
type standing struct {
	Cell
	next   int // launch
	done   int // launches that count
	until  int // it gets launches up to this many in any event
	narrow int // looks in a row
	looked bool
	last   Look
	out    bool // none of its cases is left
	work   time.Duration
	taken  int // launches that work is the time of
}

// A course is how far the cells of a pass are, and which come next. It knows of
// no clock and no process.
type course struct {
	least, most int // launches of a cell
	layouts     int // different ones
	sure        int // launches that a cell has before the budget is shared out anew
	divided     bool
	skip        map[LaunchKey]bool
	look        func(result.Cell) Look // nil: cells stop at least
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
			if c.skip[LaunchKey{cell.Cell, k}] {
				s.done++
			}
		}
		c.advance(s)
		c.ask(s)
		c.cells = append(c.cells, s)
	}
	return c
}

// advance moves a cell to its next launch that was not measured before.
func (c *course) advance(s *standing) {
	for s.next < c.most && c.skip[LaunchKey{s.Cell.Cell, s.next}] {
		s.next++
	}
}

// ask looks at a cell that has the least number of launches.
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

// exhausted says that a cell can have no more launches.
func (c *course) exhausted(s *standing) bool { return s.out || s.next >= c.most }

// open says that a cell has not stopped.
func (c *course) open(s *standing) bool {
	return !c.exhausted(s) && s.narrow < narrowLooks && (s.done < c.least || c.look != nil)
}

// sweep returns the cells that have not stopped and are furthest behind, in
// their order. Where they have equal shares, launch k of every cell comes before
// launch k+1 of any; cells with larger shares advance faster, so that a pass that
// ends before its time ends at the same part of each. Before that all have what is sure,
// because a plan may be wrong about the slowest. Those that have their share wait until
// all have theirs.
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

// owed is how many launches of a cell are sure.
func (c *course) owed(s *standing) int {
	n := s.Enough(c.sure)
	if s.Launches > 0 {
		n = min(n, s.Launches)
	}
	return n
}

// unsure returns the open cells that have not what is sure, and are furthest behind.
func (c *course) unsure() []*standing {
	return c.behind(c.owed, func(s *standing) bool { return s.done < c.owed(s) })
}

// behind returns the open cells among some that are furthest behind on the way to a
// number of launches.
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

// divide shares out what is left of the budget once all cells have what is sure, by what
// their launches took: equal times, of which cells leave to the others what they do not
// need. Until then the shares are those of the plan, which knows batches only.
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

// swept is how many launches every cell that has not stopped has at least.
func (c *course) swept() int {
	least := c.most
	for _, s := range c.cells {
		if c.open(s) {
			least = min(least, s.done)
		}
	}
	return least
}

// block is how many launches a cell gets at a time once its intervals are
// narrow, to make them narrower. Whether it gets more is decided between
// blocks only: to ask after each launch would be to stop as soon as they happen
// to look narrow.
func (c *course) block() int { return max(2, c.least/2) }

// needy returns the cells that would gain from more launches, those that
// gain most first, as many as get their block done in the time that is left;
// the first of them if it only gets a part. It grants them the block.
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

// cost is about how long a launch of a cell takes; 0 when nothing is known.
func (c *course) cost(s *standing) time.Duration {
	if s.taken > 0 {
		return s.work / time.Duration(s.taken)
	}
	return c.mean()
}

// mean is about how long a launch of any cell takes; 0 when nothing is known.
func (c *course) mean() time.Duration {
	var work time.Duration
	var taken int
	for _, s := range c.cells {
		work += s.work
		taken += s.taken
	}
	return work / time.Duration(max(1, taken))
}

// remaining is about how many launches a cell still gets.
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

// ahead is about how much is still to come, in launches and in time.
func (c *course) ahead() (launches int, work time.Duration) {
	for _, s := range c.cells {
		n := c.remaining(s)
		launches += n
		work += c.cost(s) * time.Duration(n)
	}
	return launches, work
}

// widest is the half-width of the widest interval of all cells that were looked
// at.
func (c *course) widest() float64 {
	var w float64
	for _, s := range c.cells {
		if !s.out {
			w = max(w, s.last.Width)
		}
	}
	return w
}
