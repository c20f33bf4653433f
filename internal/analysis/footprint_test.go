package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

// TestFootprints: the times of a footprint are compared with those of the smallest footprint in the
// same layout, so differences between layouts must not widen the interval.
func TestFootprints(t *testing.T) {
	at := func(bytes int64, layout uint64, ns ...int64) result.Record {
		return result.Record{Footprint: &result.Footprint{Case: caseOf("gob"), Bytes: bytes, Layout: layout, N: 100, Wall: ns}}
	}
	var all []result.Record
	for layout := range uint64(6) {
		ns := int64(1000 * (1 + layout)) // six times as slow in the last as in the first
		all = append(all, at(32, 1+layout, 2*ns, 2*ns, 2*ns), at(3, 1+layout, ns, ns, ns))
	}
	run, records := measuredOf(append(all, at(64, 99, 5000))...)
	table := only(t, Of(run, records, View{}))
	if len(table.Footprints) != 3 {
		t.Fatalf("rows %+v", table.Footprints)
	}
	var got []float64
	for _, row := range table.Footprints[:2] {
		got = append(got, float64(row.Footprint), row.Slower.Value)
	}
	if diff := cmp.Diff([]float64{3, 1, 32, 2}, got, near); diff != "" {
		t.Errorf("footprint and how much slower: -want +got\n%s", diff)
	}
	if half := table.Footprints[1].Slower.HalfWidth(); half > 0.02 {
		t.Errorf("the layouts' own differences are in the interval: ±%.1f%%", 100*half)
	}
	// A footprint that shares no layout with the smallest is not compared.
	if row := table.Footprints[2]; row.Slower != nil {
		t.Errorf("compared without a pair: %v", row.Slower)
	}
	if row, _ := table.Row(caseOf("gob"), Time); row.Footprint != 0 || row.Slower != nil {
		t.Errorf("the row of time is %+v", row)
	}
}
