package bench

import (
	"encoding/binary"
	"runtime"
	"slices"
	"testing"
	"time"

	"assay/result"
)

// A record is the value for measuring the overhead. One operation appends one number to a
// buffer, about 1 ns, or encodes the whole record, about 40 ns.
type record struct {
	ID    uint64
	Sizes [20]uint32
	Name  string
}

func put(out []byte, v *record) []byte {
	return binary.LittleEndian.AppendUint64(out, v.ID)
}

// encodeRecord must not be inlined, like the encode function of a codec.
//
//go:noinline
func encodeRecord(out []byte, v *record) []byte {
	out = binary.AppendUvarint(out, v.ID)
	for _, size := range v.Sizes {
		out = binary.AppendUvarint(out, uint64(size))
	}
	out = binary.AppendUvarint(out, uint64(len(v.Name)))
	return append(out, v.Name...)
}

// An overheadCase has the same operation in two loops: a plain loop around a call, and a loop
// as emitters write it, with a ring of inputs and a sum.
type overheadCase struct {
	at  int
	in  []*record
	out []byte
}

func newOverheadCase() *overheadCase {
	c := &overheadCase{}
	for i := range 64 {
		v := &record{ID: uint64(i) << (i % 50), Name: "twelve bytes"}
		for k := range v.Sizes {
			v.Sizes[k] = uint32((i + 1) * (k + 1) * 7)
		}
		c.in = append(c.in, v)
	}
	return c
}

func (c *overheadCase) putDirect(n int) {
	out := c.out
	for i := 0; i < n; i++ {
		out = put(out[:0], c.in[i%64])
	}
	c.out = out
}

func (c *overheadCase) putBatch(n int) (sum uint64, err error) {
	in, i, out := c.in, c.at, c.out
	for ; n > 0; n-- {
		out = put(out[:0], in[i])
		if err != nil {
			return sum, err
		}
		sum += uint64(len(out))
		if i++; i == len(in) {
			i = 0
		}
	}
	c.at, c.out = i, out
	return sum, nil
}

func (c *overheadCase) encodeDirect(n int) {
	out := c.out
	for i := 0; i < n; i++ {
		out = encodeRecord(out[:0], c.in[i%64])
	}
	c.out = out
}

func (c *overheadCase) encodeBatch(n int) (sum uint64, err error) {
	in, i, out := c.in, c.at, c.out
	for ; n > 0; n-- {
		out = encodeRecord(out[:0], in[i])
		if err != nil {
			return sum, err
		}
		sum += uint64(len(out))
		if i++; i == len(in) {
			i = 0
		}
	}
	c.at, c.out = i, out
	return sum, nil
}

// BenchmarkOverhead measures what the engine adds to an operation: its time in a batch as
// rounds measures it, minus its time in a plain loop around the same call. The two alternate,
// 200 µs each. The benchmark reports medians; overhead-ns/op is the median difference within a
// turn. -benchtime=1000x sets the number of turns.
func BenchmarkOverhead(b *testing.B) {
	c := newOverheadCase()
	for _, bm := range []struct {
		name   string
		n      int // operations that take 200 µs
		direct func(n int)
		batch  Op
	}{
		{"1ns", 250_000, c.putDirect, c.putBatch},
		{"40ns", 5_000, c.encodeDirect, c.encodeBatch},
	} {
		b.Run(bm.name, func(b *testing.B) {
			codec := &Codec{Encode: bm.batch, Encoded: func() []byte { return c.out }, Seek: func(i int) { c.at = i }}
			bound := newBound(CaseSpec{}.Subject, codec, len(c.in))
			k, err := newChecker(bound, "encode", func() {})
			if err != nil {
				b.Fatal(err)
			}
			running := newRunningCase(CaseSpec{Op: "encode", N: bm.n, Every: 1}, k, 1)
			s := &session{loaded: &values{}, guard: newGuard()}
			g := takeCollector()
			defer g.release()
			var plain, engine, added []float64
			for turn := range b.N {
				var here, there time.Duration
				for half := range 2 {
					if turn%2 == half {
						bm.direct(bm.n / 10)
						start := time.Now()
						bm.direct(bm.n)
						here = time.Since(start)
						continue
					}
					t, err := s.batch(running, g)
					if err != nil {
						b.Fatal(err)
					}
					there = time.Duration(t.wall)
				}
				n := float64(bm.n)
				plain = append(plain, float64(here)/n)
				engine = append(engine, float64(there)/n)
				added = append(added, float64(there-here)/n)
			}
			b.ReportMetric(0, "ns/op") // omits the time of a turn, which has no meaning
			b.ReportMetric(median(plain), "plain-ns/op")
			b.ReportMetric(median(engine), "engine-ns/op")
			b.ReportMetric(median(added), "overhead-ns/op")
		})
	}
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// BenchmarkChecks measures the share of a launch, in per cent, that the checks of results take.
// The launch has 10 warm-up and 40 kept rounds of one case, with batches of about 200 µs.
func BenchmarkChecks(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, op := range []result.Op{result.Encode, result.Decode} {
		b.Run(string(op), func(b *testing.B) {
			var checks, all time.Duration
			for b.Loop() {
				s := &session{program: program()}
				if _, err := s.load(Load{Workload: "items", Size: "n=1", Seed: 1, Inputs: 64}); err != nil {
					b.Fatal(err)
				}
				spec := CaseSpec{Subject: result.Subject{Contender: "json"}, Op: op, N: 200}
				start := time.Now()
				if _, err := s.rounds(Rounds{Cases: []CaseSpec{spec}, Warmup: 10, Rounds: 40}); err != nil {
					b.Fatal(err)
				}
				all += time.Since(start)
				checks += s.checking
			}
			b.ReportMetric(100*float64(checks)/float64(all), "%-checks")
		})
	}
}
