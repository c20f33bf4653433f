package reproduce

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/seeds"
	"assay/result"
)

func TestSteps(t *testing.T) {
	const set = "seeds/sizes"
	b := func(name, benchtime string) Benchmark { return Benchmark{Set: set, Name: name, Benchtime: benchtime} }
	fast, slow, yaml := b("encode/tiny/json", "10x"), b("encode/tiny/gob", "10x"), b("encode/huge/yaml", "10x")
	timed, dead := b("decode/tiny/json", ""), b("decode/huge/yaml", "10x")
	all := []Benchmark{fast, slow, yaml, timed, dead}
	costs := map[Benchmark]Cost{
		fast:  {time.Microsecond, 20 * time.Millisecond},
		slow:  {2 * time.Microsecond, 20 * time.Millisecond},
		yaml:  {13 * time.Second, time.Second},
		timed: {time.Microsecond, 20 * time.Millisecond},
	}
	tests := []struct {
		name string
		plan Plan
		want []Step
	}{
		{"quick", PlanFor(len(all), true, 0), []Step{
			{set, []string{"encode/tiny/json", "encode/tiny/gob"}, 3, "10x"},
			{set, []string{"decode/tiny/json"}, 3, "50ms"},
		}},
		{"full", PlanFor(len(all), false, 0), []Step{
			{set, []string{"encode/tiny/json", "encode/tiny/gob"}, 5, "10x"},
			{set, []string{"decode/tiny/json"}, 5, "1s"},
		}},
		{"much time", PlanFor(len(all), false, time.Hour), []Step{
			{set, []string{"encode/tiny/json", "encode/tiny/gob"}, 5, "10x"},
			{set, []string{"encode/huge/yaml"}, 5, "10x"},
			{set, []string{"decode/tiny/json"}, 5, "1s"},
		}},
		{"three minutes", PlanFor(len(all), false, 3*time.Minute), []Step{
			{set, []string{"encode/tiny/json", "encode/tiny/gob"}, 5, "10x"},
			{set, []string{"encode/huge/yaml"}, 1, "10x"},
			{set, []string{"decode/tiny/json"}, 5, "1s"},
		}},
		{"two minutes", PlanFor(len(all), false, 2*time.Minute), []Step{
			{set, []string{"encode/tiny/json", "encode/tiny/gob"}, 5, "10x"},
			{set, []string{"encode/huge/yaml"}, 1, "5x"},
			{set, []string{"decode/tiny/json"}, 5, "1s"},
		}},
		{"no time", PlanFor(len(all), false, time.Nanosecond), nil},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, test.plan.Steps(all, costs)); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
	}
}

// The steps do not cost more than the budget, whatever the costs are.
func FuzzStepsFit(f *testing.F) {
	f.Add(int64(time.Minute), int64(1000), int64(13e9), int64(1e6), true)
	f.Fuzz(func(t *testing.T, budget, one, two, setup int64, quick bool) {
		limit := int64(time.Hour)
		if budget <= 0 || one < 0 || two < 0 || setup < 0 || max(budget, one, two, setup) > limit {
			t.Skip()
		}
		p := PlanFor(3, quick, time.Duration(budget))
		a, b, c := Benchmark{Name: "x/a"}, Benchmark{Name: "x/b", Benchtime: "10x"}, Benchmark{Name: "y/c", Benchtime: "10000x"}
		costs := map[Benchmark]Cost{a: {time.Duration(one), time.Duration(setup)}, b: {time.Duration(two), 0}, c: {time.Duration(one), time.Duration(setup)}}
		total := time.Duration(0)
		for _, s := range p.Steps([]Benchmark{a, b, c}, costs) {
			for _, name := range s.Names {
				for bench, cost := range costs {
					if bench.Name == name {
						how := parseBenchtime(s.Benchtime)
						how.rounds = s.Rounds
						total += how.cost(cost)
					}
				}
			}
		}
		if total > p.Budget {
			t.Errorf("%v of a budget of %v", total, p.Budget)
		}
	})
}

func TestTooSlow(t *testing.T) {
	gob := Benchmark{Name: "encode/blocks=100,txs=30000/gob", Published: 57 * time.Second}
	quick, full := PlanFor(1, true, 0), PlanFor(1, false, 0)
	if why := quick.TooSlow(gob); !strings.Contains(why, "57s") || !strings.Contains(why, "15s") || !strings.Contains(why, "--quick") {
		t.Errorf("quick: %q", why)
	}
	if why := full.TooSlow(gob); why != "" {
		t.Errorf("full: %q", why)
	}
	if why := quick.TooSlow(Benchmark{}); why != "" {
		t.Errorf("without a figure: %q", why)
	}
	if why := quick.Uncorrected(gob, 0); !strings.Contains(why, "57s as published") {
		t.Errorf("quick: %q", why)
	}
	if why := quick.Uncorrected(gob, 13*time.Second); !strings.Contains(why, "13s by the seed's method") {
		t.Errorf("quick: %q", why)
	}
	if why := quick.Uncorrected(gob, time.Second) + full.Uncorrected(gob, time.Hour) + quick.Uncorrected(Benchmark{}, 0); why != "" {
		t.Errorf("%q", why)
	}
	if strings.Contains(full.Late(), "--quick") || !strings.Contains(quick.Late(), "--quick") {
		t.Errorf("late: %q and %q", full.Late(), quick.Late())
	}
}

// Ten operations, or ten thousand, are part of two seeds' methods; the others let
// package testing choose.
func TestBenchtime(t *testing.T) {
	all, _, err := seeds.Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range all {
		got[s.ID] = Benchtime(s)
	}
	want := map[string]string{"chain": "", "customer": "", "movie": "", "sizes": "10x", "tick": "10000x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestParseBenchtime(t *testing.T) {
	for text, want := range map[string]scheme{
		"10x": {ops: 10}, "10000x": {ops: 10000}, "100ms": {time: 100 * time.Millisecond},
		"": {time: time.Second}, "x": {time: time.Second}, "-3x": {time: time.Second}, "soon": {time: time.Second},
	} {
		if got := parseBenchtime(text); got != want {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

func TestDone(t *testing.T) {
	records := []result.Record{bench("first", FirstTime, 1, 5), bench("whole", FirstTime, 1, 5), bench("whole", "10x", 10, 5), bad("bad", result.OOM, "grew"), {Note: &result.Note{}}}
	want := map[[2]string]bool{{"seeds/tick", "whole"}: true, {"seeds/tick", "bad"}: true}
	if diff := cmp.Diff(want, Done(records)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
