package measure

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/internal/drive"
	"assay/internal/plan"
	"assay/result"
)

// Each phase ends once, before the next one begins. Its begin event has the time that the plan
// has for it.
func TestPhaseEvents(t *testing.T) {
	var heard []Event
	cfg := &Config{Listen: func(e Event) { heard = append(heard, e) }}
	run := &result.Run{}
	m := &Measurement{cfg: cfg, Run: run, phases: []plan.Phase{{Name: "verify", Time: 4 * time.Second}, {Name: "size", Time: 3 * time.Second}, {Name: AlsoLive, Time: time.Minute}}}
	m.event(drive.PassStarted{Pass: Verifying, Total: 1})
	m.event(drive.StepDone{Done: 1, Total: 1})
	m.event(drive.PassStarted{Pass: Calibrating, Total: 2})
	m.event(drive.LaunchDone{Done: 1, Total: 2})
	m.pass = AlsoLive
	m.event(drive.PassStarted{Pass: CountingCPU})
	cfg.end()
	cfg.end()
	m.event(drive.Untrue{Reason: "first"})
	m.event(drive.Untrue{Reason: "second"})
	want := []Event{
		PhaseBegan{Phase: Verifying, Total: 1, Planned: 4 * time.Second},
		StepDone{Done: 1, Total: 1},
		PhaseEnded{Phase: Verifying},
		PhaseBegan{Phase: Calibrating, Total: 2, Planned: 3 * time.Second},
		LaunchDone{Done: 1, Total: 2, Run: run},
		PhaseEnded{Phase: Calibrating},
		PhaseBegan{Phase: CountingCPU, Planned: time.Minute},
		PhaseEnded{Phase: CountingCPU},
	}
	if diff := cmp.Diff(want, heard, cmpopts.IgnoreFields(PhaseEnded{}, "Took")); diff != "" {
		t.Errorf("(-want +told):\n%s", diff)
	}
	if m.untrue == nil || m.untrue.Reason != "first" {
		t.Errorf("what an external contender is disbelieved for is %+v", m.untrue)
	}
}

// Events of package drive are passed on as events of this package.
func TestDriveEvents(t *testing.T) {
	cell := result.Cell{Workload: "w"}
	out := result.Outcome{Reason: "why"}
	for _, test := range []struct {
		from drive.Event
		want Event
	}{
		{drive.BenchDone{Done: 1, Total: 2}, BenchDone{Done: 1, Total: 2}},
		{drive.LaunchDisturbed{Cell: cell, Reason: "why"}, Again{Cell: cell, Reason: "why"}},
		{drive.Repeated{Cell: cell, Failure: &drive.Failure{Reason: "why"}}, Again{Cell: cell, Reason: "why", Failed: true}},
		{drive.Waiting{For: time.Second}, Waiting{time.Second}},
		{drive.Stood{For: time.Second}, Stood{time.Second}},
		{drive.CaseExcluded{Outcome: out}, CaseLeftOut{out}},
	} {
		var heard []Event
		cfg := &Config{Listen: func(e Event) { heard = append(heard, e) }}
		cfg.driving(test.from)
		if diff := cmp.Diff([]Event{test.want}, heard); diff != "" {
			t.Errorf("%T (-want +told):\n%s", test.from, diff)
		}
	}
	(&Config{}).driving(drive.Stood{}) // nobody listens
}
