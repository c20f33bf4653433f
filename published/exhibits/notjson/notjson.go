// Package notjson shows that the cost of protojson is not the cost of JSON.
//
// protojson walks a message by reflection and writes the JSON form of protobuf: 64-bit integers as
// strings, and names from the descriptor. So its speed says nothing about the format. encoding/json
// encodes the same values, in a plain struct, in a fraction of the time and in fewer bytes.
package notjson

import (
	"encoding/json"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	plain "assay/contenders/encodingjson/gen/tick"
	"assay/contenders/protojson/gen/tick"
	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/notjson", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

// Published encodes a protobuf message with protojson and calls it JSON.
func Published(b *testing.B) {
	m := &tick.TickData{
		ComputorIndex: 3, Epoch: 4, TickNumber: 2, Timestamp: 1,
		VarStruct: make([]byte, 100), TimeLock: make([]byte, 100),
		TransactionIds: make([]string, 100), ContractFees: make([]int64, 100),
		SignatureHex: strings.Repeat("a", 43),
	}
	var text []byte
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		text, _ = protojson.Marshal(m)
	}
	b.ReportMetric(float64(len(text)), "encoded-bytes")
}

// Corrected encodes the same values with encoding/json.
func Corrected(b *testing.B) {
	v := &plain.TickData{
		ComputorIndex: 3, Epoch: 4, TickNumber: 2, Timestamp: 1,
		VarStruct: make([]byte, 100), TimeLock: make([]byte, 100),
		TransactionIds: make([]string, 100), ContractFees: make([]int64, 100),
		SignatureHex: strings.Repeat("a", 43),
	}
	var text []byte
	var err error
	for b.Loop() {
		if text, err = json.Marshal(v); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(text)), "encoded-bytes")
}
