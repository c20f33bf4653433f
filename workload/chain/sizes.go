package chain

import (
	"fmt"
	"strconv"
	"strings"

	"assay/workload"
)

// sizes returns the published sizes, those that the source left out, and three of our
// own: two small ones that a short run can bear, and 500 blocks of 5,000 transactions.
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

// About how many bytes of memory one takes beyond what it holds.
const (
	transactionBytes = 4*24 + dataLen + keyLen + signatureLen
	blockBytes       = 10*24 + 4*hashLen + keyLen + signatureLen
)

// size returns the size of a list of txs transactions when blocks is 0, else
// that of a list of blocks with txs transactions each.
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

// maxCount keeps the numbers of a size far from overflow. What is too large
// for a machine is refused elsewhere, by Size.Bytes.
const maxCount = 1_000_000

// counts reads a key, txs=N or blocks=B,txs=N. Without blocks it returns 0 of
// them.
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

// number reads a count that follows a prefix. It takes a number in one spelling
// only, because the key names the size in results.
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
