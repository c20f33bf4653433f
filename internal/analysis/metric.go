package analysis

import "assay/result"

// A Metric is one kind of number that rows carry. Metrics lists them all.
type Metric struct {
	// Name is the metric's name in every output.
	Name string
	// Unit is ns, B, B/s, or 1 for a plain number; per operation unless it says
	// otherwise.
	Unit string
	// Title is a few words for headings.
	Title string
	// Text says which question the metric answers, and which it does not.
	Text string
	// Better is -1 when less is better, +1 when more is.
	Better int
	// Exact says that the metric is counted: its interval has no width.
	Exact bool
	// Ops are the ops that have the metric; nil: all.
	Ops []result.Op
	// of computes the metric of a case that has a number; ok is false for a
	// case that lacks what it takes.
	of func(*measured) (value Interval, n int, ok bool)
}

// Names of the metrics that other code refers to.
const (
	Time        = "time"
	Throughput  = "throughput"
	AllocBytes  = "alloc-bytes"
	Allocs      = "allocs"
	EncodedSize = "encoded-size"
	FloorRatio  = "floor-ratio"
)

// Metrics are all metrics, in the order of rows.
var Metrics = []Metric{
	{
		Name: Time, Unit: "ns", Title: "time per operation", Better: -1,
		Text: "How long one operation takes with the garbage collector off: the precise instrument for comparing " +
			"contenders. The value is the median over launches of each launch's median; it moves with the machine's " +
			"clock frequency by several per cent, so compare by the ratio, which is paired round by round and does not. " +
			"It leaves out what the collector costs a program that allocates: read it beside alloc-bytes and allocs.",
		of: (*measured).time,
	},
	{
		Name: Throughput, Unit: "B/s", Title: "encoded bytes per second", Better: +1,
		Ops: []result.Op{result.Encode, result.Decode, result.Scan},
		Text: "How many encoded bytes one core turns over per second of time: encoded-size divided by time. It answers " +
			"whether a network or disk would keep up. It does not rank formats: a format that writes twice the bytes " +
			"for the same data shows twice the throughput at equal speed.",
		of: (*measured).throughput,
	},
	{
		Name: AllocBytes, Unit: "B", Title: "bytes allocated", Better: -1, Exact: true,
		Text: "How much heap memory one operation allocates, counted over many operations with the collector off. It is " +
			"what drives the cost of garbage collection in a service, which time leaves out.",
		of: (*measured).allocBytes,
	},
	{
		Name: Allocs, Unit: "1", Title: "allocations", Better: -1, Exact: true,
		Text: "How many heap allocations one operation makes, counted over many operations with the collector off.",
		of:   (*measured).allocs,
	},
	{
		Name: EncodedSize, Unit: "B", Title: "encoded size", Better: -1, Exact: true,
		Text: "How many bytes one message takes, as the mean over the distinct messages of the case, uncompressed. It " +
			"answers what is stored or sent.",
		of: (*measured).encodedSize,
	},
	{
		Name: FloorRatio, Unit: "1", Title: "time over the floor's", Better: -1,
		Text: "How many times as long as the floor an operation takes, paired round by round. The floor is the least the " +
			"machine can do for the case, so this says how much room is left.",
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

// A measured case is what metrics are computed from.
type measured struct {
	clock *estimate     // of the time per operation in ns; nil without samples
	floor *estimate     // of the time over the floor's; nil without a floor
	count *result.Count // nil when nothing was counted
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

func (m *measured) perOp(total uint64) (Interval, int, bool) {
	return exactly(float64(total) / float64(m.count.Ops)), m.count.Ops, true
}

func (m *measured) allocBytes() (Interval, int, bool) {
	if m.count == nil || m.count.Ops <= 0 {
		return Interval{}, 0, false
	}
	return m.perOp(m.count.Bytes)
}

func (m *measured) allocs() (Interval, int, bool) {
	if m.count == nil || m.count.Ops <= 0 {
		return Interval{}, 0, false
	}
	return m.perOp(m.count.Allocs)
}

// encodedSize is missing for a case that encodes nothing, such as the floor.
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
