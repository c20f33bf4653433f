package bench

import "assay/result"

// Protocol is the version of the runner protocol that this package speaks.
const Protocol = 1

// A Command is one line on a runner's standard input. Cmd names the command;
// the field of the same name holds its arguments. PROTOCOL.md specifies it all.
type Command struct {
	// Cmd is describe, load, verify, calibrate, rounds, memory, steady, cold,
	// retain, parallel, write, export, compare, stream or exit.
	Cmd       string     `json:"cmd"`
	Load      *Load      `json:"load,omitempty"`
	Verify    *Verify    `json:"verify,omitempty"`
	Calibrate *Calibrate `json:"calibrate,omitempty"`
	Rounds    *Rounds    `json:"rounds,omitempty"`
	Memory    *Memory    `json:"memory,omitempty"`
	Steady    *Steady    `json:"steady,omitempty"`
	Cold      *Cold      `json:"cold,omitempty"`
	Retain    *Retain    `json:"retain,omitempty"`
	Parallel  *Parallel  `json:"parallel,omitempty"`
	Write     *Write     `json:"write,omitempty"`
	Export    *Export    `json:"export,omitempty"`
	Compare   *Compare   `json:"compare,omitempty"`
	Stream    *Stream    `json:"stream,omitempty"`
}

// An Answer is one line on a runner's standard output, one for each command.
// Error is set when the command could not be carried out; otherwise the field
// that belongs to the command is. The answer to exit is empty.
type Answer struct {
	Error string `json:"error,omitempty"`
	// Wrong is set with Error where a contender's result was found wrong while it was
	// timed: there is no need to see it twice.
	Wrong      *Wrong       `json:"wrong,omitempty"`
	Described  *Described   `json:"described,omitempty"`
	Loaded     *Loaded      `json:"loaded,omitempty"`
	Verified   *Verified    `json:"verified,omitempty"`
	Calibrated []Calibrated `json:"calibrated,omitempty"`
	Measured   *Measured    `json:"measured,omitempty"`
	Counted    *Counted     `json:"counted,omitempty"`
	Steadied   *Steadied    `json:"steadied,omitempty"`
	First      *First       `json:"first,omitempty"`
	Retained   *Retained    `json:"retained,omitempty"`
	Paralleled *Paralleled  `json:"paralleled,omitempty"`
	Written    *Written     `json:"written,omitempty"`
	Exported   *Exported    `json:"exported,omitempty"`
	Streamed   *Streamed    `json:"streamed,omitempty"`
}

// A Wrong names the case whose result is not what its input asks for.
type Wrong struct {
	result.Subject
	Op result.Op `json:"op"`
}

// Described is what a runner is.
type Described struct {
	Protocol int    `json:"protocol"`
	Go       string `json:"go"` // the toolchain that built it; empty for other languages
	GOOS     string `json:"goos"`
	GOARCH   string `json:"goarch"`
	// Modules are the exact versions that are linked.
	Modules  []result.Module `json:"modules"`
	Bindings []BindingInfo   `json:"bindings"`
	// ThreadCPU says whether samples carry the thread's CPU time.
	ThreadCPU bool `json:"thread_cpu"`
}

// BindingInfo describes one binding.
type BindingInfo struct {
	Contender string      `json:"contender"`
	Workload  string      `json:"workload"`
	Root      string      `json:"root"`
	Mode      string      `json:"mode"`
	Ops       []result.Op `json:"ops"`
}

// Load asks for the values of one workload at one size. All later commands
// work on them.
type Load struct {
	Workload string `json:"workload"`
	Size     string `json:"size"`
	Seed     uint64 `json:"seed"`
	Inputs   int    `json:"inputs"` // distinct values; 0: the size's own number
	// Mark is a file that the runner writes the subject and op it is about to
	// work on to, so that whoever finds it dead knows whom to charge: 256 bytes,
	// contender, tab, mode, tab, op, newline, and spaces. Empty: no marks.
	Mark string `json:"mark,omitempty"`
	// Data is a file with these values in neutral form, which Export wrote, for a
	// runner that cannot make them itself. One that can refuses it.
	Data string `json:"data,omitempty"`
	// Losses are the declared losses of each contender, which checks of results between
	// timed batches forgive. Absent: they forgive whatever can be forgiven.
	Losses map[string][]string `json:"losses,omitempty"`
}

// Loaded says what was made.
type Loaded struct {
	Root   string `json:"root"`
	Inputs int    `json:"inputs"`
}

// Verify asks for the round trip of every input through one contender: each op
// that the binding offers is run over the inputs once and its result compared.
type Verify struct {
	result.Subject
	// Losses are the declared losses to forgive.
	Losses []string `json:"losses,omitempty"`
	// From, when set, asks only whether the contender decodes the bytes that
	// From wrote to the value that From was given.
	From *result.Subject `json:"from,omitempty"`
	// Messages, when there are any, are decoded in the place of From's: what a
	// contender of another runner wrote for each of the inputs.
	Messages [][]byte `json:"messages,omitempty"`
	// First says that Messages are those of the first inputs alone, and that the contender
	// itself wrote them in another process, in this mode or, if it does not write, in the
	// default mode. A mode that does not decode has the default mode decode them. Only a
	// runner of ours is asked for it.
	First bool `json:"first,omitempty"`
	// Habits asks for Habits as well. It has no effect with From or Messages.
	Habits bool `json:"habits,omitempty"`
	// Sizes asks for Encoded as well. It has no effect with From or Messages.
	Sizes bool `json:"sizes,omitempty"`
	// Long asks for some thousand operations more of each op, with every result
	// compared, and for batches with something put into them in many places instead of one. It
	// has no effect with From or Messages.
	Long bool `json:"long,omitempty"`
}

// Verified is the outcome of a round trip.
type Verified struct {
	OK bool `json:"ok"`
	// Op and Reason say what went wrong first, for example "input 3: decode:
	// Items: 10 elements became 1"; the first input is not named.
	Op     result.Op `json:"op,omitempty"`
	Reason string    `json:"reason,omitempty"`
	// Changed says that no op failed: what came back differs from the input.
	Changed bool `json:"changed,omitempty"`
	// Losses are the declared losses that these values did suffer.
	Losses []string `json:"losses,omitempty"`
	// Encoded is the bytes of the messages of all inputs, if it was asked for, the
	// subject encodes and all is well.
	Encoded int64 `json:"encoded,omitempty"`
	// Habits are set when they were asked for and the first input comes back at
	// all, if not as it was.
	Habits *result.Habits `json:"habits,omitempty"`
	// Traces are what the contender left behind in the process and is no fault, as in
	// "leaves 2 goroutines behind".
	Traces []string `json:"traces,omitempty"`
}

// Calibrate asks how many operations make a batch for each case.
type Calibrate struct {
	Cases []CaseSpec `json:"cases"`
	// BatchNS is the least time a batch shall take, in nanoseconds.
	BatchNS int64 `json:"batch_ns"`
	// MinOps is the least number of operations of a batch, unless they would
	// take more than MaxNS; one operation is always run.
	MinOps int `json:"min_ops"`
	// MaxNS is the most time a batch shall take, if one operation fits. 0: no
	// limit.
	MaxNS int64 `json:"max_ns"`
}

// A CaseSpec names a case of the loaded workload and size.
type CaseSpec struct {
	result.Subject
	Op result.Op `json:"op"`
	// N is the number of operations of a batch (rounds only).
	N int `json:"n,omitempty"`
	// Every is the case's stride: it takes part in the rounds whose number is a
	// multiple of it, so that a slow case does not starve the others. 0 is 1.
	Every int `json:"every,omitempty"`
	// Fresh asks for batches on values that are new to the process (rounds only): before
	// each pass over the inputs they get another content, which the time does not include.
	// It is for cases that calibrate found to gain from known values.
	Fresh bool `json:"fresh,omitempty"`
	// Role is result.Control for a second series of the same case, with a codec
	// of its own, and result.Floor for the case's own floor (op encode only): a
	// copy of its encoded bytes into a buffer that is fresh or reused as in the
	// case's mode. Empty for the case itself. A batch of a role has a length of
	// its own, which calibrate tells.
	Role string `json:"role,omitempty"`
}

// leastInputs is how many inputs a case has at least, of as many as there are: checks put
// things between others.
const leastInputs = 8

// Bound returns how many of all inputs a case is bound to in rounds that are the last and in
// which it has so many batches, warm-up included: those that its batches come to, if that is
// less than half. What takes milliseconds an operation has few batches in a launch, and before
// them it would do each of the inputs twice or more, for messages and sums that no batch needs.
func (c CaseSpec) Bound(batches, all int) int {
	most := max(leastInputs, float64(batches)*float64(c.N+untimed(c.N)))
	if c.Fresh || most >= float64(all)/2 {
		return all
	}
	return int(most)
}

// Calibrated is the answer for one case, in the order asked.
type Calibrated struct {
	N int `json:"n"`
	// NS is the least time of one operation that was seen, in nanoseconds:
	// thread CPU time where there is such a clock.
	NS float64 `json:"ns"`
	// Fresh and Seen are the times of one operation on values that are new to the
	// process and on such that it has seen many times, in nanoseconds; absent for ops
	// and modes where there is no telling. If Fresh is larger by more than
	// result.RenewMargin, N and NS are those of new values.
	Fresh float64 `json:"fresh,omitempty"`
	Seen  float64 `json:"seen,omitempty"`
}

// Rounds asks for rounds of batches. In each round every case that takes part
// runs one batch; the order is random, and the next round's is its reverse.
type Rounds struct {
	Cases  []CaseSpec `json:"cases"`
	Warmup int        `json:"warmup"` // rounds that are run and dropped
	Rounds int        `json:"rounds"`
	Seed   uint64     `json:"seed"` // of the order
	// LimitNS ends the rounds early once this much time has passed since the
	// first one began, in nanoseconds. 0: no limit. At least one round is kept,
	// and a round that has begun is finished.
	LimitNS int64 `json:"limit_ns,omitempty"`
	// Sentinel asks for walks through a fixed chain of pointers, 1 MiB long, two
	// in a row in every fourth round: the time of the second tells how much of
	// the caches others use.
	Sentinel bool `json:"sentinel,omitempty"`
	// Unseen asks for batches on values that are new to the process once the rounds are
	// over: a case that they show to remember values is an error.
	Unseen bool `json:"unseen,omitempty"`
	// Last says that no rounds of the session go on where these end. A case with few
	// batches may then be bound to those inputs alone that the batches come to.
	Last bool `json:"last,omitempty"`
	// Garbage is how many bytes may be allocated before a collection is forced
	// between two batches: the footprint that allocating ops work in. 0: 3 MiB.
	Garbage int64 `json:"garbage,omitempty"`
	// Relay has the process take turns with others; nil: it has all turns.
	Relay *Relay `json:"relay,omitempty"`
}

// Measured are the samples of a launch.
type Measured struct {
	Series []result.Series `json:"series"` // in the order of the cases asked
	GCs    int             `json:"gcs"`    // forced collections between batches
	// Varying are the indices of the cases whose checksums could not be checked,
	// because single operations on the same input give different ones.
	Varying []int `json:"varying,omitempty"`
	// Sentinel is the time of each second walk, in nanoseconds: thread CPU
	// time where there is such a clock.
	Sentinel []int64 `json:"sentinel,omitempty"`
	// Checks is the time that checks of results took, in nanoseconds.
	Checks int64 `json:"checks,omitempty"`
}

// Memory asks for an exact count over Ops operations with the collector off.
type Memory struct {
	result.Subject
	Op result.Op `json:"op"`
	// Ops is rounded up to a whole number of passes over the inputs.
	Ops int `json:"ops"`
}

// Counted is an exact count.
type Counted struct {
	Ops    int    `json:"ops"`
	Bytes  uint64 `json:"bytes"`  // allocated by all of them
	Allocs uint64 `json:"allocs"` // allocations by all of them
	// MostBytes and MostAllocs are the largest counts of those that were made, where the
	// least was not seen three times; 0: they agreed, and the count is exact.
	MostBytes  uint64 `json:"most_bytes,omitempty"`
	MostAllocs uint64 `json:"most_allocs,omitempty"`
	// Messages and Encoded are the number of inputs and their encoded bytes,
	// added up.
	Messages int   `json:"messages"`
	Encoded  int64 `json:"encoded"`
}

// Steady asks for operations as a service does them: the collector on with
// GOGC=100, and its work counted. The collector is run first, and operations are
// done that do not count, until it has run of itself once. Then operations count until
// MinNS have passed and MinCycles collections have ended, and the count ends with a
// collection, so that it covers whole cycles.
//
// Where no collection has come of itself within a quarter of MaxNS, it is waited for if by
// what was allocated it comes within WaitNS, and if it takes a 200th of the time between
// two or more. Then the count may take up to WaitNS, and has at least four operations or
// cycles if that leaves time for them. Otherwise it begins there and ends at MaxNS at the
// latest, as for a case that allocates nothing.
type Steady struct {
	result.Subject
	Op result.Op `json:"op"`
	// LiveMB is how many MiB of heap full of pointers are kept beside. The heap
	// is made once and kept until another size is asked for.
	LiveMB    int   `json:"live_mb"`
	MinNS     int64 `json:"min_ns"`
	MinCycles int   `json:"min_cycles"`
	MaxNS     int64 `json:"max_ns"` // at least 1, and at least MinNS
	// WaitNS is how long a collection is waited for; not above MaxNS: never beyond that.
	WaitNS int64 `json:"wait_ns,omitempty"`
}

// Steadied is one count of steady work.
type Steadied struct {
	Ops    int   `json:"ops"`
	Wall   int64 `json:"wall"`   // ns
	CPU    int64 `json:"cpu"`    // of the whole process, ns; wall time where there is no such clock
	Cycles int   `json:"cycles"` // collections that ended
	// GCCPU is the collector's part of CPU in nanoseconds, over the cycles that
	// ended, as the runtime estimates it. Marking on processors that had nothing
	// else to do is in it, as it is in CPU; sweeping is not. The estimate is by
	// the wall clock: where other programs interrupt the process it is too much,
	// and may be more than CPU.
	GCCPU int64 `json:"gc_cpu"`
	// Peak is the largest resident set of the process until the end of the work, in
	// bytes; 0 where it cannot be seen. Results are checked after it.
	Peak int64 `json:"peak,omitempty"`
}

// Cold asks for the first call of an op in this process. The values must have
// been loaded and nothing been done with them. What decode, open and scan read
// is encoded before, by the same contender, so that only what reading needs
// beyond writing is cold then.
type Cold struct {
	result.Subject
	Op result.Op `json:"op"`
}

// First is the time of a first call in nanoseconds. Binding is not in it.
type First struct {
	NS int64 `json:"ns"`
}

// Retain asks how much heap decoded values keep alive. Each input is decoded
// from a copy of its message that nothing else refers to, and the results are
// kept; a value that points into its input keeps that too. It is an error if two
// messages are decoded into the same value.
type Retain struct {
	result.Subject
	// Messages is rounded up to a whole number of passes over the inputs.
	Messages int `json:"messages"`
}

// Retained is the live heap that decoded values keep, added up.
type Retained struct {
	Messages int   `json:"messages"`
	Bytes    int64 `json:"bytes"`
	Encoded  int64 `json:"encoded"` // bytes of the messages
}

// Parallel asks for rounds of batches on several goroutines at once, each with
// a codec of its own, each doing N operations after an untimed tenth of that.
type Parallel struct {
	result.Subject
	Op         result.Op `json:"op"`
	Goroutines int       `json:"goroutines"`
	N          int       `json:"n"`
	Warmup     int       `json:"warmup"`
	Rounds     int       `json:"rounds"`
}

// Paralleled are the wall times of the rounds in nanoseconds, from the start of
// the first goroutine to the end of the last.
type Paralleled struct {
	Wall []int64 `json:"wall"`
	// CPU is the CPU time of all batches of a round together; absent where there
	// is no thread CPU clock. Where it is less than Wall times the processors that
	// the goroutines could have had, other programs had them.
	CPU []int64 `json:"cpu,omitempty"`
}

// Write asks for the encoded message of every input, for whoever wants to do
// something with them that is not to be linked into a runner, such as compress
// them. A mode that does not write has the messages of the contender's default
// mode.
type Write struct {
	result.Subject
	// Bytes is the most that all messages together may have; 1 to 1 GiB. It is
	// an error if they have more.
	Bytes int64 `json:"bytes"`
	// First asks for the messages of the first inputs alone, for Verify.First: so many, or
	// fewer that have 4 MiB together, but one at least. There are none if that one has more
	// than Bytes, if the mode neither writes nor decodes, if nobody reads what it writes, or
	// if its decode reads no messages. 0 asks for all. Only a runner of ours is asked for it.
	First int `json:"first,omitempty"`
}

// Written are encoded messages, in the order of the inputs.
type Written struct {
	Messages [][]byte `json:"messages"` // base64 in JSON
}

// Export asks for values in a file, in neutral form: the loaded ones or, where
// there is a contender, what it decodes.
type Export struct {
	// File is made, or made anew.
	File string `json:"file"`
	// Contender and Mode are the subject that decodes; an empty Contender exports
	// the loaded values themselves.
	Contender string `json:"contender,omitempty"`
	Mode      string `json:"mode,omitempty"`
	// Messages are what it decodes, one for each input; none: its own.
	Messages [][]byte `json:"messages,omitempty"`
	// Others exports, without a contender, as many other values, which no command before
	// had. Only a runner of ours is asked for them.
	Others bool `json:"others,omitempty"`
}

// Exported says how many values the file has.
type Exported struct {
	Inputs int `json:"inputs"`
}

// Compare asks whether the values in a file, in neutral form, are the loaded
// ones. The answer is a Verified.
type Compare struct {
	File string `json:"file"`
	// Losses are those to forgive.
	Losses []string `json:"losses,omitempty"`
}

// Stream asks for one pass over a stream of messages, in a runner that links streams.
// It needs no load: values are made message by message, and never held whole. With Whole
// it is one op on a whole value in memory instead.
type Stream struct {
	result.Subject
	Workload string `json:"workload"`
	Size     string `json:"size"`
	Seed     uint64 `json:"seed"`
	// Data is a file with the values in neutral form, one a line, where they are a user's;
	// empty: they are made from the seed.
	Data string `json:"data,omitempty"`
	// Op is encode, which makes the values and writes File anew, or decode, which
	// reads it.
	Op result.Op `json:"op"`
	// File is what is written or read. More are further files: each file has a goroutine
	// of its own, and the files take batches of messages in turn.
	File string   `json:"file"`
	More []string `json:"more,omitempty"`
	// Codec compresses the files; empty: they are plain.
	Codec string `json:"codec,omitempty"`
	// Whole asks for Op on all values of the size in memory, once each, by the binding of
	// the subject, in a runner of bindings in which no contender's code ran before. File
	// then has each message after its length, 8 bytes with the lowest first; the clock runs
	// neither while it is written nor while it is read. There is no More and no Codec.
	Whole bool `json:"whole,omitempty"`
	// Mark is as in Load.
	Mark string `json:"mark,omitempty"`
	// Progress is a file that says how far the pass is, in ProgressSize bytes: the
	// messages that are done and the bytes of the files, in decimal, and spaces. Empty: none.
	Progress string `json:"progress,omitempty"`
	// Room is how many bytes the files may take. It is an error if it takes more, or would.
	Room int64 `json:"room,omitempty"`
	// Sum is the Sum of the values that were written: decode compares its own with it,
	// and where they differ every value with the one that is generated.
	Sum string `json:"sum,omitempty"`
	// Losses are the declared losses to forgive.
	Losses []string `json:"losses,omitempty"`
}

// ProgressSize is the length of a progress file.
const ProgressSize = 64

// Streamed is one pass over a stream. Wall and CPU are of the calls that write or read
// messages alone, with the flush of the last bytes to the system: making values,
// converting them to or from the library's types, and adding them up is between
// the calls. Everything else is of the pass as a whole.
type Streamed struct {
	Messages int64 `json:"messages"`
	Items    int64 `json:"items"`
	Bytes    int64 `json:"bytes"` // of the files
	// Plain are the bytes before they were compressed; Bytes where nothing compresses.
	Plain int64 `json:"plain"`
	Wall  int64 `json:"wall"` // ns
	CPU   int64 `json:"cpu"`  // of all threads, ns; Wall where there is no such clock
	// Sum is a checksum of the content and the order of the values.
	Sum string `json:"sum"`
	// Losses are the declared losses that values suffered.
	Losses []string `json:"losses,omitempty"`
	// Elapsed and TotalCPU are the wall time and CPU time of the whole pass, ns.
	Elapsed  int64 `json:"elapsed"`
	TotalCPU int64 `json:"total_cpu"`
	// Cycles are the collections that ended in the pass, GCCPU the collector's CPU time and
	// Busy that of the program with its collector, both in ns as the runtime estimates them.
	Cycles int   `json:"cycles"`
	GCCPU  int64 `json:"gc_cpu"`
	Busy   int64 `json:"busy"`
	// PauseMax and Pause99 are the longest and the 99th-percentile pause of the collector, in
	// which nothing runs, as upper bounds of the runtime's buckets, ns.
	PauseMax int64 `json:"pause_max"`
	Pause99  int64 `json:"pause_99"`
	// Late is the worst delay of a goroutine that sleeps a millisecond at a time, ns.
	Late int64 `json:"late"`
	// Minor and Major are the page faults of the process, which are not counted
	// everywhere, and Sentinel the median of the sentinel's walks between the calls, ns; 0:
	// they are not known.
	Minor    int64 `json:"minor_faults,omitempty"`
	Major    int64 `json:"major_faults,omitempty"`
	Sentinel int64 `json:"sentinel,omitempty"`
	// Root is the message of the schema that was written or read.
	Root string `json:"root,omitempty"`
	// Peak is the largest resident set while Op was done, in bytes, of a whole value; 0: it
	// is not known, or that of the process is meant. AllocBytes and Allocs are what a whole
	// value's op allocated; 0 for streams.
	Peak       int64 `json:"peak,omitempty"`
	AllocBytes int64 `json:"alloc_bytes,omitempty"`
	Allocs     int64 `json:"allocs,omitempty"`
}
