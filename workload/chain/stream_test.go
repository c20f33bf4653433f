package chain

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStream compares the messages of a stream with the value that Generate makes.
func TestStream(t *testing.T) {
	for _, test := range []struct {
		size, root string
		messages   int64
		items      int
	}{
		{"txs=1", "Transaction", 1, 1},
		{"txs=7", "Transaction", 7, 1},
		{"blocks=1,txs=3", "Block", 1, 3},
		{"blocks=5,txs=2", "Block", 5, 2},
	} {
		size, err := Workload.Size(test.size)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 2, 3, 100} {
			s, err := Workload.Stream(size, 9)
			if err != nil {
				t.Fatal(err)
			}
			if s.Root != test.root || s.Messages != test.messages || s.Items != test.items || s.Bytes < 1000 {
				t.Errorf("%s: %+v", test.size, s)
			}
			var txs TransactionList
			var blocks BlockList
			for {
				part, err := s.Next(n)
				if err != nil {
					t.Fatal(err)
				}
				length := 0
				switch part := part.(type) {
				case []Transaction:
					txs, length = append(txs, part...), len(part)
				case []Block:
					blocks, length = append(blocks, part...), len(part)
				}
				if length > n {
					t.Errorf("%s: %d messages where %d were asked for", test.size, length, n)
				}
				if length == 0 {
					break
				}
			}
			all, err := Workload.Generate(size, 9, 1)
			if err != nil {
				t.Fatal(err)
			}
			var diff string
			switch all := all.(type) {
			case []TransactionList:
				diff = cmp.Diff(all[0], txs)
			case []BlockList:
				diff = cmp.Diff(all[0], blocks)
			}
			if diff != "" {
				t.Errorf("%s, %d at a time: the stream is not the value (-value +stream):\n%s", test.size, n, diff)
			}
		}
	}
}

// TestStreamOfTheLargest begins a stream of the largest published size, which does not fit
// into memory.
func TestStreamOfTheLargest(t *testing.T) {
	size, err := Workload.Size("blocks=500,txs=30000")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Workload.Stream(size, 1)
	if err != nil || s.Messages != 500 || s.Items != 30_000 {
		t.Fatal(s, err)
	}
}

// TestSizesOfBlocks checks that the list of sizes has all sizes that the source names,
// including those that it left out, and the sizes between them.
func TestSizesOfBlocks(t *testing.T) {
	var listed []string
	for _, s := range Workload.Sizes {
		listed = append(listed, s.Key)
	}
	for _, want := range []string{
		"txs=5000", "txs=30000", "txs=200000", "txs=1000000",
		"blocks=1,txs=5000", "blocks=1,txs=30000", "blocks=10,txs=5000", "blocks=10,txs=30000",
		"blocks=100,txs=5000", "blocks=100,txs=30000", "blocks=500,txs=5000", "blocks=500,txs=30000",
	} {
		if !slices.Contains(listed, want) {
			t.Errorf("%s is not among the sizes", want)
		}
	}
}
