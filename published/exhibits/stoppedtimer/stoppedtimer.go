// Package stoppedtimer shows a benchmark that measures no time.
//
// StopTimer before the setup needs StartTimer after it. ResetTimer only sets the elapsed time to
// zero: the timer stays stopped, and every operation takes no time. If -benchtime is a duration,
// package testing then asks for more and more operations, up to a thousand million, because it
// never sees time pass.
package stoppedtimer

import (
	"encoding/json"
	"testing"
	"time"

	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/stoppedtimer", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

type transaction struct {
	Data, From, Signature []byte
	Nonce                 uint64
}

// message is the setup: it returns a transaction in JSON.
func message() []byte {
	data, err := json.Marshal(transaction{make([]byte, 64), make([]byte, 33), make([]byte, 64), 7})
	if err != nil {
		panic(err)
	}
	return data
}

// most is the number of operations at which Published stops, so that it ends: package testing would
// finally ask for 1 000 000 000 operations, which take half an hour or more.
const most = 1 << 11

// Published resets a timer that is stopped. A clock of its own measures the time that the stopped
// timer misses.
func Published(b *testing.B) {
	b.StopTimer()
	data := message()
	b.ResetTimer()
	start, n := time.Now(), min(b.N, most)
	for range n {
		var back transaction
		_ = json.Unmarshal(data, &back)
	}
	b.ReportMetric(float64(time.Since(start))/float64(n), "real-ns")
	b.ReportMetric(float64(b.Elapsed()), "counted-ns")
}

// Corrected lets b.Loop start the timer. b.Loop also refuses a stopped timer.
func Corrected(b *testing.B) {
	data := message()
	start := time.Now()
	for b.Loop() {
		var back transaction
		if err := json.Unmarshal(data, &back); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(time.Since(start))/float64(b.N), "real-ns")
	b.ReportMetric(float64(b.Elapsed()), "counted-ns")
}
