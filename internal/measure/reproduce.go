package measure

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/host"
	"assay/internal/plan"
	"assay/published/protocol"
	"assay/published/reproduce"
	"assay/published/sources"
	"assay/result"
)

// The time for a cell of the corrected half if no budget is given.
const (
	cellShare      = 20 * time.Second
	quickCellShare = 2 * time.Second
)

// The number of random layouts of the corrected half. A quick run has half as many as other quick
// runs, so that there is time for one launch of each layout with large values.
const (
	sourceLayouts      = 16
	quickSourceLayouts = 4
)

// sourceMemory is the memory that the values of one launch may take, in bytes: enough for every
// published size up to 300,000 transactions. WholesForSources takes the larger sizes. A quick
// run has the limit of other runs.
const sourceMemory = 3 << 30

// A Reproduction describes a run of published benchmarks and of their cases.
type Reproduction struct {
	Sources []sources.Source
	Variant Variant
	Quick   bool
	// Budget is the time for both halves; 0: it depends on the number of rows. In a quick run it
	// includes everything after the builds, otherwise only rounds and launches.
	Budget time.Duration
	// Seed is the seed of the values of the corrected half.
	Seed uint64
}

// BeginReproduction plans a new run, builds its runner and makes its directory. The caller must
// close the returned Measurement, and measures with MeasureOriginals, then Measure.
func (cfg *Config) BeginReproduction(ctx context.Context, r Reproduction) (*Measurement, error) {
	memory, share, layouts := int64(sourceMemory), cellShare, sourceLayouts
	if r.Quick {
		memory, share, layouts = plan.DefaultMemory, quickCellShare, quickSourceLayouts
	}
	sel, err := cfg.published(r.Sources, memory)
	if err != nil {
		return nil, err
	}
	p := result.Plan{Quick: r.Quick, Cases: sel.Cases, Reference: Reference, Budget: r.Budget / 2, Originals: r.Budget / 2, Layouts: Layouts(layouts), Counts: true}
	if !r.Quick {
		// The largest published values take more than the usual limit of a process. Two processes
		// hold them at the same time while one reads what the other wrote.
		p.Memory = max(memoryLimit, host.Available()/5*2)
	}
	for _, s := range r.Sources {
		p.Sources = append(p.Sources, s.ID)
	}
	if p.Budget == 0 {
		cells := map[result.Cell]bool{}
		for _, c := range sel.Live() {
			cells[c.Cell()] = true
		}
		p.Budget = share * time.Duration(len(cells))
	}
	return cfg.Begin(ctx, Order{Plan: p, Selection: sel, Seed: r.Seed, Variant: r.Variant})
}

// published plans the cases of the sources' tables, with values that may take so many bytes of
// memory.
func (cfg *Config) published(all []sources.Source, memory int64) (plan.Selection, error) {
	return cfg.explicit(casesOf(all), plan.Options{Memory: memory, Larger: result.AddGiants + " to measure each contender in a process of its own"})
}

// casesOf returns the cases that the rows of sources map to, each once, in the order of the rows.
func casesOf(all []sources.Source) []result.Case {
	var cases []result.Case
	for _, s := range all {
		for _, t := range s.Tables {
			for _, r := range t.Rows {
				if !slices.Contains(cases, r.Case) {
					cases = append(cases, r.Case)
				}
			}
		}
	}
	return cases
}

// MeasureOriginals runs the benchmarks of the run's sources by their own method. It skips
// benchmarks that have records.
func (m *Measurement) MeasureOriginals(ctx context.Context, r Reproduction) error {
	program, err := m.cfg.program(ctx, []uint64{0}, r.Variant)
	if err != nil {
		return err
	}
	sets, err := publishedSets(ctx, program)
	if err != nil {
		return err
	}
	all := slices.DeleteFunc(slices.Clone(r.Sources), func(s sources.Source) bool { return !slices.Contains(m.Run.Plan.Sources, s.ID) })
	o := &originals{m: m, program: program}
	listed, err := o.list(all, sets)
	if err != nil {
		return err
	}
	half := m.Run.Plan.Originals
	if m.Run.Plan.Quick {
		half = m.Run.Plan.Budget
	}
	benchmarks, costs := o.rest(listed, reproduce.PlanFor(len(listed), m.Run.Plan.Quick, half).Row)
	o.plan = reproduce.PlanFor(len(benchmarks), m.Run.Plan.Quick, half)
	begin := time.Now()
	if err := o.first(ctx, benchmarks, costs); err != nil {
		return err
	}
	if m.Run.Plan.Quick {
		o.plan = o.plan.After(time.Since(begin))
	}
	if _, err := m.outcome(o.uncorrected(all, listed, costs)); err != nil {
		return err
	}
	var requests []drive.PublishedRequest
	for _, s := range o.plan.Steps(benchmarks, costs) {
		requests = append(requests, drive.PublishedRequest{Set: s.Set, Names: s.Names, Rounds: s.Rounds, Benchtime: s.Benchtime, Override: true})
	}
	return o.run(ctx, requests, o.sink)
}

// originals runs the benchmarks of sources by their own method.
type originals struct {
	m       *Measurement
	program *build.Runner
	plan    reproduce.Plan
}

// run runs requests.
func (o *originals) run(ctx context.Context, requests []drive.PublishedRequest, sink func(result.Record) error) error {
	cfg := publishedConfig(o.program, o.plan.Row, requests)
	if o.m.Run.Plan.Quick {
		cfg.Limits.Memory = min(cfg.Limits.Memory, quickOriginalMemory)
	}
	return drive.Published(ctx, cfg, sink, o.m.event)
}

// quickOriginalMemory is the largest memory of a benchmark with --quick. A benchmark that needs
// more does not finish in the time of a row either.
const quickOriginalMemory = 8 << 30

// sink stores a record. If a benchmark took too long, it sets the reason that package reproduce
// gives.
func (o *originals) sink(r result.Record) error {
	if b := r.Bench; b != nil && b.Status == result.Timeout {
		late := *b
		late.Reason = o.plan.Late()
		r.Bench = &late
	}
	return o.m.sink(r)
}

// list returns the benchmarks of the sources' rows, each once. It returns an error if a row names a
// benchmark that its set lacks.
func (o *originals) list(all []sources.Source, sets []protocol.Set) ([]reproduce.Benchmark, error) {
	times := map[[2]string]string{} // Benchtime of each benchmark
	for _, s := range sets {
		for _, b := range s.Benchmarks {
			times[[2]string{s.Name, b.Name}] = b.Benchtime
		}
	}
	var benchmarks []reproduce.Benchmark
	at := map[[2]string]int{}
	for _, s := range all {
		method := reproduce.Benchtime(s)
		for _, t := range s.Tables {
			for _, r := range t.Rows {
				key := [2]string{reproduce.Set(s.ID), r.Benchmark}
				if r.Benchmark == "" {
					continue
				}
				benchtime, ok := times[key]
				if !ok {
					return nil, fmt.Errorf("%s names a benchmark %q that %s does not have", s.ID, r.Benchmark, key[0])
				}
				i, ok := at[key]
				if !ok {
					i = len(benchmarks)
					at[key] = i
					benchmarks = append(benchmarks, reproduce.Benchmark{Set: key[0], Name: key[1], Benchtime: cmp.Or(benchtime, method)})
				}
				benchmarks[i].Published = max(benchmarks[i].Published, time.Duration(r.Figures["time"]))
			}
		}
	}
	return benchmarks, nil
}

// rest returns the benchmarks for which the run has no final record. It also returns the costs of
// the others, as an earlier attempt found them: they rule out benchmarks and cases too. What was
// stopped at the limit of a row costs that much.
func (o *originals) rest(listed []reproduce.Benchmark, row time.Duration) ([]reproduce.Benchmark, map[reproduce.Benchmark]reproduce.Cost) {
	done, costs := reproduce.Done(o.m.Records), map[reproduce.Benchmark]reproduce.Cost{}
	var rest []reproduce.Benchmark
	for _, b := range listed {
		if !done[[2]string{b.Set, b.Name}] {
			rest = append(rest, b)
			continue
		}
		first := slices.IndexFunc(o.m.Records, func(r result.Record) bool {
			return r.Bench != nil && r.Bench.Set == b.Set && r.Bench.Name == b.Name
		})
		switch one := o.m.Records[first].Bench; {
		case one.Status == "":
			costs[b] = reproduce.Cost{Op: time.Duration(one.NS)}
		case one.Status == result.Timeout && one.Benchtime != "": // it was started
			costs[b] = reproduce.Cost{Op: row, Late: true}
		}
	}
	return rest, costs
}

// first runs one operation of each benchmark, each in its own process, to find its cost, which it
// adds to costs. It does not start benchmarks that are known to be too slow.
func (o *originals) first(ctx context.Context, benchmarks []reproduce.Benchmark, costs map[reproduce.Benchmark]reproduce.Cost) error {
	ordered := reproduce.Order(benchmarks)
	for len(ordered) > 0 {
		// The cost of encoding may rule decoding out, so encoding is finished before decoding
		// begins.
		n := slices.IndexFunc(ordered, func(b reproduce.Benchmark) bool { return op(b) != op(ordered[0]) })
		if n < 0 {
			n = len(ordered)
		}
		if err := o.firstOf(ctx, ordered[:n], costs); err != nil {
			return err
		}
		ordered = ordered[n:]
	}
	return nil
}

// op returns the operation of a benchmark.
func op(b reproduce.Benchmark) string {
	name, _, _ := strings.Cut(b.Name, "/")
	return name
}

// firstOf is first for some of the benchmarks. It adds their costs to costs.
func (o *originals) firstOf(ctx context.Context, benchmarks []reproduce.Benchmark, costs map[reproduce.Benchmark]reproduce.Cost) error {
	var requests []drive.PublishedRequest
	of := map[[2]string]reproduce.Benchmark{}
	for _, b := range benchmarks {
		of[[2]string{b.Set, b.Name}] = b
		if reason := o.plan.TooSlow(b, costs); reason != "" {
			if err := o.m.sink(result.Record{Bench: &result.Bench{Set: b.Set, Name: b.Name, Status: result.Timeout, Reason: reason}}); err != nil {
				return err
			}
			continue
		}
		requests = append(requests, drive.PublishedRequest{Set: b.Set, Names: []string{b.Name}, Rounds: 1, Benchtime: reproduce.FirstTime, Override: true})
	}
	last := time.Now()
	return o.run(ctx, requests, func(r result.Record) error {
		elapsed := time.Since(last)
		last = time.Now()
		if b := r.Bench; b != nil {
			switch key := of[[2]string{b.Set, b.Name}]; b.Status {
			case "":
				op := time.Duration(b.NS)
				costs[key] = reproduce.Cost{Op: op, Setup: max(0, elapsed-op)}
			case result.Timeout:
				costs[key] = reproduce.Cost{Op: o.plan.Row, Late: true}
			}
		}
		return o.sink(r)
	})
}

// uncorrected returns the outcomes of the cases that are too slow for the launches, judged by the
// cost of their benchmarks.
func (o *originals) uncorrected(all []sources.Source, benchmarks []reproduce.Benchmark, costs map[reproduce.Benchmark]reproduce.Cost) []result.Outcome {
	reasons := map[[2]string]string{}
	for _, b := range benchmarks {
		reasons[[2]string{b.Set, b.Name}] = o.plan.Uncorrected(b, benchmarks, costs)
	}
	var out []result.Outcome
	seen := map[result.Case]bool{}
	for _, s := range all {
		for _, t := range s.Tables {
			for _, r := range t.Rows {
				reason := reasons[[2]string{reproduce.Set(s.ID), r.Benchmark}]
				if reason != "" && !seen[r.Case] {
					seen[r.Case] = true
					out = append(out, result.Outcome{Case: r.Case, Status: result.Timeout, Reason: reason})
				}
			}
		}
	}
	return out
}
