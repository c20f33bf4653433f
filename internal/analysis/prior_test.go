package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Tables of 5 and of 20 subjects in few layouts: shrinking variances towards their common value must
// leave 95% of the intervals covering the truth, of ratios to the reference and of other pairs,
// also if contenders differ in how much layouts move them, and if the reference does from the rest.
func TestCommonVarianceKeepsCoverage(t *testing.T) {
	long(t)
	for _, subjects := range []int{5, 20} {
		for _, layouts := range []int{2, 4, 8} {
			for _, test := range []struct {
				name               string
				uneven, steadiness float64
			}{
				{"alike", 0, 1}, {"uneven", 0.5, 1}, {"steady reference", 0, 0.2}, {"rough reference", 0, 1.3}, {"very rough reference", 0, 2},
			} {
				t.Run(fmt.Sprintf("%d subjects, %d layouts, %s", subjects, layouts, test.name), func(t *testing.T) {
					w := lab
					w.ns, w.order, w.layouts, w.rounds, w.layout = map[string]float64{}, nil, layouts, 7, 0.04
					w.uneven, w.steadiness = test.uneven, test.steadiness
					for i := range subjects {
						name := string(rune('a' + i))
						w.ns[name], w.order = 100, append(w.order, name)
					}
					rng := rand.New(rand.NewPCG(31, 31))
					covered, tried, pairsCovered, pairs, own, now := 0, 0, 0, 0, 0.0, 0.0
					for range 1600 / subjects {
						ratios, table := w.ratios(t, rng)
						for _, name := range w.order[1:] {
							if i := ratios[name]; i.Lo <= 1 && 1 <= i.Hi {
								covered++
							}
							tried++
						}
						for _, row := range table.Ranking.alone {
							for _, e := range row {
								if e.log-e.down <= 0 && 0 <= e.log+e.up {
									pairsCovered++
								}
								pairs++
								own, now = own+tHalf(logsOf(e.by)), now+(e.down+e.up)/2
							}
						}
					}
					toReference, ofPairs := float64(covered)/float64(tried), float64(pairsCovered)/float64(pairs)
					t.Logf("%.3f of the intervals to the reference and %.3f of those of pairs cover the truth, %.2f times as wide as by their own variances",
						toReference, ofPairs, now/own)
					// Ratios of a run are not independent: those to the reference share its error.
					least := 0.92
					if test.steadiness == 2 {
						least = 0.88
					}
					if toReference < least || ofPairs < least {
						t.Errorf("%.3f of the intervals to the reference and %.3f of those of pairs cover the truth, want %v", toReference, ofPairs, least)
					}
				})
			}
		}
	}
}

func TestPrior(t *testing.T) {
	// The common variance is found from sample variances, however few layouts they have.
	rng := rand.New(rand.NewPCG(32, 32))
	for _, df := range []int{1, 2, 3, 7, 15} {
		var all []scatter
		for range 20000 {
			sum := 0.0
			for range df {
				sum += math.Pow(rng.NormFloat64(), 2)
			}
			all = append(all, scatter{0.04 * sum / float64(df), float64(df)})
		}
		if p := priorOf(all, leastScatters); math.Abs(p.variance/0.04-1) > 0.05 || p.df != priorDF {
			t.Errorf("%d degrees of freedom: %+v, want 0.04", df, p)
		}
	}
	if p := priorOf(make([]scatter, leastScatters-1), leastScatters); p != (prior{}) {
		t.Errorf("of too few: %+v", p)
	}
	values := []float64{1, 2, 4}
	if got, df := (prior{}).half(values); math.Abs(got-4.302652729911275*math.Sqrt(7./9)) > 1e-9 || df != 2 {
		t.Errorf("without a prior: ±%v of %v degrees of freedom", got, df)
	}
	if got, df := (prior{variance: 7. / 3, df: 1e9}).half(values); math.Abs(got-1.959963984540054*math.Sqrt(7./9)) > 1e-6 || df != 1e9+2 {
		t.Errorf("with the prior that they have: ±%v of %v degrees of freedom", got, df)
	}
}
