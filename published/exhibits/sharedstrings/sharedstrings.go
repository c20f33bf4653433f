// Package sharedstrings shows an option that changes the size of a FlatBuffers
// message more than any difference between formats that was discussed.
//
// CreateString writes a string each time it is called. CreateSharedString
// writes equal strings once and points to them. Which of them was called is
// part of the result, and so is how often the strings of the data repeat.
package sharedstrings

import (
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"assay/contenders/flatbuffers/gen/customer"
	"assay/published"
)

// Set is the pair.
var Set = published.Set{Name: "exhibits/sharedstrings", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

// friends is how many a customer has. Each has the same addresses, as in the
// published data.
const friends = 50

var (
	names   = [...]string{"my address # 1", "my address # 2", "my address # 3", "my address # 4", "my address # 5"}
	streets = [...]string{"street # 1 NY city", "street # 2 NY city", "street # 3 NY city", "street # 4 NY city", "street # 5 NY city"}
)

// encode writes a customer with friends; text is how a string is written.
func encode(b *flatbuffers.Builder, text func(string) flatbuffers.UOffsetT) []byte {
	b.Reset()
	var list [friends]flatbuffers.UOffsetT
	for i := range list {
		var entries [len(names)]flatbuffers.UOffsetT
		for k := range entries {
			key, street := text(names[k]), text(streets[k])
			customer.LocationStart(b)
			customer.LocationAddAddress(b, street)
			customer.LocationAddLatitude(b, 40.6895541)
			customer.LocationAddLongitude(b, -74.0446034)
			location := customer.LocationEnd(b)
			customer.CustomerAddressesEntryStart(b)
			customer.CustomerAddressesEntryAddKey(b, key)
			customer.CustomerAddressesEntryAddValue(b, location)
			entries[k] = customer.CustomerAddressesEntryEnd(b)
		}
		vector := b.CreateVectorOfTables(entries[:])
		customer.CustomerStart(b)
		customer.CustomerAddAddresses(b, vector)
		list[i] = customer.CustomerEnd(b)
	}
	vector := b.CreateVectorOfTables(list[:])
	customer.CustomerStart(b)
	customer.CustomerAddFriends(b, vector)
	b.Finish(customer.CustomerEnd(b))
	return b.FinishedBytes()
}

// Published writes every string where it is used, and does not say so.
func Published(b *testing.B) {
	builder := flatbuffers.NewBuilder(1024)
	run(b, builder, builder.CreateString)
}

// Corrected writes equal strings once, which has to be said as well.
func Corrected(b *testing.B) {
	builder := flatbuffers.NewBuilder(1024)
	run(b, builder, builder.CreateSharedString)
}

func run(b *testing.B, builder *flatbuffers.Builder, text func(string) flatbuffers.UOffsetT) {
	var data []byte
	for b.Loop() {
		data = encode(builder, text)
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}
