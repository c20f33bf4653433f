package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"assay/result"
	"assay/schema"
)

// A cheat is a fault in a contender that would have its numbers too good, or somebody
// else's wrong.
type cheat struct {
	name, mode string
	ops        []result.Op
	change     func(f *fake, c *Codec)
	// found is what is said of it by the command that must find it: verify, or rounds
	// where verification cannot.
	by, found string
}

// fill makes the codec's inputs changeable in place.
func fill(f *fake, c *Codec) {
	f.values = slices.Clone(f.values)
	c.Fill = func(i int, v any) error {
		f.values[i] = *v.(*item)
		return nil
	}
}

// after returns a function that calls late from call n on, and early before.
func after[A, B any](n int, early, late func(A) (B, error)) func(A) (B, error) {
	calls := 0
	return func(a A) (B, error) {
		if calls++; calls > n {
			return late(a)
		}
		return early(a)
	}
}

// before returns a function that does something and then what f does.
func before[A, B any](f func(A) (B, error), do func()) func(A) (B, error) {
	return func(a A) (B, error) {
		do()
		return f(a)
	}
}

// putOut ends those that burn.
var putOut atomic.Bool

// settle ends what a contender left behind.
func settle() {
	putOut.Store(true)
	runtime.GC()
	for r := newStateReader(); ; time.Sleep(time.Millisecond) {
		if now := r.read(); now.queued == now.executed {
			return
		}
	}
}

// burn computes until it is put out.
func burn() {
	for !putOut.Load() {
	}
}

// lengths returns those of the messages of all inputs.
func (f *fake) lengths() []uint64 {
	out := make([]uint64, len(f.values))
	for i := range f.values {
		b, _ := f.encode(&f.values[i])
		out[i] = uint64(len(b))
	}
	return out
}

// decodeItem decodes as the sound contender does.
func decodeItem(b []byte) (*item, error) { return newFake([]item{}).decode(b) }

// armed is a call number that verification does not come to.
const armed = 60_000

var cheats = []cheat{
	{name: "caches by pointer", by: "verify", found: "encode: it returns an earlier result for content that changed in place", change: func(f *fake, c *Codec) {
		cache := map[*item][]byte{}
		encode := f.encode
		f.encode = func(v *item) ([]byte, error) {
			if b, ok := cache[v]; ok {
				return slices.Clone(b), nil
			}
			b, err := encode(v)
			cache[v] = b
			return slices.Clone(b), err
		}
	}},
	{name: "caches by pointer and shares", by: "verify", found: "encode: it returns an earlier result for content that changed in place", change: func(f *fake, c *Codec) {
		cache := map[*item][]byte{}
		encode := f.encode
		f.encode = func(v *item) (b []byte, err error) {
			if cache[v] == nil {
				cache[v], err = encode(v)
			}
			return cache[v], err
		}
	}},
	{name: "caches by address", by: "verify", found: "decode: it returns an earlier result for content that changed in place", change: func(f *fake, c *Codec) {
		cache := map[*byte]*item{}
		decode := f.decode
		f.decode = func(b []byte) (v *item, err error) {
			if cache[&b[0]] == nil {
				cache[&b[0]], err = decode(b)
			}
			return cache[&b[0]], err
		}
	}},
	{name: "caches by content", by: "verify", found: "decode, after", change: func(f *fake, c *Codec) {
		cache := map[string]*item{}
		decode := f.decode
		f.decode = func(b []byte) (v *item, err error) {
			if cache[string(b)] == nil {
				cache[string(b)], err = decode(b)
			}
			return cache[string(b)], err
		}
	}},
	{name: "changes its input late", by: "verify", found: "encode, after", change: func(f *fake, c *Codec) {
		f.encode = after(400, f.encode, func(v *item) ([]byte, error) {
			v.Name = "changed"
			return json.Marshal(v)
		})
		f.values = slices.Clone(f.values)
	}},
	{name: "shares its output", by: "verify", found: "which is mode output=reuse", change: func(f *fake, c *Codec) {
		var buf bytes.Buffer
		f.encode = func(v *item) ([]byte, error) {
			buf.Reset()
			err := json.NewEncoder(&buf).Encode(v)
			return buf.Bytes(), err
		}
	}},
	{name: "shares its target", by: "verify", found: "which is mode target=reuse", change: func(f *fake, c *Codec) {
		var kept item
		f.decode = func(b []byte) (*item, error) {
			kept = item{}
			return &kept, json.Unmarshal(b, &kept)
		}
	}},
	{name: "lengths vary", by: "verify", found: "messages of different length from call to call", change: func(f *fake, c *Codec) {
		encode, calls := f.encode, 0
		f.encode = func(v *item) ([]byte, error) {
			b, err := encode(v)
			if calls++; calls%10 == 0 {
				b = append(b, "   "...)
			}
			return b, err
		}
	}},
	{name: "defers", by: "verify", found: "is not in memory after decoding: it is read only when somebody asks for it, which is op open", change: func(f *fake, c *Codec) {
		var raw []byte
		f.decode = func(b []byte) (*item, error) {
			raw = slices.Clone(b)
			return &item{}, nil
		}
		c.Decoded = func() any {
			v, _ := decodeItem(raw)
			*f.decoded = *v
			return f.decoded
		}
	}},
	{name: "leaves bytes over", by: "verify", found: "a message is read alike without its last byte: it writes bytes that are not read", change: func(f *fake, c *Codec) {
		encode := f.encode
		f.encode = func(v *item) ([]byte, error) {
			b, err := encode(v)
			return append(b, "abc"...), err
		}
		f.decode = func(b []byte) (*item, error) {
			v := new(item)
			return v, json.NewDecoder(bytes.NewReader(b)).Decode(v)
		}
	}},
	{name: "empty after 1000", by: "verify", found: "decode, after", change: func(f *fake, c *Codec) {
		f.decode = after(1000, f.decode, func([]byte) (*item, error) { return &item{}, nil })
	}},
	{name: "every 1000th empty", by: "verify", found: "decode, after", change: func(f *fake, c *Codec) {
		decode, calls := f.decode, 0
		f.decode = func(b []byte) (*item, error) {
			if calls++; calls%1000 == 0 {
				return &item{}, nil
			}
			return decode(b)
		}
	}},
	{name: "zero bytes after 500", by: "verify", found: "encode, after", change: func(f *fake, c *Codec) {
		encode := f.encode
		f.encode = after(500, encode, func(v *item) ([]byte, error) {
			b, err := encode(v)
			return make([]byte, len(b)), err
		})
	}},
	{name: "nothing when n > 64", by: "verify", found: "encode, after", change: func(f *fake, c *Codec) {
		encode := c.Encode
		lengths := f.lengths()
		c.Encode = func(n int) (sum uint64, err error) {
			if n <= 64 {
				return encode(n)
			}
			for range n {
				sum += lengths[f.next%len(lengths)]
				f.next++
			}
			f.next %= len(lengths)
			return sum, nil
		}
	}},
	{name: "sets GOMAXPROCS", by: "verify", found: "it sets GOMAXPROCS from ", change: func(f *fake, c *Codec) {
		f.encode = before(f.encode, func() { runtime.GOMAXPROCS(runtime.NumCPU() + 1) })
	}},
	{name: "switches the collector off", by: "verify", found: "it sets the garbage collector's percentage from 100 to off", change: func(f *fake, c *Codec) {
		f.decode = before(f.decode, func() { debug.SetGCPercent(-1) })
	}},
	{name: "sets a memory limit", by: "verify", found: "it sets the memory limit from 9223372036854775807 to 1073741824 bytes", change: func(f *fake, c *Codec) {
		f.decode = before(f.decode, func() { debug.SetMemoryLimit(1 << 30) })
	}},
	{name: "burns another processor", by: "verify", found: "it leaves 1 goroutine behind, at work when nothing is asked of it", change: func(f *fake, c *Codec) {
		var once sync.Once
		f.encode = before(f.encode, func() { once.Do(func() { go burn() }) })
	}},
	{name: "only the last of a batch", by: "verify", found: "encode: a batch does not do all of its operations: with another value in its middle, ", change: func(f *fake, c *Codec) {
		encode := c.Encode
		lengths := f.lengths()
		c.Encode = func(n int) (sum uint64, err error) {
			for ; n > 1; n-- {
				sum += lengths[f.next%len(lengths)]
				f.next++
			}
			f.next %= len(lengths)
			one, err := encode(1)
			return sum + one, err
		}
	}},
	{name: "reads only the last of a batch", by: "verify", found: "decode: a batch does not do all of its operations: it cannot read one of its messages (", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		decode := c.Decode
		c.Decode = func(n int) (uint64, error) {
			f.next = (f.next + n - 1) % len(f.values)
			_, err := decode(1)
			return uint64(n), err
		}
	}},
	{name: "changes its message", by: "verify", found: "decode: it changes the messages that it reads", change: func(f *fake, c *Codec) {
		decode := f.decode
		f.decode = func(b []byte) (*item, error) {
			c := slices.Clone(b)
			c[0] = '{'
			v, err := decode(c)
			b[0] = ' '
			return v, err
		}
	}},
	{name: "ends in what is not read", by: "verify", found: "a message is read alike with another last byte", change: func(f *fake, c *Codec) {
		encode, decode := f.encode, f.decode
		f.encode = func(v *item) ([]byte, error) {
			b, err := encode(v)
			return append(b, "abc"...), err
		}
		f.decode = func(b []byte) (*item, error) { return decode(b[:len(b)-3]) }
	}},
	{name: "lets go of its thread", by: "verify", found: "it calls runtime.UnlockOSThread", change: func(f *fake, c *Codec) {
		f.encode = before(f.encode, runtime.UnlockOSThread)
	}},
	{name: "makes faults panics", by: "verify", found: "it calls debug.SetPanicOnFault", change: func(f *fake, c *Codec) {
		f.encode = before(f.encode, func() { debug.SetPanicOnFault(true) })
	}},
	{name: "burns in finalizers", by: "verify", found: "finalizers or cleanups behind, at work when nothing is asked of it", change: func(f *fake, c *Codec) {
		f.encode = before(f.encode, func() {
			runtime.AddCleanup(new([64]byte), func(int) {
				for start := time.Now(); time.Since(start) < 100*time.Microsecond; {
				}
			}, 0)
		})
	}},
	{name: "burns in rounds", by: "rounds", found: "it leaves 1 goroutine behind, at work when nothing is asked of it", change: func(f *fake, c *Codec) {
		f.decode = after(armed, f.decode, func(b []byte) (*item, error) {
			go burn()
			f.decode = newFake([]item{}).decode
			return f.decode(b)
		})
	}},
	{name: "collects in rounds", by: "rounds", found: "the garbage collector was run during a timed batch", change: func(f *fake, c *Codec) {
		f.decode = after(armed, f.decode, func(b []byte) (*item, error) {
			runtime.GC()
			f.decode = decodeItem
			return decodeItem(b)
		})
	}},
	{name: "sets GOMAXPROCS in rounds", by: "rounds", found: "it sets GOMAXPROCS from ", change: func(f *fake, c *Codec) {
		f.decode = after(armed, f.decode, func(b []byte) (*item, error) {
			runtime.GOMAXPROCS(runtime.NumCPU() + 1)
			return decodeItem(b)
		})
	}},
	{name: "empty in rounds", by: "rounds", found: "seen between timed batches: ", change: func(f *fake, c *Codec) {
		f.decode = after(armed, f.decode, func([]byte) (*item, error) { return &item{}, nil })
	}},
	{name: "zero bytes in rounds", by: "rounds", found: "seen between timed batches: ", change: func(f *fake, c *Codec) {
		encode := f.encode
		f.encode = after(armed, encode, func(v *item) ([]byte, error) {
			b, err := encode(v)
			return make([]byte, len(b)), err
		})
	}},
	{name: "nothing in rounds", by: "rounds", found: "seen between timed batches: ", ops: []result.Op{result.Encode, result.Decode}, change: func(f *fake, c *Codec) {
		decode, calls := c.Decode, 0
		c.Decode = func(n int) (uint64, error) {
			if calls += n; calls <= armed {
				return decode(n)
			}
			f.next = (f.next + n) % len(f.values)
			return uint64(n), nil
		}
	}},
	{name: "changes shared inputs in rounds", by: "rounds", found: "the contender changed its inputs: input 0: Tags[0]: ", change: func(f *fake, c *Codec) {
		f.encode = after(armed, f.encode, func(v *item) ([]byte, error) {
			b, err := json.Marshal(v)
			v.Tags[0] += "x"
			return b, err
		})
	}},
}

// cheating is a program of the cheats and of a sound contender, over a schema without
// maps.
func cheating() Program {
	p := program()
	w := *p.Workloads[0]
	w.Schema = &schema.Schema{Name: "items", Roots: testSchema.Roots, Messages: testSchema.Messages[:1]}
	p.Workloads[0] = &w
	p.Bindings = nil
	for _, ch := range append(cheats, cheat{name: "sound"}) {
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

// shallow copies values, but not what they point to.
func shallow(values []item) []item {
	return reflect.AppendSlice(reflect.ValueOf([]item{}), reflect.ValueOf(values)).Interface().([]item)
}

// TestEveryInputs: a batch that does its last operation only is told however many inputs
// there are, though a batch may end with the one that is in its middle.
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

// TestCheats: each is found by the command that must find it, by name, in one
// process with the others, and a sound contender passes between them.
func TestCheats(t *testing.T) {
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
				// Time stands still: a busy machine must not cut the long verification short.
				synctest.Test(t, verify)
			} else {
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
			op := result.Encode
			if !strings.Contains(ch.name, "bytes") && !strings.Contains(ch.name, "shared") {
				op = result.Decode
			}
			_, err = s.rounds(Rounds{Cases: []CaseSpec{
				{Subject: result.Subject{Contender: "sound"}, Op: op, N: 20},
				{Subject: who, Op: op, N: 10_000},
			}, Rounds: 12})
			if err == nil || !strings.Contains(err.Error(), ch.found) && err != errInputs {
				t.Fatalf("rounds says %v, want %q", err, ch.found)
			}
			if err == errInputs {
				if s.loaded.mark != nil {
					t.Error("somebody is marked")
				}
				if err := s.renew(); err != nil {
					t.Fatal(err)
				}
				// Alone, it is the one.
				_, err = s.rounds(Rounds{Cases: []CaseSpec{{Subject: who, Op: op, N: 10_000}}, Rounds: 12})
				if err == nil || !strings.Contains(err.Error(), ch.found) {
					t.Errorf("alone: %v, want %q", err, ch.found)
				}
			}
		})
		sound()
	}
}
