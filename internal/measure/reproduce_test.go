package measure

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/published/reproduce"
	"assay/published/sources"
	"assay/result"
)

// Every row of the sources has a case that assay can plan. A row without one would silently have
// no corrected number.
func TestSourceCasesAreOffered(t *testing.T) {
	all, err := sources.Load(assay.Source)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Input: Builtin()}
	cases := casesOf(all)
	sel, err := cfg.published(all, sourceMemory)
	if err != nil {
		t.Fatal(err)
	}
	if len(sel.Cases) != len(cases) || len(sel.Live()) < len(cases)/2 {
		t.Errorf("%d cases, %d planned, %d live", len(cases), len(sel.Cases), len(sel.Live()))
	}
	for _, o := range sel.Outcomes {
		if !strings.Contains(o.Reason, "takes about") || !strings.Contains(o.Reason, "; add --giants") { // too large is a valid answer
			t.Errorf("%s: %s", o.Case, o.Reason)
		}
	}
	// Exactly the cases that are too large are planned as whole values.
	p, wholes, err := cfg.WholesForSources(result.Plan{Stream: &result.StreamPlan{}}, all)
	if err != nil || p.Stream.Repeats != wholeRepeats || len(wholes.Cases) != len(sel.TooLarge) || len(wholes.Cases) == 0 {
		t.Errorf("%d whole values of %d that are too large, each in %d processes: %v", len(wholes.Cases), len(sel.TooLarge), p.Stream.Repeats, err)
	}
	for _, c := range wholes.Cases {
		c.Mode = ""
		if !slices.Contains(sel.TooLarge, c) {
			t.Errorf("%s is not too large", c)
		}
	}
	if bad, err := cfg.Explicit([]result.Case{{Workload: "movie", Size: "record=one", Contender: "nope", Op: result.Encode}}); err != nil || len(bad.Outcomes) != 1 || len(bad.Contenders) != 0 {
		t.Errorf("a case that is not offered: %+v, %v", bad, err)
	}
}

// A resumed run knows what its finished benchmarks cost, which rules out others and cases.
func TestOriginalsResumed(t *testing.T) {
	const row = 15 * time.Second
	of := func(name string) reproduce.Benchmark { return reproduce.Benchmark{Set: "sources/x", Name: name} }
	bench := func(b result.Bench) result.Record {
		b.Set = "sources/x"
		return result.Record{Bench: &b}
	}
	o := &originals{m: &Measurement{Records: []result.Record{
		bench(result.Bench{Name: "encode/fast", Benchtime: reproduce.FirstTime, N: 1, NS: 100}),
		bench(result.Bench{Name: "encode/late", Benchtime: reproduce.FirstTime, Status: result.Timeout, Reason: "took longer"}),
		bench(result.Bench{Name: "decode/late", Status: result.Timeout, Reason: "encoding takes too long"}),
		bench(result.Bench{Name: "encode/full", Benchtime: reproduce.FirstTime, N: 1, NS: 2e9}),
		bench(result.Bench{Name: "encode/full", Benchtime: "1s", N: 1, NS: 3e9}),
		bench(result.Bench{Name: "encode/wrong", Benchtime: reproduce.FirstTime, Status: result.Panic, Reason: "nil"}),
	}}}
	var listed []reproduce.Benchmark
	for _, name := range []string{"encode/fast", "encode/late", "decode/late", "encode/full", "decode/full", "encode/wrong"} {
		listed = append(listed, of(name))
	}
	rest, costs := o.rest(listed, row)
	if diff := cmp.Diff([]reproduce.Benchmark{of("encode/fast"), of("decode/full")}, rest); diff != "" {
		t.Errorf("to be run (-want +got):\n%s", diff)
	}
	want := map[reproduce.Benchmark]reproduce.Cost{
		of("encode/late"): {Op: row, Late: true},
		of("encode/full"): {Op: 2 * time.Second},
	}
	if diff := cmp.Diff(want, costs); diff != "" {
		t.Errorf("costs (-want +got):\n%s", diff)
	}
	if p := reproduce.PlanFor(len(rest), true, 0); p.TooSlow(of("decode/late"), costs) == "" || p.Uncorrected(of("decode/full"), listed, costs) == "" {
		t.Error("a resumed run starts what its first attempt ruled out")
	}
}
