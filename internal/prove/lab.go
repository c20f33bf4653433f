package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

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

// places are where experiments take place: messages of 25 to 1,000 bytes, with and
// without maps and nested structs, which no contender encodes in no time. The first is
// that of experiments which need one only.
var places = []result.Cell{
	{Workload: "customer", Size: "level=1", Op: result.Encode},
	{Workload: "customer", Size: "level=1", Op: result.Decode},
	{Workload: "movie", Size: "record=one", Op: result.Encode},
	{Workload: "movie", Size: "record=one", Op: result.Decode},
	{Workload: "sizes", Size: "shape=single,struct=medium", Op: result.Encode},
	{Workload: "sizes", Size: "shape=single,struct=medium", Op: result.Decode},
}

// candidates are the rows that experiments use: fast and slow ones, with and without
// allocations, reflecting and generated. The first is the reference.
var candidates = []result.Subject{
	{Contender: "encoding/json"}, {Contender: "encoding/json", Mode: "output=reuse"},
	{Contender: "encoding/gob", Mode: "output=reuse,session=stream"},
	{Contender: "protobuf"}, {Contender: "vtprotobuf"}, {Contender: "gogo/protobuf"},
	{Contender: "protojson"}, {Contender: "flatbuffers"},
}

// A lab is the runner of all contenders in many layouts.
type lab struct {
	*site // that of the first place

	ctx    context.Context
	runner *build.Runner
	host   result.Host
	sites  []*site
	// seed counts up: no two launches have the same order.
	seed uint64
}

// A site is the lab at one of the places, with the rows that there are.
type site struct {
	lab      *lab
	place    result.Cell
	subjects []result.Subject
	// n is the batch of each subject, and ns what an operation takes.
	n  map[result.Subject]int
	ns map[result.Subject]float64
}

// String is the place as findings name it.
func (l *site) String() string { return l.place.Workload + " " + string(l.place.Op) }

// newLab builds the runner and sizes the batches.
func newLab(ctx context.Context) (*lab, error) {
	l := &lab{ctx: ctx, host: host.Facts()}
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
	if l.sites, err = l.sized(places, plan.Batch); err != nil {
		return nil, err
	}
	l.site = l.sites[0]
	return l, nil
}

// sized returns the lab at places, with batches that are as long as batch says.
func (l *lab) sized(places []result.Cell, batch bench.Calibrate) ([]*site, error) {
	var sites []*site
	var cases []result.Case
	for _, place := range places {
		s := &site{lab: l, place: place, n: map[result.Subject]int{}, ns: map[result.Subject]float64{}}
		for _, c := range candidates {
			if place.Op == result.Decode && c.Mode == "output=reuse" {
				continue // a mode of encode
			}
			s.subjects = append(s.subjects, c)
			cases = append(cases, place.Case(c))
		}
		sites = append(sites, s)
	}
	found, outcomes, err := drive.Calibrate(l.ctx, drive.CalibrateConfig{
		Runner: l.drive(), Cases: cases,
		BatchNS: batch.BatchNS, MinOps: batch.MinOps, MaxNS: batch.MaxNS,
	}, nowhere, unheard)
	if err != nil {
		return nil, err
	}
	if len(outcomes) > 0 {
		return nil, fmt.Errorf("%v: %s", outcomes[0].Case, outcomes[0].Reason)
	}
	for _, s := range sites {
		for _, c := range s.subjects {
			s.n[c], s.ns[c] = found[s.place.Case(c)].N, found[s.place.Case(c)].NS
		}
	}
	return sites, nil
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
	every   int    // it takes part in every so many rounds; 0: in all
}

// launch runs one launch and returns its series under the names of the batches.
func (l *site) launch(layout uint64, warmup, rounds int, batches []batch) (*result.Launch, error) {
	before := host.Now()
	p, err := drive.Start(l.lab.ctx, l.lab.drive().Binary(layout), drive.Limits{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if _, err := asked(p, bench.Command{Cmd: "load", Load: &bench.Load{Workload: l.place.Workload, Size: l.place.Size, Seed: 1}}); err != nil {
		return nil, err
	}
	l.lab.seed++
	cmd := &bench.Rounds{Warmup: warmup, Rounds: rounds, Seed: l.lab.seed, Sentinel: true, Last: true}
	seen := map[result.Subject]bool{}
	for _, b := range batches {
		spec := bench.CaseSpec{Subject: b.subject, Op: l.place.Op, N: b.do, Every: b.every}
		if seen[b.subject] {
			spec.Role = result.Control
		}
		seen[b.subject] = true
		cmd.Cases = append(cmd.Cases, spec)
	}
	a, err := asked(p, bench.Command{Cmd: "rounds", Rounds: cmd})
	if err != nil {
		return nil, err
	}
	out := &result.Launch{
		Layout: layout, Seed: l.lab.seed, Warmup: warmup, Sentinel: a.Measured.Sentinel,
		Elapsed: int64(p.Close()),
	}
	before.Record(out)
	for i, s := range a.Measured.Series {
		s.Role, s.N, s.Mode = "", batches[i].count, batches[i].as
		out.Series = append(out.Series, s)
	}
	return out, nil
}

// plain returns a batch of each subject as it is.
func (l *site) plain() []batch {
	var out []batch
	for _, s := range l.subjects {
		out = append(out, batch{subject: s, do: l.n[s], count: l.n[s], as: s.Mode})
	}
	return out
}

// pairs returns two batches of each subject, the second of which does
// permille operations for every 1000 that are counted.
func (l *site) pairs(permille int) []batch {
	var out []batch
	for _, s := range l.subjects {
		n := (l.n[s] + 99) / 100 * 100
		out = append(out,
			batch{subject: s, do: n, count: n, as: s.Mode},
			batch{subject: s, do: n * permille / 1000, count: n, as: again(s.Mode)})
	}
	return out
}

// brief lets batches that take longer than the given time take part in as many fewer rounds.
func (l *site) brief(batches []batch, batch time.Duration) []batch {
	for i, b := range batches {
		batches[i].every = int(math.Ceil(float64(b.do) * (1 + warm) * l.ns[b.subject] / float64(batch)))
	}
	return batches
}

// warm is the share of a batch that runs untimed before it.
const warm = 0.1

// spent returns how long the batches of launches took on the CPU, with what runs before
// each of them and in rounds of warm-up.
func spent(made []*result.Launch, warmup, rounds int) (d time.Duration) {
	for _, l := range made {
		for _, s := range l.Series {
			times := s.CPU
			if len(times) == 0 {
				times = s.Wall
			}
			for _, t := range times {
				d += time.Duration(t)
			}
		}
	}
	return time.Duration(float64(d) * (1 + warm) * float64(warmup+rounds) / float64(rounds))
}

// again is the mode that the second batch of a subject goes by.
func again(mode string) string { return strings.TrimPrefix(mode+",second", ",") }

// ratios analyses launches as assay run does and returns the ratio of test to
// base with its interval, for each subject: base is the first of each pair.
func (l *site) ratios(launches []*result.Launch, pairs [][2]result.Subject) (map[[2]result.Subject]analysis.Interval, error) {
	run := &result.Run{Schema: result.RunSchema}
	var records []result.Record
	cells := map[[2]result.Subject]result.Cell{}
	for i, p := range pairs {
		c := l.place
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
func (l *site) selfPairs() [][2]result.Subject {
	var out [][2]result.Subject
	for _, s := range l.subjects {
		out = append(out, [2]result.Subject{s, {Contender: s.Contender, Mode: again(s.Mode)}})
	}
	return out
}

// referencePairs are the reference with each other subject.
func (l *site) referencePairs() [][2]result.Subject {
	var out [][2]result.Subject
	for _, s := range l.subjects[1:] {
		out = append(out, [2]result.Subject{l.subjects[0], s})
	}
	return out
}

// different says that the interval excludes 1.
func different(i analysis.Interval) bool { return i.Lo > 1 || i.Hi < 1 }

// A share is how many of some tests were so.
type share struct{ is, n int }

func (s *share) count(is bool) {
	s.n++
	if is {
		s.is++
	}
}

func (s *share) add(o share) { s.is, s.n = s.is+o.is, s.n+o.n }

// of is the share, from 0 to 1; of no tests it is 0.
func (s share) of() float64 { return float64(s.is) / float64(max(1, s.n)) }

func (s share) String() string { return fmt.Sprintf("%.1f%% (%d of %d)", 100*s.of(), s.is, s.n) }

// quantile returns the q-quantile of values.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// workshop returns a directory that is removed by the returned function, and assay, built
// in it.
func workshop(ctx context.Context) (dir, program string, remove func(), err error) {
	if dir, remove, err = scratch(); err != nil {
		return "", "", nil, err
	}
	program = filepath.Join(dir, "assay")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/assay").CombinedOutput(); err != nil {
		remove()
		return "", "", nil, fmt.Errorf("building assay: %w\n%s", err, out)
	}
	return dir, program, remove, nil
}

// count counts what 1024 operations of each case allocate.
func (l *lab) count(cases []result.Case, found func(result.Count)) error {
	outcomes, err := drive.Count(l.ctx, drive.CountConfig{
		Runner: l.drive(), Cases: cases, Ops: func(result.Case) int { return 1024 },
	}, func(r result.Record) error {
		if r.Count != nil {
			found(*r.Count)
		}
		return nil
	}, func(drive.Event) {})
	if err == nil && len(outcomes) > 0 {
		err = fmt.Errorf("%v: %s", outcomes[0].Case, outcomes[0].Reason)
	}
	return err
}

// cases are those of the rows.
func (l *site) cases() []result.Case {
	var out []result.Case
	for _, s := range l.subjects {
		out = append(out, l.place.Case(s))
	}
	return out
}

// scratch returns a directory that is removed by the returned function.
func scratch() (string, func(), error) {
	dir, err := os.MkdirTemp("", "assay-prove-")
	return dir, func() { os.RemoveAll(dir) }, err
}
