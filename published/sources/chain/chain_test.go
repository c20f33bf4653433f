package chain

import (
	"testing"

	"assay/published/publishedtest"
	model "assay/workload/chain"
)

// Allocations and allocated bytes are the published ones, if a table has them, and otherwise those
// of the published program, run again. All agree except one: when the table of transactions was
// published, gob took 16 bytes more for each transaction that it decoded, which is 13,320,336 bytes
// for 5,000 transactions. That is what gob takes for a transaction with a time.Time field for when
// it was first seen.
//
// Gob's sizes leave out the leading zeros of R and S. The workload's nonces of blocks have the
// largest length; half of the published ones were a byte shorter.
func TestPublished(t *testing.T) {
	const zeros = 1e-4
	publishedtest.CheckNames(t, Set, model.Workload)
	publishedtest.Check(t, Set, 3, []publishedtest.Figure{
		{Name: "encode/txs=5000/gob", Allocs: 10_062, Bytes: 39_447_632, Size: 5_709_739, SizeWithin: zeros},
		{Name: "encode/txs=5000/protobuf", Allocs: 1, Bytes: 5_677_056, Size: 5_669_870},
		{Name: "decode/txs=5000/gob", Allocs: 65_222, Bytes: 13_240_336},
		{Name: "decode/txs=5000/protobuf", Allocs: 20_017, Bytes: 6_474_808},
		{Name: "encode/txs=30000/gob", Allocs: 60_070, Bytes: 238_250_830, Size: 34_259_560, SizeWithin: zeros, Slow: true},
		{Name: "encode/txs=30000/protobuf", Allocs: 1, Bytes: 34_037_760, Size: 34_033_486},
		{Name: "decode/txs=30000/gob", Allocs: 390_226, Bytes: 163_755_470, Slow: true},
		{Name: "decode/txs=30000/protobuf", Allocs: 120_024, Bytes: 39_221_688},
		{Name: "decode/txs=200000/gob", Allocs: 2_600_235, Bytes: 1_372_246_864, Slow: true},
		{Name: "decode/txs=200000/protobuf", Allocs: 800_032, Bytes: 261_900_478, Slow: true},
		{Name: "encode/blocks=1,txs=5000/gob", Allocs: 10_077, Bytes: 39_458_384, Size: 5_710_427, SizeWithin: zeros},
		{Name: "encode/blocks=1,txs=5000/protobuf", Allocs: 1, Bytes: 5_677_056, Size: 5_670_148},
		{Name: "decode/blocks=1,txs=5000/gob", Allocs: 65_353, Bytes: 13_254_928},
		{Name: "decode/blocks=1,txs=5000/protobuf", Allocs: 20_027, Bytes: 6_475_408},
		{Name: "encode/blocks=1,txs=30000/gob", Allocs: 60_085, Bytes: 238_253_390, Size: 34_260_224, SizeWithin: zeros, Slow: true},
		{Name: "decode/blocks=1,txs=30000/gob", Allocs: 390_357, Bytes: 163_761_879, Slow: true},
		{Name: "decode/blocks=1,txs=30000/protobuf", Allocs: 120_034, Bytes: 39_222_288, Size: 34_033_765},
		{Name: "encode/blocks=10,txs=5000/gob", Allocs: 100_105, Bytes: 376_538_290, Size: 57_099_126, SizeWithin: zeros, Slow: true},
		{Name: "encode/blocks=10,txs=5000/protobuf", Allocs: 1, Bytes: 56_705_024, Size: 56_701_480, Slow: true},
		{Name: "decode/blocks=10,txs=5000/gob", Allocs: 650_520, Bytes: 266_393_504, Slow: true},
		{Name: "decode/blocks=10,txs=5000/protobuf", Allocs: 200_256, Bytes: 64_753_672, Slow: true},
	})
}
