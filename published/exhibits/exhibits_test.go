package exhibits

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

func bench(half string, ns float64, elements float64) result.Record {
	return result.Record{Bench: &result.Bench{Set: "exhibits/one", Name: half, N: 10, NS: ns, Allocs: 2, Extra: map[string]float64{"elements": elements}}}
}

func atLeast(v float64) *Bound { return &Bound{AtLeast: v, AtMost: math.Inf(1)} }
func atMost(v float64) *Bound  { return &Bound{AtLeast: math.Inf(-1), AtMost: v} }
func equals(v float64) *Bound  { return &Bound{AtLeast: v, AtMost: v} }

func TestOf(t *testing.T) {
	all := []Description{
		{Name: "absent", Expect: []Expect{{Metric: "time", Ratio: atLeast(1)}}},
		{Name: "one", Expect: []Expect{
			{Metric: "time", Ratio: atLeast(3), Published: atMost(50)},
			{Metric: "elements", Published: equals(1), Corrected: equals(10)},
			{Metric: "allocs", Ratio: equals(1)},
			{Metric: "nonsense", Corrected: atLeast(0)},
		}},
	}
	died := result.Record{Bench: &result.Bench{Set: "exhibits/one", Name: "corrected", Status: result.Panic, Reason: "panic: no"}}
	tests := []struct {
		name    string
		records []result.Record
		want    []bool
		got     []float64 // NaN: no number
	}{
		{"as expected but for what is not there", []result.Record{bench("published", 10, 1), bench("corrected", 40, 10)},
			[]bool{true, true, true, true, true, false}, []float64{4, 10, 1, 10, 1, math.NaN()}},
		{"otherwise", []result.Record{bench("published", 60, 2), bench("corrected", 120, 9)},
			[]bool{false, false, false, false, true, false}, []float64{2, 60, 2, 9, 1, math.NaN()}},
		{"one half died", []result.Record{bench("published", 10, 1), died},
			[]bool{false, true, true, false, false, false}, []float64{math.NaN(), 10, 1, math.NaN(), math.NaN(), math.NaN()}},
		{"one half is not there", []result.Record{bench("corrected", 10, 10)},
			[]bool{false, false, false, true, false, false}, []float64{math.NaN(), math.NaN(), math.NaN(), 10, math.NaN(), math.NaN()}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Of(&result.Run{}, tt.records, all)
			if len(r.Exhibits) != 1 || r.Exhibits[0].Name != "one" {
				t.Fatalf("exhibits %+v", r.Exhibits)
			}
			var holds []bool
			for i, c := range r.Exhibits[0].Checks {
				holds = append(holds, c.Holds)
				switch want := tt.got[i]; {
				case math.IsNaN(want) != (c.Got == nil):
					t.Errorf("%s of %s: got %v, want %v", c.Metric, c.Of, c.Got, want)
				case c.Got != nil && math.Abs(c.Got.Value-want) > 1e-9:
					t.Errorf("%s of %s: got %v, want %v", c.Metric, c.Of, c.Got.Value, want)
				}
			}
			if diff := cmp.Diff(tt.want, holds); diff != "" {
				t.Errorf("checks (-want +got):\n%s", diff)
			}
			if r.Exhibits[0].Holds() {
				t.Error("all holds, though one expectation has no number")
			}
		})
	}
	if r := Of(&result.Run{}, nil, all); len(r.Exhibits) != 0 {
		t.Errorf("of nothing: %+v", r)
	}
}

// A run lacks an exhibit that it has no record of, and it lacks exhibits if it has none at all.
func TestLacking(t *testing.T) {
	none := &Results{Run: &result.Run{ID: "x"}}
	some := &Results{Run: &result.Run{ID: "x"}, Exhibits: []Exhibit{{Description: Description{Name: "one"}}}}
	for _, test := range []struct {
		r     *Results
		names []string
		want  string
	}{
		{some, nil, ""},
		{some, []string{"one"}, ""},
		{some, []string{"one", "two"}, "run x has no exhibit two; assay exhibits two runs it"},
		{none, nil, "run x has no exhibits; assay exhibits makes one that has"},
	} {
		got := ""
		if err := test.r.Lacking(test.names); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%v: %q, want %q", test.names, got, test.want)
		}
	}
}

// TestHalves checks that an exhibit holds if all of its checks do, names what either half reports
// itself once, and says of a half that has no record that it was not run.
func TestHalves(t *testing.T) {
	all := []Description{{Name: "one", Expect: []Expect{{Metric: "time", Ratio: atLeast(3)}, {Metric: "elements", Corrected: equals(10)}}}}
	more := bench("corrected", 40, 10)
	more.Bench.Extra["bytes-read"] = 7
	r := Of(&result.Run{}, []result.Record{bench("published", 10, 1), more}, all)
	if e := r.Exhibits[0]; !e.Holds() || !cmp.Equal(e.Own, []string{"bytes-read", "elements"}) {
		t.Errorf("holds %v, reports %v", e.Holds(), e.Own)
	}
	r = Of(&result.Run{}, []result.Record{more}, all)
	e := r.Exhibits[0]
	if e.Holds() || e.Half[0].Status != result.Unsupported || e.Half[0].Reason != "it was not run" || e.Half[0].Name != "published" || e.Half[0].Set != "exhibits/one" {
		t.Errorf("holds %v without a half: %+v", e.Holds(), e.Half[0])
	}
	if c := e.Checks[1]; !c.Holds || c.Of != Corrected || c.Got == nil || c.Got.Value != 10 {
		t.Errorf("the half that was run: %+v", c)
	}
}
