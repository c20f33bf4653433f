package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/internal/build"
	"assay/internal/drive"
	"assay/published/protocol"
	"assay/published/reproduce"
	"assay/published/sources"
	"assay/result"
)

// seeds runs the benchmarks of the run's seeds by their own method, those left
// out that it has records of.
func (m *measurement) seeds(ctx context.Context, o reproduceOptions, all []sources.Source) error {
	v, err := (&variant{with: o.with, goes: m.app.goCommand}).build()
	if err != nil {
		return err
	}
	program, err := m.app.program(ctx, []uint64{0}, v, m.progress)
	if err != nil {
		return err
	}
	sets, err := publishedSets(ctx, program)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(slices.Clone(all), func(s sources.Source) bool { return !slices.Contains(m.run.Plan.Sources, s.ID) })
	h := &half{m: m, program: program}
	benchmarks, err := h.list(all, sets)
	if err != nil {
		return err
	}
	h.plan = reproduce.PlanFor(len(benchmarks), m.run.Plan.Quick, o.budget/2)
	costs, err := h.first(ctx, benchmarks)
	if err != nil {
		return err
	}
	if _, err := m.outcome(h.uncorrected(all, benchmarks, costs)); err != nil {
		return err
	}
	var requests []drive.PublishedRequest
	for _, s := range h.plan.Steps(benchmarks, costs) {
		requests = append(requests, drive.PublishedRequest{Set: s.Set, Names: s.Names, Rounds: s.Rounds, Benchtime: s.Benchtime, Override: true})
	}
	return h.run(ctx, requests, h.sink)
}

// A half is the benchmarks of the seeds while they run.
type half struct {
	m       *measurement
	program *build.Runner
	plan    reproduce.Plan
}

// run runs requests.
func (h *half) run(ctx context.Context, requests []drive.PublishedRequest, sink func(result.Record) error) error {
	cfg := publishedConfig(h.program, h.plan.Row, requests)
	if h.m.run.Plan.Quick {
		cfg.Limits.Memory = min(cfg.Limits.Memory, quickSeedMemory)
	}
	return drive.Published(ctx, cfg, sink, h.m.progress.event)
}

// quickSeedMemory is how much memory a benchmark may take with --quick: what needs
// more is not done in the time of a row either.
const quickSeedMemory = 8 << 30

// sink stores a record; of a benchmark that took too long with the reason that
// reproduce gives.
func (h *half) sink(r result.Record) error {
	if b := r.Bench; b != nil && b.Status == result.Timeout {
		late := *b
		late.Reason = h.plan.Late()
		r.Bench = &late
	}
	return h.m.sink(r)
}

// list returns the benchmarks of the seeds' rows, each once, that the run has no
// final record of. A row may not name a benchmark that its set lacks.
func (h *half) list(all []sources.Source, sets []protocol.Set) ([]reproduce.Benchmark, error) {
	done := reproduce.Done(h.m.records)
	own := map[[2]string]string{} // the benchtime of each benchmark
	for _, s := range sets {
		for _, b := range s.Benchmarks {
			own[[2]string{s.Name, b.Name}] = b.Benchtime
		}
	}
	var benchmarks []reproduce.Benchmark
	at := map[[2]string]int{}
	for _, s := range all {
		method := reproduce.Benchtime(s)
		for _, t := range s.Tables {
			for _, r := range t.Rows {
				key := [2]string{reproduce.Set(s.ID), r.Benchmark}
				if r.Benchmark == "" || done[key] {
					continue
				}
				benchtime, ok := own[key]
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

// first runs one operation of each benchmark, in a process each, to find out what
// it costs. Those that are known to be too slow are not started.
func (h *half) first(ctx context.Context, benchmarks []reproduce.Benchmark) (map[reproduce.Benchmark]reproduce.Cost, error) {
	costs := map[reproduce.Benchmark]reproduce.Cost{}
	ordered := reproduce.Order(benchmarks)
	for len(ordered) > 0 {
		// What encoding costs may rule decoding out, so the one is over before the
		// other is asked for.
		n := slices.IndexFunc(ordered, func(b reproduce.Benchmark) bool { return op(b) != op(ordered[0]) })
		if n < 0 {
			n = len(ordered)
		}
		if err := h.firstOf(ctx, ordered[:n], costs); err != nil {
			return nil, err
		}
		ordered = ordered[n:]
	}
	return costs, nil
}

// op is the operation of a benchmark.
func op(b reproduce.Benchmark) string {
	name, _, _ := strings.Cut(b.Name, "/")
	return name
}

// firstOf is first for some of the benchmarks, whose costs it adds.
func (h *half) firstOf(ctx context.Context, benchmarks []reproduce.Benchmark, costs map[reproduce.Benchmark]reproduce.Cost) error {
	var requests []drive.PublishedRequest
	of := map[[2]string]reproduce.Benchmark{}
	for _, b := range benchmarks {
		of[[2]string{b.Set, b.Name}] = b
		if reason := h.plan.TooSlow(b, costs); reason != "" {
			if err := h.m.sink(result.Record{Bench: &result.Bench{Set: b.Set, Name: b.Name, Status: result.Timeout, Reason: reason}}); err != nil {
				return err
			}
			continue
		}
		requests = append(requests, drive.PublishedRequest{Set: b.Set, Names: []string{b.Name}, Rounds: 1, Benchtime: reproduce.FirstTime, Override: true})
	}
	last := time.Now()
	return h.run(ctx, requests, func(r result.Record) error {
		elapsed := time.Since(last)
		last = time.Now()
		if b := r.Bench; b != nil {
			switch key := of[[2]string{b.Set, b.Name}]; b.Status {
			case "":
				op := time.Duration(b.NS)
				costs[key] = reproduce.Cost{Op: op, Setup: max(0, elapsed-op)}
			case result.Timeout:
				costs[key] = reproduce.Cost{Op: h.plan.Row, Late: true}
			}
		}
		return h.sink(r)
	})
}

// uncorrected are the outcomes of the cases that are too slow for the engine, by
// what their benchmarks cost.
func (h *half) uncorrected(all []sources.Source, benchmarks []reproduce.Benchmark, costs map[reproduce.Benchmark]reproduce.Cost) []result.Outcome {
	reasons := map[[2]string]string{}
	for _, b := range benchmarks {
		reasons[[2]string{b.Set, b.Name}] = h.plan.Uncorrected(b, benchmarks, costs)
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
