package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/result"
)

func TestSessionTerm(t *testing.T) {
	tests := []struct {
		name       string
		sentinels  []float64
		remembered float64
		clean      int // of 100; -1: without a CPU clock
		want       float64
	}{
		{"no sentinel", nil, 0, 100, 0},
		{"near the best", []float64{109, 109}, 100, 100, 0},
		{"a quarter above the best", []float64{125, 125}, 100, 100, 0.015},
		{"far above the best", []float64{900}, 100, 100, 0.03},
		{"few clean samples", []float64{100}, 100, 69, 0.02},
		{"few clean samples and busy caches", []float64{150}, 100, 69, 0.03},
		{"no CPU clock", []float64{100}, 100, -1, 0.02},
		{"no CPU clock and caches a little busy", []float64{125}, 100, -1, 0.02},
		{"no CPU clock and busy caches", []float64{150}, 100, -1, 0.03},
		{"nothing is known", nil, 0, -1, 0.02},
	}
	for _, test := range tests {
		w := watch{sentinels: test.sentinels}
		if test.clean >= 0 {
			w.clean, w.checked = test.clean, 100
		}
		if got := w.session(test.remembered); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// medians returns readings of one sample each, from launches of the given layouts.
func medians(layouts []uint64, values ...float64) []reading {
	var all []reading
	for i, v := range values {
		all = append(all, reading{layout: layouts[i%len(layouts)], values: []float64{v}})
	}
	return all
}

func TestParts(t *testing.T) {
	layouts := []uint64{1, 2, 3, 4, 5, 6, 7, 8}
	tests := []struct {
		name             string
		readings         []reading
		variance, chance float64
		df               int
	}{
		{"too few", medians(layouts, 0, 1, 2), 0, 0, 0},
		{"flat", medians(layouts, 5, 5, 5, 5), 0, 0, 1},
		// The means of the two parts are 0.5 off the overall mean. The scatter of all launches
		// explains a third of that variance.
		{"a step", medians(layouts, 1, 1, 2, 2), 0.25, 1.0 / 3 / 4, 1},
		// The parts are equal; the launches have a variance of 4/3.
		{"scatter", medians(layouts, 1, 3, 3, 1), 0, 4.0 / 3 / 4, 1},
		// Four parts of two launches: a sum of squares of 8, over 3 degrees of freedom between the
		// parts and over 7 in all.
		{"four parts", medians(layouts, 1, 1, 3, 3, 1, 1, 3, 3), 8.0 / 3 / 8, 8.0 / 7 / 8, 3},
		// Layouts differ a lot, and each differs from itself by 1.
		{"the same layouts again", medians([]uint64{1, 2, 3, 4}, 10, 20, 30, 40, 11, 21, 31, 41), 0.25, 0, 1},
	}
	for _, test := range tests {
		var got, want excess
		got.parts(test.readings)
		if test.df > 0 {
			want.add(test.variance-test.chance, test.chance, test.df)
		}
		if math.Abs(got.sum-want.sum) > 1e-9*math.Abs(want.sum) || math.Abs(got.weight-want.weight) > 1e-9*want.weight {
			t.Errorf("%s: %+v, want %+v", test.name, got, want)
		}
	}
}

func TestExcessHalfWidth(t *testing.T) {
	type part struct {
		variance, chance float64
		df               int
	}
	one := 1 / (normal95 * normal95) // the variance whose half-width is 1
	tests := []struct {
		name  string
		parts []part
		prior int
		want  float64
	}{
		{"nothing", nil, 0, 0},
		{"the prior", nil, 4, 0.005},
		{"one", []part{{one, 0, 1}}, 0, 1},
		{"less than chance", []part{{-one, 0, 1}}, 0, 0},
		{"alike", []part{{one, 0.1, 1}, {0, 0.1, 3}}, 0, 0.5},
		{"what is not known hardly counts", []part{{one, 1, 8}, {0, 1e-6, 8}}, 0, 7.5e-6},
		// The variance by chance is as large as the prior's, and both have four degrees of freedom.
		{"the prior and flat ratios", []part{{0, priorVariance, 4}}, 4, 0.005 / math.Sqrt2},
	}
	for _, test := range tests {
		var x excess
		for _, p := range test.parts {
			x.add(p.variance, p.chance, p.df)
		}
		if test.prior > 0 {
			x.believe(test.prior)
		}
		if got := x.halfWidth(); math.Abs(got-test.want) > 0.01*test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// environmentOf analyses eight launches with the given times and returns the environment term.
// gob's ratio to json has no scatter of its own.
func environmentOf(t *testing.T, sentinel int64, gob, control func(i int) int64) float64 {
	t.Helper()
	run := planOf("json", "gob")
	run.Host.SentinelBest = 1000
	var records []result.Record
	for i := range 8 {
		r := launchOf(uint64(i+1), i, flat("json", 100_000, 20, 1), flat("gob", gob(i), 20, 1))
		again := flat("json", control(i), 20, 1)
		again.Role = result.Control
		r.Launch.Series = append(r.Launch.Series, again)
		r.Launch.Sentinel = []int64{sentinel}
		records = append(records, r)
	}
	c := gather(run, records, "").cells[simCell]
	return c.environment
}

// Intervals are widened by what the run shows of its ratios, and not by a suspicion such as a
// raised sentinel.
func TestEnvironmentComesFromTheRun(t *testing.T) {
	same := func(int) int64 { return 100_000 }
	off := func(int) int64 { return 102_000 }
	step := func(i int) int64 { return 100_000 + 4000*int64(i/4) }
	quiet := environmentOf(t, 1000, same, same)
	if quiet > priorEnvironment {
		t.Errorf("nothing happens: %v", quiet)
	}
	if busy := environmentOf(t, 5000, same, same); busy != quiet {
		t.Errorf("a raised sentinel alone widens from %v to %v", quiet, busy)
	}
	// The launches agree with one another, so one degree of freedom stands against the prior.
	var control excess
	control.add(math.Pow(math.Log(1.02), 2), 0, 1)
	control.believe(priorWorth)
	if got := environmentOf(t, 1000, same, off); math.Abs(got-control.halfWidth()) > 1e-4 || got < 2*quiet {
		t.Errorf("the reference is 2%% off itself: %v, want %v", got, control.halfWidth())
	}
	// Four parts of two launches, two of which are a step away from the others.
	squares := 8 * math.Pow(math.Log(1.04)/2, 2)
	var drift excess
	drift.add((squares/3-squares/7)/8, squares/7/8, 3)
	drift.believe(priorWorth)
	if got := environmentOf(t, 1000, step, same); math.Abs(got-drift.halfWidth()) > 1e-4 {
		t.Errorf("a ratio steps by 4%%: %v, want %v", got, drift.halfWidth())
	}
}

// Two versions in lock step have the term that their own ratios show: none if they move alike, and
// that of the step if the machine changes one of them.
func TestLockStepDrift(t *testing.T) {
	term := func(gob func(i int) int64) float64 {
		run := planOf("json", "gob")
		var records []result.Record
		for i := range 8 {
			moved := 100_000 + 9000*int64(i%3)
			for side, at := range map[string]int64{"v1": moved, "v2": gob(i) * moved / 100_000} {
				r := launchOf(uint64(i+1), i, flat("json", moved, 20, 1), flat("gob", at, 20, 1))
				r.Launch.Side = side
				records = append(records, r)
			}
		}
		return gather(run, records, "v1").lockStepEnvironment(gather(run, records, "v2"))
	}
	if got := term(func(int) int64 { return 104_000 }); got != 0 {
		t.Errorf("one is slower all the time: %v", got)
	}
	squares := 8 * math.Pow(math.Log(1.04)/2, 2) // of four parts of two launches
	var drift excess
	drift.add((squares/3-squares/7)/8, squares/7/8, 3)
	drift.add(0, 0, 3) // json
	if got := term(func(i int) int64 { return 100_000 + 4000*int64(i/4) }); math.Abs(got-drift.halfWidth()) > 1e-6 || got < 0.001 {
		t.Errorf("a ratio steps by 4%%: %v, want %v", got, drift.halfWidth())
	}
}

// A machine that changes during the run must not lower the coverage, and a machine that does not
// change must not raise it.
func TestDriftIsAllowedFor(t *testing.T) {
	long(t)
	for _, wander := range []float64{0, 0.0035, 0.007} {
		for _, n := range []int{3, 12} {
			t.Run(fmt.Sprintf("neighbours of %v, %d contenders", wander, n), func(t *testing.T) {
				w := lab
				w.wander, w.layouts = wander, 16
				w.ns, w.order = map[string]float64{}, nil
				for i := range n {
					name := string(rune('a' + i))
					w.order, w.ns[name] = append(w.order, name), 100+50*float64(i)
				}
				rng := rand.New(rand.NewPCG(21, uint64(n)))
				covered, tried := 0, 0
				for range 800 / n {
					ratios, _ := w.ratios(t, rng)
					for _, name := range w.order[1:] {
						truth := w.ns[name] / w.ns["a"]
						if i := ratios[name]; i.Lo <= truth && truth <= i.Hi {
							covered++
						}
						tried++
					}
				}
				share := float64(covered) / float64(tried)
				t.Logf("%.3f of %d intervals cover the truth", share, tried)
				if share < 0.92 || share > 0.98 {
					t.Errorf("%.3f of the intervals cover the truth", share)
				}
			})
		}
	}
}
