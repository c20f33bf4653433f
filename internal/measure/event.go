package measure

import (
	"fmt"
	"time"

	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/plan"
	"assay/result"
)

// An Event is something that happened while runners were built or cases measured,
// for whoever shows it. Events come one at a time, between samples and never during
// one.
type Event interface{ event() }

// Planned says which phases measuring has, and about how long each takes.
type Planned struct{ Phases []plan.Phase }

// Replanned says that the phases to come take another time than was planned, and how
// much of the budget is left for them.
type Replanned struct {
	Phases []plan.Phase
	Left   time.Duration
}

// PhaseBegan says that a phase has begun. The phase before it is over.
type PhaseBegan struct {
	// Phase is one of the constants.
	Phase string
	// Total is the number of StepDone, LaunchDone or BenchDone events to come if nothing
	// goes wrong, as far as can be told; 0: nobody knows.
	Total int
	// Planned is about how long the phase takes; 0: nobody knows.
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

// Building says what is being done for a runner.
type Building struct {
	Step BuildStep
	// Contender is the one that is tried alone (Searching).
	Contender string
	// I of N counts from 1 (Searching, Relinking, Compiled). Of those that are Compiled, N is
	// how many packages the program has, compiled before or not, and 0 until that is known. N is how many entries of the
	// cache were removed, and Bytes their size (Evicted).
	I, N  int
	Bytes int64
	// Layout is the one that is linked again (Damaged).
	Layout uint64
	// Err is why the cache could not be kept within its size (Evicted).
	Err error
}

// A BuildStep is a step of making a runner.
type BuildStep string

// The steps.
const (
	Copying   = BuildStep(build.Copying)   // its source is written into the cache
	Tooling   = BuildStep(build.Tooling)   // N generators of code are built
	Compiling = BuildStep(build.Compiling) // everything is compiled, and the first layout linked
	Compiled  = BuildStep(build.Compiled)  // a package was compiled
	Searching = BuildStep(build.Searching) // contenders are built one by one, to find those that fail
	Relinking = BuildStep(build.Relinking) // one more layout is linked
	Damaged   = BuildStep(build.Damaged)   // a layout in the cache is not what was linked
	Evicted   = BuildStep(build.Evicted)   // what was not used for long was removed from the cache
)

// Built says that a runner is ready.
type Built struct {
	// Program is the package of published benchmarks; empty: it is a runner of
	// contenders.
	Program string
	// Contenders is how many it links, and Group the group that they are of.
	Contenders int
	Group      string
	// Layouts are the random ones; of a program the ordinary one too. Unlinked is how
	// many of them are linked later, when nothing is timed.
	Layouts, Unlinked int
	// Side labels a version that is compared with another; empty: it is none.
	Side string
	// Changed are versions that differ from the ordinary runner's besides those that
	// were asked for.
	Changed []string
	// LeftOut are the selected contenders that could not be built, in full or in part;
	// Selected is how many there are.
	LeftOut  []LeftOut
	Selected int
}

// LeftOut is a contender that a runner lacks.
type LeftOut struct {
	Contender string
	Workloads []string // that it is missing for
	Reason    string
}

// Generated says that the code of contenders was generated.
type Generated struct {
	Contenders int
	Took       time.Duration
}

// BlocksVerified says that of the values of an input that are too many for one process
// so many were verified: all, or as many as there was time for.
type BlocksVerified struct {
	Done, Values int64
	Took         time.Duration
}

// TypeBuilt says that the runner of a user's own type was built.
type TypeBuilt struct {
	Type string
	Took time.Duration
}

// Scheduled says what the launches will be.
type Scheduled struct {
	Cases, Cells int
	Time         time.Duration
	// Fewest is in how many of the Layouts the slowest cell is launched.
	Fewest, Layouts int
}

// StepDone says that a phase is done with one subject or case. Case.Op is empty where
// the step is about all the ops of a subject.
type StepDone struct {
	Case        result.Case
	Done, Total int
	Known       bool // from an earlier run
}

// Recalled says that a phase leaves out so many steps, since an earlier run of the same
// program with the same values found what they would find.
type Recalled struct {
	Phase string
	Steps int
}

// Streamed says how far a stream is, while it is measured.
type Streamed struct{ drive.StreamProgress }

// BenchDone says that a published benchmark was run for a round, or has no number.
type BenchDone struct {
	Bench result.Bench
	// Done counts the rounds of benchmarks that are over or will never come.
	Done, Total int
}

// LaunchDone says that a launch was measured and stored.
type LaunchDone struct {
	Cell result.Cell
	// Done counts the launches of this phase that count; Total is what they will be in
	// the end, as far as can be told.
	Done, Total int
	// Left is about how long the phase still takes.
	Left time.Duration
	// Widest is the half-width of the widest interval of the cells that were looked at,
	// as a share; 0 before the first look.
	Widest float64
	// Run and Records are what is known of the run so far. They are only read, and
	// only until the listener returns; nil: of what keeps no run.
	Run     *result.Run
	Records []result.Record
}

// Again says that a launch was disturbed, or a command failed, and is repeated.
type Again struct {
	Cell   result.Cell // Op is empty outside of launches
	Reason string
	// Failed says that a command failed.
	Failed bool
}

// Waiting says that nothing is measured for a while, so that the launches of few
// cells are spread over some time.
type Waiting struct{ For time.Duration }

// Stood says that this process was stopped for a while, which no budget counts.
type Stood struct{ For time.Duration }

// CaseLeftOut says that a case has no number and takes no further part.
type CaseLeftOut struct{ Outcome result.Outcome }

// NotBuilt says that what a contender costs to build is not known, and why.
type NotBuilt struct{ Cost result.BuildCost }

// Doing says what is being done where there are no steps to count. The next event
// replaces it.
type Doing struct{ Text string }

// Said is a line for people that stays.
type Said struct{ Text string }

// Warned is a warning of one line, or several of one kind.
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

// tell tells the listener of an event.
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

// end ends the phase that is going on, if one is.
func (cfg *Config) end() {
	if cfg.phase == "" {
		return
	}
	over := PhaseEnded{cfg.phase, time.Since(cfg.began)}
	cfg.phase = ""
	cfg.tell(over)
}

// building passes on what package build does.
func (cfg *Config) building(e build.Event) {
	cfg.tell(Building{BuildStep(e.Step), e.Contender, e.I, e.N, e.Bytes, e.Layout, e.Err})
}

// driving passes on what package drive does.
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

// excluded passes on the cases that a step leaves out, and nothing else of it.
func (cfg *Config) excluded(e drive.Event) {
	if _, ok := e.(drive.CaseExcluded); ok {
		cfg.driving(e)
	}
}
