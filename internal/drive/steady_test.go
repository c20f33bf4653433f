//go:build unix

package drive_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/drive"
	"assay/result"
)

// telling returns a Runner of fakes that have a label and log more.
func telling(r drive.Runner, label string) drive.Runner {
	binary := r.Binary
	r.Binary = func(layout uint64) drive.Binary {
		b := binary(layout)
		b.Env = append(slices.Clone(b.Env), tellEnv+"="+label)
		return b
	}
	return r
}

func steadyCell(workload string, names ...string) drive.SteadyCell {
	c := drive.SteadyCell{Cell: result.Cell{Workload: workload, Size: "s", Op: result.Encode}}
	for _, name := range names {
		c.Subjects = append(c.Subjects, result.Subject{Contender: name})
	}
	return c
}

// steadies returns the steady records as "workload/contender#index live rounds".
func (n *notebook) steadies() []string {
	var out []string
	for _, r := range n.records {
		if s := r.Steady; s != nil {
			out = append(out, fmt.Sprintf("%s/%s#%d %d %v", s.Case.Workload, s.Case.Contender, s.Index, s.LiveMB, s.Round))
		}
	}
	slices.Sort(out)
	return out
}

func (n *notebook) notes() []string {
	var out []string
	for _, r := range n.records {
		if r.Note != nil {
			out = append(out, r.Note.Text)
		}
	}
	return out
}

// with returns the rest of each line that begins with a word.
func with(lines []string, word string) []string {
	var out []string
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, word+" "); ok {
			out = append(out, rest)
		}
	}
	return out
}

func TestSteady(t *testing.T) {
	r, dir := runner(t)
	var started []uint64
	binary := r.Binary
	r.Binary = func(layout uint64) drive.Binary {
		started = append(started, layout)
		return binary(layout)
	}
	var n notebook
	tally, err := drive.Steady(t.Context(), drive.SteadyConfig{
		Runner: r, Layouts: []uint64{7, 8}, LiveMB: []int{0, 64}, Rounds: 4,
		Cells: []drive.SteadyCell{steadyCell("w", "a", "b", "c"), steadyCell("v", "a", "b")},
		Min:   time.Millisecond, Max: time.Second, MinCycles: 2,
		Skip: map[drive.LaunchKey]bool{{Cell: steadyCell("v").Cell, Index: 1}: true},
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"v/a#0 0 [0 1 2 3]", "v/a#0 64 [0 1 2 3]", "v/b#0 0 [0 1 2 3]", "v/b#0 64 [0 1 2 3]",
		"w/a#0 0 [0 1 2 3]", "w/a#0 64 [0 1 2 3]", "w/a#1 0 [0 1 2 3]", "w/a#1 64 [0 1 2 3]",
		"w/b#0 0 [0 1 2 3]", "w/b#0 64 [0 1 2 3]", "w/b#1 0 [0 1 2 3]", "w/b#1 64 [0 1 2 3]",
		"w/c#0 0 [0 1 2 3]", "w/c#0 64 [0 1 2 3]", "w/c#1 0 [0 1 2 3]", "w/c#1 64 [0 1 2 3]",
	}
	if diff := cmp.Diff(want, n.steadies()); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	log := readLog(t, dir)
	if loads := with(log, "load"); !slices.Equal(loads, []string{"w", "w", "w", "v", "v", "w", "w", "w"}) {
		t.Errorf("processes were started in the order %q", loads)
	}
	if layouts := slices.Compact(started); !slices.Equal(layouts, []uint64{7, 8}) {
		t.Errorf("processes of the layouts %d were started", layouts)
	}
	// In each set and for each live heap, all subjects warm up, and then all take part in each
	// round. The next round has the reverse order.
	asked := with(log, "steady")
	for block := range slices.Chunk(asked[:30], 15) {
		first, second := block[3:6], slices.Clone(block[6:9])
		slices.Reverse(second)
		if !slices.Equal(first, second) {
			t.Errorf("rounds %q, of which the second does not reverse the first", block[3:])
		}
		for i := 0; i < 15; i += 3 {
			if turn := slices.Sorted(slices.Values(block[i : i+3])); len(slices.Compact(turn)) != 3 {
				t.Errorf("not everyone had a turn in %q", block[i:i+3])
			}
		}
	}
	first, second := asked[:3], slices.Clone(asked[50:53])
	slices.Reverse(second)
	if !slices.Equal(first, second) {
		t.Errorf("the processes of the second set were started in the order %q, want it reversed", asked[50:53])
	}
	s := n.records[0].Steady
	got := result.Steady{
		Case: s.Case, Index: s.Index, LiveMB: s.LiveMB, Layout: 7, Round: []int{0, 1, 2, 3}, Ops: []int{10, 10, 10, 10},
		Wall: []int64{100, 100, 100, 100}, CPU: []int64{120, 120, 120, 120}, Cycles: []int{3, 3, 3, 3}, GCCPU: []int64{20, 20, 20, 20},
	}
	if diff := cmp.Diff(got, *s); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	if tally.Missed != nil || tally.Outcomes != nil {
		t.Errorf("tally %+v", tally)
	}
	if steps := countSteps(n.events); steps != 8 {
		t.Errorf("%d steps, want 8", steps)
	}
}

// Counts are as long as three quarters of the budget allow for sets of all layouts, within the
// limits. Their length depends on the number of contenders, and not on the number of sets that
// are made.
func TestSteadyLength(t *testing.T) {
	one, two := steadyCell("w", "a", "b"), steadyCell("v", "a", "b", "c", "d")
	for _, tt := range []struct {
		name    string
		budget  time.Duration
		longest int
		cells   []drive.SteadyCell
		want    []string
	}{
		{"as long as they must be", time.Minute, 0, []drive.SteadyCell{one}, []string{"10ms to 30ms"}},
		{"no budget", 0, 10, []drive.SteadyCell{one}, []string{"10ms to 30ms"}},
		// 4 sets in 1440ms: three quarters of a set's time are 270ms, for 2×2.05 counts of 65ms.
		{"twice", 1440 * time.Millisecond, 10, []drive.SteadyCell{one}, []string{"20ms to 60ms"}},
		{"no longer than they may be", time.Minute, 10, []drive.SteadyCell{one}, []string{"100ms to 300ms"}},
		{"no shorter than they must be", 10 * time.Millisecond, 10, []drive.SteadyCell{one}, []string{"10ms to 30ms"}},
		{"a cell of more contenders", 2880 * time.Millisecond, 10, []drive.SteadyCell{one, two}, []string{"20ms to 60ms", "10ms to 30ms"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, dir := runner(t)
			var n notebook
			if _, err := drive.Steady(t.Context(), drive.SteadyConfig{
				Runner: r, Layouts: []uint64{7, 8, 9, 10}, Least: 1, LiveMB: []int{0}, Rounds: 2, Cells: tt.cells,
				Min: 10 * time.Millisecond, Max: 30 * time.Millisecond, Wait: time.Second, Longest: tt.longest, Budget: tt.budget,
			}, n.sink, n.event); err != nil {
				t.Fatal(err)
			}
			warm := map[string]string{"10ms to 30ms": "500µs to 1.5ms, 0s", "20ms to 60ms": "1ms to 3ms, 0s", "100ms to 300ms": "5ms to 15ms, 0s"}
			got := slices.Compact(slices.Sorted(slices.Values(with(readLog(t, dir), "length"))))
			var want []string
			for _, length := range tt.want {
				want = append(want, length+", 1s", warm[length])
			}
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("counts took %q, want %q", got, want)
			}
		})
	}
}

// The ops of a size share the processes of a set. Each op has its own warm-up. Sizes are counted
// in their order.
func TestSteadySharesProcesses(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	decode := func(c drive.SteadyCell) drive.SteadyCell { c.Op = result.Decode; return c }
	tally, err := drive.Steady(t.Context(), drive.SteadyConfig{
		Runner: r, Layouts: []uint64{7, 8}, Rounds: 2, Max: time.Second,
		Cells: []drive.SteadyCell{steadyCell("w", "a", "b"), steadyCell("v", "a", "b"), decode(steadyCell("w", "a", "b")), decode(steadyCell("v", "a", "b"))},
	}, n.sink, n.event)
	if err != nil || tally.Missed != nil || tally.Outcomes != nil {
		t.Fatalf("%v, %+v", err, tally)
	}
	log := readLog(t, dir)
	if loads := with(log, "load"); !slices.Equal(loads, []string{"w", "w", "v", "v", "w", "w", "v", "v"}) {
		t.Errorf("processes were started in the order %q", loads)
	}
	if asked := with(log, "steady"); len(asked) != 2*2*2*2*3 { // layouts, sizes, ops, subjects; a warm-up and two rounds
		t.Errorf("%d counts: %q", len(asked), asked)
	}
	var order []string
	for _, r := range n.records {
		if c := r.Steady.Case; c.Contender == "a" {
			order = append(order, fmt.Sprintf("%s/%s#%d %v", c.Workload, c.Op, r.Steady.Index, r.Steady.Round))
		}
	}
	want := []string{
		"w/encode#0 [0 1]", "w/decode#0 [0 1]", "v/encode#0 [0 1]", "v/decode#0 [0 1]",
		"w/encode#1 [0 1]", "w/decode#1 [0 1]", "v/encode#1 [0 1]", "v/decode#1 [0 1]",
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("sets (-want +got):\n%s", diff)
	}
}

// TestSteadyPinned: all processes of a set are on one CPU, and the sets use all CPUs in turn.
func TestSteadyPinned(t *testing.T) {
	cpus := drive.CPUs()
	r, dir := runner(t)
	var n notebook
	_, err := drive.Steady(t.Context(), drive.SteadyConfig{
		Runner: telling(r, "on"), Layouts: []uint64{0, 0, 0}, Rounds: 1,
		Cells: []drive.SteadyCell{steadyCell("w", "a", "b")},
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "linux" {
		return
	}
	var want []string
	for set := range 3 {
		line := fmt.Sprintf("GOMAXPROCS= CPUs %d", cpus[set%len(cpus)])
		want = append(want, line, line)
	}
	if diff := cmp.Diff(want, with(readLog(t, dir), "on")); diff != "" {
		t.Errorf("where the processes were (-want +got):\n%s", diff)
	}
	// This process still has its own CPUs.
	if !slices.Equal(drive.CPUs(), cpus) || len(n.notes()) != 0 {
		t.Errorf("on CPUs %v, were on %v; notes %q", drive.CPUs(), cpus, n.notes())
	}
}

// TestUnpinned asks for a CPU that does not exist.
func TestUnpinned(t *testing.T) {
	r, _ := runner(t)
	r.Limits.CPUs = []int{1023}
	p, err := drive.Start(t.Context(), r.Binary(0), r.Limits)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Unpinned() == nil {
		t.Error("a process is said to be on CPU 1023")
	}
}

func TestSteadyFailures(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	tally, err := drive.Steady(t.Context(), drive.SteadyConfig{
		Runner: r, Layouts: []uint64{0, 0}, LiveMB: []int{0, 64}, Rounds: 2,
		Cells: []drive.SteadyCell{
			steadyCell("w", "panic@steady", "a", "error@steady", "exit!", "b"),
			steadyCell("panic", "a", "b"),
		},
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, name := range []string{"a", "b", "exit!"} {
		for index := range 2 {
			for _, live := range []int{0, 64} {
				want = append(want, fmt.Sprintf("w/%s#%d %d [0 1]", name, index, live))
			}
		}
	}
	if diff := cmp.Diff(want, n.steadies()); diff != "" {
		t.Errorf("records (-want +got):\n%s\n%q", diff, readLog(t, dir))
	}
	lost := "panic: while the values were made: panic: runtime error: index out of range [3] with length 0"
	wantOutcomes := []string{
		"panic@steady/encode: panic: panic: runtime error: index out of range [3] with length 0",
		"a/encode: " + lost, "b/encode: " + lost,
	}
	if diff := cmp.Diff(wantOutcomes, n.outcomes()); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if notes := n.notes(); len(notes) != 1 || notes[0] != "w/s/error@steady/encode: no cpu-time: error: field 3 is missing" {
		t.Errorf("notes %q", notes)
	}
	if len(tally.Outcomes) != 3 || tally.Missed != nil {
		t.Errorf("tally %+v", tally)
	}
}

// TestSteadyMemory admits only the reference and one other process at the same time. Each group
// of two has the reference in it, and the round numbers go on from group to group.
func TestSteadyMemory(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	_, err := drive.Steady(t.Context(), drive.SteadyConfig{
		Runner: r, Layouts: []uint64{0}, LiveMB: []int{0}, Rounds: 2, Memory: 1,
		Cells: []drive.SteadyCell{steadyCell("w", "a", "b", "c", "d")},
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"w/a#0 0 [0 1 2 3 4 5]", "w/b#0 0 [0 1]", "w/c#0 0 [2 3]", "w/d#0 0 [4 5]"}
	if diff := cmp.Diff(want, n.steadies()); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if loads := with(readLog(t, dir), "load"); len(loads) != 4 {
		t.Errorf("%d processes were started, want the reference to stay: 4", len(loads))
	}
}

func TestSteadyBudget(t *testing.T) {
	r, _ := runner(t)
	var n notebook
	tally, err := drive.Steady(t.Context(), drive.SteadyConfig{
		Runner: r, Layouts: []uint64{0}, Rounds: 1000, Budget: 1,
		Cells: []drive.SteadyCell{steadyCell("w", "a", "b")},
	}, n.sink, n.event)
	if err != nil || len(tally.Missed) != 2 || len(n.records) != 0 {
		t.Errorf("tally %+v, %v, %d records", tally, err, len(n.records))
	}
	if _, err = drive.Steady(t.Context(), drive.SteadyConfig{
		Runner: r, Layouts: []uint64{0}, Rounds: 1 << 30, Budget: 200 * time.Millisecond,
		Cells: []drive.SteadyCell{steadyCell("w", "a", "b")},
	}, n.sink, n.event); err != nil || len(n.steadies()) != 2 {
		t.Errorf("error %v, records %q", err, n.steadies())
	}
}

// TestSteadyLeast: every size gets its least sets. The rest of the budget goes to the size on
// which the least time was spent, while there are layouts.
func TestSteadyLeast(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for slow sets")
	}
	cfg := drive.SteadyConfig{
		Layouts: []uint64{1, 2, 3, 4}, Least: 2, Rounds: 2, Max: time.Second,
		Cells: []drive.SteadyCell{steadyCell("w", "a", "slow@steady"), steadyCell("v", "a", "b")},
		Skip:  map[drive.LaunchKey]bool{{Cell: steadyCell("v").Cell, Index: 2}: true},
	}
	for _, c := range []struct {
		budget time.Duration
		want   []string
	}{
		{0, []string{"w#0", "v#0", "w#1", "v#1"}},
		{time.Hour, []string{"w#0", "v#0", "w#1", "v#1", "v#3", "w#2", "w#3"}},
	} {
		var n notebook
		r, _ := runner(t)
		cfg.Runner, cfg.Budget = r, c.budget
		tally, err := drive.Steady(t.Context(), cfg, n.sink, n.event)
		if err != nil || tally.Missed != nil || tally.Outcomes != nil {
			t.Fatalf("%v, %+v", err, tally)
		}
		var order []string
		for _, r := range n.records {
			if c := r.Steady.Case; c.Contender == "a" {
				order = append(order, fmt.Sprintf("%s#%d", c.Workload, r.Steady.Index))
			}
		}
		if diff := cmp.Diff(c.want, order); diff != "" {
			t.Errorf("budget %v: sets (-want +got):\n%s", c.budget, diff)
		}
	}
}

// A resumed pass estimates the time of a set from the sets that it made itself, without those of
// the earlier attempt.
func TestSteadyResumedAffords(t *testing.T) {
	r, _ := runner(t)
	var n notebook
	w := steadyCell("w", "a", "slow@steady")
	cfg := drive.SteadyConfig{
		Runner: r, Layouts: []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, Least: 2, Rounds: 1, Max: time.Second,
		Cells: []drive.SteadyCell{w}, Skip: map[drive.LaunchKey]bool{},
	}
	// A set sleeps twice, 400ms in all: the budget has room for one set and not for two.
	cfg.Budget = 700 * time.Millisecond
	for index := range 8 {
		cfg.Skip[drive.LaunchKey{Cell: w.Cell, Index: index}] = true
	}
	if _, err := drive.Steady(t.Context(), cfg, n.sink, n.event); err != nil {
		t.Fatal(err)
	}
	if got := n.steadies(); !slices.Equal(got, []string{"w/a#8 0 [0]", "w/slow@steady#8 0 [0]"}) {
		t.Errorf("sets %q, want the first of two", got)
	}
}

func freshCases() []result.Case {
	return []result.Case{encodeCase("w", "a"), encodeCase("w", "panic"), encodeCase("w", "error"), encodeCase("v", "b")}
}

const panicked = "panic/encode: panic: panic: runtime error: index out of range [3] with length 0"

func TestCold(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	tally, err := drive.Cold(t.Context(), drive.FreshConfig{Runner: r, Cases: freshCases(), Times: 3}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	var got []result.Cold
	for _, r := range n.records {
		if r.Cold != nil {
			got = append(got, *r.Cold)
		}
	}
	values := []int64{1234, 1234, 1234}
	if diff := cmp.Diff([]result.Cold{{Case: encodeCase("w", "a"), NS: values}, {Case: encodeCase("v", "b"), NS: values}}, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{panicked}, n.outcomes()); diff != "" || len(tally.Outcomes) != 1 {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"w/s/error/encode: no cold: error: field 3 is missing"}, n.notes()); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	// Three processes for each case that works, and two tries for each case that fails.
	if loads := with(readLog(t, dir), "load"); len(loads) != 3+2+2+3 {
		t.Errorf("%d processes", len(loads))
	}
	if steps := countSteps(n.events); steps != 4 {
		t.Errorf("%d steps", steps)
	}
}

func TestPeak(t *testing.T) {
	r, _ := runner(t)
	var n notebook
	ballast := make([]byte, 300<<20) // our memory must not count as theirs
	for i := range ballast {
		ballast[i] = 1
	}
	if _, err := drive.Peak(t.Context(), drive.FreshConfig{Runner: r, Cases: freshCases()[:1], Times: 2}, time.Millisecond, n.sink, n.event); err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(ballast)
	if len(n.records) != 1 || n.records[0].Peak == nil {
		t.Fatalf("records %+v", n.records)
	}
	p := n.records[0].Peak
	if len(p.RSS) != 2 || p.Case != encodeCase("w", "a") {
		t.Errorf("record %+v", p)
	}
	for _, rss := range p.RSS {
		if rss < 1<<20 || rss > 200<<20 {
			t.Errorf("a process that does nothing had %d bytes", rss)
		}
	}
}

func TestRetain(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	if _, err := drive.Retain(t.Context(), drive.RetainConfig{Runner: r, Cases: freshCases(), Messages: 10}, n.sink, n.event); err != nil {
		t.Fatal(err)
	}
	var got []result.Retained
	for _, r := range n.records {
		if r.Retained != nil {
			got = append(got, *r.Retained)
		}
	}
	want := []result.Retained{
		{Case: encodeCase("w", "a"), Messages: 10, Bytes: 5000, Encoded: 700},
		{Case: encodeCase("v", "b"), Messages: 10, Bytes: 5000, Encoded: 700},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{panicked}, n.outcomes()); diff != "" || len(n.notes()) != 1 {
		t.Errorf("outcomes (-want +got):\n%s\nnotes %q", diff, n.notes())
	}
	if loads := with(readLog(t, dir), "load"); len(loads) != 6 {
		t.Errorf("%d processes, want one a case and second tries", len(loads))
	}
}

func TestScaling(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	_, err := drive.Scaling(t.Context(), drive.ScalingConfig{
		Runner: telling(r, "on"), Cases: freshCases(), N: func(result.Case) int { return 50 },
		CPUs: []int{1, 3}, Rounds: 2, Visits: 3,
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	var got []result.Scaling
	for _, r := range n.records {
		if r.Scaling != nil {
			got = append(got, *r.Scaling)
		}
	}
	var want []result.Scaling
	for _, c := range []result.Case{encodeCase("w", "a"), encodeCase("v", "b")} {
		want = append(want,
			result.Scaling{Case: c, Goroutines: 1, CPUs: 1, N: 50, Wall: []int64{1000, 1001, 1000, 1001, 1000, 1001}},
			result.Scaling{Case: c, Goroutines: 3, CPUs: 3, N: 50, Wall: []int64{3000, 3001, 3000, 3001, 3000, 3001}})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	log := readLog(t, dir)
	turns := with(with(log, "parallel"), "b")
	if len(turns) != 6 || turns[0] == turns[1] || turns[1] != turns[2] {
		t.Errorf("turns %q do not alternate", turns)
	}
	procs := 0
	for _, line := range with(log, "on") {
		if strings.HasPrefix(line, "GOMAXPROCS=3 ") {
			procs++
		}
	}
	if procs == 0 {
		t.Errorf("no process with three processors in %q", log)
	}
	if diff := cmp.Diff([]string{panicked}, n.outcomes()); diff != "" || len(n.notes()) != 1 {
		t.Errorf("outcomes (-want +got):\n%s\nnotes %q", diff, n.notes())
	}
}

// TestCancelPasses cancels each pass while its runner hangs.
func TestCancelPasses(t *testing.T) {
	interrupted := errors.New("interrupted")
	cases := []result.Case{encodeCase("w", "hang")}
	passes := map[string]func(context.Context, drive.Runner, *notebook) error{
		"steady": func(ctx context.Context, r drive.Runner, n *notebook) error {
			_, err := drive.Steady(ctx, drive.SteadyConfig{
				Runner: r, Layouts: []uint64{0}, Rounds: 1, Cells: []drive.SteadyCell{steadyCell("w", "a", "hang")},
			}, n.sink, n.event)
			return err
		},
		"cold": func(ctx context.Context, r drive.Runner, n *notebook) error {
			_, err := drive.Cold(ctx, drive.FreshConfig{Runner: r, Cases: cases, Times: 1}, n.sink, n.event)
			return err
		},
		"peak": func(ctx context.Context, r drive.Runner, n *notebook) error {
			_, err := drive.Peak(ctx, drive.FreshConfig{Runner: r, Cases: cases, Times: 1}, 1, n.sink, n.event)
			return err
		},
		"retain": func(ctx context.Context, r drive.Runner, n *notebook) error {
			_, err := drive.Retain(ctx, drive.RetainConfig{Runner: r, Cases: cases, Messages: 1}, n.sink, n.event)
			return err
		},
		"scaling": func(ctx context.Context, r drive.Runner, n *notebook) error {
			_, err := drive.Scaling(ctx, drive.ScalingConfig{
				Runner: r, Cases: cases, N: func(result.Case) int { return 1 }, CPUs: []int{1}, Rounds: 1, Visits: 1,
			}, n.sink, n.event)
			return err
		},
		"footprint": func(ctx context.Context, r drive.Runner, n *notebook) error {
			_, err := drive.Footprint(ctx, drive.FootprintConfig{
				Runner: r, Layouts: []uint64{0}, Cases: cases, Sizes: []int64{1, 2}, Visits: 1,
				N: func(result.Case) int { return 1 }, Batch: func(result.Case) time.Duration { return 1 },
				Allocated: func(result.Case) int64 { return 1 },
			}, n.sink, n.event)
			return err
		},
		"lockstep": func(ctx context.Context, r drive.Runner, n *notebook) error {
			_, err := drive.Lockstep(ctx, drive.LockstepConfig{
				Pace: drive.Pace{Layouts: []uint64{0}}, Cells: []drive.Cell{cell("w", "hang")},
				Sides: []drive.Side{{Label: "x", Runner: r}, {Label: "y", Runner: r}},
			}, n.sink, n.event)
			return err
		},
	}
	for name, pass := range passes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := runner(t)
			r.Limits.Answer = time.Minute
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(100*time.Millisecond, func() { cancel(interrupted) })
			var n notebook
			if err := pass(ctx, r, &n); err != interrupted {
				t.Errorf("error %v, want the context's cause", err)
			}
			if len(n.records) != 0 {
				t.Errorf("records %+v", n.records)
			}
		})
	}
}
