package chain

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"assay/workload"
)

// Workload is a blockchain workload: transactions and blocks.
var Workload = &workload.Workload{
	Name:  "chain",
	Title: "transactions and blocks of a blockchain: random bytes in bulk",
	Text: "A transaction is 1024 random bytes, a sender's key, a signature and a counter; a block is a header and its transactions, " +
		"sorted by hash. Nearly all of it is bytes that no format can make smaller, so encoded sizes are close and copying is most of the work. " +
		"Keys and signatures are random bytes of the right length where the published program made real ones; hashes, " +
		"Merkle roots and the links between blocks are real SHA-256. Block nonces have 20 digits, so that sizes are " +
		"exact; the published ones were any 64 bits, and about half took a byte less in protobuf. Only a format that writes bytes as " +
		"decimal numbers, as yaml.v3 does, gives each value a size of its own. " +
		"Signatures are byte strings here; the published gob side held two big integers. " +
		"The sizes of 100 transactions are our own: the smallest published one takes 6 MB.",
	Source:   "\"Benchmarks: Gob vs. Protocol Buffers\", the block codec and transaction codec benchmarks of a blockchain",
	Schema:   Schema,
	Sizes:    sizes(),
	Custom:   parse,
	Generate: generate,
	Stream:   stream,
}

// Lengths of byte strings.
const (
	dataLen      = 1024
	keyLen       = 33 // a compressed point of P-256
	signatureLen = 64 // R and S
	hashLen      = sha256.Size
)

// generate makes values. It reads only the key of size.
func generate(size workload.Size, seed uint64, n int) (any, error) {
	blocks, txs, err := counts(size.Key)
	if err != nil {
		return nil, err
	}
	if blocks == 0 {
		values := make([]TransactionList, n)
		for i := range values {
			values[i] = transactions(workload.Rand(seed, i), txs)
		}
		return values, nil
	}
	values := make([]BlockList, n)
	for i := range values {
		values[i] = chain(workload.Rand(seed, i), blocks, txs)
	}
	return values, nil
}

// transactions returns n transactions with nonces from 0.
func transactions(r *rand.Rand, n int) TransactionList {
	list := make(TransactionList, n)
	for i := range list {
		list[i] = transaction(r, uint64(i))
	}
	return list
}

func transaction(r *rand.Rand, nonce uint64) Transaction {
	return Transaction{
		Data:      workload.RandBytes(r, dataLen),
		From:      publicKey(r),
		Signature: workload.RandBytes(r, signatureLen),
		Nonce:     nonce,
	}
}

// publicKey returns random bytes whose first byte is that of a compressed key.
func publicKey(r *rand.Rand) []byte {
	key := workload.RandBytes(r, keyLen)
	key[0] = 2 + key[0]&1
	return key
}

// chain returns blocks with heights from 1 and txs transactions each. The first block links
// to a block of height 0, which is not part of the chain: it has a header, no transactions,
// and a previous hash of bytes 0xFF.
func chain(r *rand.Rand, blocks, txs int) BlockList {
	previous := origin(r)
	list := make(BlockList, blocks)
	for i := range list {
		list[i] = block(r, previous, uint64(i)+1, txs)
		previous = list[i].Hash
	}
	return list
}

// origin returns the hash of the block of height 0.
func origin(r *rand.Rand) []byte {
	return headerHash(header(r, bytes.Repeat([]byte{0xFF}, hashLen), 0, nil))
}

func block(r *rand.Rand, previous []byte, height uint64, txs int) Block {
	body, hashes := sortByHash(transactions(r, txs))
	h := header(r, previous, height, hashes)
	return Block{
		Hash:      headerHash(h),
		Header:    h,
		Body:      body,
		Proposer:  publicKey(r),
		Signature: workload.RandBytes(r, signatureLen),
	}
}

// header returns the header of a block whose transactions have the given
// hashes. Blocks are ten seconds apart.
func header(r *rand.Rand, previous []byte, height uint64, hashes [][hashLen]byte) BlockHeader {
	const (
		start    = 1_700_000_000_000_000_000
		interval = 10_000_000_000
		// digits20 is the smallest number with 20 digits. Its top bit is set, so every nonce
		// takes ten bytes as a varint.
		digits20 = 10_000_000_000_000_000_000
	)
	return BlockHeader{
		Version:      1,
		MerkleRoot:   merkleRoot(hashes),
		PreviousHash: bytes.Clone(previous),
		Timestamp:    start + int64(height)*interval,
		Height:       height,
		Weight:       uint64(len(hashes)),
		StateRoot:    make([]byte, hashLen),
		Nonce:        digits20 + r.Uint64N(math.MaxUint64-digits20+1),
	}
}

// headerHash returns the SHA-256 of a header's fields in the order of the schema, with
// numbers in little-endian order and at full width.
func headerHash(h BlockHeader) []byte {
	var b []byte
	b = binary.LittleEndian.AppendUint32(b, h.Version)
	b = append(b, h.MerkleRoot...)
	b = append(b, h.PreviousHash...)
	b = binary.LittleEndian.AppendUint64(b, uint64(h.Timestamp))
	b = binary.LittleEndian.AppendUint64(b, h.Height)
	b = binary.LittleEndian.AppendUint64(b, h.Weight)
	b = append(b, h.StateRoot...)
	b = binary.LittleEndian.AppendUint64(b, h.Nonce)
	sum := sha256.Sum256(b)
	return sum[:]
}

// transactionHash returns the SHA-256 of the data followed by the nonce as eight bytes in
// little-endian order. A transaction's signature covers the same bytes.
func transactionHash(t Transaction) [hashLen]byte {
	b := make([]byte, 0, dataLen+8)
	b = append(b, t.Data...)
	return sha256.Sum256(binary.LittleEndian.AppendUint64(b, t.Nonce))
}

// sortByHash returns the transactions in the order of their hashes, and the hashes in the
// same order.
func sortByHash(list TransactionList) (TransactionList, [][hashLen]byte) {
	type hashed struct {
		hash [hashLen]byte
		at   int
	}
	order := make([]hashed, len(list))
	for i, t := range list {
		order[i] = hashed{transactionHash(t), i}
	}
	slices.SortFunc(order, func(a, b hashed) int {
		return cmp.Or(bytes.Compare(a.hash[:], b.hash[:]), cmp.Compare(a.at, b.at))
	})
	sorted, hashes := make(TransactionList, len(list)), make([][hashLen]byte, len(list))
	for i, o := range order {
		sorted[i], hashes[i] = list[o.at], o.hash
	}
	return sorted, hashes
}

// merkleRoot returns the root of the binary tree over the hashes. A node is the SHA-256 of
// its two children; the last node of a level with an odd number of nodes is paired with
// itself. The root of no hashes is all zeros.
func merkleRoot(hashes [][hashLen]byte) []byte {
	if len(hashes) == 0 {
		return make([]byte, hashLen)
	}
	level := slices.Clone(hashes)
	for len(level) > 1 {
		if len(level)%2 == 1 {
			level = append(level, level[len(level)-1])
		}
		for i := range len(level) / 2 {
			level[i] = sha256.Sum256(append(level[2*i][:], level[2*i+1][:]...))
		}
		level = level[:len(level)/2]
	}
	return bytes.Clone(level[0][:])
}
