package drive

import (
	"time"

	"assay/result"
)

// An Event is something that happened in a pass, for whoever shows progress. Events come one at a
// time, between measurements and never during one.
type Event interface{ event() }

// PassStarted says that a pass has begun.
type PassStarted struct {
	// Pass is "verify", "calibrate", "audit", "unseen", "count", "launches", "steady", "cold",
	// "retain", "peak", "scaling", "footprint", "compress", "stream", "whole" or "published".
	Pass string
	// Total is the estimated number of StepDone, LaunchDone or BenchDone events to come if
	// nothing goes wrong.
	Total int
}

// StepDone says that a pass is done with one subject or case. Case.Op is empty if the step covers
// all ops of a subject.
type StepDone struct {
	Pass        string
	Case        result.Case
	Done, Total int
	// Took is the time that this step adds to a pass in which several processes work at the same
	// time; 0: the time since the step before it.
	Took time.Duration
	// Known says that the result is from an earlier run, so that the step took no time.
	Known bool
}

// BenchDone says that a round of a published benchmark was run, or that the benchmark failed.
type BenchDone struct {
	Bench result.Bench
	// Done counts the rounds that are over and those that will not be run.
	Done, Total int
}

// LaunchDone says that a launch was measured and recorded.
type LaunchDone struct {
	Cell   result.Cell
	Layout uint64
	Index  int // index of the launch within the cell
	// Done counts the launches of this pass that count. Total is the estimate of Done at the end
	// of the pass.
	Done, Total int
	Elapsed     time.Duration // of the launch
	// Left is about how long the pass will still take.
	Left time.Duration
	// Widest is the half-width of the widest interval of all cells that were looked at, as a
	// fraction; 0 before the first look.
	Widest float64
}

// LaunchDisturbed says that a launch was disturbed and will be repeated.
type LaunchDisturbed struct {
	Cell   result.Cell
	Index  int
	Reason string
}

// Waiting says that nothing is measured for a while, so that the launches of a few cells are
// spread over some time.
type Waiting struct{ For time.Duration }

// Stood says that this process was stopped for a while. No budget counts that time.
type Stood struct{ For time.Duration }

// CaseExcluded says that a case has no number and takes no further part.
type CaseExcluded struct{ Outcome result.Outcome }

// Untrue says that a runner gave an impossible answer, so that none of its other answers can be
// believed.
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
