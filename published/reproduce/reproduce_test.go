package reproduce

import (
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
	}
	all := tick(row("rounds", "protobuf", 50), row("once", "x", 0), row("big", "x", 0), row("late", "x", 0), row("wrong", "x", 0), row("", "x", 0), row("never", "x", 0))
	run := &result.Run{Finished: time.Now()}
	rows := Of(all, run, records).Sources[0].Tables[0].Rows
	for i, want := range []Value{
		{Number: &analysis.Interval{Value: 120, Lo: 100, Hi: 300}, N: 3, Status: result.OK},
		{Number: &analysis.Interval{Value: 13e9, Lo: math.Inf(-1), Hi: math.Inf(1)}, N: 1, Status: result.Noisy, Reason: "one round of one operation"},
		{Status: result.Unsupported, Reason: "needs 21 GB"},
		{Number: &analysis.Interval{Value: 500, Lo: math.Inf(-1), Hi: math.Inf(1)}, N: 1, Status: result.Noisy, Reason: "one round of one operation"},
		{Status: result.Unverified, Reason: "want 10, got 1"},
		{Status: result.Unsupported, Reason: "the source measured nothing of this"},
		{Status: result.Timeout, Reason: "not measured: it is no part of the run"},
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
	if v := Of(all, run, nil).Sources[0].Tables[0].Rows[0].Number("time", Here); !strings.Contains(v.Reason, "interrupted") {
		t.Errorf("of an unfinished run: %+v", v)
	}
}

func TestRatios(t *testing.T) {
	slow, fast, blank := row("slow", "a", 900), row("fast", "b", 300), row("blank", "c", 0)
	other := row("other", "d", 10)
	other.Case.Op = result.Decode
	records := []result.Record{bench("slow", "10x", 10, 400), bench("fast", "10x", 10, 200), bench("blank", "10x", 10, 100), bench("other", "10x", 10, 1)}
	rows := Of(tick(slow, fast, blank, other), &result.Run{}, records).Sources[0].Tables[0].Rows
	for i, want := range [][2]float64{{3, 2}, {1, 1}, {0, 0.5}, {0, 0}} {
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

// Every row of the real sources is there, whatever the run has.
func TestSourcesAreWhole(t *testing.T) {
	all, err := sources.Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	r := Of(all, &result.Run{}, nil)
	for i, s := range all {
		for k, table := range s.Tables {
			if got := r.Sources[i].Tables[k]; len(got.Rows) != len(table.Rows) || got.Chart != table.Chart {
				t.Errorf("%s %s: %d rows of %d", s.ID, table.ID, len(got.Rows), len(table.Rows))
			}
		}
	}
}
