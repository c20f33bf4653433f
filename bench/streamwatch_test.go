package bench

import (
	"math"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

// TestTimed: the time of a stream is that of all its timed calls, and waiting takes no CPU time.
func TestTimed(t *testing.T) {
	const each = 2 * time.Millisecond
	var slept, worked Streamed
	for range 3 {
		if err := slept.timed(func() error { time.Sleep(each); return nil }); err != nil {
			t.Fatal(err)
		}
		if err := worked.timed(func() error { spin(each); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if slept.Wall < int64(3*each) || worked.Wall < int64(3*each) {
		t.Errorf("three calls of %v took %v and %v", each, time.Duration(slept.Wall), time.Duration(worked.Wall))
	}
	// While it spins, others may have the CPU.
	if hasProcessCPU && (slept.CPU > int64(2*each) || worked.CPU < int64(each)) {
		t.Errorf("three calls of %v took %v of CPU time asleep and %v at work", each, time.Duration(slept.CPU), time.Duration(worked.CPU))
	}
}

// TestWatched: a pass has counters of all that it does.
func TestWatched(t *testing.T) {
	s := &Streamed{}
	err := s.watched(result.Subject{Contender: "a"}, result.Encode, func() error {
		err := s.timed(func() error { spin(20 * time.Millisecond); return nil })
		block := make([]byte, 64<<20)
		for at := 0; at < len(block); at += pageSize {
			block[at] = 1
		}
		time.Sleep(5 * time.Millisecond)
		runtime.GC()
		runtime.KeepAlive(block)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.Cycles < 1 || s.GCCPU > s.Busy || s.Pause99 <= 0 || s.Pause99 > s.PauseMax || s.Late <= 0 || s.Wall > s.Elapsed {
		t.Errorf("%+v", s)
	}
	if hasProcessCPU && (s.GCCPU <= 0 || s.CPU <= 0 || s.CPU > s.TotalCPU || s.Minor <= 0) {
		t.Errorf("CPU time %d of %d, and %d page faults", s.CPU, s.TotalCPU, s.Minor)
	}
}

// TestCollected: what the collector did is the difference of two readings.
func TestCollected(t *testing.T) {
	bounds := []float64{0, 1e-6, 2e-6, 4e-6}
	before := collecting{3, 1, 2, &metrics.Float64Histogram{Counts: []uint64{1, 0, 9}, Buckets: bounds}}
	after := collecting{7, 1.25, 4, &metrics.Float64Histogram{Counts: []uint64{99, 1, 10}, Buckets: bounds}}
	var got Streamed
	got.collected(before, after)
	if diff := cmp.Diff(Streamed{Cycles: 4, GCCPU: 25e7, Busy: 2e9, Pause99: 2000, PauseMax: 4000}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	got = Streamed{}
	got.faulted(pageFault{1, 2}, pageFault{11, 5})
	if diff := cmp.Diff(Streamed{Minor: 10, Major: 3}, got); diff != "" {
		t.Errorf("page faults: -want +got\n%s", diff)
	}
	if bounds[3] = math.Inf(1); quantile([]uint64{0, 0, 1}, bounds, 1) != 2000 {
		t.Error("a pause in the last bucket, which has no end, is not as long as its begin")
	}
}
