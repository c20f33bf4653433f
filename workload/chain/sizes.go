package chain

import (
	"fmt"
	"strconv"
	"strings"

	"assay/workload"
)

// sizes returns the published sizes, the sizes that the source left out, and three of assay's
// own: two small ones for short runs, and 500 blocks of 5,000 transactions.
func sizes() []workload.Size {
	small := size(0, 100)
	small.Typical, small.Default, small.Quick = true, true, true
	smallBlock := size(1, 100)
	smallBlock.Default = true
	return []workload.Size{
		small, size(0, 5_000), size(0, 30_000), size(0, 200_000), size(0, 1_000_000),
		smallBlock, size(1, 5_000), size(1, 30_000), size(1, 200_000), size(1, 1_000_000),
		size(10, 5_000), size(10, 30_000), size(10, 200_000),
		size(100, 5_000), size(100, 30_000),
		size(500, 5_000), size(500, 30_000),
	}
}

// Approximate memory, in bytes, of one transaction, and of one block without its
// transactions.
const (
	transactionBytes = 4*24 + dataLen + keyLen + signatureLen
	blockBytes       = 10*24 + 4*hashLen + keyLen + signatureLen
)

// size returns the size of a list of blocks with txs transactions each. If blocks is 0, it
// returns the size of a list of txs transactions.
func size(blocks, txs int) workload.Size {
	if blocks == 0 {
		return workload.Size{
			Key:   fmt.Sprintf("txs=%d", txs),
			Root:  "TransactionList",
			Text:  plural(txs, "transaction"),
			Bytes: int64(txs) * transactionBytes,
			Items: txs,
		}
	}
	text := plural(blocks, "block") + " of " + plural(txs, "transaction")
	return workload.Size{
		Key:   fmt.Sprintf("blocks=%d,txs=%d", blocks, txs),
		Root:  "BlockList",
		Text:  text,
		Bytes: int64(blocks) * (blockBytes + int64(txs)*transactionBytes),
		Items: blocks * txs,
	}
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// parse returns the size with the given key.
func parse(key string) (workload.Size, error) {
	blocks, txs, err := counts(key)
	if err != nil {
		return workload.Size{}, err
	}
	return size(blocks, txs), nil
}

// maxCount keeps the numbers of a size far from overflow. A size that is too large for a
// machine is refused elsewhere, by Size.Bytes.
const maxCount = 1_000_000

// counts parses a key, txs=N or blocks=B,txs=N. It returns 0 for blocks if the key has none.
func counts(key string) (blocks, txs int, err error) {
	form := func(err error) (int, int, error) {
		return 0, 0, fmt.Errorf("workload chain: size %q: %w; want txs=N or blocks=B,txs=N with numbers from 1 to %d", key, err, maxCount)
	}
	rest := key
	if head, tail, ok := strings.Cut(key, ","); ok {
		if blocks, err = number(head, "blocks="); err != nil {
			return form(err)
		}
		rest = tail
	}
	if txs, err = number(rest, "txs="); err != nil {
		return form(err)
	}
	return blocks, txs, nil
}

// number parses a count after a prefix. It accepts only one spelling of a number, because the
// key names the size in results.
func number(text, prefix string) (int, error) {
	digits, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return 0, fmt.Errorf("%q does not begin with %s", text, prefix)
	}
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil || strconv.Itoa(n) != digits:
		return 0, fmt.Errorf("%q is not a whole number in plain digits", digits)
	case n < 1 || n > maxCount:
		return 0, fmt.Errorf("%d is out of range", n)
	}
	return n, nil
}
