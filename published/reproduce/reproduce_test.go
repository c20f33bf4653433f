package reproduce

import (
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/contender"
	"assay/internal/analysis"
	"assay/published/sources"
	"assay/result"
)

func bench(name, benchtime string, n int, ns float64) result.Record {
	return result.Record{Bench: &result.Bench{Set: "sources/tick", Name: name, Benchtime: benchtime, N: n, NS: ns, Bytes: 64, Allocs: 2,
		Extra: map[string]float64{analysis.EncodedBytes: 559}}}
}

func bad(name string, status result.Status, reason string) result.Record {
	return result.Record{Bench: &result.Bench{Set: "sources/tick", Name: name, Status: status, Reason: reason}}
}

// tick returns a source of one table with a row for each benchmark name.
func tick(rows ...sources.Row) []sources.Source {
	for i := range rows {
		rows[i].Label, rows[i].Library = "encode", rows[i].Benchmark
	}
	return []sources.Source{{ID: "tick", Tables: []sources.Table{{ID: "speed", Rows: rows}}}}
}

func row(benchmark, contender string, time float64) sources.Row {
	r := sources.Row{Benchmark: benchmark, Case: result.Case{Workload: "tick", Size: "payload=published", Contender: contender, Op: result.Encode}}
	if time > 0 {
		r.Figures = map[string]float64{"time": time}
	}
	return r
}

func TestHere(t *testing.T) {
	records := []result.Record{
		bench("rounds", "1x", 1, 9000), bench("rounds", "10x", 10, 300), bench("rounds", "10x", 10, 100), bench("rounds", "10x", 10, 120),
		bench("once", "1x", 1, 13e9),
		bad("big", result.Unsupported, "needs 21 GB"),
		bench("late", "1x", 1, 500), bad("late", result.Timeout, "took too long"),
		bench("wrong", "1x", 1, 500), bad("wrong", result.Unverified, "want 10, got 1"),
		bench("shrunk", "1x", 1, 500), bad("shrunk", result.Unsupported, "needs 21 GB"),
		bench("slow", "1x", 1, 1.2e9), bench("slow", "1s", 1, 1e9), bench("slow", "1s", 1, 1.4e9),
	}
	all := tick(row("rounds", "protobuf", 50), row("once", "x", 0), row("big", "x", 0), row("late", "x", 0), row("wrong", "x", 0), row("", "x", 0), row("never", "x", 0), row("slow", "x", 0), row("shrunk", "x", 0))
	run := &result.Run{Finished: time.Now()}
	rows := Of(all, run, records, nil).Sources[0].Tables[0].Rows
	for i, want := range []Value{
		{Number: &analysis.Interval{Value: 120, Lo: 100, Hi: 300}, N: 3, Status: result.OK},
		{Number: &analysis.Interval{Value: 13e9, Lo: math.Inf(-1), Hi: math.Inf(1)}, N: 1, Status: result.Noisy, Reason: "one round of one operation"},
		{Status: result.Unsupported, Reason: "needs 21 GB"},
		{Number: &analysis.Interval{Value: 500, Lo: math.Inf(-1), Hi: math.Inf(1)}, N: 1, Status: result.Noisy, Reason: "one round of one operation"},
		{Status: result.Unverified, Reason: "want 10, got 1"},
		{Status: result.Unsupported, Reason: "the source measured nothing of this"},
		{Status: result.Timeout, Reason: "not measured: it is no part of the run", Lost: true},
		{Number: &analysis.Interval{Value: 1.2e9, Lo: 1e9, Hi: 1.4e9}, N: 3, Status: result.OK},
		{Number: &analysis.Interval{Value: 500, Lo: math.Inf(-1), Hi: math.Inf(1)}, N: 1, Status: result.Noisy, Reason: "one round of one operation"},
	} {
		if diff := cmp.Diff(want, rows[i].Number("time", Here)); diff != "" {
			t.Errorf("row %d: -want +got\n%s", i, diff)
		}
	}
	if v := rows[0].Number("encoded-size", Here); v.Number == nil || v.Number.Value != 559 || v.Number.Hi != 559 {
		t.Errorf("encoded size %+v", v)
	}
	if v := rows[0].Number("time", Published); v.Number == nil || v.Number.Value != 50 || v.Blank() {
		t.Errorf("published %+v", v)
	}
	if v := rows[1].Number("time", Published); !v.Blank() {
		t.Errorf("published %+v, want a blank", v)
	}
	if v := rows[0].Number("time", Corrected); v.Number != nil || v.Reason == "" {
		t.Errorf("corrected %+v, want a reason", v)
	}
	run.Finished = time.Time{}
	if v := Of(all, run, nil, nil).Sources[0].Tables[0].Rows[0].Number("time", Here); !strings.Contains(v.Reason, "interrupted") {
		t.Errorf("of an unfinished run: %+v", v)
	}
}

func TestRatios(t *testing.T) {
	slow, fast, blank := row("slow", "a", 900), row("fast", "b", 300), row("blank", "c", 0)
	other := row("other", "d", 10)
	other.Case.Op = result.Decode
	dead, beside := row("dead", "a", 100), row("beside", "b", 300) // the reference has no time here
	dead.Case.Op, beside.Case.Op = result.Open, result.Open
	records := []result.Record{
		bench("slow", "10x", 10, 400), bench("fast", "10x", 10, 200), bench("blank", "10x", 10, 100), bench("other", "10x", 10, 1),
		bad("dead", result.Panic, "boom"), bench("beside", "10x", 10, 100),
	}
	rows := Of(tick(slow, fast, blank, other, dead, beside), &result.Run{}, records, nil).Sources[0].Tables[0].Rows
	for i, want := range [][2]float64{{3, 2}, {1, 1}, {0, 0.5}, {0, 0}, {1, 0}, {3, 0}} {
		for k, m := range []Method{Published, Here} {
			got := 0.0
			if v := rows[i].Ratio(m); v.Number != nil {
				got = v.Number.Value
			}
			if got != want[k] {
				t.Errorf("row %d, method %d: ratio %v, want %v", i, m, got, want[k])
			}
		}
	}
	if v := rows[0].Ratio(Corrected); v.Number != nil {
		t.Errorf("a ratio without times: %+v", v)
	}
}

// Every row of the real sources must be there, whatever the run has.
func TestSourcesAreWhole(t *testing.T) {
	all, err := sources.Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	r := Of(all, &result.Run{}, nil, nil)
	for i, s := range all {
		for k, table := range s.Tables {
			if got := r.Sources[i].Tables[k]; len(got.Rows) != len(table.Rows) || got.Chart != table.Chart {
				t.Errorf("%s %s: %d rows of %d", s.ID, table.ID, len(got.Rows), len(table.Rows))
			}
		}
	}
}

// TestWholes: whole values stand for a cell if a case has a time from its whole value only, unless
// another case has no whole value. A whole value without a number says why. One does not hide that its
// case failed.
func TestWholes(t *testing.T) {
	of := func(size, name string) sources.Row {
		return sources.Row{Label: size, Case: result.Case{Workload: "chain", Size: size, Contender: name, Op: result.Encode}}
	}
	const gob, proto = "encoding/gob", "protobuf"
	rows := []sources.Row{of("both", gob), of("both", proto), of("one", gob), of("one", proto), of("none", gob), of("none", proto), of("failed", gob), of("failed", proto), of("grown", gob), of("grown", proto)}
	all := []sources.Source{{ID: "chain", Tables: []sources.Table{{ID: "t", Rows: rows}}}}
	large := func(r sources.Row) result.Record {
		return result.Record{Outcome: &result.Outcome{Case: r.Case, Status: result.Unsupported, Reason: "too large"}}
	}
	run := &result.Run{Finished: time.Unix(1, 0)}
	for _, r := range rows {
		run.Plan.Cases = append(run.Plan.Cases, r.Case)
	}
	wholes := &result.Run{Finished: time.Unix(1, 0), Plan: result.Plan{Stream: &result.StreamPlan{}}}
	var records []result.Record
	whole := func(r sources.Row, ns ...int64) {
		c := r.Case
		c.Mode = contender.WholeMode
		wholes.Plan.Cases = append(wholes.Plan.Cases, c)
		if ns == nil {
			records = append(records, result.Record{Outcome: &result.Outcome{Case: c, Status: result.OOM, Reason: "grew past 8.0 GiB"}})
		}
		for _, n := range ns {
			records = append(records, result.Record{Stream: &result.Stream{Case: c, Messages: 1, Items: 1, Bytes: 70, Wall: n, CPU: n, AllocBytes: 500, Allocs: 5, Sum: "0"}})
		}
	}
	whole(rows[0], 900, 900)
	whole(rows[1], 300, 300)
	whole(rows[2], 900, 900)
	whole(rows[4])
	whole(rows[5], 300, 300)
	whole(rows[6], 900, 900)
	whole(rows[7], 300, 300)
	whole(rows[8])
	whole(rows[9])
	wrong := large(rows[6])
	wrong.Outcome.Status, wrong.Outcome.Reason = result.Unverified, "another value came back"
	r := Of(all, run, []result.Record{large(rows[0]), large(rows[1]), large(rows[2]), large(rows[4]), large(rows[5]), wrong, large(rows[7]), large(rows[8])}, analysis.Of(wholes, records, analysis.View{}))
	got := r.Sources[0].Tables[0].Rows
	for i, want := range []struct {
		time, ratio float64
		reason      string
	}{
		{900, 3, "a whole value, one op in each of 2 processes, with the collector on: their geometric mean, where assay show prints the median"},
		{300, 1, "a whole value, one op in each of 2 processes, with the collector on: their geometric mean, where assay show prints the median"},
		{900, 1, "a whole value, one op in each of 2 processes, with the collector on: their geometric mean, where assay show prints the median"},
		{0, 0, "not measured: the budget ended before its first launch (raise --budget)"},
		{0, 0, "a whole value: grew past 8.0 GiB"},
		{300, 1, "a whole value, one op in each of 2 processes, with the collector on: their geometric mean, where assay show prints the median"},
		{0, 0, "another value came back"},
		{300, 1, "a whole value, one op in each of 2 processes, with the collector on: their geometric mean, where assay show prints the median"},
		{0, 0, "a whole value: grew past 8.0 GiB"},
		{0, 0, "a whole value: grew past 8.0 GiB"},
	} {
		v, ratio := got[i].Number(analysis.Time, Corrected), got[i].Ratio(Corrected)
		if v.Reason != want.reason || (v.Number != nil) != (want.time > 0) || v.Number != nil && math.Abs(v.Number.Value-want.time) > 1e-6 {
			t.Errorf("row %d: %+v, want %+v", i, v, want)
		}
		if (ratio.Number != nil) != (want.ratio > 0) || ratio.Number != nil && math.Abs(ratio.Number.Value-want.ratio) > 1e-6 {
			t.Errorf("row %d: ratio %+v, want %v", i, ratio.Number, want.ratio)
		}
	}
	// A ratio must not be of a whole value and a time of another kind.
	j := joiner{wholes: analysis.Of(wholes, records, analysis.View{}), rows: map[result.Case][]analysis.Row{
		rows[1].Case: {{Metric: analysis.Time, Number: exactly(7)}}, rows[3].Case: {{Metric: analysis.Time, Number: exactly(7)}},
	}}
	j.chooseWholes(all)
	if want := map[result.Cell]bool{rows[0].Case.Cell(): true, rows[4].Case.Cell(): true, rows[6].Case.Cell(): true}; !maps.Equal(j.byWholes, want) {
		t.Errorf("by whole values: %v, want %v", j.byWholes, want)
	}
	j.run = run
	if v := j.corrected(rows[2].Case, analysis.Time); v.Number != nil || v.Reason != "not measured: it is no part of the run" {
		t.Errorf("beside a time of another kind: %+v", v)
	}
	if v := got[0].Number(analysis.AllocBytes, Corrected); v.Number == nil || v.Number.Value != 500 {
		t.Errorf("B/op %+v", v)
	}
	if v := got[0].Number(analysis.EncodedSize, Corrected); v.Number == nil || v.Number.Value != 70 {
		t.Errorf("bytes %+v", v)
	}
}

// The corrected ratios of a stored run must be those of its tables: paired by round, with an
// interval.
func TestCorrectedRatios(t *testing.T) {
	run, records, _, err := result.Read("../../docs/evidence/reproduction-movie-run")
	if err != nil {
		t.Fatal(err)
	}
	all, err := sources.Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	r := Of(all, run, records, nil)
	compared := 0
	for _, s := range r.Sources {
		for _, table := range s.Tables {
			for i := range table.Rows {
				row := &table.Rows[i]
				k := slices.IndexFunc(r.Results.Tables, func(t analysis.Table) bool { return t.Cell == row.Case.Cell() })
				ratio := row.Ratio(Corrected).Number
				if k < 0 || ratio == nil || ratio.Value == 1 {
					continue
				}
				shown := &r.Results.Tables[k]
				if ratio.Lo >= ratio.Value || ratio.Hi <= ratio.Value {
					t.Errorf("%s: the ratio %v has no interval", row.Case, ratio)
				}
				base := slices.IndexFunc(table.Rows, func(other Row) bool {
					v := other.Ratio(Corrected).Number
					return other.Case.Cell() == row.Case.Cell() && v != nil && v.Value == 1
				})
				if base < 0 || shown.Reference == nil || row.Case.Subject() != *shown.Reference {
					continue
				}
				at, ok := shown.Row(table.Rows[base].Case, analysis.Time)
				if !ok || at.Ratio == nil || math.Abs(ratio.Value*at.Ratio.Value-1) > 1e-9 {
					t.Errorf("%s: the ratio is %v, and its table has %v the other way", row.Case, ratio.Value, at.Ratio)
				}
				compared++
			}
		}
	}
	if compared == 0 {
		t.Error("no ratio was compared")
	}
}

// Of the sources a run has those that it planned. To name another one is an error.
func TestWithin(t *testing.T) {
	all := []sources.Source{{ID: "movie"}, {ID: "tick"}}
	for _, test := range []struct {
		planned, names []string
		want           string // the IDs, or the error
	}{
		{[]string{"tick"}, nil, "tick"},
		{[]string{"tick", "movie"}, []string{"tick"}, "movie tick"},
		{[]string{"tick"}, []string{"movie"}, "run x has nothing of movie; assay reproduce movie measures it"},
		{nil, nil, "run x is not one of assay reproduce"},
	} {
		found, err := Within(&result.Run{ID: "x", Plan: result.Plan{Sources: test.planned}}, all, test.names)
		var got []string
		for _, s := range found {
			got = append(got, s.ID)
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%v of %v: %q, want %q", test.names, test.planned, got, test.want)
		}
	}
}
