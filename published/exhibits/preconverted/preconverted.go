// Package preconverted shows the work that a contender saves if its messages are converted before
// the timed part.
//
// Gob takes the program's own type, with its pointers and big integers. If protobuf gets ready
// messages, it has less work than gob: a program has to convert its value to a message before it
// can send it, and has to convert a received message back to a value.
package preconverted

import (
	"math/big"
	"testing"

	"google.golang.org/protobuf/proto"

	"assay/contenders/protobuf/gen/chain"
	"assay/published"
)

// Set has the published and the corrected benchmark.
var Set = published.Set{Name: "exhibits/preconverted", Benchmarks: []published.Benchmark{
	{Name: "published", Run: Published},
	{Name: "corrected", Run: Corrected},
}}

// A transaction is the program's own type.
type transaction struct {
	data      []byte
	from      *publicKey
	signature *signature
	nonce     uint64
}

type publicKey struct{ bytes []byte }

type signature struct{ r, s *big.Int }

func transactions() []transaction {
	list := make([]transaction, 1000)
	for i := range list {
		half := new(big.Int).Lsh(big.NewInt(int64(i+1)), 240) // 256 bits, about
		list[i] = transaction{make([]byte, 32), &publicKey{make([]byte, 33)}, &signature{half, half}, uint64(i)}
	}
	return list
}

// messages returns transactions as protobuf messages, with each half of a signature in 32 bytes.
func messages(list []transaction) *chain.TransactionList {
	m := &chain.TransactionList{Transaction: make([]*chain.Transaction, len(list))}
	for i, t := range list {
		halves := make([]byte, 64)
		t.signature.r.FillBytes(halves[:32])
		t.signature.s.FillBytes(halves[32:])
		m.Transaction[i] = &chain.Transaction{Data: t.data, From: t.from.bytes, Signature: halves, Nonce: t.nonce}
	}
	return m
}

// Published encodes messages that were made before the timed part.
func Published(b *testing.B) {
	m := messages(transactions())
	var data []byte
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		data, _ = proto.Marshal(m)
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}

// Corrected makes the messages from the program's values in the timed part, just as gob starts from
// these values.
func Corrected(b *testing.B) {
	list := transactions()
	var data []byte
	var err error
	for b.Loop() {
		if data, err = proto.Marshal(messages(list)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(data)), "encoded-bytes")
}
