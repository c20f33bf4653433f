// Package discardederror shows that a failure looks like a fast encoder if its error is discarded.
//
// Gob refuses a slice of pointers that contains a nil. A slice that is made with a length, and then
// appended to, begins with nils. Encode then stops at once and returns an error. If the benchmark
// ignores the error, it times the failure.
package discardederror

import (
	"bytes"
	"encoding/gob"
	"testing"

	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/discardederror", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

type account struct {
	ID      int
	Owner   string
	Balance float64
}

// fill appends a thousand accounts to a list.
func fill(list []*account) []*account {
	for i := range 1000 {
		list = append(list, &account{ID: i + 1, Owner: "Ada Lovelace", Balance: 10.24})
	}
	return list
}

// Published encodes a list that gob refuses, and ignores the error.
func Published(b *testing.B) {
	list := fill(make([]*account, 1000))
	var buf bytes.Buffer
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		buf.Reset()
		_ = gob.NewEncoder(&buf).Encode(list)
	}
	b.ReportMetric(float64(decoded(&buf)), "elements")
}

// Corrected encodes a list without nils, and stops at an error.
func Corrected(b *testing.B) {
	list := fill(make([]*account, 0, 1000))
	var buf bytes.Buffer
	for b.Loop() {
		buf.Reset()
		if err := gob.NewEncoder(&buf).Encode(list); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(decoded(&buf)), "elements")
}

// decoded returns how many accounts decoding gives back.
func decoded(buf *bytes.Buffer) int {
	var back []*account
	if err := gob.NewDecoder(buf).Decode(&back); err != nil {
		return 0
	}
	return len(back)
}
