// Package wrongtype shows that decoding into the wrong type is fast and gives no error.
//
// A JSON decoder skips data for which the target has no field. If the target's type has none of the
// fields, the decoder skips everything, and returns as many zero values as there are elements: the
// length is right and the error is nil. XML and YAML decoders do the same.
package wrongtype

import (
	"encoding/json"
	"reflect"
	"testing"

	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/wrongtype", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

type order struct {
	Buyer string  `json:"buyer"`
	Lines []*line `json:"lines"`
}

type line struct {
	Article string  `json:"article"`
	Count   int     `json:"count"`
	Price   float64 `json:"price"`
}

func orders() []*order {
	list := make([]*order, 20)
	for i := range list {
		list[i] = &order{Buyer: "Ada Lovelace"}
		for k := range 10 {
			list[i].Lines = append(list[i].Lines, &line{Article: "punched cards", Count: k + 1, Price: 10.24})
		}
	}
	return list
}

// Published decodes orders into the type of their lines.
func Published(b *testing.B) {
	data, _ := json.Marshal(orders())
	var back []*line
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		back = nil
		_ = json.Unmarshal(data, &back)
	}
	filled := 0
	for _, l := range back {
		if *l != (line{}) {
			filled++
		}
	}
	b.ReportMetric(float64(len(back)), "elements")
	b.ReportMetric(float64(filled), "filled-elements")
}

// Corrected decodes orders into orders, and compares the result with the original.
func Corrected(b *testing.B) {
	want := orders()
	data, err := json.Marshal(want)
	if err != nil {
		b.Fatal(err)
	}
	var back []*order
	for b.Loop() {
		back = nil
		if err := json.Unmarshal(data, &back); err != nil {
			b.Fatal(err)
		}
	}
	if !reflect.DeepEqual(back, want) {
		b.Fatal("the orders that came back are not those that were encoded")
	}
	b.ReportMetric(float64(len(back)), "elements")
	b.ReportMetric(float64(len(back)), "filled-elements")
}
