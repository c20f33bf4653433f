package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/result"
)

// streamCase returns a case of decoding a stream.
func streamCase(name, size string) result.Case {
	return result.Case{Workload: "w", Size: size, Contender: name, Mode: contender.StreamMode, Op: result.Decode}
}

func streamRecord(c result.Case, messages, items, wall int64) result.Record {
	return result.Record{Stream: &result.Stream{
		Case: c, Messages: messages, Items: items, Bytes: 1000 * messages, Wall: wall, CPU: 2 * wall,
		TotalCPU: 4 * wall, GCCPU: wall, Cycles: 3, PauseMax: 500, Pause99: 400, Late: 700, Peak: 1 << 20,
	}}
}

func TestStreamRows(t *testing.T) {
	good, dead, missing := streamCase("good", "n=1"), streamCase("dead", "n=1"), streamCase("missing", "n=1")
	run := &result.Run{Finished: time.Now(), Plan: result.Plan{Cases: []result.Case{good, dead, missing}, Stream: &result.StreamPlan{}}}
	r := Of(run, []result.Record{
		streamRecord(good, 10, 20, 1000), streamRecord(good, 10, 20, 4000), streamRecord(good, 10, 20, 2000),
		{Outcome: &result.Outcome{Case: dead, Status: result.OOM, Reason: "grew past"}},
	}, View{})
	if len(r.Tables) != 1 || !r.Tables[0].Streamed() {
		t.Fatalf("%d tables", len(r.Tables))
	}
	table := &r.Tables[0]
	for metric, want := range map[string]Interval{
		StreamTime:     {Value: 200, Lo: 100, Hi: 400},
		StreamItem:     {Value: 100, Lo: 50, Hi: 200},
		StreamRate:     {Value: 5e9, Lo: 2.5e9, Hi: 10e9},
		StreamMessages: {Value: 5e6, Lo: 2.5e6, Hi: 10e6},
		StreamCPU:      {Value: 400, Lo: 200, Hi: 800},
		StreamBytes:    {Value: 10_000, Lo: 10_000, Hi: 10_000},
		StreamPeak:     {Value: 1 << 20, Lo: 1 << 20, Hi: 1 << 20},
		StreamGCShare:  {Value: 0.25, Lo: 0.25, Hi: 0.25},
		StreamCycles:   {Value: 3, Lo: 3, Hi: 3},
		StreamPause:    {Value: 500, Lo: 500, Hi: 500},
		StreamPause99:  {Value: 400, Lo: 400, Hi: 400},
		StreamDelay:    {Value: 700, Lo: 700, Hi: 700},
	} {
		row, ok := table.Row(good, metric)
		if !ok || row.Number == nil || *row.Number != want || row.N != 3 || row.Status != result.OK {
			t.Errorf("%s: %+v, %v, want %v", metric, row, row.Number, want)
		}
	}
	if n := len(StreamMetrics()); n != 21 {
		t.Errorf("%d metrics: the table above has all but growth and what whole values allocate", n)
	}
	if row, _ := table.Row(dead, StreamTime); row.Status != result.OOM || row.Reason != "grew past" || row.Number != nil {
		t.Errorf("dead: %+v", row)
	}
	if row, _ := table.Row(missing, StreamTime); row.Status != result.Timeout || row.Number != nil {
		t.Errorf("missing: %+v", row)
	}
	if got := table.ByStreamTime(false); got[0] != good {
		t.Errorf("order %v", got)
	}
}

// Where the system does not show the peak of a process, the process does not count. Where it shows
// none, there is no row.
func TestUnknownStreamPeak(t *testing.T) {
	one := streamCase("one", "n=1")
	for _, test := range []struct {
		name  string
		peaks []int64
		want  *Interval
		n     int
	}{
		{"all known", []int64{100, 300, 200}, &Interval{Value: 200, Lo: 100, Hi: 300}, 3},
		{"one of three unknown", []int64{100, 0, 200}, &Interval{Value: 150, Lo: 100, Hi: 200}, 2},
		{"none known", []int64{0, 0, 0}, nil, 0},
	} {
		run := &result.Run{Finished: time.Now(), Plan: result.Plan{Cases: []result.Case{one}, Stream: &result.StreamPlan{}}}
		var records []result.Record
		for _, peak := range test.peaks {
			r := streamRecord(one, 10, 20, 1000)
			r.Stream.Peak = peak
			records = append(records, r)
		}
		table := only(t, Of(run, records, View{}))
		row, ok := table.Row(one, StreamPeak)
		if ok != (test.want != nil) {
			t.Errorf("%s: there is a row: %v", test.name, ok)
			continue
		}
		if diff := cmp.Diff(test.want, row.Number); diff != "" || row.N != test.n {
			t.Errorf("%s: of %d processes (-want +got):\n%s", test.name, row.N, diff)
		}
	}
}

// TestStreamGrowth fits streams whose cost grows by a known power.
func TestStreamGrowth(t *testing.T) {
	for _, test := range []struct {
		name  string
		sizes []int64
		power float64
		noise float64 // the share by which every other process is slower
		size  float64 // the share by which every other size is slower, in all processes
		want  float64 // 0: no growth
		half  float64 // half-width of the interval
	}{
		{"linear", []int64{100, 1000, 10_000}, 1, 0, 0, 1, 0},
		{"worse", []int64{100, 1000, 10_000, 100_000}, 1.5, 0, 0, 1.5, 0},
		// Differences between the processes of one size average out.
		{"noisy", []int64{100, 1000, 10_000}, 1.2, 0.1, 0, 1.2, 0},
		// The sizes are -1, 2 and -1 thirds of ln 1.1 off the line: with t(0.975, 1) = 12.706,
		// 12.706 × ln 1.1 × √(6/9) / √2 / ln 10.
		{"a size of its own", []int64{100, 1000, 10_000}, 1.2, 0, 0.1, 1.2, 0.3037},
		{"two sizes", []int64{100, 1000}, 1, 0, 0, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := &result.Run{Finished: time.Now(), Plan: result.Plan{Stream: &result.StreamPlan{}}}
			var records []result.Record
			for i, items := range test.sizes {
				c := streamCase("x", fmt.Sprintf("n=%d", items))
				run.Plan.Cases = append(run.Plan.Cases, c)
				wall := 1000 * math.Pow(float64(items), test.power) * (1 + test.size*float64(i%2))
				records = append(records, streamRecord(c, items, items, int64(wall)), streamRecord(c, items, items, int64(wall*(1+test.noise))))
			}
			r := Of(run, records, View{})
			if len(r.Tables) != len(test.sizes) {
				t.Fatalf("%d tables", len(r.Tables))
			}
			for i := range r.Tables {
				row, ok := r.Tables[i].Row(run.Plan.Cases[i], StreamGrowth)
				last := i == len(test.sizes)-1
				switch {
				case ok != (last && test.want > 0):
					t.Errorf("%s: growth is there: %v", run.Plan.Cases[i].Size, ok)
				case ok && (math.Abs(row.Number.Value-test.want) > 1e-3 || math.Abs(row.Number.Hi-row.Number.Value-test.half) > 1e-3 ||
					math.Abs(row.Number.Value-row.Number.Lo-test.half) > 1e-3):
					t.Errorf("growth %v, want %v±%v", *row.Number, test.want, test.half)
				case ok && row.N != 2*len(test.sizes):
					t.Errorf("from %d processes", row.N)
				}
			}
		})
	}
}

// Each size has three processes. They share a deviation of 3% that depends on the size, and differ
// by 1%.
func TestStreamGrowthCoversTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 31))
	for sizes := 3; sizes <= 5; sizes++ {
		covered := 0
		const tries = 2000
		for range tries {
			var all []length
			for i := range sizes {
				l := length{}
				items, size := 10_000*math.Pow(10, float64(i)), 0.03*rng.NormFloat64()
				for range 3 {
					wall := 1e3 * math.Pow(items, 1.1) * math.Exp(size+0.01*rng.NormFloat64())
					l.all = append(l.all, &result.Stream{Items: int64(items), Wall: int64(wall)})
				}
				all = append(all, l)
			}
			if power, _, ok := powerOf(all); ok && power.Lo <= 1.1 && 1.1 <= power.Hi {
				covered++
			}
		}
		if share := float64(covered) / tries; share < 0.935 || share > 0.965 {
			t.Errorf("%.3f of the intervals from %d sizes cover the power", share, sizes)
		}
	}
}

// TestWholeRows has streams and whole values of the same sizes. They must not be in each other's
// growth. Values that nobody read back must have a reason that says so.
func TestWholeRows(t *testing.T) {
	run := &result.Run{Finished: time.Now(), Plan: result.Plan{Stream: &result.StreamPlan{}}}
	var records []result.Record
	powers := map[string]float64{contender.StreamMode: 1, contender.WholeMode: 1.5}
	sizes := []int64{100, 1000, 10_000}
	for _, items := range sizes {
		for mode, power := range powers {
			c := streamCase("x", fmt.Sprintf("n=%d", items))
			c.Mode = mode
			run.Plan.Cases = append(run.Plan.Cases, c)
			r := streamRecord(c, 1, items, int64(1000*math.Pow(float64(items), power)))
			r.Stream.Root = "M"
			if contender.Whole(mode) {
				r.Stream.Unread = "decode ran out of memory"
			}
			records = append(records, r)
		}
	}
	// A size with another kind of message is not in the growth.
	other := streamCase("x", "blocks=1")
	other.Mode = contender.WholeMode
	run.Plan.Cases = append(run.Plan.Cases, other)
	r := streamRecord(other, 1, 5000, 1)
	r.Stream.Root = "Other"
	results := Of(run, append(records, r), View{})
	for mode, power := range powers {
		c := streamCase("x", "n=10000")
		c.Mode = mode
		var table *Table
		for i := range results.Tables {
			if results.Tables[i].Cell == c.Cell() {
				table = &results.Tables[i]
			}
		}
		if table == nil || !table.Streamed() {
			t.Fatalf("no table of %v", c)
		}
		row, ok := table.Row(c, StreamGrowth)
		if !ok || math.Abs(row.Number.Value-power) > 1e-3 || row.N != len(sizes) {
			t.Errorf("%s grows by %+v, want %v from %d sizes", mode, row.Number, power, len(sizes))
		}
		row, _ = table.Row(c, StreamTime)
		if (row.Reason != "") != contender.Whole(mode) || row.Number == nil {
			t.Errorf("%s: %+v", mode, row)
		}
		if cases := table.ByStreamTime(contender.Whole(mode)); len(cases) != 1 || cases[0] != c {
			t.Errorf("%s: cases %v", mode, cases)
		}
	}
	if len(results.Growth) != 2 {
		t.Errorf("%d lines of growth, want one of each mode", len(results.Growth))
	}
}

// TestWholeMean checks the mean over three processes, and its interval.
func TestWholeMean(t *testing.T) {
	c := streamCase("x", "n=1")
	c.Mode = contender.WholeMode
	run := &result.Run{Finished: time.Now(), Plan: result.Plan{Cases: []result.Case{c}, Stream: &result.StreamPlan{}}}
	var records []result.Record
	for _, wall := range []int64{80, 100, 125} {
		records = append(records, streamRecord(c, 1, 10, wall))
	}
	r := Of(run, records, View{})
	ordinary := c
	ordinary.Mode = ""
	mean, n, ok := r.WholeMean(ordinary, StreamCPU)
	// ln 1.25 is the deviation, and t(0.975, 2) is 4.303.
	half := 4.303 * math.Log(1.25) / math.Sqrt(3)
	if !ok || n != 3 || math.Abs(mean.Value-200) > 1e-6 || math.Abs(math.Log(mean.Hi/mean.Value)-half) > 1e-3 || math.Abs(math.Log(mean.Value/mean.Lo)-half) > 1e-3 {
		t.Errorf("%v of %d, %v; want 200 and a factor of %v", mean, n, ok, math.Exp(half))
	}
	if _, _, ok := r.WholeMean(ordinary, StreamCycles); ok {
		t.Error("a number of collections has a mean")
	}
	if row, ok := r.Whole(ordinary, StreamPeak); !ok || row.Number == nil || row.Number.Value != 1<<20 {
		t.Errorf("%+v, %v", row, ok)
	}
	one := Of(run, records[:1], View{})
	if _, n, ok := one.WholeMean(ordinary, StreamCPU); ok || n != 1 {
		t.Errorf("one process has an interval: %d", n)
	}
}
