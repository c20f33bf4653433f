package chain

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"assay/workload"
	"assay/workload/workloadtest"
)

func TestWorkload(t *testing.T) { workloadtest.Check(t, Workload) }

// The published sizes of blocks are these sizes, less a byte for each block whose random
// nonce had a shorter varint: ten blocks took 56,701,472 bytes in one run.
func TestProtobufSizes(t *testing.T) {
	for _, test := range []struct {
		key, root string
		want      int
	}{
		{"txs=1", "TransactionList", 1_131},
		{"txs=2", "TransactionList", 2_264},
		{"txs=5000", "TransactionList", 5_669_870},
		{"txs=30000", "TransactionList", 34_033_486},
		{"blocks=1,txs=5000", "BlockList", 5_670_148},
		{"blocks=1,txs=30000", "BlockList", 34_033_765},
		{"blocks=10,txs=5000", "BlockList", 56_701_480},
	} {
		v := workloadtest.Values(t, Workload, test.key, 1, 1)[0]
		if got := workloadtest.ProtoSize(Schema, test.root, v); got != test.want {
			t.Errorf("%s takes %d bytes in protobuf, want %d", test.key, got, test.want)
		}
	}
}

func TestSameSizes(t *testing.T) {
	for key, root := range map[string]string{"txs=1": "TransactionList", "txs=100": "TransactionList", "blocks=3,txs=20": "BlockList"} {
		workloadtest.SameSizes(t, Workload, key, map[string]func(workload.Model) int{
			"protobuf": func(v workload.Model) int { return workloadtest.ProtoSize(Schema, root, v) },
			"json":     workloadtest.JSON,
			"gob":      workloadtest.Gob,
		})
	}
}

func TestTransactions(t *testing.T) {
	values := workloadtest.Values(t, Workload, "txs=100", 1, 3)
	workloadtest.Filled(t, values, "[].Nonce")
	for i, v := range values {
		for k, tx := range *v.(*TransactionList) {
			if tx.Nonce != uint64(k) {
				t.Errorf("value %d, transaction %d: nonce %d", i, k, tx.Nonce)
			}
			checkTransaction(t, tx)
		}
	}
	first, second := *values[0].(*TransactionList), *values[1].(*TransactionList)
	if bytes.Equal(first[0].Data, second[0].Data) || bytes.Equal(first[0].Data, first[1].Data) {
		t.Error("two transactions have equal data")
	}
}

func checkTransaction(t *testing.T, tx Transaction) {
	t.Helper()
	if len(tx.Data) != 1024 || len(tx.Signature) != 64 {
		t.Errorf("data of %d bytes, signature of %d", len(tx.Data), len(tx.Signature))
	}
	checkKey(t, tx.From)
}

func checkKey(t *testing.T, key []byte) {
	t.Helper()
	if len(key) != 33 || key[0] != 2 && key[0] != 3 {
		t.Errorf("% x is no compressed key", key)
	}
}

func TestBlocks(t *testing.T) {
	value := workloadtest.Values(t, Workload, "blocks=3,txs=21", 1, 1)
	workloadtest.Separate(t, value)
	// The tail is absent, and one nonce is 0.
	workloadtest.Filled(t, value, "[].Tail", "[].Body[].Nonce")
	blocks := *value[0].(*BlockList)
	if len(blocks) != 3 {
		t.Fatalf("%d blocks, want 3", len(blocks))
	}
	for i, b := range blocks {
		h := b.Header
		if h.Version != 1 || h.Height != uint64(i)+1 || h.Weight != 21 || b.Tail != nil {
			t.Errorf("block %d: version %d, height %d, weight %d, tail %v", i, h.Version, h.Height, h.Weight, b.Tail)
		}
		if h.Nonce < 1e19 {
			t.Errorf("block %d: nonce %d has fewer than 20 digits", i, h.Nonce)
		}
		if !bytes.Equal(h.StateRoot, make([]byte, 32)) {
			t.Errorf("block %d: state root % x", i, h.StateRoot)
		}
		if !bytes.Equal(b.Hash, headerHash(h)) {
			t.Errorf("block %d: hash % x is not its header's", i, b.Hash)
		}
		if i > 0 && !bytes.Equal(h.PreviousHash, blocks[i-1].Hash) {
			t.Errorf("block %d does not link to block %d", i, i-1)
		}
		if i == 0 && (len(h.PreviousHash) != 32 || slices.Max(h.PreviousHash) == 0) {
			t.Errorf("the first block links to % x", h.PreviousHash)
		}
		checkKey(t, b.Proposer)
		if len(b.Signature) != 64 {
			t.Errorf("block %d: signature of %d bytes", i, len(b.Signature))
		}
		var hashes [][32]byte
		nonces := map[uint64]bool{}
		for _, tx := range b.Body {
			checkTransaction(t, tx)
			hashes = append(hashes, transactionHash(tx))
			nonces[tx.Nonce] = true
		}
		if len(nonces) != 21 || !nonces[0] || !nonces[20] {
			t.Errorf("block %d: nonces %v, want 0 to 20", i, nonces)
		}
		if !slices.IsSortedFunc(hashes, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) }) {
			t.Errorf("block %d is not in the order of its transactions' hashes", i)
		}
		if !bytes.Equal(h.MerkleRoot, merkleRoot(hashes)) {
			t.Errorf("block %d: Merkle root % x is not that of its transactions", i, h.MerkleRoot)
		}
	}
}

func TestMerkleRoot(t *testing.T) {
	node := func(a, b [32]byte) [32]byte { return sha256.Sum256(slices.Concat(a[:], b[:])) }
	a, b, c := [32]byte{1}, [32]byte{2}, [32]byte{3}
	for _, test := range []struct {
		hashes [][32]byte
		want   [32]byte
	}{
		{nil, [32]byte{}},
		{[][32]byte{a}, a},
		{[][32]byte{a, b}, node(a, b)},
		{[][32]byte{a, b, c}, node(node(a, b), node(c, c))},
		{[][32]byte{a, b, c, a, b}, node(node(node(a, b), node(c, a)), node(node(b, b), node(b, b)))},
	} {
		before := slices.Clone(test.hashes)
		if got := merkleRoot(test.hashes); !bytes.Equal(got, test.want[:]) {
			t.Errorf("root of %d hashes is % x, want % x", len(test.hashes), got, test.want)
		}
		if !slices.Equal(before, test.hashes) {
			t.Error("merkleRoot changed its argument")
		}
	}
}

func TestCustom(t *testing.T) {
	got, err := Workload.Size("blocks=7,txs=11")
	if err != nil {
		t.Fatal(err)
	}
	if got.Root != "BlockList" || got.Items != 77 || got.Text != "7 blocks of 11 transactions" || got.Default || got.Quick {
		t.Errorf("got %+v", got)
	}
	if one, err := Workload.Size("txs=1"); err != nil || one.Text != "1 transaction" || one.Items != 1 {
		t.Errorf("got %+v, %v", one, err)
	}
	for key, want := range map[string]string{
		"":                   "does not begin with txs=",
		"txs":                "does not begin with txs=",
		"txs=":               "not a whole number",
		"txs=0":              "out of range",
		"txs=-5":             "out of range",
		"txs=+5":             "not a whole number",
		"txs=05":             "not a whole number",
		"txs=5k":             "not a whole number",
		"txs=1000001":        "out of range",
		"blocks=2":           "does not begin with txs=",
		"blocks=0,txs=5":     "out of range",
		"txs=5,blocks=2":     "does not begin with blocks=",
		"blocks=2,txs=5,x=1": "not a whole number",
	} {
		if _, err := Workload.Size(key); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "want txs=N") {
			t.Errorf("%q: error %v, want one that says %q and what to write", key, err, want)
		}
	}
}

func FuzzCustom(f *testing.F) {
	for _, s := range Workload.Sizes {
		f.Add(s.Key)
	}
	f.Add("txs=05")
	f.Fuzz(func(t *testing.T, key string) {
		size, err := parse(key)
		if err == nil && size.Key != key {
			t.Errorf("%q became %q", key, size.Key)
		}
	})
}
