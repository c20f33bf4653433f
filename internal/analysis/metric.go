package analysis

import (
	"slices"

	"assay/result"
)

// A Metric is one kind of number that rows carry. Metrics lists all of them.
type Metric struct {
	// Name is the metric's name in every output.
	Name string
	// Unit is ns, s, B, B/s, or 1 for a plain number. The number is for one operation unless Text
	// says otherwise.
	Unit string
	// Title is a few words for headings.
	Title string
	// Text says which question the metric answers, and which it does not.
	Text string
	// Better is -1 if less is better, and +1 if more is.
	Better int
	// Exact says that the metric is counted. Its interval has no width unless counts differed.
	Exact bool
	// Ops are the ops that have the metric; nil means all.
	Ops []result.Op
	// of computes the metric of a case; ok is false if the case lacks the measurements for it.
	of func(*measured) (value Interval, n int, ok bool)
	// steady returns the CPU time whose ratio and warnings the metric's row has; nil for metrics
	// other than CPU times.
	steady func(*measured) *steady
}

// Names of the metrics that other code refers to.
const (
	Time        = "time"
	CPUTime     = "cpu-time"
	CPUTimeLive = "cpu-time-live64"
	Throughput  = "throughput"
	AllocBytes  = "alloc-bytes"
	Allocs      = "allocs"
	EncodedSize = "encoded-size"
	GCShare     = "gc-share"
	LiveHeap    = "live-heap"
	PeakRSS     = "peak-rss"
	ColdTime    = "cold-time"
	FloorRatio  = "floor-ratio"
)

// Metrics are all metrics, in the order of rows.
var Metrics = slices.Concat(metrics, compressed, built, streamed)

var metrics = []Metric{
	{
		Name: Time, Unit: "ns", Title: "time per operation", Better: -1,
		Text: "How long one operation takes with the garbage collector off. It is the most precise metric for comparing " +
			"contenders. The value is the median over launches of each launch's median. It moves with the machine's " +
			"clock frequency by several per cent, so compare ratios, which are paired round by round and do not. " +
			"It leaves out what the collector costs a program that allocates; cpu-time includes that.",
		of: (*measured).time,
	},
	{
		Name: CPUTime, Unit: "ns", Title: "CPU time with collection", Better: -1,
		Text: "How much CPU time of the whole process one operation takes in steady work with the garbage collector on (GOGC=100) " +
			"and almost no other heap. A service pays this. It is the process's CPU " +
			"clock over whole collection cycles, in a process for each contender, on one CPU where the system allows it. It includes " +
			"all of the collector's work. The heap is small, so there are many cycles and each is cheap; " +
			"cpu-time-live64 is the other end. It is less precise than time: use time to tell two close libraries apart.",
		of:     func(m *measured) (Interval, int, bool) { return m.cpu.value() },
		steady: func(m *measured) *steady { return m.cpu },
	},
	{
		Name: CPUTimeLive, Unit: "ns", Title: "CPU time with collection, 64 MiB live", Better: -1,
		Text: "The same as cpu-time with 64 MiB of live heap full of pointers, as in a service with a cache: there are fewer " +
			"cycles, and each one marks all of that heap.",
		of:     func(m *measured) (Interval, int, bool) { return m.live.value() },
		steady: func(m *measured) *steady { return m.live },
	},
	{
		Name: Throughput, Unit: "B/s", Title: "encoded bytes per second", Better: +1,
		Ops: []result.Op{result.Encode, result.Decode, result.Scan, result.Compress, result.Decompress},
		Text: "How many encoded bytes one core processes per second of time: encoded-size, which is before compression, " +
			"divided by time. It shows " +
			"whether a network or disk would keep up. It does not rank formats: a format that writes twice the bytes " +
			"for the same data shows twice the throughput at equal speed.",
		of: (*measured).throughput,
	},
	{
		Name: AllocBytes, Unit: "B", Title: "bytes allocated", Better: -1, Exact: true,
		Text: "How much heap memory one operation allocates, counted over one pass over the inputs or more with the collector off. It " +
			"drives the cost of garbage collection in a service, which time leaves out.",
		of: (*measured).allocBytes,
	},
	{
		Name: Allocs, Unit: "1", Title: "allocations", Better: -1, Exact: true,
		Text: "How many heap allocations one operation makes, counted over one pass over the inputs or more with the collector off.",
		of:   (*measured).allocs,
	},
	{
		Name: EncodedSize, Unit: "B", Title: "encoded size", Better: -1, Exact: true,
		Text: "How many bytes one message takes, the mean over the distinct messages of the case, uncompressed. A " +
			"program stores or sends this much.",
		of: (*measured).encodedSize,
	},
	{
		Name: GCShare, Unit: "1", Title: "collector's share of CPU time", Better: -1,
		Text: "The garbage collector's part of cpu-time, from 0 to 1: its CPU time as the runtime estimates it " +
			"(/cpu/classes/gc/total), divided by the process's CPU time, in the counts of cpu-time without live heap. The value is " +
			"the mean over processes of each process's median. It includes assists and idle marking, and not the cost of " +
			"allocation itself.",
		of: func(m *measured) (Interval, int, bool) { return m.share, m.shares, m.shares > 0 },
	},
	{
		Name: LiveHeap, Unit: "B", Title: "heap kept by a decoded message", Better: -1, Exact: true,
		Ops: []result.Op{result.Decode},
		Text: "How many bytes of live heap one decoded message keeps alive after a collection, the mean over many. A value " +
			"that points into its input keeps the input alive too, and the input counts.",
		of: (*measured).liveHeap,
	},
	{
		Name: PeakRSS, Unit: "B", Title: "peak resident memory", Better: -1,
		Text: "The largest resident set of a process that does nothing but this case: the median over processes, with the " +
			"smallest and the largest as bounds. It includes the Go runtime, the code of all contenders and the values to " +
			"encode, so read only differences. Only two digits are significant.",
		of: func(m *measured) (Interval, int, bool) { return middle(m.peak) },
	},
	{
		Name: ColdTime, Unit: "ns", Title: "first call", Better: -1,
		Text: "How long the first call takes in a new process: types are inspected, code is compiled or paged in. The " +
			"value is the median over processes, with the smallest and the largest as bounds. A command-line tool, or a " +
			"function that starts on demand, pays this.",
		of: func(m *measured) (Interval, int, bool) { return middle(m.cold) },
	},
	{
		Name: FloorRatio, Unit: "1", Title: "time over the floor's", Better: -1,
		Text: "How many times as long as its floor an operation takes: how much room is left. The floor of encode is a copy " +
			"of the case's own encoded bytes in the same rounds, into a new or a reused buffer, as in the case's mode. " +
			"Where that was not measured, and for decode, open and scan, the floor is the contender floor in the same " +
			"rounds: for decode a deep copy of the value in the fewest allocations, for scan a walk over its leaves, for " +
			"open nothing at all. A decode that points into its input (strings=alias) copies nothing, so its floor is the " +
			"contender floor's scan, paired launch by launch instead of round by round; without scan there is no number. A decode " +
			"into a kept target allocates less than the deep copy, so its ratio may be below 1. Convert, compress and decompress have no floor.",
		of: (*measured).floorRatio,
	},
}

// MetricNamed returns the metric of that name.
func MetricNamed(name string) (Metric, bool) {
	for _, m := range Metrics {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}

// A measured holds the measurements of a case from which metrics are computed.
type measured struct {
	clock     *estimate // of the time per operation in ns; nil without samples
	floor     *estimate // of the time over the floor's; nil without a floor
	cpu, live *steady   // nil without counts of steady work
	share     Interval  // of the collector
	shares    int       // the number of processes behind share; 0: none
	count     *result.Count
	retained  *result.Retained // nil, like count, if nothing was counted
	peak      []int64
	cold      []int64
	// compressed is nil if nothing was compressed.
	compressed *result.Compressed
	mode       string // the mode of the case
	// built is nil except for cases of building.
	built *result.BuildCost
	// streams is nil except for cases of streams.
	streams []*result.Stream
	// lengths are the streams of the case's subject at all sizes. growth compares them if the case
	// has the largest size; nil otherwise.
	lengths []length
	growth  *Growth
}

func (s *steady) value() (Interval, int, bool) {
	if s == nil {
		return Interval{}, 0, false
	}
	return s.cpu.interval(), s.cpu.launches, true
}

func (m *measured) liveHeap() (Interval, int, bool) {
	if m.retained == nil || m.retained.Messages <= 0 || m.retained.Bytes < 0 {
		return Interval{}, 0, false
	}
	return exactly(float64(m.retained.Bytes) / float64(m.retained.Messages)), m.retained.Messages, true
}

func (m *measured) time() (Interval, int, bool) {
	if m.clock == nil {
		return Interval{}, 0, false
	}
	return m.clock.interval(), m.clock.launches, true
}

func (m *measured) throughput() (Interval, int, bool) {
	size, _, ok := m.encodedSize()
	if !ok || m.clock == nil {
		return Interval{}, 0, false
	}
	const second = 1e9 // ns
	return m.clock.interval().Over(size.Value * second), m.clock.launches, true
}

// perOp returns a count for one operation. It is exact unless the counts differed; then most is the
// largest count.
func (m *measured) perOp(total, most uint64) (Interval, int, bool) {
	i := exactly(float64(total) / float64(m.count.Ops))
	i.Hi = float64(max(total, most)) / float64(m.count.Ops)
	return i, m.count.Ops, true
}

func (m *measured) allocBytes() (Interval, int, bool) {
	if m.count == nil || m.count.Ops <= 0 {
		return Interval{}, 0, false
	}
	return m.perOp(m.count.Bytes, m.count.MostBytes)
}

func (m *measured) allocs() (Interval, int, bool) {
	if m.count == nil || m.count.Ops <= 0 {
		return Interval{}, 0, false
	}
	return m.perOp(m.count.Allocs, m.count.MostAllocs)
}

// encodedSize returns no number for a case that encodes nothing, such as the floor.
func (m *measured) encodedSize() (Interval, int, bool) {
	if m.count == nil || m.count.Messages <= 0 || m.count.Encoded <= 0 {
		return Interval{}, 0, false
	}
	return exactly(float64(m.count.Encoded) / float64(m.count.Messages)), m.count.Messages, true
}

func (m *measured) floorRatio() (Interval, int, bool) {
	if m.floor == nil {
		return Interval{}, 0, false
	}
	return m.floor.interval(), m.floor.launches, true
}
