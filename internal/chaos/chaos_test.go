package chaos

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/internal/cachedir"
	"assay/internal/runlock"
	"assay/result"
)

// TestLost checks that lost finds each change of earlier lines. TestBroken does the same for the
// checks of directories.
func TestLost(t *testing.T) {
	for _, test := range []struct {
		name, before, after, want string
	}{
		{"nothing", "", "", ""},
		{"the same", "a\nb\n", "a\nb\n", ""},
		{"more", "a\n", "a\nb\n", ""},
		{"a half line is mended", "a\nb", "a\nbcd\n", ""},
		{"the last line is lost", "a\nb\n", "a\n", "line 2 "},
		{"the last line is cut", "a\nbb\n", "a\nb", "line 2 "},
		{"a line in the middle is lost", "a\nb\nc\n", "a\nc\n", "line 2 "},
		{"a line is another one", "a\nb\n", "a\nx\nc\n", "line 2 "},
		{"all is lost", "a\n", "", "line 1 "},
	} {
		t.Run(test.name, func(t *testing.T) { expect(t, lost([]byte(test.before), []byte(test.after)), test.want) })
	}
}

// expect checks that one of the violations contains want, or that there is none if want is empty.
func expect(t *testing.T, got []string, want string) {
	t.Helper()
	if want == "" && len(got) > 0 || want != "" && !slices.ContainsFunc(got, func(v string) bool { return strings.Contains(v, want) }) {
		t.Errorf("violations %q, want %q", got, want)
	}
}

var (
	cell = result.Cell{Workload: "w", Size: "s", Op: result.Encode}
	one  = result.Subject{Contender: "a"}
)

// all returns one or two records of each kind that a disturbed run has.
func all() []result.Record {
	c := cell.Case(one)
	return []result.Record{
		{Verification: &result.Verification{Workload: "w", Size: "s", Subject: one, OK: true}},
		{Verification: &result.Verification{Workload: "w", Size: "s", Subject: one, From: &one, OK: true}},
		{Calibration: &result.Calibration{Case: c, N: 1}},
		{Calibration: &result.Calibration{Case: c, N: 1, Role: result.Floor}},
		{Count: &result.Count{Case: c, Ops: 1}},
		launch(0), launch(1),
		{Steady: &result.Steady{Case: c, Index: 0}},
		{Steady: &result.Steady{Case: c, Index: 1}},
		{Cold: &result.Cold{Case: c}},
		{Retained: &result.Retained{Case: c}},
		{Peak: &result.Peak{Case: c}},
		{Compressed: &result.Compressed{Case: c}},
		{Outcome: &result.Outcome{Case: c, Status: result.Unsupported}},
	}
}

func launch(index int) result.Record {
	return result.Record{Launch: &result.Launch{Cell: cell, Index: index, Layout: uint64(index), Series: []result.Series{{Subject: one, N: 1, Round: []int{0}, Wall: []int64{1}}}}}
}

// TestComplete checks that complete finds a missing, repeated or unplanned record of any kind.
func TestComplete(t *testing.T) {
	want := keys(all())
	if len(want) != len(all()) {
		t.Fatalf("%d keys of %d records", len(want), len(all()))
	}
	note, disturbed := result.Record{Note: &result.Note{Text: "x"}}, launch(1)
	disturbed.Launch.Disturbed = "so"
	expect(t, complete(want, keys(append(all(), note, disturbed))), "")
	for i, r := range all() {
		expect(t, complete(want, keys(slices.Delete(all(), i, i+1))), "missing: ")
		expect(t, complete(want, keys(append(all(), r))), "2 times instead of 1: ")
	}
	expect(t, complete(want, keys(append(all(), launch(2)))), "an undisturbed run does not have: launch 2 ")
	short := all()
	short[5].Launch.Series = nil
	expect(t, complete(want, keys(short)), "missing: launch 0 ")
}

// stored writes a complete run and returns its directory.
func stored(t *testing.T, results string) string {
	t.Helper()
	run := &result.Run{Plan: result.Plan{Cases: []result.Case{cell.Case(one)}}}
	s, err := result.Create(results, run)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all() {
		if err := s.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Finish(run); err != nil {
		t.Fatal(err)
	}
	return s.Dir()
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestBroken checks that whatIs finds each defect of a run directory.
func TestBroken(t *testing.T) {
	for _, test := range []struct {
		name, want string
		do         func(t *testing.T, dir string)
	}{
		{"all is well", "", func(*testing.T, string) {}},
		{"cut short", "the run is not marked as complete", func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "run.json"), `{"schema":1}`)
		}},
		{"no run", "the run cannot be read", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "run.json"), "") }},
		{"half a line", "the last line was cut short", func(t *testing.T, dir string) { add(t, dir, `{"time"`) }},
		{"a damaged line", "damaged line left out", func(t *testing.T, dir string) { add(t, dir, "x\n") }},
		{"a launch twice", "already there", func(t *testing.T, dir string) {
			text, err := os.ReadFile(filepath.Join(dir, "samples.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if strings.Contains(line, `"launch"`) {
					add(t, dir, line)
				}
			}
		}},
		{"locked", "the run is locked by process", func(t *testing.T, dir string) {
			l, _, err := runlock.Take(dir)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { l.Release() })
		}},
		{"a lock is left", "left in the run directory: writer.lock", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "writer.lock"), "") }},
		{"a temporary file is left", "left in the run directory: run.json.1.tmp", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "run.json.1.tmp"), "") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := stored(t, t.TempDir())
			test.do(t, dir)
			_, _, wrong := whatIs(dir)
			expect(t, wrong, test.want)
		})
	}
}

func add(t *testing.T, dir, text string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "samples.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// TestLeft checks the searches for leftovers in TMPDIR, the results directory and the cache.
func TestLeft(t *testing.T) {
	tmp := t.TempDir()
	expect(t, left(filepath.Join(tmp, "none")), "")
	expect(t, left(tmp), "")
	put(t, filepath.Join(tmp, ballast), "x")
	expect(t, left(tmp), "")
	put(t, filepath.Join(tmp, "assay-1-2", "x"), "x")
	expect(t, left(tmp), "left in TMPDIR: assay-1-2")

	results := t.TempDir()
	stored(t, results)
	expect(t, strays(results), "")
	put(t, filepath.Join(results, "20260102-150405-0001", "run.json.1.tmp"), "") // the next command removes it
	expect(t, strays(results), "")
	put(t, filepath.Join(results, "20260102-150405-0001", "x"), "")
	expect(t, strays(results), "left in the results directory: 20260102-150405-0001")

	cache := t.TempDir()
	d := cachedir.In(cache)
	kept, err := d.Temp(false)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, unfinished(cache), "") // the next command removes it
	if _, err := os.Stat(kept.Path()); err == nil {
		t.Error("what is being made is still there")
	}
	expect(t, unfinished(filepath.Join(cache, "none")), "")
	put(t, filepath.Join(d.Path(), "bin", ".new-x"), "") // assay does not write here
	expect(t, unfinished(cache), "left in the cache for good: ")
}

// TestLacked checks that only outcomes with a lack of memory as their reason count.
func TestLacked(t *testing.T) {
	outcome := func(status result.Status, reason string) []result.Record {
		return append(all(), result.Record{Outcome: &result.Outcome{Status: status, Reason: reason}})
	}
	for _, test := range []struct {
		records []result.Record
		want    bool
	}{
		{all(), false},
		{outcome(result.OOM, "grew past 4.0 GiB"), true},
		{outcome(result.BuildFailed, "running generator: fatal error: runtime: out of memory"), true},
		{outcome(result.Unsupported, "mark file: no space left on device"), false},
		{outcome(result.Panic, "index out of range"), false},
	} {
		if got := lacked(test.records); got != test.want {
			t.Errorf("%+v: %t", *test.records[len(test.records)-1].Outcome, got)
		}
	}
}

func TestCrashed(t *testing.T) {
	for _, test := range []struct {
		text   string
		memory bool
		want   string
	}{
		{"assay: interrupted", false, ""},
		{"x\npanic: index out of range\n\ngoroutine 1", false, "it crashed: x | panic: index out of range | goroutine 1"},
		{"panic: x", true, "it crashed: panic: x"},
		{"panic: cannot allocate memory\n\ngoroutine 1", false, "it crashed: panic: cannot allocate memory"},
		{"panic: cannot allocate memory\n\ngoroutine 1", true, ""},
		{"panic: runtime error: invalid memory address or nil pointer dereference", true, "it crashed: panic: runtime error: invalid memory address"},
		{"panic: cannot allocate memory\npanic: x", true, "it crashed: panic: cannot allocate memory | panic: x"},
		{"fatal error: runtime: out of memory", false, "it crashed: fatal error"},
		{"fatal error: runtime: out of memory", true, ""},
		{"[signal SIGSEGV: segmentation violation", true, "it crashed: [signal SIGSEGV"},
		{"left out\nSIGSEGV: segmentation violation\nPC=0x1 m=3 sigcode=1", false, "it crashed: left out | SIGSEGV: segmentation violation | PC=0x1 m=3 sigcode=1"},
		{"left out\nSIGSEGV: segmentation violation\nPC=0x1 m=3 sigcode=1", true, ""},
	} {
		expect(t, crashed([]byte(test.text), test.memory), test.want)
	}
}

func TestJudge(t *testing.T) {
	near := analysis.Interval{Value: 2, Lo: 1.9, Hi: 2.1}
	for _, test := range []struct {
		got             analysis.Interval
		n               int
		apart, disjoint bool
	}{
		{near, 1, false, false},
		{analysis.Interval{Value: 2.1, Lo: 2, Hi: 2.2}, 1, false, false},
		{analysis.Interval{Value: 2.19, Lo: 2.101, Hi: 2.28}, 1, false, true}, // disjoint, but not apart at 99%
		{analysis.Interval{Value: 2.5, Lo: 2.4, Hi: 2.6}, 1, true, true},      // not by chance
		{analysis.Interval{Value: 2.5, Lo: 2.4, Hi: 2.6}, 1000, false, true},  // among 1000 ratios this may be chance
		{analysis.Interval{Value: 4, Lo: 3.9, Hi: 4.1}, 1000, true, true},     // a factor of two is never chance
		{analysis.Interval{Value: 1, Lo: 0.95, Hi: 1.05}, 1000, true, true},   // in either direction
	} {
		ratios := make([]Ratio, test.n)
		for i := range ratios {
			ratios[i] = Ratio{Got: test.got, Undisturbed: near}
		}
		judge(ratios, 8)
		if r := ratios[0]; r.Apart != test.apart || r.Disjoint != test.disjoint {
			t.Errorf("%v among %d: apart %t, disjoint %t; difference %v", test.got, test.n, r.Apart, r.Disjoint, r.Difference)
		}
	}
}

// TestSchedule checks that the schedule follows from the seed, and that every kind and every
// phase occurs often enough.
func TestSchedule(t *testing.T) {
	commands := []string{"try", "run"}
	if diff := cmp.Diff(schedule(7, 60, commands), schedule(7, 60, commands)); diff != "" {
		t.Errorf("not the same twice: %s", diff)
	}
	if cmp.Equal(schedule(7, 60, commands), schedule(8, 60, commands)) {
		t.Error("another seed makes no difference")
	}
	kinds, phases, numbers := map[Kind]int{}, map[Phase]int{}, 0
	for _, pair := range schedule(7, 61, commands) {
		for _, p := range pair {
			if numbers++; p.Number != numbers {
				t.Errorf("%d is number %d", p.Number, numbers)
			}
			kinds[p.Disturbances[0].Kind]++
			for _, d := range p.Disturbances {
				phases[d.Phase]++
				if d.At < 0 || d.At >= 1 || d.For <= 0 || p.Command == "run" && p.Cold {
					t.Errorf("%+v", p)
				}
				if d.Kind == CacheFull && !p.Cold {
					t.Errorf("a shared cache is filled: %+v", p)
				}
			}
		}
		if len(pair) == 2 && pair[0].Command == pair[1].Command && pair[0].Cold != pair[1].Cold {
			t.Errorf("one begins with an empty cache: %v", pair)
		}
	}
	for _, k := range Kinds {
		if kinds[k] < 3 {
			t.Errorf("%s comes %d times", k, kinds[k])
		}
	}
	for _, p := range Phases {
		if phases[p] < 3 {
			t.Errorf("%s is disturbed %d times", p, phases[p])
		}
	}
	if numbers != 61 {
		t.Errorf("%d runs", numbers)
	}
}

func TestPhaseOf(t *testing.T) {
	const (
		read      = "read      3000 records, 189.0 KiB, in 31ms\n"
		generated = read + "generated code of 3 contenders in 2.3s\n"
		compiling = generated + "runner    compiling the contenders; the first time takes a few minutes\n"
		built     = compiling + "runner    3 contenders, 4 random layouts, built in 3.2s\n"
		verified  = built + "verified  2 round trips in 106ms\n"
		sized     = verified + "sized     2 batches in 15ms\n"
		counted   = sized + "counted   2 cases in 25ms\n"
		measuring = counted + "sized     2 batches in 14ms\nmeasuring 2 cases in 1 cell, about 1s\n"
		cpu       = measuring + "CPU time  4 counts in 659ms\n"
	)
	for _, test := range []struct {
		command, stderr, samples string
		want                     Phase
	}{
		{"try", "", "", Reading}, {"try", read, "", Generating}, {"try", generated, "", Building}, {"try", compiling, "", Building},
		{"try", built, "", Verifying}, {"try", verified, "", Calibrating}, {"try", sized, "", Counting}, {"try", counted, "", Launches},
		{"try", measuring, `{"launch":{}}`, Launches}, {"try", measuring, `{"time":"x","steady":{}}`, Passes}, {"try", cpu, "", Passes},
		{"try", cpu + "stored    /tmp/x\n", "", Over}, {"run", "", "", Building}, {"run", "runner    24 contenders, cached\n", "", Verifying},
	} {
		if got := phaseOf(test.command, []byte(test.stderr), []byte(test.samples)); got != test.want {
			t.Errorf("%s %q: %s, want %s", test.command, test.stderr, got, test.want)
		}
	}
	if !reached(Over, Passes) || !reached(Building, Building) || reached(Reading, Generating) {
		t.Error("the order of phases")
	}
}

// TestReport checks that the counts of a report are the counts of its runs.
func TestReport(t *testing.T) {
	r := &Report{
		Runs: []Outcome{
			{Planned: Planned{Number: 1, Command: "try", Disturbances: []Disturbance{{Kind: Killed, Phase: Building}}}, Hits: []Hit{{Killed, Building, "SIGKILL", time.Second}}, Violations: []string{"x"}},
			{Planned: Planned{Number: 2}, Hits: []Hit{{Killed, Over, "0", 0}, {Stopped, Passes, "0", 0}}},
		},
		Rounds: []string{"y"}, Ratios: []Ratio{{}, {Run: 2, Apart: true}},
	}
	if got := r.Violations(); len(got) != 3 || got[0] != "run 1 (try: SIGKILL while building): x" || got[1] != "y" || !strings.HasPrefix(got[2], "run 2: the ratio of ") {
		t.Errorf("%q", got)
	}
	if got := fmt.Sprint(r.Disturbed()[Killed], r.Exits(Killed)); got != "map[building:1 over:1] [0 ×1 SIGKILL ×1]" {
		t.Error(got)
	}
}
