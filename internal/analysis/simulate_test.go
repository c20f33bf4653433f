package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"assay/result"
)

// A world models a machine and libraries on it. Effects are standard deviations of logarithms; the
// values are measurements of real machines and libraries.
type world struct {
	ns     map[string]float64 // the true time of each contender
	order  []string           // contenders; the first is the reference
	layout float64            // of each contender in each layout
	// uneven is how much contenders differ in layout: the standard deviation of the logarithm.
	// steadiness multiplies that of the reference; 0 means 1.
	uneven, steadiness float64
	launch             float64 // of each contender in each launch
	round              float64 // of each sample
	drift              float64 // the step from sample to sample that all contenders share
	// session is the effect on each contender in the whole run: how much of the caches the
	// neighbours leave.
	session float64
	// wander is the effect on each contender of neighbours that come and go: it lasts for some
	// launches.
	wander float64
	// disturbed is the share of samples that something interrupted for 5 to
	// 100% of their time.
	disturbed       float64
	layouts, rounds int
	again           int      // how many more launches each layout has
	controls        []string // contenders that take part twice
	first           uint64   // the first layout; 0 means 1
}

var lab = world{
	ns: map[string]float64{"a": 100, "b": 250, "c": 40}, order: []string{"a", "b", "c"},
	// These are the effects on one contender, so the effect on a ratio is √2 times as large: 2.8% a
	// layout and 2.8% a round. The session moves a ratio by at most 0.5% in 95% of runs. This
	// figure is independent of priorEnvironment, so that the tests notice an environment term that
	// is too small.
	layout: 0.02, launch: 0.004, round: 0.02, drift: 0.005, session: 0.005 / 1.96 / math.Sqrt2,
	disturbed: 0.1, layouts: 12, rounds: 20,
}

var simCell = result.Cell{Workload: "w", Size: "n=1", Op: result.Encode}

// run simulates a run of one cell.
func (w world) run(rng *rand.Rand) (*result.Run, []result.Record) {
	run := &result.Run{ID: "sim", Finished: time.Unix(1, 0), Plan: result.Plan{Reference: w.order[0]}}
	session := make(map[string]float64)
	for _, name := range w.order {
		run.Plan.Cases = append(run.Plan.Cases, simCell.Case(result.Subject{Contender: name}))
		session[name] = w.session * rng.NormFloat64()
	}
	var records []result.Record
	common := 0.0
	type effect struct {
		layout uint64
		name   string
	}
	layout := make(map[effect]float64)
	rough := make(map[string]float64)
	for i, name := range w.order {
		rough[name] = w.layout
		if w.uneven > 0 {
			rough[name] *= math.Exp(w.uneven * rng.NormFloat64())
		}
		if i == 0 && w.steadiness > 0 {
			rough[name] *= w.steadiness
		}
	}
	wandered := make(map[string]float64)
	for index := range w.layouts * (1 + w.again) {
		l := &result.Launch{Cell: simCell, Layout: max(w.first, 1) + uint64(index%w.layouts), Index: index}
		names := w.order
		names = slices.Concat(names, w.controls)
		mu := make([]float64, len(names))
		for i, name := range names {
			key := effect{l.Layout, name}
			if _, ok := layout[key]; !ok {
				layout[key] = rough[name] * rng.NormFloat64()
			}
			if w.wander > 0 && i < len(w.order) {
				keep := 0.7 // the correlation with the launch before
				if index == 0 {
					keep = 0
				}
				wandered[name] = keep*wandered[name] + math.Sqrt(1-keep*keep)*w.wander*rng.NormFloat64()
			}
			mu[i] = math.Log(w.ns[name]) + session[name] + wandered[name] + layout[key] + w.launch*rng.NormFloat64()
			l.Series = append(l.Series, result.Series{
				Subject: result.Subject{Contender: name},
				N:       max(50, int(200_000/w.ns[name])),
			})
			if i >= len(w.order) { // the same code in the same process
				mu[i] = mu[slices.Index(names, name)]
				l.Series[i].Role = result.Control
			}
		}
		for round := range w.rounds {
			for _, i := range rng.Perm(len(names)) {
				common += w.drift * rng.NormFloat64()
				s := &l.Series[i]
				cpu := float64(s.N) * math.Exp(mu[i]+common+w.round*rng.NormFloat64())
				wall := cpu * 1.001
				if rng.Float64() < w.disturbed {
					wall *= 1.05 + 0.95*rng.Float64()
				}
				s.Round = append(s.Round, round)
				s.Wall = append(s.Wall, int64(wall))
				s.CPU = append(s.CPU, int64(cpu))
			}
		}
		records = append(records, result.Record{Launch: l})
	}
	return run, records
}

// ratios analyses a simulated run and returns each contender's ratio.
func (w world) ratios(t *testing.T, rng *rand.Rand) (map[string]Interval, Table) {
	t.Helper()
	run, records := w.run(rng)
	r := Of(run, records, View{})
	if len(r.Tables) != 1 {
		t.Fatalf("%d tables", len(r.Tables))
	}
	ratios := make(map[string]Interval)
	for _, row := range r.Tables[0].Rows {
		if row.Metric == Time {
			if row.Ratio == nil {
				t.Fatalf("%s has no ratio", row.Case)
			}
			ratios[row.Case.Contender] = *row.Ratio
		}
	}
	return ratios, r.Tables[0]
}

// long skips a test that simulates hundreds of runs.
func long(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates hundreds of runs")
	}
}

func TestIntervalsCoverTheTruth(t *testing.T) {
	long(t)
	vary := func(change func(*world)) world { w := lab; change(&w); return w }
	tests := []struct {
		name  string
		world world
	}{
		{"default", lab},
		{"8 layouts", vary(func(w *world) { w.layouts = 8 })},
		{"16 layouts, heavy load", vary(func(w *world) { w.layouts, w.disturbed, w.drift = 16, 0.7, 0.03 })},
		{"5 layouts, each four times", vary(func(w *world) { w.layouts, w.again = 5, 3 })},
		{"3 layouts", vary(func(w *world) { w.layouts = 3 })},
		{"layouts hardly matter", vary(func(w *world) { w.layout, w.layouts = 0.005, 16 })},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 7))
			covered, tried := 0, 0
			for range 500 {
				ratios, _ := test.world.ratios(t, rng)
				for _, name := range test.world.order[1:] {
					truth := test.world.ns[name] / test.world.ns[test.world.order[0]]
					if i := ratios[name]; i.Lo <= truth && truth <= i.Hi {
						covered++
					}
					tried++
				}
			}
			t.Logf("%.3f of %d intervals cover the truth", float64(covered)/float64(tried), tried)
			// Two standard errors of a share of 95% in 1000 are 1.4 points.
			if got := float64(covered) / float64(tried); got < 0.93 || got > 0.97 {
				t.Errorf("%.3f of the intervals cover the truth, want 0.93 to 0.97", got)
			}
		})
	}
}

// One launch shows nothing about layouts: its interval covers the ratio of that one binary.
func TestOneLaunchCoversItsBinary(t *testing.T) {
	w := lab
	w.layouts, w.layout, w.launch, w.rounds = 1, 0, 0, 40
	rng := rand.New(rand.NewPCG(8, 8))
	covered := 0
	const tries = 1000
	for range tries {
		ratios, _ := w.ratios(t, rng)
		if i := ratios["b"]; i.Lo <= 2.5 && 2.5 <= i.Hi {
			covered++
		}
	}
	if got := float64(covered) / tries; got < 0.94 || got > 0.99 {
		t.Errorf("%.3f of the intervals cover the truth", got)
	}
}

func TestSameAgainstSame(t *testing.T) {
	long(t)
	for _, layout := range []float64{0, 0.02} {
		for _, layouts := range []int{1, 5, 16} {
			if layout > 0 && layouts == 1 {
				continue // with one layout, two libraries differ, and the difference is found
			}
			t.Run(fmt.Sprintf("layout effect %v, %d layouts", layout, layouts), func(t *testing.T) {
				w := lab
				w.ns = map[string]float64{"a": 100, "b": 100, "c": 100}
				w.layout, w.layouts, w.rounds = layout, layouts, 40
				if layout == 0 { // the same code twice: nothing tells its cases apart
					w.launch, w.session = 0.001, 0
				}
				rng := rand.New(rand.NewPCG(9, 9))
				flagged, ranked := 0, 0
				const tries = 300
				for range tries {
					ratios, table := w.ratios(t, rng)
					if i := ratios["b"]; i.Lo > 1 || i.Hi < 1 {
						flagged++
					}
					for i := range table.Ranking.Places {
						for j := range i {
							if r := table.Ranking.Relation(i, j); r == Faster || r == Slower {
								ranked++
							}
						}
					}
				}
				t.Logf("%d flagged, %d ranked of %d", flagged, ranked, tries)
				// Intervals of exactly 95% would be flagged in 5%, give or take 1.3.
				limit := 0.05
				if layout > 0 {
					limit = 0.07
				}
				if share := float64(flagged) / tries; share > limit {
					t.Errorf("%.3f of the A/A intervals exclude 1", share)
				}
				if share := float64(ranked) / tries; share > 0.03 {
					t.Errorf("%.3f wrong ranks a run", share)
				}
			})
		}
	}
}

func TestDifferencesAreFound(t *testing.T) {
	long(t)
	w := lab
	w.ns = map[string]float64{"a": 100, "b": 105, "c": 112}
	w.layouts = 16
	rng := rand.New(rand.NewPCG(10, 10))
	found := 0
	const tries = 1000
	for range tries {
		_, table := w.ratios(t, rng)
		var order string
		for _, p := range table.Ranking.Places {
			if !p.Shared {
				order += p.Contender
			}
		}
		if order == "abc" {
			found++
		}
	}
	t.Logf("the order of 100, 105 and 112 ns was found in %d of %d runs", found, tries)
	if share := float64(found) / tries; share < 0.90 {
		t.Errorf("the order of 100, 105 and 112 ns was found in %.3f of the runs", share)
	}
}

// Of twenty rows, some are equal and some are not. Few of the differences that are called may be
// false, and even with three layouts those of a factor of six must be called.
func TestCalledDifferencesAreTrue(t *testing.T) {
	long(t)
	for _, layouts := range []int{3, 5, 9, 16} {
		t.Run(fmt.Sprint(layouts, " layouts"), func(t *testing.T) {
			w := lab
			w.layout, w.layouts, w.ns, w.order = 0.05, layouts, map[string]float64{}, nil // a rough machine
			for i := range 20 {
				name := string(rune('a' + i))
				w.order = append(w.order, name)
				w.ns[name] = 100 * math.Pow(1.25, float64(i/4)*2) // five fours that are alike: up to a factor of six
			}
			rng := rand.New(rand.NewPCG(11, 11))
			called, wrong, share, far, found := 0, 0, 0.0, 0, 0
			const tries = 60
			for range tries {
				_, table := w.ratios(t, rng)
				r := &table.Ranking
				runCalled, runWrong := 0, 0
				for i, p := range r.Places {
					for j := range i {
						truth := w.ns[p.Contender] / w.ns[r.Places[j].Contender]
						told := r.Relation(i, j) == Faster || r.Relation(i, j) == Slower
						if told {
							runCalled++
						}
						if told && (truth > 1) != (r.Relation(i, j) == Slower) || told && truth == 1 {
							runWrong++
						}
						if truth > 5 {
							far++
							if told {
								found++
							}
						}
					}
				}
				called, wrong = called+runCalled, wrong+runWrong
				share += float64(runWrong) / float64(max(1, runCalled)) / tries
			}
			t.Logf("%d called, %d wrong, a share of %.4f; %d of %d far ones found", called, wrong, share, found, far)
			if share > falseShare {
				t.Errorf("a share of %.3f of the differences called is false", share)
			}
			if got := float64(found) / float64(far); got < 0.99 {
				t.Errorf("%.3f of the pairs with a factor of six between them are told apart", got)
			}
		})
	}
}

// A difference below the margin must hardly ever be ranked.
func TestSmallDifferencesAreNotRanked(t *testing.T) {
	for _, truth := range []float64{1.01, 1.018} {
		w := lab
		w.ns, w.layouts = map[string]float64{"a": 100, "b": 100 * truth, "c": 300}, 16
		rng := rand.New(rand.NewPCG(12, 12))
		ranked := 0
		const tries = 300
		for range tries {
			_, table := w.ratios(t, rng)
			if r := table.Ranking.Relation(0, 1); r == Faster || r == Slower {
				ranked++
			}
		}
		t.Logf("a true difference of %.1f%% was ranked in %d of %d runs", 100*(truth-1), ranked, tries)
		if limit := map[float64]float64{1.01: 0.01, 1.018: 0.05}[truth]; float64(ranked)/tries > limit {
			t.Errorf("a true difference of %.1f%% was ranked in %d of %d runs", 100*(truth-1), ranked, tries)
		}
	}
}
