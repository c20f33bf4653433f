package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/host"
	"assay/internal/plan"
	"assay/internal/verify"
	"assay/result"
	"assay/workload/builtin"
)

// Limits of one runner process.
const (
	memoryLimit = 6 << 30          // bytes of resident memory
	answerLimit = 60 * time.Second // for one answer
)

// A measurement is one run being made: what was planned, where it is stored,
// and what is known of it so far.
type measurement struct {
	app      *app
	run      *result.Run
	store    *result.Store
	progress *progress
	// records are all of the run's records, those of an earlier attempt
	// included.
	records []result.Record
	runner  *build.Runner
	// counts says that what is too slow to be timed keeps its counts.
	counts bool
}

// sink stores a record and keeps it. A measurement without a store, such as
// doctor's, only keeps it.
func (m *measurement) sink(r result.Record) error {
	r.Time = time.Now()
	m.records = append(m.records, r)
	if m.store == nil {
		return nil
	}
	return m.store.Append(r)
}

// spec returns what a runner for the selection links. Contenders of the
// default group are all linked, whatever is selected: a runner that serves
// every selection is built once, and the same contender has the same code
// around it in every run.
func spec(source fs.FS, sel []*contender.Contender) (build.Spec, error) {
	group := ""
	for i, c := range sel {
		if i > 0 && c.Group != group {
			return build.Spec{}, usagef("%s and %s need runners of their own and cannot be measured together; select one of them with -c", sel[i-1].Name, c.Name)
		}
		group = c.Group
	}
	s := build.Spec{Workloads: workloadNames()}
	for _, c := range grouped(group) {
		one := build.Contender{Name: c.Name, Dir: c.Dir()}
		for _, w := range s.Workloads {
			if _, err := fs.Stat(source, "contenders/"+c.Dir()+"/gen/"+w); err == nil {
				one.Workloads = append(one.Workloads, w)
			}
		}
		s.Contenders = append(s.Contenders, one)
	}
	return s, nil
}

// build makes a runner in all layouts, the ordinary one and random ones, and
// says what could not be built of what was selected. side is the label of a
// runner that is compared with another, or nothing.
func (a *app) build(ctx context.Context, sel []*contender.Contender, layouts []uint64, v build.Variant, side string, p *progress) (*build.Runner, error) {
	s, err := spec(a.source, sel)
	if err != nil {
		return nil, err
	}
	r, err := build.Make(ctx, build.Options{Source: a.source, Cache: a.cache, Variant: v, Progress: p.build}, s, layouts)
	if side != "" {
		side += ": "
	}
	if err != nil {
		p.clear()
		if side != "" {
			err = fmt.Errorf("%s%w", side, err)
		}
		return nil, err
	}
	p.built(r, len(layouts)-1)
	for _, c := range r.Changed {
		p.line("          %s%s", side, c)
	}
	for _, c := range sel {
		if f, ok := r.Failed[c.Name]; ok {
			a.warn("%s%s is left out of %s: %s", side, c.Name, strings.Join(f.Workloads, ", "), f.Reason)
		}
	}
	return r, nil
}

// failed returns the outcomes of cases whose contender could not be built.
func failed(runner *build.Runner, cases []result.Case) []result.Outcome {
	var out []result.Outcome
	for _, c := range cases {
		f, ok := runner.Failed[c.Contender]
		if !ok {
			continue
		}
		for _, w := range f.Workloads {
			if w == c.Workload {
				out = append(out, result.Outcome{Case: c, Status: result.BuildFailed, Reason: f.Reason})
			}
		}
	}
	return out
}

// drive returns how runner processes are started.
func (m *measurement) drive() drive.Runner {
	return drive.Runner{
		Binary: func(layout uint64) drive.Binary { return drive.Binary{Path: m.runner.Path(layout)} },
		Limits: drive.Limits{Memory: memoryLimit, Answer: answerLimit},
		Seed:   m.run.Seed,
	}
}

// measure takes every pass of the run: build, verify, calibrate, count,
// launches. It leaves the run unfinished when it returns an error; all that was
// measured until then is stored.
func (m *measurement) measure(ctx context.Context, sel plan.Selection) error {
	outcomes, err := m.outcome(sel.Outcomes)
	if err != nil {
		return err
	}
	more, err := m.outcome(failed(m.runner, plan.Without(m.run.Plan.Cases, outcomes)))
	if err != nil {
		return err
	}
	outcomes = append(outcomes, more...)

	live := plan.Without(m.run.Plan.Cases, append(outcomes, m.stored()...))
	live, err = m.verify(ctx, live)
	if err != nil {
		return err
	}
	calibrations, live, err := m.calibrate(ctx, live)
	if err != nil {
		return err
	}
	if live, err = m.count(ctx, live, calibrations); err != nil {
		return err
	}
	if err := m.launch(ctx, live, calibrations); err != nil {
		return err
	}
	m.remember()
	live = plan.Without(plan.Without(live, m.stored()), m.run.Plan.Untimed)
	if err := m.further(ctx, live, calibrations); err != nil {
		return err
	}
	return m.store.Finish(m.run)
}

// outcome stores the outcomes that are not stored yet, and returns them all.
func (m *measurement) outcome(outcomes []result.Outcome) ([]result.Outcome, error) {
	known := map[result.Case]bool{}
	for _, o := range m.stored() {
		known[o.Case] = true
	}
	for _, o := range outcomes {
		if known[o.Case] {
			continue
		}
		if err := m.sink(result.Record{Outcome: &o}); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// stored returns the outcomes among the records.
func (m *measurement) stored() []result.Outcome {
	var out []result.Outcome
	for _, r := range m.records {
		if r.Outcome != nil && r.Outcome.Side == "" {
			out = append(out, *r.Outcome)
		}
	}
	return out
}

func (m *measurement) verify(ctx context.Context, live []result.Case) ([]result.Case, error) {
	res, err := verify.Run(ctx, verify.Config{
		Runner: m.drive(), Cases: live, Losses: losses(), Formats: formats(),
	}, m.sink, m.progress.event)
	if err != nil {
		return nil, err
	}
	return res.Cases, nil
}

// losses returns the declared losses of each contender.
func losses() map[string][]string {
	out := map[string][]string{}
	for _, c := range contenders.All() {
		for _, l := range c.Losses {
			out[c.Name] = append(out[c.Name], string(l))
		}
	}
	return out
}

// formats returns the format of each contender.
func formats() map[string]string {
	out := map[string]string{}
	for _, c := range contenders.All() {
		out[c.Name] = c.Format
	}
	return out
}

// calibrate fixes the batch of each case, or takes it from the records of the
// run that is resumed, so that its samples can be compared with the new ones.
func (m *measurement) calibrate(ctx context.Context, live []result.Case) (map[result.Case]result.Calibration, []result.Case, error) {
	known := map[result.Case]result.Calibration{}
	for _, r := range m.records {
		if r.Calibration != nil && r.Calibration.Role == "" {
			known[r.Calibration.Case] = *r.Calibration
		}
	}
	var missing []result.Case
	for _, c := range live {
		if _, ok := known[c]; !ok {
			missing = append(missing, c)
		}
	}
	found, outcomes, err := drive.Calibrate(ctx, drive.CalibrateConfig{
		Runner: m.drive(), Cases: missing,
		BatchNS: plan.Batch.BatchNS, MinOps: plan.Batch.MinOps, MaxNS: plan.Batch.MaxNS,
	}, m.sink, m.progress.event)
	for c, cal := range found {
		known[c] = cal
	}
	return known, plan.Without(live, outcomes), err
}

// countFor is about how long the ops of one exact count may take.
const countFor = 20 * time.Millisecond

func (m *measurement) count(ctx context.Context, live []result.Case, calibrations map[result.Case]result.Calibration) ([]result.Case, error) {
	done := map[result.Case]bool{}
	for _, r := range m.records {
		if r.Count != nil {
			done[r.Count.Case] = true
		}
	}
	var missing []result.Case
	for _, c := range live {
		if !done[c] {
			missing = append(missing, c)
		}
	}
	outcomes, err := drive.Count(ctx, drive.CountConfig{
		Runner: m.drive(), Cases: missing,
		Ops: func(c result.Case) int {
			return max(1, min(1000, int(float64(countFor)/max(1, calibrations[c].NS))))
		},
	}, m.sink, m.progress.event)
	return plan.Without(live, outcomes), err
}

// launch takes the launches of the run, with their controls and floors.
func (m *measurement) launch(ctx context.Context, live []result.Case, calibrations map[result.Case]result.Calibration) error {
	live = plan.Without(live, m.run.Plan.Untimed)
	floors, err := m.floors(ctx, live)
	if err != nil {
		return err
	}
	p := m.run.Plan
	// The controls and floors take about a fifth of the time.
	schedule := plan.Of(live, calibrations, m.overheads(live, calibrations), m.share("launches")*4/5, len(p.Layouts), p.Rounds)
	if err := m.slow(schedule.Outcomes); err != nil {
		return err
	}
	cfg := drive.LaunchesConfig{Runner: m.drive(), Pace: m.pace()}
	for _, c := range schedule.Cells {
		cfg.Cells = append(cfg.Cells, drive.Cell{Cell: c.Cell, Cases: m.controlled(c, floors), Warmup: c.Warmup, Rounds: c.Rounds})
	}
	m.progress.schedule(schedule)
	done, err := drive.Launches(ctx, cfg, m.sink, m.progress.event)
	if err != nil || !done.OverBudget {
		return err
	}
	least := len(p.Layouts)
	for _, n := range done.Launches {
		least = min(least, n)
	}
	if least >= min(leastLaunches, len(p.Layouts)) {
		return nil
	}
	text := fmt.Sprintf("the budget of %v was over before every layout had its launch: the cell with fewest has %d of %d", p.Budget, least, len(p.Layouts))
	m.app.warn("%s", text)
	return m.sink(result.Record{Note: &result.Note{Text: text}})
}

// slow keeps why cases are too slow to be timed. Where counts are wanted of them,
// that is no outcome of the case but part of the plan.
func (m *measurement) slow(outcomes []result.Outcome) error {
	if !m.counts || len(outcomes) == 0 {
		_, err := m.outcome(outcomes)
		return err
	}
	m.run.Plan.Untimed = append(m.run.Plan.Untimed, outcomes...)
	return m.store.Update(m.run)
}

// A forced collection takes about that long, and comes when that much was
// allocated.
const (
	collection = 1500 * time.Microsecond
	garbage    = 3 << 20
)

// overheads returns about what each case costs a launch besides its operations:
// the messages that it reads are encoded, where an operation returns a sum of
// its own each input is run once to know it, and what it allocates is collected.
func (m *measurement) overheads(live []result.Case, calibrations map[result.Case]result.Calibration) map[result.Case]plan.Overhead {
	allocated := map[result.Case]float64{} // bytes per operation
	for _, r := range m.records {
		if c := r.Count; c != nil && c.Ops > 0 {
			allocated[c.Case] = float64(c.Bytes) / float64(c.Ops)
		}
	}
	out := map[result.Case]plan.Overhead{}
	for _, c := range live {
		var ns float64
		if c.Op == result.Encode || c.Op == result.Scan {
			ns += calibrations[c].NS
		}
		if c.Op != result.Encode && c.Op != result.Convert {
			encode := c
			encode.Op, encode.Mode = result.Encode, ""
			ns += calibrations[encode].NS
		}
		batches := min(1, allocated[c]*float64(calibrations[c].N)/garbage)
		out[c] = plan.Overhead{
			Launch: time.Duration(ns * float64(inputs(c.Workload, c.Size))),
			Batch:  time.Duration(batches * float64(collection)),
		}
	}
	return out
}

// inputs returns the number of distinct values of a workload's size.
func inputs(workload, size string) int {
	for _, w := range builtin.All() {
		if w.Name == workload {
			if s, err := w.Size(size); err == nil {
				return s.Inputs()
			}
		}
	}
	return 1
}

// newRun returns the record of a run that is about to begin.
func (a *app) newRun(p result.Plan, seed uint64, runner *build.Runner) *result.Run {
	now := time.Now()
	return &result.Run{
		Schema: result.RunSchema, ID: result.NewID(now), Tool: toolVersion(), Args: a.args,
		Started: now, Seed: seed, Plan: p, Host: a.machine(), Build: runner.Build,
	}
}

// machine returns what is known of this machine, its best sentinel included.
func (a *app) machine() result.Host {
	h := host.Facts()
	h.SentinelBest = int64(host.Remember(a.cacheDir(), host.Key(h), 0))
	return h
}

// runDir returns the directory of a stored run: a directory as it is, an ID
// below the results directory, or the latest when name is empty or "latest".
func (a *app) runDir(name string) (string, error) {
	if name == "" || name == "latest" {
		run, err := result.Latest(a.results)
		if err != nil {
			return "", &exitError{exitUsage, err}
		}
		return filepath.Join(a.results, run.ID), nil
	}
	for _, dir := range []string{filepath.Join(a.results, name), name} {
		if _, err := os.Stat(filepath.Join(dir, "run.json")); err == nil {
			return dir, nil
		}
	}
	return "", usagef("there is no run %q in %s%s; assay list runs shows them", name, a.results, meant(name, a.runIDs()))
}

// runIDs returns the IDs of the stored runs, the newest first, as far as they
// can be read.
func (a *app) runIDs() []string {
	runs, _ := result.List(a.results)
	var ids []string
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	return ids
}
