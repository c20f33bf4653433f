// Package buildinloop shows what a benchmark of encoding measures if it builds its message inside
// the loop.
//
// Formatting strings and filling maps costs more than a good encoder does. This cost is added to
// every contender, so the fastest contender loses most of its lead.
package buildinloop

import (
	"fmt"
	"testing"

	"assay/contenders/gogoprotobuf/gen/customer"
	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/buildinloop", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

// build returns a customer with n addresses and the given number of friends, who have n addresses
// each.
func build(n, friends int) *customer.Customer {
	c := &customer.Customer{
		FirstName: "Ada", LastName: "Lovelace", Age: 999, Balance: 9.5e22,
		Addresses:   map[string]*customer.Location{},
		Preferences: &customer.Preferences{DarkMode: true, Language: "en_us"},
	}
	for i := range n {
		c.Addresses[fmt.Sprintf("my address # %d", i)] = &customer.Location{
			Address: fmt.Sprintf("street # %d NY city", i), Latitude: 40.69, Longitude: -74.04, Active: true,
		}
	}
	for range friends {
		c.Friends = append(c.Friends, build(n, 0))
	}
	return c
}

// Published builds the customer anew for each encoding.
func Published(b *testing.B) {
	var data []byte
	for i := 0; i < b.N; i++ {
		data, _ = build(10, 10).Marshal()
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}

// Corrected encodes a customer that was built before.
func Corrected(b *testing.B) {
	c := build(10, 10)
	var data []byte
	var err error
	for b.Loop() {
		if data, err = c.Marshal(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}
