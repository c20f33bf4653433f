package drive

import (
	"time"

	"assay/result"
)

// An Event is something that happened in a pass, for whoever shows progress.
// Events come one at a time, between measurements and never during one.
type Event interface{ event() }

// PassStarted says that a pass has begun.
type PassStarted struct {
	// Pass is "verify", "calibrate", "audit", "unseen", "count", "launches", "steady", "cold",
	// "retain", "peak", "scaling", "footprint", "stream" or "published".
	Pass string
	// Total is the number of StepDone, LaunchDone or BenchDone events to come if nothing
	// goes wrong, as far as can be told.
	Total int
}

// StepDone says that a pass is done with one subject or case. Case.Op is empty
// where the step is about all the ops of a subject.
type StepDone struct {
	Pass        string
	Case        result.Case
	Done, Total int
	// Took is how much longer the pass takes for this step, where several processes work
	// at a time; 0: since the step before it.
	Took time.Duration
	// Known says that the result is that of an earlier run, so that the step took no time.
	Known bool
}

// BenchDone says that a published benchmark was run for a round, or has no
// number.
type BenchDone struct {
	Bench result.Bench
	// Done counts the rounds of benchmarks that are over or will never come.
	Done, Total int
}

// LaunchDone says that a launch was measured and recorded.
type LaunchDone struct {
	Cell   result.Cell
	Layout uint64
	Index  int // of the launch within the cell
	// Done counts the launches of this pass that count; Total is what they will
	// be in the end, as far as can be told.
	Done, Total int
	Elapsed     time.Duration // of the launch
	// Left is about how long the pass will still take.
	Left time.Duration
	// Widest is the half-width of the widest interval of the cells that were
	// looked at, as a fraction; 0 before the first look.
	Widest float64
}

// LaunchDisturbed says that a launch was disturbed and will be repeated.
type LaunchDisturbed struct {
	Cell   result.Cell
	Index  int
	Reason string
}

// Waiting says that nothing is measured for a while, so that the launches of
// few cells are spread over some time.
type Waiting struct{ For time.Duration }

// Stood says that this process was stopped for a while, which no budget counts.
type Stood struct{ For time.Duration }

// CaseExcluded says that a case has no number and takes no further part.
type CaseExcluded struct{ Outcome result.Outcome }

// Untrue says that a runner answered what cannot be, so that nothing else that it
// says is to be believed.
type Untrue struct {
	Case   result.Case
	Reason string
}

// Repeated says that a command failed and is tried again in a new process.
type Repeated struct {
	Cell    result.Cell // Op is empty outside of launches
	Failure *Failure
}

func (PassStarted) event()     {}
func (StepDone) event()        {}
func (BenchDone) event()       {}
func (LaunchDone) event()      {}
func (LaunchDisturbed) event() {}
func (Waiting) event()         {}
func (Stood) event()           {}
func (CaseExcluded) event()    {}
func (Untrue) event()          {}
func (Repeated) event()        {}
