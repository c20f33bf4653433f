// Package stoppedtimer shows a benchmark that takes no time.
//
// StopTimer before the setup wants StartTimer after it. ResetTimer only sets
// the sum to zero: the timer stays stopped, and every operation is free. With a
// duration for -benchtime, package testing then asks for more and more
// operations, up to a thousand million, and never sees time pass.
package stoppedtimer

import (
	"encoding/json"
	"testing"
	"time"

	"assay/published"
)

// Set is the pair.
var Set = published.Set{Name: "exhibits/stoppedtimer", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

type transaction struct {
	Data, From, Signature []byte
	Nonce                 uint64
}

// message returns a transaction in JSON: the setup.
func message() []byte {
	data, err := json.Marshal(transaction{make([]byte, 64), make([]byte, 33), make([]byte, 64), 7})
	if err != nil {
		panic(err)
	}
	return data
}

// most is where the published half gives up, so that it ends: testing asks for
// 1 000 000 000 operations in the end, which would take half an hour or more.
const most = 1 << 11

// Published resets a timer that is stopped. Its own clock reports what the
// benchmark's does not see.
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

// Corrected lets b.Loop start the timer, which also refuses a stopped one.
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
