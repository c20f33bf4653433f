//go:build generated

package contenders_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"assay/bench"
	"assay/contender"
	"assay/contender/contendertest"
	"assay/contenders"
	"assay/result"
	"assay/workload"
)

// If one process counts the workloads, ops and modes of a contender one after another, in any
// order, it gets the same counts as a separate process for each. Separate processes may differ
// from one another, because each process hashes maps with its own seed; the shared process may
// then differ as much. A contender that numbers types gets a process for each workload. The
// test counts the default mode with every workload, and each other mode with one.
func TestCountsShareAProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program with all contenders of the default group")
	}
	own := slices.DeleteFunc(contenders.All(), func(c *contender.Contender) bool { return c.Group != "" })
	b := newLinker(t)
	program := b.add(t, "linked", own)
	b.build(t)
	for _, c := range own {
		t.Run(c.Dir(), func(t *testing.T) {
			t.Parallel()
			var all []counting
			workloads := linkedFor(c)
			for i, w := range workloads {
				for k, mode := range modes(c) {
					if mode != "" && k%len(workloads) != i || !slices.Contains(modesFor(c, w.Schema), mode) {
						continue // a process for each count takes most of the time
					}
					for _, op := range opsIn(c, mode) {
						all = append(all, counting{w, result.Subject{Contender: c.Name, Mode: mode}, op})
					}
				}
			}
			apart := map[string]bench.Counted{}
			for _, one := range all {
				apart[one.key()] = one.alone(t, program)
			}
			for range 2 {
				slices.Reverse(all)
				shared := map[string]bench.Counted{}
				server := startLinked(t, program)
				last := all[0].workload
				for _, one := range all {
					if c.NumbersTypes && one.workload != last {
						server, last = startLinked(t, program), one.workload
					}
					shared[one.key()] = one.count(t, server)
				}
				for _, one := range all {
					want, got := apart[one.key()], shared[one.key()]
					if !same(got, want) && (!near(got, want) || !one.wavers(t, program, want)) {
						t.Errorf("%s: a process for all counts %+v, one for each %+v", one.key(), got, want)
					}
				}
			}
		})
	}
}

// same says whether two counts are equal apart from allocations that the runtime makes now and
// then: a few small objects among tens of thousands.
func same(a, b bench.Counted) bool {
	apart := func(x, y float64) float64 { return math.Abs(x - y) }
	few := apart(float64(a.Allocs), float64(b.Allocs)) <= 4 && apart(float64(a.Bytes), float64(b.Bytes)) <= 1024
	a.Allocs, a.Bytes = b.Allocs, b.Bytes
	return few && a == b
}

// wavers reports whether separate processes count differently too. With maps of few entries,
// most processes agree by chance. The test asks only if there is a difference.
func (c counting) wavers(t *testing.T, program string, want bench.Counted) bool {
	t.Helper()
	for range 17 {
		if c.alone(t, program) != want {
			return true
		}
	}
	return false
}

// near says whether two counts differ by at most 1%.
func near(a, b bench.Counted) bool {
	close := func(x, y float64) bool { return math.Abs(x-y) <= 0.01*max(x, y) }
	return close(float64(a.Bytes), float64(b.Bytes)) && close(float64(a.Allocs), float64(b.Allocs)) && close(float64(a.Encoded), float64(b.Encoded))
}

// A counting is one exact count.
type counting struct {
	workload *workload.Workload
	who      result.Subject
	op       result.Op
}

// alone makes the count in a separate process.
func (c counting) alone(t *testing.T, program string) bench.Counted {
	t.Helper()
	p := runLinked(t, program)
	got := c.count(t, p.Server)
	p.end(t)
	return got
}

// count makes the count on a server.
func (c counting) count(t *testing.T, s *contendertest.Server) bench.Counted {
	t.Helper()
	i := slices.IndexFunc(c.workload.Sizes, func(s workload.Size) bool { return s.Typical })
	s.Load(t, bench.Load{Workload: c.workload.Name, Size: c.workload.Sizes[i].Key, Seed: 1})
	a := s.Do(t, bench.Command{Cmd: "memory", Memory: &bench.Memory{Subject: c.who, Op: c.op, Ops: 1}})
	if a.Error != "" || a.Counted == nil {
		t.Fatalf("%s %s: %s", c.who, c.op, a.Error)
	}
	return *a.Counted
}

// key names the count.
func (c counting) key() string { return fmt.Sprint(c.workload.Name, " ", c.who, " ", c.op) }

// opsIn returns the ops that a contender offers in a mode.
func opsIn(c *contender.Contender, mode string) []result.Op {
	for _, m := range c.Modes {
		if m.Key == mode {
			return m.Ops
		}
	}
	return c.Ops
}
