package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

// A call is one call of an op.
type call struct {
	who string
	n   int
}

// logged returns a program with contenders that log the calls of decode; each call takes wait.
func logged(names string, log *[]call, wait time.Duration) Program {
	p := program()
	p.Bindings = nil
	for _, name := range strings.Fields(names) {
		p.Bindings = append(p.Bindings, Binding{
			Contender: name, Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
			New: func(values any) (*Codec, error) {
				c := newFake(values).codec()
				decode := c.Decode
				c.Decode = func(n int) (uint64, error) {
					*log = append(*log, call{name, n})
					time.Sleep(wait)
					return decode(n)
				}
				return c, nil
			},
		})
	}
	return p
}

func decodes(n int, names ...string) (cases []CaseSpec) {
	for _, name := range names {
		cases = append(cases, CaseSpec{Subject: result.Subject{Contender: name}, Op: result.Decode, N: n})
	}
	return cases
}

// TestRoundsOrder: each batch is one call with n, after one call with a tenth of n. The order
// is random and depends on the seed only, and every other round has the reverse order of the
// round before.
func TestRoundsOrder(t *testing.T) {
	order := func(seed uint64, warmup int) (rounds []string) {
		var log []call
		r := &Rounds{Cases: decodes(30, "a", "b", "c", "d", "e"), Warmup: warmup, Rounds: 6, Seed: seed}
		a := ask(t, logged("a b c d e", &log, 0), 7, Command{Cmd: "rounds", Rounds: r})
		if a.Error != "" {
			t.Fatal(a.Error)
		}
		want := 2 * 5 * (6 + warmup)
		if len(log) < want {
			t.Fatalf("%d calls, want %d", len(log), want)
		}
		log = log[:want] // the calls after that belong to checks
		for i := 0; i < len(log); i += 2 {
			if log[i].n != 3 || log[i+1].n != 30 || log[i].who != log[i+1].who {
				t.Fatalf("calls %v, want 3 and then 30 operations of one contender", log[i:i+2])
			}
			if i%10 == 0 {
				rounds = append(rounds, "")
			}
			rounds[len(rounds)-1] += log[i].who
		}
		return rounds
	}
	rounds := order(1, 3)
	reverse := func(s string) string {
		b := []byte(s)
		slices.Reverse(b)
		return string(b)
	}
	for _, i := range []int{0, 3, 5, 7} { // warm-up 0, kept 0, 2 and 4
		if rounds[i+1] != reverse(rounds[i]) {
			t.Errorf("round %d: %s after %s, want the reverse", i+1, rounds[i+1], rounds[i])
		}
	}
	if !cmp.Equal(rounds, order(1, 3)) {
		t.Error("the same seed gave another order")
	}
	if cmp.Equal(rounds, order(2, 3)) {
		t.Error("another seed gave the same order")
	}
	seen := map[string]bool{}
	for _, r := range rounds {
		seen[r] = true
	}
	if len(seen) < 6 {
		t.Errorf("%d distinct orders in %v", len(seen), rounds)
	}
}

func TestRoundsSamples(t *testing.T) {
	var log []call
	cases := decodes(1, "a", "b", "c")
	cases[1].Every, cases[1].N = 3, 2
	cases[2].Every = 100
	a := ask(t, logged("a b c", &log, 0), 7, Command{Cmd: "rounds", Rounds: &Rounds{Cases: cases, Warmup: 2, Rounds: 7}})
	if a.Measured == nil {
		t.Fatal(a.Error)
	}
	want := [][]int{{0, 1, 2, 3, 4, 5, 6}, {0, 3, 6}, {0}}
	for i, s := range a.Measured.Series {
		if !cmp.Equal(s.Round, want[i]) || s.Subject != cases[i].Subject || s.N != cases[i].N {
			t.Errorf("series %d is %+v, want the rounds %v", i, s, want[i])
		}
		if len(s.Wall) != len(s.Round) || hasThreadCPU && len(s.CPU) != len(s.Round) {
			t.Errorf("series %d is not parallel: %+v", i, s)
		}
		for j := range s.Wall {
			if s.Wall[j] <= 0 {
				t.Errorf("series %d: wall time %d", i, s.Wall[j])
			}
		}
	}
	// Every case takes part in at least one warm-up round. A batch of one has no untimed
	// operation before it.
	calls := map[call]int{}
	for _, c := range log[:min(len(log), 9+4+4+2)] { // the calls after that belong to checks
		calls[c]++
	}
	if want := (map[call]int{{"a", 1}: 9, {"b", 1}: 4, {"b", 2}: 4, {"c", 1}: 2}); !cmp.Equal(calls, want, cmp.AllowUnexported(call{})) {
		t.Errorf("calls %v, want %v", calls, want)
	}
}

func TestRoundsLimit(t *testing.T) {
	tests := []struct {
		warmup, rounds, most int
		limit                time.Duration
	}{
		{warmup: 3, rounds: 1000, limit: 20 * time.Millisecond, most: 999},
		{warmup: 1000, rounds: 1000, limit: 1, most: 1},
	}
	for _, test := range tests {
		var log []call
		a := ask(t, logged("a b", &log, time.Millisecond), 7, Command{Cmd: "rounds", Rounds: &Rounds{
			Cases: decodes(1, "a", "b"), Warmup: test.warmup, Rounds: test.rounds, LimitNS: int64(test.limit),
		}})
		if a.Measured == nil {
			t.Fatal(a.Error)
		}
		s := a.Measured.Series
		if n := len(s[0].Round); n < 1 || n > test.most || n != len(s[1].Round) {
			t.Errorf("limit %v: %d and %d samples, want 1 to %d of each", test.limit, n, len(s[1].Round), test.most)
		}
	}
}

// TestRoundsCheckSums: a batch that leaves out work is an error, at any position in the ring of
// inputs. A length that varies is not an error.
func TestRoundsCheckSums(t *testing.T) {
	tests := []struct {
		contender string
		op        result.Op
		n, inputs int
		want      string
	}{
		{"json", "encode", 5, 3, ""},
		{"json", "encode", 50, 8, ""},
		{"json", "scan", 31, 8, ""},
		{"json", "open", 31, 8, ""},
		{"json", "convert", 31, 8, ""},
		{"lazy", "encode", 5, 3, "rounds: lazy encode: 5 operations from input 1 returned the sum "},
		{"wrongsum", "encode", 5, 3, "rounds: wrongsum encode: 5 operations from input 1 returned the sum "},
		{"wrongcount", "decode", 2, 3, "rounds: wrongcount decode: 1 operations from input 0 returned the sum 2, want 1"},
		{"failing", "decode", 2, 3, "rounds: failing decode: cannot read"},
		{"failing", "scan", 2, 3, "rounds: failing scan: cannot read"},
		{"mute", "decode", 2, 3, "rounds: mute encode: cannot write"},
		{"unbound", "decode", 2, 3, "rounds: bind unbound: does not fit"},
	}
	for _, test := range tests {
		spec := CaseSpec{Subject: result.Subject{Contender: test.contender}, Op: test.op, N: test.n}
		a := ask(t, program(), test.inputs, Command{Cmd: "rounds", Rounds: &Rounds{Cases: []CaseSpec{spec}, Rounds: 5}})
		if (a.Error == "") != (test.want == "") || !strings.HasPrefix(a.Error, test.want) {
			t.Errorf("%s %s: error %q, want %q", test.contender, test.op, a.Error, test.want)
		}
		if test.want == "" && a.Measured.Varying != nil {
			t.Errorf("%s %s: said to vary", test.contender, test.op)
		}
	}
	cases := []CaseSpec{
		{Subject: result.Subject{Contender: "json"}, Op: "encode", N: 5},
		{Subject: result.Subject{Contender: "varying"}, Op: "encode", N: 5},
	}
	a := ask(t, program(), 8, Command{Cmd: "rounds", Rounds: &Rounds{Cases: cases, Rounds: 5}})
	if a.Measured == nil || !cmp.Equal(a.Measured.Varying, []int{1}) {
		t.Errorf("varying: %+v", a)
	}
}

// TestRoundsMixed: rounds runs the ops of one codec in mixed order, one case twice, and a mode
// that reads the messages of another mode.
func TestRoundsMixed(t *testing.T) {
	var cases []CaseSpec
	for _, op := range append(modelOps, result.Encode) {
		cases = append(cases, CaseSpec{Subject: result.Subject{Contender: "json"}, Op: op, N: 11})
	}
	cases = append(cases, CaseSpec{Subject: result.Subject{Contender: "json", Mode: "target=reuse"}, Op: result.Decode, N: 7})
	a := ask(t, program(), 8, Command{Cmd: "rounds", Rounds: &Rounds{Cases: cases, Rounds: 9}})
	if a.Measured == nil || len(a.Measured.Series) != len(cases) || len(a.Measured.Varying) > 0 {
		t.Fatalf("%+v", a)
	}
	for i, s := range a.Measured.Series {
		if s.Subject != cases[i].Subject || s.N != cases[i].N || len(s.Round) != 9 || len(s.Wall) != 9 {
			t.Errorf("series %d of %+v is %+v", i, cases[i], s)
		}
		for k, w := range s.Wall {
			if s.Round[k] != k || w <= 0 {
				t.Errorf("series %d, sample %d: round %d took %d ns", i, k, s.Round[k], w)
			}
		}
	}
}

// TestRoundsCollections: garbage of batches is collected between them.
func TestRoundsCollections(t *testing.T) {
	cases := []CaseSpec{{Subject: result.Subject{Contender: "json"}, Op: "decode", N: 2000}}
	a := ask(t, program(), 8, Command{Cmd: "rounds", Rounds: &Rounds{Cases: cases, Rounds: 30}})
	if a.Measured == nil || a.Measured.GCs < 2 || a.Measured.GCs > 30 {
		t.Errorf("%+v", a.Measured)
	}
	often := a.Measured.GCs
	// A larger footprint has fewer collections.
	a = ask(t, program(), 8, Command{Cmd: "rounds", Rounds: &Rounds{Cases: cases, Rounds: 30, Garbage: 12 << 20}})
	if a.Measured == nil || a.Measured.GCs >= often || a.Measured.GCs == 0 {
		t.Errorf("with 3 MiB %d collections, with 12 MiB %+v", often, a.Measured)
	}
	a = ask(t, program(), 8, Command{Cmd: "rounds", Rounds: &Rounds{Cases: cases, Rounds: 1, Garbage: -1}})
	if !strings.Contains(a.Error, "garbage is -1 bytes, want 1 to 1073741824") {
		t.Errorf("a negative footprint: %q", a.Error)
	}
}

func TestCalibrate(t *testing.T) {
	var log []call
	p := logged("sleepy", &log, 0)
	p.Bindings = append(p.Bindings, program().Bindings...)
	cases := []CaseSpec{
		{Subject: result.Subject{Contender: "sleepy"}, Op: "decode"},
		{Subject: result.Subject{Contender: "json"}, Op: "open"},
	}
	tests := []struct {
		c    Calibrate
		n    func(ns float64) float64
		name string
	}{
		{Calibrate{BatchNS: 100_000, MinOps: 5, MaxNS: 1e9}, func(ns float64) float64 { return 100_000 / ns }, "batch"},
		{Calibrate{BatchNS: 10, MinOps: 4000, MaxNS: 1e12}, func(ns float64) float64 { return 4000 }, "least operations"},
		{Calibrate{BatchNS: 10, MinOps: 4000}, func(ns float64) float64 { return 4000 }, "no limit"},
		{Calibrate{BatchNS: 1000, MinOps: 1e6, MaxNS: 50_000}, func(ns float64) float64 { return 50_000 / ns }, "most time"},
		{Calibrate{BatchNS: 1, MinOps: 1e6, MaxNS: 1}, func(ns float64) float64 { return 1 }, "one operation"},
	}
	for _, test := range tests {
		test.c.Cases = cases
		a := ask(t, p, 7, Command{Cmd: "calibrate", Calibrate: &test.c})
		if len(a.Calibrated) != 2 {
			t.Fatalf("%s: %+v", test.name, a)
		}
		for i, got := range a.Calibrated {
			want := test.n(got.NS)
			if got.NS <= 0 || float64(got.N) < want-1 || float64(got.N) > want+1 {
				t.Errorf("%s: case %d: n is %d of %g ns each, want %g", test.name, i, got.N, got.NS, want)
			}
		}
	}
	// A slow operation is tried twice after its first call.
	log = nil
	a := ask(t, logged("slow", &log, 5*time.Millisecond), 7, Command{Cmd: "calibrate", Calibrate: &Calibrate{Cases: decodes(0, "slow"), BatchNS: 1000, MaxNS: 1e6}})
	if len(a.Calibrated) != 1 || len(log) != 3 {
		t.Errorf("slow: %+v after the calls %v", a, log)
	}
}

// TestCalibrateLate: work that is done once, in the first calls, does not size the batches.
func TestCalibrateLate(t *testing.T) {
	for name, slow := range map[string]func(call int) bool{
		"first": func(call int) bool { return call == 1 }, "first two, as of sonic": func(call int) bool { return call <= 2 },
		"second": func(call int) bool { return call == 2 }, "third": func(call int) bool { return call == 3 },
	} {
		p := program()
		p.Bindings = []Binding{{
			Contender: "late", Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
			New: func(values any) (*Codec, error) {
				c, calls := newFake(values).codec(), 0
				decode := c.Decode
				c.Decode = func(n int) (uint64, error) {
					if calls++; slow(calls) {
						for start := time.Now(); time.Since(start) < 5*time.Millisecond; {
						}
					}
					return decode(n)
				}
				return c, nil
			},
		}}
		a := ask(t, p, 7, Command{Cmd: "calibrate", Calibrate: &Calibrate{Cases: decodes(0, "late"), BatchNS: 200_000, MaxNS: 5e6}})
		if len(a.Calibrated) != 1 || a.Calibrated[0].N < 10 || a.Calibrated[0].NS > 100_000 {
			t.Errorf("slow calls: %s: %+v", name, a)
		}
	}
}

func TestGrow(t *testing.T) {
	tests := []struct {
		n     int
		least float64
		want  int
	}{
		{1, 100, 10},
		{10, 100, 50},
		{10, 0, 100},
		{60, 100, 61},
		{maxCount - 1, 0, maxCount},
	}
	for _, test := range tests {
		if got := grow(test.n, test.least, 5000); got != test.want {
			t.Errorf("grow(%d, %g, 5000) is %d, want %d", test.n, test.least, got, test.want)
		}
	}
}

func TestSums(t *testing.T) {
	s := sums{before: []uint64{0, 1, 11, 111}}
	each := []uint64{1, 10, 100}
	for start := range 3 {
		for n := range 10 {
			var want uint64
			for i := range n {
				want += each[(start+i)%3]
			}
			if got := s.of(start, n); got != want {
				t.Errorf("of(%d, %d) is %d, want %d", start, n, got, want)
			}
		}
	}
	if got := (sums{}).of(2, 7); got != 7 {
		t.Errorf("without sums: %d, want 7", got)
	}
}

// TestMemory: the counts are the same each time, for every op and mode.
func TestMemory(t *testing.T) {
	for _, op := range modelOps {
		for _, who := range []result.Subject{{Contender: "json"}, {Contender: "json", Mode: "output=reuse"}, {Contender: "json", Mode: "target=reuse"}} {
			t.Run(fmt.Sprint(who, op), func(t *testing.T) {
				var first *Counted
				for range 5 {
					a := ask(t, program(), 8, Command{Cmd: "memory", Memory: &Memory{Subject: who, Op: op, Ops: 1001}})
					if strings.Contains(a.Error, "offers no op") {
						t.Skip(a.Error)
					}
					if a.Counted == nil {
						t.Fatal(a.Error)
					}
					if first == nil {
						first = a.Counted
					}
					if diff := cmp.Diff(first, a.Counted); diff != "" {
						t.Errorf("two counts differ:\n%s", diff)
					}
				}
				if first.Ops != 1008 || first.Messages != 8 || first.Encoded < 8*50 {
					t.Errorf("%+v", first)
				}
				if op == result.Open && first.Allocs != 0 || op == result.Decode && first.Allocs < 1008 {
					t.Errorf("%+v", first)
				}
			})
		}
	}
}

// TestMemoryVaries: if the allocations differ each time, the count has bounds.
func TestMemoryVaries(t *testing.T) {
	m := &Memory{Subject: result.Subject{Contender: "fickle"}, Op: result.Encode, Ops: 4}
	n := ask(t, program(), 4, Command{Cmd: "memory", Memory: m}).Counted
	if n == nil || n.MostAllocs <= n.Allocs || n.MostBytes < n.Bytes*3/2 {
		t.Errorf("%+v", n)
	}
}

// TestMemoryBlocks: what a codec allocates once in several operations is in proportion. Of 64
// operations that need 3.6 blocks, the least count is 3.
func TestMemoryBlocks(t *testing.T) {
	m := &Memory{Subject: result.Subject{Contender: "arena"}, Op: result.Encode, Ops: 64}
	var first *Counted
	for range 5 {
		n := ask(t, program(), 4, Command{Cmd: "memory", Memory: m}).Counted
		if n == nil || n.Ops != 64*MemoryPasses {
			t.Fatalf("%+v", n)
		}
		if rate := float64(n.Allocs) / float64(n.Ops) * 18; rate < 0.97 || rate > 1.03 {
			t.Errorf("%d blocks for %d operations, want one for 18", n.Allocs, n.Ops)
		}
		if first == nil {
			first = n
		}
		if diff := cmp.Diff(first, n); diff != "" {
			t.Errorf("two counts differ:\n%s", diff)
		}
	}
}

// TestMemoryExact: pools are filled before the count and stay filled.
func TestMemoryExact(t *testing.T) {
	m := &Memory{Subject: result.Subject{Contender: "pooling"}, Op: result.Encode, Ops: 500}
	a := ask(t, program(), 4, Command{Cmd: "memory", Memory: m})
	want := &Counted{Ops: 500, Bytes: 500 << 16, Allocs: 500, Messages: 4, Encoded: 4 << 16}
	if diff := cmp.Diff(want, a.Counted); diff != "" {
		t.Errorf("%s\n%s", a.Error, diff)
	}
}

// TestRoundsInputs: a case is bound to as many inputs as its batches have operations, if these
// are less than half of all inputs. Otherwise it is bound to all of them.
func TestRoundsInputs(t *testing.T) {
	slow := CaseSpec{N: 1, Every: 4}
	for _, test := range []struct {
		name   string
		spec   CaseSpec
		rounds Rounds // Last is set by the test
		all    int
		want   int
	}{
		{"a batch in each of 11 rounds", CaseSpec{N: 1}, Rounds{Warmup: 1, Rounds: 10}, 64, 11},
		{"a batch in every fourth round", slow, Rounds{Warmup: 10, Rounds: 40}, 64, 13},
		{"fewer than checks need", slow, Rounds{Rounds: 3}, 64, leastInputs},
		{"half of them", CaseSpec{N: 1}, Rounds{Rounds: 32}, 64, 0},
		{"a tenth before each batch", CaseSpec{N: 10}, Rounds{Rounds: 2}, 64, 22},
		{"one before each batch", CaseSpec{N: 2}, Rounds{Rounds: 5}, 64, 15},
		{"few inputs", slow, Rounds{Rounds: 3}, 12, 0},
		{"arithmetic does not overflow", CaseSpec{N: maxCount}, Rounds{Rounds: maxCount}, 64, 0},
		{"looks at all inputs afterwards", slow, Rounds{Rounds: 3, Unseen: true}, 64, 0},
		{"new values for each pass", CaseSpec{N: 1, Every: 4, Fresh: true}, Rounds{Rounds: 3}, 64, 0},
	} {
		test.rounds.Last = true
		if got := test.rounds.inputs(test.spec, test.all); got != test.want {
			t.Errorf("%s: %d inputs, want %d", test.name, got, test.want)
		}
		if test.rounds.Last = false; test.rounds.inputs(test.spec, test.all) != 0 {
			t.Errorf("%s: not bound to all inputs, where further rounds go on with them", test.name)
		}
	}
}

// TestRoundsFew: the results of a case with few batches are checked at the end, if no other command
// follows.
func TestRoundsFew(t *testing.T) {
	p := program()
	p.Bindings = []Binding{{
		Contender: "empty", Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
		New: func(values any) (*Codec, error) {
			c := newFake(values).codec()
			c.Decoded = func() any { return &item{} }
			return c, nil
		},
	}}
	for rounds := 1; rounds < spotLeast; rounds++ {
		a := ask(t, p, 3, Command{Cmd: "rounds", Rounds: &Rounds{Cases: decodes(2, "empty"), Rounds: rounds, Last: true}})
		if !strings.Contains(a.Error, "empty decode: seen between timed batches") {
			t.Errorf("%d rounds: error %q", rounds, a.Error)
		}
	}
}

// TestRoundsOfSlow: a case with few batches in a launch does not process every input first.
func TestRoundsOfSlow(t *testing.T) {
	for _, op := range []result.Op{result.Encode, result.Decode} {
		t.Run(string(op), func(t *testing.T) {
			done, bound := map[result.Op]int{}, 0
			p := program()
			p.Bindings = []Binding{{
				Contender: "slow", Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
				New: func(values any) (*Codec, error) {
					bound = max(bound, len(values.([]item)))
					c := newFake(values).codec()
					encode, decode := c.Encode, c.Decode
					c.Encode = func(n int) (uint64, error) { done[result.Encode] += n; return encode(n) }
					c.Decode = func(n int) (uint64, error) { done[result.Decode] += n; return decode(n) }
					return c, nil
				},
			}}
			a := ask(t, p, 64, Command{Cmd: "rounds", Rounds: &Rounds{
				Cases: []CaseSpec{{Subject: result.Subject{Contender: "slow"}, Op: op, N: 1}}, Warmup: 2, Rounds: 10, Last: true,
			}})
			if a.Error != "" {
				t.Fatal(a.Error)
			}
			if s := a.Measured.Series[0]; len(s.Wall) != 10 {
				t.Errorf("%d samples, want 10", len(s.Wall))
			}
			if bound != 12 {
				t.Errorf("bound to %d values, want the 12 that its batches come to", bound)
			}
			// This counts the messages or sums of 12 inputs, 12 batches, and checks.
			if all := done[result.Encode] + done[result.Decode]; all < 24 || all >= 64 {
				t.Errorf("did %v operations, want fewer than there are inputs", done)
			}
		})
	}
}

// TestRoundsOfFloor: a case and its floor share the messages and sums of all inputs, so each
// input is encoded once for both.
func TestRoundsOfFloor(t *testing.T) {
	done := 0
	p := program()
	p.Bindings = []Binding{{
		Contender: "slow", Workload: "items", Root: "Item", Ops: []result.Op{result.Encode},
		New: func(values any) (*Codec, error) {
			c := newFake(values).codec()
			encode := c.Encode
			c.Encode = func(n int) (uint64, error) { done += n; return encode(n) }
			return c, nil
		},
	}}
	who := result.Subject{Contender: "slow"}
	a := ask(t, p, 64, Command{Cmd: "rounds", Rounds: &Rounds{
		Cases: []CaseSpec{{Subject: who, Op: result.Encode, N: 1}, {Subject: who, Op: result.Encode, N: 1, Role: result.Floor}}, Rounds: 2,
	}})
	if a.Error != "" {
		t.Fatal(a.Error)
	}
	if done != 64+2 {
		t.Errorf("%d operations, want one for each of 64 inputs and two batches", done)
	}
}
