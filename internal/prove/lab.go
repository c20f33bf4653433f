package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"assay"
	"assay/bench"
	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/build"
	"assay/internal/cachedir"
	"assay/internal/codegen"
	"assay/internal/drive"
	"assay/internal/host"
	"assay/internal/plan"
	"assay/result"
	"assay/workload/builtin"
)

// layoutsMade is how many random layouts the lab has.
const layoutsMade = 32

// place is where all experiments take place: a message of about 150 bytes with
// a map and nested structs, which no contender encodes in no time.
var place = result.Cell{Workload: "customer", Size: "level=1", Op: result.Encode}

// subjects are the eight rows that experiments use: fast and slow ones, with
// and without allocations, reflecting and generated.
var subjects = []result.Subject{
	{Contender: "encoding/json"}, {Contender: "encoding/json", Mode: "output=reuse"},
	{Contender: "encoding/gob", Mode: "output=reuse,session=stream"},
	{Contender: "protobuf"}, {Contender: "vtprotobuf"}, {Contender: "gogo/protobuf"},
	{Contender: "protojson"}, {Contender: "flatbuffers"},
}

// A lab is the runner of all contenders in many layouts.
type lab struct {
	ctx    context.Context
	runner *build.Runner
	host   result.Host
	// n is the batch of each subject.
	n map[result.Subject]int
	// seed counts up: no two launches have the same order.
	seed uint64
}

// newLab builds the runner and sizes the batches.
func newLab(ctx context.Context) (*lab, error) {
	l := &lab{ctx: ctx, host: host.Facts(), n: map[result.Subject]int{}}
	ordinary := slices.DeleteFunc(slices.Clone(contenders.All()), func(c *contender.Contender) bool { return c.Group != "" })
	var seeds []uint64
	for s := range uint64(layoutsMade + 1) {
		seeds = append(seeds, s)
	}
	var err error
	if l.runner, err = codegen.Make(ctx, build.Options{Source: assay.Source, Cache: cachedir.In("")}, codegen.Whole(builtin.All()), ordinary, false, seeds); err != nil {
		return nil, err
	}
	if len(l.runner.Failed) > 0 {
		return nil, fmt.Errorf("some contenders could not be built: %v", l.runner.Failed)
	}
	var cases []result.Case
	for _, s := range subjects {
		cases = append(cases, place.Case(s))
	}
	found, outcomes, err := drive.Calibrate(ctx, drive.CalibrateConfig{
		Runner: l.drive(), Cases: cases,
		BatchNS: plan.Batch.BatchNS, MinOps: plan.Batch.MinOps, MaxNS: plan.Batch.MaxNS,
	}, func(result.Record) error { return nil }, func(drive.Event) {})
	if err != nil {
		return nil, err
	}
	if len(outcomes) > 0 {
		return nil, fmt.Errorf("%v: %s", outcomes[0].Case, outcomes[0].Reason)
	}
	for c, cal := range found {
		l.n[c.Subject()] = cal.N
	}
	return l, nil
}

func (l *lab) drive() drive.Runner {
	return drive.Runner{
		Binary: func(layout uint64) drive.Binary { return drive.Binary{Path: l.runner.Path(layout)} },
		Seed:   1,
	}
}

// A batch is one series of a launch: a subject, how many operations it does,
// and how many are counted.
type batch struct {
	subject result.Subject
	do      int
	count   int
	as      string // the mode that it goes by in the records
}

// launch runs one launch and returns its series under the names of the batches.
func (l *lab) launch(layout uint64, warmup, rounds int, batches []batch) (*result.Launch, error) {
	p, err := drive.Start(l.ctx, l.drive().Binary(layout), drive.Limits{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	ask := func(c bench.Command) (bench.Answer, error) {
		a, err := p.Do(c)
		if err == nil && a.Error != "" {
			err = errors.New(a.Error)
		}
		return a, err
	}
	if _, err := ask(bench.Command{Cmd: "load", Load: &bench.Load{Workload: place.Workload, Size: place.Size, Seed: 1}}); err != nil {
		return nil, err
	}
	l.seed++
	cmd := &bench.Rounds{Warmup: warmup, Rounds: rounds, Seed: l.seed, Sentinel: true}
	seen := map[result.Subject]bool{}
	for _, b := range batches {
		spec := bench.CaseSpec{Subject: b.subject, Op: place.Op, N: b.do}
		if seen[b.subject] {
			spec.Role = result.Control
		}
		seen[b.subject] = true
		cmd.Cases = append(cmd.Cases, spec)
	}
	a, err := ask(bench.Command{Cmd: "rounds", Rounds: cmd})
	if err != nil {
		return nil, err
	}
	out := &result.Launch{Layout: layout, Seed: l.seed, Warmup: warmup, Sentinel: a.Measured.Sentinel}
	for i, s := range a.Measured.Series {
		s.Role, s.N, s.Mode = "", batches[i].count, batches[i].as
		out.Series = append(out.Series, s)
	}
	return out, nil
}

// plain returns a batch of each subject as it is.
func (l *lab) plain() []batch {
	var out []batch
	for _, s := range subjects {
		out = append(out, batch{subject: s, do: l.n[s], count: l.n[s], as: s.Mode})
	}
	return out
}

// pairs returns two batches of each subject, the second of which does
// permille operations for every 1000 that are counted.
func (l *lab) pairs(permille int) []batch {
	var out []batch
	for _, s := range subjects {
		n := (l.n[s] + 99) / 100 * 100
		out = append(out,
			batch{subject: s, do: n, count: n, as: s.Mode},
			batch{subject: s, do: n * permille / 1000, count: n, as: again(s.Mode)})
	}
	return out
}

// again is the mode that the second batch of a subject goes by.
func again(mode string) string { return strings.TrimPrefix(mode+",second", ",") }

// ratios analyses launches as assay run does and returns the ratio of test to
// base with its interval, for each subject: base is the first of each pair.
func ratios(launches []*result.Launch, pairs [][2]result.Subject) (map[[2]result.Subject]analysis.Interval, error) {
	run := &result.Run{Schema: result.RunSchema}
	var records []result.Record
	cells := map[[2]result.Subject]result.Cell{}
	for i, p := range pairs {
		c := place
		c.Size = fmt.Sprintf("%s,pair=%d", c.Size, i)
		cells[p] = c
		run.Plan.Cases = append(run.Plan.Cases, c.Case(p[0]), c.Case(p[1]))
		for index, launch := range launches {
			one := &result.Launch{Cell: c, Layout: launch.Layout, Index: index}
			for _, s := range launch.Series {
				if s.Subject == p[0] || s.Subject == p[1] {
					one.Series = append(one.Series, s)
				}
			}
			if len(one.Series) == 2 {
				records = append(records, result.Record{Launch: one})
			}
		}
	}
	results := analysis.Of(run, records, analysis.View{})
	out := map[[2]result.Subject]analysis.Interval{}
	for p, c := range cells {
		for _, t := range results.Tables {
			if t.Cell != c {
				continue
			}
			row, ok := t.Row(c.Case(p[1]), analysis.Time)
			if !ok || row.Ratio == nil {
				return nil, fmt.Errorf("%v has no ratio to %v", p[1], p[0])
			}
			out[p] = *row.Ratio
		}
	}
	return out, nil
}

// selfPairs are the pairs that batches of pairs make.
func selfPairs() [][2]result.Subject {
	var out [][2]result.Subject
	for _, s := range subjects {
		out = append(out, [2]result.Subject{s, {Contender: s.Contender, Mode: again(s.Mode)}})
	}
	return out
}

// referencePairs are the reference with each other subject.
func referencePairs() [][2]result.Subject {
	var out [][2]result.Subject
	for _, s := range subjects[1:] {
		out = append(out, [2]result.Subject{subjects[0], s})
	}
	return out
}

// different says that the interval excludes 1.
func different(i analysis.Interval) bool { return i.Lo > 1 || i.Hi < 1 }

// percent returns part of whole as a text.
func percent(part, whole int) string {
	return fmt.Sprintf("%.1f%% (%d of %d)", 100*float64(part)/float64(max(1, whole)), part, whole)
}

// quantile returns the q-quantile of values.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// scratch returns a directory that is removed by the returned function.
func scratch() (string, func(), error) {
	dir, err := os.MkdirTemp("", "assay-prove-")
	return dir, func() { os.RemoveAll(dir) }, err
}
