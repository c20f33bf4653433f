package bench

import (
	"runtime"
	"testing"
	"time"

	"assay/result"
)

// collectsWhen returns a program with a contender that collects garbage at the times that due says,
// counted from its first operation after begin was called.
func collectsWhen(due func(elapsed time.Duration, collected int) bool) (p Program, begin func(), sinceLast func() int) {
	var start time.Time
	collected, ops := 0, 0
	p = program()
	p.Bindings = []Binding{{
		Contender: "collects", Workload: "items", Root: "Item", Ops: []result.Op{result.Encode},
		New: func(values any) (*Codec, error) {
			f := newFake(values)
			c := f.codec()
			encode := f.encode
			f.encode = func(v *item) ([]byte, error) {
				if !start.IsZero() {
					ops++
					if due(time.Since(start), collected) {
						runtime.GC()
						collected, ops = collected+1, 0
					}
				}
				return encode(v)
			}
			return c, nil
		},
	}}
	return p, func() { start, collected, ops = time.Now(), 0, 0 }, func() int { return ops }
}

// The work before a count ends with a cycle of the collector, also if one has ended in its first
// half.
func TestLeadEndsWithACycle(t *testing.T) {
	p, begin, sinceLast := collectsWhen(func(elapsed time.Duration, collected int) bool {
		if collected == 0 {
			return elapsed >= time.Millisecond
		}
		return elapsed >= 8*time.Millisecond+time.Duration(collected-1)*2*time.Millisecond
	})
	s := &session{program: p}
	if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 7}); err != nil {
		t.Fatal(err)
	}
	who := result.Subject{Contender: "collects"}
	b, err := s.prepare(who, result.Encode)
	if err != nil {
		t.Fatal(err)
	}
	k, err := newChecker(b, result.Encode, func() {})
	if err != nil {
		t.Fatal(err)
	}
	w := &steadyWork{checker: k, n: 1}
	w.meter[0].Name, w.meter[1].Name = "/gc/cycles/total:gc-cycles", "/cpu/classes/gc/total:cpu-seconds"
	begin()
	if _, err := w.lead(Steady{Subject: who, Op: result.Encode, MinCycles: 1, MinNS: 10e6, MaxNS: 30e6, WaitNS: 2e9}); err != nil {
		t.Fatal(err)
	}
	if ops := sinceLast(); ops > w.n {
		t.Errorf("%d operations since the last cycle, in batches of %d", ops, w.n)
	}
}

// A process settles its heap before its first count, and again beside another live heap. A count of
// the memory that a case takes leaves it alone.
func TestSteadySettlesTheHeap(t *testing.T) {
	s := &session{program: program()}
	if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 7}); err != nil {
		t.Fatal(err)
	}
	who := result.Subject{Contender: s.program.Bindings[0].Contender}
	for _, test := range []struct {
		cycles, liveMB int
		want           bool
	}{{0, 0, false}, {1, 0, true}, {0, 1, false}, {1, 1, true}} {
		if _, err := s.steady(Steady{Subject: who, Op: result.Encode, MinCycles: test.cycles, LiveMB: test.liveMB, MinNS: 1, MaxNS: 1e6}); err != nil {
			t.Fatal(err)
		}
		if s.live.settled != test.want {
			t.Errorf("%d cycles beside %d MiB: settled is %v", test.cycles, test.liveMB, s.live.settled)
		}
		if _, known := s.loaded.bound[seat{Subject: who}]; !known {
			t.Error("the contender is not bound")
		}
	}
}
