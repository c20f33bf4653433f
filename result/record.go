package result

import "time"

// A Record is one line of samples.jsonl. Besides Time, exactly one field is set.
type Record struct {
	Time         time.Time     `json:"time"`
	Launch       *Launch       `json:"launch,omitempty"`
	Count        *Count        `json:"count,omitempty"`
	Verification *Verification `json:"verification,omitempty"`
	Calibration  *Calibration  `json:"calibration,omitempty"`
	Outcome      *Outcome      `json:"outcome,omitempty"`
	Steady       *Steady       `json:"steady,omitempty"`
	Cold         *Cold         `json:"cold,omitempty"`
	Retained     *Retained     `json:"retained,omitempty"`
	Peak         *Peak         `json:"peak,omitempty"`
	Scaling      *Scaling      `json:"scaling,omitempty"`
	Footprint    *Footprint    `json:"footprint,omitempty"`
	Compressed   *Compressed   `json:"compressed,omitempty"`
	BuildCost    *BuildCost    `json:"build_cost,omitempty"`
	Bench        *Bench        `json:"bench,omitempty"`
	Stream       *Stream       `json:"stream,omitempty"`
	Note         *Note         `json:"note,omitempty"`
}

// A Launch holds the samples of one child process of one layout, which ran some rounds of one
// cell.
type Launch struct {
	Cell Cell `json:"cell"`
	// Layout is the seed of the runner's link layout; 0 is the ordinary layout.
	Layout uint64 `json:"layout"`
	// Side is the label of the launched version if two versions are compared in lock step.
	// Launches of the two sides that have the same Index ran together: their processes took
	// turns on one CPU, round by round. Empty otherwise.
	Side string `json:"side,omitempty"`
	// Group is the group of contenders that the runner links; empty for the default group.
	Group string `json:"group,omitempty"`
	// External is the external contender of the launch. Its runner was a second process,
	// which took turns with the process of the other series on one CPU. Empty: one process
	// ran all series.
	External string `json:"guest,omitempty"`
	// Index counts the launches of the cell, side and group from 0.
	Index  int    `json:"index"`
	Seed   uint64 `json:"seed"` // for the order within rounds
	Warmup int    `json:"warmup"`
	// Elapsed is the time of the whole launch, from process start to exit, in nanoseconds.
	Elapsed int64    `json:"elapsed"`
	Series  []Series `json:"series"`
	// Sentinel holds the times of walks through 1 MiB of pointers between batches, in
	// nanoseconds. They rise when other programs on the machine use the caches.
	Sentinel []int64 `json:"sentinel,omitempty"`
	// Steal is the CPU time that the host took from the machine during the launch, over all
	// CPUs, in clock ticks; absent where the system does not show it.
	Steal int64 `json:"steal,omitempty"`
	// Others is the CPU time that programs outside this run used during the launch, as a
	// share of the time of the CPUs that this run may use. It is accurate to some clock
	// ticks, so it may be negative. Absent where the system does not show it.
	Others *float64 `json:"others,omitempty"`
	// Load is the one-minute load average after the launch; 0 where the system does not show
	// it.
	Load float64 `json:"load,omitempty"`
	// Disturbed is the reason why the launch was repeated; its samples do not count. Empty:
	// they count.
	Disturbed string `json:"disturbed,omitempty"`
}

// Crowded is a share of all CPUs' time. If other programs use at least this share, absolute
// times are those of a shared machine.
const Crowded = 0.25

// The roles of a series. The series of the case itself has no role.
const (
	// Control is a second series of the cell's reference. Any difference between the two is
	// noise.
	Control = "control"
	// Floor is the series of the case's own floor.
	Floor = "floor"
)

// A Series holds the samples of one case in one launch. Its slices are parallel, with one
// element a sample.
type Series struct {
	Subject
	Role  string  `json:"role,omitempty"` // Control, Floor, or empty for the case itself
	N     int     `json:"n"`              // operations of a batch
	Round []int   `json:"round"`          // from 0, not counting warm-up
	Wall  []int64 `json:"wall"`           // wall time of the batch, ns
	// CPU is the thread's CPU time of each batch in ns; absent where the system has no such
	// clock.
	CPU []int64 `json:"cpu,omitempty"`
	// Others is the CPU time of the process's other threads during all these batches, in ns.
	// Waits is how often the thread gave up the processor of its own accord. Both are absent
	// where the system does not show them.
	Others int64 `json:"others,omitempty"`
	Waits  int64 `json:"waits,omitempty"`
	// Left is how many goroutines the case left behind.
	Left int `json:"left,omitempty"`
	// Fresh says that all batches used values that were new to the process.
	Fresh bool `json:"fresh,omitempty"`
}

// A Steady is a series of counts of steady work of one case in one process, with the garbage
// collector on. Its slices are parallel, with one element a count.
type Steady struct {
	Case   Case    `json:"case"`
	LiveMB int     `json:"live_mb"`
	Layout uint64  `json:"layout"`
	Group  string  `json:"group,omitempty"` // as in Launch
	Index  int     `json:"index"`           // of the process, from 0
	Round  []int   `json:"round"`           // counts of one round were made in turn, on one CPU
	Ops    []int   `json:"ops"`
	Wall   []int64 `json:"wall"`   // ns
	CPU    []int64 `json:"cpu"`    // CPU time of the process, ns
	Cycles []int   `json:"cycles"` // collections
	GCCPU  []int64 `json:"gc_cpu"` // CPU time of the collector, ns
}

// A Cold holds the times of first calls of a case, in nanoseconds. Each call had a process of
// its own.
type Cold struct {
	Case Case    `json:"case"`
	NS   []int64 `json:"ns"`
}

// A Retained is the size of the live heap that the decoded values of a case keep.
type Retained struct {
	Case     Case  `json:"case"`
	Messages int   `json:"messages"`
	Bytes    int64 `json:"bytes"`   // kept by all decoded values
	Encoded  int64 `json:"encoded"` // bytes of their messages
}

// A Peak holds the largest resident set of each of several processes, in bytes. Each process
// only loaded the values and ran the ops of one case.
type Peak struct {
	Case Case    `json:"case"`
	RSS  []int64 `json:"rss"`
}

// A Scaling holds the times of batches of one case that run on several goroutines at once.
// Each goroutine performs N operations.
type Scaling struct {
	Case       Case    `json:"case"`
	Goroutines int     `json:"goroutines"`
	CPUs       int     `json:"cpus"` // GOMAXPROCS
	N          int     `json:"n"`
	Wall       []int64 `json:"wall"` // of each round, ns
}

// A Footprint holds the times of batches of one case, alone in one process, with the garbage
// collector set to run after Bytes allocated bytes. Wall and CPU are parallel, with one
// element a batch.
type Footprint struct {
	Case   Case    `json:"case"`
	Bytes  int64   `json:"bytes"` // allocated between two collections
	Layout uint64  `json:"layout"`
	N      int     `json:"n"`             // operations of a batch
	Wall   []int64 `json:"wall"`          // ns
	CPU    []int64 `json:"cpu,omitempty"` // of the thread, ns; absent without such a clock
}

// A Compressed holds the compressed sizes of the messages of a case: each message compressed
// alone, and all of them as one batch.
type Compressed struct {
	Case     Case  `json:"case"`
	Messages int   `json:"messages"` // distinct messages
	Encoded  int64 `json:"encoded"`  // bytes of all messages, not compressed
	// Batch is the size of the batch in bytes, before compression: the messages in turn, each
	// after its length as a base-128 varint (binary.AppendUvarint).
	Batch  int64             `json:"batch"`
	Codecs []CompressedSizes `json:"codecs"`
	// Libraries are the modules of the compression codecs.
	Libraries []Module `json:"libraries"`
}

// CompressedSizes are the sizes after compression with one codec.
type CompressedSizes struct {
	Codec string `json:"codec"`
	Bytes int64  `json:"bytes"` // sum over all messages, each compressed alone
	Batch int64  `json:"batch"` // the batch, compressed as a whole
}

// A Count is an exact count of memory and sizes. It is made in a process of the contender's
// own, with the garbage collector off.
type Count struct {
	Case     Case   `json:"case"`
	Ops      int    `json:"ops"`
	Bytes    uint64 `json:"bytes"`    // allocated by all ops
	Allocs   uint64 `json:"allocs"`   // allocations by all ops
	Messages int    `json:"messages"` // inputs
	Encoded  int64  `json:"encoded"`  // encoded bytes of all inputs
	// MostBytes and MostAllocs are the largest counts of several attempts. They are set if
	// fewer than three attempts agreed on the smallest count; Bytes and Allocs are then the
	// smallest. 0: the attempts agreed, and the count is exact.
	MostBytes  uint64 `json:"most_bytes,omitempty"`
	MostAllocs uint64 `json:"most_allocs,omitempty"`
}

// A Verification is the outcome of a round trip of one subject at one size.
type Verification struct {
	Workload string `json:"workload"`
	Size     string `json:"size"`
	Subject
	// Side is the label of the verified version if two versions are compared in lock step;
	// empty otherwise.
	Side string `json:"side,omitempty"`
	// From is set when the subject decoded another contender's bytes.
	From   *Subject `json:"from,omitempty"`
	OK     bool     `json:"ok"`
	Reason string   `json:"reason,omitempty"`
	// Op is the op that went wrong, if that is known. Changed says that every op succeeded
	// but returned another value.
	Op      Op   `json:"op,omitempty"`
	Changed bool `json:"changed,omitempty"`
	// Losses are the declared losses that the values suffered.
	Losses []string `json:"losses,omitempty"`
	// Values is how many of a user's records the round trip verified if the time did not
	// allow all; 0: all.
	Values int64 `json:"values,omitempty"`
	// Encoded is the size of all messages in bytes, an estimate if Values is not 0. It is 0
	// if nothing asked for it.
	Encoded int64 `json:"encoded,omitempty"`
	// Habits are set when the verification asked for them.
	Habits *Habits `json:"habits,omitempty"`
	// Traces say what the contender left behind in the process, such as "leaves 2 goroutines
	// behind".
	Traces []string `json:"traces,omitempty"`
	// Earlier is the time of this round trip if an earlier run of the same program with the
	// same values made it; zero: this run made it.
	Earlier time.Time `json:"earlier,omitzero"`
}

// Habits describe how a subject treats order and memory, as observed on one value. They are
// not errors.
type Habits struct {
	Encoded int `json:"encoded"` // encoded size of the value
	// Varies says that several encodes of the value gave different bytes.
	Varies bool `json:"varies,omitempty"`
	// Aliases are the kinds of data in the decoded value that changed when its message was
	// overwritten: strings, bytes.
	Aliases []string `json:"aliases,omitempty"`
}

// A Calibration fixes the batch of a case for the whole run.
type Calibration struct {
	Case Case    `json:"case"`
	Role string  `json:"role,omitempty"` // Floor, or empty for the case itself
	N    int     `json:"n"`
	NS   float64 `json:"ns"` // of one operation when calibrated
	// Fresh and Seen are the times of one operation, in nanoseconds, on values that are new
	// to the process and on values that it has seen many times; 0: unknown.
	Fresh float64 `json:"fresh,omitempty"`
	Seen  float64 `json:"seen,omitempty"`
	// Earlier is the time of the calibration if an earlier run of the same program with the
	// same values made it; zero: this run made it.
	Earlier time.Time `json:"earlier,omitzero"`
}

// LeastTime is the shortest possible time of an operation in nanoseconds. A shorter one is
// less than a cycle of any processor.
const LeastTime = 0.2

// SeenMargin is how much slower a case must be on new values than on known ones, as a share
// of the time on known values, to count as a case that remembers values. Processors learn
// known values too: codecs without any memory are up to 8% slower on new ones.
const SeenMargin = 0.1

// RenewMargin is how much slower a case must be on new values than on known ones, as a share
// of the time on known values, to be timed on new values. It is far above the effect of noise
// and of the processor's memory on codecs without memory, because batches on new values are
// timed in shorter passes than other batches.
const RenewMargin = 0.5

// Remembers reports whether the case is faster on values that it has seen before.
func (c *Calibration) Remembers() bool { return Remembers(c.Fresh, c.Seen) }

// Renews reports whether the case is so much faster on known values that its batches are
// timed on new values.
func (c *Calibration) Renews() bool { return Renews(c.Fresh, c.Seen) }

// Renews reports whether a case is timed on new values. fresh and seen are the times of one
// operation on new values and on known values.
func Renews(fresh, seen float64) bool { return seen > 0 && fresh > seen*(1+RenewMargin) }

// Remembers reports whether a case is faster on known values. fresh and seen are the times of
// one operation on new values and on known values.
func Remembers(fresh, seen float64) bool { return seen > 0 && fresh > seen*(1+SeenMargin) }

// An Outcome says why a case has no number. It may follow samples of the case, which then do
// not count: the case failed late.
type Outcome struct {
	Case Case `json:"case"`
	// Side is set if one side of a lock step failed. The case then has no number in that
	// comparison only.
	Side   string `json:"side,omitempty"`
	Status Status `json:"status"`
	Reason string `json:"reason"`
	// Stderr is the beginning and the end of what the program wrote to standard error if the
	// contender ended the program, such as a stack trace. Empty: the program wrote nothing,
	// or did not end.
	Stderr string `json:"stderr,omitempty"`
}

// A BuildCost is the cost to build a contender for one workload. It compares two runners: one
// links the contender and a base, the other links the base alone.
type BuildCost struct {
	// Case has op Building and no size.
	Case Case `json:"case"`
	// Base is the contender that both runners link.
	Base string `json:"base"`
	// Bytes and BaseBytes are the sizes of the two programs, without symbol table
	// and debugging information.
	Bytes     int64 `json:"bytes"`
	BaseBytes int64 `json:"base_bytes"`
	// Modules are the modules that only the runner with the contender links.
	Modules []Module `json:"modules"`
	// Lines is the number of lines of code generated for the workload.
	Lines int `json:"lines"`
	// Cold and Warm are the times of builds, equally many of each. Before a cold build, only
	// the base and the standard library are compiled. A warm build follows a cold one, after
	// a change to the generated package.
	Cold []BuildTime `json:"cold"`
	Warm []BuildTime `json:"warm"`
	// Load is the one-minute load average before the builds; 0 where the system does not show
	// it.
	Load float64 `json:"load,omitempty"`
	// Status and Reason say why there are no numbers; both are empty if there are numbers.
	Status Status `json:"status,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// A BuildTime is the time of one build, in nanoseconds.
type BuildTime struct {
	Wall int64 `json:"wall"`
	// CPU is the CPU time of the go command, the compilers and the linker together; 0 where
	// the system does not show it.
	CPU int64 `json:"cpu,omitempty"`
}

// A Bench is one round of one benchmark that is written for package testing: the benchmark of
// a published source by that source's own method, or one half of an exhibit. Its numbers are
// the ones that package testing reports, so that they can be compared with published ones.
type Bench struct {
	// Set and Name identify the benchmark, such as "exhibits/lazyopen" and "corrected". The
	// set of a source is "sources/movie". Some stored runs call it "seeds/movie"; they are
	// read as "sources/movie".
	Set  string `json:"set"`
	Name string `json:"name"`
	// Layout is the seed of the program's link layout; 0 is the ordinary layout.
	Layout uint64 `json:"layout"`
	// Round counts from 0. In a round, all benchmarks of one command ran one after another in
	// one process.
	Round int `json:"round"`
	// Benchtime is how long the benchmark was to run, in the syntax of go test: 100ms or 10x.
	Benchtime string `json:"benchtime"`
	N         int    `json:"n"` // operations
	// NS is the time of one operation in nanoseconds. A benchmark that never runs its timer
	// reports 0.
	NS float64 `json:"ns"`
	// Bytes and Allocs are the allocations of one operation, rounded down as package testing
	// does.
	Bytes  int64 `json:"bytes"`
	Allocs int64 `json:"allocs"`
	// Extra holds the metrics that the benchmark itself reports, by unit.
	Extra map[string]float64 `json:"extra,omitempty"`
	// Status and Reason say why the benchmark has no number. Later rounds then have no number
	// either. Both are empty if it has one.
	Status Status `json:"status,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// A Note is an event of the run that a reader of its numbers should know about.
type Note struct {
	// About is what the note is about, such as a pass; empty: only what it says. A later note about
	// the same replaces it, and withdraws it if its text is empty.
	About string `json:"about,omitempty"`
	Text  string `json:"text"`
}
