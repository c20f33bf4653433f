package measure

import (
	"slices"
	"testing"
	"time"

	"assay/internal/userdata"
	"assay/result"
)

// A prefix of the blocks is spread over the whole sample: the first half of the blocks has some
// in each quarter of the sample.
func TestScattered(t *testing.T) {
	if got := scattered(8); !slices.Equal(got, []int{0, 4, 2, 6, 1, 5, 3, 7}) {
		t.Errorf("of eight: %v", got)
	}
	for n := range 200 {
		got := scattered(n)
		var quarters [4]bool
		for _, i := range got[:(n+1)/2] {
			quarters[4*i/n] = true
		}
		if n >= 8 && quarters != [4]bool{true, true, true, true} {
			t.Errorf("the first half of %d are %v", n, got[:n/2])
		}
		if slices.Sort(got); len(got) != n || n > 0 && (got[0] != 0 || got[n-1] != n-1) || len(slices.Compact(got)) != n {
			t.Errorf("of %d: %v", n, got)
		}
	}
}

// blocky is an input of blocks.
type blocky struct {
	Input
	n int
}

func (b blocky) blocks() (out []userdata.Block) {
	for i := range b.n {
		out = append(out, userdata.Block{First: int64(10 * i), N: 10, Bytes: 1000})
	}
	return out
}

func (b blocky) block(_ userdata.Block, do func(string) error) error { return do("") }

// Blocks are verified while there is time, and the first one in any case. The bytes of the others
// are estimated.
func TestBlocksEndWithTheirShare(t *testing.T) {
	for _, test := range []struct {
		budget time.Duration
		whole  time.Duration // part of the budget for this runner
		takes  time.Duration
		values int64 // at most
		all    bool
	}{
		{time.Hour, 0, 0, 80, true},
		{0, 0, time.Millisecond, 80, true}, // no budget
		{3 * time.Millisecond, 0, 20 * time.Millisecond, 10, false},
		{time.Hour, 3 * time.Millisecond, 20 * time.Millisecond, 10, false},
	} {
		m := &Measurement{cfg: &Config{Input: blocky{n: 8}}, whole: test.whole, Run: &result.Run{Plan: result.Plan{Budget: test.budget}}}
		p, err := m.inBlocks(func(string, userdata.Block) error { time.Sleep(test.takes); return nil })
		if err != nil || p.values != 80 || p.all() != test.all || p.done > test.values || p.done == 0 {
			t.Errorf("within %v: %+v, %v", test.budget, p, err)
		}
		want, part := int64(160), int64(0)
		if !test.all {
			want, part = 1280, 10
		}
		if got := p.estimate(160); got != want || p.part() != part {
			t.Errorf("160 bytes of %d records are %d of all, part %d; want %d, %d", p.done, got, p.part(), want, part)
		}
	}
}
