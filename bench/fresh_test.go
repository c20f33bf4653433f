package bench

import (
	"runtime"
	"slices"
	"testing"

	"assay/result"
)

// TestFresh: what a contender gains from values that it has seen before shows, in
// either direction, and its inputs and messages are its own again afterwards. The new
// ones cost it a thousand times as much, so that no machine is too busy to tell.
func TestFresh(t *testing.T) {
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
			Contender: name, Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
			New: func(values any) (*Codec, error) {
				f := newFake(values)
				c := f.codec()
				fill(f, c)
				encode, decode, seen := f.encode, f.decode, map[string]bool{}
				if name == "remembers" {
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
		for _, op := range []result.Op{result.Encode, result.Decode} {
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

// checkRenewed: batches on new values take as long as calibration said of new ones, and
// those on known values do not.
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
