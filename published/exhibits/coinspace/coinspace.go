// Package coinspace shows that the size of protojson's output depends on the
// program that it is linked into.
//
// To keep people from relying on its bytes, protojson puts a space after each
// comma or does not, and decides it by a hash of the executable. Another build
// of one source may print another size, the same in every run. A size of it
// says what the author's binary happened to be.
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

// Set is the pair.
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

// bounds returns how long the output of protojson is without a space after any
// comma and with one after each. No text of the message has a comma in it.
func bounds(text []byte) (least, most int, err error) {
	var compact bytes.Buffer
	err = json.Compact(&compact, text)
	return compact.Len(), compact.Len() + bytes.Count(compact.Bytes(), []byte{','}), err
}

// Published takes the size of what protojson returns.
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

// Corrected takes the spaces out, after the time was taken, so that every build
// has one answer.
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
