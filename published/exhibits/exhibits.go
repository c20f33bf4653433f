// Package exhibits reads the descriptions of exhibits, and compares them with what a run measured
// of their two halves: the method as published, and the corrected one. An exhibit is a directory
// published/exhibits/<name> with exhibit.toml (see Description) and the two benchmarks.
package exhibits

import (
	"fmt"
	"math"
	"slices"

	"assay/internal/analysis"
	"assay/result"
)

// The halves of an exhibit: the names of its two benchmarks.
const (
	Published = "published"
	Corrected = "corrected"
)

// Halves are both halves, in the order of tables.
var Halves = []string{Published, Corrected}

// Set returns the name of the set that holds an exhibit's benchmarks.
func Set(name string) string { return "exhibits/" + name }

// Results are the exhibits of a run.
type Results struct {
	Run      *result.Run
	Exhibits []Exhibit
}

// Lacking returns an error if a named exhibit is missing or, without names, if there is none.
func (r *Results) Lacking(names []string) error {
	if len(r.Exhibits) == 0 && len(names) == 0 {
		return fmt.Errorf("run %s has no exhibits; assay exhibits makes one that has", r.Run.ID)
	}
	for _, name := range names {
		if !slices.ContainsFunc(r.Exhibits, func(e Exhibit) bool { return e.Name == name }) {
			return fmt.Errorf("run %s has no exhibit %s; assay exhibits %s runs it", r.Run.ID, name, name)
		}
	}
	return nil
}

// An Exhibit is one exhibit with the results of a run.
type Exhibit struct {
	Description
	// Half has the results of each of Halves.
	Half [2]analysis.Bench
	// Own are the names of the metrics that either half reports itself.
	Own []string
	// Checks are the results of the expectations, one for each bound, in the order of the file.
	Checks []Check

	benches *analysis.Benches
}

// Ratio returns a metric of the corrected half divided by the same metric of the published one; ok
// is false if a half lacks the number.
func (e Exhibit) Ratio(metric string) (ratio analysis.Interval, ok bool) {
	return e.benches.Ratio(Set(e.Name), Corrected, Published, metric)
}

// Holds reports whether all expectations hold.
func (e Exhibit) Holds() bool {
	return !slices.ContainsFunc(e.Checks, func(c Check) bool { return !c.Holds })
}

// A Check is one bound of an expectation.
type Check struct {
	Metric string
	// Of says what the bound is for: a half, or Ratio.
	Of    string
	Bound Bound
	// Got is the measured number; nil if there is none. The check uses its value only, and the
	// interval is for the reader.
	Got   *analysis.Interval
	Holds bool
}

// Ratio is the Of of a check of the corrected half divided by the published one.
const Ratio = "ratio"

// Of compares the exhibits with the records of a run. It leaves out exhibits that the run has no
// records of.
func Of(run *result.Run, records []result.Record, all []Description) *Results {
	r := &Results{Run: run}
	benches := analysis.BenchesOf(records)
	for _, x := range all {
		e := Exhibit{Description: x, benches: benches}
		seen := false
		for i, half := range Halves {
			b, ok := benches.Of(Set(x.Name), half)
			if !ok {
				b = analysis.Bench{Set: Set(x.Name), Name: half, Status: result.Unsupported, Reason: "it was not run"}
			}
			e.Half[i], seen = b, seen || ok
			e.Own = append(e.Own, b.Own()...)
		}
		if !seen {
			continue
		}
		slices.Sort(e.Own)
		e.Own = slices.Compact(e.Own)
		for _, want := range x.Expect {
			e.Checks = append(e.Checks, e.check(want)...)
		}
		r.Exhibits = append(r.Exhibits, e)
	}
	return r
}

// check compares one expectation with the results.
func (e Exhibit) check(want Expect) []Check {
	var checks []Check
	add := func(of string, bound *Bound, got analysis.Interval, ok bool) {
		if bound == nil {
			return
		}
		c := Check{Metric: want.Metric, Of: of, Bound: *bound}
		if ok && !math.IsNaN(got.Value) {
			c.Got, c.Holds = &got, bound.Allows(got.Value)
		}
		checks = append(checks, c)
	}
	got, ok := e.Ratio(want.Metric)
	add(Ratio, want.Ratio, got, ok)
	for i, bound := range []*Bound{want.Published, want.Corrected} {
		got, ok := e.Half[i].Number(want.Metric)
		add(Halves[i], bound, got, ok)
	}
	return checks
}
