//go:build unix

package drive_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/drive"
	"assay/result"
)

// TestFootprint: each layout has a process, which measures every footprint on each visit. Each
// visit has as many batches as it takes to fill the footprint. A case that fails loses only its
// own records.
func TestFootprint(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	_, err := drive.Footprint(t.Context(), drive.FootprintConfig{
		Runner: telling(r, "on"), Layouts: []uint64{3, 4}, Cases: freshCases(), Sizes: []int64{1000, 1 << 40}, Visits: 2,
		N:     func(result.Case) int { return 50 },
		Batch: func(result.Case) time.Duration { return 10 * time.Millisecond },
		// Contender a fills 1000 bytes in 25 batches. Contender b allocates nothing.
		Allocated: func(c result.Case) int64 { return map[string]int64{"a": 41}[c.Contender] },
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	type short struct {
		Case    result.Case
		Bytes   int64
		Layout  uint64
		N       int
		Batches int
	}
	var got, want []short
	for _, r := range n.records {
		if f := r.Footprint; f != nil {
			got = append(got, short{f.Case, f.Bytes, f.Layout, f.N, len(f.CPU)})
			if len(f.CPU) != len(f.Wall) {
				t.Errorf("%d and %d times", len(f.CPU), len(f.Wall))
			}
		}
	}
	for _, c := range []struct {
		result.Case
		near, far int
	}{{encodeCase("w", "a"), 50, 60}, {encodeCase("v", "b"), 40, 40}} {
		for _, layout := range []uint64{3, 4} {
			want = append(want, short{c.Case, 1000, layout, 50, c.near}, short{c.Case, 1 << 40, layout, 50, c.far})
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	log := readLog(t, dir)
	for _, line := range []string{"garbage a 1000 after 25", "garbage a 1099511627776 after 30", "garbage b 1000 after 10"} {
		if !slices.Contains(log, line) {
			t.Errorf("nothing says %q in %q", line, log)
		}
	}
	if diff := cmp.Diff([]string{panicked}, n.outcomes()); diff != "" || len(n.notes()) != 1 {
		t.Errorf("outcomes (-want +got):\n%s\nnotes %q", diff, n.notes())
	}
}

// TestFootprintBudget: Tally.Missed has the cases for which the budget leaves no time.
func TestFootprintBudget(t *testing.T) {
	r, _ := runner(t)
	var n notebook
	tally, err := drive.Footprint(t.Context(), drive.FootprintConfig{
		Runner: r, Layouts: []uint64{3}, Cases: freshCases()[:1], Sizes: []int64{1, 2}, Visits: 1, Budget: 1,
		N: func(result.Case) int { return 1 }, Batch: func(result.Case) time.Duration { return 1 },
		Allocated: func(result.Case) int64 { return 1 },
	}, n.sink, n.event)
	if err != nil || len(tally.Missed) != 1 {
		t.Errorf("missed %v, error %v", tally.Missed, err)
	}
}
