package bench

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

// TestSteady: the count of a case that allocates covers whole cycles, and a live heap makes its
// cycles longer.
func TestSteady(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 50))
	c := &Steady{Subject: result.Subject{Contender: "pooling"}, Op: result.Encode, MinNS: 1, MinCycles: 3, MaxNS: 60e9}
	perCycle := map[int]int{}
	// On a busy machine a collection may begin late, so the shortest cycles count.
	for _, mb := range []int{0, 32, 0, 32, 0, 32} {
		c.LiveMB = mb
		a := ask(t, program(), 4, Command{Cmd: "steady", Steady: c})
		s := a.Steadied
		if s == nil || s.Cycles < 3 || s.Ops < 3 || s.Wall < 1 || s.CPU < 1 || s.GCCPU < 1 {
			t.Fatalf("live_mb %d: %s %+v", mb, a.Error, s)
		}
		bytes := s.Ops << 16 / s.Cycles
		if least, ok := perCycle[mb]; !ok || bytes < least {
			perCycle[mb] = bytes
		}
	}
	if perCycle[0] > 24<<20 || perCycle[32] < 24<<20 {
		t.Errorf("bytes allocated in a cycle, by MiB of live heap: %v", perCycle)
	}
	if got := debug.SetGCPercent(50); got != 50 {
		t.Errorf("afterwards GOGC is %d, want what it was, 50", got)
	}
	if got := debug.SetMemoryLimit(-1); got != 1<<50 {
		t.Errorf("afterwards the memory limit is %d, want what it was", got)
	}
}

// TestSteadyCPU: a count has the CPU time of the work, which waiting is not, where the system counts it,
// and the collector's part of it is what its cycles take.
func TestSteadyCPU(t *testing.T) {
	const wait = 3 * time.Millisecond
	var log []call
	c := &Steady{Subject: result.Subject{Contender: "a"}, Op: result.Decode, MinNS: int64(10 * wait), MaxNS: int64(20 * wait)}
	s := ask(t, logged("a", &log, wait), 3, Command{Cmd: "steady", Steady: c}).Steadied
	if s == nil || s.Wall < int64(10*wait) || hasProcessCPU && s.CPU > s.Wall/2 {
		t.Errorf("of work that sleeps: %+v", s)
	}
	c = &Steady{Subject: result.Subject{Contender: "pooling"}, Op: result.Encode, LiveMB: 32, MinNS: 1, MinCycles: 2, MaxNS: int64(time.Minute)}
	s = ask(t, program(), 4, Command{Cmd: "steady", Steady: c}).Steadied
	// To mark 32 MiB of pointers takes some 30 ms.
	if s == nil || hasProcessCPU && s.GCCPU < int64(s.Cycles)*int64(6*time.Millisecond) { // elsewhere the clock may be coarse
		t.Errorf("of work that allocates beside 32 MiB: %+v", s)
	}
}

// TestSteadyWithoutGarbage: if a case causes no cycle, its count ends after MaxNS.
func TestSteadyWithoutGarbage(t *testing.T) {
	c := &Steady{Subject: result.Subject{Contender: "json"}, Op: result.Open, MinCycles: 1, MaxNS: 3e6}
	a := ask(t, program(), 4, Command{Cmd: "steady", Steady: c})
	if s := a.Steadied; s == nil || s.Cycles != 0 || s.Wall < 3e6 || s.Ops < 100 || s.GCCPU != 0 {
		t.Errorf("%+v", a)
	}
}

// TestSteadyWaits: if a collection comes later than MaxNS, a count with WaitNS has whole
// cycles, like a count that is long enough, and a count without WaitNS has none.
func TestSteadyWaits(t *testing.T) {
	if testing.Short() {
		t.Skip("measuring takes seconds")
	}
	c := Steady{Subject: result.Subject{Contender: "pooling"}, Op: result.Encode, LiveMB: 64, MinNS: 1, MinCycles: 1, MaxNS: 1e6}
	perCycle := func(c Steady) int {
		t.Helper()
		a := ask(t, program(), 4, Command{Cmd: "steady", Steady: &c})
		s := a.Steadied
		if s == nil {
			t.Fatal(a.Error)
		}
		if s.Cycles == 0 {
			return 0
		}
		return s.Ops << 16 / s.Cycles
	}
	if got := perCycle(c); got != 0 {
		t.Fatalf("without waiting there is a cycle every %d bytes, so this test shows nothing", got)
	}
	long := c
	long.MaxNS = 60e9
	c.WaitNS = 60e9
	// On a busy machine, a collection may begin late. So the test compares the least values of
	// several tries, and makes more tries until they agree.
	got, want := math.MaxInt, math.MaxInt
	for range 12 {
		one, two := perCycle(c), perCycle(long)
		if one == 0 || two == 0 {
			t.Fatalf("a cycle every %d bytes where it is waited for, and every %d in a long count", one, two)
		}
		got, want = min(got, one), min(want, two)
		if ratio := float64(got) / float64(want); 0.8 <= ratio && ratio <= 1.25 {
			return
		}
	}
	t.Errorf("a cycle every %d bytes where it is waited for, and every %d in a long count", got, want)
}

// TestWorthWaiting: a count waits for a collection that comes in time and takes at least a
// 200th of the time between collections.
func TestWorthWaiting(t *testing.T) {
	for _, tt := range []struct {
		period     float64
		cost, most int64
		want       bool
	}{
		{1e9, 5e6, 1e9, true},
		{1e9, 5e6, 1e9 - 1, false},
		{1e9, 5e6 - 1, 1e9, false},
		{1e9, 5e6, 0, false},
		{math.Inf(1), 1 << 60, math.MaxInt64, false},
	} {
		if got := worthWaiting(tt.period, tt.cost, tt.most); got != tt.want {
			t.Errorf("worthWaiting(%g, %d, %d) = %t", tt.period, tt.cost, tt.most, got)
		}
	}
}

// TestSteadyParts: a count that waits has at least parts operations or cycles.
func TestSteadyParts(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, tt := range []struct{ parts, perOp, want int }{{0, 1, 1}, {4, 1, 4}, {4, 2, 2}, {4, 8, 1}} {
		calls := 0
		c := &Codec{Seek: func(int) {}, Decode: func(n int) (uint64, error) {
			for range tt.perOp {
				runtime.GC()
			}
			calls++
			return uint64(n), nil
		}}
		w := &steadyWork{checker: &checker{bound: newBound(result.Subject{}, c, 3), op: result.Decode}, n: 1, parts: tt.parts}
		w.meter[0].Name = "/gc/cycles/total:gc-cycles"
		w.meter[1].Name = "/cpu/classes/gc/total:cpu-seconds"
		// Collections take so long that every batch has one operation.
		if _, err := w.until(0, 1, math.MaxInt64); err != nil {
			t.Fatal(err)
		}
		if calls != tt.want {
			t.Errorf("%+v: %d operations", tt, calls)
		}
	}
}

// TestSteadyUntil: the count ends with the batch in which the last cycle ended, and batches
// grow.
func TestSteadyUntil(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const batches = 7 // between two collections
	tests := []struct {
		least, most int64
		cycles      int
		want        int // batches
	}{
		{0, math.MaxInt64, 3, 3 * batches},
		{0, math.MaxInt64, 0, batches},
		{0, 1, 3, 1},
		{1, math.MaxInt64, 1, batches},
	}
	for _, test := range tests {
		var calls, ops int
		c := &Codec{Seek: func(int) {}, Decode: func(n int) (uint64, error) {
			ops += n
			if calls++; calls%batches == 0 {
				runtime.GC()
			}
			return uint64(n), nil
		}}
		w := &steadyWork{checker: &checker{bound: newBound(result.Subject{}, c, 3), op: result.Decode}, n: 1}
		w.meter[0].Name = "/gc/cycles/total:gc-cycles"
		w.meter[1].Name = "/cpu/classes/gc/total:cpu-seconds"
		got, err := w.until(test.least, test.cycles, test.most)
		if err != nil {
			t.Fatal(err)
		}
		if calls != test.want || got.Ops != ops || got.Cycles != test.want/batches {
			t.Errorf("%+v: %d batches and %d operations, %+v", test, calls, ops, got)
		}
		if test.want > 1 && w.n < 100 {
			t.Errorf("%+v: batches grew to %d only", test, w.n)
		}
	}
}

func TestLiveHeap(t *testing.T) {
	var h liveHeap
	before := liveBytes()
	grown := func() int64 { return liveBytes() - before }
	h.resize(4)
	if got := grown(); got < 4<<20 || got > 4<<20+1<<16 {
		t.Errorf("a heap of 4 MiB takes %d bytes", got)
	}
	seen := 0
	for n := h.root; n != nil; n = n[0] {
		seen++
	}
	if seen != 4<<20/64 {
		t.Errorf("%d objects, want %d", seen, 4<<20/64)
	}
	root := h.root
	if h.resize(4); h.root != root {
		t.Error("the same size was made anew")
	}
	for i, p := range root {
		if p == nil {
			t.Errorf("pointer %d of the last object is nil", i)
		}
	}
	root = nil
	h.resize(1)
	if got := grown(); got < 1<<20 || got > 1<<20+1<<16 {
		t.Errorf("a heap of 1 MiB takes %d bytes", got)
	}
	h.resize(0)
	if got := grown(); got > 1<<16 {
		t.Errorf("no heap takes %d bytes", got)
	}
	runtime.KeepAlive(&h)
}

// TestCold: cold times the first call only once in a process, right after load.
func TestCold(t *testing.T) {
	for _, op := range modelOps {
		cold := fmt.Sprintf(`{"cmd":"cold","cold":{"contender":"json","op":%q}}`, op)
		unknown := fmt.Sprintf(`{"cmd":"cold","cold":{"contender":"nobody","op":%q}}`, op)
		// A failure before a contender's code runs leaves the process cold. Loading again does
		// not make it cold.
		answers := serve(t, program(), cold, unknown, loadLine, unknown, `{"cmd":"describe"}`, cold, cold, loadLine, cold)
		for i, want := range []string{
			"cold: nothing is loaded", "cold: nothing is loaded", "", `cold: unknown contender "nobody"`, "", "",
			"cold: a contender's code has already run", "", "cold: a contender's code has already run",
		} {
			if got := answers[i].Error; (got == "") != (want == "") || !strings.HasPrefix(got, want) {
				t.Errorf("%s: answer %d: %q, want %q", op, i, got, want)
			}
		}
		if f := answers[5].First; f == nil || f.NS < 1 {
			t.Errorf("%s: %+v", op, answers[5])
		}
	}
	for _, other := range []string{
		verifyLine,
		`{"cmd":"verify","verify":{"contender":"unbound"}}`,
		`{"cmd":"memory","memory":{"contender":"json","op":"encode","ops":1}}`,
		`{"cmd":"parallel","parallel":{"contender":"json","op":"encode","goroutines":1,"n":1,"rounds":1}}`,
	} {
		answers := serve(t, program(), loadLine, other, `{"cmd":"cold","cold":{"contender":"json","op":"encode"}}`)
		if answers[2].Error == "" {
			t.Errorf("cold after %s: %+v", other, answers[2])
		}
	}
	for contender, want := range map[string]string{
		"failing": "cold: failing decode: cannot read", "wrongcount": "cold: wrongcount decode: 1 operations from input 0 returned the sum 2, want 1",
		"mute": "cold: mute encode: cannot write", "lazy": "",
	} {
		answers := serve(t, program(), loadLine, fmt.Sprintf(`{"cmd":"cold","cold":{"contender":%q,"op":"decode"}}`, contender))
		if got := answers[1].Error; got != want {
			t.Errorf("%s: error %q, want %q", contender, got, want)
		}
	}
}

// TestColdFirst: the timed operation is the op's first, and an op that reads has messages. The time is
// that on the clock, so that it has what a first call waits for.
func TestColdFirst(t *testing.T) {
	const wait = 5 * time.Millisecond
	var log []call
	a := ask(t, logged("a", &log, wait), 3, Command{Cmd: "cold", Cold: &Cold{Subject: result.Subject{Contender: "a"}, Op: result.Decode}})
	if a.First == nil || a.First.NS < int64(wait) || !cmp.Equal(log, []call{{"a", 1}}, cmp.AllowUnexported(call{})) {
		t.Errorf("%+v after the calls %v", a, log)
	}
}

// sayingRight returns a program whose codecs report the last input as their decoded value,
// whatever they decoded.
func sayingRight(p Program) Program {
	for i, b := range p.Bindings {
		p.Bindings[i].New = func(values any) (*Codec, error) {
			c, err := b.New(values)
			if err == nil {
				all := values.([]item)
				c.Decoded = func() any { return &all[len(all)-1] }
			}
			return c, err
		}
	}
	return p
}

// TestRetain: the size of retained values is exact. It includes the message only if the value
// points into it.
func TestRetain(t *testing.T) {
	// The allocator has size classes of 512 and 1024 bytes, and one of 64 bytes, which holds an
	// item.
	const own = 64
	if size := unsafe.Sizeof(item{}); size > own || size <= 48 {
		t.Fatalf("an item of %d bytes does not take %d", size, own)
	}
	tests := []struct {
		contender string
		each      int64
		encoded   int64 // 0: not checked
	}{
		{"block", own + 1024, 0},
		{"alias", own + 512, 512},
		{"copying", own + 512, 512},
	}
	for _, test := range tests {
		r := &Retain{Subject: result.Subject{Contender: test.contender}, Messages: 1001}
		got := ask(t, sayingRight(program()), 8, Command{Cmd: "retain", Retain: r})
		if got.Retained == nil {
			t.Fatal(got.Error)
		}
		if n := got.Retained.Messages; n != 1008 {
			t.Errorf("%s: %d messages, want 1008", test.contender, n)
		}
		if off := got.Retained.Bytes - 1008*test.each; off < -64 || off > 64 {
			t.Errorf("%s: %d bytes are kept, want %d for each", test.contender, got.Retained.Bytes, test.each)
		}
		if test.encoded > 0 && got.Retained.Encoded != 1008*test.encoded {
			t.Errorf("%s: %d bytes encoded, want %d", test.contender, got.Retained.Encoded, 1008*test.encoded)
		}
	}
}

// TestRetainDrops: a longer message makes retained values larger only if the values point into
// it.
func TestRetainDrops(t *testing.T) {
	kept := func(padding int, alias bool) int64 {
		p := program()
		p.Bindings = []Binding{{
			Contender: "padded", Workload: "items", Root: "Item", Ops: blockOps,
			New: func(values any) (*Codec, error) {
				f := newFake(values)
				encode, decode := f.encode, f.decode
				f.encode = func(v *item) ([]byte, error) {
					b, err := encode(v)
					return append(b, strings.Repeat(" ", padding)...), err
				}
				f.decode = func(b []byte) (*item, error) {
					v, err := decode(b)
					if alias {
						v.Name = unsafe.String(&b[0], len(v.Name))
					}
					return v, err
				}
				return f.codec(), nil
			},
		}}
		a := ask(t, sayingRight(p), 8, Command{Cmd: "retain", Retain: &Retain{Subject: result.Subject{Contender: "padded"}, Messages: 800}})
		if a.Retained == nil {
			t.Fatal(a.Error)
		}
		return a.Retained.Bytes / 800
	}
	const padding = 4096
	if short, long := kept(0, false), kept(padding, false); long > short+16 {
		t.Errorf("encoding/json keeps %d bytes, and %d of a message with more white space", short, long)
	}
	if short, long := kept(0, true), kept(padding, true); long < short+padding {
		t.Errorf("with a name in the message %d bytes are kept, and %d of a message with more white space", short, long)
	}
}

// TestRetainReused: a single value is recognised as the value of the pass before the
// measurement.
func TestRetainReused(t *testing.T) {
	a := ask(t, program(), 1, Command{Cmd: "retain", Retain: &Retain{Subject: result.Subject{Contender: "json", Mode: "target=reuse"}, Messages: 1}})
	if !strings.Contains(a.Error, "two messages were decoded into the same value") {
		t.Errorf("%+v", a)
	}
}

// TestRetainAfter: the codec reads its own messages again after retain.
func TestRetainAfter(t *testing.T) {
	answers := serve(t, program(), loadLine,
		`{"cmd":"retain","retain":{"contender":"json","messages":5}}`,
		verifyLine,
		`{"cmd":"rounds","rounds":{"cases":[{"contender":"json","op":"scan","n":9}],"rounds":2}}`)
	if r := answers[1].Retained; r == nil || r.Messages != 8 || r.Bytes < 8*64 || r.Encoded < 8*40 {
		t.Errorf("%+v", answers[1])
	}
	if v := answers[2].Verified; v == nil || !v.OK {
		t.Errorf("verify: %+v", answers[2])
	}
	if answers[3].Measured == nil {
		t.Errorf("rounds: %+v", answers[3])
	}
}

// TestParallel: in each round, every goroutine runs its warm-up and its batch with its own
// codec and messages, and all batches run at the same time.
func TestParallel(t *testing.T) {
	for _, goroutines := range []int{1, 2, 7} {
		var mu sync.Mutex
		calls := map[*fake]map[int]int{}
		inputs := map[*byte]bool{}
		var warmed, begun, early, alone atomic.Int64
		p := program()
		p.Bindings = []Binding{{
			Contender: "a", Workload: "items", Root: "Item", Ops: blockOps,
			New: func(values any) (*Codec, error) {
				f := newFake(values)
				c := f.codec()
				decode := c.Decode
				c.Decode = func(n int) (uint64, error) {
					mu.Lock()
					if calls[f] == nil {
						calls[f] = map[int]int{}
					}
					// At the end a goroutine's codec may be checked once more, by chance.
					if n != 3 && calls[f][30] == 7 || calls[f][n] == 7 {
						mu.Unlock()
						return decode(n)
					}
					calls[f][n]++
					all := int64(goroutines * calls[f][n])
					inputs[&f.messages[0][0]] = true
					mu.Unlock()
					if n == 3 {
						defer warmed.Add(1)
					}
					// A batch ends only after all batches of its round have begun.
					if n == 30 {
						if warmed.Load() < all {
							early.Add(1)
						}
						begun.Add(1)
						for limit := time.Now().Add(10 * time.Second); begun.Load() < all; {
							if time.Now().After(limit) {
								alone.Add(1)
								break
							}
							runtime.Gosched()
						}
					}
					return decode(n)
				}
				return c, nil
			},
		}}
		a := ask(t, p, 4, Command{Cmd: "parallel", Parallel: &Parallel{
			Subject: result.Subject{Contender: "a"}, Op: result.Decode, Goroutines: goroutines, N: 30, Warmup: 2, Rounds: 5,
		}})
		if a.Paralleled == nil || len(a.Paralleled.Wall) != 5 {
			t.Fatalf("%+v", a)
		}
		if hasThreadCPU && len(a.Paralleled.CPU) != 5 {
			t.Errorf("CPU times %v", a.Paralleled.CPU)
		}
		for i, wall := range a.Paralleled.Wall {
			if wall < 1 || hasThreadCPU && a.Paralleled.CPU[i] < 1 {
				t.Errorf("wall times %v and CPU times %v", a.Paralleled.Wall, a.Paralleled.CPU)
			}
		}
		if len(calls) != goroutines || len(inputs) != goroutines {
			t.Errorf("%d codecs and %d sets of messages for %d goroutines", len(calls), len(inputs), goroutines)
		}
		for _, c := range calls {
			if want := (map[int]int{3: 7, 30: 7}); !cmp.Equal(c, want) {
				t.Errorf("calls by n: %v, want %v", c, want)
			}
		}
		if n := early.Load(); n > 0 {
			t.Errorf("%d batches of %d goroutines began before all had warmed up", n, goroutines)
		}
		if n := alone.Load(); n > 0 {
			t.Errorf("%d batches of %d goroutines did not run at the same time", n, goroutines)
		}
	}
}

// TestParallelLasts: a round lasts from the first begin to the last end of its goroutines.
func TestParallelLasts(t *testing.T) {
	const long = 20 * time.Millisecond
	var made atomic.Int64
	p := program()
	p.Bindings = []Binding{{
		Contender: "a", Workload: "items", Root: "Item", Ops: blockOps,
		New: func(values any) (*Codec, error) {
			wait := time.Millisecond
			if made.Add(1) == 1 {
				wait = long
			}
			c := newFake(values).codec()
			decode := c.Decode
			c.Decode = func(n int) (uint64, error) {
				time.Sleep(wait)
				return decode(n)
			}
			return c, nil
		},
	}}
	for _, goroutines := range []int{2, 5} {
		made.Store(0)
		a := ask(t, p, 4, Command{Cmd: "parallel", Parallel: &Parallel{
			Subject: result.Subject{Contender: "a"}, Op: result.Decode, Goroutines: goroutines, N: 3, Rounds: 2,
		}})
		if a.Paralleled == nil || slices.Min(a.Paralleled.Wall) < int64(long) {
			t.Errorf("%d goroutines, one of which takes %v: %+v %s", goroutines, long, a.Paralleled, a.Error)
		}
	}
}

// TestParallelOps: parallel runs every op, checks sums, and accepts sums that may vary.
func TestParallelOps(t *testing.T) {
	for _, op := range modelOps {
		a := ask(t, program(), 8, Command{Cmd: "parallel", Parallel: &Parallel{
			Subject: result.Subject{Contender: "json"}, Op: op, Goroutines: 3, N: 21, Rounds: 2,
		}})
		if a.Paralleled == nil {
			t.Errorf("%s: %s", op, a.Error)
		}
	}
	for contender, want := range map[string]string{"varying": "", "lazy": "parallel: lazy encode: 2 operations from input 0 returned the sum "} {
		a := ask(t, program(), 8, Command{Cmd: "parallel", Parallel: &Parallel{
			Subject: result.Subject{Contender: contender}, Op: result.Encode, Goroutines: 3, N: 21, Rounds: 2,
		}})
		if (a.Error == "") != (want == "") || !strings.HasPrefix(a.Error, want) {
			t.Errorf("%s: error %q, want %q", contender, a.Error, want)
		}
	}
}

// TestParallelCollections: garbage is collected between the rounds, and the collector's
// settings are restored afterwards.
func TestParallelCollections(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a := ask(t, program(), 4, Command{Cmd: "parallel", Parallel: &Parallel{
		Subject: result.Subject{Contender: "pooling"}, Op: result.Encode, Goroutines: 2, N: 100, Rounds: 6,
	}})
	runtime.ReadMemStats(&after)
	if a.Paralleled == nil {
		t.Fatal(a.Error)
	}
	// With the collector on, each round, which allocates 13 MB, would have some collections.
	// Loading may cause one.
	forced := after.NumForcedGC - before.NumForcedGC
	if own := after.NumGC - before.NumGC - forced; forced < 5 || own > 2 {
		t.Errorf("%d collections were forced and %d were not", forced, own)
	}
	if got := debug.SetGCPercent(70); got != 70 {
		t.Errorf("afterwards GOGC is %d, want 70", got)
	}
}
