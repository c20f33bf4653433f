package result

import "time"

// A Record is one line of samples.jsonl. Exactly one of its fields but Time is
// set.
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

// A Launch is the samples of one child process of one layout that ran some
// rounds of one cell.
type Launch struct {
	Cell Cell `json:"cell"`
	// Layout is the seed of the runner's link layout; 0 is the ordinary layout.
	Layout uint64 `json:"layout"`
	// Side is the label of the version that was launched where two are compared
	// in lock step; launches of the two sides with one Index ran together, and
	// equal rounds of theirs in turn on one CPU. Empty otherwise.
	Side string `json:"side,omitempty"`
	// Group is the group of contenders whose runner it was; empty for the
	// default one.
	Group string `json:"group,omitempty"`
	// External is the contender that had a process of its own, which is no runner of
	// ours, in turn with that of the other series on one CPU. Empty: all series are
	// of one process.
	External string `json:"guest,omitempty"`
	// Index counts the launches of the cell, side and group from 0.
	Index  int    `json:"index"`
	Seed   uint64 `json:"seed"` // of the order within rounds
	Warmup int    `json:"warmup"`
	// Elapsed is the whole launch, process start to exit, in nanoseconds.
	Elapsed int64    `json:"elapsed"`
	Series  []Series `json:"series"`
	// Sentinel is the time of walks through 1 MiB of pointers between batches, in
	// nanoseconds: what the rest of the machine leaves of the caches.
	Sentinel []int64 `json:"sentinel,omitempty"`
	// Steal is the CPU time that the host took from the machine during the
	// launch, over all CPUs, in clock ticks; absent where it cannot be seen.
	Steal int64 `json:"steal,omitempty"`
	// Others is the share of the time of the CPUs that this run may use which programs that
	// are not of this run used during the launch. It is off by some clock ticks, so that it may be
	// negative. Absent where it cannot be seen.
	Others *float64 `json:"others,omitempty"`
	// Load is the one-minute load average after the launch; 0 where it cannot
	// be seen.
	Load float64 `json:"load,omitempty"`
	// Disturbed says why the launch was repeated; its samples do not count.
	Disturbed string `json:"disturbed,omitempty"`
}

// Crowded is the share of all CPUs' time from which on other programs leave too little of a
// machine: absolute times are those of a machine that is shared.
const Crowded = 0.25

// The roles of a series that is not the case itself.
const (
	// Control is a second series of the cell's reference: any difference from
	// the first is noise.
	Control = "control"
	// Floor is the case's own floor.
	Floor = "floor"
)

// A Series is the samples of one case in one launch. Its slices are parallel,
// one element a sample.
type Series struct {
	Subject
	Role  string  `json:"role,omitempty"` // Control, Floor, or empty for the case itself
	N     int     `json:"n"`              // operations of a batch
	Round []int   `json:"round"`          // the round, from 0, warm-up not counted
	Wall  []int64 `json:"wall"`           // wall time of the batch, ns
	// CPU is the thread's CPU time of the batch in ns; absent where the system
	// has no such clock.
	CPU []int64 `json:"cpu,omitempty"`
	// Others is the CPU time of the process's other threads during all of these
	// batches, ns, and Waits how often the thread gave up the processor of its own
	// accord; absent where that cannot be seen.
	Others int64 `json:"others,omitempty"`
	Waits  int64 `json:"waits,omitempty"`
	// Left is how many goroutines it left behind.
	Left int `json:"left,omitempty"`
	// Fresh says that all batches were on values that were new to the process.
	Fresh bool `json:"fresh,omitempty"`
}

// A Steady is a series of counts of steady work of one case in one process,
// with the collector on. Its slices are parallel, one element a count.
type Steady struct {
	Case   Case    `json:"case"`
	LiveMB int     `json:"live_mb"`
	Layout uint64  `json:"layout"`
	Group  string  `json:"group,omitempty"` // as of Launch
	Index  int     `json:"index"`           // of the process, from 0
	Round  []int   `json:"round"`           // counts of one round were made in turn, on one CPU
	Ops    []int   `json:"ops"`
	Wall   []int64 `json:"wall"`   // ns
	CPU    []int64 `json:"cpu"`    // of the process, ns
	Cycles []int   `json:"cycles"` // collections
	GCCPU  []int64 `json:"gc_cpu"` // of the collector, ns
}

// A Cold is the first call of a case, each in a process of its own, in
// nanoseconds.
type Cold struct {
	Case Case    `json:"case"`
	NS   []int64 `json:"ns"`
}

// A Retained is the live heap that the decoded values of a case keep.
type Retained struct {
	Case     Case  `json:"case"`
	Messages int   `json:"messages"`
	Bytes    int64 `json:"bytes"`   // kept by all of them
	Encoded  int64 `json:"encoded"` // bytes of their messages
}

// A Peak is the largest resident set of processes that did nothing but load
// the values and the ops of one case, in bytes.
type Peak struct {
	Case Case    `json:"case"`
	RSS  []int64 `json:"rss"`
}

// A Scaling is how long batches of one case take on several goroutines at
// once, each with N operations.
type Scaling struct {
	Case       Case    `json:"case"`
	Goroutines int     `json:"goroutines"`
	CPUs       int     `json:"cpus"` // GOMAXPROCS
	N          int     `json:"n"`
	Wall       []int64 `json:"wall"` // of each round, ns
}

// A Footprint is how long batches of one case take, alone in one process, when the
// garbage collector runs after so many allocated bytes. Wall and CPU are parallel,
// one element a batch.
type Footprint struct {
	Case   Case    `json:"case"`
	Bytes  int64   `json:"bytes"` // allocated between two collections
	Layout uint64  `json:"layout"`
	N      int     `json:"n"`             // operations of a batch
	Wall   []int64 `json:"wall"`          // ns
	CPU    []int64 `json:"cpu,omitempty"` // of the thread, ns; absent without such a clock
}

// A Compressed is how large the messages of a case are after compression: each
// for itself, and all of them as one batch.
type Compressed struct {
	Case     Case  `json:"case"`
	Messages int   `json:"messages"` // distinct ones
	Encoded  int64 `json:"encoded"`  // bytes of all messages, not compressed
	// Batch is the bytes of the batch, not compressed: the messages in turn, each
	// after its length as a base-128 varint (binary.AppendUvarint).
	Batch  int64             `json:"batch"`
	Codecs []CompressedSizes `json:"codecs"`
	// Libraries are the modules that compressed.
	Libraries []Module `json:"libraries"`
}

// CompressedSizes are what one codec makes of the messages.
type CompressedSizes struct {
	Codec string `json:"codec"`
	Bytes int64  `json:"bytes"` // of all messages, each compressed alone
	Batch int64  `json:"batch"` // of the batch, compressed as a whole
}

// A Count is an exact count of memory and sizes, made with the collector off
// in a process of the contender's own.
type Count struct {
	Case     Case   `json:"case"`
	Ops      int    `json:"ops"`
	Bytes    uint64 `json:"bytes"`    // allocated by all ops
	Allocs   uint64 `json:"allocs"`   // allocations by all ops
	Messages int    `json:"messages"` // inputs
	Encoded  int64  `json:"encoded"`  // encoded bytes of all inputs
	// MostBytes and MostAllocs are the largest counts of those that were made, where the
	// least was not seen three times; 0: they agreed, and the count is exact.
	MostBytes  uint64 `json:"most_bytes,omitempty"`
	MostAllocs uint64 `json:"most_allocs,omitempty"`
}

// A Verification is the outcome of a round trip of one subject at one size.
type Verification struct {
	Workload string `json:"workload"`
	Size     string `json:"size"`
	Subject
	// Side is the label of the version that was verified where two are compared in
	// lock step; empty otherwise.
	Side string `json:"side,omitempty"`
	// From is set when the subject decoded another contender's bytes.
	From   *Subject `json:"from,omitempty"`
	OK     bool     `json:"ok"`
	Reason string   `json:"reason,omitempty"`
	// Op is where it went wrong, as far as that is known, and Changed says that
	// no op failed: what came back is another value.
	Op      Op   `json:"op,omitempty"`
	Changed bool `json:"changed,omitempty"`
	// Losses are the declared losses that the values did suffer.
	Losses []string `json:"losses,omitempty"`
	// Values is how many of a user's records the round trip went over, where there was no
	// time for all; 0: all.
	Values int64 `json:"values,omitempty"`
	// Encoded is the bytes of all messages, estimated where Values is not 0; 0 where that
	// was not asked for.
	Encoded int64 `json:"encoded,omitempty"`
	// Habits are set when the verification asked for them.
	Habits *Habits `json:"habits,omitempty"`
	// Traces are what the contender left behind in the process, as in "leaves 2
	// goroutines behind".
	Traces []string `json:"traces,omitempty"`
	// Earlier is when an earlier run of the same program with the same values made this
	// round trip; zero: this run did.
	Earlier time.Time `json:"earlier,omitzero"`
}

// Habits are how a subject treats order and memory, seen on one value: neither
// right nor wrong, but good to know.
type Habits struct {
	Encoded int `json:"encoded"` // bytes of the value
	// Varies says that several encodes of the value gave different bytes.
	Varies bool `json:"varies,omitempty"`
	// Aliases are what of the decoded value changed when its message was
	// overwritten: strings, bytes.
	Aliases []string `json:"aliases,omitempty"`
}

// A Calibration fixes the batch of a case for the whole run.
type Calibration struct {
	Case Case    `json:"case"`
	Role string  `json:"role,omitempty"` // Floor, or empty for the case itself
	N    int     `json:"n"`
	NS   float64 `json:"ns"` // of one operation when calibrated
	// Fresh and Seen are the times of one operation on values that are new to the
	// process and on values that it has seen many times, in nanoseconds; 0: not told.
	Fresh float64 `json:"fresh,omitempty"`
	Seen  float64 `json:"seen,omitempty"`
	// Earlier is when an earlier run of the same program with the same values found
	// this; zero: this run did.
	Earlier time.Time `json:"earlier,omitzero"`
}

// LeastTime is the time of an operation in nanoseconds under which nothing can be done: less
// than a cycle of any processor.
const LeastTime = 0.2

// SeenMargin is by how much a case must be slower with values that are new for it to
// count as one that remembers values. The processor itself learns what it has seen: of
// codecs without any memory up to 8%.
const SeenMargin = 0.1

// RenewMargin is by how much a case must be slower with values that are new for its batches
// to be timed on new ones. It is far above what noise or the processor's memory makes of
// codecs without any, since such batches are timed in shorter passes than those of others.
const RenewMargin = 0.5

// Remembers reports whether the case gains from values that it has seen before.
func (c *Calibration) Remembers() bool { return Remembers(c.Fresh, c.Seen) }

// Renews reports whether the case gains so much that its batches are timed on new values.
func (c *Calibration) Renews() bool { return Renews(c.Fresh, c.Seen) }

// Renews reports whether a case that takes so long on new values and on known ones is timed
// on new ones.
func Renews(fresh, seen float64) bool { return seen > 0 && fresh > seen*(1+RenewMargin) }

// Remembers reports whether a case that takes so long on new values and on known ones
// gains from knowing them.
func Remembers(fresh, seen float64) bool { return seen > 0 && fresh > seen*(1+SeenMargin) }

// An Outcome says why a case has no number. It may come after samples: a case
// that died late keeps none.
type Outcome struct {
	Case Case `json:"case"`
	// Side is set when it was one side of a lock step; the case then has no
	// number in that comparison only.
	Side   string `json:"side,omitempty"`
	Status Status `json:"status"`
	Reason string `json:"reason"`
	// Stderr is the beginning and the end of what the program wrote to standard error, when
	// the contender ended it, such as a trace of the stack. Empty: there is nothing, or it
	// did not end.
	Stderr string `json:"stderr,omitempty"`
}

// A BuildCost is what a contender costs to build: a runner that links it and a
// base, for one workload, against one that links the base alone.
type BuildCost struct {
	// Case has op Building and no size.
	Case Case `json:"case"`
	// Base is the contender that is linked beside.
	Base string `json:"base"`
	// Bytes and BaseBytes are the sizes of the two programs, without symbol table
	// and debugging information.
	Bytes     int64 `json:"bytes"`
	BaseBytes int64 `json:"base_bytes"`
	// Modules are those that the base does not link.
	Modules []Module `json:"modules"`
	// Lines is how many lines of code were generated for the workload.
	Lines int `json:"lines"`
	// Cold and Warm are as many builds of each: with nothing compiled but the
	// base and the standard library; and after that, with the generated package
	// changed.
	Cold []BuildTime `json:"cold"`
	Warm []BuildTime `json:"warm"`
	// Load is the one-minute load average before; 0 where it cannot be seen.
	Load float64 `json:"load,omitempty"`
	// Status and Reason say why there are no numbers; both are empty when there
	// are.
	Status Status `json:"status,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// A BuildTime is how long one build took, in nanoseconds.
type BuildTime struct {
	Wall int64 `json:"wall"`
	// CPU is that of the go command, the compilers and the linker together; 0
	// where it cannot be seen.
	CPU int64 `json:"cpu,omitempty"`
}

// A Bench is one round of one benchmark that is written for package testing: that
// of a published source by its own method, or one half of an exhibit. Its
// numbers are those that package testing reports, so that they can be held
// against published ones.
type Bench struct {
	// Set and Name are those of the benchmark: "exhibits/lazyopen" and
	// "corrected". The set of a source is "sources/movie"; runs that were stored as
	// "seeds/movie" are read as that.
	Set  string `json:"set"`
	Name string `json:"name"`
	// Layout is the seed of the program's link layout; 0 is the ordinary layout.
	Layout uint64 `json:"layout"`
	// Round counts from 0. In a round the benchmarks that were asked for together
	// ran one after another in one process.
	Round int `json:"round"`
	// Benchtime is how long it was to run, as for go test: 100ms or 10x.
	Benchtime string `json:"benchtime"`
	N         int    `json:"n"` // operations
	// NS is the time of one operation in nanoseconds. 0 is what a benchmark
	// reports that never runs its timer.
	NS float64 `json:"ns"`
	// Bytes and Allocs are what one operation allocates, rounded down as package
	// testing does.
	Bytes  int64 `json:"bytes"`
	Allocs int64 `json:"allocs"`
	// Extra is what the benchmark reports itself, by its unit.
	Extra map[string]float64 `json:"extra,omitempty"`
	// Status and Reason say why the benchmark has no number, and then neither has
	// any later round; both are empty when it has one.
	Status Status `json:"status,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// A Note is something that happened to the run and that a reader of its
// numbers should know.
type Note struct {
	Text string `json:"text"`
}
