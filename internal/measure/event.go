package measure

import (
	"fmt"
	"time"

	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/plan"
	"assay/result"
)

// An Event is something that happened while runners were built or cases measured, for whoever
// shows it. Events come one at a time, between samples and never during one.
type Event interface{ event() }

// Planned gives the phases of measuring, and about how long each takes.
type Planned struct{ Phases []plan.Phase }

// Replanned says that the coming phases take other times than planned, and how much of the budget
// is left for them.
type Replanned struct {
	Phases []plan.Phase
	Left   time.Duration
}

// PhaseBegan says that a phase has begun. The phase before it is over.
type PhaseBegan struct {
	// Phase is one of the phase constants.
	Phase string
	// Total is the estimated number of StepDone, LaunchDone or BenchDone events to come if
	// nothing goes wrong; 0: unknown.
	Total int
	// Planned is about how long the phase takes; 0: unknown.
	Planned time.Duration
}

// PhaseEnded says that a phase is over, and how long it took.
type PhaseEnded struct {
	Phase string
	Took  time.Duration
}

// The phases.
const (
	Generating   = "generate"
	Verifying    = "verify"
	Calibrating  = "calibrate"
	Auditing     = "audit"
	Renewing     = "unseen"
	Counting     = "count"
	Launching    = "launches"
	CountingCPU  = "steady"
	FirstCalls   = "cold"
	KeptHeap     = "retain"
	PeakRSS      = "peak"
	Scaling      = "scaling"
	Footprints   = "footprint"
	Compressing  = "compress"
	PublishedRun = "published"
)

// Building reports a step of building a runner.
type Building struct {
	Step BuildStep
	// Contender is the contender that is built alone (Searching).
	Contender string
	// I counts from 1 to N (Searching, Relinking, Compiled). For Compiled, N is the number of
	// packages of the program, including those that were compiled before, and 0 until it is
	// known. For Evicted, N is the number of removed cache entries, and Bytes is their size.
	I, N  int
	Bytes int64
	// Layout is the layout that is linked again (Damaged).
	Layout uint64
	// Err is the reason why the cache could not be kept within its size (Evicted).
	Err error
}

// A BuildStep is a step of building a runner.
type BuildStep string

// The steps.
const (
	Copying   = BuildStep(build.Copying)   // the source is written into the cache
	Tooling   = BuildStep(build.Tooling)   // N code generators are built
	Compiling = BuildStep(build.Compiling) // everything is compiled, and the first layout is linked
	Compiled  = BuildStep(build.Compiled)  // a package was compiled
	Searching = BuildStep(build.Searching) // contenders are built one by one to find those that fail
	Relinking = BuildStep(build.Relinking) // another layout is linked
	Damaged   = BuildStep(build.Damaged)   // a layout in the cache is not what was linked
	Evicted   = BuildStep(build.Evicted)   // unused entries were removed from the cache
)

// Built says that a runner is ready.
type Built struct {
	// Program is the package of published benchmarks; empty: it is a runner of contenders.
	Program string
	// Contenders is the number of linked contenders, and Group is their group.
	Contenders int
	Group      string
	// Layouts is the number of random layouts, or for a Program of all layouts. Unlinked is the
	// number of layouts that will be linked later, when nothing is timed.
	Layouts, Unlinked int
	// Side is the label of a version that is compared with another; empty: there is no
	// comparison.
	Side string
	// Changed are versions that differ from those of the ordinary runner, besides those that were
	// asked for.
	Changed []string
	// LeftOut are the selected contenders that could not be built, in full or in part. Selected
	// is the number of selected contenders.
	LeftOut  []LeftOut
	Selected int
}

// LeftOut is a contender that a runner lacks.
type LeftOut struct {
	Contender string
	Workloads []string // the workloads for which it is missing
	Reason    string
}

// Generated says that the code of contenders was generated.
type Generated struct {
	Contenders int
	Took       time.Duration
}

// BlocksVerified says how many values were verified of an input that has too many for one
// process: all of them, or as many as there was time for.
type BlocksVerified struct {
	Done, Values int64
	Took         time.Duration
}

// TypeBuilt says that the runner of a user's own type was built.
type TypeBuilt struct {
	Type string
	Took time.Duration
}

// Scheduled describes the coming launches.
type Scheduled struct {
	Cases, Cells int
	Time         time.Duration
	// Fewest is the number of layouts, of all Layouts, in which the slowest cell is launched.
	Fewest, Layouts int
}

// StepDone says that a phase is done with one subject or case. Case.Op is empty if the step
// covers all ops of a subject.
type StepDone struct {
	Case        result.Case
	Done, Total int
	Known       bool // the result is from an earlier run
}

// Recalled says that a phase skips so many steps, because an earlier run of the same program with
// the same values has their results.
type Recalled struct {
	Phase string
	Steps int
}

// Streamed reports the progress of a stream while it is measured.
type Streamed struct{ drive.StreamProgress }

// BenchDone says that a round of a published benchmark was run, or that the benchmark failed.
type BenchDone struct {
	Bench result.Bench
	// Done counts the rounds that are over and those that will not be run.
	Done, Total int
}

// LaunchDone says that a launch was measured and stored.
type LaunchDone struct {
	Cell result.Cell
	// Done counts the launches of this phase that count. Total is the estimate of Done at the end
	// of the phase.
	Done, Total int
	// Left is about how long the phase will still take.
	Left time.Duration
	// Widest is the half-width of the widest interval of all cells that were looked at, as a
	// fraction; 0 before the first look.
	Widest float64
	// Run and Records are the run so far. A listener may only read them, and only until it
	// returns. They are nil if no run is stored.
	Run     *result.Run
	Records []result.Record
}

// Again says that a launch is repeated because it was disturbed, or a command because it failed.
type Again struct {
	Cell   result.Cell // Op is empty outside of launches
	Reason string
	// Failed says that a command failed.
	Failed bool
}

// Waiting says that nothing is measured for a while, so that the launches of a few cells are
// spread over some time.
type Waiting struct{ For time.Duration }

// Stood says that this process was stopped for a while. No budget counts that time.
type Stood struct{ For time.Duration }

// CaseLeftOut says that a case has no number and takes no further part.
type CaseLeftOut struct{ Outcome result.Outcome }

// NotBuilt says why the build cost of a contender is unknown.
type NotBuilt struct{ Cost result.BuildCost }

// Doing says what is being done in work without steps to count. The next event replaces it.
type Doing struct{ Text string }

// Said is a line for people that stays visible.
type Said struct{ Text string }

// Warned is a warning of one line, or several warnings of one kind.
type Warned struct{ Lines []string }

func (Planned) event()        {}
func (Replanned) event()      {}
func (PhaseBegan) event()     {}
func (PhaseEnded) event()     {}
func (Building) event()       {}
func (Built) event()          {}
func (Generated) event()      {}
func (BlocksVerified) event() {}
func (TypeBuilt) event()      {}
func (Scheduled) event()      {}
func (StepDone) event()       {}
func (Recalled) event()       {}
func (Streamed) event()       {}
func (BenchDone) event()      {}
func (LaunchDone) event()     {}
func (Again) event()          {}
func (Waiting) event()        {}
func (Stood) event()          {}
func (CaseLeftOut) event()    {}
func (NotBuilt) event()       {}
func (Doing) event()          {}
func (Said) event()           {}
func (Warned) event()         {}

// tell passes an event to the listener.
func (cfg *Config) tell(e Event) {
	if cfg.Listen != nil {
		cfg.Listen(e)
	}
}

func (cfg *Config) doing(format string, args ...any) { cfg.tell(Doing{fmt.Sprintf(format, args...)}) }
func (cfg *Config) said(format string, args ...any)  { cfg.tell(Said{fmt.Sprintf(format, args...)}) }
func (cfg *Config) warn(format string, args ...any) {
	cfg.tell(Warned{[]string{fmt.Sprintf(format, args...)}})
}

// begin begins a phase and ends the one before it.
func (cfg *Config) begin(p PhaseBegan) {
	cfg.end()
	cfg.phase, cfg.began = p.Phase, time.Now()
	cfg.tell(p)
}

// end ends the current phase, if there is one.
func (cfg *Config) end() {
	if cfg.phase == "" {
		return
	}
	over := PhaseEnded{cfg.phase, time.Since(cfg.began)}
	cfg.phase = ""
	cfg.tell(over)
}

// building translates and passes on the events of package build.
func (cfg *Config) building(e build.Event) {
	cfg.tell(Building{BuildStep(e.Step), e.Contender, e.I, e.N, e.Bytes, e.Layout, e.Err})
}

// driving translates and passes on the events of package drive.
func (cfg *Config) driving(e drive.Event) {
	switch e := e.(type) {
	case drive.PassStarted:
		cfg.begin(PhaseBegan{Phase: e.Pass, Total: e.Total})
	case drive.StepDone:
		cfg.tell(StepDone{e.Case, e.Done, e.Total, e.Known})
	case drive.StreamProgress:
		cfg.tell(Streamed{e})
	case drive.BenchDone:
		cfg.tell(BenchDone{e.Bench, e.Done, e.Total})
	case drive.LaunchDone:
		cfg.tell(LaunchDone{Cell: e.Cell, Done: e.Done, Total: e.Total, Left: e.Left, Widest: e.Widest})
	case drive.LaunchDisturbed:
		cfg.tell(Again{Cell: e.Cell, Reason: e.Reason})
	case drive.Waiting:
		cfg.tell(Waiting{e.For})
	case drive.Stood:
		cfg.tell(Stood{e.For})
	case drive.CaseExcluded:
		cfg.tell(CaseLeftOut{e.Outcome})
	case drive.Repeated:
		cfg.tell(Again{Cell: e.Cell, Reason: e.Failure.Reason, Failed: true})
	}
}

// excluded passes on the excluded cases of a step, and none of its other events.
func (cfg *Config) excluded(e drive.Event) {
	if _, ok := e.(drive.CaseExcluded); ok {
		cfg.driving(e)
	}
}
