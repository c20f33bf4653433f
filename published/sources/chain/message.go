package chain

import (
	pb "assay/contenders/protobuf/gen/chain"
	model "assay/workload/chain"
)

// transactionMessages returns a list as one message. It shares the bytes.
func transactionMessages(list model.TransactionList) *pb.TransactionList {
	out := &pb.TransactionList{Transaction: make([]*pb.Transaction, len(list))}
	for i, t := range list {
		out.Transaction[i] = &pb.Transaction{Data: t.Data, From: t.From, Signature: t.Signature, Nonce: t.Nonce}
	}
	return out
}

// blockMessages returns a list as one message. It shares the bytes.
func blockMessages(list model.BlockList) *pb.BlockList {
	out := &pb.BlockList{Block: make([]*pb.Block, len(list))}
	for i, b := range list {
		h := b.Header
		out.Block[i] = &pb.Block{
			Hash: b.Hash,
			Header: &pb.BlockHeader{
				Version:      h.Version,
				MerkleRoot:   h.MerkleRoot,
				PreviousHash: h.PreviousHash,
				Timestamp:    h.Timestamp,
				Height:       h.Height,
				Weight:       h.Weight,
				StateRoot:    h.StateRoot,
				Nonce:        h.Nonce,
			},
			Body:      transactionMessages(b.Body),
			Proposer:  b.Proposer,
			Signature: b.Signature,
		}
	}
	return out
}
