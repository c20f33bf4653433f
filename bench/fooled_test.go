package bench

import (
	"bytes"
	"cmp"
	"errors"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"assay/result"
	"assay/schema"
)

// A cheat is a contender with a fault that would make its own results too good, or those of
// another contender wrong.
type cheat struct {
	name, mode string
	ops        []result.Op
	change     func(f *fake, c *Codec)
	// by is the command that must find the fault: verify, or calibrate or rounds if
	// verification cannot find it. found is part of the error.
	by, found string
	// rounds is how many rounds are needed to find the fault; 0 means the usual number. A fault
	// needs more rounds if only the second of two spot checks, which come at random, can find
	// it.
	rounds int
	// or is part of the error that appears instead if the check for found happens to see a
	// right result; empty if there is no such case.
	or string
}

// convicts reports whether an error says what it must.
func (ch cheat) convicts(err error) bool {
	return err != nil && (strings.Contains(err.Error(), ch.found) || ch.or != "" && strings.Contains(err.Error(), ch.or))
}

// fill makes the codec's inputs changeable in place.
func fill(f *fake, c *Codec) {
	f.values = slices.Clone(f.values)
	c.Fill = func(i int, v any) error {
		f.values[i] = *v.(*item)
		return nil
	}
}

// after returns a function that calls early n times and late from then on.
func after[A, B any](n int, early, late func(A) (B, error)) func(A) (B, error) {
	calls := 0
	return func(a A) (B, error) {
		if calls++; calls > n {
			return late(a)
		}
		return early(a)
	}
}

// before returns a function that calls do and then f.
func before[A, B any](f func(A) (B, error), do func()) func(A) (B, error) {
	return func(a A) (B, error) {
		do()
		return f(a)
	}
}

// putOut makes every burn end.
var putOut atomic.Bool

// settle ends the work that a contender left behind.
func settle() {
	putOut.Store(true)
	time.Sleep(5 * time.Millisecond) // lets timers read putOut
	runtime.GC()
	for r := newStateReader(); ; time.Sleep(time.Millisecond) {
		if now := r.read(); now.queued == now.executed {
			return
		}
	}
}

// burn uses the CPU until putOut is set.
func burn() {
	for !putOut.Load() {
	}
}

// burnAgain burns half of the time until putOut is set. Between two runs it has a timer and no
// goroutine.
func burnAgain() {
	for start := time.Now(); time.Since(start) < 2*time.Millisecond; {
		if putOut.Load() {
			return
		}
	}
	time.AfterFunc(2*time.Millisecond, burnAgain)
}

// skips returns an op like decode that, in batches longer than most, leaves out the inputs for
// which skip returns true, except the last of the batch.
func skips(f *fake, decode Op, most int, skip func(i int) bool) Op {
	long := false
	return func(n int) (uint64, error) {
		if n > most {
			long = true // also for the batches that follow
		} else if n < len(f.messages) {
			long = false
		}
		if !long {
			return decode(n)
		}
		for k := range n {
			i := f.next % len(f.messages)
			if skip(i) && k < n-1 {
				f.next = i + 1
				continue
			}
			if _, err := decode(1); err != nil {
				return 0, err
			}
		}
		return uint64(n), nil
	}
}

// alias makes the tag of an item point into its message.
func alias(v *item, b []byte) {
	at := bytes.Index(b, []byte(`"`+v.Tags[0]+`"`)) + 1
	v.Tags[0] = unsafe.String(&b[at], len(v.Tags[0]))
}

// scratched returns a decode function that keeps one buffer and leaves texts in it.
func scratched() func(b []byte) (*item, error) {
	var scratch []byte
	return func(b []byte) (*item, error) {
		scratch = append(scratch[:0], b...)
		v, err := decodeItem(scratch)
		if err == nil {
			alias(v, scratch)
		}
		return v, err
	}
}

// lengths returns the message lengths of all inputs.
func (f *fake) lengths() []uint64 {
	out := make([]uint64, len(f.values))
	for i := range f.values {
		b, _ := f.encode(&f.values[i])
		out[i] = uint64(len(b))
	}
	return out
}

// decodeItem decodes like the sound contender.
func decodeItem(b []byte) (*item, error) { return newFake([]item{}).decode(b) }

// armed is a number of calls that verification does not reach.
const armed = 60_000

// sounds are contenders without a fault.
var sounds = []cheat{
	{name: "sound"},
	{name: "ends in a truth value", change: func(f *fake, c *Codec) {
		encode, decode := f.encode, f.decode
		f.encode = func(v *item) ([]byte, error) {
			b, err := encode(v)
			return append(b, 1), err
		}
		f.decode = func(b []byte) (*item, error) {
			v, err := decode(b[:len(b)-1])
			if err == nil && b[len(b)-1] == 0 {
				v.ID++
			}
			return v, err
		}
	}},
}

// cheating returns a program with the cheats and the sound contenders, over a schema without
// maps.
func cheating() Program {
	p := program()
	w := *p.Workloads[0]
	w.Schema = &schema.Schema{Name: "items", Roots: testSchema.Roots, Messages: testSchema.Messages[:1]}
	p.Workloads[0] = &w
	p.Bindings = nil
	for _, ch := range slices.Concat(cheats, sounds) {
		ops := ch.ops
		if ops == nil {
			ops = []result.Op{result.Encode, result.Decode}
		}
		p.Bindings = append(p.Bindings, Binding{
			Contender: ch.name, Mode: ch.mode, Workload: "items", Root: "Item", Ops: ops,
			New: func(values any) (*Codec, error) {
				f := newFake(values)
				f.values = shallow(f.values)
				c := f.codec()
				fill(f, c)
				if ch.change != nil {
					ch.change(f, c)
				}
				return c, nil
			},
		})
	}
	return p
}

// shallow copies values, but not the memory that they point to.
func shallow(values []item) []item {
	return reflect.AppendSlice(reflect.ValueOf([]item{}), reflect.ValueOf(values)).Interface().([]item)
}

// TestEveryInputs: every finds a batch that does its last operation only, for any number of
// inputs. It could fail if the batch ends with the very input that was damaged in its middle.
func TestEveryInputs(t *testing.T) {
	for inputs := leastEvery; inputs < 50; inputs++ {
		s := &session{program: cheating()}
		if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: inputs}); err != nil {
			t.Fatal(err)
		}
		b, err := s.prepare(result.Subject{Contender: "reads only the last of a batch"}, result.Decode)
		if err != nil {
			t.Fatal(err)
		}
		for n := leastEvery; n < 120; n++ {
			if err := s.every(b, result.Decode, n); !errors.Is(err, errSkips) {
				t.Errorf("%d inputs, a batch of %d: %v", inputs, n, err)
			}
		}
	}
}

// TestEverywhereWithoutTime: if two tries take all of the time, as on a machine under load,
// everywhere still makes five, because a codec that leaves out every other operation passes one
// try in two. If two tries take far longer than the time, it makes two.
func TestEverywhereWithoutTime(t *testing.T) {
	for _, tt := range []struct {
		took time.Duration // time of each batch
		most time.Duration
		want int
	}{{200 * time.Millisecond, 150 * time.Millisecond, 5}, {0, 1, 2}} {
		p := program()
		done := 0
		p.Bindings = []Binding{{
			Contender: "counts", Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
			New: func(values any) (*Codec, error) {
				c := newFake(values).codec()
				decode := c.Decode
				c.Decode = func(n int) (uint64, error) {
					if n > 64 {
						done++
						time.Sleep(tt.took)
					}
					return decode(n)
				}
				return c, nil
			},
		}}
		s := &session{program: p}
		if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 64}); err != nil {
			t.Fatal(err)
		}
		b, err := s.prepareCase(CaseSpec{Subject: result.Subject{Contender: "counts"}, Op: result.Decode}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.everywhere(b, result.Decode, 200, 16, tt.most); err != nil || done != tt.want {
			t.Errorf("batches of %v in %v: %d of them, %v; want %d", tt.took, tt.most, done, err, tt.want)
		}
	}
}

// atWork ends the reasons of faults that continue while no contender is called.
const atWork = ", at work when nothing is asked of it"

// TestBriefVerification: a verification without Long finds batches that do their last operation
// only.
func TestBriefVerification(t *testing.T) {
	s := &session{program: cheating()}
	if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 7}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"sound": true, "only the last of a batch": false, "reads only the last of a batch": false} {
		got, err := s.verify(Verify{Subject: result.Subject{Contender: name}})
		if err != nil || got.OK != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		} else if !want && !strings.Contains(got.Reason, errSkips.Error()) {
			t.Errorf("%s: %s", name, got.Reason)
		}
	}
}

// TestSound: verify finds no fault in contenders without a fault.
func TestSound(t *testing.T) {
	s := &session{program: cheating()}
	if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 7}); err != nil {
		t.Fatal(err)
	}
	for _, x := range sounds {
		if got, err := s.verify(Verify{Subject: result.Subject{Contender: x.name}, Long: true}); err != nil || !got.OK {
			t.Errorf("%s: %+v, %v", x.name, got, err)
		}
	}
}

// TestLacking: the JSON text null may be missing in memory, because libraries keep it as nil.
func TestLacking(t *testing.T) {
	got := &item{Name: "null", Tags: []string{"nullable", "absent"}}
	m := memoryOf(&struct{ A, B string }{"nullable", "a null"})
	if lacks := m.lacking(got); !slices.Equal(lacks, []string{"absent"}) {
		t.Errorf("%q is not in memory", lacks)
	}
}

// TestCheats: the command named by a cheat finds its fault, in one process with the other
// cheats. A sound contender passes between them, so no fault affects the next contender.
func TestCheats(t *testing.T) {
	if testing.Short() {
		t.Skip("it burns CPU time for half a minute")
	}
	s := &session{program: cheating()}
	if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 7}); err != nil {
		t.Fatal(err)
	}
	sound := func() {
		t.Helper()
		got, err := s.verify(Verify{Subject: result.Subject{Contender: "sound"}, Long: true})
		if err != nil || !got.OK {
			t.Fatalf("the sound contender: %+v, %v", got, err)
		}
	}
	for _, ch := range cheats {
		t.Run(ch.name, func(t *testing.T) {
			runtime.LockOSThread() // as Serve does
			defer runtime.UnlockOSThread()
			putOut.Store(false)
			defer settle()
			who := result.Subject{Contender: ch.name, Mode: ch.mode}
			var got *Verified
			var err error
			verify := func(t *testing.T) { got, err = s.verify(Verify{Subject: who, Long: true}) }
			if strings.HasSuffix(ch.found, ", after") {
				// Time stands still, so that a busy machine does not cut the long verification
				// short.
				synctest.Test(t, verify)
			} else {
				verify(t)
			}
			// On a busy machine, a contender may get too little CPU time for its work to be
			// noticed.
			for i := 1; i < 5 && err == nil && got.OK && ch.by == "verify" && strings.HasSuffix(ch.found, atWork); i++ {
				verify(t)
			}
			if err != nil {
				t.Fatal(err)
			}
			if ch.by == "verify" {
				if got.OK || !strings.Contains(got.Reason, ch.found) {
					t.Errorf("verify says %+v, want %q", got, ch.found)
				}
				return
			}
			if !got.OK {
				t.Fatalf("verify already says %q", got.Reason)
			}
			if ch.by == "calibrate" {
				for i := range 4 { // a busy machine makes batches short
					if _, err = s.calibrate(Calibrate{Cases: []CaseSpec{{Subject: who, Op: result.Decode}}, BatchNS: int64(2*time.Millisecond) << i}); err != nil {
						break
					}
				}
				if !ch.convicts(err) {
					t.Errorf("calibrate says %v, want %q", err, ch.found)
				}
				return
			}
			op := result.Encode
			if !strings.Contains(ch.name, "bytes") && !strings.Contains(ch.name, "shared") {
				op = result.Decode
			}
			rounds := func() (err error) {
				for i := 0; i < 4 && err == nil; i++ { // results are checked at random
					_, err = s.rounds(Rounds{Cases: []CaseSpec{
						{Subject: result.Subject{Contender: "sound"}, Op: op, N: 20},
						{Subject: who, Op: op, N: 10_000},
					}, Rounds: cmp.Or(ch.rounds, 12)})
				}
				return err
			}
			err = rounds()
			for i := 1; i < 5 && err == nil && strings.HasSuffix(ch.found, atWork); i++ {
				settle()
				putOut.Store(false)
				if err := s.renew(); err != nil {
					t.Fatal(err)
				}
				err = rounds()
			}
			if err == nil || !ch.convicts(err) && err != errInputs {
				t.Fatalf("rounds says %v, want %q", err, ch.found)
			}
			if err == errInputs || strings.Contains(err.Error(), "which of the contenders does it is not known") {
				if s.loaded.mark != nil {
					t.Error("somebody is marked")
				}
				if err := s.renew(); err != nil {
					t.Fatal(err)
				}
				// If it runs alone, it is charged.
				_, err = s.rounds(Rounds{Cases: []CaseSpec{{Subject: who, Op: op, N: 10_000}}, Rounds: 12})
				if !ch.convicts(err) {
					t.Errorf("alone: %v, want %q", err, ch.found)
				}
			}
		})
		sound()
	}
}

// TestKeeps: verify reports a contender that retains results, and does not report one that does
// not.
func TestKeeps(t *testing.T) {
	p := program()
	for _, name := range []string{"hoards", "sound"} {
		p.Bindings = append(p.Bindings, Binding{
			Contender: name, Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
			New: func(values any) (*Codec, error) {
				f := newFake(values)
				c := f.codec()
				if name == "sound" {
					return c, nil
				}
				var hoard [][]byte
				encode := f.encode
				f.encode = func(v *item) ([]byte, error) {
					hoard = append(hoard, make([]byte, 8<<10))
					return encode(v)
				}
				return c, nil
			},
		})
	}
	s := &session{program: p}
	if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 7}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"hoards": true, "sound": false} {
		// Time stands still, so that a busy machine does not cut the long verification short.
		synctest.Test(t, func(t *testing.T) {
			got, err := s.verify(Verify{Subject: result.Subject{Contender: name}, Long: true})
			if err != nil || !got.OK {
				t.Fatalf("%s: %+v, %v", name, got, err)
			}
			if told := strings.Contains(strings.Join(got.Traces, "\n"), " operations of encode for good"); told != want {
				t.Errorf("%s: traces %q", name, got.Traces)
			}
		})
	}
}

// TestBlind: verify reports that it cannot inspect decoded values that refer to functions, and
// does not report this for other values.
func TestBlind(t *testing.T) {
	p := program()
	for _, name := range []string{"hides", "sound"} {
		p.Bindings = append(p.Bindings, Binding{
			Contender: name, Workload: "items", Root: "Item", Ops: []result.Op{result.Encode, result.Decode},
			New: func(values any) (*Codec, error) {
				f := newFake(values)
				c := f.codec()
				c.Value = func() any { return f.decoded }
				if name == "hides" {
					decode := f.decode
					var later func() *item
					f.decode = func(b []byte) (*item, error) {
						raw := slices.Clone(b)
						later = func() *item { v, _ := decode(raw); return v }
						return new(item), nil
					}
					c.Value = func() any { return &struct{ get func() *item }{later} }
					c.Decoded = func() any { return later() }
				}
				return c, nil
			},
		})
	}
	for name, want := range map[string]bool{"hides": true, "sound": false} {
		got := ask(t, p, 7, Command{Cmd: "verify", Verify: &Verify{Subject: result.Subject{Contender: name}}}).Verified
		if got == nil || !got.OK || strings.Contains(strings.Join(got.Traces, "\n"), "it cannot be seen whether") != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestStarved: steady finds a contender that switches the collector off while it allocates. Its
// steady work must include the cost of collections.
func TestStarved(t *testing.T) {
	if testing.Short() {
		t.Skip("measuring takes seconds")
	}
	p := program()
	var hoard [][]byte
	for _, name := range []string{"starves", "sound"} {
		p.Bindings = append(p.Bindings, Binding{
			Contender: name, Workload: "items", Root: "Item", Ops: []result.Op{result.Encode},
			New: func(values any) (*Codec, error) {
				f := newFake(values)
				c := f.codec()
				encode, left, last := f.encode, 4096, time.Now()
				f.encode = func(v *item) ([]byte, error) {
					if name == "starves" {
						defer debug.SetGCPercent(debug.SetGCPercent(-1))
					}
					now := time.Now()
					if now.Sub(last) > starvedPause/2 {
						left = 4096 // a new count has begun
					}
					last = now
					if left--; left > 0 {
						hoard = append(hoard[:0], make([]byte, 64<<10))
					}
					return encode(v)
				}
				return c, nil
			},
		})
	}
	for name, want := range map[string]string{"starves": "it keeps the garbage collector from running: ", "sound": ""} {
		var err error
		for range 3 { // on a busy machine, the collector runs late without a contender's fault
			s := &session{program: p}
			if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 7}); err != nil {
				t.Fatal(err)
			}
			_, err = s.steady(Steady{Subject: result.Subject{Contender: name}, Op: result.Encode, MinCycles: 1, MinNS: 1, MaxNS: int64(time.Second)})
			if (err != nil) == (want != "") {
				break
			}
		}
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// TestVaries: verify accepts varying lengths if the binding declares them.
func TestVaries(t *testing.T) {
	p := cheating()
	for i, b := range p.Bindings {
		if b.Contender == "lengths vary" {
			p.Bindings[i].Varies = "it pads each tenth message"
		}
	}
	if got := ask(t, p, 7, Command{Cmd: "verify", Verify: &Verify{Subject: result.Subject{Contender: "lengths vary"}, Long: true}}); got.Verified == nil || !got.Verified.OK {
		t.Errorf("%+v", got)
	}
}
