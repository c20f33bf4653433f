package chain

import (
	"bytes"

	"assay/workload"
)

// stream makes the first value of a size message by message. A message is a block, or a
// transaction if the size has no blocks. Nodes send and store these one at a time, so one
// message is what must be in memory at once. The messages are the elements of the value that
// generate makes.
func stream(size workload.Size, seed uint64) (*workload.Stream, error) {
	blocks, txs, err := counts(size.Key)
	if err != nil {
		return nil, err
	}
	r := workload.Rand(seed, 0)
	done := 0
	if blocks == 0 {
		return &workload.Stream{
			Root: "Transaction", Messages: int64(txs), Items: 1, Bytes: transactionBytes,
			Next: func(n int) (any, error) {
				list := make([]Transaction, min(n, txs-done))
				for i := range list {
					list[i] = transaction(r, uint64(done+i))
				}
				done += len(list)
				return list, nil
			},
		}, nil
	}
	previous := origin(r)
	return &workload.Stream{
		Root: "Block", Messages: int64(blocks), Items: txs, Bytes: blockBytes + int64(txs)*transactionBytes,
		Next: func(n int) (any, error) {
			list := make([]Block, min(n, blocks-done))
			for i := range list {
				list[i] = block(r, previous, uint64(done+i)+1, txs)
				previous = bytes.Clone(list[i].Hash) // so that the stream does not share memory with the block
			}
			done += len(list)
			return list, nil
		},
	}, nil
}
