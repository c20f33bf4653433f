//go:build unix

package drive_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

func encodeCase(workload, name string) result.Case {
	return result.Case{Workload: workload, Size: "s", Contender: name, Op: result.Encode}
}

// cell returns a cell of op encode with the named contenders.
func cell(workload string, names ...string) drive.Cell {
	c := drive.Cell{Cell: result.Cell{Workload: workload, Size: "s", Op: result.Encode}, Warmup: 1, Rounds: 2}
	for _, name := range names {
		c.Cases = append(c.Cases, bench.CaseSpec{Subject: result.Subject{Contender: name}, Op: result.Encode, N: 1})
	}
	return c
}

func launches(t *testing.T, n *notebook, cfg drive.LaunchesConfig) (drive.Progress, error) {
	t.Helper()
	return drive.Launches(t.Context(), cfg, n.sink, n.event)
}

func TestScheduleInterleavesCells(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	p, err := launches(t, &n, drive.LaunchesConfig{
		Runner: r,
		Pace: drive.Pace{
			Layouts: []uint64{0, 11, 22},
			Skip:    map[drive.LaunchKey]time.Duration{{Cell: cell("b").Cell, Index: 1}: time.Second},
		},
		Cells: []drive.Cell{cell("a", "x", "y"), cell("b", "x"), cell("c", "y")},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a#0: x y", "b#0: x", "c#0: y", "a#1: x y", "c#1: y", "a#2: x y", "b#2: x", "c#2: y"}
	if diff := cmp.Diff(want, n.launches()); diff != "" {
		t.Errorf("launches (-want +got):\n%s", diff)
	}
	wantLog := []string{
		"load a", "rounds 2", "load b", "rounds 1", "load c", "rounds 1",
		"load a", "rounds 2", "load c", "rounds 1",
		"load a", "rounds 2", "load b", "rounds 1", "load c", "rounds 1",
	}
	if diff := cmp.Diff(wantLog, readLog(t, dir)); diff != "" {
		t.Errorf("what the runners saw (-want +got):\n%s", diff)
	}
	wantProgress := drive.Progress{Launches: map[result.Cell]int{cell("a").Cell: 3, cell("b").Cell: 3, cell("c").Cell: 3}}
	if diff := cmp.Diff(wantProgress, p); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	if e, ok := n.events[0].(drive.PassStarted); !ok || e.Total != 8 {
		t.Errorf("first event %+v", n.events[0])
	}
	last, ok := n.events[len(n.events)-1].(drive.LaunchDone)
	if !ok || last.Done != 8 || last.Total != 8 || last.Layout != 22 || last.Elapsed <= 0 {
		t.Errorf("last event %+v", last)
	}
	seeds := map[uint64]bool{}
	for _, r := range n.records {
		seeds[r.Launch.Seed] = true
	}
	if len(seeds) != 8 {
		t.Errorf("%d different orders in 8 launches", len(seeds))
	}
}

// TestContainment puts one contender that misbehaves between two that do not.
func TestContainment(t *testing.T) {
	const beside = " (twice beside others, not alone)"
	tests := []struct {
		culprit, outcome string
	}{
		{culprit: "panic", outcome: "panic: panic: runtime error: index out of range [3] with length 0"},
		{culprit: "overflow", outcome: "panic: stack overflow: goroutine stack exceeds 33554432-byte limit"},
		{culprit: "exit", outcome: "panic: exited with status 0 before answering"},
		{culprit: "hang", outcome: "timeout: no answer in time"},
		{culprit: "alloc", outcome: "oom: grew past 256 MiB"},
		{culprit: "garbage", outcome: `panic: wrote "hello, I am a library" where an answer was due`},
		{culprit: "error", outcome: "unverified: error: field 3 is missing"},
		{culprit: "kill", outcome: "oom: killed from outside three times in a row, as a system out of memory does: killed by signal: killed"},
		// Without a mark, each is tried alone.
		{culprit: "exit-", outcome: "panic: exited with status 0 before answering"},
		// Alone it works. The second failure beside others excludes it.
		{culprit: "exit+", outcome: "panic: exited with status 0 before answering" + beside},
	}
	for _, tt := range tests {
		t.Run(tt.culprit, func(t *testing.T) {
			if testing.Short() && tt.culprit == "hang" {
				t.Skip("waits for a contender that hangs")
			}
			if raced && tt.culprit == "alloc" {
				t.Skip("its memory is that of the race detector")
			}
			t.Parallel()
			r, _ := runner(t)
			good, fine := "good", "fine"
			if strings.HasSuffix(tt.culprit, "-") { // either none of a runner's contenders is marked, or all are
				good, fine = "good-", "fine-"
			}
			if tt.culprit == "hang" {
				r.Limits.Answer = 5 * time.Second // for all others too, on a busy machine
			}
			var n notebook
			p, err := launches(t, &n, drive.LaunchesConfig{
				Runner: r, Pace: drive.Pace{Layouts: []uint64{0, 1}},
				Cells: []drive.Cell{cell("a", good, tt.culprit, fine), cell("b", "good")},
			})
			if err != nil {
				t.Fatal(err)
			}
			outcomes := n.outcomes()
			for i := range outcomes {
				outcomes[i] = inTime(outcomes[i])
			}
			if diff := cmp.Diff([]string{tt.culprit + "/encode: " + tt.outcome}, outcomes); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			left := good + " " + fine
			want := []string{"a#0: " + left, "b#0: good", "a#1: " + left, "b#1: good"}
			if diff := cmp.Diff(want, n.launches()); diff != "" {
				t.Errorf("launches (-want +got):\n%s", diff)
			}
			if len(p.Outcomes) != 1 {
				t.Errorf("progress %+v", p)
			}
			if !slices.ContainsFunc(n.events, func(e drive.Event) bool { _, ok := e.(drive.CaseExcluded); return ok }) {
				t.Error("no CaseExcluded event")
			}
		})
	}
}

func TestKilledFromOutsideIsRunAgain(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	_, err := launches(t, &n, drive.LaunchesConfig{Runner: r, Pace: drive.Pace{Layouts: []uint64{0}}, Cells: []drive.Cell{cell("a", "good", "kill!")}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a#0: good kill!"}, n.launches()); diff != "" || len(n.outcomes()) != 0 {
		t.Errorf("launches (-want +got):\n%s\noutcomes %q", diff, n.outcomes())
	}
	if log := readLog(t, dir); !slices.Equal(log, []string{"load a", "rounds 2", "kill", "load a", "rounds 2", "kill"}) {
		t.Errorf("what the runners saw: %q", log)
	}
	repeated := 0
	for _, e := range n.events {
		if e, ok := e.(drive.Repeated); ok && e.Failure.Outside {
			repeated++
		}
	}
	if repeated != 1 {
		t.Errorf("%d launches repeated, want 1", repeated)
	}
}

// TestLoadFails has workloads whose values cannot be made.
func TestLoadFails(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	unknown := cell("b", "good")
	unknown.Size = "unknown"
	p, err := launches(t, &n, drive.LaunchesConfig{
		Runner: r, Pace: drive.Pace{Layouts: []uint64{0, 1}},
		Cells: []drive.Cell{cell("panic", "x", "y"), unknown, cell("c", "good"), cell("exit!", "z")},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"x/encode: panic: while the values were made: panic: runtime error: index out of range [3] with length 0",
		"y/encode: panic: while the values were made: panic: runtime error: index out of range [3] with length 0",
		"good/encode: unsupported: no such size",
	}
	if diff := cmp.Diff(want, n.outcomes()); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"c#0: good", "exit!#0: z", "c#1: good", "exit!#1: z"}, n.launches()); diff != "" {
		t.Errorf("launches (-want +got):\n%s", diff)
	}
	tries := 0
	for _, line := range readLog(t, dir) {
		if line == "load panic" {
			tries++
		}
	}
	if tries != 2 {
		t.Errorf("values that cannot be made were tried %d times, want twice", tries)
	}
	if p.Launches[cell("panic").Cell] != 0 || p.Launches[cell("c").Cell] != 2 {
		t.Errorf("progress %+v", p)
	}
}

func TestVaryingIsNotedOnce(t *testing.T) {
	r, _ := runner(t)
	var n notebook
	if _, err := launches(t, &n, drive.LaunchesConfig{Runner: r, Pace: drive.Pace{Layouts: []uint64{0, 1}}, Cells: []drive.Cell{cell("a", "good", "varying")}}); err != nil {
		t.Fatal(err)
	}
	var notes []string
	for _, r := range n.records {
		if r.Note != nil {
			notes = append(notes, r.Note.Text)
		}
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "a/s/varying/encode: ") || len(n.launches()) != 2 {
		t.Errorf("notes %q, launches %q", notes, n.launches())
	}
}

func TestBudget(t *testing.T) {
	r, _ := runner(t)
	var n notebook
	p, err := launches(t, &n, drive.LaunchesConfig{
		Runner: r, Pace: drive.Pace{Layouts: []uint64{0, 1, 2}, Budget: 1}, // 1 ns: over at once
		Cells: []drive.Cell{cell("a", "x")},
	})
	if err != nil || !p.OverBudget || p.Launches[cell("a").Cell] != 0 || len(n.records) != 0 {
		t.Errorf("progress %+v, %v, %d records", p, err, len(n.records))
	}
}

func TestCancelKeepsRecords(t *testing.T) {
	r, _ := runner(t)
	r.Limits.Answer = time.Minute
	ctx, cancel := context.WithCancel(t.Context())
	var n notebook
	p, err := drive.Launches(ctx, drive.LaunchesConfig{
		Runner: r, Pace: drive.Pace{Layouts: []uint64{0, 1}},
		Cells: []drive.Cell{cell("a", "good"), cell("b", "hang")},
	}, n.sink, func(e drive.Event) {
		if _, ok := e.(drive.LaunchDone); ok {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff([]string{"a#0: good"}, n.launches()); diff != "" || len(n.outcomes()) != 0 {
		t.Errorf("launches (-want +got):\n%s\noutcomes %q", diff, n.outcomes())
	}
	if p.Launches[cell("a").Cell] != 1 {
		t.Errorf("progress %+v", p)
	}
}

func TestSinkErrorEndsThePass(t *testing.T) {
	r, _ := runner(t)
	full := errors.New("disk full")
	calls := 0
	_, err := drive.Launches(t.Context(), drive.LaunchesConfig{Runner: r, Pace: drive.Pace{Layouts: []uint64{0, 1}}, Cells: []drive.Cell{cell("a", "x")}},
		func(result.Record) error { calls++; return full }, func(drive.Event) {})
	if err != full || calls != 1 {
		t.Errorf("error %v after %d records", err, calls)
	}
}

func TestCalibrate(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	cases := []result.Case{
		encodeCase("a", "good"), encodeCase("a", "panic"), encodeCase("b", "good"), encodeCase("a", "fine"),
		encodeCase("a", "error"), encodeCase("a", "exit!"), encodeCase("a", "last"), encodeCase("panic", "x"), encodeCase("panic", "y"),
	}
	got, outcomes, err := drive.Calibrate(t.Context(), drive.CalibrateConfig{Runner: r, Cases: cases, BatchNS: 1}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	want := map[result.Case]result.Calibration{}
	for _, i := range []int{0, 2, 3, 5, 6} {
		want[cases[i]] = result.Calibration{Case: cases[i], N: 7, NS: 1.5}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calibrations (-want +got):\n%s", diff)
	}
	lost := "panic: while the values were made: panic: runtime error: index out of range [3] with length 0"
	wantOutcomes := []string{
		"panic/encode: panic: panic: runtime error: index out of range [3] with length 0",
		"error/encode: unverified: error: field 3 is missing", "x/encode: " + lost, "y/encode: " + lost,
	}
	if diff := cmp.Diff(wantOutcomes, n.outcomes()); diff != "" || len(outcomes) != 4 {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if steps := countSteps(n.events); steps != len(cases) {
		t.Errorf("%d steps for %d cases", steps, len(cases))
	}
	// The processes: one for good and the first try of panic, one for panic alone, one for fine
	// and the first try of error, one for error alone, one for the first try of exit!, one for
	// its second try and last, one for b, and two for the values that cannot be made.
	loads := 0
	for _, line := range readLog(t, dir) {
		if strings.HasPrefix(line, "load ") {
			loads++
		}
	}
	if loads > 9 {
		t.Errorf("%d processes started", loads)
	}
}

func countSteps(events []drive.Event) int {
	steps := 0
	for _, e := range events {
		if e, ok := e.(drive.StepDone); ok {
			steps++
			if e.Done != steps {
				return -1
			}
		}
	}
	return steps
}

// Processes that count at the same time give the same records in the same order as processes that
// count one after the other.
func TestCount(t *testing.T) {
	for _, width := range []int{0, 1, 2, 4} {
		t.Run(strconv.Itoa(width), func(t *testing.T) { testCount(t, width) })
	}
}

func testCount(t *testing.T, width int) {
	r, dir := runner(t)
	var ready atomic.Int32 // processes may be started at the same time
	r.Ready = func(_ context.Context, layout uint64) error {
		ready.Add(1)
		return nil
	}
	var n notebook
	decode := encodeCase("a", "good")
	decode.Op = result.Decode
	cases := []result.Case{encodeCase("a", "good"), encodeCase("a", "overflow"), decode, encodeCase("a", "fine")}
	outcomes, err := drive.Count(t.Context(), drive.CountConfig{
		Runner: r, Cases: cases, Ops: func(c result.Case) int { return len(c.Op) }, Width: width,
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	var got []result.Count
	for _, r := range n.records {
		if r.Count != nil {
			got = append(got, *r.Count)
		}
	}
	want := []result.Count{
		{Case: cases[0], Ops: 6, Bytes: 2, Allocs: 1, Messages: 1, Encoded: 3},
		{Case: cases[2], Ops: 6, Bytes: 2, Allocs: 1, Messages: 1, Encoded: 3},
		{Case: cases[3], Ops: 6, Bytes: 2, Allocs: 1, Messages: 1, Encoded: 3},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	wantOutcomes := []result.Outcome{{Case: cases[1], Status: result.Panic, Reason: "stack overflow: goroutine stack exceeds 33554432-byte limit"}}
	if diff := cmp.Diff(wantOutcomes, outcomes, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(result.Outcome{}, "Stderr")); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if log := readLog(t, dir); len(log) != 4 || ready.Load() != 4 {
		t.Errorf("processes %q, want one a contender and a second try; %d were made ready", log, ready.Load())
	}
}

func TestChildrenEndWithTheRunner(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	if _, err := launches(t, &n, drive.LaunchesConfig{Runner: r, Pace: drive.Pace{Layouts: []uint64{0}}, Cells: []drive.Cell{cell("a", "child")}}); err != nil {
		t.Fatal(err)
	}
	for _, line := range readLog(t, dir) {
		if text, ok := strings.CutPrefix(line, "child "); ok {
			pid, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			if alive(pid) {
				t.Errorf("process %d that the runner started is still there", pid)
			}
		}
	}
	if len(n.outcomes()) != 1 {
		t.Errorf("outcomes %q", n.outcomes())
	}
}

// alive says whether a process still exists after more time than it takes to reap it.
func alive(pid int) bool {
	for range 100 {
		if syscall.Kill(pid, 0) != nil || zombie(pid) {
			return false
		}
		time.Sleep(20 * time.Millisecond)
	}
	return true
}

func TestRunnerThatCannotBeStarted(t *testing.T) {
	r, _ := runner(t)
	r.Binary = func(layout uint64) drive.Binary { return drive.Binary{Path: fmt.Sprint("/nowhere/", layout)} }
	var n notebook
	_, err := launches(t, &n, drive.LaunchesConfig{Runner: r, Pace: drive.Pace{Layouts: []uint64{5}}, Cells: []drive.Cell{cell("a", "x")}})
	if err == nil || !strings.Contains(err.Error(), "/nowhere/5") || len(n.records) != 0 {
		t.Errorf("error %v, %d records", err, len(n.records))
	}
}

// An external contender need not count, so it keeps a case that it answers with an error. It loses a
// case whose process ends, and a runner of ours must count every case.
func TestCountOfExternal(t *testing.T) {
	for _, external := range []bool{true, false} {
		r, _ := runner(t)
		r.External = external
		var n notebook
		if _, err := drive.Count(t.Context(), drive.CountConfig{
			Runner: r, Cases: []result.Case{encodeCase("a", "error"), encodeCase("a", "exit")}, Ops: func(result.Case) int { return 1 },
		}, n.sink, n.event); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range n.records {
			if r.Note != nil {
				got = append(got, r.Note.Text)
			}
		}
		got = append(got, n.outcomes()...)
		want := []string{"error/encode: unverified: error: field 3 is missing"}
		if external {
			want = []string{"a/s/error/encode: no count: error: field 3 is missing"}
		}
		want = append(want, "exit/encode: panic: exited with status 0 before answering")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("external %v (-want +got):\n%s", external, diff)
		}
	}
}
