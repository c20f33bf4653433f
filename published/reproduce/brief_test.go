package reproduce

import (
	"math"
	"testing"

	"assay/published/sources"
	"assay/result"
)

// The mean of a library has the same rows for every method that has any.
func TestBrief(t *testing.T) {
	row := func(library string, op result.Op, size string, ratios ...float64) Row {
		r := Row{Row: sources.Row{Library: library, Case: result.Case{Workload: "w", Size: size, Contender: library, Op: op}}}
		for i, v := range ratios {
			if v > 0 {
				r.ratios[i] = Value{Number: exactly(v), Status: result.OK}
			}
		}
		return r
	}
	s := Source{Tables: []Table{{Rows: []Row{
		row("json", result.Encode, "s=1", 1, 1, 1),
		row("xml", result.Encode, "s=1", 2, 4, 8),
		row("xml", result.Encode, "s=2", 8, 4, 2),
		row("xml", result.Encode, "s=3", 100, 0, 1), // not by every method
		row("json", result.Decode, "s=1", 0, 1, 1),
		row("xml", result.Decode, "s=1", 0, 3, 5),  // nothing was published
		row("xml", result.Open, "s=1", 0, 0, 7),    // there is nothing to compare with
		row("yaml", result.Encode, "s=1", 9, 9, 0), // no row is by all of its methods
		row("yaml", result.Encode, "s=2", 9, 0, 9),
	}}, {Rows: []Row{
		row("xml", result.Encode, "s=1", 2, 4, 8), // once more
	}}}}
	b := s.Brief()
	if len(b.Ops) != 2 || b.Ops[0] != result.Encode || b.Ops[1] != result.Decode {
		t.Fatalf("ops %v", b.Ops)
	}
	want := map[string][2][5]float64{ // published, here, corrected, rows, of all
		"json": {{1, 1, 1, 1, 1}, {0, 1, 1, 1, 1}},
		"xml":  {{4, 4, 4, 2, 3}, {0, 3, 5, 1, 1}},
		"yaml": {{0, 0, 0, 0, 2}, {}},
	}
	if len(b.Libraries) != len(want) {
		t.Fatalf("libraries %+v", b.Libraries)
	}
	for _, l := range b.Libraries {
		for i, m := range l.Means {
			got := [5]float64{3: float64(m.Rows), 4: float64(m.All)}
			for k, v := range m.Ratios {
				if v.Number != nil {
					got[k] = math.Round(1e9*v.Number.Value) / 1e9
				}
			}
			if got != want[l.Library][i] {
				t.Errorf("%s %s: %v, want %v", l.Library, b.Ops[i], got, want[l.Library][i])
			}
		}
	}
}
