//go:build unix

package drive_test

import (
	"strings"
	"testing"
	"time"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// passes are all passes that send commands to a process, by the command. Each runs two
// contenders, of which the second is the bad one.
var passes = map[string]func(t *testing.T, r drive.Runner, bad string, n *notebook) error{
	"calibrate": func(t *testing.T, r drive.Runner, bad string, n *notebook) error {
		_, _, err := drive.Calibrate(t.Context(), drive.CalibrateConfig{Runner: r, Cases: pair(bad, result.Encode), BatchNS: 1}, n.sink, n.event)
		return err
	},
	"memory": func(t *testing.T, r drive.Runner, bad string, n *notebook) error {
		_, err := drive.Count(t.Context(), drive.CountConfig{Runner: r, Cases: pair(bad, result.Encode), Ops: func(result.Case) int { return 1 }}, n.sink, n.event)
		return err
	},
	"rounds": func(t *testing.T, r drive.Runner, bad string, n *notebook) error {
		c := drive.Cell{Cell: pair(bad, result.Encode)[0].Cell(), Rounds: 2}
		for _, one := range pair(bad, result.Encode) {
			c.Cases = append(c.Cases, bench.CaseSpec{Subject: one.Subject(), Op: one.Op, N: 1})
		}
		_, err := drive.Launches(t.Context(), drive.LaunchesConfig{Runner: r, Pace: drive.Pace{Layouts: []uint64{0, 1}}, Cells: []drive.Cell{c}}, n.sink, n.event)
		return err
	},
	"steady": func(t *testing.T, r drive.Runner, bad string, n *notebook) error {
		_, err := drive.Steady(t.Context(), drive.SteadyConfig{
			Runner: r, Layouts: []uint64{0, 1}, Rounds: 2, Cells: []drive.SteadyCell{steadyCell("w", "good", bad)},
		}, n.sink, n.event)
		return err
	},
	"cold": func(t *testing.T, r drive.Runner, bad string, n *notebook) error {
		_, err := drive.Cold(t.Context(), drive.FreshConfig{Runner: r, Cases: pair(bad, result.Encode), Times: 2}, n.sink, n.event)
		return err
	},
	"retain": func(t *testing.T, r drive.Runner, bad string, n *notebook) error {
		_, err := drive.Retain(t.Context(), drive.RetainConfig{Runner: r, Cases: pair(bad, result.Decode), Messages: 1}, n.sink, n.event)
		return err
	},
	"parallel": func(t *testing.T, r drive.Runner, bad string, n *notebook) error {
		_, err := drive.Scaling(t.Context(), drive.ScalingConfig{
			Runner: r, Cases: pair(bad, result.Encode), N: func(result.Case) int { return 1 }, CPUs: []int{1, 2}, Rounds: 1, Visits: 2,
		}, n.sink, n.event)
		return err
	},
}

// pair returns two cases. The first is that of a good contender.
func pair(bad string, op result.Op) []result.Case {
	return []result.Case{
		{Workload: "w", Size: "s", Contender: "good", Op: op}, {Workload: "w", Size: "s", Contender: bad, Op: op},
	}
}

// TestHangAnywhere: a pass waits only once for a contender that hangs, whatever command it hangs
// in. A contender that allocates without end is stopped at its limit. The other contender gets
// the same records as without the bad one.
func TestHangAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for contenders that hang")
	}
	for command, run := range passes {
		for fault, want := range map[string]string{"hang": "timeout: no answer in ", "alloc": "oom: grew past 128 MiB"} {
			t.Run(command+" "+fault, func(t *testing.T) {
				if raced && fault == "alloc" {
					t.Skip("its memory is that of the race detector")
				}
				t.Parallel()
				r, _ := runner(t)
				r.Limits = drive.Limits{Memory: 128 << 20, Answer: time.Hour, Hang: 3 * time.Second} // for the good one too, on a busy machine
				if fault == "alloc" {
					r.Limits.Hang = time.Minute // it is working, and slow where allocating is slow
				}
				bad := fault + "@" + command
				var n notebook
				if err := run(t, r, bad, &n); err != nil {
					t.Fatal(err)
				}
				said := n.outcomes()
				if len(said) != 1 || !strings.HasPrefix(said[0], bad+"/") || !strings.Contains(said[0], want) {
					t.Errorf("outcomes %q, want one of %s: %s", said, bad, want)
				}
				for _, e := range n.events {
					if again, ok := e.(drive.Repeated); ok && fault == "hang" && again.Failure.Status == result.Timeout && command != "rounds" {
						t.Errorf("waited again: %v", again.Failure)
					}
				}
				if len(n.records) < 2 {
					t.Errorf("the good one has no number: %d records", len(n.records))
				}
			})
		}
	}
}

// TestTraceIsKept: the outcome of a contender that panics has the trace, in every pass. The
// outcome of a contender that hangs has no standard error.
func TestTraceIsKept(t *testing.T) {
	for command, run := range passes {
		for fault, want := range map[string]string{"panic": "main_test.go:", "hang": ""} {
			if fault == "hang" && command != "memory" {
				continue
			}
			t.Run(command+" "+fault, func(t *testing.T) {
				if testing.Short() && fault == "hang" {
					t.Skip("waits for a contender that hangs")
				}
				t.Parallel()
				r, _ := runner(t)
				r.Limits = drive.Limits{Answer: time.Hour, Hang: 3 * time.Second}
				var n notebook
				if err := run(t, r, fault+"@"+command, &n); err != nil {
					t.Fatal(err)
				}
				told := 0
				for _, rec := range n.records {
					if o := rec.Outcome; o != nil {
						told++
						if !strings.Contains(o.Stderr, want) || want == "" && o.Stderr != "" {
							t.Errorf("%s: %q, want it to have %q", o.Reason, o.Stderr, want)
						}
					}
				}
				if told != 1 {
					t.Errorf("%d outcomes, want one", told)
				}
			})
		}
	}
}
