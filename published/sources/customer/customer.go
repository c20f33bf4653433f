// Package customer measures JSON, protobuf, gogo protobuf and FlatBuffers on a customer with
// addresses and friends. It uses the method of "X-buffers Bench", with its faults.
//
// These faults of the method are kept:
//
//   - The benchmarks called marshalling also make the customer: they format strings
//     and fill maps, and then encode the result. Every format pays for that, but not
//     equally: FlatBuffers has no objects to make.
//   - The benchmark called unmarshalling of FlatBuffers finds the root table and
//     reads none of its fields.
//   - Each format has texts of its own. FlatBuffers has longer texts for friends,
//     and another debt. See the constants beside each customer.
//   - The input of unmarshalling is made with the timer running, once for all
//     operations. Its share of their time and allocations shrinks with the number
//     of operations.
//   - Level 2 has 20 addresses, although the text says 10. The published counts of
//     allocations are for 20.
//   - gogo protobuf decodes what protobuf encoded, which is the same format.
//
// The published program ignored errors; here an error ends its benchmark.
package customer

import (
	"strconv"
	"testing"

	"assay/published"
)

// Set is the source's benchmarks.
var Set = published.Set{Name: "sources/customer", Benchmarks: benchmarks()}

// A level says how many addresses and friends a customer has.
type level struct {
	addresses      int
	friends        int
	theirAddresses int // of each friend
}

var levels = []level{{1, 0, 0}, {20, 10, 10}, {100, 200, 100}}

// A library makes and encodes a customer, and decodes one.
type library struct {
	name   string
	encode func(level) ([]byte, error)
	decode func([]byte) error
	input  func(level) ([]byte, error) // the input of decode
}

var libraries = []library{
	{"json", encodeJSON, decodeJSON, encodeJSON},
	{"protobuf", encodeProtobuf, decodeProtobuf, encodeProtobuf},
	{"flatbuffers", encodeFlatBuffers, nil, encodeFlatBuffers},
	{"gogo", encodeGogo, decodeGogo, encodeProtobuf},
}

func benchmarks() []published.Benchmark {
	var out []published.Benchmark
	add := func(op string, i int, library string, run func(*testing.B)) {
		name := op + "/level=" + strconv.Itoa(i+1) + "/" + library
		out = append(out, published.Benchmark{Name: name, Run: run})
	}
	for i, level := range levels {
		for _, library := range libraries {
			add("encode", i, library.name, func(b *testing.B) { library.benchmarkEncode(b, level) })
		}
		for _, library := range libraries {
			run := library.benchmarkDecode
			if library.decode == nil {
				run = benchmarkOpen
			}
			add("decode", i, library.name, func(b *testing.B) { run(b, level) })
		}
	}
	return out
}

// The loops call through a function value. That takes a nanosecond or two, while the operations
// take at least a hundred times as long. benchmarkOpen calls directly, because its operation is
// much shorter.

func (l library) benchmarkEncode(b *testing.B, level level) {
	b.ReportAllocs()
	var size int
	for i := 0; i < b.N; i++ {
		data, err := l.encode(level)
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "encoded-bytes")
}

func (l library) benchmarkDecode(b *testing.B, level level) {
	b.ReportAllocs()
	data, err := l.input(level) // the timer runs
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; i < b.N; i++ {
		if err := l.decode(data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}

// benchmarkOpen is the FlatBuffers benchmark that was published as unmarshalling.
func benchmarkOpen(b *testing.B, level level) {
	b.ReportAllocs()
	data, err := encodeFlatBuffers(level) // the timer runs
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; i < b.N; i++ {
		openFlatBuffers(data)
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}

// The numbers of all customers. They have more digits than a float64 can hold, as in the published
// program.
const (
	rootAge       = 999
	rootBalance   = 99994859059012502541295.993269264
	rootDebt      = 450505050.9139519591259
	rootLanguage  = "en_us"
	friendAge     = 888
	friendBalance = 77774859059012502541295.883269264 // and debt
	friendTongue  = "en_gb"
	latitude      = 40.6895541
	longitude     = -74.0446034
)
