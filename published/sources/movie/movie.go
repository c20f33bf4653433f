// Package movie measures JSON, XML and protobuf on one small record. It uses the method of "Just a
// simple benchmark for different serialization protocols", with its faults.
//
// These faults of the method are kept: protobuf gets a message that was made before, although the
// program would have to convert its record; results are discarded; and XML names its elements after
// Go's fields, while JSON uses lower-case names. The id is that of the text, "12345", which gives
// the published sizes; the program has "123".
//
// Decoding was not published; here it is measured in the same style. The published program ignored
// errors; here an error ends its benchmark.
package movie

import (
	"encoding/json"
	"encoding/xml"
	"testing"

	"google.golang.org/protobuf/proto"

	pb "assay/contenders/protobuf/gen/movie"
	"assay/published"
)

// Set is the source's benchmarks.
var Set = published.Set{Name: "sources/movie", Benchmarks: []published.Benchmark{
	{Name: "encode/record=one/json", Run: func(b *testing.B) { encode(b, encodeJSON) }},
	{Name: "encode/record=one/xml", Run: func(b *testing.B) { encode(b, encodeXML) }},
	{Name: "encode/record=one/protobuf", Run: func(b *testing.B) { encode(b, encodeProtobuf) }},
	{Name: "decode/record=one/json", Run: func(b *testing.B) { decode(b, encodeJSON, decodeJSON) }},
	{Name: "decode/record=one/xml", Run: func(b *testing.B) { decode(b, encodeXML, decodeXML) }},
	{Name: "decode/record=one/protobuf", Run: func(b *testing.B) { decode(b, encodeProtobuf, decodeProtobuf) }},
}}

// Metadata is the record. Its type name is the root element of its XML.
type Metadata struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Director    string `json:"director"`
}

var record = &Metadata{
	ID:          "12345",
	Title:       "The Movie 2",
	Description: "Sequel of the legendary The Movie",
	Director:    "Foo Bars",
}

var message = &pb.Metadata{
	Id:          "12345",
	Title:       "The Movie 2",
	Description: "Sequel of the legendary The Movie",
	Director:    "Foo Bars",
}

func encodeJSON() ([]byte, error)     { return json.Marshal(record) }
func encodeXML() ([]byte, error)      { return xml.Marshal(record) }
func encodeProtobuf() ([]byte, error) { return proto.Marshal(message) }

func decodeJSON(data []byte) error     { return json.Unmarshal(data, new(Metadata)) }
func decodeXML(data []byte) error      { return xml.Unmarshal(data, new(Metadata)) }
func decodeProtobuf(data []byte) error { return proto.Unmarshal(data, new(pb.Metadata)) }

// The loops call through a function value, which adds a nanosecond or two to each operation.

func encode(b *testing.B, encode func() ([]byte, error)) {
	b.ReportAllocs()
	var size int
	for i := 0; i < b.N; i++ {
		data, err := encode()
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "encoded-bytes")
}

func decode(b *testing.B, encode func() ([]byte, error), decode func([]byte) error) {
	b.ReportAllocs()
	data, err := encode()
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if err := decode(data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}
