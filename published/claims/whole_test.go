package claims

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/contender"
	"assay/internal/analysis"
	"assay/result"
)

// besides returns the results of a run of whole values of workload customer. times has the CPU
// times of each contender's processes in ms; none: it ran out of memory.
func besides(op result.Op, size string, times map[string][]int64) *analysis.Results {
	return wholeResults(wholeRecords(op, size, times))
}

// wholeResults returns the results of a run of whole values.
func wholeResults(cases []result.Case, records []result.Record) *analysis.Results {
	run := &result.Run{ID: "r2", Finished: time.Unix(1, 0), Plan: result.Plan{Stream: &result.StreamPlan{}, Cases: cases}}
	return analysis.Of(run, records, analysis.View{})
}

// wholeRecords returns the cases and records of besides.
func wholeRecords(op result.Op, size string, times map[string][]int64) (cases []result.Case, records []result.Record) {
	for name, all := range times {
		c := result.Case{Workload: "customer", Size: size, Contender: name, Mode: contender.WholeMode, Op: op}
		cases = append(cases, c)
		if len(all) == 0 {
			records = append(records, result.Record{Outcome: &result.Outcome{Case: c, Status: result.OOM, Reason: "grew past 8.0 GiB"}})
		}
		for _, ms := range all {
			records = append(records, result.Record{Stream: &result.Stream{
				Case: c, Messages: 1, Items: 1, Bytes: 1, Wall: ms, CPU: 1e6 * ms, AllocBytes: 1000 * ms, Allocs: 10 * ms, PauseMax: 100 * ms, Sum: "0",
			}})
		}
	}
	return cases, records
}

// ruleBesides is rule with the whole values of another run.
func (l *lab) ruleBesides(t *testing.T, keys string, with *analysis.Results) Ruling {
	t.Helper()
	ledger := ledgerOf(t, keys)
	results := analysis.Of(l.run, l.records, analysis.View{})
	results.Besides = with
	return Rule(ledger, results)[0]
}

// TestWhole: for sizes that are too large for the ordinary passes, the whole values of another run
// rule.
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
		{"CPU time", ratio + "says = \"at least 1.5\"", tight, Holds, ""},
		{"another session may differ", ratio + "says = \"about 5\"", tight, Undecided, ""},
		{"CPU time, refuted", ratio + "says = \"about 29\"", tight, Refuted, ""},
		{"memory", ratio + bytes + "says = \"exactly 5\"", tight, Holds, ""},
		{"pauses", pause + "says = \"much more\"", map[string][]int64{"encoding/gob": {9000, 9050, 8950}, "protobuf": {100, 101, 99}}, Holds, ""},
		{"pauses differ more between sessions", pause + "says = \"much more\"", map[string][]int64{"encoding/gob": {800, 802, 798}, "protobuf": {100, 101, 99}}, Undecided, ""},
		{"CPU time in place of pauses", ratio + "says = \"much more\"", map[string][]int64{"encoding/gob": {800, 802, 798}, "protobuf": {100, 101, 99}}, Holds, ""},
		{"wide", ratio + "says = \"about 5\"", map[string][]int64{"encoding/gob": {300, 500, 800}, "protobuf": {100, 101, 99}}, Undecided, ""},
		{"one process", ratio + "says = \"about 5\"", map[string][]int64{"encoding/gob": {500}, "protobuf": {100, 101, 99}}, Untested, "two processes or more"},
		{"out of memory", ratio + "says = \"about 5\"", map[string][]int64{"encoding/gob": nil, "protobuf": {100, 101, 99}}, Untested, "whole: oom: grew past 8.0 GiB"},
		{"counts that differ", "sizes = [\"level=2\"]\nops = [\"encode\"]\npredicate = \"exact\"\nof = \"protobuf\"\nsays = \"exactly 100000\"\n" + bytes, tight, Untested, "has no exact count: its "},
		{"counts that agree", "sizes = [\"level=2\"]\nops = [\"encode\"]\npredicate = \"exact\"\nof = \"protobuf\"\nsays = \"exactly 100000\"\n" + bytes, map[string][]int64{"protobuf": {100, 100, 100}}, Holds, ""},
		{"nobody tried", ratio + "says = \"about 5\"", nil, Untested, "unsupported: level=2 takes about 9 GiB; add --giants"},
		{"code-only time", ratio + "metric = \"time\"\nsays = \"about 5\"", tight, Untested, "unsupported: level=2 takes about 9 GiB; --giants measures CPU time and memory of encode, decode and convert only"},
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
			if test.want == Undecided && !strings.HasSuffix(r.Reason, ": the interval from 3 processes of one session is too wide") {
				t.Errorf("undecided: %s", r.Reason)
			}
			if test.want == Holds && !strings.Contains(r.Findings[0].Reason, "whole values, one op in each of 3 processes") {
				t.Errorf("%q does not say what ruled", r.Findings[0].Reason)
			}
		})
	}
}

// TestWholeElsewhere: for round trips with conversion elsewhere, whole values rule if the size is
// too large for code-only time. If one is missing, the reason names it.
func TestWholeElsewhere(t *testing.T) {
	const claim = "sizes = [\"level=2\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/gob\"\nto = \"protobuf\"\nsays = \"more\"\n" +
		"[[claim.also]]\nname = \"there and back\"\nops = [\"round-trip\"]\nto = { contender = \"protobuf\", with_convert = true }\n"
	for _, test := range []struct {
		name     string
		converts []int64
		want     Verdict
		reason   string
	}{
		{"converted", []int64{50, 51, 49}, Holds, "whole values, one op in each of 3 processes"},
		{"out of memory", []int64{}, Untested, "protobuf convert at level=2, whole: oom: grew past 8.0 GiB"},
		{"nobody tried", nil, Untested, "protobuf convert at level=2: unsupported: level=2 takes about 9 GiB; add --giants to see"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab()
			for _, op := range []result.Op{result.Encode, result.Decode, result.Convert} {
				for _, name := range []string{"encoding/gob", "protobuf"} {
					l.outcome("level=2", op, name, result.Unsupported, "level=2 takes about 9 GiB; add --giants to see")
				}
			}
			var cases []result.Case
			var records []result.Record
			add := func(op result.Op, times map[string][]int64) {
				c, r := wholeRecords(op, "level=2", times)
				cases, records = append(cases, c...), append(records, r...)
			}
			add(result.Encode, map[string][]int64{"encoding/gob": {500, 502, 498}, "protobuf": {100, 101, 99}})
			add(result.Decode, map[string][]int64{"encoding/gob": {750, 752, 748}, "protobuf": {100, 101, 99}})
			if test.converts != nil {
				add(result.Convert, map[string][]int64{"protobuf": test.converts})
			}
			r := l.ruleBesides(t, claim, wholeResults(cases, records))
			f := r.Findings[1]
			if !f.Elsewhere || f.Verdict != test.want || !strings.Contains(f.Reason, test.reason) {
				t.Errorf("%+v, want %s with %q", f, test.want, test.reason)
			}
			if f.Measured != nil && (f.Measured.Value < 4.99 || f.Measured.Value > 5.01) {
				t.Errorf("%v times, want 5: (500+750)/(100+100+50)", f.Measured.Value)
			}
		})
	}
}

// TestTwoMethods: a condition is untested if one case has a whole value and the other an ordinary
// time. If all cases have whole values, these rule.
func TestTwoMethods(t *testing.T) {
	const (
		cases   = "sizes = [\"level=2\"]\nops = [\"encode\"]\n"
		ratio   = cases + "predicate = \"ratio\"\nof = \"encoding/gob\"\nto = \"protobuf\"\nsays = \"more\"\n"
		order   = cases + "predicate = \"order\"\norder = [\"protobuf\", \"encoding/gob\"]\n"
		grows   = "sizes = [\"level=1\", \"level=2\"]\nops = [\"encode\"]\npredicate = \"grows\"\nof = \"encoding/gob\"\nsays = \"more\"\n"
		whole   = "whole values, one op in each of 3 processes"
		ofTwo   = "by two methods: protobuf encode at level=2 by ordinary passes, and encoding/gob encode at level=2 by whole values"
		ofSizes = "by two methods: encoding/gob encode at level=1 by ordinary passes, and encoding/gob encode at level=2 by whole values"
	)
	gob, both := map[string][]int64{"encoding/gob": {500, 502, 498}}, map[string][]int64{"encoding/gob": {500, 502, 498}, "protobuf": {100, 101, 99}}
	for _, test := range []struct {
		name, keys string
		times      map[string][]int64
		want       Verdict
		reason     string
	}{
		{"a ratio", ratio, gob, Untested, ofTwo},
		{"an order", order, gob, Untested, ofTwo},
		{"sizes", grows, both, Untested, ofSizes},
		{"memory", ratio + "metric = \"alloc-bytes\"\n", gob, Untested, ofTwo},
		{"whole values of both", ratio, both, Holds, whole},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab()
			ordinary := map[result.Subject]float64{of("protobuf"): 100}
			l.cpu("level=2", result.Encode, ordinary)
			l.count("level=2", result.Encode, "protobuf", 1, 65)
			l.outcome("level=2", result.Encode, "encoding/gob", result.Unsupported, "too large")
			l.cpu("level=1", result.Encode, map[result.Subject]float64{of("encoding/gob"): 100})
			l.count("level=1", result.Encode, "encoding/gob", 1, 65)
			r := l.ruleBesides(t, test.keys, besides(result.Encode, "level=2", test.times))
			if f := r.Findings[0]; r.Verdict != test.want || !strings.Contains(f.Reason, test.reason) {
				t.Errorf("%s: %s, want %s with %q", r.Verdict, f.Reason, test.want, test.reason)
			}
		})
	}
}

// TestFailedWhole: a whole value does not hide that the contender failed in the ordinary passes.
func TestFailedWhole(t *testing.T) {
	both := map[string][]int64{"encoding/gob": {500, 502, 498}, "protobuf": {100, 101, 99}}
	for _, status := range []result.Status{result.Unverified, result.Panic, result.BuildFailed, result.OOM} {
		l := newLab()
		l.outcome("level=2", result.Encode, "encoding/gob", status, "for this reason")
		l.outcome("level=2", result.Encode, "protobuf", result.Unsupported, "too large")
		r := l.ruleBesides(t, "sizes = [\"level=2\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/gob\"\nto = \"protobuf\"\nsays = \"more\"\n", besides(result.Encode, "level=2", both))
		f := r.Findings[0]
		if hidden := f.Missing != status || !strings.Contains(f.Reason, "for this reason"); hidden == status.Failed() {
			t.Errorf("%s: %s, %+v", status, r.Verdict, f)
		}
	}
}

// ofChain moves cases and records of workload customer to chain.
func ofChain(cases []result.Case, records []result.Record) {
	for i := range cases {
		cases[i].Workload = "chain"
	}
	for _, r := range records {
		switch {
		case r.Launch != nil:
			r.Launch.Cell.Workload = "chain"
		case r.Outcome != nil:
			r.Outcome.Case.Workload = "chain"
		case r.Steady != nil:
			r.Steady.Case.Workload = "chain"
		case r.Stream != nil:
			r.Stream.Case.Workload = "chain"
		}
	}
}

// trendOf returns a claim that a lead grows over sizes of chain.
func trendOf(sizes ...string) string {
	return "workload = \"chain\"\nsizes = [\"" + strings.Join(sizes, "\", \"") + "\"]\nops = [\"encode\"]\n" +
		"predicate = \"trend\"\nof = \"encoding/gob\"\nto = \"protobuf\"\nat_least = 1.5\n"
}

// TestTrendWithoutASize: a trend leaves out sizes that are not measured, as long as three are left.
func TestTrendWithoutASize(t *testing.T) {
	l := newLab()
	sizes := []string{"txs=5000", "txs=30000", "txs=200000"}
	for i, size := range sizes {
		l.time(size, result.Encode, 0, 8, map[result.Subject]float64{of("protobuf"): 100, of("encoding/gob"): 200 * float64(i+1)})
	}
	for _, name := range []string{"encoding/gob", "protobuf"} {
		l.outcome("txs=1000000", result.Encode, name, result.Unsupported, "too large")
	}
	ofChain(l.run.Plan.Cases, l.records)
	for keys, want := range map[string]string{"": "(txs=1000000 without code-only time)", "metric = \"time\"\n": "(txs=1000000 not measured: encoding/gob encode at txs=1000000: unsupported: too large)"} {
		if r := l.rule(t, trendOf(append(sizes, "txs=1000000")...)+keys); r.Findings[0].Measured == nil || !strings.HasSuffix(r.Findings[0].Reason, "at txs=200000 "+want) {
			t.Errorf("%s, want %s", r.Findings[0].Reason, want)
		}
	}
	if r := l.rule(t, trendOf(append(sizes[1:], "txs=1000000")...)); r.Verdict != Untested {
		t.Errorf("of two sizes: %s, %+v", r.Verdict, r.Findings[0])
	}
}

// TestTrendByOneMethod: a trend never mixes ordinary figures and whole values. It uses the sizes of
// one method if there are three, and names the others.
func TestTrendByOneMethod(t *testing.T) {
	sizes := []string{"txs=5000", "txs=30000", "txs=200000", "txs=1000000"}
	const (
		another = "measured by another method: "
		none    = "no three sizes by one method; txs=5000 and txs=30000 by ordinary passes; txs=200000 and txs=1000000 by whole values"
	)
	for _, test := range []struct {
		name            string
		ordinary, whole int // how many sizes, the smallest and the largest
		want            Verdict
		reason          string
	}{
		{"three ordinary", 3, 1, Refuted, "to 2.00 times at txs=200000 (txs=1000000 " + another + "whole values)"},
		{"all of both", 4, 4, Refuted, "to 2.00 times at txs=1000000"},
		{"three whole", 2, 3, Undecided, "to 20.0 times at txs=1000000 (txs=5000 " + another + "ordinary passes); whole values, one op in each of 3 processes"},
		{"two of each", 2, 2, Untested, none},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab()
			var cases []result.Case
			var records []result.Record
			for i, size := range sizes {
				times := map[result.Subject]float64{of("protobuf"): 100, of("encoding/gob"): 200}
				if i < test.ordinary {
					l.time(size, result.Encode, 0, 8, times)
					l.cpu(size, result.Encode, times)
				} else {
					l.outcome(size, result.Encode, "protobuf", result.Unsupported, "too large")
					l.outcome(size, result.Encode, "encoding/gob", result.Unsupported, "too large")
				}
				if i >= len(sizes)-test.whole {
					c, r := wholeRecords(result.Encode, size, map[string][]int64{"protobuf": {100, 101, 99}, "encoding/gob": {2000, 2002, 1998}})
					cases, records = append(cases, c...), append(records, r...)
				}
			}
			ofChain(l.run.Plan.Cases, l.records)
			ofChain(cases, records)
			// CPU time rules as published, and code-only time elsewhere.
			for _, settled := range []string{"", "[claim.settled]\nverdict = \"depends\"\ntest = \"published/claims TestTrend\"\nwhy = \"it is so\"\n"} {
				r := l.ruleBesides(t, trendOf(sizes...)+settled, wholeResults(cases, records))
				if f := r.Findings[0]; f.Elsewhere == (settled == "") || f.Verdict != test.want || !strings.HasSuffix(f.Reason, test.reason) {
					t.Errorf("%s: %s, want %s with %q", f.Verdict, f.Reason, test.want, test.reason)
				}
			}
		})
	}
}

// TestWholes checks which whole values claims need.
func TestWholes(t *testing.T) {
	one := func(size, mode string, op result.Op) result.Case {
		return result.Case{Workload: "customer", Size: size, Contender: "protobuf", Mode: mode, Op: op}
	}
	needs := []Need{
		{one("level=1", "", result.Encode), []string{analysis.Time, analysis.CPUTime}, true},
		{one("level=2", "", result.Encode), []string{analysis.Time, analysis.CPUTime}, false},
		{one("level=2", "", result.Decode), []string{analysis.EncodedSize}, false},
		{one("level=2", "output=reuse", result.Encode), []string{analysis.CPUTime}, true},
		{one("level=2", "", result.Scan), []string{analysis.AllocBytes}, true},
		{one("level=2", "", result.Convert), []string{analysis.Time}, true},
		{one("level=1", contender.WholeMode, result.Decode), []string{analysis.StreamPause}, false},
		{one("level=1", contender.WholeMode, result.Decode), []string{analysis.StreamPeak}, false},
	}
	got := Wholes(needs, func(c result.Case) bool { return c.Size == "level=2" })
	want := []result.Case{one("level=2", contender.WholeMode, result.Encode), one("level=2", contender.WholeMode, result.Convert), one("level=1", contender.WholeMode, result.Decode)}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if n := len(Ordinary(needs)); n != 6 {
		t.Errorf("%d ordinary needs, want 6", n)
	}
}

// TestSessions rules by whole values of several sessions: each more makes the interval narrower, and
// a session that lacks a case, or ran out of memory, does not count.
func TestSessions(t *testing.T) {
	const ratio = "sizes = [\"level=2\"]\nops = [\"encode\"]\npredicate = \"ratio\"\nof = \"encoding/gob\"\nto = \"protobuf\"\nsays = \"about 29\"\n"
	session := func(gob, protobuf int64) *analysis.Results {
		return besides(result.Encode, "level=2", map[string][]int64{"encoding/gob": {gob, gob + 2, gob - 2}, "protobuf": {protobuf, protobuf + 1, protobuf - 1}})
	}
	chain := func(all ...*analysis.Results) *analysis.Results {
		for i := range all[1:] {
			all[i].Besides = all[i+1]
		}
		return all[0]
	}
	for _, test := range []struct {
		name   string
		with   *analysis.Results
		want   Verdict
		value  float64
		reason string
	}{
		{"one", session(1100, 100), Undecided, 11, "in each of 3 processes"},
		{"two", chain(session(1100, 100), session(990, 90)), Refuted, 11, "in each of 6 processes of 2 sessions"},
		{"two that differ", chain(session(450, 100), session(1800, 100)), Refuted, 9, "in each of 6 processes of 2 sessions"},
		{"two that leave it open", chain(session(2900, 100), session(3200, 100)), Undecided, 30.46, "in each of 6 processes of 2 sessions"},
		{"a slower machine", chain(session(1100, 100), session(11000, 1000)), Refuted, 11, "in each of 6 processes of 2 sessions"},
		{"one without a case", chain(session(1100, 100), besides(result.Encode, "level=2", map[string][]int64{"encoding/gob": {9, 9, 9}})), Undecided, 11, "in each of 3 processes"},
		{"the first out of memory", chain(besides(result.Encode, "level=2", map[string][]int64{"encoding/gob": nil, "protobuf": {100, 101, 99}}), session(1100, 100)), Undecided, 11, "in each of 3 processes"},
		{"the first out of memory, and another without a case", chain(besides(result.Encode, "level=2", map[string][]int64{"encoding/gob": nil, "protobuf": {100, 101, 99}}), besides(result.Encode, "level=3", map[string][]int64{"protobuf": {9, 9, 9}})), Untested, 0, "encoding/gob encode at level=2, whole: oom: grew past 8.0 GiB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab()
			for _, name := range []string{"encoding/gob", "protobuf"} {
				l.outcome("level=2", result.Encode, name, result.Unsupported, "level=2 takes about 9 GiB; add --giants to see")
			}
			r := l.ruleBesides(t, ratio, test.with)
			f := r.Findings[0]
			if strings.Contains(test.reason, "2 sessions") { // bytes are counted over the same sessions
				if r := l.ruleBesides(t, ratio+"metric = \"alloc-bytes\"\n", test.with); !strings.HasSuffix(r.Findings[0].Reason, test.reason) {
					t.Errorf("bytes: %q, want %q", r.Findings[0].Reason, test.reason)
				}
			}
			if f.Verdict != test.want || (f.Measured == nil) != (test.value == 0) || f.Measured != nil && math.Abs(f.Measured.Value/test.value-1) > 0.01 || !strings.Contains(f.Reason, test.reason) {
				t.Errorf("%s: %+v, %q, want %s of %v with %q", f.Verdict, f.Measured, f.Reason, test.want, test.value, test.reason)
			}
			if open := "the interval from 6 processes of 2 sessions is too wide"; test.want == Undecided && strings.Contains(test.reason, "2 sessions") && !strings.HasSuffix(r.Reason, open) {
				t.Errorf("%q, want %q", r.Reason, open)
			}
		})
	}
}

// TestPool: the interval of the mean over sessions is narrower by the root of their number. Of
// counts, the median rules.
func TestPool(t *testing.T) {
	one := figure{Interval: analysis.Interval{Value: 10, Lo: 5, Hi: 20}, whole: 6, layouts: sessionsBehind}
	got := pool([]figure{one, one, one, one})
	if math.Abs(got.Value-10) > 1e-9 || math.Abs(got.Lo-10/math.Sqrt2) > 1e-9 || math.Abs(got.Hi-10*math.Sqrt2) > 1e-9 || got.whole != 24 {
		t.Errorf("%+v, want 10 (7.07…14.1) of 24 processes", got)
	}
	// The interval's 97.5% quantile is that of 4 degrees of freedom, so 99% is 1.658 times as far.
	wider := 10 * math.Pow(math.Sqrt2, 4.604/2.776)
	if p := got.P(wider, got.layouts); math.Abs(p-0.01) > 1e-4 {
		t.Errorf("p = %v at %v, want 0.01", p, wider)
	}
	count := func(v float64) figure {
		return figure{Interval: analysis.Interval{Value: v, Lo: v, Hi: v}, exact: true}
	}
	if got := pool([]figure{count(7), count(5), count(900)}); got.Value != 7 || !got.exact {
		t.Errorf("%+v, want the exact count 7", got)
	}
}
