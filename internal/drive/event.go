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
	// Pass is "verify", "calibrate", "count" or "launches".
	Pass string
	// Total is the number of StepDone or LaunchDone events to come if nothing
	// goes wrong.
	Total int
}

// StepDone says that a pass is done with one subject or case. Case.Op is empty
// where the step is about all the ops of a subject.
type StepDone struct {
	Pass        string
	Case        result.Case
	Done, Total int
}

// LaunchDone says that a launch was measured and recorded.
type LaunchDone struct {
	Cell        result.Cell
	Layout      uint64
	Index       int // of the launch within the cell
	Done, Total int
	Elapsed     time.Duration // of the launch
}

// CaseExcluded says that a case has no number and takes no further part.
type CaseExcluded struct{ Outcome result.Outcome }

// Repeated says that a command failed and is tried again in a new process.
type Repeated struct {
	Cell    result.Cell // Op is empty outside of launches
	Failure *Failure
}

func (PassStarted) event()  {}
func (StepDone) event()     {}
func (LaunchDone) event()   {}
func (CaseExcluded) event() {}
func (Repeated) event()     {}
