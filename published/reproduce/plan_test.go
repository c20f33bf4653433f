package reproduce

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/published/sources"
	"assay/result"
)

func TestSteps(t *testing.T) {
	const set = "sources/sizes"
	b := func(name, benchtime string) Benchmark { return Benchmark{Set: set, Name: name, Benchtime: benchtime} }
	fast, slow, yaml := b("encode/tiny/json", "10x"), b("encode/tiny/gob", "10x"), b("encode/huge/yaml", "10x")
	timed, dead := b("decode/tiny/json", ""), b("decode/huge/yaml", "10x")
	all := []Benchmark{fast, slow, yaml, timed, dead}
	costs := map[Benchmark]Cost{
		fast:  {Op: time.Microsecond, Setup: 20 * time.Millisecond},
		slow:  {Op: 2 * time.Microsecond, Setup: 20 * time.Millisecond},
		yaml:  {Op: 13 * time.Second, Setup: time.Second},
		timed: {Op: time.Microsecond, Setup: 20 * time.Millisecond},
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
			{set, []string{"encode/huge/yaml"}, 2, "5x"},
			{set, []string{"decode/tiny/json"}, 5, "1s"},
		}},
		{"two minutes", PlanFor(len(all), false, 2*time.Minute), []Step{
			{set, []string{"encode/tiny/json", "encode/tiny/gob"}, 5, "10x"},
			{set, []string{"encode/huge/yaml"}, 2, "2x"},
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

// Every benchmark gets two rounds before others get five. The first run is one of them if it took
// as long as the method asks for.
func TestStepsTellASpread(t *testing.T) {
	costs := map[Benchmark]Cost{}
	var all []Benchmark
	add := func(name string, op, setup time.Duration) {
		b := Benchmark{Set: "sources/chain", Name: "encode/" + name + "/gob"}
		all = append(all, b)
		costs[b] = Cost{Op: op, Setup: setup}
	}
	add("1", time.Millisecond, 0)
	add("2", time.Millisecond, time.Second)
	add("3", 30*time.Second, 10*time.Second)
	want := []Step{
		{"sources/chain", []string{"encode/1/gob"}, 4, "1s"},
		{"sources/chain", []string{"encode/2/gob"}, 3, "1s"},
		{"sources/chain", []string{"encode/3/gob"}, 1, "1s"},
	}
	if diff := cmp.Diff(want, PlanFor(len(all), false, 70*time.Second).Steps(all, costs)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// The steps must not cost more than the budget, whatever the costs are.
func FuzzStepsFit(f *testing.F) {
	f.Add(int64(time.Minute), int64(1000), int64(13e9), int64(1e6), true)
	f.Fuzz(func(t *testing.T, budget, one, two, setup int64, quick bool) {
		limit := int64(time.Hour)
		if budget <= 0 || one < 0 || two < 0 || setup < 0 || max(budget, one, two, setup) > limit {
			t.Skip()
		}
		p := PlanFor(3, quick, time.Duration(budget))
		a, b, c := Benchmark{Name: "x/a"}, Benchmark{Name: "x/b", Benchtime: "10x"}, Benchmark{Name: "y/c", Benchtime: "10000x"}
		costs := map[Benchmark]Cost{a: {Op: time.Duration(one), Setup: time.Duration(setup)}, b: {Op: time.Duration(two)}, c: {Op: time.Duration(one), Setup: time.Duration(setup)}}
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
	quick, full := PlanFor(1, true, 0), PlanFor(1, false, 0)
	gob := Benchmark{Set: "sources/chain", Name: "encode/blocks=100,txs=30000/gob", Published: 57 * time.Second}
	if why := quick.TooSlow(gob, nil); !strings.Contains(why, "57s") || !strings.Contains(why, "15s") || !strings.Contains(why, "--quick") {
		t.Errorf("quick: %q", why)
	}
	if why := PlanFor(1, true, time.Minute).TooSlow(gob, nil); !strings.Contains(why, "5s that a row may take with --quick") {
		t.Errorf("quick with a budget: %q", why)
	}
	if why := full.TooSlow(gob, nil) + quick.TooSlow(Benchmark{}, nil); why != "" {
		t.Errorf("%q", why)
	}
	encodes, decodes := Benchmark{Set: "sources/sizes", Name: "encode/huge/yaml"}, Benchmark{Set: "sources/sizes", Name: "decode/huge/yaml"}
	costs := map[Benchmark]Cost{encodes: {Op: 13 * time.Second}}
	if why := quick.TooSlow(decodes, costs); !strings.Contains(why, "13s alone") {
		t.Errorf("decoding: %q", why)
	}
	other := Benchmark{Set: "sources/sizes", Name: "decode/huge/json"}
	if why := quick.TooSlow(other, costs) + quick.TooSlow(encodes, costs) + full.TooSlow(decodes, costs); why != "" {
		t.Errorf("%q", why)
	}
	if diff := cmp.Diff([]Benchmark{encodes, decodes, other}, Order([]Benchmark{decodes, encodes, other})); diff != "" {
		t.Errorf("order: -want +got\n%s", diff)
	}
	if strings.Contains(full.Late(), "--quick") || !strings.Contains(quick.Late(), "--quick") {
		t.Errorf("late: %q and %q", full.Late(), quick.Late())
	}
}

func TestUncorrected(t *testing.T) {
	quick, full := PlanFor(1, true, 0), PlanFor(1, false, 0)
	b := func(name string, published time.Duration) Benchmark {
		return Benchmark{Set: "sources/sizes", Name: name, Published: published}
	}
	all := []Benchmark{
		b("encode/huge/yaml", 0), b("decode/huge/yaml", 0),
		b("encode/huge/gob", 0), b("decode/huge/gob", 57*time.Second),
		b("encode/huge/json", 0), b("decode/huge/json", time.Minute),
		b("encode/huge/xml", 0), b("decode/huge/xml", 0),
	}
	costs := map[Benchmark]Cost{
		all[0]: {Op: 13 * time.Second}, all[2]: {Op: time.Millisecond},
		all[4]: {Op: time.Millisecond}, all[5]: {Op: time.Second},
		all[6]: {Op: time.Millisecond}, all[7]: {Op: 15 * time.Second, Late: true},
	}
	yaml, gob := "one encode takes 13s by the source's method, and", "one decode takes 57s as published, and"
	late := "one decode takes 15s or more by the source's method, and"
	for i, want := range []string{yaml, yaml, gob, gob, "", "", late, late} {
		got := quick.Uncorrected(all[i], all, costs)
		if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", all[i].Name, got, want)
		}
		if why := full.Uncorrected(all[i], all, costs); why != "" {
			t.Errorf("full: %s: %q", all[i].Name, why)
		}
	}
	if steps := quick.Steps(all[7:], costs); len(steps) != 0 {
		t.Errorf("what was late runs again: %+v", steps)
	}
}

// Ten operations, or ten thousand, are part of the methods of two sources. The others let package
// testing choose.
func TestBenchtime(t *testing.T) {
	all, err := sources.Load(os.DirFS("../.."))
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
		"": {time: time.Second}, "x": {time: time.Second}, "0x": {time: time.Second}, "0s": {time: time.Second}, "-1s": {time: time.Second}, "-3x": {time: time.Second}, "soon": {time: time.Second},
	} {
		if got := parseBenchtime(text); got != want {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

func TestDone(t *testing.T) {
	records := []result.Record{bench("first", FirstTime, 1, 5), bench("part", FirstTime, 1, 5), bench("part", "10x", 10, 5),
		bench("whole", FirstTime, 1, 5), bench("whole", "10x", 10, 5), bench("whole", "10x", 10, 5), bad("bad", result.OOM, "grew"), {Note: &result.Note{}}}
	want := map[[2]string]bool{{"sources/tick", "whole"}: true, {"sources/tick", "bad"}: true}
	if diff := cmp.Diff(want, Done(records)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// The budget of a quick run bounds how long one row may take, and counts the first runs. The rounds
// still get at least a quarter of it.
func TestQuickBudget(t *testing.T) {
	for budget, want := range map[time.Duration][2]time.Duration{
		0:                {15 * time.Second, time.Second},
		time.Minute:      {5 * time.Second, 5 * time.Second / 15},
		time.Hour:        {15 * time.Second, time.Second},
		10 * time.Second: {5 * time.Second, 5 * time.Second / 15},
	} {
		if p := PlanFor(100, true, budget); p.Row != want[0] || p.Op != want[1] {
			t.Errorf("of %v a row may take %v and an operation %v, want %v", budget, p.Row, p.Op, want)
		}
	}
	if p := PlanFor(100, false, time.Minute); p.Row != full.Row || p.Op != full.Op {
		t.Errorf("of a full run a row may take %v", p.Row)
	}
	p := PlanFor(100, true, time.Minute)
	for first, want := range map[time.Duration]time.Duration{0: time.Minute, 20 * time.Second: 40 * time.Second, time.Hour: 15 * time.Second} {
		if got := p.After(first).Budget; got != want {
			t.Errorf("after %v the rounds have %v, want %v", first, got, want)
		}
	}
}
