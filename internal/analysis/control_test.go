package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/result"
)

// watched returns a launch of json with a sentinel in ns, a share of clean samples, and an A/A
// control whose times are factor times those of the first series. Other programs used nothing.
func watched(index int, sentinel int64, clean, factor float64) *result.Launch {
	a, b := flat("json", 1000, 100, 1), flat("json", 1000, 100, 1)
	for i := range a.Round {
		// The noise is the same for all launches and cancels over rounds.
		b.CPU[i] = int64(float64(b.CPU[i]) * (factor + 0.001*float64(i%5-2)))
		b.Wall[i] = b.CPU[i]
		if float64(i) >= 100*clean {
			a.Wall[i] += a.Wall[i] / 5
			b.Wall[i] += b.Wall[i] / 5
		}
	}
	b.Role = result.Control
	l := launchOf(uint64(index+1), index, a, b).Launch
	l.Sentinel = []int64{sentinel, sentinel, 10 * sentinel}
	l.Elapsed, l.Load, l.Others = 1e8, 0.5, new(float64)
	return l
}

func TestGrades(t *testing.T) {
	of := func(share float64) *float64 { return &share }
	tests := []struct {
		name       string
		remembered int64
		launch     func(index int) *result.Launch
		letter     string
		reason     string // contained in the first reason; empty: no reasons
	}{
		{"quiet", 1000, func(i int) *result.Launch { return watched(i, 1000, 1, 1) }, "A", ""},
		{"at the limits", 1000, func(i int) *result.Launch { return watched(i, 1100, 0.97, 1) }, "A", ""},
		{"first run on the machine", 0, func(i int) *result.Launch { return watched(i, 5000, 1, 1) }, "A", ""},
		{"some samples disturbed", 1000, func(i int) *result.Launch { return watched(i, 1000, 0.96, 1) }, "B", "96% of the samples were clean"},
		{"most samples disturbed", 1000, func(i int) *result.Launch { return watched(i, 1200, 0.69, 1) }, "C", "only 69% of the samples were clean"},
		{"caches shared from end to end", 1000, func(i int) *result.Launch { return watched(i, 1200, 1, 1) }, "B", "the sentinel took 1.20 times its best"},
		{"caches shared for half of it", 1000, func(i int) *result.Launch { return watched(i, int64(1000+200*(i%2)), 1, 1) }, "B", "the sentinel was near its best in only 50% of the launches"},
		{"caches shared now and then", 1000, func(i int) *result.Launch { return watched(i, int64(1000+200*(i%8/7)), 1, 1) }, "A", ""},
		{"off by less than the limit", 1000, func(i int) *result.Launch { return watched(i, 1000, 1, 1.004) }, "A", ""},
		{"off for certain", 1000, func(i int) *result.Launch { return watched(i, 1000, 1, 1.01) }, "C", "differs from itself: 1.010"},
		{"off by chance", 1000, func(i int) *result.Launch { return watched(i, 1000, 1, []float64{0.97, 1.045}[i%2]) }, "B", "perhaps by chance: 1.0"},
		{"stolen", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Steal = 1; return l }, "B", "the host took 10% of a CPU's time"},
		{"a little beside it", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Others = of(0.05); return l }, "A", ""},
		{"stolen, just", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Steal = int64(1 - min(1, i%8)); return l }, "B", "the host took 1.3% of a CPU's time"},
		{"others at work, at the limit", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Others = of(0.05); return l }, "A", ""},
		{"others at work, just", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Others = of(0.0529); return l }, "B", "other programs used 5.2% of"},
		{"others at work, hardly", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Others = of(0.05004); return l }, "B", "other programs used 5.004% of"},
		{"others at work, not quite a quarter", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Others = of(0.249); return l }, "B", "other programs used 24% of"},
		{"others at work", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Others = of(0.12); return l }, "B", "other programs used 12% of"},
		{"others at work for half of it", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Others = of(0.8 * float64(i%2)); return l }, "C", "other programs used 40% of the machine's CPU time: read the ratios only"},
		{"less than nothing by the ticks", 1000, func(i int) *result.Launch {
			l := watched(i, 1000, 1, 1)
			l.Others = of(-0.3 + 0.38*float64(i%2))
			return l
		}, "A", ""},
		{"of one launch in four it was seen", 1000, func(i int) *result.Launch {
			l := watched(i, 1000, 1, 1)
			if l.Others = nil; i%4 == 0 {
				l.Others = of(0.12)
			}
			return l
		}, "B", "other programs used 12% of"},
		{"not seen what others used", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Others = nil; return l }, "B", "does not show what other programs used"},
		{"not seen, and the reference is off", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1.01); l.Others = nil; return l }, "C", "differs from itself"},
		{"damaged: more than there is", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Others = of(40); return l }, "C", "other programs used 100% of"},
		{"no sentinel", 1000, func(i int) *result.Launch { l := watched(i, 1000, 1, 1); l.Sentinel = nil; return l }, "B", "no sentinel"},
		{"no CPU clock", 1000, func(i int) *result.Launch {
			l := watched(i, 1000, 1, 1)
			for k := range l.Series {
				l.Series[k].CPU = nil
			}
			return l
		}, "B", "no CPU clock"},
		{"disturbed launches do not count", 1000, func(i int) *result.Launch {
			if i%2 == 0 {
				return watched(i, 1000, 1, 1)
			}
			l := watched(i, 9000, 0, 2)
			l.Disturbed = "the sentinel took 9.0 times its best"
			return l
		}, "A", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			run := planOf("json")
			run.Host.CPUs, run.Host.SentinelBest = 2, test.remembered
			var records []result.Record
			for i := range 16 {
				records = append(records, result.Record{Launch: test.launch(i)})
			}
			g := Of(run, records, View{}).Grade
			if g.Letter != test.letter || (len(g.Reasons) == 0) != (test.reason == "") {
				t.Fatalf("grade %s, reasons %q; want %s, %q", g.Letter, g.Reasons, test.letter, test.reason)
			}
			if test.reason != "" && !strings.Contains(g.Reasons[0], test.reason) {
				t.Errorf("reasons %q, want %q", g.Reasons, test.reason)
			}
			if g.Launches+g.Disturbed != 16 {
				t.Errorf("%d launches and %d disturbed, want 16", g.Launches, g.Disturbed)
			}
		})
	}
	if g := Of(planOf("json"), nil, View{}).Grade; g != nil {
		t.Errorf("a run without launches has grade %+v", g)
	}
}

// A run that measured too little behind its ratios has a C, however quiet the machine is.
func TestGradeOfTooLittle(t *testing.T) {
	second := result.Cell{Workload: "w", Size: "n=2", Op: result.Encode}
	// A factor other than 1 in rough makes the launches of a row disagree by it.
	launch := func(cell result.Cell, i int, rough ...float64) result.Record {
		l := watched(i, 1000, 1, 1)
		l.Cell = cell
		for k, factor := range rough {
			s := flat(string(rune('a'+k)), int64(2000*math.Pow(factor, float64(i%2))), 100, 1)
			l.Series = append(l.Series, s)
		}
		return result.Record{Launch: l}
	}
	all := func(cell result.Cell, n int, rough ...float64) []result.Record {
		var records []result.Record
		for i := range n {
			records = append(records, launch(cell, i, rough...))
		}
		return records
	}
	ordinary := launch(simCell, 0)
	ordinary.Launch.Layout = 0
	for _, test := range []struct {
		name    string
		records []result.Record
		letter  string
		reason  string
	}{
		{"four layouts", all(simCell, 4, 1, 1), "A", ""},
		{"three layouts", all(simCell, 3, 1, 1), "C", "only 3 layouts (4 are needed)"},
		{"the ordinary layout", []result.Record{ordinary}, "C", "only the ordinary layout (4 are needed)"},
		{"one table of two", append(all(simCell, 4, 1), all(second, 1, 1)...), "C", "only 1 layout in 1 of 2 tables (4 are needed)"},
		{"one row of three is wide", all(simCell, 4, 1, 1, 4), "A", ""},
		{"two rows of three are wide", all(simCell, 4, 1, 4, 4), "C", "half of the ratios are wider than ±30%"},
		{"in one table of two", append(all(simCell, 4, 1), all(second, 4, 4)...), "C", "half of the ratios are wider than ±30% in 1 of 2 tables"},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := planOf("json", "a", "b", "c")
			run.Host.CPUs, run.Host.SentinelBest = 2, 1000
			for _, name := range []string{"json", "a", "b", "c"} {
				run.Plan.Cases = append(run.Plan.Cases, second.Case(result.Subject{Contender: name}))
			}
			g := Of(run, test.records, View{}).Grade
			var reason string
			if len(g.Reasons) > 0 {
				reason = g.Reasons[0]
			}
			if g.Letter != test.letter || reason != test.reason {
				t.Errorf("grade %s, reasons %q; want %s, %q", g.Letter, g.Reasons, test.letter, test.reason)
			}
		})
	}
}

func TestSentinel(t *testing.T) {
	w := watch{sentinels: []float64{120, 100, 110, 150, 100}}
	tests := []struct {
		remembered float64
		want       Sentinel
	}{
		{0, Sentinel{Best: 100, P10: 1, Median: 1.1, P90: 1.5, Near: 0.6}},
		{80, Sentinel{Best: 80, Remembered: true, P10: 1.25, Median: 1.375, P90: 1.875, Near: 0}},
		{200, Sentinel{Best: 100, Remembered: true, P10: 1, Median: 1.1, P90: 1.5, Near: 0.6}},
	}
	for _, test := range tests {
		if got := *w.sentinel(test.remembered); got != test.want {
			t.Errorf("remembered %v: %+v, want %+v", test.remembered, got, test.want)
		}
	}
}

// On a quiet machine, the grade must not say that the reference differs from itself.
func TestControlOfASimulatedRun(t *testing.T) {
	w := lab
	w.controls, w.layouts = []string{"a"}, 8
	rng := rand.New(rand.NewPCG(11, 11))
	var letters []string
	const tries = 400
	for range tries {
		run, records := w.run(rng)
		g := Of(run, records, View{}).Grade
		if g.Control == nil {
			t.Fatal("no control")
		}
		g2 := *g
		g2.Reasons, g2.Letter, g2.Clean, g2.Sentinel = nil, "", 1, &Sentinel{Near: 1}
		var readings []reading
		a := gather(run, records, "")
		for _, c := range a.cells {
			readings = append(readings, c.control(result.Subject{Contender: "a"})...)
		}
		g2.judge(readings)
		letters = append(letters, g2.Letter)
	}
	c := len(slices.DeleteFunc(slices.Clone(letters), func(l string) bool { return l != "C" }))
	t.Logf("C in %d of %d", c, tries)
	if share := float64(c) / tries; share > 0.03 {
		t.Errorf("the reference differs from itself in %.3f of the runs", share)
	}
}
