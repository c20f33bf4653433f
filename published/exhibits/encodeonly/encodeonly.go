// Package encodeonly shows what a benchmark misses if it encodes but never decodes.
//
// Whoever sends messages also receives them. A JSON encoder copies strings between quotes, so it is
// not far behind protobuf. A JSON decoder has to find every quote, so it is far behind. The formats
// differ most in the half that was not measured.
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

// Set has the published and the corrected benchmark.
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

// Corrected compares decoders, which should be measured as well.
func Corrected(b *testing.B) {
	j, err := json.Marshal(record)
	if err != nil {
		b.Fatal(err)
	}
	p, err := proto.Marshal(message)
	if err != nil {
		b.Fatal(err)
	}
	race(b,
		func() error { return json.Unmarshal(j, new(text.Metadata)) },
		func() error { return proto.Unmarshal(p, new(movie.Metadata)) })
}

// race runs j and p in turn, a hundred operations each, and reports how many times longer JSON
// takes, as the median over the turns. One operation of the benchmark is one call of each.
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
