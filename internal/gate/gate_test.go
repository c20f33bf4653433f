package gate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/internal/host"
	"assay/internal/measure"
	"assay/internal/report"
	"assay/published/claims"
	"assay/published/exhibits"
	"assay/published/reproduce"
	"assay/published/sources"
	"assay/result"
	"assay/workload/probes"
)

// resultsOf returns the results of a run with rows of the metric time.
func resultsOf(precision float64, rows ...analysis.Row) *analysis.Results {
	r := &analysis.Results{Run: &result.Run{Plan: result.Plan{Precision: precision}}}
	for i := range rows {
		rows[i].Case.Workload, rows[i].Case.Size, rows[i].Case.Op, rows[i].Metric = "movie", "record=one", result.Encode, analysis.Time
	}
	r.Tables = []analysis.Table{{Rows: rows}}
	return r
}

func row(name string, status result.Status, number bool) analysis.Row {
	r := analysis.Row{Case: result.Case{Contender: name}, Status: status, Reason: "boom"}
	if number {
		r.Number = &analysis.Interval{Value: 1, Lo: 1, Hi: 1}
		r.Ratio = r.Number
	}
	return r
}

func TestRun(t *testing.T) {
	wide := row("gob", result.Noisy, true)
	wide.TooWide = true
	hopeless := wide
	hopeless.Hopeless = true
	alone := row("gob", result.OK, true)
	alone.Ratio = nil
	good := row("json", result.OK, true)
	for _, test := range []struct {
		name   string
		r      *analysis.Results
		strict bool
		code   Verdict
		text   string
	}{
		{"good", resultsOf(0.02, good), true, Passed, ""},
		{"no precision is asked", resultsOf(0, good, wide, row("xml", result.Panic, false)), true, Passed, ""},
		{"wide", resultsOf(0.02, good, wide), true, Noisy, "less precise than asked: movie/record=one/gob/encode; raise --budget, or quieten the machine (assay doctor)"},
		{"wide, whatever the budget", resultsOf(0.01, good, hopeless), true, Noisy, "gob/encode; no budget reaches it: quieten the machine (assay doctor)"},
		{"one of both", resultsOf(0.01, hopeless, wide), true, Noisy, "; raise --budget, or quieten the machine (assay doctor)"},
		{"without a ratio", resultsOf(0.02, good, alone), true, Noisy, "less precise than asked: movie/record=one/gob/encode; raise"},
		{"unsupported", resultsOf(0.02, good, row("xml", result.Unsupported, false)), true, Passed, ""},
		{"panics", resultsOf(0.02, good, wide, row("xml", result.Panic, false)), true, Failed, "--precision: movie/record=one/xml/encode: panic: boom; movie/record=one/gob/encode"},
		{"unverified", resultsOf(0.02, good, row("a", result.Timeout, false), row("xml", result.Unverified, false)), true, No, "--precision: movie/record=one/xml/encode: unverified: boom; movie/record=one/a/encode: timeout: boom"},
		{"of own data", resultsOf(0.02, good, row("xml", result.Panic, false)), false, Passed, ""},
		{"nothing", resultsOf(0, row("xml", result.Unverified, false), row("gob", result.BuildFailed, false)), false, Failed,
			"nothing was measured: movie/record=one/xml/encode: unverified: boom; movie/record=one/gob/encode: build-failed: boom"},
		{"no case", resultsOf(0.02), true, Failed, "nothing was measured: the run has no case in view"},
	} {
		checkGate(t, test.name, Measured(test.r, test.strict), test.code, test.text)
	}
}

// checkGate checks the verdict and the line of a gate.
func checkGate(t *testing.T, name string, g *Gate, want Verdict, text string) {
	t.Helper()
	line, _ := g.Line()
	if got := g.Verdict(); got != want || (line == "") != (want == Passed) || !strings.Contains(line, text) {
		t.Errorf("%s: verdict %d, %q; want %d, %q", name, got, line, want, text)
	}
}

func TestVerified(t *testing.T) {
	of := func(contender string, status result.Status) report.VerifiedRow {
		return report.VerifiedRow{Workload: "movie", Size: "record=one", Contender: contender, Status: status, Reason: "boom"}
	}
	for _, test := range []struct {
		name string
		rows []report.VerifiedRow
		code Verdict
		text string
	}{
		{"a named one that nothing is known of", []report.VerifiedRow{of("a", result.OK), of("named", result.Unsupported), of("named", result.Unsupported)}, Failed, "verify: nothing of named was verified: boom"},
		{"a named one that the selection leaves out", []report.VerifiedRow{of("a", result.OK)}, Failed, "verify: nothing of named was verified: the selected modes and ops leave it out"},
		{"a named one that holds something", []report.VerifiedRow{of("named", result.OK), of("named", result.Unsupported)}, Passed, ""},
		{"good", []report.VerifiedRow{of("named", result.OK), of("b", result.Unsupported)}, Passed, ""},
		{"another value", []report.VerifiedRow{of("named", result.OK), of("b", result.Unverified)}, No, "verify: movie/record=one/b: unverified: boom"},
		{"does not build", []report.VerifiedRow{of("named", result.OK), of("b", result.BuildFailed)}, Failed, "verify: movie/record=one/b: build-failed: boom"},
		{"hangs", []report.VerifiedRow{of("named", result.OK), of("b", result.Timeout)}, Failed, "timeout: boom"},
		{"a named one with one row", []report.VerifiedRow{of("a", result.OK), of("named", result.Unsupported)}, Failed, "verify: nothing of named was verified: boom"},
	} {
		checkGate(t, test.name, Verified(test.rows, []string{"named"}), test.code, test.text)
	}
	checkGate(t, "nobody can hold it", Verified([]report.VerifiedRow{of("b", result.Unsupported)}, nil), Failed, "verify: nothing was verified: boom")
	checkGate(t, "nobody", Verified(nil, nil), Failed, "verify: nothing was verified: no contender was asked")
}

func TestMust(t *testing.T) {
	of := func(name string, unmet ...string) *answer.Candidate {
		c := &answer.Candidate{Unmet: unmet}
		c.Contender = name
		return c
	}
	must := []string{"safe", "lossless"}
	for _, test := range []struct {
		name string
		a    *answer.Answer
		code Verdict
		text string
	}{
		{"nothing asked", &answer.Answer{Candidates: []*answer.Candidate{of("a", "unsafe")}}, Passed, ""},
		{"one is", &answer.Answer{Asked: answer.Asked{Must: must}, Candidates: []*answer.Candidate{of("a", "unsafe"), of("b")}}, Passed, ""},
		{"none is", &answer.Answer{Asked: answer.Asked{Must: must}, Candidates: []*answer.Candidate{of("a", "unsafe", "loses")}}, No, "--must safe,lossless: a: unsafe, loses"},
		{"each lacks one", &answer.Answer{Asked: answer.Asked{Must: must}, Candidates: []*answer.Candidate{of("a", "unsafe"), of("b", "loses")}}, No, "--must safe,lossless: a: unsafe; b: loses"},
		{"nothing measured", &answer.Answer{Asked: answer.Asked{Must: must}}, Failed, "--must safe,lossless: no round trip was measured"},
	} {
		checkGate(t, test.name, Must(test.a), test.code, test.text)
	}
}

// TestRanked checks that a ranking without rows fails.
func TestRanked(t *testing.T) {
	run := resultsOf(0, row("json", result.OK, true), row("gob", result.OK, true))
	checkGate(t, "two rows", Ranked(&analysis.Standing{Results: run, Cells: []analysis.CellStanding{{Table: &run.Tables[0]}}}), Passed, "")
	streams := &analysis.Results{Tables: []analysis.Table{{Rows: []analysis.Row{{Case: result.Case{Mode: contender.StreamMode}}}}}}
	checkGate(t, "streams", Ranked(&analysis.Standing{Results: streams}), Failed, "nothing to rank: streams and whole values have no ranks: assay show prints their times")
	checkGate(t, "no row", Ranked(&analysis.Standing{Results: run}), Failed, "nothing to rank: no case of the run in view has a time")
}

// TestClaimsInPart checks that a claim that holds only where it was tested does not pass, unless
// the rest could not be tested.
func TestClaimsInPart(t *testing.T) {
	of := func(missing result.Status, reason string) []claims.Ruling {
		return []claims.Ruling{{
			Claim: &claims.Claim{ID: "small", File: "mine.toml", Line: 3, Expect: claims.Holds}, Verdict: claims.HoldsMeasured,
			Findings: []claims.Finding{{Verdict: claims.Holds}, {Condition: claims.Condition{Size: "txs=1", Op: result.Encode}, Verdict: claims.Untested, Missing: missing, Reason: reason}},
		}}
	}
	const large = "protobuf encode at txs=1: a value takes 12 MB, which is too large for --quick"
	for _, test := range []struct {
		missing result.Status
		reason  string
		quick   bool
		code    Verdict
	}{
		{"", "boom", false, Passed}, // a ratio to 0 does not exist
		{result.Unsupported, "boom", false, Passed},
		{result.Timeout, large, true, Passed},
		{result.Timeout, large, false, Failed},
		{result.Timeout, "protobuf encode at txs=1: hung for 10 s", true, Failed},
		{result.Timeout, "protobuf encode at txs=1: not measured: the run was interrupted", true, Failed},
		{result.Timeout, "protobuf encode at txs=1: not measured: the budget ended before its first launch (raise --budget)", true, Failed},
		{result.Timeout, "protobuf encode at txs=1: not timed: the claims need its memory and sizes only", true, Failed},
		{result.Panic, large, true, Failed},
		{result.Unverified, "boom", false, Failed},
		{result.BuildFailed, "boom", false, Failed},
		{claims.Absent, "boom", true, Failed},
	} {
		text := ""
		if test.code != Passed {
			text = "not tested: mine.toml:3: small: expected holds, found holds where measured (1 of 2): "
		}
		checkGate(t, fmt.Sprint(test.missing, test.quick, test.reason), Claims(of(test.missing, test.reason), byRun(test.quick, true)), test.code, text)
	}
}

// TestClaimsPlainInPart checks the same for verdicts other than "where measured": a condition
// without a number because of a failure fails the gate, even if the claims file says that the
// conditions cannot differ.
func TestClaimsPlainInPart(t *testing.T) {
	const hung = "protobuf encode at txs=1: no answer in 30s"
	untested := func(missing result.Status, reason string) claims.Finding {
		return claims.Finding{Condition: claims.Condition{Size: "txs=1", Op: result.Encode}, Verdict: claims.Untested, Missing: missing, Reason: reason}
	}
	for _, test := range []struct {
		name    string
		claim   claims.Claim
		verdict claims.Verdict
		missing result.Status
		reason  string
		code    Verdict
	}{
		{"depends", claims.Claim{}, claims.Depends, result.Panic, "boom", Failed},
		{"depends, and it was not to be measured", claims.Claim{}, claims.Depends, result.Unsupported, "boom", Passed},
		{"one exception", claims.Claim{Every: true}, claims.Refuted, claims.Absent, "boom", Failed},
		{"most", claims.Claim{Most: true}, claims.Holds, result.Unverified, "boom", Failed},
		{"same and a panic", claims.Claim{Same: "x"}, claims.Holds, result.Panic, "boom", Failed},
		{"same and another value", claims.Claim{Same: "x"}, claims.Refuted, result.Unverified, "boom", Failed},
		{"same and no build", claims.Claim{Same: "x"}, claims.Holds, result.BuildFailed, "boom", Failed},
		{"same and out of memory", claims.Claim{Same: "x"}, claims.Holds, result.OOM, "boom", Failed},
		{"same and a hang", claims.Claim{Same: "x"}, claims.Holds, result.Timeout, hung, Failed},
		{"same and too slow", claims.Claim{Same: "x"}, claims.Holds, result.Timeout, "one op takes about 9 s, which does not fit", Passed},
		{"same and not in the run", claims.Claim{Same: "x"}, claims.Holds, claims.Absent, "boom", Passed},
	} {
		c := test.claim
		c.ID, c.File, c.Line, c.Expect = "small", "mine.toml", 3, test.verdict
		r := claims.Ruling{Claim: &c, Verdict: test.verdict, Findings: []claims.Finding{{Verdict: claims.Holds}, untested(test.missing, test.reason)}}
		text := ""
		if test.code != Passed {
			text = fmt.Sprintf("not tested: mine.toml:3: small: expected %s, found %[1]s (1 of 2): encode txs=1: %s", test.verdict, test.reason)
		}
		checkGate(t, test.name, Claims([]claims.Ruling{r}, byRun(false, true)), test.code, text)
	}
}

// TestClaimsOpen checks that a verdict other than the expected one is no answer if what is missing
// could still change it to that.
func TestClaimsOpen(t *testing.T) {
	every, most := claims.Claim{Every: true}, claims.Claim{Most: true}
	for _, test := range []struct {
		claim          claims.Claim
		expect, found  claims.Verdict
		missing, plain Verdict // with a panic, and with nothing missing
	}{
		{claims.Claim{}, claims.Depends, claims.HoldsMeasured, Failed, No},
		{claims.Claim{}, claims.Depends, claims.RefutedMeasured, Failed, No},
		{claims.Claim{}, claims.Refuted, claims.HoldsMeasured, No, No},
		{claims.Claim{}, claims.Holds, claims.RefutedMeasured, No, No},
		{claims.Claim{}, claims.Holds, claims.Depends, No, No},
		{claims.Claim{}, claims.Holds, claims.Undecided, Failed, Noisy},
		{every, claims.Refuted, claims.HoldsMeasured, Failed, No},
		{every, claims.Holds, claims.Refuted, No, No},
		{most, claims.Holds, claims.Depends, Failed, No},
		{most, claims.Refuted, claims.HoldsMeasured, Failed, No},
	} {
		for missing, code := range map[result.Status]Verdict{result.Panic: test.missing, "": test.plain} {
			c := test.claim
			c.ID, c.File, c.Line, c.Expect = "small", "mine.toml", 3, test.expect
			r := claims.Ruling{Claim: &c, Verdict: test.found, Findings: []claims.Finding{{Verdict: claims.Holds}, {Verdict: claims.Untested, Missing: missing, Reason: "boom"}}}
			checkGate(t, fmt.Sprint(test, missing), Claims([]claims.Ruling{r}, byRun(false, true)), code, "")
		}
	}
}

// byRun returns the results of a run.
func byRun(quick, complete bool) *analysis.Results {
	run := &result.Run{ID: "r", Plan: result.Plan{Quick: quick}}
	if complete {
		run.Finished = time.Unix(1, 0)
	}
	return &analysis.Results{Run: run}
}

// TestClaimsLeftOut checks that the gate accepts what a quick run for claims leaves out, in the
// words of the real plan, whether the case is counted or not.
func TestClaimsLeftOut(t *testing.T) {
	var needs []claims.Need
	for _, size := range []string{"txs=30000", "txs=200000"} {
		one := result.Case{Workload: "chain", Size: size, Contender: "protobuf", Op: result.Encode}
		needs = append(needs, claims.Need{Case: one, Metrics: []string{analysis.Time, analysis.EncodedSize}})
	}
	cfg := measure.Config{Input: measure.Builtin()}
	p, sel, err := cfg.ForClaims(result.Plan{Quick: true}, needs)
	if err != nil {
		t.Fatal(err)
	}
	left := slices.Concat(p.Untimed, sel.Outcomes)
	if len(p.Untimed) != 1 || len(left) != 2 {
		t.Errorf("%d of %d are left out: %v", len(left), len(needs), left)
	}
	for _, o := range left {
		r := claims.Ruling{Claim: &claims.Claim{Expect: claims.Holds}, Verdict: claims.HoldsMeasured, Findings: []claims.Finding{
			{Verdict: claims.Holds}, {Verdict: claims.Untested, Missing: o.Status, Reason: "protobuf encode at " + o.Case.Size + ": " + o.Reason},
		}}
		checkGate(t, o.Reason, Claims([]claims.Ruling{r}, byRun(true, true)), Passed, "")
	}
}

// A reproduction that was cut short counts if it decided a condition.
func TestReproductionCutShort(t *testing.T) {
	rulings := []claims.Ruling{{Claim: &claims.Claim{ID: "small"}, Verdict: claims.Holds, Findings: []claims.Finding{{Verdict: claims.Holds, OwnMethod: "used"}}}}
	used := claims.Reproduction{Run: &result.Run{ID: "used"}}
	checkGate(t, "used", Claims(rulings, byRun(false, true), used), Failed, "the reproduction: the run was interrupted, and what it did not come to is missing")
	used.Run.ID = "not used"
	checkGate(t, "not used", Claims(rulings, byRun(false, true), used), Passed, "")
}

// TestClaimsCutShort checks that a run that was cut short fails the gate if claims need it.
func TestClaimsCutShort(t *testing.T) {
	holds := []claims.Ruling{{Claim: &claims.Claim{ID: "small"}, Verdict: claims.Holds, Findings: []claims.Finding{{Verdict: claims.Holds}}}}
	settled := []claims.Ruling{{Claim: &claims.Claim{ID: "read", Settled: &claims.Settled{Verdict: claims.Holds}}, Verdict: claims.Holds}}
	elsewhere := []claims.Ruling{{Claim: &claims.Claim{ID: "data", Untested: "other data"}, Verdict: claims.Untested, Elsewhere: claims.Holds, Findings: []claims.Finding{{Verdict: claims.Holds, Elsewhere: true}}}}
	besides := byRun(false, true)
	besides.Besides = byRun(false, false)
	besides.Besides.Run.ID = "whole"
	const text = "the run was interrupted, and what it did not come to is missing"
	for _, test := range []struct {
		name    string
		rulings []claims.Ruling
		by      *analysis.Results
		code    Verdict
	}{
		{"complete", holds, byRun(false, true), Passed},
		{"cut short", holds, byRun(false, false), Failed},
		{"quick and cut short", holds, byRun(true, false), Failed},
		{"whole values cut short", holds, besides, Failed},
		{"nothing was to be measured", settled, nil, Passed},
		{"no claim", nil, nil, Failed},
		{"what no run decides", settled, byRun(false, false), Passed},
		{"elsewhere only, and cut short", elsewhere, byRun(false, false), Failed},
		{"elsewhere only", elsewhere, byRun(false, true), Passed},
	} {
		want := ""
		if test.code != Passed {
			want = text
		}
		if test.rulings == nil {
			want = "there is no claim to test"
		}
		checkGate(t, test.name, Claims(test.rulings, test.by), test.code, want)
	}
}

func TestExhibits(t *testing.T) {
	half := analysis.Bench{Status: result.OK}
	of := func(checks []exhibits.Check, halves ...analysis.Bench) *exhibits.Results {
		e := exhibits.Exhibit{Checks: checks, Half: [2]analysis.Bench{halves[0], halves[1]}}
		e.Name = "xmlslice"
		return &exhibits.Results{Exhibits: []exhibits.Exhibit{e}}
	}
	got := &analysis.Interval{Value: 1}
	for _, test := range []struct {
		name string
		r    *exhibits.Results
		code Verdict
		text string
	}{
		{"holds", of([]exhibits.Check{{Metric: "time", Of: "ratio", Got: got, Holds: true}}, half, half), Passed, ""},
		{"does not", of([]exhibits.Check{{Metric: "time", Of: "ratio", Got: got}}, half, half), No, "the run does not show what the text says: xmlslice: time of ratio"},
		{"no number", of([]exhibits.Check{{Metric: "time", Of: "ratio"}}, half, half), Failed, "xmlslice: time of ratio has no number"},
		{"died", of([]exhibits.Check{{Metric: "time", Of: "ratio", Got: got, Holds: true}}, half, analysis.Bench{Status: result.Panic, Reason: "boom"}), Failed, "xmlslice: the corrected half: panic: boom"},
		{"nothing expected", of(nil, half, half), Failed, "states nothing to check"},
		{"cut short", &exhibits.Results{Run: &result.Run{}}, Failed, "the run was interrupted, and what it did not come to is missing"},
		{"finished", &exhibits.Results{Run: &result.Run{Finished: time.Unix(1, 0)}}, Passed, ""},
	} {
		checkGate(t, test.name, Exhibits(test.r), test.code, test.text)
	}
}

// TestComparedBelowZero checks that a count that grows from below zero does not pass --fail-on, and
// that one that falls does. Their ratios say the opposite.
func TestComparedBelowZero(t *testing.T) {
	one := result.Case{Workload: "movie", Size: "record=one", Contender: "bson"}
	for _, test := range []struct {
		a, b float64
		code Verdict
		text string
	}{
		{-1000, -10, Failed, "--fail-on +5%: movie/record=one/bson: binary-growth went from −1.00 kB to −10 B, which no percentage describes"},
		{-1000, 1000, Failed, "binary-growth went from −1.00 kB to 1.00 kB"},
		{-10, 0, Failed, "binary-growth went from −10 B to 0 B"},
		{-10, -1000, Passed, ""},
		{1000, -10, Passed, ""},
		{-10, -10, Passed, ""},
	} {
		of := func(v float64) *analysis.Interval { return &analysis.Interval{Value: v, Lo: v, Hi: v} }
		ratio := test.b / test.a
		row := analysis.Change{A: one, B: one, Metric: analysis.BinaryGrowth, Unit: "B", ValueA: of(test.a), ValueB: of(test.b), Factor: of(ratio)}
		c := &analysis.Comparison{Kind: analysis.OfVersions, A: &analysis.Side{Run: &result.Run{Finished: time.Unix(1, 0)}}, B: &analysis.Side{}, Rows: []analysis.Change{row}}
		checkGate(t, fmt.Sprint(test.a, test.b), Compared(c.Judge(0.05), c, "+5%"), test.code, test.text)
	}
}

// TestComparableRuns checks that runs without a common case name what each of them lacks, not a
// timeout, and the remedy.
func TestComparableRuns(t *testing.T) {
	one := result.Case{Workload: "movie", Size: "record=one", Contender: "bson", Op: result.Decode}
	j := analysis.Judgement{Open: []analysis.Gap{{Case: one, Metric: analysis.Time, Status: result.Timeout, Reason: "only in first"}}}
	c := &analysis.Comparison{Kind: analysis.OfRuns, A: &analysis.Side{Label: "first"}, B: &analysis.Side{Label: "second"}}
	checkGate(t, "nothing in common", Comparable(j, c), Failed,
		"nothing was compared: movie/record=one/bson/decode: only in first; measure both with the same -w, -c, -m and -o")
	j.Open[0].Status, j.Open[0].Reason = result.Panic, "boom"
	checkGate(t, "a panic", Comparable(j, c), Failed, "nothing was compared: movie/record=one/bson/decode: panic: boom")
	j.Judged = 1
	checkGate(t, "a panic, and something was compared", Comparable(j, c), Passed, "")
	checkGate(t, "nothing at all", Comparable(analysis.Judgement{}, c), Failed, "nothing was compared: first and second share no case in view; measure both with the same -w, -c, -m and -o")
}

// TestReproduced checks that a reproduction passes if something was measured by one method at least,
// and that a row fails if its contender or its benchmark failed or hung, once for each method.
func TestReproduced(t *testing.T) {
	one := result.Case{Workload: "tick", Size: "payload=published", Contender: "protobuf", Op: result.Encode}
	row := sources.Row{Label: "encode", Library: "proto", Benchmark: "encode/x/proto", Case: one}
	all := []sources.Source{{ID: "tick", Tables: []sources.Table{{ID: "speed", Rows: []sources.Row{row}}, {ID: "again", Rows: []sources.Row{row}}}}}
	bench := func(status result.Status, reason string) result.Record {
		return result.Record{Bench: &result.Bench{Set: "sources/tick", Name: row.Benchmark, Benchtime: "10x", N: 10, NS: 5, Status: status, Reason: reason}}
	}
	outcome := func(status result.Status, reason string) result.Record {
		return result.Record{Outcome: &result.Outcome{Case: one, Status: status, Reason: reason}}
	}
	for _, test := range []struct {
		name     string
		records  []result.Record
		finished bool
		code     Verdict
		text     string // the whole line
	}{
		{"measured", []result.Record{bench("", ""), outcome(result.Unsupported, "too large")}, true, Passed, ""},
		{"too slow for the engine", []result.Record{bench("", ""), outcome(result.Timeout, "not measured: too slow")}, true, Passed, ""},
		{"cut short", []result.Record{bench("", "")}, false, Failed, "reproduce: the run was interrupted, and what it did not come to is missing"},
		{"too large for both", []result.Record{bench(result.OOM, "grew"), outcome(result.Unsupported, "too large")}, true, Failed, "reproduce: nothing was measured"},
		{"another value", []result.Record{bench("", ""), outcome(result.Unverified, "2 became 1")}, true, No, "reproduce: tick/payload=published/protobuf/encode: unverified: 2 became 1"},
		{"the benchmark panics", []result.Record{bench(result.Panic, "boom")}, true, Failed, "reproduce: tick/payload=published/protobuf/encode: panic: boom"},
		{"hangs", []result.Record{bench("", ""), outcome(result.Timeout, "no answer in 30s")}, true, Failed, "reproduce: tick/payload=published/protobuf/encode: timeout: no answer in 30s"},
		{"both fail", []result.Record{bench(result.Panic, "boom"), outcome(result.Panic, "bang")}, true, Failed,
			"reproduce: tick/payload=published/protobuf/encode: panic: boom; tick/payload=published/protobuf/encode: panic: bang"},
	} {
		run := &result.Run{}
		if test.finished {
			run.Finished = time.Unix(1, 0)
		}
		g := Reproduced(reproduce.Of(all, run, test.records, nil))
		checkGate(t, test.name, g, test.code, test.text)
		if line, _ := g.Line(); line != test.text {
			t.Errorf("%s: %q, want %q", test.name, line, test.text)
		}
	}
}

// TestReproducedHalf checks that a finished run fails if all records of a method are lost.
func TestReproducedHalf(t *testing.T) {
	one := result.Case{Workload: "tick", Size: "payload=published", Contender: "protobuf", Op: result.Encode}
	row := sources.Row{Label: "encode", Library: "proto", Benchmark: "encode/x/proto", Case: one}
	all := []sources.Source{{ID: "tick", Tables: []sources.Table{{ID: "speed", Rows: []sources.Row{row}}}}}
	bench := result.Record{Bench: &result.Bench{Set: "sources/tick", Name: row.Benchmark, Benchtime: "10x", N: 10, NS: 5}}
	var launches []result.Record
	for index := range 4 {
		launches = append(launches, result.Record{Launch: &result.Launch{Cell: one.Cell(), Layout: uint64(index + 1), Index: index, Series: []result.Series{
			{Subject: one.Subject(), N: 100, Round: []int{0, 1}, Wall: []int64{1000, 1010}, CPU: []int64{1000, 1010}},
		}}})
	}
	for want, records := range map[string][]result.Record{
		"reproduce: assay's engine measured nothing":         {bench},
		"reproduce: the run has no benchmark of the sources": launches,
		"": append(launches, bench),
	} {
		run := &result.Run{Finished: time.Unix(1, 0), Plan: result.Plan{Reference: "protobuf", Cases: []result.Case{one}}}
		if line, _ := Reproduced(reproduce.Of(all, run, records, nil)).Line(); line != want {
			t.Errorf("%q, want %q", line, want)
		}
	}
}

// TestReproducedWholes checks that a run of whole values that was cut short fails if it is shown.
func TestReproducedWholes(t *testing.T) {
	c := result.Case{Workload: "chain", Size: "txs=100", Contender: "protobuf", Op: result.Encode}
	all := []sources.Source{{ID: "chain", Tables: []sources.Table{{ID: "t", Rows: []sources.Row{{Label: "a", Library: "b", Case: c}}}}}}
	whole := c
	whole.Mode = contender.WholeMode
	for finished, text := range map[bool]string{true: "", false: "reproduce: the whole values: the run was interrupted (assay run --resume w), and what it did not come to is missing"} {
		run := &result.Run{ID: "w", Plan: result.Plan{Stream: &result.StreamPlan{}, Cases: []result.Case{whole}}}
		code := Failed
		if finished {
			run.Finished, code = time.Unix(1, 0), Passed
		}
		record := result.Record{Stream: &result.Stream{Case: whole, Messages: 1, Items: 1, Bytes: 1, Wall: 1, CPU: 1, Sum: "0"}}
		wholes := analysis.Of(run, []result.Record{record, record}, analysis.View{})
		checkGate(t, fmt.Sprint(finished), Reproduced(reproduce.Of(all, &result.Run{Finished: time.Unix(1, 0)}, nil, wholes)), code, text)
	}
}

// TestFit checks that a machine is unfit by each bad check, or by what was measured on it.
func TestFit(t *testing.T) {
	checks := func(level host.Level) []host.Check {
		return []host.Check{{Name: "memory", Level: level, Text: "it swaps"}, {Name: "clock", Level: level, Text: "it jumps"}}
	}
	for _, test := range []struct {
		name string
		d    report.Diagnosis
		code Verdict
		text string
	}{
		{"fit", report.Diagnosis{Control: new(1.0), Checks: checks(host.OK), Fit: "yes"}, Passed, ""},
		{"with care", report.Diagnosis{Control: new(1.0), Checks: checks(host.Warn), Fit: "with care", Not: "it swaps"}, Passed, ""},
		{"bad checks", report.Diagnosis{Checks: checks(host.Bad), Fit: "no", Not: "it swaps"}, No, "not fit to measure: memory: it swaps; clock: it jumps"},
		{"noise", report.Diagnosis{Control: new(1.0), Checks: checks(host.OK), Fit: "no", Not: "grade D"}, No, "not fit to measure: grade D"},
		{"no control", report.Diagnosis{Checks: checks(host.OK), Fit: "no", Not: report.NoControl}, Failed, "not fit to measure: the reference could not be measured against itself"},
	} {
		checkGate(t, test.name, Fit(&test.d), test.code, test.text)
	}
}

// TestClaimsNames checks that the line of a gate of claims says of what kind its findings are, and
// what to do if the figures are too noisy.
func TestClaimsNames(t *testing.T) {
	of := func(expect, found claims.Verdict, untested string) claims.Ruling {
		return claims.Ruling{Claim: &claims.Claim{ID: "small", File: "mine.toml", Line: 3, Expect: expect, Untested: untested}, Verdict: found, Reason: "boom\nmore"}
	}
	noisy, wrong, without := of(claims.Holds, claims.Undecided, ""), of(claims.Holds, claims.Refuted, ""), of("", claims.Untested, "")
	for _, test := range []struct {
		name    string
		rulings []claims.Ruling
		code    Verdict
		text    string
	}{
		{"noisy", []claims.Ruling{noisy}, Noisy, "too noisy to say: mine.toml:3: small: expected holds, found undecided; raise --budget and --layouts, or quieten the machine (assay doctor)"},
		{"noisy and wrong", []claims.Ruling{noisy, wrong}, No, "not as expected: mine.toml:3: small: expected holds, found refuted; mine.toml:3: small: expected holds, found undecided"},
		{"noisy and untested", []claims.Ruling{noisy, of(claims.Holds, claims.Untested, "")}, Failed, "not tested: mine.toml:3: small: expected holds, found untested: boom; mine.toml:3: small: expected holds, found undecided"},
		{"none tested, and none expected", []claims.Ruling{of("", claims.Untested, "other data"), without, without}, Failed, "no claim was tested: boom"},
		{"one of two tested", []claims.Ruling{without, of("", claims.Refuted, "")}, Passed, ""},
		{"none can be tested", []claims.Ruling{of("", claims.Untested, "other data")}, Passed, ""},
	} {
		g := Claims(test.rulings, byRun(false, true))
		checkGate(t, test.name, g, test.code, test.text)
		if line, _ := g.Line(); line != test.text {
			t.Errorf("%s: %q, want %q", test.name, line, test.text)
		}
	}
}

// TestLine checks that the line of a gate names its worst findings first, at most three, and comes after
// a list of all if there are more. The worst finding decides.
func TestLine(t *testing.T) {
	g := &Gate{}
	g.Unusable(nil)
	if line, before := g.Line(); g.Verdict() != Passed || g.Name != "" || line != "" || before != nil {
		t.Errorf("without findings: %d, %q, %q", g.Verdict(), line, before)
	}
	for _, test := range []struct {
		add     func()
		verdict Verdict
		line    string
		before  string
	}{
		{func() { g.Name, g.Advice = "check", "do this"; g.Add(Noisy, "%s is wide", "a") }, Noisy, "check: a is wide; do this", ""},
		{func() { g.Unusable([]string{"r"}) }, Failed, "check: records of run r that cannot be used are left out; a is wide; do this", ""},
		{func() { g.Add(No, "b is wrong") }, No, "check: b is wrong; records of run r that cannot be used are left out; a is wide; do this", ""},
		{func() { g.Add(Failed, "c died") }, No, "check: b is wrong; records of run r that cannot be used are left out; c died; and 1 more; do this",
			"b is wrong|records of run r that cannot be used are left out|c died|a is wide"},
	} {
		test.add()
		if line, before := g.Line(); g.Verdict() != test.verdict || line != test.line || strings.Join(before, "|") != test.before {
			t.Errorf("%d, %q, %q; want %d, %q, %q", g.Verdict(), line, before, test.verdict, test.line, test.before)
		}
	}
	unnamed := &Gate{}
	unnamed.Unusable([]string{"r", "s"})
	checkGate(t, "damaged", unnamed, Failed, "not judged: records of run r that cannot be used are left out; records of run s")
}

// TestProbed checks that probes pass if some contender was asked, none answers otherwise than it
// declares, and none failed.
func TestProbed(t *testing.T) {
	row := func(name string, wrong ...string) report.MatrixRow {
		return report.MatrixRow{Row: probes.Row{Contender: name}, Wrong: wrong}
	}
	missing := func(name string, status result.Status) result.Outcome {
		return result.Outcome{Case: result.Case{Workload: "probes", Size: "probe=base", Contender: name}, Status: status, Reason: "boom\nmore"}
	}
	for _, test := range []struct {
		name string
		m    report.Matrix
		code Verdict
		text string
	}{
		{"as declared", report.Matrix{Rows: []report.MatrixRow{row("a")}, Missing: []result.Outcome{missing("b", result.Unsupported)}}, Passed, ""},
		{"not as declared", report.Matrix{Rows: []report.MatrixRow{row("a", "loses zones\nsee", "loses more")}}, No, "verify --probes: a: loses zones; a: loses more"},
		{"another value", report.Matrix{Rows: []report.MatrixRow{row("a")}, Missing: []result.Outcome{missing("b", result.Unverified)}}, No, "verify --probes: probes/probe=base/b: unverified: boom"},
		{"does not build", report.Matrix{Rows: []report.MatrixRow{row("a")}, Missing: []result.Outcome{missing("b", result.BuildFailed)}}, Failed, "verify --probes: probes/probe=base/b: build-failed: boom"},
		{"nobody", report.Matrix{Missing: []result.Outcome{missing("b", result.Unsupported)}}, Failed, "verify --probes: nothing was asked: no contender can hold the probes"},
	} {
		checkGate(t, test.name, Probed(&test.m), test.code, test.text)
	}
}

// TestBuilt checks that runners lack no contender, and that a plan has a case.
func TestBuilt(t *testing.T) {
	whole, lacking := measure.BuiltRunner{}, measure.BuiltRunner{LeftOut: []measure.LeftOut{{Contender: "a", Reason: "cgo is off\nmore"}, {Contender: "b", Reason: "boom"}}}
	checkGate(t, "whole", Built([]measure.BuiltRunner{whole, whole}), Passed, "")
	checkGate(t, "lacking", Built([]measure.BuiltRunner{whole, lacking}), Failed, "not every contender is built: a: cgo is off; b: boom")
	checkGate(t, "cases", Planned(1), Passed, "")
	checkGate(t, "no case", Planned(0), Failed, "nothing would be measured: every case that was selected is left out")
}
