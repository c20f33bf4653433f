package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/published/claims"
	"assay/published/exhibits"
	"assay/result"
)

// last returns the last line of a text.
func last(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return lines[len(lines)-1]
}

// A gate of a stored comparison passes when everything was compared and nothing else,
// whatever happened to a side.
func TestGateOfVersions(t *testing.T) {
	const side, one = `"side":"GOAMD64=v3"`, `{"workload":"movie","size":"record=one","contender":"protobuf","mode":"","op":"encode"}`
	outcome := func(status string) func(*runText) {
		return func(r *runText) {
			r.lines = append(r.lines, []byte(`{"outcome":{"case":`+one+`,`+side+`,"status":"`+status+`","reason":"boom\nat line 1"}}`+"\n"))
		}
	}
	without := func(part string) func(*runText) {
		return func(r *runText) {
			r.lines = slices.DeleteFunc(r.lines, func(line []byte) bool { return strings.Contains(string(line), part) })
		}
	}
	for _, test := range []struct {
		name string
		edit func(*runText)
		args []string
		code int
		last string
	}{
		{"as it is", func(*runText) {}, nil, exitOK, ""},
		{"returns other values", outcome("unverified"), nil, exitNo, "--fail-on +900%: movie/record=one/protobuf/encode: GOAMD64=v3: unverified: boom"},
		{"panics", outcome("panic"), nil, exitFailed, "--fail-on +900%: movie/record=one/protobuf/encode: GOAMD64=v3: panic: boom"},
		{"outgrows its memory", outcome("oom"), nil, exitFailed, "oom: boom"},
		{"hangs", outcome("timeout"), nil, exitFailed, "timeout: boom"},
		{"does not compile", outcome("build-failed"), nil, exitFailed, "build-failed: boom"},
		{"cannot hold it", outcome("unsupported"), nil, exitFailed, "unsupported: boom"},
		{"never launched", without(side), nil, exitUsage, "has one side only"},
		{"nothing in view", func(*runText) {}, []string{"-o", "decode"}, exitFailed, "share nothing to compare"},
	} {
		t.Run(test.name, func(t *testing.T) {
			results := t.TempDir()
			r := readStored(t, "versions")
			test.edit(r)
			r.write(t, results, "hurt")
			for _, format := range []string{"text", "json", "md"} {
				args := append([]string{"compare", "hurt", "--fail-on", "+900%", "--results", results, "--format", format}, test.args...)
				_, stderr, code := assayed(t, args...)
				if code != test.code || !strings.Contains(last(stderr), test.last) || (code == exitOK) != (stderr == "") {
					t.Errorf("exit code %d, %q; want %d, %q", code, last(stderr), test.code, test.last)
				}
			}
		})
	}
}

// The gate of two stored runs: what one of them lacks cannot be compared.
func TestGateOfRuns(t *testing.T) {
	for _, test := range []struct {
		name string
		edit func(lines [][]byte) [][]byte
		code int
		last string
	}{
		{"the same", func(l [][]byte) [][]byte { return l }, exitOK, ""},
		{"no counts", func(l [][]byte) [][]byte {
			return slices.DeleteFunc(l, func(line []byte) bool { return strings.Contains(string(line), `"count":`) })
		}, exitFailed, "movie/record=one/encoding/json/encode: alloc-bytes: only in whole"},
		{"cut short", func(l [][]byte) [][]byte { return l[:12] }, exitFailed, "--fail-on +900%: "},
		{"empty", func(l [][]byte) [][]byte { return l[:1] }, exitFailed, "--fail-on +900%: movie/record=one/"},
	} {
		t.Run(test.name, func(t *testing.T) {
			results := t.TempDir()
			readStored(t, "passes").write(t, results, "whole")
			r := readStored(t, "passes")
			r.lines = test.edit(r.lines)
			r.write(t, results, "hurt")
			for _, pair := range [][2]string{{"hurt", "whole"}, {"whole", "hurt"}} {
				_, stderr, code := assayed(t, "compare", pair[0], pair[1], "--fail-on", "+900%", "--results", results)
				if code != test.code || !strings.Contains(last(stderr), test.last) {
					t.Errorf("%v: exit code %d, %q; want %d, %q", pair, code, last(stderr), test.code, test.last)
				}
			}
		})
	}
}

// What cannot be seen is no result.
func TestCompareNothing(t *testing.T) {
	results := t.TempDir()
	readStored(t, "passes").write(t, results, "whole")
	for line, want := range map[string]string{
		"compare whole whole -w tick":                            "no case in view",
		"compare protobuf protobuf --run whole":                  "protobuf is compared with itself: name another contender",
		"compare encoding/json protobuf --run whole -o scan":     "no case in view",
		"compare encoding/json protobuf --run whole -m '^none$'": "no mode matches",
	} {
		_, stderr, code := assayed(t, append(strings.Fields(line), "--results", results)...)
		if code != exitUsage || !strings.Contains(last(stderr), want) {
			t.Errorf("%s: exit code %d, %q; want %q", line, code, last(stderr), want)
		}
	}
}

// resultsOf are the results of a run with rows of Time.
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

func TestJudgeRun(t *testing.T) {
	wide := row("gob", result.Noisy, true)
	wide.TooWide = true
	alone := row("gob", result.OK, true)
	alone.Ratio = nil
	good := row("json", result.OK, true)
	for _, test := range []struct {
		name   string
		r      *analysis.Results
		strict bool
		code   int
		text   string
	}{
		{"good", resultsOf(0.02, good), true, exitOK, ""},
		{"no precision is asked", resultsOf(0, good, wide, row("xml", result.Panic, false)), true, exitOK, ""},
		{"wide", resultsOf(0.02, good, wide), true, exitNoisy, "less precise than asked: movie/record=one/gob/encode; raise --budget, or quieten the machine (assay doctor)"},
		{"without a ratio", resultsOf(0.02, good, alone), true, exitNoisy, "less precise than asked: movie/record=one/gob/encode; raise"},
		{"unsupported", resultsOf(0.02, good, row("xml", result.Unsupported, false)), true, exitOK, ""},
		{"panics", resultsOf(0.02, good, wide, row("xml", result.Panic, false)), true, exitFailed, "--precision: movie/record=one/xml/encode: panic: boom; movie/record=one/gob/encode"},
		{"unverified", resultsOf(0.02, good, row("a", result.Timeout, false), row("xml", result.Unverified, false)), true, exitNo, "--precision: movie/record=one/xml/encode: unverified: boom; movie/record=one/a/encode: timeout: boom"},
		{"of own data", resultsOf(0.02, good, row("xml", result.Panic, false)), false, exitOK, ""},
		{"nothing", resultsOf(0, row("xml", result.Unverified, false), row("gob", result.BuildFailed, false)), false, exitFailed,
			"nothing was measured: movie/record=one/xml/encode: unverified: boom; movie/record=one/gob/encode: build-failed: boom"},
		{"no case", resultsOf(0.02), true, exitFailed, "nothing was measured: the run has no case in view"},
	} {
		checkGate(t, test.name, judgeRun(test.r, test.strict), test.code, test.text)
	}
}

// checkGate checks the exit code of a gate and its last line.
func checkGate(t *testing.T, name string, g *gate, code int, text string) {
	t.Helper()
	var out strings.Builder
	err := (&app{stderr: &out}).pass(g)
	got := ""
	if err != nil {
		got = err.Error()
	}
	if g.code() != code || (err == nil) != (code == exitOK) || !strings.Contains(got, text) {
		t.Errorf("%s: exit code %d, %q; want %d, %q", name, g.code(), got, code, text)
	}
}

func TestJudgeVerified(t *testing.T) {
	of := func(contender string, status result.Status) verifyRow {
		return verifyRow{Workload: "movie", Size: "record=one", Contender: contender, Status: status, Reason: "boom"}
	}
	for _, test := range []struct {
		name string
		rows []verifyRow
		code int
		text string
	}{
		{"good", []verifyRow{of("a", result.OK), of("b", result.Unsupported)}, exitOK, ""},
		{"another value", []verifyRow{of("a", result.OK), of("b", result.Unverified)}, exitNo, "verify: movie/record=one/b: unverified: boom"},
		{"does not build", []verifyRow{of("a", result.OK), of("b", result.BuildFailed)}, exitFailed, "verify: movie/record=one/b: build-failed: boom"},
		{"hangs", []verifyRow{of("a", result.OK), of("b", result.Timeout)}, exitFailed, "timeout: boom"},
		{"nobody can hold it", []verifyRow{of("b", result.Unsupported)}, exitFailed, "verify: nothing was verified: boom"},
		{"nobody", nil, exitFailed, "verify: nothing was verified: no contender was asked"},
	} {
		checkGate(t, test.name, judgeVerified(test.rows), test.code, test.text)
	}
}

func TestJudgeMust(t *testing.T) {
	of := func(name string, unmet ...string) *answer.Candidate {
		c := &answer.Candidate{Unmet: unmet}
		c.Contender = name
		return c
	}
	must := []string{"safe", "lossless"}
	for _, test := range []struct {
		name string
		a    *answer.Answer
		code int
		text string
	}{
		{"nothing asked", &answer.Answer{Candidates: []*answer.Candidate{of("a", "unsafe")}}, exitOK, ""},
		{"one is", &answer.Answer{Asked: answer.Asked{Must: must}, Candidates: []*answer.Candidate{of("a", "unsafe"), of("b")}}, exitOK, ""},
		{"none is", &answer.Answer{Asked: answer.Asked{Must: must}, Candidates: []*answer.Candidate{of("a", "unsafe", "loses")}}, exitNo, "--must safe,lossless: a: unsafe, loses"},
		{"nothing measured", &answer.Answer{Asked: answer.Asked{Must: must}}, exitFailed, "--must safe,lossless: no round trip was measured"},
	} {
		checkGate(t, test.name, judgeMust(test.a), test.code, test.text)
	}
}

// A claim that holds where it was tested is not one that holds.
func TestJudgeClaimsInPart(t *testing.T) {
	of := func(missing result.Status) []claims.Ruling {
		return []claims.Ruling{{
			Claim: &claims.Claim{ID: "small", File: "mine.toml", Line: 3, Expect: claims.Holds}, Verdict: claims.HoldsMeasured,
			Findings: []claims.Finding{{Verdict: claims.Holds}, {Condition: claims.Condition{Size: "txs=1", Op: result.Encode}, Verdict: claims.Untested, Missing: missing, Reason: "boom"}},
		}}
	}
	for _, test := range []struct {
		missing result.Status
		quick   bool
		code    int
	}{
		{"", false, exitOK}, // of 0 there is no ratio
		{result.Unsupported, false, exitOK},
		{result.Timeout, true, exitOK},
		{result.Timeout, false, exitFailed},
		{result.Panic, true, exitFailed},
		{result.Unverified, false, exitFailed},
		{result.BuildFailed, false, exitFailed},
		{claims.Absent, true, exitFailed},
	} {
		text := ""
		if test.code != exitOK {
			text = "not tested: mine.toml:3: small: expected holds, found holds where measured (1 of 2): "
		}
		checkGate(t, fmt.Sprint(test.missing, test.quick), judgeClaims(of(test.missing), test.quick), test.code, text)
	}
}

func TestJudgeExhibits(t *testing.T) {
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
		code int
		text string
	}{
		{"holds", of([]exhibits.Check{{Metric: "time", Of: "ratio", Got: got, Holds: true}}, half, half), exitOK, ""},
		{"does not", of([]exhibits.Check{{Metric: "time", Of: "ratio", Got: got}}, half, half), exitNo, "the run does not show what the text says: xmlslice: time of ratio"},
		{"no number", of([]exhibits.Check{{Metric: "time", Of: "ratio"}}, half, half), exitFailed, "xmlslice: time of ratio has no number"},
		{"died", of([]exhibits.Check{{Metric: "time", Of: "ratio", Got: got, Holds: true}}, half, analysis.Bench{Status: result.Panic, Reason: "boom"}), exitFailed, "xmlslice: the corrected half: panic: boom"},
		{"nothing expected", of(nil, half, half), exitFailed, "states nothing to check"},
	} {
		checkGate(t, test.name, judgeExhibits(test.r), test.code, test.text)
	}
}

// A reproduction in which everything is too large is none, and a benchmark that dies
// is told apart from one that is too slow.
func TestJudgeReproduction(t *testing.T) {
	results := t.TempDir()
	out := t.TempDir()
	for _, test := range []struct {
		name string
		edit func(lines [][]byte) [][]byte
		code int
		last string
	}{
		{"as it is", func(l [][]byte) [][]byte { return l }, exitOK, ""},
		{"nothing measured", func(l [][]byte) [][]byte { return l[:1] }, exitFailed, "reproduce: nothing was measured"},
		{"a case that returns another value", func(l [][]byte) [][]byte {
			return append(l, []byte(`{"outcome":{"case":{"workload":"movie","size":"record=one","contender":"protobuf","mode":"","op":"encode"},"status":"unverified","reason":"boom"}}`+"\n"))
		}, exitNo, "reproduce: movie/record=one/protobuf/encode: unverified: boom"},
	} {
		r := readStored(t, "reproduce")
		r.lines = test.edit(r.lines)
		r.write(t, results, "hurt")
		_, stderr, code := assayed(t, "reproduce", "--run", "hurt", "--results", results, "--out", out, "-q")
		if code != test.code || !strings.Contains(last(stderr), test.last) {
			t.Errorf("%s: exit code %d, %q; want %d, %q", test.name, code, last(stderr), test.code, test.last)
		}
	}
}

// Of many findings the last line has the first, and the others come before it.
func TestPassMany(t *testing.T) {
	g := &gate{name: "check"}
	for i := range 30 {
		g.add(exitFailed, "failed %d", i)
	}
	g.add(exitNo, "no")
	var out strings.Builder
	err := (&app{stderr: &out}).pass(g)
	if want := "check: no; failed 0; failed 1; and 28 more"; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if diff := cmp.Diff([]string{"assay: no", "assay: failed 0", "assay: failed 18", "assay: and 11 more like these"},
		[]string{lines[0], lines[1], lines[19], lines[20]}); diff != "" || len(lines) != 21 {
		t.Errorf("%d lines (-want +got):\n%s", len(lines), diff)
	}
}
