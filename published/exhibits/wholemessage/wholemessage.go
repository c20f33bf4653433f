// Package wholemessage shows the cost of one gob message for a whole data set.
//
// Gob writes the length of a message before the message, so it has to hold the message until its
// end: its buffer grows with the data, and is garbage afterwards. Gob is made for streams of
// messages. One message for each element, through one encoder, needs the memory of one element.
package wholemessage

import (
	"encoding/gob"
	"math/rand/v2"
	"testing"

	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/wholemessage", Benchmarks: []published.Benchmark{
	{Name: "published", Memory: 64 << 20, Run: Published},
	{Name: "corrected", Memory: 64 << 20, Run: Corrected},
}}

type transaction struct {
	Data, From, Signature []byte
	Nonce                 uint64
}

func transactions() []transaction {
	r := rand.NewChaCha8([32]byte{1})
	list := make([]transaction, 5_000)
	for i := range list {
		t := transaction{Data: make([]byte, 1024), From: make([]byte, 33), Signature: make([]byte, 64), Nonce: uint64(i)}
		for _, b := range [][]byte{t.Data, t.From, t.Signature} {
			r.Read(b) // never fails
		}
		list[i] = t
	}
	return list
}

// A counter counts the bytes and calls of Write. Both halves write to a counter, so any difference
// comes from gob.
type counter struct{ bytes, writes int }

func (c *counter) Write(p []byte) (int, error) {
	c.bytes, c.writes = c.bytes+len(p), c.writes+1
	return len(p), nil
}

// Published encodes the list as one value.
func Published(b *testing.B) {
	list := transactions()
	var out counter
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		out = counter{}
		_ = gob.NewEncoder(&out).Encode(list)
	}
	b.ReportMetric(float64(out.bytes), "encoded-bytes")
}

// Corrected encodes the elements of the list, one after another.
func Corrected(b *testing.B) {
	list := transactions()
	var out counter
	for b.Loop() {
		out = counter{}
		enc := gob.NewEncoder(&out)
		for i := range list {
			if err := enc.Encode(&list[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(out.bytes), "encoded-bytes")
}
