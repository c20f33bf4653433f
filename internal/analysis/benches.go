package analysis

import (
	"maps"
	"math"
	"slices"

	"assay/result"
)

// EncodedBytes is the unit in which published benchmarks report how many bytes they encoded. It is
// the same as the metric EncodedSize.
const EncodedBytes = "encoded-bytes"

// A Bench has the numbers of one published benchmark, from all of its rounds.
type Bench struct {
	Set, Name string
	// Status says whether there are numbers; if not, Reason says why.
	Status result.Status
	Reason string
	// Rounds is the number of rounds behind the numbers, Layouts the number of link layouts that
	// they ran in, and Ops the median number of operations of a round.
	Rounds, Layouts, Ops int
	// Benchtime is how long a round was to take, in the format of go test's -benchtime.
	Benchtime string

	numbers map[string]Interval
	own     []string
}

// Number returns a metric of the benchmark: Time, AllocBytes, Allocs, EncodedSize, or a metric that
// the benchmark reports by a name of its own.
//
// The time is the median over layouts of each layout's median, with the same 95% interval as the
// engine's times; with one layout, the interval is that of the sign test over rounds. A benchmark
// that does not run its timer has the time 0. Other numbers are medians over all rounds, with the
// smallest and the largest as bounds.
func (b Bench) Number(metric string) (Interval, bool) {
	if metric == EncodedBytes {
		metric = EncodedSize
	}
	n, ok := b.numbers[metric]
	return n, ok
}

// Own returns the names of what the benchmark reports besides times, allocations and encoded bytes,
// in alphabetical order.
func (b Bench) Own() []string { return b.own }

// Benches are the published benchmarks of a run.
type Benches struct {
	order  [][2]string // set and name, in the order of their first record
	rounds map[[2]string][]result.Bench
}

// BenchesOf collects the records of published benchmarks.
func BenchesOf(records []result.Record) *Benches {
	all := &Benches{rounds: map[[2]string][]result.Bench{}}
	for _, r := range records {
		if r.Bench == nil {
			continue
		}
		key := [2]string{r.Bench.Set, r.Bench.Name}
		if all.rounds[key] == nil {
			all.order = append(all.order, key)
		}
		all.rounds[key] = append(all.rounds[key], *r.Bench)
	}
	return all
}

// All returns every benchmark, in the order of their first records.
func (bs *Benches) All() []Bench {
	var all []Bench
	for _, key := range bs.order {
		b, _ := bs.Of(key[0], key[1])
		all = append(all, b)
	}
	return all
}

// Of returns a benchmark; ok is false if it was not run. A benchmark that failed in any round or
// layout has no numbers.
func (bs *Benches) Of(set, name string) (b Bench, ok bool) {
	rounds := bs.rounds[[2]string{set, name}]
	if len(rounds) == 0 {
		return Bench{}, false
	}
	b = Bench{Set: set, Name: name, Status: result.OK, Benchtime: rounds[0].Benchtime, numbers: map[string]Interval{}}
	if i := slices.IndexFunc(rounds, failed); i >= 0 {
		b.Status, b.Reason = rounds[i].Status, rounds[i].Reason
		return b, true
	}
	values := map[string][]float64{}
	var ops []float64
	for _, r := range rounds {
		ops = append(ops, float64(r.N))
		values[Time] = append(values[Time], r.NS)
		values[AllocBytes] = append(values[AllocBytes], float64(r.Bytes))
		values[Allocs] = append(values[Allocs], float64(r.Allocs))
		for unit, v := range r.Extra {
			if unit == EncodedBytes {
				unit = EncodedSize
			}
			values[unit] = append(values[unit], v)
		}
	}
	for metric, v := range values {
		b.numbers[metric] = Spread(v)
	}
	readings := readBenches(rounds, func(r result.Bench) float64 { return r.NS })
	b.Rounds, b.Layouts, b.Ops = len(rounds), len(layoutsOf(rounds)), int(median(ops))
	if len(pool(readings)) == len(rounds) {
		b.numbers[Time] = timeOf(readings).interval()
	}
	for _, metric := range []string{Time, AllocBytes, Allocs, EncodedSize} {
		delete(values, metric)
	}
	b.own = slices.Sorted(maps.Keys(values))
	return b, true
}

func failed(b result.Bench) bool { return b.Status != "" && b.Status != result.OK }

// layoutsOf returns the distinct layouts of rounds, in the order of the rounds.
func layoutsOf(rounds []result.Bench) []uint64 {
	var layouts []uint64
	for _, r := range rounds {
		if !slices.Contains(layouts, r.Layout) {
			layouts = append(layouts, r.Layout)
		}
	}
	return layouts
}

// readBenches returns one reading for each layout: the logarithms of the values that get returns
// for the rounds. It leaves out values that are not positive.
func readBenches(rounds []result.Bench, get func(result.Bench) float64) []reading {
	var readings []reading
	for _, layout := range layoutsOf(rounds) {
		r := reading{layout: layout, clock: wallUnchecked}
		for _, b := range rounds {
			if v := get(b); b.Layout == layout && v > 0 {
				r.values = append(r.values, math.Log(v))
			}
		}
		if len(r.values) > 0 {
			readings = append(readings, r)
		}
	}
	return readings
}

// Ratio returns a metric of one benchmark of a set divided by the same metric of another benchmark,
// over. ok is false if one of them lacks the number.
//
// Times are paired round by round. The ratio is the mean over layouts of the median of each
// layout's logarithms, with Student's interval over the layouts and the environment term that a run
// has by default. Other numbers are divided directly, and the bounds follow from the bounds of
// both. 0 over 0 is 1, and anything else over 0 is infinite.
func (bs *Benches) Ratio(set, name, over, metric string) (ratio Interval, ok bool) {
	a, okA := bs.number(set, name, metric)
	b, okB := bs.number(set, over, metric)
	if !okA || !okB {
		return Interval{}, false
	}
	if metric == Time {
		type turn struct {
			layout uint64
			round  int
		}
		others := map[turn]float64{}
		for _, r := range bs.rounds[[2]string{set, over}] {
			others[turn{r.Layout, r.Round}] = r.NS
		}
		readings := readBenches(bs.rounds[[2]string{set, name}], func(r result.Bench) float64 {
			if other := others[turn{r.Layout, r.Round}]; other > 0 {
				return r.NS / other
			}
			return 0
		})
		if len(readings) > 0 {
			return estimateOf(readings).with(priorEnvironment).interval(), true
		}
	}
	return Interval{quotient(a.Value, b.Value), quotient(a.Lo, b.Hi), quotient(a.Hi, b.Lo)}, true
}

func (bs *Benches) number(set, name, metric string) (Interval, bool) {
	b, ok := bs.Of(set, name)
	if !ok {
		return Interval{}, false
	}
	return b.Number(metric)
}

// quotient returns a/b for numbers that are not negative.
func quotient(a, b float64) float64 {
	if a == b { // also two zeros, and two infinities
		return 1
	}
	return a / b
}
