package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"assay"
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
}

// sink stores a record and keeps it.
func (m *measurement) sink(r result.Record) error {
	r.Time = time.Now()
	m.records = append(m.records, r)
	return m.store.Append(r)
}

// spec returns what a runner for the selection links. Contenders of the
// default group are all linked, whatever is selected: a runner that serves
// every selection is built once, and the same contender has the same code
// around it in every run.
func spec(sel []*contender.Contender) (build.Spec, error) {
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
			if _, err := assay.Source.ReadDir("contenders/" + c.Dir() + "/gen/" + w); err == nil {
				one.Workloads = append(one.Workloads, w)
			}
		}
		s.Contenders = append(s.Contenders, one)
	}
	return s, nil
}

// build makes the runner in all layouts of the plan.
func (a *app) build(ctx context.Context, sel []*contender.Contender, layouts []uint64, p *progress) (*build.Runner, error) {
	s, err := spec(sel)
	if err != nil {
		return nil, err
	}
	return build.Make(ctx, build.Options{
		Source: assay.Source, Cache: a.cache, Go: a.goCommand, Progress: p.build,
	}, s, layouts)
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
	m.run.Finished = time.Now()
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
		if r.Outcome != nil {
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
		if r.Calibration != nil {
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

func (m *measurement) launch(ctx context.Context, live []result.Case, calibrations map[result.Case]result.Calibration) error {
	p := m.run.Plan
	schedule := plan.Of(live, calibrations, setup(live, calibrations), p.Budget, len(p.Layouts), p.Rounds)
	if _, err := m.outcome(schedule.Outcomes); err != nil {
		return err
	}
	cfg := drive.LaunchesConfig{Runner: m.drive(), Layouts: p.Layouts, Skip: map[drive.LaunchKey]bool{}}
	if p.Rounds == 0 {
		// A machine that slows down in the middle must not make the run endless.
		cfg.Budget = p.Budget * 3 / 2
	}
	for _, c := range schedule.Cells {
		cfg.Cells = append(cfg.Cells, drive.Cell{Cell: c.Cell, Cases: c.Cases, Warmup: c.Warmup, Rounds: c.Rounds})
	}
	for _, r := range m.records {
		if r.Launch != nil {
			cfg.Skip[drive.LaunchKey{Cell: r.Launch.Cell, Index: r.Launch.Index}] = true
		}
	}
	m.progress.schedule(schedule)
	done, err := drive.Launches(ctx, cfg, m.sink, m.progress.event)
	if err != nil {
		return err
	}
	if done.OverBudget {
		least := len(p.Layouts)
		for _, n := range done.Launches {
			least = min(least, n)
		}
		text := fmt.Sprintf("the budget of %v was over before every layout had its launch: the cell with fewest has %d of %d", p.Budget, least, len(p.Layouts))
		m.app.warn("%s", text)
		return m.sink(result.Record{Note: &result.Note{Text: text}})
	}
	return nil
}

// setup returns about how long a launch takes to prepare each case: the
// messages that it reads are encoded, and where an operation returns a sum of
// its own, each input is run once to know it.
func setup(live []result.Case, calibrations map[result.Case]result.Calibration) map[result.Case]time.Duration {
	out := map[result.Case]time.Duration{}
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
		out[c] = time.Duration(ns * float64(inputs(c.Workload, c.Size)))
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
func newRun(args []string, p result.Plan, seed uint64, runner *build.Runner) *result.Run {
	now := time.Now()
	return &result.Run{
		Schema: result.RunSchema, ID: result.NewID(now), Tool: toolVersion(), Args: args,
		Started: now, Seed: seed, Plan: p, Host: host.Facts(), Build: runner.Build,
	}
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
	runs, err := result.List(a.results)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", &exitError{exitUsage, err}
	}
	var ids []string
	for _, r := range runs {
		ids = append(ids, r.ID)
	}
	return "", usagef("there is no run %q in %s%s; assay list runs shows them", name, a.results, meant(name, ids))
}
