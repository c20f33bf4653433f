package analysis

import (
	"slices"
	"testing"

	"assay/result"
)

// TestFront: a row is on the front unless another one is shown to be better in speed or size and is
// no worse in the other. Sizes within 2% are alike, and so are times that are not told apart.
func TestFront(t *testing.T) {
	contenders := []struct {
		name       string
		ns         int64 // by time and by CPU time
		size       int64
		front, cpu bool
	}{
		{"json", 10_000, 1000, false, false},
		{"fast", 5000, 900, true, true},
		{"alike", 5000, 885, true, true},     // as fast, and 1.7% smaller
		{"slower", 6000, 885, false, false},  // than fast, and 1.7% smaller
		{"larger", 5000, 920, false, false},  // than fast, and as fast
		{"fastest", 4000, 1200, true, true},  // and the largest
		{"smallest", 9000, 500, true, true},  // and slow
		{"slow", 11_000, 492, false, false},  // than smallest, and 1.6% smaller
		{"slowest", 12_000, 481, true, true}, // and 2.3% smaller than slow
	}
	run := planOf()
	var launches [8][]result.Series
	var records []result.Record
	for _, c := range contenders {
		run.Plan.Cases = append(run.Plan.Cases, caseOf(c.name))
		for i := range launches {
			launches[i] = append(launches[i], flat(c.name, c.ns, 20, 1))
		}
		records = append(records, result.Record{Count: &result.Count{Case: caseOf(c.name), Ops: 1, Messages: 1, Encoded: c.size}})
		for layout := range uint64(4) {
			ns := float64(c.ns)
			records = append(records, counts(c.name, 0, layout+1, int(layout), 0, ns, ns, ns, ns, ns, ns))
		}
	}
	for i, series := range launches {
		records = append(records, launchOf(uint64(i+1), i, series...))
	}
	o := OverviewOf(Of(run, records, View{}), nil)
	if o == nil || len(o.Rows) != len(contenders) {
		t.Fatalf("overview %+v", o)
	}
	for _, c := range contenders {
		i := slices.IndexFunc(o.Rows, func(r OverviewRow) bool { return r.Contender == c.name })
		if r := o.Rows[i]; r.Front != c.front || r.CPU == nil || r.CPUFront != c.cpu {
			t.Errorf("%s: front %v, by CPU time %v with %v; want %v and %v", c.name, r.Front, r.CPUFront, r.CPU, c.front, c.cpu)
		}
	}
}
