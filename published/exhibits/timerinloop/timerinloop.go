// Package timerinloop shows the cost of timer calls inside the loop.
//
// StartTimer and StopTimer read the memory statistics, and stop the world to do so. The printed
// time does not include that, but it disturbs the timed operation: caches are cold and other
// goroutines have run. It also hides where the time went, because most of the benchmark's duration
// is not counted.
package timerinloop

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"assay/contenders/protobuf/gen/tick"
	"assay/published"
)

// Set has the published and the corrected benchmark. The number of operations is part of the
// method: with a duration, the published half would run many times as long.
var Set = published.Set{Name: "exhibits/timerinloop", Benchmarks: []published.Benchmark{
	{Name: "published", Benchtime: "10000x", Run: Published},
	{Name: "corrected", Benchtime: "10000x", Run: Corrected},
}}

func message() *tick.TickData {
	return &tick.TickData{
		ComputorIndex: 3, Epoch: 4, TickNumber: 2, Timestamp: 1,
		VarStruct: make([]byte, 100), TimeLock: make([]byte, 100),
		TransactionIds: make([]string, 100), ContractFees: make([]int64, 100),
		SignatureHex: strings.Repeat("a", 43),
	}
}

// Published starts and stops the timer around each operation.
func Published(b *testing.B) {
	m := message()
	run(b, func() {
		b.StartTimer()
		_, _ = proto.Marshal(m)
		b.StopTimer()
	})
}

// Corrected leaves the timer alone.
func Corrected(b *testing.B) {
	m := message()
	run(b, func() {
		if _, err := proto.Marshal(m); err != nil {
			b.Fatal(err)
		}
	})
}

// run runs op in laps of a hundred operations. It reports the timer's time for one operation in the
// median lap, which other programs disturb least, and the share of the loop's real duration that
// the timer counted.
func run(b *testing.B, op func()) {
	var laps []float64
	b.ResetTimer()
	start := time.Now()
	for done := 0; done < b.N; {
		before, n := b.Elapsed(), min(100, b.N-done)
		for range n {
			op()
		}
		laps = append(laps, float64(b.Elapsed()-before)/float64(n))
		done += n
	}
	b.StopTimer()
	b.ReportMetric(float64(b.Elapsed())/float64(time.Since(start)), "counted-share")
	slices.Sort(laps)
	b.ReportMetric(laps[len(laps)/2], "median-ns")
}
