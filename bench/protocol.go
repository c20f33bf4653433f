package bench

import "assay/result"

// Protocol is the version of the runner protocol that this package speaks.
const Protocol = 1

// A Command is one line on a runner's standard input. Cmd names the command, and the field of
// the same name holds its arguments. PROTOCOL.md specifies all commands.
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

// An Answer is one line on a runner's standard output, one for each command. If the command
// could not be carried out, Error is set; otherwise, the field that belongs to the command is
// set. The answer to exit is empty.
type Answer struct {
	Error string `json:"error,omitempty"`
	// Wrong is set with Error if a contender's result was found to be wrong while it was timed.
	// The parent need not reproduce such an error.
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

// A Wrong names the case that returned a wrong result.
type Wrong struct {
	result.Subject
	Op result.Op `json:"op"`
}

// Described describes a runner.
type Described struct {
	Protocol int    `json:"protocol"`
	Go       string `json:"go"` // the toolchain that built it; empty for other languages
	GOOS     string `json:"goos"`
	GOARCH   string `json:"goarch"`
	// Modules are the linked modules with their exact versions.
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

// Load asks for the values of one workload at one size. All later commands work on these
// values.
type Load struct {
	Workload string `json:"workload"`
	Size     string `json:"size"`
	Seed     uint64 `json:"seed"`
	Inputs   int    `json:"inputs"` // number of distinct values; 0: the size's own number
	// Mark is a file to which the runner writes the subject and op that it is about to work on.
	// If the runner dies, the file tells whom to charge. The file holds 256 bytes: contender,
	// tab, mode, tab, op, newline, and spaces. If Mark is empty, there are no marks.
	Mark string `json:"mark,omitempty"`
	// Data is a file that Export wrote, with these values in neutral form, for a runner that
	// cannot make the values itself. A runner that can make them refuses it.
	Data string `json:"data,omitempty"`
	// Losses are the declared losses of each contender. Checks of results between timed batches
	// forgive them. If Losses is absent, these checks forgive every loss that can be forgiven.
	Losses map[string][]string `json:"losses,omitempty"`
}

// Loaded describes the values that were made.
type Loaded struct {
	Root   string `json:"root"`
	Inputs int    `json:"inputs"`
}

// Verify asks for the round trip of every input through one contender: the runner runs each op
// that the binding offers over the inputs once and compares the results.
type Verify struct {
	result.Subject
	// Losses are the declared losses to forgive.
	Losses []string `json:"losses,omitempty"`
	// From, if set, restricts the verification to one question: does the contender decode the
	// messages that From wrote to the values that From was given?
	From *result.Subject `json:"from,omitempty"`
	// Messages, if there are any, take the place of From's messages: one message for each
	// input, which a contender of another runner wrote.
	Messages [][]byte `json:"messages,omitempty"`
	// First says that Messages are those of the first inputs only, and that the contender
	// itself wrote them in another process: in this mode or, if this mode does not write, in
	// the default mode. If this mode does not decode, the default mode decodes them. Only
	// runners that use this package are asked for it.
	First bool `json:"first,omitempty"`
	// Habits asks for Habits as well. It has no effect with From.
	Habits bool `json:"habits,omitempty"`
	// Sizes asks for Encoded as well. It has no effect with From or Messages.
	Sizes bool `json:"sizes,omitempty"`
	// Long asks for some thousand more operations of each op, with every result compared. It
	// also asks to check batches for skipped operations at many places instead of one. It has
	// no effect with From or Messages.
	Long bool `json:"long,omitempty"`
}

// Verified is the outcome of a round trip.
type Verified struct {
	OK bool `json:"ok"`
	// Op and Reason describe the first error, for example "input 3: decode: Items: 10 elements
	// became 1". Reason does not name the input if it is the first one.
	Op     result.Op `json:"op,omitempty"`
	Reason string    `json:"reason,omitempty"`
	// Changed says that no op failed, but a result differs from its input.
	Changed bool `json:"changed,omitempty"`
	// Losses are the declared losses that these values suffered.
	Losses []string `json:"losses,omitempty"`
	// Encoded is the total size in bytes of the messages of all inputs. It is set if it was
	// asked for, the subject encodes and OK is set.
	Encoded int64 `json:"encoded,omitempty"`
	// Habits are set if they were asked for and the contender can encode the first input, even
	// if the round trip changes it.
	Habits *result.Habits `json:"habits,omitempty"`
	// Traces describe what the contender left behind in the process without being at fault, for
	// example "leaves 2 goroutines behind".
	Traces []string `json:"traces,omitempty"`
}

// Calibrate asks for the number of operations of a batch, for each case.
type Calibrate struct {
	Cases []CaseSpec `json:"cases"`
	// BatchNS is the least duration of a batch, in nanoseconds.
	BatchNS int64 `json:"batch_ns"`
	// MinOps is the least number of operations of a batch. A batch has fewer, but at least one,
	// if MinOps operations would take more than MaxNS.
	MinOps int `json:"min_ops"`
	// MaxNS is the longest duration of a batch, in nanoseconds, unless a single operation takes
	// longer. 0 means no limit.
	MaxNS int64 `json:"max_ns"`
}

// A CaseSpec names a case of the loaded workload and size.
type CaseSpec struct {
	result.Subject
	Op result.Op `json:"op"`
	// N is the number of operations of a batch (rounds only).
	N int `json:"n,omitempty"`
	// Every is the case's stride: the case takes part in the rounds whose number is a multiple
	// of Every, so that a slow case does not take the time of the others. 0 means 1.
	Every int `json:"every,omitempty"`
	// Fresh asks for batches on values that are new to the process (rounds only): before each
	// pass over the inputs, the runner replaces their content, outside the measured time. It is
	// for cases that gain from known values, according to calibrate.
	Fresh bool `json:"fresh,omitempty"`
	// Role is empty for the case itself. It is result.Control for a second series of the same
	// case, with a codec of its own. It is result.Floor for the case's floor (op encode only):
	// a copy of its encoded bytes into a buffer that is fresh or reused, as in the case's mode.
	// The batch of a role has its own number of operations, which calibrate determines.
	Role string `json:"role,omitempty"`
}

// leastInputs is the least number of inputs of a case, if the workload has as many. Checks need
// inputs before and after the one that they change.
const leastInputs = 8

// Bound returns how many of all inputs a case needs if no rounds of the session follow and the
// case has so many batches, including the warm-up. It returns the number of operations of these
// batches if that is less than half of all, but at least leastInputs. A case whose operations
// take milliseconds has few batches in a launch. Bound to all inputs, it would process each
// input twice or more before its batches, for messages and sums that no batch uses.
func (c CaseSpec) Bound(batches, all int) int {
	most := max(leastInputs, float64(batches)*float64(c.N+untimed(c.N)))
	if c.Fresh || most >= float64(all)/2 {
		return all
	}
	return int(most)
}

// Calibrated is the answer for one case, in the order of Calibrate.Cases.
type Calibrated struct {
	N int `json:"n"`
	// NS is the least time of one operation, in nanoseconds: thread CPU time if the system has
	// such a clock, otherwise wall time.
	NS float64 `json:"ns"`
	// Fresh and Seen are the times of one operation on values that are new to the process and
	// on values that it has seen many times, in nanoseconds. They are absent for ops and modes
	// that cannot run on new values. If Fresh is larger by more than result.RenewMargin, N and
	// NS are those of new values.
	Fresh float64 `json:"fresh,omitempty"`
	Seen  float64 `json:"seen,omitempty"`
}

// Rounds asks for rounds of batches. In each round, every case that takes part runs one batch.
// The order is random, and the next round has the reverse order.
type Rounds struct {
	Cases  []CaseSpec `json:"cases"`
	Warmup int        `json:"warmup"` // rounds that are run first and dropped
	Rounds int        `json:"rounds"`
	Seed   uint64     `json:"seed"` // seed of the order
	// LimitNS is a time in nanoseconds after the start of the first round; 0 means no limit.
	// After it, no further round begins, but a round that has begun is finished and at least
	// one round is kept.
	LimitNS int64 `json:"limit_ns,omitempty"`
	// Sentinel asks for walks through a fixed chain of pointers, 1 MiB long, two in a row in
	// every fourth round. The time of the second walk tells how much of the caches other
	// programs use.
	Sentinel bool `json:"sentinel,omitempty"`
	// Unseen asks for batches on values that are new to the process, after the rounds. If they
	// show that a case remembers values, the answer is an error.
	Unseen bool `json:"unseen,omitempty"`
	// Last says that no rounds of the session follow these. A case with few batches may then be
	// bound to only as many inputs as its batches have operations, and however few they are, the
	// results of each case are checked at the end.
	Last bool `json:"last,omitempty"`
	// Garbage is how many bytes may be allocated before a collection is forced between two
	// batches. It is the memory footprint of ops that allocate. 0 means 3 MiB.
	Garbage int64 `json:"garbage,omitempty"`
	// Relay makes the process take turns with other processes; nil means that it runs all
	// batches without waiting.
	Relay *Relay `json:"relay,omitempty"`
}

// Measured are the samples of a launch.
type Measured struct {
	Series []result.Series `json:"series"` // in the order of Rounds.Cases
	GCs    int             `json:"gcs"`    // forced collections between batches
	// Varying are the indices of the cases whose checksums could not be checked, because single
	// operations on the same input return different checksums.
	Varying []int `json:"varying,omitempty"`
	// Sentinel is the time of each second walk, in nanoseconds: thread CPU time if the system
	// has such a clock, otherwise wall time.
	Sentinel []int64 `json:"sentinel,omitempty"`
	// Checks is the time in nanoseconds that checks of results took.
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
	// MostBytes and MostAllocs are the largest counts, if the least count was not seen three
	// times. They are 0 if it was, and Bytes and Allocs are exact.
	MostBytes  uint64 `json:"most_bytes,omitempty"`
	MostAllocs uint64 `json:"most_allocs,omitempty"`
	// Messages is the number of inputs, and Encoded is the total size of their messages in
	// bytes.
	Messages int   `json:"messages"`
	Encoded  int64 `json:"encoded"`
}

// Steady asks for operations under the conditions of a service: with the collector on,
// GOGC=100, and its work counted. The runner first forces a collection. It then runs operations
// that do not count for half of MinNS, and then until a collection has started by itself and ended.
// From then on, operations count until MinNS have passed and MinCycles collections have ended.
// The count ends with a collection, so that it covers whole cycles.
//
// If no collection has started by itself within a further quarter of MaxNS, the runner decides
// whether to wait for one. It waits if a collection is due within WaitNS, according to the bytes
// allocated so far, and takes at least a 200th of the time between two collections. The count may
// then take up to WaitNS, and has at least four operations or cycles if WaitNS allows. Otherwise
// the count begins at once and ends at MaxNS at the latest, as for a case that allocates nothing.
//
// If MinCycles is not 0, the first command of a process makes the memory resident that the heap
// will grow into.
type Steady struct {
	result.Subject
	Op result.Op `json:"op"`
	// LiveMB is the size in MiB of an additional live heap full of pointers. The runner makes
	// this heap once and keeps it until a command asks for another size.
	LiveMB    int   `json:"live_mb"`
	MinNS     int64 `json:"min_ns"`
	MinCycles int   `json:"min_cycles"`
	MaxNS     int64 `json:"max_ns"` // at least 1, and at least MinNS
	// WaitNS is how long the runner waits for a collection, in nanoseconds. If WaitNS is at
	// most MaxNS, no count takes longer than MaxNS.
	WaitNS int64 `json:"wait_ns,omitempty"`
}

// Steadied is one count of steady work.
type Steadied struct {
	Ops    int   `json:"ops"`
	Wall   int64 `json:"wall"`   // ns
	CPU    int64 `json:"cpu"`    // CPU time of the whole process, ns; wall time if there is no such clock
	Cycles int   `json:"cycles"` // collections that ended
	// GCCPU is the part of CPU, in nanoseconds, that the collector took in the cycles that
	// ended, as the runtime estimates it. Like CPU, it includes marking on processors that were
	// otherwise idle; it does not include sweeping. The estimate uses the wall clock: if other
	// programs interrupt the process, it is too large and may exceed CPU.
	GCCPU int64 `json:"gc_cpu"`
	// Peak is the largest resident set of the process until the end of the work, in bytes; 0 if
	// the system does not report it. The checks of results come later and are not included.
	Peak int64 `json:"peak,omitempty"`
}

// Cold asks for the first call of an op in this process. The values must be loaded, and no
// command may have run a contender's code. The same contender first encodes the messages that
// decode, open and scan read, so only the code that reading needs beyond writing is cold then.
type Cold struct {
	result.Subject
	Op result.Op `json:"op"`
}

// First is the time of a first call in nanoseconds, without binding.
type First struct {
	NS int64 `json:"ns"`
}

// Retain asks how much heap decoded values keep alive. The runner decodes each input from a
// copy of its message that nothing else refers to, and keeps the results. A value that points
// into its message keeps the message alive too. It is an error if two messages are decoded into
// the same value.
type Retain struct {
	result.Subject
	// Messages is rounded up to a whole number of passes over the inputs.
	Messages int `json:"messages"`
}

// Retained is the live heap that all decoded values keep alive together.
type Retained struct {
	Messages int   `json:"messages"`
	Bytes    int64 `json:"bytes"`
	Encoded  int64 `json:"encoded"` // bytes of the messages
}

// Parallel asks for rounds of batches on several goroutines at once. Each goroutine has its own
// codec and does N operations, after an untimed tenth of that number.
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
	// CPU is the total CPU time of all batches of a round, in nanoseconds; absent if the system
	// has no thread CPU clock. If it is less than Wall times the number of processors that the
	// goroutines could use, other programs used the processors.
	CPU []int64 `json:"cpu,omitempty"`
}

// Write asks for the encoded message of every input. It is for callers that process messages
// with code that must not be linked into a runner, such as compressors. For a mode that does
// not write, the messages are those of the contender's default mode.
type Write struct {
	result.Subject
	// Bytes is the largest total size of all messages, 1 to 1 GiB. It is an error if they are
	// larger.
	Bytes int64 `json:"bytes"`
	// First asks for the messages of the first inputs only, for Verify.First: First messages,
	// or fewer if they exceed 4 MiB together, but at least one. There are none in these cases:
	// the first message has more than Bytes; the mode neither writes nor decodes; no binding
	// reads the messages; or decode of the mode reads no messages. 0 asks for all. Only runners
	// that use this package are asked for it.
	First int `json:"first,omitempty"`
}

// Written are encoded messages, in the order of the inputs.
type Written struct {
	Messages [][]byte `json:"messages"` // base64 in JSON
}

// Export asks for a file of values in neutral form: the loaded values or, if Contender is set,
// the values that this contender decodes.
type Export struct {
	// File is created or truncated.
	File string `json:"file"`
	// Contender and Mode are the subject that decodes; an empty Contender exports
	// the loaded values themselves.
	Contender string `json:"contender,omitempty"`
	Mode      string `json:"mode,omitempty"`
	// Messages are the messages to decode, one for each input; if there are none, the contender
	// decodes its own messages.
	Messages [][]byte `json:"messages,omitempty"`
	// Others exports as many other values, which no earlier command had. It is for exports
	// without Contender. Only runners that use this package are asked for it.
	Others bool `json:"others,omitempty"`
}

// Exported is the number of values in the file.
type Exported struct {
	Inputs int `json:"inputs"`
}

// Compare asks whether the values in a file, in neutral form, equal the loaded values. The
// answer is a Verified.
type Compare struct {
	File string `json:"file"`
	// Losses are the declared losses to forgive.
	Losses []string `json:"losses,omitempty"`
}

// Stream asks for one pass over a stream of messages, in a runner that links streams. It needs
// no load: the runner makes the values message by message and never holds all of them. With
// Whole, it asks for one op on a whole value in memory instead.
type Stream struct {
	result.Subject
	Workload string `json:"workload"`
	Size     string `json:"size"`
	Seed     uint64 `json:"seed"`
	// Data is a file with a user's values in neutral form, one a line. If it is empty, the
	// values are made from the seed.
	Data string `json:"data,omitempty"`
	// Op is encode, which makes the values and writes File, or decode, which reads File. With
	// Whole, it may also be convert, which uses no file.
	Op result.Op `json:"op"`
	// File is the file to write or read; it must exist, and encode empties it first. More are
	// further files. Each file has its own goroutine, and the files take batches of messages
	// in turn.
	File string   `json:"file"`
	More []string `json:"more,omitempty"`
	// Codec compresses the files; if it is empty, they are plain.
	Codec string `json:"codec,omitempty"`
	// Whole asks for Op on all values of the size in memory, once each, through the subject's
	// binding. The runner must link bindings, and no contender's code may have run in it
	// before. File then holds each message after its length, which takes 8 bytes in
	// little-endian order. The clock does not run while the file is written or read. Whole
	// excludes Data, More and Codec.
	Whole bool `json:"whole,omitempty"`
	// Mark is as in Load.
	Mark string `json:"mark,omitempty"`
	// Progress is an existing file that tells how far the pass is, in ProgressSize bytes: the
	// number of messages done and the bytes of the files, in decimal, followed by spaces. If it
	// is empty, there is no such file.
	Progress string `json:"progress,omitempty"`
	// Room is how many bytes the files may take; 0 means no limit. It is an error if they take
	// more, or are expected to take more.
	Room int64 `json:"room,omitempty"`
	// Sum is the Sum of the values that were written. Decode compares its own checksum with it.
	// If they differ, decode compares every value with the generated value.
	Sum string `json:"sum,omitempty"`
	// Losses are the declared losses to forgive.
	Losses []string `json:"losses,omitempty"`
}

// ProgressSize is the length of a progress file in bytes.
const ProgressSize = 64

// Streamed is one pass over a stream. Wall and CPU cover only the calls that write or read
// messages, including the flush of the last bytes to the system. Between the calls, the runner
// makes values, converts them to or from the library's types, and computes the checksum. All
// other fields cover the whole pass.
type Streamed struct {
	Messages int64 `json:"messages"`
	Items    int64 `json:"items"`
	Bytes    int64 `json:"bytes"` // total size of the files
	// Plain is the number of bytes before compression; it equals Bytes if there is no
	// compression.
	Plain int64 `json:"plain"`
	Wall  int64 `json:"wall"` // ns
	CPU   int64 `json:"cpu"`  // CPU time of all threads, ns; Wall if the system has no such clock
	// Sum is a checksum of the content and the order of the values.
	Sum string `json:"sum"`
	// Losses are the declared losses that values suffered.
	Losses []string `json:"losses,omitempty"`
	// Elapsed and TotalCPU are the wall time and CPU time of the whole pass, in nanoseconds.
	Elapsed  int64 `json:"elapsed"`
	TotalCPU int64 `json:"total_cpu"`
	// Cycles is the number of collections that ended in the pass. GCCPU is the collector's CPU
	// time, and Busy is the CPU time of the program with its collector, both in nanoseconds as
	// the runtime estimates them.
	Cycles int   `json:"cycles"`
	GCCPU  int64 `json:"gc_cpu"`
	Busy   int64 `json:"busy"`
	// PauseMax and Pause99 are the longest and the 99th-percentile pause in which the collector
	// stops the program, as upper bounds of the runtime's buckets, in nanoseconds.
	PauseMax int64 `json:"pause_max"`
	Pause99  int64 `json:"pause_99"`
	// Late is the worst delay of a goroutine that sleeps a millisecond at a time, in
	// nanoseconds.
	Late int64 `json:"late"`
	// Minor and Major are the page faults of the process; some systems do not report them.
	// Sentinel is the median time of the sentinel's walks between the calls, in nanoseconds. 0
	// means unknown.
	Minor    int64 `json:"minor_faults,omitempty"`
	Major    int64 `json:"major_faults,omitempty"`
	Sentinel int64 `json:"sentinel,omitempty"`
	// Root is the message of the schema that the pass wrote or read.
	Root string `json:"root,omitempty"`
	// Peak is the largest resident set during Op, in bytes, for a whole value. It is 0 for
	// streams and if it is unknown; on systems that cannot reset it, it covers the process from
	// its start. AllocBytes and Allocs are what the op on whole values allocated; they are 0
	// for streams.
	Peak       int64 `json:"peak,omitempty"`
	AllocBytes int64 `json:"alloc_bytes,omitempty"`
	Allocs     int64 `json:"allocs,omitempty"`
}
