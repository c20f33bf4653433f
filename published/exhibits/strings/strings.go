// Package strings shows how a comparison suffers if each format gets strings of its own.
//
// The published customers are named after the format: "Native" in JSON and "Proto" in protobuf,
// which is one letter less in every name and every address. The effect is small, one or two percent
// of the size. But nobody could know that without measuring it, and sizes of different data are not
// comparable.
package strings

import (
	"encoding/json"
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	text "assay/contenders/encodingjson/gen/customer"
	"assay/contenders/protobuf/gen/customer"
	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/strings", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

// addresses is the number of addresses of a customer.
const addresses = 20

// forJSON returns the customer for encoding/json, with the given word in its names.
func forJSON(word string) *text.Customer {
	c := &text.Customer{FirstName: word + " First Name", LastName: word + " Last Name", Addresses: map[string]*text.Location{}}
	for i := range addresses {
		c.Addresses[fmt.Sprintf("my %s address # %d", word, i+1)] = &text.Location{
			Address: fmt.Sprintf("street # %d NY city", i+1), Latitude: 40.6895541, Longitude: -74.0446034, Active: true,
		}
	}
	return c
}

// forProtobuf returns the same customer as a message.
func forProtobuf(word string) *customer.Customer {
	c := &customer.Customer{FirstName: word + " First Name", LastName: word + " Last Name", Addresses: map[string]*customer.Location{}}
	for i := range addresses {
		c.Addresses[fmt.Sprintf("my %s address # %d", word, i+1)] = &customer.Location{
			Address: fmt.Sprintf("street # %d NY city", i+1), Latitude: 40.6895541, Longitude: -74.0446034, Active: true,
		}
	}
	return c
}

// Published names the customer after the format.
func Published(b *testing.B) { run(b, forJSON("Native"), forProtobuf("Proto")) }

// Corrected gives both formats the same customer.
func Corrected(b *testing.B) { run(b, forJSON("Common"), forProtobuf("Common")) }

// run encodes the customer in both formats and reports their sizes.
func run(b *testing.B, j *text.Customer, p *customer.Customer) {
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
	b.ReportMetric(float64(len(long))/float64(len(short)), "size-ratio")
}
