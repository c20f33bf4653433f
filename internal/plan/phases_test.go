package plan

import (
	"math"
	"slices"
	"testing"
	"time"

	"assay/result"
)

// A pass gets its share of the remaining time, or a quarter of its share of the whole if no
// time remains.
func TestPortion(t *testing.T) {
	first, last := Passes{{"launches", 10}, {"cpu", 5}}, Passes{{"cpu", 5}, {"launches", 10}}
	for _, test := range []struct {
		left, want time.Duration
		passes     Passes
	}{
		{90 * time.Second, 60 * time.Second, first},
		{90 * time.Second, 90 * time.Second, last},
		{3 * time.Second, 20 * time.Second, first},
		{-time.Hour, 20 * time.Second, first},
	} {
		if got := test.passes.Portion("launches", test.left, 2*time.Minute); got != test.want {
			t.Errorf("of %v in %v it gets %v, want %v", test.left, test.passes, got, test.want)
		}
	}
	if got := first.Portion("cold", time.Minute, time.Minute); got != 0 {
		t.Errorf("a pass that is not taken gets %v", got)
	}
}

// The phases of a run add up to its budget.
func TestPhases(t *testing.T) {
	var cases []result.Case
	for _, w := range []string{"a", "b", "c", "d", "e"} {
		for i := range 24 {
			for _, op := range []result.Op{result.Encode, result.Decode} {
				cases = append(cases, result.Case{Workload: w, Size: "s", Contender: string(rune('a' + i)), Op: op})
			}
		}
	}
	passes := Passes{{"launches", 10}, {"cpu", 5}}
	unknown := func(string) time.Duration { return 0 }
	all := Phases(cases, nil, 3*time.Minute, passes, unknown)
	var total time.Duration
	for _, p := range all {
		total += p.Time
	}
	if total != 3*time.Minute || len(all) != 5 {
		t.Errorf("%v are %v, want 3m", all, total)
	}
	want := "verify 36s, size 13s, count 6s, launches 1m23s, cpu 42s: 3m in all"
	if got := PhasesText(all, func(s string) string { return s }); got != want {
		t.Errorf("the phases are %q, want %q", got, want)
	}
	few := Phases(cases, nil, 3*time.Minute, passes, func(string) time.Duration { return 20 * time.Second })
	if few[3].Time != 20*time.Second || few[4].Time != 20*time.Second {
		t.Errorf("%v take longer than there is to do", few)
	}
	total = 0
	for _, p := range Phases(cases, nil, 5*time.Second, passes, unknown) {
		total += p.Time
	}
	if total <= 5*time.Second || total > time.Minute {
		t.Errorf("a budget that does not suffice is said to take %v", total)
	}
}

// A machine simulates the first phases of a run. A step's cost depends on its workload and
// phase, with some noise.
type machine struct {
	now   time.Time
	costs map[string]time.Duration // by workload
	noise int
}

// run simulates the phases before the launches and returns how long they took.
func (f *machine) run(m *Meter, cases []result.Case) time.Duration {
	begin := f.now
	for _, phase := range []string{Trips, Sizings, "floors", Counting} {
		if phase == "floors" {
			phase = Sizings
			cases = slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool { return c.Op != result.Encode })
		}
		m.Begin(phase, f.now)
		seen := map[result.Case]bool{}
		for _, c := range cases {
			if phase == Trips {
				c.Op = ""
			}
			if seen[c] {
				continue
			}
			seen[c] = true
			f.noise = (f.noise*1103515245 + 12345) & 0x7fffffff
			cost := f.costs[c.Workload] * time.Duration(len(phase)) // differs between phases
			f.now = f.now.Add(cost*4/5 + cost*2/5*time.Duration(f.noise%1000)/1000)
			m.Done(c, 0, f.now)
		}
		m.Begin("", f.now)
		f.now = f.now.Add(time.Minute) // time outside phases belongs to no step
	}
	return f.now.Sub(begin) - 4*time.Minute
}

// A machine without measured costs is planned by guesses. After one run, the plan is right
// within 15%, for the same cases and for a part of them.
func TestPlanLearns(t *testing.T) {
	var cases []result.Case
	for _, w := range []string{"slow", "middling", "fast"} {
		for i := range 12 {
			for _, op := range []result.Op{result.Encode, result.Decode} {
				cases = append(cases, result.Case{Workload: w, Size: "s=1,x/y", Contender: string(rune('a' + i)), Op: op})
			}
		}
	}
	f := &machine{now: time.Unix(0, 0), costs: map[string]time.Duration{"slow": 90 * time.Millisecond, "middling": 20 * time.Millisecond, "fast": time.Millisecond}, noise: 1}
	planned := func(c Costs, cases []result.Case) (sum time.Duration) {
		for _, p := range c.first(cases) {
			sum += p.Time
		}
		return sum
	}
	off := func(costs Costs, cases []result.Case) float64 {
		var m Meter
		return math.Abs(float64(planned(costs, cases))/float64(f.run(&m, cases)) - 1)
	}
	if got := off(nil, cases); got < 0.3 {
		t.Errorf("guesses are off by %.0f%% only: the test shows nothing", 100*got)
	}
	var m Meter
	f.run(&m, cases)
	costs := CostsOf(Costs(nil).Learned(m.Costs()).Figures())
	for _, some := range [][]result.Case{cases, cases[:24], cases[24:48], cases[48:]} {
		if got := off(costs, some); got > 0.15 {
			t.Errorf("the plan of %s is off by %.0f%%", some[0].Workload, 100*got)
		}
	}
	if !costs.Moved(nil) || costs.Moved(costs) {
		t.Error("costs that are new have not moved, or the same ones have")
	}
	again := costs.Learned(Costs{{Trips, "slow", "s=1,x/y"}: 0})
	if got, want := again.Of(Trips, "slow", "s=1,x/y"), costs.Of(Trips, "slow", "s=1,x/y")/2; got != want {
		t.Errorf("half of the way to 0 is %v, want %v", got, want)
	}
	if got, want := costs.Of(Counting, "unknown", ""), costs.Of(Counting, "middling", "s=1,x/y"); got != want {
		t.Errorf("a step that is not known is taken to cost %v, want the median %v", got, want)
	}
	if got := CostsOf(map[string]float64{"x": 1, "a/b/c": -1, "a/b/d": math.Inf(1), "a/b/e": 5}); len(got) != 1 {
		t.Errorf("figures that are none are costs: %v", got)
	}
}

// The passes exceed the budget by at most a quarter of it, however late the first phases end,
// and the text says by how much.
func TestRestIsBounded(t *testing.T) {
	passes := Passes{{"launches", 10}, {"cpu", 5}, {"rss", 2}}
	unknown := func(string) time.Duration { return 0 }
	const budget = 2 * time.Minute
	for left := -time.Hour; left <= budget; left += 7 * time.Second {
		var total time.Duration
		for _, p := range Rest(left, budget, passes, unknown) {
			total += p.Time
		}
		if over := total - max(left, 0); over < -time.Second || over > budget/4+time.Second {
			t.Errorf("with %v left the passes take %v", left, total)
		}
	}
	name := func(s string) string { return s }
	for left, want := range map[time.Duration]string{
		75 * time.Second:  "launches 44s, cpu 22s, rss 9s: 1m15s more",
		10 * time.Second:  "launches 18s, cpu 9s, rss 4s: 30s more, 20s over the budget",
		-25 * time.Second: "launches 18s, cpu 9s, rss 4s: 30s more, 55s over the budget",
	} {
		if got := RestText(Rest(left, budget, passes, unknown), left, name); got != want {
			t.Errorf("with %v left it says %q, want %q", left, got, want)
		}
	}
}
