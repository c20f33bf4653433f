package analysis

import (
	"cmp"
	"slices"

	"assay/contender"
	"assay/result"
)

// Names of the metrics of streams.
const (
	StreamTime     = "stream-time"
	StreamItem     = "stream-item-time"
	StreamRate     = "stream-rate"
	StreamPlain    = "stream-plain-rate"
	StreamMessages = "stream-messages"
	StreamCPU      = "stream-cpu"
	StreamBytes    = "stream-bytes"
	StreamPeak     = "stream-peak"
	StreamAlloc    = "stream-alloc-bytes"
	StreamAllocs   = "stream-allocs"
	StreamGCShare  = "stream-gc-share"
	StreamCycles   = "stream-gc-cycles"
	StreamPause    = "stream-pause"
	StreamPause99  = "stream-pause-p99"
	StreamDelay    = "stream-delay"
	StreamMinor    = "stream-minor-faults"
	StreamMajor    = "stream-major-faults"
	StreamSentinel = "stream-sentinel"
	StreamGrowth   = "stream-growth"
	StreamStep     = "stream-step"
	StreamScale    = "stream-scale"
)

// StreamMetrics returns the names of the metrics of streams, in the order of Metrics.
func StreamMetrics() []string {
	var names []string
	for _, m := range streamed {
		names = append(names, m.Name)
	}
	return names
}

// ofStreams ends the texts of metrics of streams.
const ofStreams = " The value is the median over processes, with the smallest and the largest as bounds: up to three where a stream is short, one where it is long. " +
	"In the mode " + contender.WholeMode + ", the message is the whole value in memory, and the pass is the one op on it."

// streamed are the metrics of streams and of whole values, which are the cases in the modes of
// contender.Alone.
var streamed = func() []Metric {
	all := []Metric{
		{
			Name: StreamTime, Unit: "ns", Title: "time per streamed message", Better: -1,
			Text: "How long writing or reading one message of a stream takes by the wall clock, with the garbage collector on. Only the " +
				"calls that write or read messages count, with the library's own buffers and the flush to the system. " +
				"Making values, converting them and comparing them do not count, nor does the time until the disk has the bytes." + ofStreams,
			of: perMessage(func(s *result.Stream) float64 { return float64(s.Wall) }),
		},
		{
			Name: StreamItem, Unit: "ns", Title: "time per element of streamed messages", Better: -1,
			Text: "The time of stream-time for each element of a message, such as a transaction of a block. It shows growth: it is " +
				"the same at every size if the cost grows with the data." + ofStreams,
			of: ofStream(itemTime),
		},
		{
			Name: StreamRate, Unit: "B/s", Title: "encoded bytes per second", Better: +1,
			Text: "How many bytes of the file a stream writes or reads per second of stream-time. A format that writes twice the " +
				"bytes for the same data shows twice the rate at equal speed." + ofStreams,
			of: ofFile(func(s *result.Stream) float64 { return float64(s.Bytes) / float64(s.Wall) * 1e9 }),
		},
		{
			Name: StreamPlain, Unit: "B/s", Title: "encoded bytes per second, before compression", Better: +1,
			Text: "How many bytes of encoded messages a stream writes or reads per second of stream-time: those that go into a codec " +
				"or come out of it. It is stream-rate where nothing compresses." + ofStreams,
			of: ofFile(func(s *result.Stream) float64 { return float64(cmp.Or(s.Plain, s.Bytes)) / float64(s.Wall) * 1e9 }),
		},
		{
			Name: StreamMessages, Unit: "1/s", Title: "messages per second", Better: +1,
			Text: "How many messages a stream writes or reads per second of stream-time." + ofStreams,
			of:   ofStream(func(s *result.Stream) float64 { return float64(s.Messages) / float64(s.Wall) * 1e9 }),
		},
		{
			Name: StreamCPU, Unit: "ns", Title: "CPU time per streamed message", Better: -1,
			Text: "The CPU time of all threads in the calls of stream-time, for each message. It includes what the collector does meanwhile." + ofStreams,
			of:   perMessage(func(s *result.Stream) float64 { return float64(s.CPU) }),
		},
		{
			Name: StreamBytes, Unit: "B", Title: "bytes of the file", Better: -1,
			Text: "How many bytes the file of a stream has, for all of its messages, with what the format puts between and around them.",
			of:   ofFile(func(s *result.Stream) float64 { return float64(s.Bytes) }),
		},
		{
			Name: StreamPeak, Unit: "B", Title: "peak memory of a stream", Better: -1,
			Text: "The largest resident set of a process that does nothing but this stream, or of a whole value while the op is done. It includes the Go runtime, the code of all " +
				"contenders with streams, and a batch of about 1 MiB of values or one message." + ofStreams,
			of: shown(func(s *result.Stream) float64 { return float64(s.Peak) }),
		},
		{
			Name: StreamAlloc, Unit: "B", Title: "bytes allocated for a whole value", Better: -1,
			Text: "How many bytes of heap the op on a whole value allocates, of one value, by runtime.MemStats. It is not counted for streams." + ofStreams,
			of:   allocated(func(s *result.Stream) float64 { return float64(s.AllocBytes) }),
		},
		{
			Name: StreamAllocs, Unit: "1", Title: "allocations for a whole value", Better: -1,
			Text: "How many allocations the op on a whole value makes, of one value, by runtime.MemStats. It is not counted for streams." + ofStreams,
			of:   allocated(func(s *result.Stream) float64 { return float64(s.Allocs) }),
		},
		{
			Name: StreamGCShare, Unit: "1", Title: "collector's share of a stream", Better: -1,
			Text: "The collector's CPU time divided by that of the program with it, both as the runtime estimates them, over the whole pass: " +
				"values that are made to be written and converted to be compared are garbage too." + ofStreams,
			of: ofStream(gcShare),
		},
		{
			Name: StreamCycles, Unit: "1", Title: "collections of a stream", Better: -1,
			Text: "How many times the collector ran during a pass over a stream." + ofStreams,
			of:   ofStream(func(s *result.Stream) float64 { return float64(s.Cycles) }),
		},
		{
			Name: StreamPause, Unit: "ns", Title: "longest pause of a stream", Better: -1,
			Text: "The longest pause of the collector in a pass over a stream, during which no goroutine runs: the upper bound of " +
				"the bucket of /sched/pauses/total/gc." + ofStreams,
			of: ofStream(func(s *result.Stream) float64 { return float64(s.PauseMax) }),
		},
		{
			Name: StreamPause99, Unit: "ns", Title: "99th-percentile pause of a stream", Better: -1,
			Text: "The 99th percentile of the collector's pauses in a pass over a stream, as for stream-pause." + ofStreams,
			of:   ofStream(func(s *result.Stream) float64 { return float64(s.Pause99) }),
		},
		{
			Name: StreamDelay, Unit: "ns", Title: "worst delay of another goroutine", Better: -1,
			Text: "By how much a goroutine that sleeps a millisecond again and again woke up too late at worst, during a pass over a " +
				"stream: what a request beside it would have waited. Other programs on the machine delay it too." + ofStreams,
			of: ofStream(func(s *result.Stream) float64 { return float64(s.Late) }),
		},
		{
			Name: StreamMinor, Unit: "1", Title: "minor page faults of a stream", Better: -1,
			Text: "How often the process of a stream touched a page of memory for the first time that the system had in memory, over " +
				"the whole pass, by getrusage. Memory that the collector frees and the runtime returns costs such faults again. Linux only." + ofStreams,
			of: seen(func(s *result.Stream) float64 { return float64(s.Minor) }),
		},
		{
			Name: StreamMajor, Unit: "1", Title: "major page faults of a stream", Better: -1,
			Text: "How often the process of a stream touched a page that had to be read from a disk, over the whole pass, by getrusage. " +
				"More than a few mean that memory was short. Linux only." + ofStreams,
			of: seen(func(s *result.Stream) float64 { return float64(s.Major) }),
		},
		{
			Name: StreamSentinel, Unit: "ns", Title: "sentinel beside a stream", Better: -1,
			Text: "The median time of a walk through 1 MiB of pointers between the calls of a stream, about every 50 ms: what other " +
				"programs leave of the caches. It stands for the processor's own counters of cache misses, which virtual machines " +
				"rarely offer." + ofStreams,
			of: seen(func(s *result.Stream) float64 { return float64(s.Sentinel) }),
		},
		{
			Name: StreamGrowth, Unit: "1", Title: "growth of the cost with the size", Better: -1,
			Text: "By which power of the number of elements the time of a stream grows: 1 is as many times the time for as many times " +
				"the elements, and more than 1 means that each element costs more in a longer stream. It is 1 plus the slope of the " +
				"logarithm of stream-item-time over that of the elements, by least squares over the sizes of the streams of a " +
				"contender in the run, with a 95% t-interval. Each size has the mean of its processes: the interval has as many " +
				"degrees of freedom as there are sizes, less two. It is on the row of the largest size and takes at least three sizes. " +
				"Sizes of one element a message and sizes of more are not mixed. Sizes whose messages differ in length, such as " +
				"blocks of more transactions, grow in two ways at once.",
			of: func(m *measured) (Interval, int, bool) {
				if m.growth == nil {
					return Interval{}, 0, false
				}
				return powerOf(m.lengths)
			},
		},
		{
			Name: StreamStep, Unit: "1", Title: "growth from the next smaller size", Better: -1,
			Text: "By which power of the number of elements the time of a stream grew from the next smaller size of the run, by the " +
				"median times; the bounds are what the fastest and the slowest processes allow. Cost bends where they are " +
				"outside of 1±0.05: the table of growth names what the counters say of that.",
			of: func(m *measured) (Interval, int, bool) {
				n := len(m.lengths)
				for i := 1; i < n; i++ {
					if m.lengths[i].all[0] == m.streams[0] && m.lengths[i].items() > m.lengths[i-1].items() {
						return step(m.lengths[i-1], m.lengths[i]).Power, len(m.streams), true
					}
				}
				return Interval{}, 0, false
			},
		},
		{
			Name: StreamScale, Unit: "1", Title: "cost of an element at the largest size", Better: -1,
			Text: "The time of an element at the largest size of the run over that at the smallest size with at least 30,000 elements, " +
				"or else the smallest: 1 is flat. The bounds are what the fastest and the slowest processes allow. It is on the row of the largest size.",
			of: func(m *measured) (Interval, int, bool) {
				if m.growth == nil {
					return Interval{}, 0, false
				}
				return m.growth.Ratio, len(m.streams), true
			},
		},
	}
	for i := range all {
		all[i].Ops = []result.Op{result.Encode, result.Decode}
		if !slices.Contains([]string{StreamRate, StreamPlain, StreamBytes}, all[i].Name) {
			all[i].Ops = append(all[i].Ops, result.Convert) // for whole values
		}
	}
	return all
}()

// ofStream returns the function that computes a metric of streams.
func ofStream(value func(*result.Stream) float64) func(*measured) (Interval, int, bool) {
	return func(m *measured) (Interval, int, bool) {
		if len(m.streams) == 0 {
			return Interval{}, 0, false
		}
		var all []float64
		for _, s := range m.streams {
			all = append(all, value(s))
		}
		return Spread(all), len(all), true
	}
}

// shown returns the function that computes a metric of the processes of which the system shows it. A
// value of 0 means that it does not.
func shown(value func(*result.Stream) float64) func(*measured) (Interval, int, bool) {
	of := ofStream(value)
	return func(m *measured) (Interval, int, bool) {
		hidden := func(s *result.Stream) bool { return value(s) == 0 }
		return of(&measured{streams: slices.DeleteFunc(slices.Clone(m.streams), hidden)})
	}
}

// where limits a metric to cases with a stream that has something.
func where(has func(*result.Stream) bool, of func(*measured) (Interval, int, bool)) func(*measured) (Interval, int, bool) {
	return func(m *measured) (Interval, int, bool) {
		if !slices.ContainsFunc(m.streams, has) {
			return Interval{}, 0, false
		}
		return of(m)
	}
}

// seen returns the function that computes a metric that is counted on Linux only.
func seen(value func(*result.Stream) float64) func(*measured) (Interval, int, bool) {
	return where(func(s *result.Stream) bool { return s.Minor > 0 }, ofStream(value))
}

// ofFile returns the function that computes a metric of the bytes of a file. Converting has no
// file.
func ofFile(value func(*result.Stream) float64) func(*measured) (Interval, int, bool) {
	return where(func(s *result.Stream) bool { return s.Bytes > 0 }, ofStream(value))
}

// allocated returns the function that computes a metric of the memory of one whole value.
func allocated(value func(*result.Stream) float64) func(*measured) (Interval, int, bool) {
	return where(func(s *result.Stream) bool { return s.AllocBytes > 0 }, perMessage(value))
}

func perMessage(value func(*result.Stream) float64) func(*measured) (Interval, int, bool) {
	return ofStream(func(s *result.Stream) float64 { return value(s) / float64(s.Messages) })
}

// streamRows returns the rows of one stream or whole value. The first row is of StreamTime.
func (a *account) streamRows(one result.Case) []Row {
	m := &measured{streams: a.passes.streams[one]}
	first := Row{Case: one, Metric: StreamTime, Unit: "ns"}
	if o := a.outcomes[one]; o != nil {
		first.Status, first.Reason = o.Status, o.Reason
		return []Row{first}
	}
	if len(m.streams) == 0 {
		first.Status, first.Reason = result.Timeout, "not measured: "+a.run.Interrupted()
		return []Row{first}
	}
	m.lengths, m.growth = a.lengths(one), a.growth(one)
	var rows []Row
	for _, metric := range streamed {
		if value, n, ok := metric.of(m); ok {
			row := Row{Case: one, Metric: metric.Name, Unit: metric.Unit, Number: &value, N: n, Status: result.OK}
			if metric.Name == StreamTime {
				row.Reason = m.streams[0].Unread
				if v := a.verified[pairOf(one)]; v != nil {
					row.Losses = v.Losses
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// pairOf returns the key of a case's round trip.
func pairOf(c result.Case) result.Case { c.Op = ""; return c }

// Streamed reports whether a table is of streams, of whole values, or of both.
func (t *Table) Streamed() bool {
	return t != nil && len(t.Rows) > 0 && contender.Alone(t.Rows[0].Case.Mode)
}

// ByStreamTime returns the cases of a table's streams, or of its whole values, the fastest first.
// Cases without a number come last.
func (t *Table) ByStreamTime(whole bool) []result.Case {
	cases := slices.DeleteFunc(t.Cases(), func(c result.Case) bool { return contender.Whole(c.Mode) != whole })
	slices.SortStableFunc(cases, func(a, b result.Case) int {
		x, _ := t.Row(a, StreamTime)
		y, _ := t.Row(b, StreamTime)
		switch {
		case x.Number == nil || y.Number == nil:
			return cmp.Compare(boolInt(x.Number == nil), boolInt(y.Number == nil))
		}
		return cmp.Compare(x.Number.Value, y.Number.Value)
	})
	return cases
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
