package chain

import (
	"math/big"

	model "assay/workload/chain"
)

// A hash is an array. Gob writes it as 32 integers.
type hash [32]byte

// A publicKey is a compressed point of P-256.
type publicKey struct {
	Key []byte
}

// A signature has the two integers of ECDSA. Gob writes each with its own GobEncode, which
// allocates.
type signature struct {
	R, S *big.Int
}

// A transaction is the program's own type. The last two fields stand for its caches: gob does not
// write them, but allocates memory for them.
type transaction struct {
	Data      []byte
	From      *publicKey
	Signature *signature
	Nonce     uint64

	_ hash
	_ int64
}

type header struct {
	Version       uint32
	MerkleRoot    hash
	PrevBlockHash hash
	Timestamp     int64
	Height        uint64
	Weight        uint64
	StateRoot     hash
	Nonce         uint64
}

type body struct {
	Transactions []*transaction
}

// blockHash is a cache of the program: gob leaves it out, while the protobuf message contains it.
// Blocks had no tail when the tables were published: the counts of allocations agree without one,
// and are 20 to 60 too high with any.
type block struct {
	blockHash hash
	Header    *header
	Body      *body
	Proposer  *publicKey
	Signature *signature
}

// transactions returns a list in the program's own types. It shares the bytes.
func transactions(list model.TransactionList) []*transaction {
	out := make([]*transaction, len(list))
	for i, t := range list {
		out[i] = &transaction{
			Data:      t.Data,
			From:      &publicKey{t.From},
			Signature: parts(t.Signature),
			Nonce:     t.Nonce,
		}
	}
	return out
}

// parts splits a signature of 64 bytes.
func parts(s []byte) *signature {
	return &signature{R: new(big.Int).SetBytes(s[:32]), S: new(big.Int).SetBytes(s[32:])}
}

// blocks returns a list in the program's own types. It shares the bytes.
func blocks(list model.BlockList) []*block {
	out := make([]*block, len(list))
	for i, b := range list {
		h := b.Header
		out[i] = &block{
			blockHash: hash(b.Hash),
			Header: &header{
				Version:       h.Version,
				MerkleRoot:    hash(h.MerkleRoot),
				PrevBlockHash: hash(h.PreviousHash),
				Timestamp:     h.Timestamp,
				Height:        h.Height,
				Weight:        h.Weight,
				StateRoot:     hash(h.StateRoot),
				Nonce:         h.Nonce,
			},
			Body:      &body{transactions(b.Body)},
			Proposer:  &publicKey{b.Proposer},
			Signature: parts(b.Signature),
		}
	}
	return out
}
