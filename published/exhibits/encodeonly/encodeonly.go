// Package encodeonly shows what a benchmark misses that encodes and never
// decodes.
//
// Whoever sends also receives. A JSON encoder copies strings between quotes and
// is not far behind protobuf; a decoder has to find every quote, and is. The
// half that was not measured is where the formats differ.
package encodeonly

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	text "assay/contenders/encodingjson/gen/movie"
	"assay/contenders/protobuf/gen/movie"
	"assay/published"
)

// Set is the pair.
var Set = published.Set{Name: "exhibits/encodeonly", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

const id, title, description, director = "12345", "The Movie 2", "Sequel of the legendary The Movie", "Foo Bars"

var (
	record  = &text.Metadata{Id: id, Title: title, Description: description, Director: director}
	message = &movie.Metadata{Id: id, Title: title, Description: description, Director: director}
)

// Published compares encoders.
func Published(b *testing.B) {
	race(b,
		func() error { _, err := json.Marshal(record); return err },
		func() error { _, err := proto.Marshal(message); return err })
}

// Corrected compares decoders, which belongs beside it.
func Corrected(b *testing.B) {
	j, _ := json.Marshal(record)
	p, _ := proto.Marshal(message)
	race(b,
		func() error { return json.Unmarshal(j, new(text.Metadata)) },
		func() error { return proto.Unmarshal(p, new(movie.Metadata)) })
}

// race runs both by turns, a hundred operations each, and reports how many
// times longer JSON takes: the median of the turns. An operation is one of each.
func race(b *testing.B, j, p func() error) {
	var ratios []float64
	for done := 0; done < b.N; done += 100 {
		var took [2]float64
		for i, op := range []func() error{j, p} {
			start := time.Now()
			for range min(100, b.N-done) {
				if err := op(); err != nil {
					b.Fatal(err)
				}
			}
			took[i] = float64(time.Since(start))
		}
		ratios = append(ratios, took[0]/took[1])
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "json-protobuf-ratio")
}
