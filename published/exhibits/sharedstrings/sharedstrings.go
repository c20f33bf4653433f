// Package sharedstrings shows an option that changes the size of a FlatBuffers message more than
// any of the discussed differences between formats.
//
// CreateString writes a string each time it is called. CreateSharedString writes equal strings once
// and points to them. So a result is incomplete unless it says which of the two was called, and how
// often the strings of the data repeat.
package sharedstrings

import (
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"assay/contenders/flatbuffers/gen/customer"
	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/sharedstrings", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

// friends is the number of friends of a customer. They all have the same addresses, as in the
// published data.
const friends = 50

var (
	names   = [...]string{"my address # 1", "my address # 2", "my address # 3", "my address # 4", "my address # 5"}
	streets = [...]string{"street # 1 NY city", "street # 2 NY city", "street # 3 NY city", "street # 4 NY city", "street # 5 NY city"}
)

// encode writes a customer with friends; text is the method that writes strings.
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

// Published writes every string where it is used, as the source did without saying so.
func Published(b *testing.B) {
	builder := flatbuffers.NewBuilder(1024)
	run(b, builder, builder.CreateString)
}

// Corrected writes equal strings once. A result with this option has to name it, too.
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
