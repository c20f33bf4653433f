package drive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/bench"
	"assay/result"
)

// A sham is a pass whose launches measure nothing and take a second on a clock of their own, or
// four in a cell "slow".
type sham struct {
	clock  time.Duration
	ran    []string // "cell#index", and "wait 2s"
	events []LaunchDone
	stored []result.Launch
	looks  map[string]int
}

// newSham returns a sham and its sweeper over the named cells. judge returns the result of look n
// at a cell, from 0.
func newSham(p Pace, judge func(cell string, n int) Look, names ...string) (*sham, *sweeper) {
	h := &sham{looks: map[string]int{}}
	if judge != nil {
		p.Look = func(c result.Cell) Look {
			v := judge(c.Workload, h.looks[c.Workload])
			h.looks[c.Workload]++
			return v
		}
	}
	var cells []Cell
	for _, name := range names {
		cells = append(cells, Cell{Cell: result.Cell{Workload: name}})
	}
	s := &sweeper{
		Pace: p, course: newCourse(cells, p),
		ledger: &ledger{
			sink: func(r result.Record) error {
				h.stored = append(h.stored, *r.Launch)
				return nil
			},
			event: func(e Event) {
				if e, ok := e.(LaunchDone); ok {
					h.events = append(h.events, e)
				}
			},
		},
		measure: func(_ context.Context, c Cell, k int) ([]*result.Launch, error) {
			took := time.Second
			if c.Workload == "slow" {
				took *= 4
			}
			h.clock += took
			h.ran = append(h.ran, fmt.Sprintf("%s#%d", c.Workload, k))
			return []*result.Launch{{Cell: c.Cell, Index: k, Layout: p.Layouts[k], Elapsed: int64(took)}}, nil
		},
		now: func() time.Duration { return h.clock },
		sleep: func(_ context.Context, d time.Duration) error {
			h.clock += d
			h.ran = append(h.ran, fmt.Sprint("wait ", d))
			return nil
		},
	}
	return h, s
}

func layouts(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(100 + i)
	}
	return out
}

// script returns a judge that reads one letter for each look: N is narrow, n is narrow with
// neighbours that are not told apart, u is neither narrow nor told apart, and anything else is
// not narrow and told apart. The last letter holds for all later looks.
func script(of map[string]string) func(string, int) Look {
	return func(cell string, n int) Look {
		s := of[cell]
		switch s[min(n, len(s)-1)] {
		case 'N':
			return Look{Narrow: true, Width: 0.01}
		case 'n':
			return Look{Narrow: true, Width: 0.01, Need: 0.01}
		case 'u':
			return Look{Width: 0.05, Need: 0.05}
		}
		return Look{Width: 0.05}
	}
}

func TestPace(t *testing.T) {
	tests := []struct {
		name  string
		pace  Pace
		looks map[string]string // nil: none
		cells []string
		share map[string]int // launches of a cell; 0: all
		want  []string
		over  bool
	}{
		{
			name: "all layouts without a look", pace: Pace{Layouts: layouts(2), Least: 1}, cells: []string{"a", "b"},
			want: []string{"a#0", "b#0", "a#1", "b#1"},
		},
		{
			name: "narrow twice in a row", pace: Pace{Layouts: layouts(9), Least: 2}, cells: []string{"a", "b"},
			looks: map[string]string{"a": "NN", "b": ".N.NN"},
			want:  []string{"a#0", "b#0", "a#1", "b#1", "a#2", "b#2", "b#3", "b#4", "b#5"},
		},
		{
			name: "never narrow", pace: Pace{Layouts: layouts(4), Least: 2}, cells: []string{"a"},
			looks: map[string]string{"a": "."},
			want:  []string{"a#0", "a#1", "a#2", "a#3"},
		},
		{
			name:  "told apart is no reason to stop",
			pace:  Pace{Layouts: layouts(4), Least: 2},
			cells: []string{"a"}, looks: map[string]string{"a": "u..."},
			want: []string{"a#0", "a#1", "a#2", "a#3"},
		},
		{
			name: "least above the layouts", pace: Pace{Layouts: layouts(1), Least: 8}, cells: []string{"a"},
			looks: map[string]string{"a": "N"},
			want:  []string{"a#0"},
		},
		{
			name: "those in need go on, in whole blocks", pace: Pace{Layouts: layouts(9), Least: 2}, cells: []string{"a", "b"},
			// b is told apart in the middle of its block and runs the whole of it.
			looks: map[string]string{"a": "NN", "b": "nnNN"},
			want:  []string{"a#0", "b#0", "a#1", "b#1", "a#2", "b#2", "b#3", "b#4"},
		},
		{
			name: "until there are no layouts", pace: Pace{Layouts: layouts(6), Least: 2}, cells: []string{"a"},
			looks: map[string]string{"a": "n"},
			want:  []string{"a#0", "a#1", "a#2", "a#3", "a#4", "a#5"},
		},
		{
			name: "the budget ends it", pace: Pace{Layouts: layouts(9), Least: 2, Budget: 4500 * time.Millisecond}, cells: []string{"a", "b"},
			looks: map[string]string{"a": ".", "b": "."},
			want:  []string{"a#0", "b#0", "a#1", "b#1", "a#2"}, over: true,
		},
		{
			name: "a launch that would mostly come after it is not begun", pace: Pace{Layouts: layouts(9), Least: 2, Budget: 4400 * time.Millisecond}, cells: []string{"a", "b"},
			looks: map[string]string{"a": ".", "b": "."},
			want:  []string{"a#0", "b#0", "a#1", "b#1"}, over: true,
		},
		{
			name: "the budget ends a block", pace: Pace{Layouts: layouts(9), Least: 2, Budget: 4500 * time.Millisecond}, cells: []string{"a"},
			looks: map[string]string{"a": "n"},
			want:  []string{"a#0", "a#1", "a#2", "a#3", "a#4"},
		},
		{
			name: "what is sure comes until twice the budget", pace: Pace{Layouts: layouts(9), Least: 2, Budget: 3500 * time.Millisecond, Sure: 3}, cells: []string{"a", "b"},
			looks: map[string]string{"a": ".", "b": "."},
			want:  []string{"a#0", "b#0", "a#1", "b#1", "a#2", "b#2"}, over: true,
		},
		{
			name: "what is sure comes until it is late", pace: Pace{Layouts: layouts(9), Least: 2, Budget: 1500 * time.Millisecond, Sure: 4, Late: 5500 * time.Millisecond}, cells: []string{"a", "b"},
			looks: map[string]string{"a": ".", "b": "."},
			want:  []string{"a#0", "b#0", "a#1", "b#1", "a#2", "b#2"}, over: true,
		},
		{
			name: "the first two come however late", pace: Pace{Layouts: layouts(9), Least: 2, Budget: time.Millisecond, Sure: 5}, cells: []string{"a", "b"},
			looks: map[string]string{"a": ".", "b": "."},
			want:  []string{"a#0", "b#0", "a#1", "b#1"}, over: true,
		},
		{
			name: "but no more than its share", pace: Pace{Layouts: layouts(9), Budget: 3 * time.Second, Sure: 3}, cells: []string{"a", "b"}, share: map[string]int{"a": 2, "b": 9},
			want: []string{"a#0", "b#0", "b#1", "a#1", "b#2"}, over: true,
		},
		{
			name: "what is left is shared out by what launches took", pace: Pace{Layouts: layouts(9), Budget: 20 * time.Second, Sure: 2}, cells: []string{"slow", "b"}, share: map[string]int{"slow": 3, "b": 3},
			want: []string{"slow#0", "b#0", "slow#1", "b#1", "b#2", "b#3", "b#4", "slow#2", "b#5", "b#6", "slow#3"}, over: true,
		},
		{
			name: "and no cell gets more for it than there are layouts", pace: Pace{Layouts: []uint64{1, 2, 3, 1, 2, 3}, Budget: 20 * time.Second, Sure: 2}, cells: []string{"slow", "b"}, share: map[string]int{"slow": 2, "b": 2},
			want: []string{"slow#0", "b#0", "slow#1", "b#1", "slow#2", "b#2", "slow#3"}, over: true,
		},
		{
			name: "cells advance in proportion to their shares", pace: Pace{Layouts: layouts(6), Budget: 6 * time.Second}, cells: []string{"a", "b"}, share: map[string]int{"a": 2, "b": 6},
			want: []string{"a#0", "b#0", "b#1", "b#2", "a#1", "b#3"}, over: true,
		},
		{
			name: "who has its share waits for the others", pace: Pace{Layouts: layouts(4)}, cells: []string{"a", "b"}, share: map[string]int{"a": 2},
			want: []string{"a#0", "b#0", "b#1", "a#1", "b#2", "b#3", "a#2", "a#3"},
		},
		{
			name: "and gets no more where the budget is over", pace: Pace{Layouts: layouts(4), Budget: 6 * time.Second}, cells: []string{"a", "b"}, share: map[string]int{"a": 2},
			want: []string{"a#0", "b#0", "b#1", "a#1", "b#2", "b#3"}, over: true,
		},
		{
			name: "measured before", cells: []string{"a", "b"},
			pace: Pace{Layouts: layouts(4), Least: 2, Skip: map[LaunchKey]time.Duration{
				{result.Cell{Workload: "a"}, 0}: 0, {result.Cell{Workload: "a"}, 1}: 0, {result.Cell{Workload: "b"}, 1}: 0,
			}},
			looks: map[string]string{"a": "NN", "b": "NN"},
			want:  []string{"b#0", "a#2", "b#2"},
		},
		{
			name: "those measured before had their part of the span", cells: []string{"a"},
			pace: Pace{Layouts: layouts(4), Span: 12 * time.Second, Skip: map[LaunchKey]time.Duration{
				{result.Cell{Workload: "a"}, 0}: time.Second, {result.Cell{Workload: "a"}, 1}: time.Second,
			}},
			want: []string{"a#2", "wait 2s", "a#3"},
		},
		{
			name: "how long they took divides the rest of the budget", cells: []string{"slow", "b"}, share: map[string]int{"slow": 2, "b": 2},
			pace: Pace{Layouts: layouts(6), Budget: 8 * time.Second, Sure: 2, Skip: map[LaunchKey]time.Duration{
				{result.Cell{Workload: "slow"}, 0}: 4 * time.Second, {result.Cell{Workload: "slow"}, 1}: 4 * time.Second,
				{result.Cell{Workload: "b"}, 0}: time.Second, {result.Cell{Workload: "b"}, 1}: time.Second,
			}},
			want: []string{"b#2", "b#3", "slow#2", "b#4"}, over: true,
		},
		{
			name: "one cell is spread", pace: Pace{Layouts: layouts(9), Least: 4, Span: 12 * time.Second}, cells: []string{"a"},
			looks: map[string]string{"a": "..N"},
			want:  []string{"a#0", "wait 2s", "a#1", "wait 2s", "a#2", "wait 2s", "a#3", "a#4", "a#5", "a#6"},
		},
		{
			name: "over half of the budget at most", pace: Pace{Layouts: layouts(4), Least: 4, Span: time.Hour, Budget: 12 * time.Second}, cells: []string{"a"},
			want: []string{"a#0", "wait 500ms", "a#1", "wait 500ms", "a#2", "wait 500ms", "a#3"},
		},
		{
			name: "many cells need no waiting", pace: Pace{Layouts: layouts(2), Span: 4 * time.Second}, cells: []string{"a", "b", "c"},
			want: []string{"a#0", "b#0", "c#0", "a#1", "b#1", "c#1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var judge func(string, int) Look
			if tt.looks != nil {
				judge = script(tt.looks)
			}
			h, s := newSham(tt.pace, judge, tt.cells...)
			for _, c := range s.course.cells {
				c.Launches = tt.share[c.Workload]
			}
			if err := s.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, h.ran); diff != "" {
				t.Errorf("ran (-want +got):\n%s", diff)
			}
			if p := s.state(); p.OverBudget != tt.over {
				t.Errorf("over the budget: %v, want %v", p.OverBudget, tt.over)
			}
		})
	}
}

// A slow case is absent from every other launch, unless only slow cases are left.
func TestRare(t *testing.T) {
	who := func(name string) result.Subject { return result.Subject{Contender: name} }
	cell := Cell{
		Cell:  result.Cell{Workload: "a"},
		Cases: []bench.CaseSpec{{Subject: who("fast")}, {Subject: who("slow")}, {Subject: who("slow"), Role: result.Floor}},
		Rare:  []result.Subject{who("slow")},
	}
	l := &launcher{excluded: map[result.Case]bool{}}
	for k, want := range []int{3, 3, 1, 3, 1, 3} {
		if got := len(l.live(cell, k)); got != want {
			t.Errorf("launch %d has %d cases, want %d", k, got, want)
		}
	}
	launches := 0
	for k := range cell.Enough(5) {
		if !cell.Absent(who("slow"), k) {
			launches++
		}
	}
	if launches != 5 {
		t.Errorf("in the first %d launches the slow case takes part in %d, want 5", cell.Enough(5), launches)
	}
	l.excluded[cell.Case(who("fast"))] = true
	if got := len(l.live(cell, 2)); got != 2 {
		t.Errorf("what is slow and alone has %d cases in launch 2, want 2", got)
	}
}

// TestNeediestFirst leaves time for two blocks of two launches and for a part of a third. That
// part does not go to a cell in less need.
func TestNeediestFirst(t *testing.T) {
	need := map[string]float64{"a": 0.02, "b": 0.09, "c": 0.05}
	h, s := newSham(Pace{Layouts: layouts(20), Least: 2, Budget: 14600 * time.Millisecond}, func(cell string, _ int) Look {
		return Look{Narrow: true, Need: need[cell]}
	}, "a", "b", "c")
	if err := s.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"b#3", "c#3", "b#4", "c#4", "b#5", "b#6"}; !slices.Equal(h.ran[9:], want) {
		t.Errorf("after the cells had stopped: %q, want %q", h.ran[9:], want)
	}
	if s.state().OverBudget {
		t.Error("over the budget though every cell had stopped")
	}
}

func TestDisturbed(t *testing.T) {
	never := func(result.Launch) string { return "" }
	always := func(result.Launch) string { return "load" }
	tests := []struct {
		name   string
		judge  func(result.Launch) string
		budget time.Duration
		cells  []string
		most   int
		want   []string // nil: only the share of repeated launches is checked
	}{
		{name: "never", judge: never, cells: []string{"a"}, want: []string{"a#0", "a#1", "a#2"}},
		{
			name: "once, at the end of the sweep", cells: []string{"a", "b"}, most: 1,
			judge: func(l result.Launch) string {
				if l.Cell.Workload == "a" && l.Index == 0 {
					return "load"
				}
				return ""
			},
			want: []string{"a#0", "b#0", "a#0", "a#1", "b#1", "a#2", "b#2"},
		},
		{name: "always", judge: always, cells: []string{"a", "b", "c", "d"}, most: 3},
		{
			name: "no time for it", judge: always, budget: 3500 * time.Millisecond, cells: []string{"a"}, most: 1,
			want: []string{"a#0", "a#0", "a#1", "a#2"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, s := newSham(Pace{Layouts: layouts(3), Budget: tt.budget, Disturbed: tt.judge}, nil, tt.cells...)
			if err := s.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if tt.want != nil && !slices.Equal(h.ran, tt.want) {
				t.Errorf("ran %q, want %q", h.ran, tt.want)
			}
			disturbed, counted := 0, map[string]int{}
			for _, l := range h.stored {
				if l.Disturbed != "" {
					disturbed++
				} else {
					counted[fmt.Sprint(l.Cell.Workload, l.Index, l.Layout)]++
				}
			}
			if disturbed > tt.most {
				t.Errorf("%d launches of %d were repeated, want at most %d", disturbed, len(h.stored), tt.most)
			}
			for key, n := range counted {
				if n != 1 {
					t.Errorf("launch %s counts %d times", key, n)
				}
			}
			if tt.budget == 0 && len(counted) != 3*len(tt.cells) {
				t.Errorf("%d launches count, want %d", len(counted), 3*len(tt.cells))
			}
		})
	}
}

func TestProgress(t *testing.T) {
	h, s := newSham(Pace{Layouts: layouts(9), Least: 2, Span: 10 * time.Second}, func(_ string, n int) Look {
		return []Look{{Width: 0.04, More: 3}, {Width: 0.03, More: 2}, {Width: 0.02, Narrow: true}, {Width: 0.02, Narrow: true}}[n]
	}, "a")
	if err := s.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	type say struct {
		Done, Total int
		Left        time.Duration
		Widest      float64
	}
	var got []say
	for _, e := range h.events {
		got = append(got, say{e.Done, e.Total, e.Left, e.Widest})
	}
	want := []say{
		{1, 2, 9 * time.Second, 0}, // the span is longer than the work
		{2, 5, 3 * time.Second, 0.04},
		{3, 5, 2 * time.Second, 0.03},
		{4, 5, time.Second, 0.02},
		{5, 5, 0, 0.02},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
}

func TestWaitingIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	h, s := newSham(Pace{Layouts: layouts(4), Span: time.Hour}, nil, "a")
	s.sleep = func(ctx context.Context, d time.Duration) error {
		cancel(interrupted)
		return sleep(ctx, d)
	}
	if err := s.run(ctx); err != interrupted || len(h.ran) != 1 {
		t.Errorf("error %v after %q", err, h.ran)
	}
}

func TestShuffle(t *testing.T) {
	s := newShuffle(1, 2)
	seen := map[string]bool{}
	for range 20 {
		first, second := s.next(5), s.next(5)
		back := slices.Clone(second)
		slices.Reverse(back)
		if !slices.Equal(first, back) {
			t.Fatalf("%v is not followed by its reverse but by %v", first, second)
		}
		seen[fmt.Sprint(first)] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d different orders in 20", len(seen))
	}
	s.next(5)
	if got := s.next(3); len(got) != 3 || slices.Max(got) != 2 {
		t.Errorf("after a change of number: %v", got)
	}
}

// A launch waits only for its own layout: the first launch is done before the last layout is
// built. The time for building does not count as time of the pass, and nothing is built while a
// launch is measured.
func TestLaunchesWaitForTheirLayoutOnly(t *testing.T) {
	pass := func(ready func(h *sham) func(context.Context, int) error) *sham {
		h, s := newSham(Pace{Layouts: layouts(4), Budget: 7 * time.Second}, nil, "a", "b")
		if ready != nil {
			s.ready = ready(h)
		}
		if err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return h
	}
	made := map[int]bool{}
	got := pass(func(h *sham) func(context.Context, int) error {
		return func(_ context.Context, k int) error {
			if !made[k] {
				made[k] = true
				h.clock += 5 * time.Second
				h.ran = append(h.ran, fmt.Sprint("make ", k))
			}
			return nil
		}
	})
	want := []string{"make 0", "a#0", "b#0", "make 1", "a#1", "b#1", "make 2", "a#2", "b#2", "make 3", "a#3"}
	if diff := cmp.Diff(want, got.ran); diff != "" {
		t.Errorf("launches (-want +got):\n%s", diff)
	}
	without := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return s[0] == 'm' })
	if diff := cmp.Diff(without, pass(nil).ran); diff != "" {
		t.Errorf("without anything to make (-want +got):\n%s", diff)
	}
	wrong := errors.New("no space")
	_, s := newSham(Pace{Layouts: layouts(2)}, nil, "a")
	s.ready = func(_ context.Context, k int) error { return wrong }
	if err := s.run(t.Context()); !errors.Is(err, wrong) {
		t.Errorf("error %v", err)
	}
}
