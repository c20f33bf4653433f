package plan

import (
	"fmt"
	"slices"
	"time"

	"assay/contender"
	"assay/result"
	"assay/workload"
)

// streamOps are the ops of streams. Whole values also have convert, if it is asked for and the
// contender has types of its own.
var streamOps = []result.Op{result.Encode, result.Decode, result.Convert}

// Streams returns the cases of streams and of whole values that the options ask for, of the
// workloads and contenders that have them. It accepts any size, since no stream is held in
// memory and each whole value is alone in its process. The ops of a contender and size follow
// one another. It is an error if there are no cases.
func Streams(o Options) (Selection, error) {
	var sel Selection
	whole := slices.ContainsFunc(o.Streams, contender.Whole)
	has := func(w *workload.Workload) bool { return w.Stream != nil || whole && w.Generate != nil }
	if !slices.ContainsFunc(o.Workloads, has) {
		return sel, fmt.Errorf("%s has no streams", workloadNames(o.Workloads))
	}
	for _, w := range o.Workloads {
		if !has(w) {
			continue
		}
		sizes, err := o.sizes(w)
		if err != nil {
			return Selection{}, err
		}
		before := len(sel.Cases)
		for _, size := range sizes {
			o.addStreams(&sel, w, size)
		}
		if len(sel.Cases) > before {
			sel.Workloads = append(sel.Workloads, w)
		}
	}
	if len(sel.Cases) == 0 {
		return Selection{}, fmt.Errorf("nothing is selected: no contender that matches the filters has streams of %s", workloadNames(o.Workloads))
	}
	live := sel.Live()
	for _, c := range o.Contenders {
		if slices.ContainsFunc(live, func(x result.Case) bool { return x.Contender == c.Name }) {
			sel.Contenders = append(sel.Contenders, c)
		}
	}
	return sel, nil
}

// addStreams appends the cases of one workload at one size.
func (o Options) addStreams(sel *Selection, w *workload.Workload, size workload.Size) {
	for _, c := range o.Contenders {
		var cases []result.Case
		for _, mode := range o.streamModes() {
			if !streams(w, c, mode) {
				continue
			}
			for _, op := range streamOps {
				if op == result.Convert && !(contender.Whole(mode) && slices.Contains(c.Ops, op) && slices.Contains(o.Ops, op)) {
					continue
				}
				one := result.Case{Workload: w.Name, Size: size.Key, Contender: c.Name, Mode: mode, Op: op}
				if o.Keep == nil || o.Keep(one) {
					cases = append(cases, one)
				}
			}
		}
		sel.Cases = append(sel.Cases, cases...)
		if o.Holds == nil {
			continue
		}
		if err := o.Holds(c, w); err != nil {
			for _, one := range cases {
				sel.Outcomes = append(sel.Outcomes, result.Outcome{Case: one, Status: result.Unsupported, Reason: err.Error()})
			}
		}
	}
}

// streams reports whether a workload and a contender support a mode of streams or of whole
// values.
func streams(w *workload.Workload, c *contender.Contender, mode string) bool {
	if contender.Whole(mode) {
		return w.Generate != nil && c.HasWhole()
	}
	return w.Stream != nil && c.Stream != ""
}

// streamModes returns the modes in which streams are measured.
func (o Options) streamModes() []string {
	if len(o.Streams) == 0 {
		return []string{contender.StreamMode}
	}
	return o.Streams
}

// StreamNeed is the estimated need of streams and whole values.
type StreamNeed struct {
	Streams int
	// Values is the size in bytes of the largest stream as values in memory; its file is about
	// as large. Message is the size of the largest message.
	Values, Message int64
	// Wholes is the number of whole values, each of which is either encoded and decoded, or
	// converted. Whole is the size of the largest in bytes.
	Wholes int
	Whole  int64
	Time   time.Duration
}

// wholeTimes is about how much memory a whole value takes, as a multiple of its size: the
// value, its encoded form, and the growth of the latter.
const wholeTimes = 3

// Memory returns about how much memory the largest whole value takes, in bytes.
func (n StreamNeed) Memory() int64 { return wholeTimes * n.Whole }

// Estimated rates of streams, in bytes of values a second: making the values and computing
// their checksum, which writing and reading both do; writing or reading a binary format or a
// text format; and compressing or decompressing.
const (
	makeRate   = 250e6 // B/s
	binaryRate = 300e6
	textRate   = 40e6
	codecRate  = 80e6
)

// wholeLonger is how many times as long an op takes on a whole value as on a stream of as many
// bytes, because the collector works at the same time and the memory is new. A run took 35
// minutes where 19 were estimated without this factor; most of them were gob's.
const wholeLonger = 1.8

// NeedOfStreams estimates what the streams of a selection need. repeats is the number of
// processes in which each op runs; 0 means one process, for ops that take long.
func NeedOfStreams(sel Selection, repeats int) (StreamNeed, error) {
	var need StreamNeed
	seen := map[result.Case]bool{}
	for _, c := range sel.Live() {
		ops := 1
		if c.Op != result.Convert {
			c.Op, ops = "", 2 // encode and decode always run together
		}
		if seen[c] {
			continue
		}
		seen[c] = true
		s, took, err := passOfStream(sel, c)
		if err != nil {
			return StreamNeed{}, err
		}
		times := time.Duration(ops * max(1, repeats))
		if contender.Whole(c.Mode) {
			need.Wholes++
			need.Whole = max(need.Whole, s.Messages*s.Bytes)
			need.Time += times * time.Duration(wholeLonger*float64(took))
			continue
		}
		need.Streams++
		need.Values, need.Message = max(need.Values, s.Messages*s.Bytes), max(need.Message, s.Bytes)
		need.Time += times * took
	}
	return need, nil
}

// StreamTime estimates how long one op of a stream or of a whole value takes. A stream is
// written and read even if only one of the two is asked for.
func StreamTime(sel Selection, c result.Case) (time.Duration, error) {
	_, took, err := passOfStream(sel, c)
	return took, err
}

// passOfStream returns the stream of a case, and about how long it takes to write it or to read
// it.
func passOfStream(sel Selection, c result.Case) (*workload.Stream, time.Duration, error) {
	s, err := streamOf(sel.Workloads, c)
	if err != nil {
		return nil, 0, err
	}
	rate, made := float64(binaryRate), float64(makeRate)
	if s.Parsed {
		made = textRate
	}
	if i := slices.IndexFunc(sel.Contenders, func(x *contender.Contender) bool { return x.Name == c.Contender }); i >= 0 &&
		slices.Contains(sel.Contenders[i].Traits, contender.HumanReadable) {
		rate = textRate
	}
	cost := 1/made + 1/rate
	if way, _ := contender.StreamWayOf(c.Mode); way.Codec != "" {
		cost += 1 / codecRate
	}
	seconds := float64(s.Messages*s.Bytes) * cost
	return s, time.Duration(seconds * float64(time.Second)), nil
}

// streamOf returns the stream of a case. For whole values, it returns a stream with their
// number and size, which makes no values.
func streamOf(all []*workload.Workload, c result.Case) (*workload.Stream, error) {
	for _, w := range all {
		if w.Name == c.Workload && contender.Whole(c.Mode) {
			size, err := w.Size(c.Size)
			return &workload.Stream{Root: size.Root, Messages: int64(size.Inputs()), Items: size.Items, Bytes: size.Bytes}, err
		}
		if w.Name == c.Workload && w.Stream != nil {
			size, err := w.Size(c.Size)
			if err != nil {
				return nil, err
			}
			return w.Stream(size, 0)
		}
	}
	return nil, fmt.Errorf("workload %s has no streams", c.Workload)
}

// StreamMessages returns how many messages the stream of a case has, or how many whole values
// there are; 0 if there are none.
func StreamMessages(all []*workload.Workload, c result.Case) int64 {
	s, err := streamOf(all, c)
	if err != nil {
		return 0
	}
	return s.Messages
}

// StreamValues returns about how many bytes of memory the values of a case take.
func StreamValues(all []*workload.Workload, c result.Case) int64 {
	s, err := streamOf(all, c)
	if err != nil {
		return 0
	}
	return s.Messages * s.Bytes
}
