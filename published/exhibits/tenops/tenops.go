// Package tenops shows what ten iterations of a small operation measure.
//
// A benchmark that runs with -benchtime=10x collects garbage and then times ten operations. Caches,
// pools and branch predictors are cold for the first operations. The printed time is mostly this
// effect, and the smaller the operation is, the more.
package tenops

import (
	"encoding/json"
	"runtime"
	"testing"
	"time"

	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/tenops", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

type tiny struct {
	ID   int    `json:"tiny_id"`
	Text string `json:"some_str"`
}

// Published does what package testing does for -benchtime=10x: it collects garbage, and times ten
// operations in a new goroutine, whose stack has yet to grow. It repeats this b.N times and reports
// the mean, so that the result does not depend on the luck of one run.
func Published(b *testing.B) {
	v := &tiny{ID: 1, Text: "foo bar"}
	var took time.Duration
	for b.Loop() {
		runtime.GC()
		run := make(chan time.Duration)
		go func() {
			start := time.Now()
			for range 10 {
				_, _ = json.Marshal(v)
			}
			run <- time.Since(start)
		}()
		took += <-run
	}
	b.ReportMetric(float64(took)/float64(10*b.N), "ns/op")
	b.ReportMetric(10, "ops-per-run")
}

// Corrected times as many operations as fit into the benchtime.
func Corrected(b *testing.B) {
	v := &tiny{ID: 1, Text: "foo bar"}
	for b.Loop() {
		if _, err := json.Marshal(v); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N), "ops-per-run")
}
