package behaviour

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/contender"
	"assay/internal/answer"
	"assay/internal/cli"
	"assay/internal/guess"
	"assay/internal/measure"
	"assay/internal/report"
	"assay/internal/tried"
	"assay/result"
)

// storeTry stores a run of assay try on 100 records, with the question asked. ns has the time of
// an op, both for encode and decode, and size the bytes of a record, by contender.
func storeTry(t *testing.T, results string, started int, hash string, asked answer.Asked, ns map[string]float64, size map[string]int64) string {
	t.Helper()
	data := report.TryData{Data: result.Data{Files: []string{"orders.ndjson"}, Hash: hash, Records: 100, Measured: 64}, Root: "Order", Schema: "name = \"orders\"\n", Messages: 1, Fields: 4,
		Guesses: []guess.Guess{{Path: "labels", Decision: "map[string]string", Reason: "its 40 keys look like data", Overrule: "--struct labels", Effect: guess.Structure}}}
	all := map[string]int64{}
	for name, n := range size {
		all[name] = 100 * n
	}
	return storeTryOf(t, results, started, data, asked, ns, all)
}

// storeTryOf is storeTry for records that data describes. size has the bytes of all records
// together.
func storeTryOf(t *testing.T, results string, started int, data report.TryData, asked answer.Asked, ns map[string]float64, size map[string]int64) string {
	t.Helper()
	run := &result.Run{
		Schema: result.RunSchema, Tool: "v1", Args: append([]string{"try"}, data.Files...),
		Started: time.Date(2026, 11, 22, started, 0, 0, 0, time.UTC),
		Plan:    result.Plan{Budget: time.Minute, Reference: measure.Reference, Data: &data.Data},
	}
	for layout := range uint64(9) {
		run.Plan.Layouts = append(run.Plan.Layouts, layout)
	}
	workload := strings.TrimSuffix(filepath.Base(data.Files[0]), filepath.Ext(data.Files[0]))
	cell := result.Cell{Workload: workload, Size: fmt.Sprintf("records=%d", data.Records)}
	records := madeLaunches(run, cell, ns)
	cell.Op = result.Encode
	for name, n := range size {
		s := result.Subject{Contender: name}
		records = append(records,
			result.Record{Verification: &result.Verification{Workload: workload, Size: cell.Size, Subject: s, OK: true, Encoded: n}},
			result.Record{Compressed: &result.Compressed{
				Case: cell.Case(s), Messages: int(data.Records), Encoded: n, Batch: n,
				Codecs: []result.CompressedSizes{{Codec: "zstd", Bytes: n * 9 / 10, Batch: n * 3 / 10}, {Codec: "gzip", Bytes: n * 8 / 10, Batch: n / 4}},
			}})
	}
	store, err := result.Create(results, run)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, r := range records {
		if err := store.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Finish(run); err != nil {
		t.Fatal(err)
	}
	if err := tried.Keep(store.Dir(), data, nil); err != nil {
		t.Fatal(err)
	}
	own := &contender.Contender{Name: "own", Format: "json", Title: "the user's own type", Traits: []contender.Trait{contender.Standard, contender.HumanReadable}}
	if err := tried.KeepQuestion(store.Dir(), asked, []*contender.Contender{own}); err != nil {
		t.Fatal(err)
	}
	return store.Dir()
}

// madeLaunches plans both ops of a cell for the contenders in ns, and returns their launches.
func madeLaunches(run *result.Run, cell result.Cell, ns map[string]float64) (records []result.Record) {
	names := []string{"encoding/json", "sonic", "vtprotobuf", "gogo/protobuf", "own"}
	for _, op := range []result.Op{result.Encode, result.Decode} {
		cell.Op = op
		for _, name := range names {
			if ns[name] > 0 {
				run.Plan.Cases = append(run.Plan.Cases, cell.Case(result.Subject{Contender: name}))
			}
		}
		for layout := range uint64(9) {
			l := &result.Launch{Cell: cell, Layout: layout, Index: int(layout)}
			for i, name := range names {
				if ns[name] == 0 {
					continue
				}
				s := result.Series{Subject: result.Subject{Contender: name}, N: 1000}
				for round := range 10 {
					took := int64(1000 * ns[name] * (1 + 0.003*math.Sin(float64(i)+float64(layout)*float64(2*i+1)) + 0.001*math.Sin(float64(round))))
					s.Round, s.Wall, s.CPU = append(s.Round, round), append(s.Wall, took), append(s.CPU, took)
				}
				l.Series = append(l.Series, s)
			}
			records = append(records, result.Record{Launch: l})
		}
	}
	return records
}

var asksSonic = answer.Asked{Have: "sonic", Prices: answer.Prices{Rate: 500, Retention: 10, Core: 0.05, Network: 0.01, Storage: 0.02, Codec: "zstd", Batch: true}}

func storedTries(t *testing.T) (results, first, second string) {
	results = filepath.Join(t.TempDir(), "runs")
	ns := map[string]float64{"encoding/json": 2000, "sonic": 1000, "vtprotobuf": 201, "gogo/protobuf": 200, "own": 1900}
	size := map[string]int64{"encoding/json": 200, "sonic": 200, "vtprotobuf": 80, "gogo/protobuf": 80, "own": 200}
	first = storeTry(t, results, 12, "h1", asksSonic, ns, size)
	other := asksSonic
	other.Have = "own"
	ns["sonic"] = 150
	second = storeTry(t, results, 13, "h1", other, ns, size)
	return results, filepath.Base(first), filepath.Base(second)
}

// contains checks that a text contains each of the others, apart from white space.
func contains(t *testing.T, text string, wants ...string) {
	t.Helper()
	flat := strings.Join(strings.Fields(text), " ")
	for _, want := range wants {
		if !strings.Contains(flat, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

// assay show answers the stored question again, or another question, in every format.
func TestShowTry(t *testing.T) {
	results, first, _ := storedTries(t)
	show := func(args ...string) string {
		return printed(t, append([]string{"show", first, "--results", results}, args...)...)
	}
	contains(t, show(),
		"grade", "At 500 messages a second the choice is worth $",
		"fastest that is safe with damaged input: vtprotobuf, 4.98× (",
		"tied with gogo/protobuf", "vtprotobuf is first because it is maintained",
		"fastest that is safe without a generate step: sonic, which is in use", "least change from sonic: sonic, as above",
		"Pareto front of time and size: ", "cost of 500 messages a second, kept for 10 days",
		"labels: map[string]string: its 40 keys look like data; otherwise --struct labels",
		"encoding/json", "● vtprotobuf")
	contains(t, show("--have", "encoding/json", "--rate", "200000", "--codec", "gzip", "--batch=false"),
		"At 200,000 messages a second", "with gzip, each by itself", "as fast as encoding/json",
		"fastest that is safe without a generate step: sonic, 2.00× (", "least change from encoding/json: sonic, as above")
	contains(t, show("--must", "standard"), "of what is standard:", "fastest that is safe with damaged input: own,", "but not part of the standard library")
	contains(t, show("--format", "md"), "- **fastest that is safe with damaged input:** vtprotobuf", "| 1= |")
	var out struct{ Answer report.JSONAnswer }
	if err := json.Unmarshal([]byte(show("--format", "json")), &out); err != nil {
		t.Fatal(err)
	}
	if a := out.Answer; a.Have != "sonic" || a.Costs.Rate != 500 || a.Unanswered != nil || a.Recommendations[0].Best[0].Contender != "vtprotobuf" {
		t.Errorf("the answer is %+v", a)
	}
	contains(t, show("-o", "encode"), "orders · records=100 · encode: time per op (code only, GC off), 8 layouts")
	if text := show("-o", "encode"); strings.Contains(text, "fastest") {
		t.Errorf("tables were asked for:\n%s", text)
	}
}

func TestShowTryWrongly(t *testing.T) {
	results, first, _ := storedTries(t)
	plain := storeTry(t, results, 11, "h", asksSonic, map[string]float64{"encoding/json": 1}, nil)
	// A run of assay run has no data.
	run, err := result.ReadRun(plain)
	if err != nil {
		t.Fatal(err)
	}
	run.Plan.Data = nil
	text, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string]string{filepath.Join(plain, "run.json"): string(text), filepath.Join(results, first, tried.QuestionFile): "{"} {
		if err := os.WriteFile(file, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"show", filepath.Base(plain), "--rate", "5"}, "--rate is about the answer of assay try, and run " + filepath.Base(plain) + " is one of assay run"},
		{[]string{"show", first}, "what was asked of run " + first + " cannot be read from "},
		{[]string{"show", first, "--have", "jsno"}, `--have: there is no contender "jsno"`},
		{[]string{"show", first, "--must", "fast"}, `there is no condition "fast"`},
	} {
		_, stderr, code := assayed(t, append(test.args, "--results", results)...)
		if code == cli.ExitOK || !strings.Contains(stderr, test.want) {
			t.Errorf("assay %s: exit %d, %q; want %q", strings.Join(test.args, " "), code, stderr, test.want)
		}
	}
}

// A run from a version that did not store the question gets the default question.
func TestShowTryOfOld(t *testing.T) {
	results, first, _ := storedTries(t)
	if err := os.Remove(filepath.Join(results, first, tried.QuestionFile)); err != nil {
		t.Fatal(err)
	}
	contains(t, printed(t, "show", first, "--results", results), "At 1,000 messages a second", "as fast as encoding/json")
}

func TestCompareTries(t *testing.T) {
	results, first, second := storedTries(t)
	contains(t, printed(t, "compare", first, second, "--results", results),
		"A: "+first+", 100 records of orders.ndjson, against sonic",
		"B: "+second+", 100 records of orders.ndjson, against own",
		"the same records, the same schema, other contender in use, the same rate and prices",
		"A vtprotobuf, 4.98× (", "B sonic, 12.7× (",
		"least change: A sonic, which is in use", "sonic 1× 12.7× (",
		"orders · records=100: "+first+" → "+second)
	var out struct {
		Schema  int
		Answers report.JSONAnswers
	}
	if err := json.Unmarshal([]byte(printed(t, "compare", first, second, "--results", results, "--format", "json")), &out); err != nil {
		t.Fatal(err)
	}
	if out.Schema == 0 || out.Answers.A.Have != "sonic" || out.Answers.B.Have != "own" || !out.Answers.SameRecords {
		t.Errorf("%+v", out)
	}
	contains(t, printed(t, "compare", first, second, "--results", results, "--format", "md"), "- **smallest:**")
}

// Runs of other records are compared, which says so, but not judged.
func TestCompareOtherRecords(t *testing.T) {
	results := t.TempDir()
	ns, size := map[string]float64{"encoding/json": 2000, "sonic": 1000}, map[string]int64{"encoding/json": 200, "sonic": 200}
	first := filepath.Base(storeTry(t, results, 12, "h1", asksSonic, ns, size))
	same := filepath.Base(storeTry(t, results, 13, "h1", asksSonic, ns, size))
	other := filepath.Base(storeTry(t, results, 14, "h2", asksSonic, ns, size))
	text := printed(t, "compare", first, other, "--results", results)
	contains(t, text, "other records, the same schema", "the runs differ in: the user's records; same host, go, seed")
	contains(t, printed(t, "compare", first, same, "--results", results), "the runs differ in nothing else that assay knows: same host, go and seed")
	contains(t, printed(t, "compare", first, other, "--results", results, "--format", "json"), `"differs": [ "the user's records" ]`)
	if _, stderr, code := assayed(t, "compare", first, same, "--results", results, "--fail-on", "+5%"); code != cli.ExitOK {
		t.Errorf("the same records: exit code %d: %s", code, stderr)
	}
	_, stderr, code := assayed(t, "compare", first, other, "--results", results, "--fail-on", "+5%")
	if want := "runs " + first + " and " + other + " measured different records, so --fail-on cannot judge them"; code != cli.ExitUsage || !strings.Contains(stderr, want) {
		t.Errorf("other records: exit code %d, %q; want %q", code, stderr, want)
	}
}

// Whatever the files of a run directory contain, the command gives an answer or an error.
func TestHostileQuestions(t *testing.T) {
	results, first, second := storedTries(t)
	for _, test := range []struct {
		file, text, want string // a part of the error; empty if there is an answer
	}{
		{tried.QuestionFile, `{"have":"sonic","rate":-5}`, "--rate is -5; it must be a number from 0"},
		{tried.QuestionFile, `{"have":"sonic","rate":1e300}`, "--rate is 1e+300"},
		{tried.QuestionFile, `{"have":"sonic","rate":1e15,"price_core_hour":1e15,"retention_days":1e15}`, ""},
		{tried.QuestionFile, `{"have":"sonic","rate":0}`, ""},
		{tried.QuestionFile, `{"have":"sonic","codec":"zip"}`, `--codec is "zip"`},
		{tried.QuestionFile, `{"have":"sonic","must":["fast"]}`, `there is no condition "fast"`},
		{tried.QuestionFile, `{"have":"nobody","must":["safe","safe"]}`, ""},
		{tried.QuestionFile, `{"have":"","contenders":[{"name":"sonic"},{"name":""}]}`, ""},
		{tried.QuestionFile, `[]`, "cannot be read"},
		{tried.DataFile, `{"records":-1,"measured":5}`, ""},
		{tried.DataFile, `{"guesses":[{"path":"a\u001b[31m","decision":"left out"}]}`, ""},
		{tried.DataFile, `"`, "is none of assay try"},
	} {
		file := filepath.Join(results, first, test.file)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"show", first}, {"show", first, "--format", "json"}, {"show", first, "--format", "md"}, {"compare", first, second}, {"compare", second, first, "--format", "md"}} {
			_, stderr, code := assayed(t, append(args, "--results", results)...)
			if failed := code != cli.ExitOK; failed != (test.want != "") || !strings.Contains(stderr, test.want) {
				t.Errorf("%s is %s: assay %s: exit %d, %q; want %q", test.file, test.text, strings.Join(args, " "), code, stderr, test.want)
			}
		}
		if err := os.WriteFile(file, before, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A run of streams has no answer. To resume it with a question is refused, before its question is
// overwritten.
func TestResumeStreamsUnasked(t *testing.T) {
	for _, flag := range []string{"--must=safe", "--have=protobuf", "--rate=5"} {
		_, stderr, code := assayed(t, "try", "--resume", "../../../docs/evidence/own-stream-run", flag, "--cache", t.TempDir())
		name, _, _ := strings.Cut(flag, "=")
		if want := "assay: " + name + " is about the answer of assay try, and run own-stream-run is of streams\n"; code != cli.ExitUsage || stderr != want {
			t.Errorf("%s: exit code %d, %q; want %q", flag, code, stderr, want)
		}
	}
}
