// Package notjson shows that protojson is not the price of JSON.
//
// protojson walks a message by reflection and writes the JSON form of protobuf:
// 64-bit integers as strings, names from the descriptor. That it is slow says
// nothing of the format. The same values in a plain struct, encoded by
// encoding/json, take a fraction of the time and fewer bytes.
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

// Set is the pair.
var Set = published.Set{Name: "exhibits/notjson", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

// Published encodes a protobuf message by protojson and speaks of JSON.
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

// Corrected encodes the same values by encoding/json.
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
