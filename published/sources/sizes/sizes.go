// Package sizes measures gob, JSON, XML and YAML on structs from tiny to huge. It uses the method
// of "Benchmarking Gob vs JSON, XML & YAML", with its faults.
//
// These faults of the method are kept:
//
//   - Every operation of gob has an encoder or a decoder of its own, so types are
//     sent and compiled again each time.
//   - The first half of a slice of values is zero values, and so is the first half of
//     three of the four slices of a Huge. A slice of pointers has no zero values, so the
//     two shapes do not have the same data.
//   - A slice in XML is several documents in a row. Decoding reads only the first
//     document, which is a zero value.
//   - A slice of pointers to Huge is decoded into a slice of pointers to Big. The two
//     types have no field names in common, so every library skips all fields.
//   - The decoded values are not compared with the originals.
//
// One decoded row of YAML was published under another name: the row of big is called huge. Here it
// has its own name.
//
// The times in the values are those of the run, as in the published program. Gob's sizes depend on
// how many types the process has encoded before: the number of a type is a byte longer from the
// 64th type on.
//
// Two things differ. A value is made when its benchmark runs, while the published program made all
// values of a table before the first benchmark. Numbers that were not published for a row, such as
// sizes, are reported too.
//
// The published results are from 10 operations each; the caller must ask for that number.
package sizes

import (
	"testing"
	"time"

	"assay/published"
)

// Set is the source's benchmarks.
var Set = published.Set{Name: "sources/sizes", Benchmarks: benchmarks()}

// A form is one shape of one struct.
type form struct {
	key  string // the key of the workload's size
	make func(clock) any
	into func() any // returns the target for decoding
	maps bool       // has maps, so only gob and JSON can encode it
	// huges is the number of Huge values that it contains.
	huges int64
}

func target[T any]() any { return new(T) }

var forms = []form{
	{key: "shape=single,struct=tiny", make: func(c clock) any { return c.tiny() }, into: target[Tiny]},
	{key: "shape=single,struct=medium", make: func(c clock) any { return c.medium() }, into: target[Medium]},
	{key: "shape=single,struct=big", make: func(c clock) any { return c.big() }, into: target[Big]},
	{key: "shape=single,struct=huge", make: func(c clock) any { return c.huge() }, into: target[Huge], huges: 1},
	{key: "shape=single,struct=map", make: func(c clock) any { return c.complex() }, into: target[ComplexAndHuge], maps: true, huges: 50},

	{key: "shape=slice,struct=tiny", make: func(c clock) any { return doubled(5, c.tiny) }, into: target[[]Tiny]},
	{key: "shape=slice,struct=medium", make: func(c clock) any { return doubled(10, c.medium) }, into: target[[]Medium]},
	{key: "shape=slice,struct=big", make: func(c clock) any { return doubled(50, c.big) }, into: target[[]Big]},
	{key: "shape=slice,struct=huge", make: func(c clock) any { return doubled(50, c.huge) }, into: target[[]Huge], huges: 50},
	{key: "shape=slice,struct=map", make: func(c clock) any { return filled(10, c.complex) }, into: target[[]ComplexAndHuge], maps: true, huges: 500},

	{key: "shape=ptr-slice,struct=tiny", make: func(c clock) any { return pointers(5, c.tiny) }, into: target[[]*Tiny]},
	{key: "shape=ptr-slice,struct=medium", make: func(c clock) any { return pointers(10, c.medium) }, into: target[[]*Medium]},
	{key: "shape=ptr-slice,struct=big", make: func(c clock) any { return pointers(50, c.big) }, into: target[[]*Big]},
	{key: "shape=ptr-slice,struct=huge", make: func(c clock) any { return pointers(50, c.huge) }, into: target[[]*Big], huges: 50},
	{key: "shape=ptr-slice,struct=map", make: func(c clock) any { return pointers(10, c.complex) }, into: target[[]*ComplexAndHuge], maps: true, huges: 500},
}

func benchmarks() []published.Benchmark {
	f := new(published.Fixture)
	var out []published.Benchmark
	for _, op := range []string{"encode", "decode"} {
		for _, form := range forms {
			for _, l := range libraries {
				if form.maps && l.name != "gob" && l.name != "json" {
					continue
				}
				name := op + "/" + form.key + "/" + l.name
				run := func(b *testing.B) { l.benchmarkEncode(b, f, name, form) }
				if op == "decode" {
					run = func(b *testing.B) { l.benchmarkDecode(b, f, name, form) }
				}
				out = append(out, published.Benchmark{Name: name, Memory: form.huges * l.hugeBytes, Run: run})
			}
		}
	}
	return out
}

func (l library) benchmarkEncode(b *testing.B, f *published.Fixture, name string, form form) {
	b.ReportAllocs()
	value := published.Keep(f, name, func() any { return form.make(time.Now) })
	var size int
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		data, err := l.encode(value)
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "encoded-bytes")
}

func (l library) benchmarkDecode(b *testing.B, f *published.Fixture, name string, form form) {
	b.ReportAllocs()
	data := published.Keep(f, name, func() []byte {
		data, err := l.encode(form.make(time.Now))
		if err != nil {
			panic(err)
		}
		return data
	})
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if err := l.decode(data, form.into()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}
