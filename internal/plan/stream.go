package plan

import (
	"fmt"
	"slices"
	"time"

	"assay/contender"
	"assay/result"
	"assay/workload"
)

// streamOps are the ops of streams. Whole values of contenders with types of their own have
// convert as well, where it is asked for.
var streamOps = []result.Op{result.Encode, result.Decode, result.Convert}

// Streams returns the cases of streams and of whole values that the options ask for: of
// the workloads and contenders that have them, and of any size, since no stream is in memory
// whole, and each whole value is alone in its process. The
// ops of a contender and size follow one another. It is an error when there are none.
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

// streams says whether a workload and a contender have a mode of streams, or of whole
// values.
func streams(w *workload.Workload, c *contender.Contender, mode string) bool {
	if contender.Whole(mode) {
		return w.Generate != nil && c.HasWhole()
	}
	return w.Stream != nil && c.Stream != ""
}

// streamModes are the modes in which streams are measured.
func (o Options) streamModes() []string {
	if len(o.Streams) == 0 {
		return []string{contender.StreamMode}
	}
	return o.Streams
}

// StreamNeed is what streams and whole values are estimated to take.
type StreamNeed struct {
	Streams int
	// Values are the bytes of the largest stream as values in memory, which its file is
	// about as large as, and Message those of its largest message.
	Values, Message int64
	// Wholes is how many whole values there are, each of which is encoded and decoded, or
	// converted, and Whole the bytes of the largest.
	Wholes int
	Whole  int64
	Time   time.Duration
}

// wholeTimes is about how many times its own bytes a whole value takes in memory: itself,
// encoded, and while it grows.
const wholeTimes = 3

// Memory is about how much memory the largest whole value takes, in bytes.
func (n StreamNeed) Memory() int64 { return wholeTimes * n.Whole }

// What one stream takes for each byte of its values, estimated: to make the values and
// add them up, which writing and reading do, to write and read them in a binary format
// and in a text format, and to compress and decompress them.
const (
	makeRate   = 250e6 // B/s
	binaryRate = 300e6
	textRate   = 40e6
	codecRate  = 80e6
)

// wholeLonger is how many times as long an op on a whole value takes as on a stream of as many
// bytes: the collector works beside it, and its memory is new. 35 minutes were seen where
// 19 were estimated without it, most of them gob's.
const wholeLonger = 1.8

// NeedOfStreams estimates what the streams of a selection take. Repeats is in how many
// processes each op is done; 0: in one where that takes long.
func NeedOfStreams(sel Selection, repeats int) (StreamNeed, error) {
	var need StreamNeed
	seen := map[result.Case]bool{}
	for _, c := range sel.Live() {
		ops := 1
		if c.Op != result.Convert {
			c.Op, ops = "", 2 // one is not done without the other
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
// written and read, also where one of the two is asked for.
func StreamTime(sel Selection, c result.Case) (time.Duration, error) {
	_, took, err := passOfStream(sel, c)
	return took, err
}

// passOfStream returns the stream of a case, and about how long it takes to write or to
// read it.
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

// streamOf returns the stream of a case; of whole values one that says how many there are
// and what each takes, and makes none.
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

// StreamMessages returns how many messages the stream of a case has, or how many whole
// values there are; 0: it has none.
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
