// Package lazyopen shows that getting the root of a FlatBuffers message reads none of its values.
//
// GetRootAs… follows one offset, whatever the length of the message. A program that needs the
// values pays for each of them when it reads it. Reading every field is comparable with a decoder
// that fills a struct, although it still copies nothing.
package lazyopen

import (
	"strconv"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"assay/contenders/flatbuffers/gen/customer"
	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/lazyopen", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

// addresses is the number of addresses of a customer.
const addresses = 100

func encode() []byte {
	b := flatbuffers.NewBuilder(1024)
	entries := make([]flatbuffers.UOffsetT, addresses)
	for i := range entries {
		key := b.CreateString("my address # " + strconv.Itoa(100+i))
		street := b.CreateString("street # " + strconv.Itoa(100+i) + " NY city")
		customer.LocationStart(b)
		customer.LocationAddAddress(b, street)
		customer.LocationAddLatitude(b, 40.6895541)
		customer.LocationAddLongitude(b, -74.0446034)
		customer.LocationAddActive(b, true)
		location := customer.LocationEnd(b)
		customer.CustomerAddressesEntryStart(b)
		customer.CustomerAddressesEntryAddKey(b, key)
		customer.CustomerAddressesEntryAddValue(b, location)
		entries[i] = customer.CustomerAddressesEntryEnd(b)
	}
	vector := b.CreateVectorOfTables(entries)
	customer.CustomerStart(b)
	customer.CustomerAddAddresses(b, vector)
	b.Finish(customer.CustomerEnd(b))
	return b.FinishedBytes()
}

// read visits every field in place and returns how many of them have a value.
func read(root *customer.Customer) (fields int) {
	var entry customer.CustomerAddressesEntry
	var location customer.Location
	for i := range root.AddressesLength() {
		root.Addresses(&entry, i)
		at := entry.Value(&location)
		for _, filled := range [...]bool{len(entry.Key()) > 0, len(at.Address()) > 0, at.Latitude() != 0, at.Longitude() != 0, at.Active()} {
			if filled {
				fields++
			}
		}
	}
	return fields
}

// Published gets the root and counts this as unmarshalling.
func Published(b *testing.B) {
	data := encode()
	var sum uint64
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sum += uint64(customer.GetRootAsCustomer(data, 0).Table().Pos)
	}
	if sum == 0 {
		b.Fatal("no root")
	}
	b.ReportMetric(0, "fields-read")
}

// Corrected gets the root and reads every field.
func Corrected(b *testing.B) {
	data := encode()
	var fields int
	for b.Loop() {
		fields = read(customer.GetRootAsCustomer(data, 0))
	}
	b.ReportMetric(float64(fields), "fields-read")
}
