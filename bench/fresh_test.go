package bench

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"assay/result"
)

// TestFresh: calibrate measures how much faster a contender is on values that it has seen, in
// each op, and restores the contender's inputs and messages. New values cost the test's
// contender a thousand times as much, so the difference shows on any machine.
func TestFresh(t *testing.T) {
	if testing.Short() {
		t.Skip("its contenders burn CPU time for seconds")
	}
	spend := func(seen map[string]bool, key string) {
		if !seen[key] {
			seen[key] = true
			for sum := uint64(threadCPU()); uint64(threadCPU())-sum < 200_000 && hasThreadCPU; {
			}
		}
	}
	runtime.LockOSThread() // for the thread's clock
	defer runtime.UnlockOSThread()
	p := program()
	for _, name := range []string{"remembers", "forgets"} {
		p.Bindings = append(p.Bindings, Binding{
			Contender: name, Workload: "items", Root: "Item", Ops: modelOps,
			New: func(values any) (*Codec, error) {
				f := newFake(values)
				c := f.codec()
				fill(f, c)
				encode, decode, seen := f.encode, f.decode, map[string]bool{}
				if name == "remembers" {
					c.Open = f.reads(func(i int) (uint64, error) {
						spend(seen, "opened "+string(f.messages[i]))
						return 1, nil
					})
					c.Convert = f.each(func(i int) (uint64, error) {
						v := f.model[i]
						spend(seen, fmt.Sprint(v))
						f.decoded = &v
						return 1, nil
					})
					f.encode = func(v *item) ([]byte, error) {
						b, err := encode(v)
						spend(seen, "written "+string(b))
						return b, err
					}
					f.decode = func(b []byte) (*item, error) {
						spend(seen, string(b))
						return decode(b)
					}
				}
				return c, nil
			},
		})
	}
	for _, name := range []string{"remembers", "forgets"} {
		for _, op := range modelOps {
			s := &session{program: p}
			if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 16}); err != nil {
				t.Fatal(err)
			}
			who := result.Subject{Contender: name}
			got, err := s.calibrate(Calibrate{Cases: []CaseSpec{{Subject: who, Op: op}}, BatchNS: 10_000})
			if err != nil {
				t.Fatal(err)
			}
			if got[0].Fresh <= 0 || got[0].Seen <= 0 {
				t.Fatalf("%s %s: %+v, want both times", name, op, got[0])
			}
			if hasThreadCPU && (got[0].Fresh > 10*got[0].Seen) != (name == "remembers") {
				t.Errorf("%s %s: %+v", name, op, got[0])
			}
			checkRenewed(t, s, who, op, got[0])
			if v, err := s.verify(Verify{Subject: who}); err != nil || !v.OK {
				t.Errorf("%s afterwards: %+v, %v", name, v, err)
			}
		}
	}
}

// checkRenewed checks that batches on new values take as long as calibrate measured for new
// values, and that batches on known values take less.
func checkRenewed(t *testing.T, s *session, who result.Subject, op result.Op, is Calibrated) {
	t.Helper()
	const n = 40 // two passes and a half
	got, err := s.rounds(Rounds{Rounds: 5, Seed: 3, Cases: []CaseSpec{
		{Subject: who, Op: op, N: n, Fresh: true}, {Subject: who, Op: op, N: n},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if s.loaded.renewals != 15 {
		t.Errorf("%s %s: %d sets of values, want one for each of 15 passes", who, op, s.loaded.renewals)
	}
	if !got.Series[0].Fresh || got.Series[1].Fresh {
		t.Errorf("%s %s: series %+v", who, op, got.Series)
	}
	if !hasThreadCPU || who.Contender != "remembers" {
		return
	}
	if least := n * int64(is.Fresh) / 2; slices.Min(got.Series[0].CPU) < least || slices.Min(got.Series[1].CPU) > least {
		t.Errorf("%s %s: new values took %v, known ones %v, calibration says %+v", who, op, got.Series[0].CPU, got.Series[1].CPU, is)
	}
}

// TestStreak: a contender that remembers values only in batches longer than a pass over the
// inputs is found by a longer batch on new values, and calibrate returns the time on new
// values.
func TestStreak(t *testing.T) {
	if testing.Short() {
		t.Skip("its contenders burn CPU time for seconds")
	}
	if !hasThreadCPU {
		t.Skip("there is no clock that other programs do not disturb")
	}
	runtime.LockOSThread() // for the thread's clock
	defer runtime.UnlockOSThread()
	const inputs = 16
	p := program()
	p.Bindings = append(p.Bindings, Binding{
		Contender: "streaks", Workload: "items", Root: "Item", Ops: modelOps,
		New: func(values any) (*Codec, error) {
			f := newFake(values)
			c := f.codec()
			fill(f, c)
			seen := map[string]bool{}
			long := false
			spend := func(key string) {
				if long && seen[key] {
					return
				}
				seen[key] = true
				for sum := threadCPU(); threadCPU()-sum < 50_000; {
				}
			}
			encode, decode := f.encode, f.decode
			f.encode = func(v *item) ([]byte, error) {
				b, err := encode(v)
				spend(string(b))
				return b, err
			}
			f.decode = func(b []byte) (*item, error) {
				spend(string(b))
				return decode(b)
			}
			for _, op := range []*Op{&c.Encode, &c.Decode, &c.Scan} {
				run := *op
				*op = func(n int) (uint64, error) {
					long = n > inputs
					return run(n)
				}
			}
			return c, nil
		},
	})
	for _, op := range []result.Op{result.Encode, result.Decode, result.Scan} {
		s := &session{program: p}
		if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: inputs}); err != nil {
			t.Fatal(err)
		}
		got, err := s.calibrate(Calibrate{Cases: []CaseSpec{{Subject: result.Subject{Contender: "streaks"}, Op: op}}, BatchNS: 20_000_000})
		if err != nil {
			t.Fatal(err)
		}
		if is := got[0]; !result.Renews(is.Fresh, is.Seen) || is.NS != is.Fresh {
			t.Errorf("%s: %+v, want a case that is timed on new values", op, is)
		}
	}
}
