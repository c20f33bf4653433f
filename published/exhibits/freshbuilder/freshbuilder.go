// Package freshbuilder shows the cost of a new FlatBuffers builder for each message.
//
// A builder grows its buffer as a message needs it, and keeps the buffer when it is reset. A new
// builder for each message grows and copies again each time. Whether FlatBuffers encodes faster
// than protobuf depends on this.
package freshbuilder

import (
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"assay/contenders/flatbuffers/gen/customer"
	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/freshbuilder", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

// encode writes a customer with 20 addresses.
func encode(b *flatbuffers.Builder) []byte {
	var entries [20]flatbuffers.UOffsetT
	for i := range entries {
		key := b.CreateString("my address")
		street := b.CreateString("street # 1 NY city")
		customer.LocationStart(b)
		customer.LocationAddAddress(b, street)
		customer.LocationAddLatitude(b, 40.6895541)
		customer.LocationAddLongitude(b, -74.0446034)
		location := customer.LocationEnd(b)
		customer.CustomerAddressesEntryStart(b)
		customer.CustomerAddressesEntryAddKey(b, key)
		customer.CustomerAddressesEntryAddValue(b, location)
		entries[i] = customer.CustomerAddressesEntryEnd(b)
	}
	vector := b.CreateVectorOfTables(entries[:])
	customer.CustomerStart(b)
	customer.CustomerAddAddresses(b, vector)
	b.Finish(customer.CustomerEnd(b))
	return b.FinishedBytes()
}

// Published makes a new builder for each message.
func Published(b *testing.B) {
	var data []byte
	for i := 0; i < b.N; i++ {
		data = encode(flatbuffers.NewBuilder(1024))
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}

// Corrected reuses one builder. The encoded bytes belong to the builder and are valid until its
// reset.
func Corrected(b *testing.B) {
	builder := flatbuffers.NewBuilder(1024)
	var data []byte
	for b.Loop() {
		builder.Reset()
		data = encode(builder)
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}
