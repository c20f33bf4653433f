package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/bench"
	"assay/result"
)

// Batch is the length of a batch: at least 200 µs and 50 operations. If 50 operations would
// take more than 5 ms, a batch has fewer, but at least one. Clock readings disturb shorter
// batches, and preemption disturbs longer ones: at 200 µs, most batches run between two
// preemptions.
var Batch = bench.Calibrate{BatchNS: 200_000, MinOps: 50, MaxNS: 5_000_000}

// The rounds of a launch: the desired number, and the least number for which a launch is
// worthwhile. The least is two orders and their reverses, after one warm-up round. If time is
// short, another layout gives more than another round of the same layout.
const (
	fullWarmup, fullRounds   = 10, 40
	leastWarmup, leastRounds = 1, 4
)

// launchCost is about how long it takes to start and end a process.
const launchCost = 15 * time.Millisecond

// batchCost is roughly the fixed cost before each batch, whatever the case.
const batchCost = 50 * time.Microsecond

// An Overhead is about how long a launch spends on a case besides its operations.
type Overhead struct {
	Launch time.Duration // once a launch: reading the values
	Input  time.Duration // for each bound input: encoding its message and learning its sum
	Inputs int           // number of inputs
	Batch  time.Duration // before each batch: the collections that the batch makes necessary
}

// A Request says what Of schedules.
type Request struct {
	Cases        []result.Case
	Calibrations map[result.Case]result.Calibration
	Overheads    map[result.Case]Overhead
	// Budget is the time for all launches. It is a part of Asked, the budget that the user
	// asked for; if Asked is 0, they are equal.
	Budget, Asked time.Duration
	// Layouts is how many launches a cell gets if there is time. Least is the number to which
	// the launches are reduced before a case is dropped; 0 means that they are not reduced.
	Layouts, Least int
	// Rounds is the number of rounds of every launch, whatever the budget. If it is 0, a launch
	// has as many rounds as fit, up to Most.
	Rounds int
	// Most is the largest number of rounds of a launch if Rounds is 0; 0 means fullRounds.
	Most int
	// Keep reports which cases are measured however slow they are, because the others are
	// compared with them. Nil means none.
	Keep func(result.Case) bool
	// Always reports which cases take part in every launch of their cell however slow they are,
	// because the others are compared with them. Nil means none.
	Always func(result.Case) bool
	// Together reports which of the other cases are dropped last, and only with all cases of
	// their workload and size, so that a size is dropped as a whole and not one contender of
	// it. Nil means none.
	Together func(result.Case) bool
	// Subjects says that modes are dropped before default modes, and the slowest subjects
	// first, each with all of its ops. Half a round trip answers no question, and users who
	// look for the fastest contender miss the slowest one least.
	Subjects bool
}

// A Cell describes a launch of a cell.
type Cell struct {
	result.Cell
	// Cases have their N and Every set.
	Cases          []bench.CaseSpec
	Warmup, Rounds int
	// Launches is how many launches the cell gets in its share of the budget.
	Launches int
	// Launch is about how long one launch takes, and Longest how long one of the most rounds would
	// take; averages if there are Rare subjects.
	Launch, Longest time.Duration
	// Rare are subjects that are so slow that the other subjects would get few launches. They
	// take part in the first two launches and in every other one after that.
	Rare []result.Subject
}

// Absent reports whether a subject does not take part in launch k, counted from 0.
func (c Cell) Absent(who result.Subject, k int) bool {
	return k > 0 && k%2 == 0 && slices.Contains(c.Rare, who)
}

// Enough returns how many launches are needed for every case to take part in n.
func (c Cell) Enough(n int) int {
	if len(c.Rare) == 0 || n < 2 {
		return n
	}
	return 2*n - 2
}

// A Schedule has the cells in the order in which a sweep runs them.
type Schedule struct {
	Cells []Cell
	// Outcomes are those of the cases that are too slow for the budget.
	Outcomes []result.Outcome
	// Time is about how long all launches take. It exceeds the budget if the kept cases alone
	// do.
	Time time.Duration
}

// Of fits the cells into the budget. It never changes what a round is. If time is short, Of
// reduces in this order:
//
//  1. Rounds: slow cases take part in fewer rounds, and slow cells have fewer rounds.
//     A case that takes much of a launch from many others takes part in every other launch.
//  2. Launches of slow cells. Cells that need less than their share leave the rest to others.
//  3. Launches of all cells, if the kept cases alone do not fit: down to the ordinary
//     layout and a random one.
//  4. Cases: the slowest are dropped first, except kept cases and cases that cost next to
//     nothing beside them. Cases with Together are dropped last, a size at a time.
func Of(r Request) Schedule {
	var s Schedule
	for _, c := range r.Cases {
		cal, ok := r.Calibrations[c]
		if !ok {
			continue
		}
		i := slices.IndexFunc(s.Cells, func(x Cell) bool { return x.Cell == c.Cell() })
		if i < 0 {
			i = len(s.Cells)
			s.Cells = append(s.Cells, Cell{Cell: c.Cell()})
		}
		s.Cells[i].Cases = append(s.Cells[i].Cases, bench.CaseSpec{Subject: c.Subject(), Op: c.Op, N: cal.N, Every: 1, Fresh: cal.Renews()})
	}
	if r.Least <= 0 || r.Least > r.Layouts {
		r.Least = r.Layouts
	}
	r.Most = cmp.Or(r.Most, fullRounds)
	fit := fitter{r}
	fit.share(s.Cells, fit.drop(&s))
	for _, c := range s.Cells {
		s.Time += c.Launch * time.Duration(c.Launches)
	}
	return s
}

// fewest is the least number of launches of a cell: one of the ordinary layout and one of a
// random layout.
const fewest = 2

type fitter struct{ Request }

// freshTimes is about how many untimed operations a batch on new values needs for each timed
// one: a pass over known values, and making the new values.
const freshTimes = 3

// batch returns about how long a batch takes, including the work before it.
func (f fitter) batch(c Cell, spec bench.CaseSpec) time.Duration {
	warm := spec.N / 10
	if spec.Fresh {
		warm = freshTimes * spec.N
	}
	return time.Duration(float64(spec.N+warm)*f.Calibrations[c.Cell.Case(spec.Subject)].NS) + batchCost + f.Overheads[c.Cell.Case(spec.Subject)].Batch
}

// caseCost returns about how much time a case adds to a launch with the given number of rounds,
// warm-up included.
func (f fitter) caseCost(c Cell, spec bench.CaseSpec, rounds int) time.Duration {
	o, batches := f.Overheads[c.Cell.Case(spec.Subject)], (rounds+spec.Every-1)/spec.Every
	return o.Launch + o.Input*time.Duration(spec.Bound(batches, o.Inputs)) + f.batch(c, spec)*time.Duration(batches)
}

// shortestMost limits the shortest launches of all cells to this part of the budget; beyond it,
// cases are dropped. reserve is the least part of the budget that is assumed to be left for
// more launches and rounds. Without it, one cell whose rounds take seconds would leave cells of
// microseconds with five rounds of a millisecond, which any disturbance covers.
const (
	shortestMost = 1.1
	reserve      = 0.15
)

// drop takes the cases that are too slow for the budget out of the schedule. It drops the cases
// that cost most in the shortest launch, until the rest fits with the least number of launches.
// It returns that number, which is smaller than f.Least if the kept cases alone take longer.
func (f fitter) drop(s *Schedule) (least int) {
	least = f.Least
	if f.Rounds > 0 {
		return least
	}
	limit := time.Duration(shortestMost * float64(f.Budget))
	total, _, _ := f.shortest(s, least)
	enough := f.enough(total, limit)
	least, limit = f.afford(s, least, limit)
	for {
		total, cell, index := f.shortest(s, least)
		if total <= limit || cell < 0 {
			break
		}
		reason := fmt.Sprintf("not measured: too slow for this budget beside the others (try --budget %s, or select less)", Brief(enough))
		one := s.Cells[cell].Case(s.Cells[cell].Cases[index].Subject)
		if f.together(one) { // with all cases of its workload and size that are not kept
			f.dropFrom(s, reason, func(x result.Case) bool { return x.Workload == one.Workload && x.Size == one.Size && !f.kept(x) })
			continue
		}
		f.dropFrom(s, reason, func(x result.Case) bool {
			return x == one || f.Subjects && x.Workload == one.Workload && x.Size == one.Size && x.Subject() == one.Subject()
		})
	}
	s.Cells = slices.DeleteFunc(s.Cells, func(c Cell) bool { return len(c.Cases) == 0 })
	return least
}

// afford returns the number of launches and the limit. If the kept cases alone exceed the
// limit, it reduces the launches and then raises the limit: otherwise, cases that cost next to
// nothing beside the kept ones would be dropped without a gain.
func (f fitter) afford(s *Schedule, least int, limit time.Duration) (int, time.Duration) {
	var kept Schedule
	for _, c := range s.Cells {
		c.Cases = slices.DeleteFunc(slices.Clone(c.Cases), func(spec bench.CaseSpec) bool { return !f.kept(c.Cell.Case(spec.Subject)) })
		kept.Cells = append(kept.Cells, c)
	}
	total, _, _ := f.shortest(&kept, least)
	for least > min(fewest, f.Least) && total > limit {
		least--
		total, _, _ = f.shortest(&kept, least)
	}
	if total > limit {
		limit = total + time.Duration(reserve*float64(f.Budget))
	}
	return least, limit
}

// together reports whether a case is dropped only with all cases of its workload and size.
func (f fitter) together(c result.Case) bool { return f.Together != nil && f.Together(c) }

// kept reports whether a case is measured however slow it is.
func (f fitter) kept(c result.Case) bool { return f.Keep != nil && f.Keep(c) }

// dropFrom takes the cases for which of returns true out of the schedule.
func (f fitter) dropFrom(s *Schedule, reason string, of func(result.Case) bool) {
	for i := range s.Cells {
		c := &s.Cells[i]
		c.Cases = slices.DeleteFunc(c.Cases, func(spec bench.CaseSpec) bool {
			one := c.Cell.Case(spec.Subject)
			if !of(one) {
				return false
			}
			s.Outcomes = append(s.Outcomes, result.Outcome{Case: one, Status: result.Timeout, Reason: reason})
			return true
		})
	}
}

// trip returns about how long it takes to encode and decode a value.
func (f fitter) trip(c result.Case) (all time.Duration) {
	for _, op := range []result.Op{result.Encode, result.Decode} {
		c.Op = op
		all += time.Duration(f.Calibrations[c].NS)
	}
	return all
}

// dropRank ranks cases by when they are dropped: cases with a smaller rank are dropped first.
func (f fitter) dropRank(c result.Case) int {
	switch {
	case f.together(c):
		return 2
	case f.Subjects && c.Mode == "":
		return 1
	}
	return 0
}

// takes returns how long a cell's launches take until every case took part in least of them, or
// until all layouts are used.
func (f fitter) takes(c Cell, least int) time.Duration {
	return c.Launch * time.Duration(min(f.Layouts, c.Enough(least)))
}

// shortest returns how long it takes until every case took part in least of the shortest
// launches, and the case to drop next. That is the case with the smallest rank that costs most
// in these launches or, with Subjects, belongs to the slowest subject. cell is -1 if no case
// can be dropped.
func (f fitter) shortest(s *Schedule, least int) (total time.Duration, cell, index int) {
	cell = -1
	var most time.Duration
	var first int // rank of the case found so far
	for i := range s.Cells {
		c := &s.Cells[i]
		if len(c.Cases) == 0 {
			continue
		}
		f.spare(c)
		total += f.takes(*c, least)
		for k, spec := range c.Cases {
			one := c.Cell.Case(spec.Subject)
			cost := f.caseCost(*c, spec, leastWarmup+leastRounds)
			if f.Subjects {
				cost = f.trip(one)
			}
			if rank := f.dropRank(one); !f.kept(one) && (cell < 0 || rank < first || rank == first && cost > most) {
				most, first, cell, index = cost, rank, i, k
			}
		}
	}
	return total, cell, index
}

// enough returns a budget to ask for in which all cases fit. total is the time that they take,
// and limit is the time that the given budget allows.
func (f fitter) enough(total, limit time.Duration) time.Duration {
	asked := f.Asked
	if asked == 0 {
		asked = f.Budget
	}
	return Ample(time.Duration(float64(asked) * float64(total) / max(1, float64(limit))))
}

// ample are budgets that people commonly ask for.
var ample = []time.Duration{
	30 * time.Second, time.Minute, 2 * time.Minute, 3 * time.Minute, 4 * time.Minute, 6 * time.Minute, 8 * time.Minute, 10 * time.Minute,
	15 * time.Minute, 20 * time.Minute, 30 * time.Minute, 45 * time.Minute,
}

// Ample returns a budget to ask for that is not less than d: a round number of seconds, minutes
// or hours.
func Ample(d time.Duration) time.Duration {
	for _, a := range ample {
		if d <= a {
			return a
		}
	}
	return (d + time.Hour - 1).Truncate(time.Hour)
}

// Brief returns a whole number of seconds as people write it: 4m instead of 4m0s.
func Brief(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// share sets the launches and rounds of each cell so that all of them take about as long as the
// budget. Each cell gets at least the least number of launches.
func (f fitter) share(cells []Cell, least int) {
	// The cheapest cells come first; what they leave of their share goes to the others.
	left := f.Budget
	order := make([]*Cell, len(cells))
	more := map[result.Cell]time.Duration{} // additional time that a cell could use
	for i := range cells {
		c := &cells[i]
		order[i] = c
		f.fix(c, f.Most)
		c.Longest = c.Launch
		more[c.Cell] = c.Longest * time.Duration(f.Layouts)
		f.fix(c, leastRounds)
		more[c.Cell] -= f.takes(*c, least)
		left -= f.takes(*c, least)
	}
	left = max(left, time.Duration(reserve*float64(f.Budget)))
	slices.SortStableFunc(order, func(a, b *Cell) int { return cmp.Compare(more[a.Cell], more[b.Cell]) })
	for i, c := range order {
		taken := f.takes(*c, least)
		f.fill(c, c.Enough(least), taken+max(0, left)/time.Duration(len(order)-i))
		left -= c.Launch*time.Duration(c.Launches) - taken
	}
}

// fill gives a cell as many launches, and then rounds, as fit into the allowed time.
func (f fitter) fill(c *Cell, least int, allowed time.Duration) {
	if f.Rounds > 0 {
		c.Launches = f.Layouts
		f.fix(c, f.Rounds)
		return
	}
	c.Launches = min(f.Layouts, max(least, int(allowed/c.Launch)))
	if c.Launches < f.Layouts {
		return
	}
	for r := leastRounds + 1; r <= f.Most; r++ {
		if f.fix(c, r); c.Launch*time.Duration(f.Layouts) > allowed {
			f.fix(c, r-1)
			return
		}
	}
}

// fix sets the number of rounds of a cell, without warm-up, and what follows from it.
func (f fitter) fix(c *Cell, rounds int) {
	c.Rounds = rounds
	c.Warmup = min(fullWarmup, max(leastWarmup, rounds*fullWarmup/fullRounds))
	f.strides(c, rounds)
	c.Launch = launchCost
	for _, spec := range c.Cases {
		cost := f.caseCost(*c, spec, c.Warmup+c.Rounds)
		if slices.Contains(c.Rare, spec.Subject) {
			cost /= 2
		}
		c.Launch += cost
	}
}

// In a cell with at least manyCases cases, a case is rare if it takes more than rareShare of
// the shortest launch, and more than rareTimes the average of the cell's cases.
const (
	manyCases = 8
	rareShare = 0.1
	rareTimes = 2
)

// spare gives a cell its shortest launch, and makes its slowest cases rare if many others gain
// from it.
func (f fitter) spare(c *Cell) {
	c.Rare = nil
	f.fix(c, leastRounds)
	if f.Rounds > 0 || len(c.Cases) < manyCases {
		return
	}
	whole := c.Launch
	for _, spec := range c.Cases {
		cost := f.caseCost(*c, spec, c.Warmup+c.Rounds)
		if float64(cost) > max(rareShare, rareTimes/float64(len(c.Cases)))*float64(whole) && !(f.Always != nil && f.Always(c.Cell.Case(spec.Subject))) {
			c.Rare = append(c.Rare, spec.Subject)
		}
	}
	f.fix(c, leastRounds)
}

// slow is how many times the cell's median batch a case's batch may take before the case begins
// to skip rounds.
const slow = 4

// leastSamples is the least number of samples of a case in a launch.
const leastSamples = 2

// strides makes the slow cases of a cell skip rounds of a launch.
func (f fitter) strides(c *Cell, rounds int) {
	times := make([]time.Duration, len(c.Cases))
	for i, spec := range c.Cases {
		times[i] = f.batch(*c, spec)
	}
	if len(times) == 0 {
		return
	}
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	median := sorted[len(sorted)/2]
	for i, t := range times {
		c.Cases[i].Every = max(1, min(int(1+t/(slow*median)), rounds/leastSamples))
	}
}
