package analysis

import (
	"math"
	"slices"
	"testing"
	"time"

	"assay/result"
)

// tripRecords returns launches and counts of CPU time of json, gob and two modes of gob that take a
// tenth of the default mode's time: "once" changes encode only, "both" both ops.
func tripRecords(more ...result.Record) (*result.Run, []result.Record) {
	run := &result.Run{ID: "r1", Finished: time.Unix(1, 0), Plan: result.Plan{Reference: "json"}}
	var records []result.Record
	for _, op := range []result.Op{result.Encode, result.Decode} {
		cell := simCell
		cell.Op = op
		for i := range 6 {
			launch := &result.Launch{Cell: cell, Layout: uint64(i + 1), Index: i}
			for _, s := range []result.Subject{{Contender: "json"}, {Contender: "gob"}, {Contender: "gob", Mode: "once"}, {Contender: "gob", Mode: "both"}} {
				if s.Mode == "once" && op == result.Decode {
					continue
				}
				ns := int64(1000)
				if s.Mode != "" {
					ns = 100
				}
				series := flat(s.Contender, ns, 20, 1)
				series.Mode = s.Mode
				launch.Series = append(launch.Series, series)
				busy := counts(s.Contender, 0, launch.Layout, i, 0, float64(ns), float64(ns))
				busy.Steady.Case = cell.Case(s)
				records = append(records, busy)
				if i == 0 {
					run.Plan.Cases = append(run.Plan.Cases, cell.Case(s))
				}
			}
			records = append(records, result.Record{Launch: launch})
		}
	}
	return run, append(records, more...)
}

// The default mode stands in for an op that a mode does not change. It must not stand in for an op
// that the mode changes and that failed, or whose CPU time was not counted.
func TestStandIn(t *testing.T) {
	once, both := result.Subject{Contender: "gob", Mode: "once"}, result.Subject{Contender: "gob", Mode: "both"}
	decode := result.Case{Workload: simCell.Workload, Size: simCell.Size, Contender: "gob", Mode: "both", Op: result.Decode}
	failed := result.Record{Outcome: &result.Outcome{Case: decode, Status: result.Panic, Reason: "boom"}}
	uncounted := func(all []result.Record) []result.Record {
		return slices.DeleteFunc(all, func(r result.Record) bool { return r.Steady != nil && r.Steady.Case == decode })
	}
	for _, test := range []struct {
		name        string
		more        []result.Record
		without     func([]result.Record) []result.Record
		trip, byCPU bool // for mode both
	}{
		{"both ops have times", nil, nil, true, true},
		{"decode failed", []result.Record{failed}, nil, false, false},
		{"decode has no CPU time", nil, uncounted, true, false},
	} {
		run, records := tripRecords(test.more...)
		if test.without != nil {
			records = test.without(records)
		}
		r := Of(run, records, View{})
		encode, decode := &r.Tables[0], &r.Tables[1]
		o := OverviewOf(r, nil)
		for _, want := range []struct {
			of          result.Subject
			trip, byCPU bool
			decode      result.Subject
		}{{once, true, true, result.Subject{Contender: "gob"}}, {both, test.trip, test.byCPU, both}} {
			for what, v := range map[string]struct {
				encode, decode *Table
				want           bool
			}{"time": {encode, decode, want.trip}, "CPU time": {encode.ByCPU(), decode.ByCPU(), want.byCPU}} {
				trips, _ := Trips(v.encode, v.decode)
				i := slices.IndexFunc(trips, func(x Trip) bool { return x.Subject == want.of })
				if (i >= 0) != v.want {
					t.Errorf("%s: %s has a round trip by %s: %v", test.name, want.of, what, i >= 0)
				} else if v.want && (trips[i].Encode != want.of || trips[i].Decode != want.decode) {
					t.Errorf("%s: the round trip of %s by %s is %s and %s", test.name, want.of, what, trips[i].Encode, trips[i].Decode)
				}
			}
			var row OverviewRow
			for _, x := range o.Rows {
				if x.Subject == want.of {
					row = x
				}
			}
			if (row.Overall != nil) != want.trip || (row.CPU != nil) != want.byCPU {
				t.Errorf("%s: %s: overall %v, CPU %v", test.name, want.of, row.Overall, row.CPU)
			}
		}
		if test.trip == slices.Contains(o.Without, both) {
			t.Errorf("%s: without a time are %v", test.name, o.Without)
		}
	}
}

// The ratio of two round trips is the same whichever comes first, also where the paired ratios are not
// the quotients of the times: in a stored run, of every pair of subjects.
func TestTripsReciprocal(t *testing.T) {
	run, records, _, err := result.Read("../../docs/evidence/default-run")
	if err != nil {
		t.Fatal(err)
	}
	tables := map[result.Cell]*Table{}
	r := Of(run, records, View{})
	for i := range r.Tables {
		tables[r.Tables[i].Cell] = &r.Tables[i]
	}
	pairs := 0
	for cell, encode := range tables {
		cell.Op = result.Decode
		decode := tables[cell]
		if encode.Cell.Op != result.Encode || decode == nil {
			continue
		}
		trips, ranking := Trips(encode, decode)
		for i, a := range trips {
			for j, b := range trips[:i] {
				x, ok := BetweenTrips(encode, decode, a.Subject, b.Subject)
				y, also := BetweenTrips(encode, decode, b.Subject, a.Subject)
				if !ok || !also || math.Abs(x.Value*y.Value-1) > 1e-9 || math.Abs(x.Lo*y.Hi-1) > 1e-9 {
					t.Errorf("%s: %s over %s is %+v, and the other way %+v", cell, a.Subject, b.Subject, x, y)
				}
				if d := ranking.Difference(i, j); math.Abs(d.Value/x.Value-1) > 1e-9 {
					t.Errorf("%s: %s over %s is %v, and ranked by %v", cell, a.Subject, b.Subject, x.Value, d.Value)
				}
				pairs++
			}
		}
	}
	if pairs < 1000 {
		t.Errorf("%d pairs", pairs)
	}
}
