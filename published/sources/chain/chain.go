// Package chain measures gob and protobuf on transactions and blocks. It uses the method of
// "Benchmarks: Gob vs. Protocol Buffers", with its faults.
//
// These faults of the method are kept:
//
//   - The work is not the same. Gob encodes and decodes the program's own types, with
//     integers of ECDSA and pointers to keys. Protobuf encodes messages that were made
//     before, and its decoding ends at messages.
//   - Every operation has an encoder or a decoder of its own, so gob sends and
//     compiles its types again.
//   - The whole data set is one message, up to several gigabytes. Gob has to
//     hold a message whole before it writes it, and after it has read it.
//   - No result is decoded and compared with the original.
//
// Four things differ, but none of them changes what is measured. The data are those of the workload
// chain: random bytes stand for keys and signatures, because they take a fraction of the time to
// make. A data set is made when its benchmark runs, while the published program held all of them
// from start to end, which takes about 20 GB. The published program ignored errors; here an error
// ends its benchmark, so that a failure cannot look like a fast result. The numbers that the tables
// left blank, which are the memory of encoding and the sizes, are reported too.
//
// The method is from the revision that the tables came from. A later revision resets the timer of
// decoding where it should have started it, and therefore measures nothing; the exhibit
// stoppedtimer shows that.
package chain

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	"assay/published"
	model "assay/workload/chain"
)

// Set is the source's benchmarks.
var Set = published.Set{Name: "sources/chain", Benchmarks: benchmarks()}

// counts are the data sets. Without blocks, the data set is a list of transactions.
var counts = []struct{ blocks, txs int }{
	{0, 5_000}, {0, 30_000}, {0, 200_000}, {0, 1_000_000},
	{1, 5_000}, {1, 30_000}, {1, 200_000}, {1, 1_000_000},
	{10, 5_000}, {10, 30_000}, {10, 200_000},
	{100, 30_000},
	{500, 30_000},
}

func benchmarks() []published.Benchmark {
	f := new(published.Fixture)
	var out []published.Benchmark
	for _, c := range counts {
		if c.blocks == 0 {
			key := fmt.Sprintf("txs=%d", c.txs)
			out = append(out, four(f, key, c.txs, transactions, transactionMessages)...)
			continue
		}
		key := fmt.Sprintf("blocks=%d,txs=%d", c.blocks, c.txs)
		out = append(out, four(f, key, c.blocks*c.txs, blocks, blockMessages)...)
	}
	return out
}

// These are about how many bytes an operation needs at its peak for each transaction, with the
// collector's slack: measured with up to 3,000,000 transactions.
const (
	gobEncodeBytes      = 8_200
	gobDecodeBytes      = 7_800
	protobufEncodeBytes = 4_800
	protobufDecodeBytes = 4_800
)

// four returns the benchmarks of one data set with the given number of transactions. Model is the
// element type of the workload's values, Domain is what gob encodes for it, and Message is what
// protobuf encodes.
func four[Model any, Domain any, M any, Message interface {
	*M
	proto.Message
}](f *published.Fixture, key string, txs int, domain func(Model) Domain, message func(Model) Message) []published.Benchmark {
	encodeGob := func() []byte {
		var buf bytes.Buffer
		if err := gob.NewEncoder(&buf).Encode(domain(generate[Model](key))); err != nil {
			panic(err)
		}
		return buf.Bytes()
	}
	encodeProtobuf := func() []byte {
		data, err := proto.Marshal(message(generate[Model](key)))
		if err != nil {
			panic(err)
		}
		return data
	}
	benchmark := func(op, library string, perTx int64, run func(b *testing.B, name string)) published.Benchmark {
		name := op + "/" + key + "/" + library
		return published.Benchmark{Name: name, Memory: perTx * int64(txs), Run: func(b *testing.B) {
			b.ReportAllocs()
			run(b, name)
		}}
	}
	return []published.Benchmark{
		benchmark("encode", "gob", gobEncodeBytes, func(b *testing.B, name string) {
			values := published.Keep(f, name, func() Domain { return domain(generate[Model](key)) })
			b.ResetTimer()
			var size int
			for i := 0; i < b.N; i++ {
				buf := new(bytes.Buffer)
				if err := gob.NewEncoder(buf).Encode(values); err != nil {
					b.Fatal(err)
				}
				size = buf.Len()
			}
			b.ReportMetric(float64(size), "encoded-bytes")
		}),
		benchmark("encode", "protobuf", protobufEncodeBytes, func(b *testing.B, name string) {
			values := published.Keep(f, name, func() Message { return message(generate[Model](key)) })
			b.ResetTimer()
			var size int
			for i := 0; i < b.N; i++ {
				data, err := proto.Marshal(values)
				if err != nil {
					b.Fatal(err)
				}
				size = len(data)
			}
			b.ReportMetric(float64(size), "encoded-bytes")
		}),
		benchmark("decode", "gob", gobDecodeBytes, func(b *testing.B, name string) {
			data := published.Keep(f, name, encodeGob)
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				var values Domain
				if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&values); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(data)), "encoded-bytes")
		}),
		benchmark("decode", "protobuf", protobufDecodeBytes, func(b *testing.B, name string) {
			data := published.Keep(f, name, encodeProtobuf)
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				var values M
				if err := proto.Unmarshal(data, Message(&values)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(data)), "encoded-bytes")
		}),
	}
}

// generate returns the first value of a size of the workload, with seed 1.
func generate[Model any](key string) Model {
	size, err := model.Workload.Size(key)
	if err != nil {
		panic(err)
	}
	values, err := model.Workload.Generate(size, 1, 1)
	if err != nil {
		panic(err)
	}
	return values.([]Model)[0]
}
