// Package halfzero shows how a slice that is made with a length, and then appended to, distorts a
// comparison of formats.
//
// make([]T, n) already has n zero elements, and append adds n more. Gob leaves zero fields out and
// JSON writes them, so half of the data favours gob, in size and in time.
package halfzero

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"testing"

	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/halfzero", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

type account struct {
	ID        int     `json:"account_id"`
	FirstName string  `json:"first_name"`
	LastName  string  `json:"last_name"`
	Balance   float64 `json:"money_balance"`
	Country   string  `json:"country"`
	Age       uint    `json:"age"`
}

// fill appends n accounts to a list.
func fill(list []account, n int) []account {
	for i := range n {
		list = append(list, account{ID: i + 1, FirstName: "foo", LastName: "bar", Balance: 10.24, Country: "Ukraine", Age: 26})
	}
	return list
}

// Published appends to a slice that already has 50 elements.
func Published(b *testing.B) { run(b, fill(make([]account, 50), 50)) }

// Corrected appends to an empty slice with capacity for 50 elements.
func Corrected(b *testing.B) { run(b, fill(make([]account, 0, 50), 50)) }

// run times encoding/json and reports the size of its output over the size of gob's.
func run(b *testing.B, list []account) {
	var text []byte
	var err error
	for b.Loop() {
		if text, err = json.Marshal(list); err != nil {
			b.Fatal(err)
		}
	}
	var binary bytes.Buffer
	if err := gob.NewEncoder(&binary).Encode(list); err != nil {
		b.Fatal(err)
	}
	zero := 0
	for _, a := range list {
		if a == (account{}) {
			zero++
		}
	}
	b.ReportMetric(float64(zero), "zero-elements")
	b.ReportMetric(float64(len(text)), "encoded-bytes")
	b.ReportMetric(float64(len(text))/float64(binary.Len()), "json-gob-ratio")
}
