package drive_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"assay/bench"
	"assay/internal/drive"
	"assay/result"
)

// TestConfine: a case that allocates without end is stopped at the limit of the case, far below
// the limit of the process, in every command that has such a limit.
func TestConfine(t *testing.T) {
	if raced {
		t.Skip("its memory is that of the race detector")
	}
	who := result.Subject{Contender: "alloc"}
	for _, cmd := range []bench.Command{
		{Cmd: "calibrate", Calibrate: &bench.Calibrate{Cases: []bench.CaseSpec{{Subject: who, Op: result.Encode}}, BatchNS: 1}},
		{Cmd: "memory", Memory: &bench.Memory{Subject: who, Op: result.Encode, Ops: 1}},
		rounds("good", "alloc"),
	} {
		t.Run(cmd.Cmd, func(t *testing.T) {
			t.Parallel()
			p := start(t, t.Context(), drive.Limits{Memory: 1 << 40, Spare: 48 << 20, Answer: time.Minute})
			if _, err := p.Do(rounds("good")); err != nil {
				t.Fatal(err)
			}
			_, err := p.Do(cmd)
			var f *drive.Failure
			if !errors.As(err, &f) {
				t.Fatalf("Do: %v, want a *Failure", err)
			}
			if f.Status != result.OOM || !strings.HasPrefix(f.Reason, "took ") || !strings.HasSuffix(f.Reason, " more memory than before, which is the limit of this case") {
				t.Errorf("%s: %q", f.Status, f.Reason)
			}
			if f.Case == nil || f.Case.Contender != "alloc" {
				t.Errorf("charged to %+v", f.Case)
			}
		})
	}
}

// TestConfineAgain: the values of a second size may use the memory of the first ones. An operation
// on them may still take spareTimes their memory.
func TestConfineAgain(t *testing.T) {
	if raced {
		t.Skip("its memory is that of the race detector")
	}
	t.Parallel()
	p := start(t, t.Context(), drive.Limits{Memory: 1 << 40, Spare: 48 << 20, Answer: time.Minute})
	for range 2 {
		if _, err := p.Do(bench.Command{Cmd: "load", Load: &bench.Load{Workload: "values", Mark: p.MarkFile()}}); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Do(rounds("much")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRaise: the reason for a process that outgrew its limit names the limit and the option that
// raises it.
func TestRaise(t *testing.T) {
	if raced {
		t.Skip("its memory is that of the race detector")
	}
	t.Parallel()
	p := start(t, t.Context(), drive.Limits{Memory: 128 << 20, Raise: "--more", Answer: time.Minute})
	_, err := p.Do(rounds("alloc"))
	var f *drive.Failure
	if !errors.As(err, &f) || f.Reason != "grew past 128 MiB, the memory limit of a process: measure a smaller size, or raise the limit with --more" {
		t.Errorf("%v", err)
	}
}
