package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/result"
)

// related returns estimates of logarithms that are 0: parts cells of the same layouts, whose errors
// have the given correlation between cells.
func related(rng *rand.Rand, parts, layouts int, correlation float64) []estimate {
	const scatter = 0.03
	shared := make([]float64, layouts)
	for i := range shared {
		shared[i] = math.Sqrt(correlation) * scatter * rng.NormFloat64()
	}
	var out []estimate
	for range parts {
		var readings []reading
		for i := range layouts {
			at := shared[i] + math.Sqrt(1-correlation)*scatter*rng.NormFloat64()
			r := reading{layout: uint64(i + 1)}
			for range 15 {
				r.values = append(r.values, at+0.01*rng.NormFloat64())
			}
			readings = append(readings, r)
		}
		out = append(out, estimateOf(readings))
	}
	return out
}

// The interval of a mean over workloads must cover the truth however much layouts move all of them
// alike, and must be narrower than the workloads' own if they do not.
func TestMeansCoverTheTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("it simulates thousands of samples")
	}
	for _, test := range []struct {
		parts, layouts int
		correlation    float64
		widest         float64 // the half-width relative to that of the parts on average
	}{
		{5, 16, 0, 0.55}, {5, 16, 0.3, 0.8}, {5, 16, 0.6, 0.95}, {5, 16, 1, 1},
		{2, 16, 0.6, 1}, {10, 8, 0, 0.45}, {5, 4, 0, 0.75}, {5, 4, 1, 1},
	} {
		t.Run(fmt.Sprintf("%d parts, %d layouts, correlation %v", test.parts, test.layouts, test.correlation), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(21, 21))
			covered, width := 0, 0.0
			const tries = 1000
			for range tries {
				parts := related(rng, test.parts, test.layouts, test.correlation)
				e := meanOf(parts, prior{})
				if e.log-e.down <= 0 && 0 <= e.log+e.up {
					covered++
				}
				own := 0.0
				for _, p := range parts {
					own += (p.down + p.up) / float64(len(parts))
				}
				width += (e.down + e.up) / own / tries
			}
			t.Logf("%.3f of the intervals cover the truth; they are %.2f times as wide as those of the parts", float64(covered)/tries, width)
			if share := float64(covered) / tries; share < 0.93 {
				t.Errorf("%.3f of the intervals cover the truth", share)
			}
			if width > test.widest+1e-9 {
				t.Errorf("the intervals are %.2f times as wide as those of the parts, want at most %v", width, test.widest)
			}
		})
	}
}

// With too few layouts in common, nothing is known about how the parts err together.
func TestMeanOfFewLayouts(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 22))
	parts := related(rng, 2, 6, 0)
	narrow := meanOf(parts, prior{})
	own := (parts[0].down + parts[1].down) / 2
	if narrow.down >= own {
		t.Fatalf("with 6 common layouts: %v, the parts have %v", narrow.down, own)
	}
	for i := range parts[1].by[:3] { // they share 3 of 6
		parts[1].by[i].layout += 100
	}
	if e := meanOf(parts, prior{}); e.down != own {
		t.Errorf("with 3 common layouts: %v, want %v", e.down, own)
	}
	// Three layouts that agree by chance do not narrow it.
	for i := range parts {
		for j := range parts[i].by {
			parts[i].by[j].log = 0
		}
	}
	if e := meanOf(parts, prior{}); e.down != own {
		t.Errorf("with 3 common layouts that agree: %v, want %v", e.down, own)
	}
	// What never shrinks is the environment term.
	for i := range parts {
		parts[i] = exact(0.01)
	}
	if e := meanOf(parts, prior{}); math.Abs(e.down-0.01) > 1e-12 {
		t.Errorf("of nothing but the environment: %v", e.down)
	}
}

// exact is an estimate of 0 in eight layouts, with nothing but an environment term.
func exact(environment float64) estimate {
	var readings []reading
	for i := range 8 {
		readings = append(readings, reading{layout: uint64(i + 1), values: make([]float64, 15)})
	}
	return estimateOf(readings).with(environment)
}

// An overview and a standing say the same about the same cells.
func TestMeansOfTablesAgree(t *testing.T) {
	w := lab
	w.layouts = 8
	rng := rand.New(rand.NewPCG(23, 23))
	run, records := w.run(rng)
	_, more := w.run(rng)
	for _, r := range more {
		r.Launch.Cell.Workload = "other"
		records = append(records, r)
	}
	results := Of(run, records, View{})
	o, s := OverviewOf(results, nil), Rank(results)
	if len(o.Columns) != 2 || len(s.Means) != 3 {
		t.Fatalf("%d columns, %d means", len(o.Columns), len(s.Means))
	}
	for _, m := range s.Means {
		for _, row := range o.Rows {
			if row.Subject != m.Subject {
				continue
			}
			if math.Abs(math.Log(row.Overall.Hi/m.Ratio.Hi)) > 1e-9 || math.Abs(math.Log(row.Overall.Lo/m.Ratio.Lo)) > 1e-9 {
				t.Errorf("%s: %v in the overview, %v in the standing", m.Subject, *row.Overall, m.Ratio)
			}
			apart := 0.0
			for _, c := range row.Columns {
				apart += c.HalfWidth() / 2
			}
			if m.Subject != (result.Subject{Contender: "a"}) && row.Overall.HalfWidth() > 0.95*apart {
				t.Errorf("%s: the mean has ±%.4f, and its parts ±%.4f", m.Subject, row.Overall.HalfWidth(), apart)
			}
		}
	}
}
