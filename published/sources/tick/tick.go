// Package tick measures proto.Marshal and protojson.Marshal on one tick. It uses the method of
// "Protobuf proto.Marshall vs protojson.Marshall", with its faults.
//
// These faults of the method are kept:
//
//   - The timer is started and stopped around each operation, which costs time
//     in the timed part and disturbs the timed operation.
//   - The payload is zeros: empty ids, fees of 0 and byte strings of zeros are as
//     short as protobuf can make them, and protojson spells them out.
//   - protojson is taken as representative of JSON.
//
// protojson writes a space after each comma or none, by a hash of the program. So its size is one
// of two, depending on the program that this package is linked into.
//
// Decoding was not published; here it is measured in the same style. The published program ignored
// errors. Here an error ends its benchmark, except for errors of the timed encoding, which runs
// once before the timed part with its error checked.
//
// The published results are from 10,000 operations, and these benchmarks should also run a fixed
// number of operations. Starting and stopping the timer stops the world twice for each operation,
// so a run that lasts until a given time was measured takes many times as long.
package tick

import (
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	pb "assay/contenders/protobuf/gen/tick"
	"assay/published"
)

// Set is the source's benchmarks.
var Set = published.Set{Name: "sources/tick", Benchmarks: []published.Benchmark{
	{Name: "encode/payload=published/protobuf", Run: func(b *testing.B) { encode(b, proto.Marshal) }},
	{Name: "encode/payload=published/protojson", Run: func(b *testing.B) { encode(b, protojson.Marshal) }},
	{Name: "decode/payload=published/protobuf", Run: func(b *testing.B) { decode(b, proto.Marshal, proto.Unmarshal) }},
	{Name: "decode/payload=published/protojson", Run: func(b *testing.B) { decode(b, protojson.Marshal, protojson.Unmarshal) }},
}}

func message() *pb.TickData {
	return &pb.TickData{
		ComputorIndex:  3,
		Epoch:          4,
		TickNumber:     2,
		Timestamp:      1,
		VarStruct:      make([]byte, 100),
		TimeLock:       make([]byte, 100),
		TransactionIds: make([]string, 100),
		ContractFees:   make([]int64, 100),
		SignatureHex:   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	}
}

type (
	marshal   = func(proto.Message) ([]byte, error)
	unmarshal = func([]byte, proto.Message) error
)

func encode(b *testing.B, marshal marshal) {
	b.ReportAllocs()
	m := message()
	data, err := marshal(m)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		b.StartTimer()
		_, _ = marshal(m)
		b.StopTimer()
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}

func decode(b *testing.B, marshal marshal, unmarshal unmarshal) {
	b.ReportAllocs()
	data, err := marshal(message())
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		b.StartTimer()
		err := unmarshal(data, new(pb.TickData))
		b.StopTimer()
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}
