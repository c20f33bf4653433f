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

// places are the cells of the experiments: messages of 25 to 1,000 bytes, with and without maps
// and nested structs. Every contender needs a measurable time to encode them. Experiments that
// need only one place use the first.
var places = []result.Cell{
	{Workload: "customer", Size: "level=1", Op: result.Encode},
	{Workload: "customer", Size: "level=1", Op: result.Decode},
	{Workload: "movie", Size: "record=one", Op: result.Encode},
	{Workload: "movie", Size: "record=one", Op: result.Decode},
	{Workload: "sizes", Size: "shape=single,struct=medium", Op: result.Encode},
	{Workload: "sizes", Size: "shape=single,struct=medium", Op: result.Decode},
}

// candidates are the rows of the experiments: fast and slow ones, with and without allocations,
// with reflection and with generated code. The first is the reference.
var candidates = []result.Subject{
	{Contender: "encoding/json"}, {Contender: "encoding/json", Mode: "output=reuse"},
	{Contender: "encoding/gob", Mode: "output=reuse,session=stream"},
	{Contender: "protobuf"}, {Contender: "vtprotobuf"}, {Contender: "gogo/protobuf"},
	{Contender: "protojson"}, {Contender: "flatbuffers"},
}

// A lab runs all contenders in many layouts.
type lab struct {
	*site // the first place's site

	ctx    context.Context
	runner *build.Runner
	host   result.Host
	sites  []*site
	// seed increases with each launch, so that no two launches have the same order of cases.
	seed uint64
	// peerBuilt says that this process has built the benchmarks of goTest.
	peerBuilt bool
}

// A site is one place of the lab, with the rows that the place has.
type site struct {
	lab      *lab
	place    result.Cell
	subjects []result.Subject
	// n is the batch size of each subject in operations, and ns the time of one operation in ns.
	n  map[result.Subject]int
	ns map[result.Subject]float64
}

// String returns the name of the place in findings.
func (l *site) String() string { return l.place.Workload + " " + string(l.place.Op) }

// newLab builds the runner in all layouts and determines the batch sizes.
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

// sized returns the sites of the given places, with batches sized as batch says.
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

// A batch describes one series of a launch: a subject, the number of operations that each batch
// does, and the number of operations that are counted for it.
type batch struct {
	subject result.Subject
	do      int
	count   int
	as      string // the subject's mode in the records
	every   int    // it takes part in one of so many rounds; 0: in every round
}

// launch runs one launch and returns its series, with the modes and operation counts of the
// batches.
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

// plain returns a batch of each subject that counts all of its operations.
func (l *site) plain() []batch {
	var out []batch
	for _, s := range l.subjects {
		out = append(out, batch{subject: s, do: l.n[s], count: l.n[s], as: s.Mode})
	}
	return out
}

// pairs returns two batches of each subject. The second batch does permille operations for every
// 1000 counted ones.
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

// brief makes batches that take longer than the given time take part in proportionally fewer
// rounds. It modifies batches and returns it.
func (l *site) brief(batches []batch, batch time.Duration) []batch {
	for i, b := range batches {
		batches[i].every = int(math.Ceil(float64(b.do) * (1 + warm) * l.ns[b.subject] / float64(batch)))
	}
	return batches
}

// warm is the number of untimed operations before each batch, as a share of the batch.
const warm = 0.1

// spent returns the CPU time of the batches of the launches, including the untimed operations
// before each batch and the warm-up rounds.
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

// again returns the mode that names the second batch of a subject in the records.
func again(mode string) string { return strings.TrimPrefix(mode+",second", ",") }

// ratios analyses launches as assay run does. For each pair it returns the ratio of the second
// subject to the first (the base), with its interval.
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

// selfPairs returns the pairs of each subject and its second batch, as pairs makes them.
func (l *site) selfPairs() [][2]result.Subject {
	var out [][2]result.Subject
	for _, s := range l.subjects {
		out = append(out, [2]result.Subject{s, {Contender: s.Contender, Mode: again(s.Mode)}})
	}
	return out
}

// referencePairs returns the pairs of the reference and each other subject.
func (l *site) referencePairs() [][2]result.Subject {
	var out [][2]result.Subject
	for _, s := range l.subjects[1:] {
		out = append(out, [2]result.Subject{l.subjects[0], s})
	}
	return out
}

// different reports whether the interval excludes 1.
func different(i analysis.Interval) bool { return i.Lo > 1 || i.Hi < 1 }

// A share counts the tests that had a property (is), and all tests (n).
type share struct{ is, n int }

func (s *share) count(is bool) {
	s.n++
	if is {
		s.is++
	}
}

func (s *share) add(o share) { s.is, s.n = s.is+o.is, s.n+o.n }

// of returns the share from 0 to 1, or 0 if there were no tests.
func (s share) of() float64 { return float64(s.is) / float64(max(1, s.n)) }

func (s share) String() string { return fmt.Sprintf("%.1f%% (%d of %d)", 100*s.of(), s.is, s.n) }

// quantile returns the q-quantile of values, or NaN if there are none.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// workshop builds assay in a new temporary directory. It returns the directory, the path of the
// program, and a function that removes the directory.
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

// count counts the allocations of 1024 operations of each case.
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

// cases returns the cases of the site's rows.
func (l *site) cases() []result.Case {
	var out []result.Case
	for _, s := range l.subjects {
		out = append(out, l.place.Case(s))
	}
	return out
}

// scratch returns a new temporary directory and a function that removes it.
func scratch() (string, func(), error) {
	dir, err := os.MkdirTemp("", "assay-prove-")
	return dir, func() { os.RemoveAll(dir) }, err
}
