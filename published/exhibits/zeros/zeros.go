// Package zeros shows how a payload of zeros distorts a comparison of sizes.
//
// Protobuf writes a zero in one byte and an empty string in two, while JSON still writes names and
// quotes around them. With the ids, fees and bytes of a real service, most of the message is text
// that is the same in both formats.
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

// Set has the published and the corrected benchmark.
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

// Corrected encodes a tick with the same fields and realistic contents.
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

// run times protojson and reports the size of its output over the size of protobuf's. It first
// removes the spaces that protojson may or may not add.
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
