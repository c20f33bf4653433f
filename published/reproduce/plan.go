package reproduce

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/published/sources"
	"assay/result"
)

// FirstTime is the benchtime of the first run of a benchmark: one operation, which shows what the
// benchmark costs.
const FirstTime = "1x"

// A Plan says how much time the benchmarks of the sources get.
type Plan struct {
	// Budget is the time for all benchmarks, without their first runs.
	Budget time.Duration
	// Row is the longest that one round of one benchmark may take.
	Row time.Duration
	// Rounds is how many rounds a benchmark gets if the budget allows.
	Rounds int
	// Benchtime is for benchmarks whose method does not fix one.
	Benchtime time.Duration
	// Op is the longest operation that the engine corrects; 0: any. The engine runs an operation at
	// least half a dozen times, to verify, size and count it.
	Op time.Duration
	// Hurried says that it is the plan of --quick.
	Hurried bool
}

// The plans without their budgets, and the share of the budget for one benchmark.
var (
	full  = Plan{Row: 5 * time.Minute, Rounds: 5, Benchtime: time.Second}
	quick = Plan{Row: 15 * time.Second, Rounds: 3, Benchtime: 50 * time.Millisecond, Op: time.Second, Hurried: true}
)

const (
	fullShare  = 8 * time.Second
	quickShare = 700 * time.Millisecond
)

// PlanFor returns the plan for a number of benchmarks. With a budget of 0, the number determines
// the budget.
func PlanFor(benchmarks int, hurried bool, budget time.Duration) Plan {
	p, share := full, fullShare
	if hurried {
		p, share = quick, quickShare
	}
	p.Budget = budget
	if budget == 0 {
		p.Budget = share * time.Duration(benchmarks)
		return p
	}
	if hurried {
		p.Row = min(p.Row, max(leastRow, budget/rowPart))
		p.Op = min(p.Op, p.Row/opPart)
	}
	return p
}

// With --quick and a budget, one round of a benchmark takes at most a twelfth of the budget, but at
// least as long as a process takes to start on a busy machine. An operation that is corrected takes
// at most a fifteenth of that.
const (
	rowPart  = 12
	leastRow = 5 * time.Second
	opPart   = 15
)

// After returns the plan after the first runs took the time first, which counts towards a given
// budget. The rounds get a quarter of the budget in any case.
func (p Plan) After(first time.Duration) Plan {
	p.Budget = max(p.Budget-first, p.Budget/4)
	return p
}

// A Benchmark is one benchmark of a source's set.
type Benchmark struct {
	Set, Name string
	// Benchtime is the benchtime of the method; empty: the plan's is used.
	Benchtime string
	// Published is the published time of one operation; 0: there is none.
	Published time.Duration
}

// Benchtime returns the benchtime that is part of a source's method: a number of operations, if at
// least two rows have one and all of them have the same. It is empty if the time was left to
// package testing.
func Benchtime(s sources.Source) string {
	var n int64
	rows := 0
	for _, t := range s.Tables {
		for _, r := range t.Rows {
			switch {
			case r.Iterations == 0:
				continue
			case rows > 0 && r.Iterations != n:
				return ""
			}
			n = r.Iterations
			rows++
		}
	}
	if rows < 2 {
		return ""
	}
	return strconv.FormatInt(n, 10) + "x"
}

// A Cost is what the first run of a benchmark showed.
type Cost struct {
	Op    time.Duration // time of one operation
	Setup time.Duration // time of the rest of the process
	// Late says that the first run exceeded the limit of a row, or would have. Op is then a lower
	// bound.
	Late bool
}

// A Step is a list of benchmarks of one set that take turns in one process.
type Step struct {
	Set       string
	Names     []string
	Rounds    int
	Benchtime string
}

// TooSlow returns why a benchmark is not started; empty if it is. One operation as published
// exceeds the limit of a row; or the benchmark decodes, so it must first encode its input, and that
// is known to take too long.
func (p Plan) TooSlow(b Benchmark, costs map[Benchmark]Cost) (reason string) {
	if b.Published > p.Row {
		return fmt.Sprintf("published at %v an operation, over the %v that a row may take%s", b.Published.Round(time.Second), p.Row, p.hint())
	}
	rest, ok := strings.CutPrefix(b.Name, decode)
	if !ok {
		return ""
	}
	for other, c := range costs {
		if other.Set == b.Set && other.Name == encode+rest && 2*c.Op > p.Row {
			return fmt.Sprintf("encoding what is decoded takes %v alone, decoding it is taken to be as long, and a row may take %v%s", c.Op.Round(100*time.Millisecond), p.Row, p.hint())
		}
	}
	return ""
}

// Prefixes of the names of benchmarks.
const (
	encode = string(result.Encode) + "/"
	decode = string(result.Decode) + "/"
)

// Order returns the benchmarks in the order of their first runs. Those that decode come last,
// because the costs of the others may rule them out.
func Order(benchmarks []Benchmark) []Benchmark {
	ordered := slices.Clone(benchmarks)
	decodes := func(b Benchmark) int {
		if strings.HasPrefix(b.Name, decode) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(ordered, func(a, b Benchmark) int { return decodes(a) - decodes(b) })
	return ordered
}

// Late returns the reason for a benchmark that was stopped at the limit of a row.
func (p Plan) Late() string {
	return fmt.Sprintf("took longer than the %v that a row may take%s", p.Row, p.hint())
}

func (p Plan) hint() string {
	if p.Hurried {
		return " with --quick"
	}
	return ""
}

// Uncorrected returns why the engine does not measure the case of a benchmark; empty if it does.
// Encoding or decoding the same value is too slow, by its first run or, without one, as published.
// Both count, because the engine verifies a round trip before it measures either.
func (p Plan) Uncorrected(b Benchmark, all []Benchmark, costs map[Benchmark]Cost) (reason string) {
	if p.Op == 0 {
		return ""
	}
	for _, other := range all {
		if other.Set != b.Set || tail(other.Name) != tail(b.Name) {
			continue
		}
		c, known := costs[other]
		by := "by the source's method"
		switch {
		case !known:
			c.Op, by = other.Published, "as published"
		case c.Late:
			by = "or more " + by
		}
		if c.Op > p.Op {
			return fmt.Sprintf("one %s takes %v %s, and what takes over %v is not corrected%s", head(other.Name), c.Op.Round(100*time.Millisecond), by, p.Op, p.hint())
		}
	}
	return ""
}

// head and tail return the operation in a benchmark's name, and what follows it.
func head(name string) string { op, _, _ := strings.Cut(name, "/"); return op }
func tail(name string) string { _, rest, _ := strings.Cut(name, "/"); return rest }

// Steps fits the benchmarks into the budget by the costs of their first runs.
//
// A single round shows no spread, so Steps first sets aside the time for the two shortest rounds of
// each benchmark, cheap benchmarks first. It then shares out the rest, cheap benchmarks first too:
// each gets what it wants within an equal share, and leaves what it does not need to the others. If
// no round of a benchmark fits, it gets none, and its first run is its number. Benchmarks of one
// operation and size with the same rounds and benchtime take turns.
func (p Plan) Steps(benchmarks []Benchmark, costs map[Benchmark]Cost) []Step {
	var known []Benchmark
	for _, b := range benchmarks {
		if c, ok := costs[b]; ok && !c.Late {
			known = append(known, b)
		}
	}
	order := slices.Clone(known)
	want := func(b Benchmark) time.Duration { return p.schemes(b, costs[b])[0].cost(costs[b]) }
	slices.SortStableFunc(order, func(a, b Benchmark) int { return cmp.Compare(want(a), want(b)) })
	left, aside := p.Budget, map[Benchmark]time.Duration{}
	for i, b := range order {
		if cost, ok := p.least(b, costs[b]); ok && cost <= left/time.Duration(len(order)-i) {
			aside[b] = cost
			left -= cost
		}
	}
	chosen := map[Benchmark]scheme{}
	for i, b := range order {
		allowed := aside[b] + left/time.Duration(len(order)-i)
		for _, s := range p.schemes(b, costs[b]) {
			cost := s.cost(costs[b])
			if cost <= allowed && cost/time.Duration(s.rounds) <= p.Row {
				chosen[b] = s
				left -= cost - aside[b]
				break
			}
		}
	}
	type key struct {
		set, group string
		scheme     scheme
	}
	var steps []Step
	at := map[key]int{}
	for _, b := range known {
		s, ok := chosen[b]
		if !ok {
			continue
		}
		k := key{b.Set, group(b.Name), s}
		i, ok := at[k]
		if !ok {
			i = len(steps)
			at[k] = i
			steps = append(steps, Step{Set: b.Set, Rounds: s.rounds, Benchtime: s.String()})
		}
		steps[i].Names = append(steps[i].Names, b.Name)
	}
	return steps
}

// group returns the part of a name that compared benchmarks share: the name without its library.
func group(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i]
	}
	return name
}

// A scheme is how long a benchmark runs.
type scheme struct {
	rounds int
	ops    int           // in each round; 0: time decides
	time   time.Duration // of each round
}

// String returns the benchtime in the format of go test.
func (s scheme) String() string {
	if s.ops > 0 {
		return strconv.Itoa(s.ops) + "x"
	}
	return s.time.String()
}

// metBy reports whether package testing would stop after one operation that takes this long.
func (s scheme) metBy(op time.Duration) bool { return s.ops == 0 && op >= s.time }

// cost returns about how long all rounds take. Package testing runs one operation first, and
// reaches a duration in growing runs. The inputs are made before each round, because a Fixture
// keeps only those of the last benchmark.
func (s scheme) cost(c Cost) time.Duration {
	round := c.Setup
	switch {
	case s.ops > 1:
		round += time.Duration(s.ops+1) * c.Op
	case s.ops == 1:
		round += c.Op
	default:
		round += max(c.Op, s.time*22/10)
	}
	return round * time.Duration(s.rounds)
}

// schemes returns the ways to run a benchmark, the best first: by the method itself with fewer and
// fewer rounds down to two, then with fewer operations, and then in one round. If the first run
// took as long as the method asks for, it counts as a round of the method.
func (p Plan) schemes(b Benchmark, c Cost) []scheme {
	full := p.method(b)
	var all []scheme
	add := func(rounds, part int) {
		s := full
		s.rounds, s.ops, s.time = rounds, full.ops/part, full.time/time.Duration(part)
		if part == 1 || s.ops > 1 || full.ops == 0 {
			all = append(all, s)
		}
	}
	if full.metBy(c.Op) {
		for rounds := p.Rounds - 1; rounds >= 1; rounds-- {
			add(rounds, 1)
		}
		return all
	}
	for rounds := p.Rounds; rounds > fewest; rounds-- {
		add(rounds, 1)
	}
	for rounds := fewest; rounds >= 1; rounds-- {
		for _, part := range []int{1, 2, 5, 10} {
			add(rounds, part)
		}
	}
	return all
}

// fewest is the smallest number of rounds that shows a spread.
const fewest = 2

// least returns the cost of the cheapest scheme that leads to two rounds, if there is one.
func (p Plan) least(b Benchmark, c Cost) (cost time.Duration, ok bool) {
	for _, s := range p.schemes(b, c) {
		if s.rounds >= fewest || s.metBy(c.Op) {
			cost, ok = s.cost(c), true
		}
	}
	return cost, ok
}

// method returns how long a round of a benchmark runs by the source's method.
func (p Plan) method(b Benchmark) scheme {
	if b.Benchtime != "" {
		return parseBenchtime(b.Benchtime)
	}
	return scheme{time: p.Benchtime}
}

// parseBenchtime parses 10x or 100ms. For anything else it returns one second, the default of go
// test.
func parseBenchtime(text string) scheme {
	if count, ok := strings.CutSuffix(text, "x"); ok {
		if n, err := strconv.Atoi(count); err == nil && n > 0 {
			return scheme{ops: n}
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return scheme{time: d}
	}
	return scheme{time: time.Second}
}

// Done returns the benchmarks for which a stored run has rounds besides a first run, or a reason why
// there is no number. One round is not enough: whoever interrupted the run may have done so between
// the rounds.
func Done(records []result.Record) map[[2]string]bool {
	done := map[[2]string]bool{}
	for key, rounds := range RoundsOf(records) {
		if len(rounds) >= fewest && rounds[len(rounds)-1].Benchtime != FirstTime {
			done[key] = true
		}
	}
	for _, r := range records {
		if b := r.Bench; b != nil && b.Status != "" {
			done[[2]string{b.Set, b.Name}] = true
		}
	}
	return done
}
