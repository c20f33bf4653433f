// Package threshold shows a conclusion that depends on two digits.
//
// The published sizes are those of a record with the id "12345". The sentence below them says that
// protobuf is more than 40% smaller than JSON, which is true for the id "123" of the program. A
// single record near a round number can support either statement.
package threshold

import (
	"encoding/json"
	"testing"

	"google.golang.org/protobuf/proto"

	text "assay/contenders/encodingjson/gen/movie"
	"assay/contenders/protobuf/gen/movie"
	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/threshold", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

// Published measures the record for which the sentence is true.
func Published(b *testing.B) { run(b, "123") }

// Corrected measures the record whose sizes were published with the sentence.
func Corrected(b *testing.B) { run(b, "12345") }

// run encodes a record in both formats and reports the share of the size that protobuf saves.
func run(b *testing.B, id string) {
	const title, description, director = "The Movie 2", "Sequel of the legendary The Movie", "Foo Bars"
	j := &text.Metadata{Id: id, Title: title, Description: description, Director: director}
	p := &movie.Metadata{Id: id, Title: title, Description: description, Director: director}
	var long, short []byte
	var err error
	for b.Loop() {
		if long, err = json.Marshal(j); err != nil {
			b.Fatal(err)
		}
		if short, err = proto.Marshal(p); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(long)), "json-bytes")
	b.ReportMetric(float64(len(short)), "protobuf-bytes")
	b.ReportMetric(100-100*float64(len(short))/float64(len(long)), "saved-percent")
}
