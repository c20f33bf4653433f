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

// FirstTime is the benchtime of the first run of a benchmark, which tells what
// it costs: one operation.
const FirstTime = "1x"

// A Plan says how much time the benchmarks of the sources get.
type Plan struct {
	// Budget is for all benchmarks, their first runs not counted.
	Budget time.Duration
	// Row is the longest that one round of one benchmark may take.
	Row time.Duration
	// Rounds is how many rounds a benchmark gets where the budget allows.
	Rounds int
	// Benchtime is for benchmarks whose method does not fix one.
	Benchtime time.Duration
	// Op is the longest operation that is corrected: the engine runs it at least
	// half a dozen times, to verify, size and count it. 0: any.
	Op time.Duration
}

// The plans without their budgets, and what one benchmark gets of that.
var (
	full  = Plan{Row: 5 * time.Minute, Rounds: 5, Benchtime: time.Second}
	quick = Plan{Row: 15 * time.Second, Rounds: 3, Benchtime: 50 * time.Millisecond, Op: time.Second}
)

const (
	fullShare  = 8 * time.Second
	quickShare = 700 * time.Millisecond
)

// PlanFor returns the plan for that many benchmarks. A budget of 0 is by their
// number.
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

// With --quick one round of a benchmark takes at most a twelfth of the budget, but not
// less than a process takes to start on a busy machine, and an operation that is
// corrected at most a fifteenth of that.
const (
	rowPart  = 12
	leastRow = 5 * time.Second
	opPart   = 15
)

// After returns the plan when the first runs took so long, which a budget that was given
// counts. The rounds get a quarter of it in any case.
func (p Plan) After(first time.Duration) Plan {
	p.Budget = max(p.Budget-first, p.Budget/4)
	return p
}

// A Benchmark is one benchmark of a source's set.
type Benchmark struct {
	Set, Name string
	// Benchtime is that of the method; empty: the plan's.
	Benchtime string
	// Published is the time of one operation as published; 0: there is none.
	Published time.Duration
}

// Benchtime returns the benchtime that is part of a source's method: a number of
// operations, where all rows that say how many they had say the same. Empty: the
// time was left to package testing.
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

// A Cost is what the first run of a benchmark said.
type Cost struct {
	Op    time.Duration // of one operation
	Setup time.Duration // of the rest of a process
	// Late says that it was not over at the limit of a row, or would not have
	// been; Op is then the least that it can take.
	Late bool
}

// A Step is benchmarks of one set that take turns in one process.
type Step struct {
	Set       string
	Names     []string
	Rounds    int
	Benchtime string
}

// TooSlow returns why a benchmark is not started at all, or nothing: one operation
// as published is over the limit of a row, or decoding must make what it decodes,
// and what that costs is known.
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
			return fmt.Sprintf("encoding what is decoded takes %v alone, and a row may take %v%s", c.Op.Round(100*time.Millisecond), p.Row, p.hint())
		}
	}
	return ""
}

// The beginnings of the names of benchmarks.
const (
	encode = string(result.Encode) + "/"
	decode = string(result.Decode) + "/"
)

// Order returns the benchmarks in the order of their first runs: those that
// decode come last, because what the others cost may rule them out.
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

// Late returns the reason of a benchmark that was stopped at the limit of a row.
func (p Plan) Late() string {
	return fmt.Sprintf("took longer than the %v that a row may take%s", p.Row, p.hint())
}

func (p Plan) hint() string {
	if p.Row == quick.Row {
		return " with --quick"
	}
	return ""
}

// Uncorrected returns why the case of a benchmark is not measured by the engine,
// or nothing: encoding or decoding the same is too slow for it, by its first run
// or, without one, as published. It is asked of both because the engine verifies a
// round trip before it measures either.
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

// head and tail are the operation of a benchmark's name, and what follows it.
func head(name string) string { op, _, _ := strings.Cut(name, "/"); return op }
func tail(name string) string { _, rest, _ := strings.Cut(name, "/"); return rest }

// Steps fits the benchmarks into the budget by what their first runs cost. A single round
// says nothing of its spread, so time for two of the shortest is set aside first, for the
// cheap ones before the others. The rest goes round: the cheap ones have all they want, and
// leave what they do not need to the others. Those that are so slow that no round fits have
// none: their first run is their number. Benchmarks of one operation and size with the same
// rounds and time take turns.
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

// group returns what benchmarks that are compared have in common: a name without
// its library.
func group(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i]
	}
	return name
}

// A scheme is how long a benchmark runs.
type scheme struct {
	rounds int
	ops    int           // in each round; 0: for a time
	time   time.Duration // of each round
}

// String returns the benchtime as for go test.
func (s scheme) String() string {
	if s.ops > 0 {
		return strconv.Itoa(s.ops) + "x"
	}
	return s.time.String()
}

// metBy reports whether package testing would stop after one operation that takes so long.
func (s scheme) metBy(op time.Duration) bool { return s.ops == 0 && op >= s.time }

// cost is about how long all rounds take. Package testing runs one operation
// first, and comes to a time in runs that grow; before each round the inputs are
// made, because only those of the benchmark that ran last are kept.
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

// schemes are the ways to run a benchmark, the best first: by the method as it is with
// fewer and fewer rounds down to two, then with fewer operations, and then one round. Where
// the first run took as long as the method asks for, it is a round of the method.
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

// fewest is how many rounds tell a spread.
const fewest = 2

// least is what the cheapest scheme costs that leads to two rounds, if there is one.
func (p Plan) least(b Benchmark, c Cost) (cost time.Duration, ok bool) {
	for _, s := range p.schemes(b, c) {
		if s.rounds >= fewest || s.metBy(c.Op) {
			cost, ok = s.cost(c), true
		}
	}
	return cost, ok
}

// method is how long a round of a benchmark runs by the source's method.
func (p Plan) method(b Benchmark) scheme {
	if b.Benchtime != "" {
		return parseBenchtime(b.Benchtime)
	}
	return scheme{time: p.Benchtime}
}

// parseBenchtime reads 10x or 100ms. What is neither is one second, the default
// of go test.
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

// Done returns the benchmarks that a stored run has more than a first run of, or
// a reason why there is none.
func Done(records []result.Record) map[[2]string]bool {
	done := map[[2]string]bool{}
	for _, r := range records {
		if b := r.Bench; b != nil && (b.Status != "" || b.Benchtime != FirstTime) {
			done[[2]string{b.Set, b.Name}] = true
		}
	}
	return done
}
