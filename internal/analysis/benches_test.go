package analysis

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/result"
)

// benchRecords returns the rounds of published benchmarks. times has, for each name, the time of
// each round of each layout.
func benchRecords(times map[string][][]float64) []result.Record {
	var records []result.Record
	for _, name := range []string{"corrected", "published"} {
		for layout, rounds := range times[name] {
			for round, ns := range rounds {
				records = append(records, result.Record{Bench: &result.Bench{
					Set: "exhibits/x", Name: name, Layout: uint64(layout), Round: round, Benchtime: "1ms", N: 100 + round,
					NS: ns, Bytes: 64, Allocs: int64(len(name)), Extra: map[string]float64{EncodedBytes: 30, "elements": ns},
				}})
			}
		}
	}
	return append(records, result.Record{Note: &result.Note{Text: "not a bench"}})
}

func TestBenches(t *testing.T) {
	bs := BenchesOf(benchRecords(map[string][][]float64{
		// The layouts' medians are 100, 121 and 110.
		"published": {{100, 99, 104}, {121, 121, 300}, {110, 110, 110}},
		// These are twice the published times, except for one round.
		"corrected": {{200, 198, 208}, {242, 999, 600}, {220, 220, 220}},
	}))
	all := bs.All()
	if len(all) != 2 || all[0].Name != "corrected" || all[1].Name != "published" {
		t.Fatalf("benchmarks %+v", all)
	}
	b := all[1]
	if b.Status != result.OK || b.Rounds != 9 || b.Layouts != 3 || b.Ops != 101 || b.Benchtime != "1ms" {
		t.Errorf("benchmark %+v", b)
	}
	if !slices.Equal(b.Own(), []string{"elements"}) {
		t.Errorf("own names %q", b.Own())
	}
	near := cmpopts.EquateApprox(1e-9, 0)
	for metric, want := range map[string]Interval{
		AllocBytes: {64, 64, 64}, Allocs: {9, 9, 9}, EncodedSize: {30, 30, 30}, EncodedBytes: {30, 30, 30}, "elements": {110, 99, 300},
	} {
		if got, ok := b.Number(metric); !ok || !cmp.Equal(got, want, near) {
			t.Errorf("%s is %v, want %v", metric, got, want)
		}
	}
	if time, ok := b.Number(Time); !ok || !cmp.Equal(time.Value, 110., near) || time.Lo >= 100 || time.Hi <= 121 {
		t.Errorf("time is %v, want 110 with bounds around the layouts", time)
	}
	if n, ok := b.Number("no such"); ok {
		t.Errorf("a number %v of nothing", n)
	}
	if ratio, ok := bs.Ratio("exhibits/x", "corrected", "published", Time); !ok || !cmp.Equal(ratio.Value, 2., near) || ratio.Lo > 1.995 || ratio.Hi < 2.005 {
		t.Errorf("ratio of times %v, want 2", ratio)
	}
	back, _ := bs.Ratio("exhibits/x", "published", "corrected", Time)
	if !cmp.Equal(back.Value, 0.5, near) {
		t.Errorf("ratio the other way %v, want 0.5", back)
	}
	if ratio, ok := bs.Ratio("exhibits/x", "corrected", "published", Allocs); !ok || ratio != (Interval{1, 1, 1}) {
		t.Errorf("ratio of allocations %v", ratio)
	}
	for _, name := range []string{"exhibits/y", "exhibits/x"} {
		if ratio, ok := bs.Ratio(name, "corrected", "nothing", Time); ok {
			t.Errorf("a ratio %v to nothing", ratio)
		}
	}
}

func TestBenchesWithoutNumbers(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		name  string
		times map[string][][]float64
		ratio Interval
	}{
		{"timer not running", map[string][][]float64{"published": {{0, 0}}, "corrected": {{5, 5}}}, Interval{inf, inf, inf}},
		{"both not running", map[string][][]float64{"published": {{0, 0}}, "corrected": {{0, 0}}}, Interval{1, 1, 1}},
		{"one round", map[string][][]float64{"published": {{2}}, "corrected": {{6}}}, Interval{3, 0, inf}},
		{"no round in common", map[string][][]float64{"published": {{3, 3}}, "corrected": {{}, {6, 6, 6}}}, Interval{2, 0, 0}},
	}
	for _, tt := range tests {
		bs := BenchesOf(benchRecords(tt.times))
		got, ok := bs.Ratio("exhibits/x", "corrected", "published", Time)
		if tt.name == "no round in common" {
			got.Lo, got.Hi = 0, 0
		}
		if !ok || !cmp.Equal(got, tt.ratio, cmpopts.EquateApprox(1e-9, 0)) {
			t.Errorf("%s: ratio %v %v, want %v", tt.name, got, ok, tt.ratio)
		}
	}
	bs := BenchesOf(append(benchRecords(map[string][][]float64{"published": {{1, 1}}}),
		result.Record{Bench: &result.Bench{Set: "exhibits/x", Name: "published", Layout: 1, Status: result.Panic, Reason: "panic: late"}}))
	b, ok := bs.Of("exhibits/x", "published")
	if _, has := b.Number(Time); !ok || has || b.Status != result.Panic || b.Reason != "panic: late" {
		t.Errorf("a benchmark that died late is %+v", b)
	}
}
