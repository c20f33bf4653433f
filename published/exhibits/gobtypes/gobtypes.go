// Package gobtypes shows the cost of a new gob encoder and decoder for each message.
//
// Gob describes each type once in a stream, and compiles a decoder when the description arrives.
// With a new encoder and decoder for each message, both happen each time, and cost more than the
// message itself. A program that keeps a connection open pays once.
package gobtypes

import (
	"bytes"
	"encoding/gob"
	"testing"

	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/gobtypes", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

type tiny struct {
	ID   int
	Text string
}

var value = tiny{ID: 1, Text: "foo bar"}

// Published makes a new encoder and a new decoder for each message.
func Published(b *testing.B) {
	var size int
	for i := 0; i < b.N; i++ {
		var buf bytes.Buffer
		var back tiny
		_ = gob.NewEncoder(&buf).Encode(&value)
		size = buf.Len()
		_ = gob.NewDecoder(&buf).Decode(&back)
	}
	b.ReportMetric(float64(size), "encoded-bytes")
}

// Corrected sends all messages through one encoder to one decoder. The first message, which
// contains the types, is sent before the timed part.
func Corrected(b *testing.B) {
	var buf bytes.Buffer
	enc, dec := gob.NewEncoder(&buf), gob.NewDecoder(&buf)
	var size int
	send := func() {
		var back tiny
		if err := enc.Encode(&value); err != nil {
			b.Fatal(err)
		}
		size = buf.Len()
		if err := dec.Decode(&back); err != nil {
			b.Fatal(err)
		}
		if back != value {
			b.Fatalf("got %+v back", back)
		}
	}
	send()
	for b.Loop() {
		send()
	}
	b.ReportMetric(float64(size), "encoded-bytes")
}
