//go:build unix

package drive_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/drive"
	"assay/result"
)

// The records of a set or of a case are stored together, because a resumed run takes one of these
// records as a sign that all are stored.
func TestTogether(t *testing.T) {
	r, _ := runner(t)
	of := func(r result.Record) string {
		switch {
		case r.Steady != nil:
			return "steady"
		case r.Scaling != nil:
			return "scaling"
		case r.Footprint != nil:
			return "footprint"
		}
		return "other"
	}
	var n notebook
	var got [][]string
	together := func(records ...result.Record) error {
		var kinds []string
		for _, r := range records {
			kinds = append(kinds, of(r))
		}
		got = append(got, kinds)
		return nil
	}
	if _, err := drive.Steady(t.Context(), drive.SteadyConfig{
		Runner: r, Layouts: []uint64{0, 0}, LiveMB: []int{0, 64}, Rounds: 2, Together: together,
		Cells: []drive.SteadyCell{steadyCell("w", "a", "b")},
	}, n.sink, n.event); err != nil {
		t.Fatal(err)
	}
	of50 := func(result.Case) int { return 50 }
	if _, err := drive.Scaling(t.Context(), drive.ScalingConfig{
		Runner: r, Cases: freshCases(), N: of50, CPUs: []int{1, 3}, Rounds: 2, Visits: 1, Together: together,
	}, n.sink, n.event); err != nil {
		t.Fatal(err)
	}
	if _, err := drive.Footprint(t.Context(), drive.FootprintConfig{
		Runner: r, Layouts: []uint64{3, 4}, Cases: freshCases(), Sizes: []int64{1000, 2000}, Visits: 1, N: of50, Together: together,
		Batch: func(result.Case) time.Duration { return time.Millisecond }, Allocated: func(result.Case) int64 { return 100 },
	}, n.sink, n.event); err != nil {
		t.Fatal(err)
	}
	four := func(kind string) []string { return []string{kind, kind, kind, kind} }
	want := [][]string{
		four("steady"), four("steady"), {"scaling", "scaling"}, {"scaling", "scaling"}, four("footprint"), four("footprint"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stored together (-want +got):\n%s", diff)
	}
	for _, r := range n.records {
		if kind := of(r); kind != "other" {
			t.Errorf("%s is stored by itself", kind)
		}
	}
}
