// Package timerinloop shows what calls of the timer inside the loop cost.
//
// StartTimer and StopTimer read the memory statistics, and stop the world to do
// so. That is not in the time that is printed, yet it disturbs the operation
// that is: caches are cold and other goroutines have run. And it hides where
// the time went, as most of the benchmark's duration is no longer counted.
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

// Set is the pair. A number of operations is part of the method: asked for a
// duration, the published half would run many times as long.
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

// run is the loop, in laps of a hundred operations. It reports what the timer
// counted for one in the median lap, which other programs disturb least, and
// how much of the loop's real duration was counted at all.
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
