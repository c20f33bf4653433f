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

// Batch is how long a batch is: at least 200 µs and 50 operations, unless 50
// operations would take more than 5 ms; one operation is always run. Shorter
// batches are disturbed by the clock, longer ones by preemption: at 200 µs most
// batches fit between two.
var Batch = bench.Calibrate{BatchNS: 200_000, MinOps: 50, MaxNS: 5_000_000}

// The rounds of a launch: what is wanted, and the least that is still worth a
// launch: two orders and their reverses, after one round that warms up. Where time is
// short it is better spent on another layout than on another round of the same one.
const (
	fullWarmup, fullRounds   = 10, 40
	leastWarmup, leastRounds = 1, 4
)

// launchCost is about what starting and ending a process takes.
const launchCost = 15 * time.Millisecond

// mark is about what goes before each batch of any case.
const mark = 50 * time.Microsecond

// An Overhead is about what a case costs a launch besides its operations.
type Overhead struct {
	Launch time.Duration // once: the values are read
	Input  time.Duration // for each input that it is bound to: its message is encoded, its sum learned
	Inputs int           // how many there are
	Batch  time.Duration // before each batch: the collections that it makes necessary
}

// A Request is what is to be scheduled.
type Request struct {
	Cases        []result.Case
	Calibrations map[result.Case]result.Calibration
	Overheads    map[result.Case]Overhead
	// Budget is for all launches. Asked is what the user asked for, of which it is
	// a part; 0: the same.
	Budget, Asked time.Duration
	// Layouts is how many launches a cell gets where there is time. Least is to
	// how many they give way before a case is dropped; 0: they do not.
	Layouts, Least int
	// Rounds is the number of rounds of every launch, whatever the budget; 0: as
	// many as fit, up to Most.
	Rounds int
	// Most is the largest number of rounds of a launch that has as many as fit; 0: as the
	// constant says.
	Most int
	// Keep says which cases are measured however slow they are: those that the
	// others are compared with. Nil: none.
	Keep func(result.Case) bool
	// Always says which cases take part in every launch of their cell however slow they
	// are: those that the others are compared with. Nil: none.
	Always func(result.Case) bool
	// Together says which of the others give way last, and only with all that are
	// measured of their workload and size: a size is dropped, not one contender of
	// it. Nil: none.
	Together func(result.Case) bool
	// Subjects says that modes give way before default modes, and the slowest subjects
	// first, each with all of its ops: half a round trip answers nothing, and who asks for
	// the fastest misses the slowest least.
	Subjects bool
}

// A Cell is what one launch of a cell runs.
type Cell struct {
	result.Cell
	// Cases have their N and Every set.
	Cases          []bench.CaseSpec
	Warmup, Rounds int
	// Launches is how many launches the cell gets in its share of the budget.
	Launches int
	// Launch is about how long one launch takes, on average where some are Rare.
	Launch time.Duration
	// Rare are the subjects that take part in the first launch and in every other one
	// after it, because they are so slow that the rest would get few.
	Rare []result.Subject
}

// Absent says that a subject takes no part in launch k.
func (c Cell) Absent(who result.Subject, k int) bool {
	return k > 0 && k%2 == 0 && slices.Contains(c.Rare, who)
}

// Enough is how many launches it takes for every case to take part in n.
func (c Cell) Enough(n int) int {
	if len(c.Rare) == 0 || n < 2 {
		return n
	}
	return 2*n - 2
}

// A Schedule is the cells in the order of a sweep.
type Schedule struct {
	Cells []Cell
	// Outcomes are the cases that are too slow for the budget.
	Outcomes []result.Outcome
	// Time is about how long all launches take. It is above the budget where only
	// cases are left that are kept.
	Time time.Duration
}

// Of fits the cells into the budget. What a round is never changes. Where time
// is short, rounds give way first: slow cases take part in fewer, and slow cells
// have fewer. Cases that take much of a launch from many others take part in every
// other one. Layouts of slow cells give way next, and cells that need less than
// their share leave the rest to the others. Where what is kept would not fit by itself,
// all have fewer layouts, down to the ordinary one and a random one. Then the slowest
// cases are dropped, but for those to keep, those that cost next to nothing beside them,
// and those that give way together, which follow, a workload's size at a time.
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

// fewest is the fewest launches of a cell: the ordinary layout's and that of a
// random one.
const fewest = 2

type fitter struct{ Request }

// freshTimes is about how many operations a batch on new values takes besides each that
// it times: a pass over known values, and the making of the new ones.
const freshTimes = 3

// batch returns about how long a batch takes with what goes before it.
func (f fitter) batch(c Cell, spec bench.CaseSpec) time.Duration {
	warm := spec.N / 10
	if spec.Fresh {
		warm = freshTimes * spec.N
	}
	return time.Duration(float64(spec.N+warm)*f.Calibrations[c.Cell.Case(spec.Subject)].NS) + mark + f.Overheads[c.Cell.Case(spec.Subject)].Batch
}

// caseCost returns about how much a case adds to a launch with that many
// rounds, warm-up included.
func (f fitter) caseCost(c Cell, spec bench.CaseSpec, rounds int) time.Duration {
	o, batches := f.Overheads[c.Cell.Case(spec.Subject)], (rounds+spec.Every-1)/spec.Every
	return o.Launch + o.Input*time.Duration(spec.Bound(batches, o.Inputs)) + f.batch(c, spec)*time.Duration(batches)
}

// The shortest launches of all cells may take so much of the budget before cases are
// dropped, and what they leave for more launches and rounds is taken to be at least the
// reserve: without it one cell of seconds a round leaves those of microseconds with five
// rounds of a millisecond, which any disturbance covers.
const (
	shortestMost = 1.1
	reserve      = 0.15
)

// drop takes the cases out of the schedule that are too slow for the budget:
// those that cost most in the shortest launch, until what is left fits in the
// least number of launches. It returns that number, which is smaller where what
// is kept takes longer by itself.
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
		if f.together(one) { // with what is not kept of its workload and size
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

// afford returns how many launches there are, where what is kept would take more than the
// limit by itself, and the limit then: cases that cost next to nothing beside it would be
// dropped for nothing.
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

// together says that a case gives way only with all that is measured of its
// workload and size.
func (f fitter) together(c result.Case) bool { return f.Together != nil && f.Together(c) }

// kept says that a case is measured however slow it is.
func (f fitter) kept(c result.Case) bool { return f.Keep != nil && f.Keep(c) }

// dropFrom takes cases out of the schedule.
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

// trip is about how long it takes to encode and decode a value.
func (f fitter) trip(c result.Case) (all time.Duration) {
	for _, op := range []result.Op{result.Encode, result.Decode} {
		c.Op = op
		all += time.Duration(f.Calibrations[c].NS)
	}
	return all
}

// turn is when a case gives way: those of a smaller one first.
func (f fitter) turn(c result.Case) int {
	switch {
	case f.together(c):
		return 2
	case f.Subjects && c.Mode == "":
		return 1
	}
	return 0
}

// takes returns how long a cell's launches take until every case took part in so many,
// or until there are no more layouts.
func (f fitter) takes(c Cell, least int) time.Duration {
	return c.Launch * time.Duration(min(f.Layouts, c.Enough(least)))
}

// shortest returns how long it takes until every case took part in so many of the
// shortest launches, and which case is the next to be dropped: of those whose turn it is,
// that which costs most in them, or of the slowest subject; cell is -1 where there is none.
func (f fitter) shortest(s *Schedule, least int) (total time.Duration, cell, index int) {
	cell = -1
	var most time.Duration
	var first int // turn of what was found
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
			if turn := f.turn(one); !f.kept(one) && (cell < 0 || turn < first || turn == first && cost > most) {
				most, first, cell, index = cost, turn, i, k
			}
		}
	}
	return total, cell, index
}

// enough is the budget to ask for in which all cases fit, which take that much
// time where the limit is that of the budget given.
func (f fitter) enough(total, limit time.Duration) time.Duration {
	asked := f.Asked
	if asked == 0 {
		asked = f.Budget
	}
	return Ample(time.Duration(float64(asked) * float64(total) / max(1, float64(limit))))
}

// ample are the budgets that people ask for.
var ample = []time.Duration{
	30 * time.Second, time.Minute, 2 * time.Minute, 3 * time.Minute, 4 * time.Minute, 6 * time.Minute, 8 * time.Minute, 10 * time.Minute,
	15 * time.Minute, 20 * time.Minute, 30 * time.Minute, 45 * time.Minute,
}

// Ample returns a budget to ask for that is no less than the time given: a round
// number of seconds, minutes or hours.
func Ample(d time.Duration) time.Duration {
	for _, a := range ample {
		if d <= a {
			return a
		}
	}
	return (d + time.Hour - 1).Truncate(time.Hour)
}

// Brief returns a whole number of seconds as people type it: 4m and not 4m0s.
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

// share sets the launches and rounds of each cell so that all of them take about
// as long as the budget. Each gets the least number of launches at least.
func (f fitter) share(cells []Cell, least int) {
	// What the cheapest leave of their share goes to the others.
	left := f.Budget
	order := make([]*Cell, len(cells))
	more := map[result.Cell]time.Duration{} // that it could do with
	for i := range cells {
		c := &cells[i]
		order[i] = c
		f.fix(c, f.Most)
		more[c.Cell] = c.Launch * time.Duration(f.Layouts)
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

// fill gives a cell as many launches, and then rounds, as fit into the time.
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

// fix gives a cell that many rounds, warm-up not counted.
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

// A cell of manyCases or more makes those rare that take more than rareShare of what
// its shortest launch takes, and more than rareTimes what its cases do on average.
const (
	manyCases = 8
	rareShare = 0.1
	rareTimes = 2
)

// spare gives a cell its shortest launch, and makes its slowest cases rare where many
// others gain from it.
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

// slow is how many times the cell's median batch a batch may take before its
// case begins to skip rounds.
const slow = 4

// leastSamples is the least number of samples that a case has in a launch.
const leastSamples = 2

// strides lets the slow cases of a cell skip rounds of a launch.
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
