// Package zeros shows what a payload of zeros does to a comparison of sizes.
//
// Protobuf writes a zero in one byte and an empty string in two, and JSON has
// names and quotes to write around them. With ids, fees and bytes as a service
// has them, text is mostly the same text in both formats.
package zeros

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"assay/contenders/protojson/gen/tick"
	"assay/published"
)

// Set is the pair.
var Set = published.Set{Name: "exhibits/zeros", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

// Published encodes a tick of empty ids, zero fees and zero bytes.
func Published(b *testing.B) {
	run(b, &tick.TickData{
		ComputorIndex: 3, Epoch: 4, TickNumber: 2, Timestamp: 1,
		VarStruct: make([]byte, 100), TimeLock: make([]byte, 100),
		TransactionIds: make([]string, 100), ContractFees: make([]int64, 100),
		SignatureHex: strings.Repeat("a", 43),
	})
}

// Corrected encodes one with the same fields and contents to expect.
func Corrected(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(alphabet string, n int) string {
		out := make([]byte, n)
		for i := range out {
			out[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(out)
	}
	m := &tick.TickData{
		ComputorIndex: 675, Epoch: 112, TickNumber: 14_500_123, Timestamp: 1_718_000_000_123,
		VarStruct: []byte(text("\x00\x1f\x3a\x80\xfe", 100)), TimeLock: []byte(text("\x00\x1f\x3a\x80\xfe", 100)),
		SignatureHex: text("0123456789abcdef", 128),
	}
	for range 100 {
		m.TransactionIds = append(m.TransactionIds, text("abcdefghijklmnopqrstuvwxyz", 60))
		m.ContractFees = append(m.ContractFees, r.Int64N(1_000_000_000))
	}
	run(b, m)
}

// run times protojson and reports how its output compares with protobuf's. The
// spaces that protojson adds or not are taken out before.
func run(b *testing.B, m *tick.TickData) {
	var text []byte
	var err error
	for b.Loop() {
		if text, err = protojson.Marshal(m); err != nil {
			b.Fatal(err)
		}
	}
	binary, err := proto.Marshal(m)
	if err != nil {
		b.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(compact.Len()), "json-bytes")
	b.ReportMetric(float64(len(binary)), "protobuf-bytes")
	b.ReportMetric(float64(compact.Len())/float64(len(binary)), "size-ratio")
}
