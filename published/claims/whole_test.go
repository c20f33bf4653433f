package claims

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// besides makes a run of whole values of workload customer: for each contender and size the
// CPU times of its processes in ms; none: it ran out of memory.
func besides(op result.Op, size string, times map[string][]int64) *analysis.Results {
	run := &result.Run{ID: "r2", Finished: time.Unix(1, 0), Plan: result.Plan{Stream: &result.StreamPlan{}}}
	var records []result.Record
	for name, all := range times {
		c := result.Case{Workload: "customer", Size: size, Contender: name, Mode: contender.WholeMode, Op: op}
		run.Plan.Cases = append(run.Plan.Cases, c)
		if len(all) == 0 {
			records = append(records, result.Record{Outcome: &result.Outcome{Case: c, Status: result.OOM, Reason: "grew past 8.0 GiB"}})
		}
		for _, ms := range all {
			records = append(records, result.Record{Stream: &result.Stream{
				Case: c, Messages: 1, Items: 1, Bytes: 1, Wall: ms, CPU: 1e6 * ms, AllocBytes: 1000 * ms, Allocs: 10 * ms, PauseMax: 100 * ms, Sum: "0",
			}})
		}
	}
	return analysis.Of(run, records, analysis.View{})
}

// ruleBesides is rule with whole values of another run.
func (l *lab) ruleBesides(t *testing.T, keys string, with *analysis.Results) Ruling {
	t.Helper()
	ledger, err := Parse("f", []byte("[[source]]\nid = \"s\"\ntitle = \"t\"\n[[claim]]\nid = \"c\"\nsource = \"s\"\nstatement = \"x\"\nworkload = \"customer\"\n"+keys))
	if err != nil {
		t.Fatalf("%v\n%s", err, keys)
	}
	results := analysis.Of(l.run, l.records, analysis.View{})
	results.Besides = with
	return Rule(ledger, results)[0]
}

// TestWhole rules on sizes that are too large for the ordinary passes by whole values of
// another run.
func TestWhole(t *testing.T) {
	const (
		ratio = "sizes = [\"level=2\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/gob\"\nto = \"protobuf\"\n"
		bytes = "metric = \"alloc-bytes\"\n"
		pause = "metric = \"stream-pause\"\nsizes = [\"level=2\"]\nops = [\"encode\"]\npredicate = \"ratio\"\n" +
			"of = { contender = \"encoding/gob\", mode = \"session=whole\" }\nto = { contender = \"protobuf\", mode = \"session=whole\" }\n"
	)
	tight := map[string][]int64{"encoding/gob": {500, 502, 498}, "protobuf": {100, 101, 99}}
	for _, test := range []struct {
		name, keys string
		times      map[string][]int64
		want       Verdict
		reason     string
	}{
		{"CPU time", ratio + "says = \"about 5\"", tight, Holds, ""},
		{"CPU time, refuted", ratio + "says = \"about 29\"", tight, Refuted, ""},
		{"memory", ratio + bytes + "says = \"exactly 5\"", tight, Holds, ""},
		{"pauses", pause + "says = \"much more\"", tight, Holds, ""},
		{"wide", ratio + "says = \"about 5\"", map[string][]int64{"encoding/gob": {300, 500, 800}, "protobuf": {100, 101, 99}}, Undecided, ""},
		{"one process", ratio + "says = \"about 5\"", map[string][]int64{"encoding/gob": {500}, "protobuf": {100, 101, 99}}, Untested, "two processes or more"},
		{"out of memory", ratio + "says = \"about 5\"", map[string][]int64{"encoding/gob": nil, "protobuf": {100, 101, 99}}, Untested, "whole: oom: grew past 8.0 GiB"},
		{"counts that differ", "sizes = [\"level=2\"]\nops = [\"encode\"]\npredicate = \"exact\"\nof = \"protobuf\"\nsays = \"exactly 100000\"\n" + bytes, tight, Untested, "has no exact count: its "},
		{"counts that agree", "sizes = [\"level=2\"]\nops = [\"encode\"]\npredicate = \"exact\"\nof = \"protobuf\"\nsays = \"exactly 100000\"\n" + bytes, map[string][]int64{"protobuf": {100, 100, 100}}, Holds, ""},
		{"nobody tried", ratio + "says = \"about 5\"", nil, Untested, "unsupported: level=2 takes about 9 GiB; add --giants"},
		{"code-only time", ratio + "metric = \"time\"\nsays = \"about 5\"", tight, Untested, "unsupported: level=2 takes about 9 GiB; --giants measures CPU time and memory of encode and decode only"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab()
			for _, name := range []string{"encoding/gob", "protobuf"} {
				l.outcome("level=2", result.Encode, name, result.Unsupported, "level=2 takes about 9 GiB; add --giants to see")
			}
			var with *analysis.Results
			if test.times != nil {
				with = besides(result.Encode, "level=2", test.times)
			}
			r := l.ruleBesides(t, test.keys, with)
			if r.Verdict.Plain() != test.want || !strings.Contains(r.Findings[0].Reason, test.reason) {
				t.Errorf("%s: %+v, want %s with %q", r.Verdict, r.Findings[0], test.want, test.reason)
			}
			if r.Findings[0].Launches != 0 {
				t.Errorf("%d launches would tell, where none are made", r.Findings[0].Launches)
			}
			if test.want == Undecided && !strings.HasSuffix(r.Reason, " times may or may not be about 5 (4 to 6.25): the interval of 3 processes is too wide") {
				t.Errorf("undecided: %s", r.Reason)
			}
			if test.want == Holds && !strings.Contains(r.Findings[0].Reason, "whole values, one op in each of 3 processes") {
				t.Errorf("%q does not say what ruled", r.Findings[0].Reason)
			}
		})
	}
}

// TestTrendWithoutASize leaves out of a trend the sizes that are not measured, as long as
// there are three.
func TestTrendWithoutASize(t *testing.T) {
	l := newLab()
	sizes := []string{"txs=5000", "txs=30000", "txs=200000"}
	for i, size := range sizes {
		l.time(size, result.Encode, 0, 8, map[result.Subject]float64{of("protobuf"): 100, of("encoding/gob"): 200 * float64(i+1)})
	}
	for _, name := range []string{"encoding/gob", "protobuf"} {
		l.outcome("txs=1000000", result.Encode, name, result.Unsupported, "too large")
	}
	for i := range l.run.Plan.Cases {
		l.run.Plan.Cases[i].Workload = "chain"
	}
	for _, r := range l.records {
		switch {
		case r.Launch != nil:
			r.Launch.Cell.Workload = "chain"
		case r.Outcome != nil:
			r.Outcome.Case.Workload = "chain"
		}
	}
	rule := func(sizes ...string) Ruling {
		return l.rule(t, "workload = \"chain\"\nsizes = [\""+strings.Join(sizes, "\", \"")+"\"]\nops = [\"encode\"]\nmetric = \"time\"\n"+
			"predicate = \"trend\"\nof = \"encoding/gob\"\nto = \"protobuf\"\nsays = \"more\"\n")
	}
	if r := rule(append(sizes, "txs=1000000")...); r.Findings[0].Measured == nil || !strings.HasSuffix(r.Findings[0].Reason, "at txs=200000 (txs=1000000 not measured)") {
		t.Errorf("%+v", r.Findings[0])
	}
	if r := rule(append(sizes[1:], "txs=1000000")...); r.Verdict != Untested {
		t.Errorf("of two sizes: %s, %+v", r.Verdict, r.Findings[0])
	}
}

// TestWholes finds the whole values that claims need.
func TestWholes(t *testing.T) {
	one := func(size, mode string, op result.Op) result.Case {
		return result.Case{Workload: "customer", Size: size, Contender: "protobuf", Mode: mode, Op: op}
	}
	needs := []Need{
		{one("level=1", "", result.Encode), []string{analysis.Time, analysis.CPUTime}},
		{one("level=2", "", result.Encode), []string{analysis.Time, analysis.CPUTime}},
		{one("level=2", "", result.Decode), []string{analysis.EncodedSize}},
		{one("level=2", "output=reuse", result.Encode), []string{analysis.CPUTime}},
		{one("level=2", "", result.Scan), []string{analysis.AllocBytes}},
		{one("level=1", contender.WholeMode, result.Decode), []string{analysis.StreamPause}},
		{one("level=1", contender.WholeMode, result.Decode), []string{analysis.StreamPeak}},
	}
	got := Wholes(needs, func(c result.Case) bool { return c.Size == "level=2" })
	want := []result.Case{one("level=2", contender.WholeMode, result.Encode), one("level=1", contender.WholeMode, result.Decode)}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if n := len(Ordinary(needs)); n != 5 {
		t.Errorf("%d ordinary needs, want 5", n)
	}
}
