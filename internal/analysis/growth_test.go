package analysis

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"assay/result"
)

// TestGrowth has streams whose cost bends at a known size. Counters that rise there must be named,
// and others must not.
func TestGrowth(t *testing.T) {
	sizes := []int64{10_000, 30_000, 100_000, 1_000_000}
	for _, test := range []struct {
		name    string
		cost    []int64 // of an element, ns
		change  func(items int64, s *result.Stream)
		ratio   float64
		changed []string // at the largest size
		bends   []string // size and counters
	}{
		{"flat", []int64{100, 100, 101, 102}, nil, 1.02, nil, nil},
		{"start-up", []int64{150, 100, 100, 100}, nil, 1, nil, []string{"n=30000"}},
		{"collector", []int64{100, 100, 100, 150}, func(items int64, s *result.Stream) {
			if items == 1_000_000 {
				s.GCCPU, s.Cycles = s.Busy/2, int(items)
			}
		}, 1.5, []string{"the collector's share", "collections for a million elements"}, []string{"n=1000000 the collector's share, collections for a million elements"}},
		{"page faults", []int64{100, 100, 140, 140}, func(items int64, s *result.Stream) {
			if items >= 100_000 {
				s.Minor = items / 10
			}
		}, 1.4, []string{"minor page faults for a thousand elements"}, []string{"n=100000 minor page faults for a thousand elements"}},
		// The sentinel changes as the cost does, and by a tenth, which is too little to be named.
		{"a tenth", []int64{100, 100, 100, 140}, func(items int64, s *result.Stream) {
			if items == 1_000_000 {
				s.Sentinel = 440
			}
		}, 1.4, nil, []string{"n=1000000"}},
		{"more than a tenth", []int64{100, 100, 100, 140}, func(items int64, s *result.Stream) {
			if items == 1_000_000 {
				s.Sentinel = 441
			}
		}, 1.4, []string{"the sentinel"}, []string{"n=1000000 the sentinel"}},
		{"nothing to see", []int64{100, 100, 100, 200}, nil, 2, nil, []string{"n=1000000"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := &result.Run{Finished: time.Now(), Plan: result.Plan{Stream: &result.StreamPlan{}}}
			var records []result.Record
			for i, items := range sizes {
				c := streamCase("x", fmt.Sprintf("n=%d", items))
				run.Plan.Cases = append(run.Plan.Cases, c)
				r := streamRecord(c, items, items, test.cost[i]*items)
				r.Stream.CPU, r.Stream.Cycles, r.Stream.Busy, r.Stream.GCCPU = 50*items, int(items/10_000), 100*items, 4*items
				r.Stream.Minor, r.Stream.Sentinel = items/1000, 400
				if test.change != nil {
					test.change(items, r.Stream)
				}
				records = append(records, r)
			}
			// A size whose messages have many elements is not compared.
			blocks := streamCase("x", "blocks=1")
			run.Plan.Cases = append(run.Plan.Cases, blocks)
			records = append(records, streamRecord(blocks, 1, 50_000, 1))

			r := Of(run, records, View{})
			if len(r.Growth) != 1 {
				t.Fatalf("%d growths", len(r.Growth))
			}
			g := r.Growth[0]
			if g.Of.Size != "n=1000000" || g.Base.Size != "n=30000" || math.Abs(g.Ratio.Value-test.ratio) > 1e-9 {
				t.Errorf("%v over %v: %v, want %v", g.Of.Size, g.Base.Size, g.Ratio, test.ratio)
			}
			if got := counterTexts(g.Changed); !slices.Equal(got, test.changed) {
				t.Errorf("changed %q, want %q", got, test.changed)
			}
			var bends []string
			for _, s := range g.Steps {
				if s.Bends {
					text := s.To.Size
					for i, c := range counterTexts(s.Changed) {
						text += []string{" ", ", "}[min(i, 1)] + c
					}
					bends = append(bends, text)
				}
			}
			if !slices.Equal(bends, test.bends) {
				t.Errorf("bends %q, want %q", bends, test.bends)
			}
			last, _ := r.Tables[3].Row(g.Of, StreamScale)
			if last.Number == nil || last.Number.Value != g.Ratio.Value {
				t.Errorf("%s: %+v", StreamScale, last.Number)
			}
			for i := range sizes {
				if row, ok := r.Tables[i].Row(run.Plan.Cases[i], StreamStep); ok != (i > 0) || ok && row.Number.Value != g.Steps[i-1].Power.Value {
					t.Errorf("%s at %s: %+v", StreamStep, run.Plan.Cases[i].Size, row)
				}
			}
		})
	}
}

func counterTexts(all []CounterChange) []string {
	var texts []string
	for _, c := range all {
		texts = append(texts, c.Counter.Text)
	}
	return texts
}

// TestGrowthOfTwins: if two sizes have equally many elements, each grows from the smaller sizes.
func TestGrowthOfTwins(t *testing.T) {
	run := &result.Run{Finished: time.Now(), Plan: result.Plan{Stream: &result.StreamPlan{}}}
	var records []result.Record
	for _, at := range []struct {
		size  string
		items int64
	}{{"blocks=1,txs=20000", 20_000}, {"blocks=10,txs=20000", 200_000}, {"blocks=20,txs=10000", 200_000}} {
		c := streamCase("x", at.size)
		run.Plan.Cases = append(run.Plan.Cases, c)
		records = append(records, streamRecord(c, at.items, at.items, 100*at.items))
	}
	var grown []string
	for _, g := range Of(run, records, View{}).Growth {
		if len(g.Steps) != 1 || g.Base.Size != "blocks=1,txs=20000" {
			t.Errorf("%s grows from %s in %d steps", g.Of.Size, g.Base.Size, len(g.Steps))
		}
		grown = append(grown, g.Of.Size)
	}
	if want := []string{"blocks=10,txs=20000", "blocks=20,txs=10000"}; !slices.Equal(grown, want) {
		t.Errorf("growth of %q, want %q", grown, want)
	}
}
