package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"assay/published/exhibits"
	"assay/result"
)

// shownExhibits returns three exhibits made by hand: one whose checks hold, one whose checks
// fail, and one whose published half died.
func shownExhibits() *exhibits.Results {
	run, _ := richRun()
	run.Plan = result.Plan{Layouts: []uint64{0, 1, 2, 3}, Rounds: 3}
	inf := math.Inf(1)
	all := []exhibits.Description{{
		Name: "first", Title: "one element of a slice", Source: "sizes", Claims: []string{"sizes-xml"},
		Published: "reads the first element | and no other", Corrected: "reads them all",
		Text: strings.Repeat("What was fast was to read next to nothing. ", 6),
		Expect: []exhibits.Expect{
			{Metric: "time", Ratio: &exhibits.Bound{AtLeast: 3, AtMost: inf}},
			{Metric: "elements", Published: &exhibits.Bound{AtLeast: 1, AtMost: 1}, Corrected: &exhibits.Bound{AtLeast: 10, AtMost: 10}},
		},
	}, {
		Name: "stopped", Title: "a timer that stands still", Source: "chain",
		Published: "stops the timer", Corrected: "lets it run", Text: "No time is no result.",
		Expect: []exhibits.Expect{
			{Metric: "time", Published: &exhibits.Bound{AtLeast: 0, AtMost: 0}, Corrected: &exhibits.Bound{AtLeast: math.Inf(-1), AtMost: 50}},
			{Metric: "alloc-bytes", Ratio: &exhibits.Bound{AtLeast: 2, AtMost: 4}},
		},
	}, {
		Name: "dies", Title: "a half that dies", Source: "tick",
		Published: "dies", Corrected: "lives", Text: "It is one row.",
		Expect: []exhibits.Expect{{Metric: "allocs", Ratio: &exhibits.Bound{AtLeast: math.Inf(-1), AtMost: 1}}},
	}}
	var records []result.Record
	add := func(set, name string, ns float64, bytes, allocs int64, extra map[string]float64) {
		for _, layout := range run.Plan.Layouts {
			for round := range run.Plan.Rounds {
				wobble := 1.0
				if ns > 0 {
					wobble += 0.01 * scatter(len(set), len(name), int(layout), round)
				}
				records = append(records, result.Record{Bench: &result.Bench{
					Set: "exhibits/" + set, Name: name, Layout: layout, Round: round, Benchtime: "50ms", N: 1000,
					NS: ns * wobble, Bytes: bytes, Allocs: allocs, Extra: extra,
				}})
			}
		}
	}
	add("first", "published", 3800, 1800, 42, map[string]float64{"elements": 1, "encoded-bytes": 6500})
	add("first", "corrected", 38_900, 129_472, 423, map[string]float64{"elements": 10, "encoded-bytes": 6530})
	add("stopped", "published", 0, 0, 0, nil)
	add("stopped", "corrected", 81.5, 48, 1, map[string]float64{"share": 0.25})
	add("dies", "corrected", 2_500_000, 0, 0, nil)
	records = append(records, result.Record{Bench: &result.Bench{Set: "exhibits/dies", Name: "published", Status: result.OOM, Reason: "grew past 4.0 GiB"}})
	return exhibits.Of(run, records, all)
}

func TestExhibitsFormats(t *testing.T) {
	for _, f := range ExhibitsFormats {
		var out strings.Builder
		if err := f.Write(&out, shownExhibits(), Options{Width: 100}); err != nil {
			t.Fatal(err)
		}
		golden(t, "exhibits."+f.Name, out.String())
		if f.Name == "json" && !json.Valid([]byte(out.String())) {
			t.Error("the JSON is none")
		}
	}
}
