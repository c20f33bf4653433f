//go:build unix

package drive_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

func lockstepSides(r drive.Runner, labels ...string) []drive.Side {
	var out []drive.Side
	for _, label := range labels {
		out = append(out, drive.Side{Label: label, Runner: telling(r, label)})
	}
	return out
}

// sides returns the launches as "workload#index side: contender rounds".
func (n *notebook) sides() []string {
	var out []string
	for _, r := range n.records {
		if l := r.Launch; l != nil {
			line := fmt.Sprintf("%s#%d %s:", l.Cell.Workload, l.Index, l.Side)
			for _, s := range l.Series {
				line += fmt.Sprint(" ", s.Contender, " ", s.Round)
			}
			out = append(out, line)
		}
	}
	return out
}

func TestLockstep(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	c := cell("w", "a")
	c.Warmup, c.Rounds = 10, 6
	p, err := drive.Lockstep(t.Context(), drive.LockstepConfig{
		Pace: drive.Pace{Layouts: []uint64{5, 6}}, Cells: []drive.Cell{c}, Block: 1, Sides: lockstepSides(r, "old", "new"),
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"w#0 old: a [0 1 2 3 4 5]", "w#0 new: a [0 1 2 3 4 5]",
		"w#1 old: a [0 1 2 3 4 5]", "w#1 new: a [0 1 2 3 4 5]",
	}
	if diff := cmp.Diff(want, n.sides()); diff != "" {
		t.Errorf("launches (-want +got):\n%s", diff)
	}
	l := n.records[1].Launch
	if l.Layout != 5 || l.Warmup != 10 || l.Elapsed <= 0 || len(l.Sentinel) != 10 || len(l.Series[0].CPU) != 6 {
		t.Errorf("launch %+v", l)
	}
	if n := p.Launches[c.Cell]; n != 2 {
		t.Errorf("%d launches, want 2", n)
	}
	var started string
	for _, line := range readLog(t, dir) {
		if side, _, ok := strings.Cut(line, " GOMAXPROCS"); ok {
			started += side[:1]
		}
	}
	if started != "onno" {
		t.Errorf("sides were started in the order %q, want it reversed the second time", started)
	}
	var turns string
	for _, line := range readLog(t, dir) {
		if side, ok := strings.CutSuffix(line, " a 1"); ok {
			turns += side[:1]
		}
	}
	if len(turns) != 24 {
		t.Fatalf("turns %q", turns)
	}
	for i := 0; i < 24; i += 4 {
		if s := turns[i : i+4]; s != "onno" && s != "noon" {
			t.Errorf("turns %q are not a pair and its reverse", s)
		}
	}
	if runtime.GOOS == "linux" {
		cpus := drive.CPUs()
		for _, side := range []string{"old", "new"} {
			var got []string
			for _, line := range with(readLog(t, dir), side) {
				if _, cpu, ok := strings.Cut(line, "CPUs "); ok {
					got = append(got, cpu)
				}
			}
			if want := []string{fmt.Sprint(cpus[0]), fmt.Sprint(cpus[1%len(cpus)])}; !slices.Equal(got, want) {
				t.Errorf("%s was on CPUs %q, want %q", side, got, want)
			}
		}
	}
}

func TestLockstepBlocks(t *testing.T) {
	r, _ := runner(t)
	var n notebook
	c := cell("w", "a", "b")
	c.Rounds = 7
	c.Cases[1].Every = 2
	control := c.Cases[0]
	control.Role = result.Control
	c.Cases = append(c.Cases, control)
	if _, err := drive.Lockstep(t.Context(), drive.LockstepConfig{
		Pace: drive.Pace{Layouts: []uint64{5}}, Cells: []drive.Cell{c}, Block: 2, Sides: lockstepSides(r, "x", "y", "z"),
	}, n.sink, n.event); err != nil {
		t.Fatal(err)
	}
	for _, line := range n.sides() {
		if !strings.Contains(line, "a [0 1 2 3 4 5 6]") || !strings.Contains(line, "b [0 1 4 5]") {
			t.Errorf("launch %q", line)
		}
	}
	if len(n.sides()) != 3 || len(n.records[0].Launch.Series) != 2 {
		t.Errorf("launches %q", n.sides())
	}
}

// TestLockstepControl runs the runner of each side a second time. The control's samples are in
// the launch of its side.
func TestLockstepControl(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	c, bad := cell("w", "a", "b"), cell("v", "exit", "b")
	sides := append(lockstepSides(r, "old", "new"), lockstepSides(r, "control", "other")...)
	sides[2].Label, sides[2].Control = "old", true
	sides[3].Label, sides[3].Control = "new", true
	if _, err := drive.Lockstep(t.Context(), drive.LockstepConfig{
		Pace: drive.Pace{Layouts: []uint64{5}}, Cells: []drive.Cell{c, bad}, Sides: sides,
	}, n.sink, n.event); err != nil {
		t.Fatal(err)
	}
	want := []string{"w#0: a b a/control b/control", "w#0: a b a/control b/control", "v#0: b b/control", "v#0: b b/control"}
	if diff := cmp.Diff(want, n.launches()); diff != "" {
		t.Errorf("launches (-want +got):\n%s", diff)
	}
	for _, r := range n.records[:2] {
		if own, control := r.Launch.Series[0], r.Launch.Series[2]; len(own.Round) == 0 || !slices.Equal(own.Round, control.Round) {
			t.Errorf("%s: the control has rounds %v, and its case %v", r.Launch.Side, control.Round, own.Round)
		}
	}
	if n.records[0].Launch.Side != "old" || n.records[1].Launch.Side != "new" {
		t.Errorf("launches of %s and %s", n.records[0].Launch.Side, n.records[1].Launch.Side)
	}
	for _, label := range []string{"control", "other"} {
		if calls := with(readLog(t, dir), label); !slices.Contains(calls, "a 1") {
			t.Errorf("the process of %s ran %q", label, calls)
		}
	}
}

// TestLockstepDeaths has one side die once, which costs a round, and always, which costs the
// case.
func TestLockstepDeaths(t *testing.T) {
	r, dir := runner(t)
	var n notebook
	c := cell("w", "a", "exit!", "b")
	c.Rounds = 4
	bad := cell("w2", "a", "panic")
	bad.Rounds = 2
	lost := cell("panic", "a", "b")
	_, err := drive.Lockstep(t.Context(), drive.LockstepConfig{
		Pace: drive.Pace{Layouts: []uint64{5, 6}}, Block: 1,
		Cells: []drive.Cell{c, bad, lost}, Sides: lockstepSides(r, "x", "y"),
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"w#0 x", "w#0 y", "w2#0 x", "w2#0 y", "w#1 x", "w#1 y", "w2#1 x", "w2#1 y"}
	var got []string
	for _, line := range n.sides() {
		key, series, _ := strings.Cut(line, ":")
		got = append(got, key)
		if strings.HasPrefix(key, "w2") && strings.Contains(series, "panic") {
			t.Errorf("%q has samples of an excluded case", line)
		}
		if !strings.Contains(series, "a [0 1") {
			t.Errorf("%q lacks samples", line)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("launches (-want +got):\n%s", diff)
	}
	var sides []string
	for _, o := range outcomes(&n) {
		sides = append(sides, o.Case.Workload+"/"+o.Case.Contender+" "+o.Side+" "+string(o.Status))
	}
	if diff := cmp.Diff([]string{"w2/panic x panic", "panic/a x panic", "panic/b x panic"}, sides); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s\n%q", diff, readLog(t, dir))
	}
}

// TestLockstepReady: the runners of all sides are built in a layout before the first launch of
// that layout. If one cannot be built, the pass ends with that error.
func TestLockstepReady(t *testing.T) {
	r, dir := runner(t)
	var mu sync.Mutex
	var made []string
	sides := lockstepSides(r, "old", "new")
	for i := range sides {
		own := telling(r, sides[i].Label)
		own.Ready = func(_ context.Context, layout uint64) error {
			mu.Lock()
			defer mu.Unlock()
			if layout == 6 && i == 1 {
				return errors.New("no link")
			}
			made = append(made, fmt.Sprint(sides[i].Label, layout))
			return nil
		}
		sides[i].Runner = own
	}
	var n notebook
	_, err := drive.Lockstep(t.Context(), drive.LockstepConfig{
		Pace: drive.Pace{Layouts: []uint64{5, 6, 7}}, Cells: []drive.Cell{cell("w", "a"), cell("w2", "a")}, Sides: sides,
	}, n.sink, n.event)
	if err == nil || err.Error() != "no link" {
		t.Errorf("error %v, want that of the side that has no link", err)
	}
	slices.Sort(made)
	if diff := cmp.Diff([]string{"new5", "old5", "old6"}, slices.Compact(made)); diff != "" {
		t.Errorf("made (-want +got):\n%s", diff)
	}
	if got := len(n.sides()); got != 4 {
		t.Errorf("%d launches, want those of two cells on two sides", got)
	}
	started := 0
	for _, line := range readLog(t, dir) {
		if strings.Contains(line, " GOMAXPROCS") {
			started++
		}
	}
	if started != 4 {
		t.Errorf("%d processes were started, want four: none of a layout that one side lacks", started)
	}
}

func outcomes(n *notebook) []result.Outcome {
	var out []result.Outcome
	for _, r := range n.records {
		if r.Outcome != nil {
			out = append(out, *r.Outcome)
		}
	}
	return out
}

// TestLockstepAgainAndAgain has a case that dies in every process except at its first call.
func TestLockstepAgainAndAgain(t *testing.T) {
	r, _ := runner(t)
	var n notebook
	c := cell("w", "a", "flaky")
	c.Rounds = 20
	p, err := drive.Lockstep(t.Context(), drive.LockstepConfig{
		Pace: drive.Pace{Layouts: []uint64{5}}, Cells: []drive.Cell{c}, Sides: lockstepSides(r, "x", "y"),
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Outcomes) != 1 || !strings.HasSuffix(p.Outcomes[0].Reason, "(again and again, each time in a new process)") {
		t.Errorf("outcomes %+v", p.Outcomes)
	}
	for _, line := range n.sides() {
		if strings.Contains(line, "flaky") || !strings.Contains(line, "a [0 1 2") {
			t.Errorf("launch %q", line)
		}
	}
	if len(n.sides()) != 2 {
		t.Errorf("launches %q", n.sides())
	}
}

func TestRoles(t *testing.T) {
	r, _ := runner(t)
	var n notebook
	c := cell("w", "a", "exit", "b")
	control, floor := c.Cases[0], c.Cases[1]
	control.Role, floor.Role = result.Control, result.Floor
	c.Cases = append([]bench.CaseSpec{floor}, append(c.Cases, control, bench.CaseSpec{Subject: c.Cases[2].Subject, Op: result.Encode, N: 9, Role: result.Floor})...)
	if _, err := launches(t, &n, drive.LaunchesConfig{Runner: r, Pace: drive.Pace{Layouts: []uint64{0}}, Cells: []drive.Cell{c}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"w#0: a b a/control b/floor"}, n.launches()); diff != "" {
		t.Errorf("launches (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"exit/encode: panic: exited with status 0 before answering"}, n.outcomes()); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	l := n.records[len(n.records)-1].Launch
	if len(l.Sentinel) != c.Rounds || l.Steal < 0 || runtime.GOOS == "linux" && l.Load == 0 {
		t.Errorf("launch %+v", l)
	}
}

// besideExternal launches cells that have cases of ours and of an external contender, whose
// runner is theirs.
func besideExternal(t *testing.T, n *notebook, r, theirs drive.Runner, external string, cells ...drive.Cell) drive.Progress {
	t.Helper()
	p, err := drive.Lockstep(t.Context(), drive.LockstepConfig{
		Pace: drive.Pace{Layouts: []uint64{5, 6}}, Cells: cells, External: external,
		Sides: []drive.Side{
			{Runner: r, Holds: func(s result.Subject) bool { return s.Contender != external }},
			{Runner: theirs, Holds: func(s result.Subject) bool { return s.Contender == external }},
		},
	}, n.sink, n.event)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Both sides of an external contender's launch are one record, and each side runs its own cases
// only.
func TestLockstepExternal(t *testing.T) {
	r, dir := runner(t)
	theirs := telling(r, "theirs")
	theirs.Data = func(workload, size string) string { return "values of " + workload }
	var n notebook
	both, alone, other := cell("w", "a", "g"), cell("w2", "g"), cell("w3", "a")
	both.Rounds, alone.Rounds, other.Rounds = 4, 2, 2
	besideExternal(t, &n, telling(r, "ours"), theirs, "g", both, alone, other)
	want := []string{"w#0 : a [0 1 2 3] g [0 1 2 3]", "w2#0 : g [0 1]", "w#1 : a [0 1 2 3] g [0 1 2 3]", "w2#1 : g [0 1]"}
	if diff := cmp.Diff(want, n.sides()); diff != "" {
		t.Errorf("launches (-want +got):\n%s", diff)
	}
	for _, record := range n.records {
		if l := record.Launch; l != nil && (l.External != "g" || l.Layout != 5+uint64(l.Index)) {
			t.Errorf("launch %+v", l)
		}
	}
	if o := outcomes(&n); len(o) != 0 {
		t.Errorf("outcomes %+v", o)
	}
	for _, line := range readLog(t, dir) {
		if strings.HasPrefix(line, "ours g") || strings.HasPrefix(line, "theirs a") {
			t.Errorf("%q: a case was asked of the other side", line)
		}
	}
}

// An external contender that cannot be started, or always dies, loses only its own cases.
func TestLockstepExternalFails(t *testing.T) {
	r, _ := runner(t)
	absent := r
	absent.External = true
	absent.Binary = func(uint64) drive.Binary { return drive.Binary{Path: "./absent"} }
	for _, test := range []struct {
		external string
		theirs   drive.Runner
		want     string
	}{
		{"g", absent, "g encode build-failed: cannot start the runner ./absent: "},
		{"exit", r, "exit encode panic: exited with status 0 before answering"},
		{"garbage", r, `garbage encode panic: wrote "hello, I am a library" where an answer was due`},
	} {
		var n notebook
		c := cell("w", "a", test.external)
		c.Rounds = 2
		besideExternal(t, &n, r, test.theirs, test.external, c)
		if got := n.sides(); len(got) != 0 {
			t.Errorf("%s: launches %q", test.external, got)
		}
		o := outcomes(&n)
		if len(o) != 1 || !strings.HasPrefix(fmt.Sprintf("%s %s %s: %s", o[0].Case.Contender, o[0].Case.Op, o[0].Status, o[0].Reason), test.want) {
			t.Errorf("%s: outcomes %+v", test.external, o)
		}
	}
}

// TestLockstepRecheck: what an external contender does in the check at the end of a launch is a
// finding, which a second try in a new process would hide. If a signal from outside kills its
// process, a new one is asked, and a note says so.
func TestLockstepRecheck(t *testing.T) {
	for name, want := range map[string]struct {
		outcomes, repeated, notes []string
	}{
		"error!@write": {outcomes: []string{"error!@write/encode: unverified: error: field 3 is missing"}},
		"exit!@write":  {outcomes: []string{"exit!@write/encode: panic: exited with status 0 before answering"}},
		"kill!@write": {
			repeated: []string{"killed by signal: killed"},
			notes:    []string{"w/s/kill!@write/encode: its process ended before the check at the end of a launch, which a new process did"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := runner(t)
			c := cell("w", "a", name)
			c.Rounds = 2
			var n notebook
			_, err := drive.Lockstep(t.Context(), drive.LockstepConfig{
				Pace: drive.Pace{Layouts: []uint64{5}}, Cells: []drive.Cell{c}, External: name,
				Sides: []drive.Side{
					{Runner: r, Holds: func(s result.Subject) bool { return s.Contender != name }},
					{Runner: r, Holds: func(s result.Subject) bool { return s.Contender == name }},
				},
				Recheck: func(ctx context.Context, _ result.Cell, who result.Subject, _, theirs *drive.Session) (f *drive.Failure, err error) {
					if _, err = theirs.AskOnce(ctx, bench.Command{Cmd: "write", Write: &bench.Write{Subject: who}}); errors.As(err, &f) {
						return f, nil
					}
					return nil, err
				},
			}, n.sink, n.event)
			if err != nil {
				t.Fatal(err)
			}
			var notes []string
			for _, r := range n.records {
				if r.Note != nil {
					notes = append(notes, r.Note.Text)
				}
			}
			if diff := cmp.Diff([][]string{want.outcomes, want.repeated, want.notes}, [][]string{n.outcomes(), n.repeated(), notes}); diff != "" {
				t.Errorf("outcomes, repeated, notes (-want +got):\n%s", diff)
			}
		})
	}
}
