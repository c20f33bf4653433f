// Package coinspace shows that the size of protojson's output depends on the program that it is
// linked into.
//
// protojson either writes a space after each comma or writes none, and decides this by a hash of
// the executable, so that nobody relies on its exact bytes. Another build of the same source may
// print another size, which is then the same in every run. So a published size of protojson depends
// on the author's binary.
package coinspace

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"assay/contenders/protojson/gen/tick"
	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/coinspace", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

func message() *tick.TickData {
	return &tick.TickData{
		ComputorIndex: 3, Epoch: 4, TickNumber: 2, Timestamp: 1,
		VarStruct: make([]byte, 100), TimeLock: make([]byte, 100),
		TransactionIds: make([]string, 100), ContractFees: make([]int64, 100),
		SignatureHex: strings.Repeat("a", 43),
	}
}

// bounds returns the length of protojson's output without a space after any comma, and with one
// after each. The texts of the message must have no commas.
func bounds(text []byte) (least, most int, err error) {
	var compact bytes.Buffer
	err = json.Compact(&compact, text)
	return compact.Len(), compact.Len() + bytes.Count(compact.Bytes(), []byte{','}), err
}

// Published reports the size of protojson's output.
func Published(b *testing.B) {
	m := message()
	var text []byte
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		text, _ = protojson.Marshal(m)
	}
	least, most, err := bounds(text)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(text)), "encoded-bytes")
	b.ReportMetric(float64(most-least), "chance-bytes")
}

// Corrected removes the spaces after the timed part, so that every build has the same size.
func Corrected(b *testing.B) {
	m := message()
	var text []byte
	var err error
	for b.Loop() {
		if text, err = protojson.Marshal(m); err != nil {
			b.Fatal(err)
		}
	}
	least, _, err := bounds(text)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(least), "encoded-bytes")
	b.ReportMetric(0, "chance-bytes")
}
