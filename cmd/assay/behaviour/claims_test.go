package behaviour

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/cli"
	"assay/internal/measure"
	"assay/internal/phrase"
	"assay/published/claims"
	"assay/result"
)

// storedMovie makes a finished run of the workload movie, with real sizes. The encode of JSON
// takes 300 ns, and that of protobuf 100 ns.
func storedMovie(t *testing.T) (results string, run *result.Run) {
	t.Helper()
	results = t.TempDir()
	cell := result.Cell{Workload: "movie", Size: "record=one", Op: result.Encode}
	times := []struct {
		result.Subject
		ns, size int64
	}{{result.Subject{Contender: "encoding/json"}, 300, 108}, {result.Subject{Contender: "protobuf"}, 100, 65}, {result.Subject{Contender: "gogo/protobuf"}, 100, 65}}
	run = &result.Run{Started: time.Now(), Seed: 1, Plan: result.Plan{Budget: time.Minute, Reference: measure.Reference}}
	for _, x := range times {
		run.Plan.Cases = append(run.Plan.Cases, cell.Case(x.Subject))
	}
	store, err := result.Create(results, run)
	if err != nil {
		t.Fatal(err)
	}
	var records []result.Record
	for layout := range 8 {
		l := &result.Launch{Cell: cell, Layout: uint64(layout + 1), Index: layout}
		for i, x := range times {
			s := result.Series{Subject: x.Subject, N: 1000}
			ns := 1000 * x.ns
			if i == 2 { // ±10% from one layout to the next
				ns += ns / 10 * int64(1-2*(layout%2))
			}
			for round := range 20 {
				s.Round, s.Wall, s.CPU = append(s.Round, round), append(s.Wall, ns), append(s.CPU, ns)
			}
			l.Series = append(l.Series, s)
		}
		records = append(records, result.Record{Launch: l})
	}
	for _, x := range times {
		records = append(records, result.Record{Count: &result.Count{Case: cell.Case(x.Subject), Ops: 1, Bytes: 112, Allocs: 1, Messages: 1, Encoded: x.size}})
	}
	for _, r := range records {
		if err := store.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Finish(run); err != nil {
		t.Fatal(err)
	}
	return results, run
}

// claimsFile writes a claims file with one source. Its claims are about workload movie and op
// encode, and have the given keys.
func claimsFile(t *testing.T, keys ...string) string {
	t.Helper()
	text := "[[source]]\nid = \"mine\"\ntitle = \"My design\"\n"
	for i, k := range keys {
		text += "[[claim]]\nid = \"claim-" + string(rune('a'+i)) + "\"\nsource = \"mine\"\nstatement = \"x\"\n"
		if !strings.Contains(k, "untested") {
			text += "workload = \"movie\"\nops = [\"encode\"]\n"
		}
		text += k + "\n"
	}
	name := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

const (
	threeTimes = "predicate = \"ratio\"\nof = \"encoding/json\"\nto = \"protobuf\"\n"
	even       = "predicate = \"ratio\"\nof = \"gogo/protobuf\"\nto = \"protobuf\"\nabove = 1.05\n"
	size       = "metric = \"encoded-size\"\npredicate = \"exact\"\nof = \"encoding/json\"\npublished = 108\n"
	absent     = "predicate = \"ratio\"\nof = \"encoding/json\"\nto = \"yaml.v3\"\nabove = 1\n"
)

func TestClaimsStored(t *testing.T) {
	results, run := storedMovie(t)
	expect := func(v string) string { return "expect = \"" + v + "\"\n" }
	tests := []struct {
		name  string
		keys  []string
		code  int
		words []string // of standard output and error
	}{
		{"as expected", []string{threeTimes + "at_least = 2.5\n" + expect("holds"), size + expect("holds")}, cli.ExitOK,
			[]string{"2 claims as published: holds 2", "as published: holds: 3.00 times: at least 2.5", "108 B: exactly 108 B"}},
		{"refuted as expected", []string{threeTimes + "at_least = 4\n" + expect("refuted")}, cli.ExitOK, []string{"refuted 1"}},
		{"not as expected", []string{size, threeTimes + "at_least = 4\n" + expect("holds")}, cli.ExitNo,
			[]string{"mine.toml:15: claim-b: expected holds, found refuted", "expected: holds"}},
		{"undecided", []string{even + expect("holds")}, cli.ExitNoisy, []string{"too noisy to say: ", "claim-a: expected holds, found undecided; raise --budget"}},
		{"without expectation", []string{even, absent}, cli.ExitOK, []string{"undecided 1 · untested 1", "yaml.v3 encode at record=one is not in run " + run.ID}},
		{"an untested claim does not pass", []string{absent + expect("holds")}, cli.ExitFailed, []string{"not tested: ", "expected holds, found untested: yaml.v3 encode at record=one is not in run"}},
		{"no is said before what is not known", []string{absent + expect("holds"), threeTimes + "at_least = 4\n" + expect("holds")}, cli.ExitNo, []string{"not as expected: ", "claim-b: expected holds, found refuted; "}},
		{"nothing was tested", []string{absent}, cli.ExitFailed, []string{"no claim was tested: yaml.v3 encode"}},
		{"nothing is to be tested", []string{"untested = \"why not\"\n"}, cli.ExitOK, []string{"untested 1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr, code := assayed(t, "claims", claimsFile(t, test.keys...), "--details", "--run", "latest", "--results", results)
			if code != test.code {
				t.Errorf("exit code %d, want %d: %s", code, test.code, stderr)
			}
			for _, w := range test.words {
				if !strings.Contains(stdout+stderr, w) {
					t.Errorf("no %q in\n%s%s", w, stdout, stderr)
				}
			}
		})
	}
}

// A run that was cut short does not pass, even if everything that it measured is as expected.
func TestClaimsCutShort(t *testing.T) {
	results, run := storedMovie(t)
	name := claimsFile(t, size+"expect = \"holds\"\n")
	dir := filepath.Join(results, run.ID)
	file := filepath.Join(dir, "run.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cut := regexp.MustCompile(`"finished": *"[^"]*",`).ReplaceAll(data, nil)
	for _, test := range []struct {
		name string
		data []byte
		code int
		last string
	}{
		{"complete", data, cli.ExitOK, ""},
		{"cut short", cut, cli.ExitFailed, "assay: not tested: the run was interrupted (assay run --resume " + dir + "), and what it did not come to is missing"},
	} {
		if err := os.WriteFile(file, test.data, 0o644); err != nil {
			t.Fatal(err)
		}
		_, stderr, code := assayed(t, "claims", name, "--run", run.ID, "--results", results)
		if code != test.code || last(stderr) != test.last {
			t.Errorf("%s: exit code %d, %q; want %d, %q", test.name, code, last(stderr), test.code, test.last)
		}
	}
}

func TestClaimsJSON(t *testing.T) {
	results, _ := storedMovie(t)
	name := claimsFile(t, threeTimes+"at_least = 2.5\npublished = 3\n", size, "untested = \"why not\"\n")
	text := printed(t, "claims", name, "--run", "latest", "--results", results, "--format", "json")
	var got struct {
		Schema       int
		Run, Sources any
		Discovery    struct {
			Rate                      float64
			Timed, Decided, Withdrawn int
		}
		Claims []struct {
			ID, Source, Statement, Unit, Verdict, Reason string
			Published, Measured, Lo, Hi                  *float64
			// The fields below are not part of the documented contract.
			PublishedTo                                             *float64 `json:"published_to"`
			Range, Exact                                            bool
			Elsewhere                                               *string
			Conditions                                              int
			ConditionsMeasured                                      int `json:"conditions_measured"`
			Q                                                       *float64
			RuledBy                                                 string `json:"ruled_by"`
			Predicate, Metric, Stated, Workload, Note, Expect, File string
			Exhibits                                                []string
			Line                                                    int
			Findings                                                []any
		}
	}
	decode(t, text, &got)
	if d := got.Discovery; d.Rate != 0.05 || d.Timed != 1 || d.Decided != 1 || d.Withdrawn != 0 {
		t.Errorf("%+v", d)
	}
	if got.Schema != 1 || len(got.Claims) != 3 {
		t.Fatalf("schema %d, %d claims", got.Schema, len(got.Claims))
	}
	ratio, exact, none := got.Claims[0], got.Claims[1], got.Claims[2]
	if ratio.Verdict != "holds" || *ratio.Published != 3 || *ratio.Measured < 2.9 || *ratio.Lo >= *ratio.Measured || *ratio.Hi <= *ratio.Measured || ratio.Unit != "times" {
		t.Errorf("%+v", ratio)
	}
	if ratio.Conditions != 1 || ratio.ConditionsMeasured != 1 || ratio.Elsewhere != nil || ratio.Q == nil || *ratio.Q > 0.05 || !strings.Contains(ratio.RuledBy, "no cpu-time") {
		t.Errorf("%+v", ratio)
	}
	if *exact.Measured != 108 || *exact.Lo != 108 || *exact.Hi != 108 || !exact.Exact || exact.Unit != "B" {
		t.Errorf("%+v", exact)
	}
	if none.Verdict != "untested" || none.Reason != "why not" || none.Measured != nil || none.Published != nil {
		t.Errorf("%+v", none)
	}
}

// Nothing is measured if no claim needs it.
func TestClaimsUntested(t *testing.T) {
	results := filepath.Join(t.TempDir(), "runs")
	if text := printed(t, "claims", claimsFile(t, "untested = \"why not\"\n"), "--details", "--results", results); !strings.Contains(text, "why not") {
		t.Errorf("prints\n%s", text)
	}
	if _, err := os.Stat(results); err == nil {
		t.Error("a run was made")
	}
}

func TestClaimsUsage(t *testing.T) {
	results, run := storedMovie(t)
	good := claimsFile(t, size)
	tests := []struct {
		args []string
		want string
	}{
		{[]string{claimsFile(t, "predicate = \"ratoi\"\nof = \"protobuff\"\n")}, `mine.toml:10:13: there is no predicate "ratoi"; did you mean "ratio"?`},
		{[]string{claimsFile(t, size, size+"exhibits = [\"xmlslice\", \"timerloop\"]\n")}, `mine.toml:15: claim claim-b: there is no exhibit "timerloop" (did you mean "timerinloop"?)`},
		{[]string{good, good}, `there is another claim "claim-a"`},
		{[]string{"no-such.toml"}, "cannot read the claims: stat no-such.toml"},
		{[]string{good, "claim-b", "--run", "latest", "--results", results}, `there is no claim "claim-b" (did you mean "claim-a"?)`},
		{[]string{good, "2", "--run", "latest", "--results", results}, `there is no claim "2"`},
		{[]string{"--source", "movei", "--run", "latest", "--results", results}, `there is no source "movei" (did you mean "movie"?)`},
		{[]string{good, "--run", "latest", "--quick"}, "--run measures nothing; it cannot be combined with --quick"},
		{[]string{good, "--resume", "latest", "--run", "latest"}, "--run measures nothing; it cannot be combined with --resume"},
		{[]string{good, "--resume", "latest", "--seed", "2"}, "--resume goes on with what was planned; it cannot be combined with --seed"},
		{[]string{good, "--resume", "latest", "--results", results}, "is complete; see it with assay show"},
		{[]string{good, "--budget", "-1s"}, "--budget is -1s"},
		{[]string{good, "--layouts", "2000"}, "--layouts is 2000"},
		{[]string{good, "--format", "csv"}, `--format is "csv"`},
		{[]string{good, "--run", "none", "--results", results}, `there is no run "none"`},
		{[]string{good, "--run", "latest", "--whole", "latest", "--results", results}, "no run with whole values in " + results},
		{[]string{good, "--run", "latest", "--whole", run.ID, "--results", results}, "--whole: run " + run.ID + " has no whole values; assay run -m whole measures some, and --giants those that are needed"},
	}
	for _, test := range tests {
		stdout, stderr, code := assayed(t, append([]string{"claims"}, test.args...)...)
		if code != cli.ExitUsage || stdout != "" || !strings.Contains(stderr, test.want) {
			t.Errorf("assay claims %v: exit code %d, prints %q and\n%swant %s", test.args, code, stdout, stderr, test.want)
		}
	}
}

// assay offers every case that the embedded ledger needs.
func TestClaimsOffered(t *testing.T) {
	l, err := claims.Embedded(assay.Source)
	if err != nil {
		t.Fatal(err)
	}
	cfg := measure.Config{Input: measure.Builtin()}
	_, sel, err := cfg.ForClaims(result.Plan{}, l.Needs(true))
	if err != nil {
		t.Fatal(err)
	}
	if len(sel.Cases) == 0 {
		t.Fatal("nothing is selected")
	}
	for _, out := range sel.Outcomes {
		if out.Status == result.Unsupported && !strings.Contains(out.Reason, "more than the") {
			t.Errorf("%s: %s", out.Case, out.Reason)
		}
	}
}

// The page of a stored run names the command that measures the same amount again.
func TestClaimsAnew(t *testing.T) {
	results, run := storedMovie(t)
	page := printed(t, "claims", claimsFile(t, size), "--run", "latest", "--results", results, "--format", "md")
	again := phrase.ShellLine("--run", filepath.Join(results, run.ID), "--format", "md")
	for _, want := range []string{".toml --budget 1m`. To print this page: `assay claims ", "mine.toml " + again + "`."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of %s has no %q:\n%s", run.ID, want, page)
		}
	}
}

// The page names its runs so that the command prints it again from the default results directory.
func TestClaimsPrintedAgain(t *testing.T) {
	const evidence = "../../../docs/evidence"
	page, _, _ := assayed(t, "claims", claimsFile(t, size), "--run", "readme-run", "--whole", "whole-run", "--results", evidence, "--format", "md")
	if want := " --run " + filepath.Join(evidence, "readme-run") + " --whole " + filepath.Join(evidence, "whole-run") + " --format md`."; !strings.Contains(page, want) {
		t.Errorf("no %q in\n%s", want, page)
	}
}

// An ID or a number selects a claim to show in detail. The claim is still ruled on together with
// the whole ledger.
func TestClaimsChosen(t *testing.T) {
	results, _ := storedMovie(t)
	name := claimsFile(t, size, threeTimes+"at_least = 2.5\n")
	for _, arg := range []string{"claim-b", "2"} {
		text := printed(t, "claims", name, arg, "--run", "latest", "--results", results)
		for _, want := range []string{"1 claim as published: holds 1", "claim-b", "3.00 times: at least 2.5", "holds · encode record=one"} {
			if !strings.Contains(text, want) {
				t.Errorf("claims %s has no %q:\n%s", arg, want, text)
			}
		}
		if strings.Contains(text, "claim-a") {
			t.Errorf("claims %s shows another:\n%s", arg, text)
		}
	}
	ledger, _, _ := assayed(t, "claims", "--run", "latest", "--results", results)
	if n := strings.Count(ledger, "\n"); n > 60 || !strings.Contains(ledger, "7 decode-memory-5-times") {
		t.Errorf("all claims take %d lines, want a screen:\n%s", n, ledger)
	}
	for _, line := range strings.Split(ledger, "\n") {
		if strings.HasPrefix(line, "  ") && len([]rune(line)) > 100 {
			t.Errorf("%d columns: %s", len([]rune(line)), line)
		}
	}
}
