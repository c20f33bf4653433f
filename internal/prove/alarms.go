package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay"
	"assay/bench"
	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/cachedir"
	"assay/internal/codegen"
	"assay/internal/drive"
	"assay/internal/measure"
	"assay/internal/plan"
	"assay/internal/verify"
	"assay/result"
	"assay/workload/builtin"
)

const (
	// alarmRounds is the number of rounds of a launch. If a launch would take longer than
	// alarmLaunch, it has fewer rounds, but at least alarmLeast. A quarter as many warm-up rounds
	// come first.
	alarmRounds, alarmLeast = 40, 5
	alarmLaunch             = 5 * time.Second
	// alarmRun is the number of launches of each cell in a default run.
	alarmRun = 9
	// mostChecking is the largest accepted share of the measuring time for checks.
	mostChecking = 0.03
)

// An alarmed is the state of the experiment alarms: its configuration and its results so far.
type alarmed struct {
	runner drive.Runner
	sel    plan.Selection
	hits   []string
	trips  int
	// known sums the launches that use known values only, and anew those that end on new values.
	known, anew cost
	launches    int
	cases       int
}

// A cost is the time that launches took, and the part of it that their checks took.
type cost struct{ checks, all time.Duration }

func (c cost) share() float64 { return float64(c.checks) / float64(max(1, c.all)) }

// ofRun returns the share of checks in a run with the given number of launches of each cell. One
// launch of each cell ends on new values.
func (a *alarmed) ofRun(launches int) float64 {
	return (float64(launches-1)*a.known.share() + a.anew.share()) / float64(launches)
}

// alarms repeatedly verifies and measures all contenders with all workloads, and counts the
// alarms. Every alarm is false, because the contenders' own tests pass.
func alarms(ctx context.Context, d disturbing) (*finding, error) {
	a := &alarmed{}
	if err := a.build(ctx); err != nil {
		return nil, err
	}
	calibrated, err := a.calibrate(ctx)
	if err != nil {
		return nil, err
	}
	cells := a.cells(calibrated)
	for pass := range d.n {
		if pass%2 == 0 {
			// One size in turn, because a whole verification takes as long as ten passes.
			if err := a.verify(ctx, pass/2); err != nil {
				return nil, err
			}
		}
		for _, cell := range cells {
			if err := a.launch(ctx, cell, pass); err != nil {
				return nil, err
			}
		}
	}
	return a.finding(d.n), nil
}

// build builds the runner of all contenders of the default group, and selects every case of the
// sizes of a quick run.
func (a *alarmed) build(ctx context.Context) error {
	var err error
	if a.sel, err = (measure.Choice{Input: measure.Builtin(), Quick: true, Ops: append(slices.Clone(plan.DefaultOps), result.Convert)}).Select(); err != nil {
		return err
	}
	ordinary := slices.DeleteFunc(slices.Clone(contenders.All()), func(c *contender.Contender) bool { return c.Group != "" })
	r, err := codegen.Make(ctx, build.Options{Source: assay.Source, Cache: cachedir.In("")}, codegen.ForCases(builtin.All(), a.sel.Cases), ordinary, false, []uint64{0})
	if err != nil {
		return err
	}
	a.runner = drive.Runner{
		Binary: func(uint64) drive.Binary { return drive.Binary{Path: r.Path(0)} },
		Limits: drive.Limits{Memory: 6 << 30, Spare: 1 << 30, Answer: 10 * time.Minute}, Seed: 1,
	}
	return nil
}

// calibrate determines the batch size of each case.
func (a *alarmed) calibrate(ctx context.Context) (map[result.Case]result.Calibration, error) {
	out, outcomes, err := drive.Calibrate(ctx, drive.CalibrateConfig{
		Runner: a.runner, Cases: a.sel.Live(),
		BatchNS: plan.Batch.BatchNS, MinOps: plan.Batch.MinOps, MaxNS: plan.Batch.MaxNS,
	}, nowhere, unheard)
	a.say("calibrate", outcomes)
	return out, err
}

func nowhere(result.Record) error { return nil }

func unheard(drive.Event) {}

// say records outcomes as alarms.
func (a *alarmed) say(when string, outcomes []result.Outcome) {
	for _, o := range outcomes {
		a.hits = append(a.hits, fmt.Sprintf("%s: %s: %s: %s", when, o.Case, o.Status, o.Reason))
	}
}

// A spot is a pair of workload and size.
type spot struct{ workload, size string }

// verify verifies all subjects of one spot. turn chooses the spot, modulo their number.
func (a *alarmed) verify(ctx context.Context, turn int) error {
	var spots []spot
	for _, c := range a.sel.Live() {
		if s := (spot{c.Workload, c.Size}); !slices.Contains(spots, s) {
			spots = append(spots, s)
		}
	}
	at := spots[turn%len(spots)]
	cases := slices.DeleteFunc(a.sel.Live(), func(c result.Case) bool { return spot{c.Workload, c.Size} != at })
	cfg := verify.Config{
		Runner: a.runner, Cases: cases, Losses: map[string][]string{}, ModeLosses: map[result.Subject][]string{}, Formats: map[string]string{},
	}
	for _, c := range contenders.All() {
		cfg.Formats[c.Name] = c.Format
		for _, l := range c.Losses {
			cfg.Losses[c.Name] = append(cfg.Losses[c.Name], string(l))
		}
		for _, m := range c.Modes {
			who := result.Subject{Contender: c.Name, Mode: m.Key}
			for _, l := range m.Losses {
				cfg.ModeLosses[who] = append(cfg.ModeLosses[who], string(l))
			}
		}
	}
	got, err := verify.Run(ctx, cfg, nowhere, unheard)
	a.trips += len(got.Verifications)
	a.say("verify", got.Outcomes)
	return err
}

// cells groups the calibrated cases into cells, and sets the rounds and the warm-up of each cell.
func (a *alarmed) cells(calibrated map[result.Case]result.Calibration) []drive.Cell {
	var out []drive.Cell
	round := map[result.Cell]time.Duration{}
	for _, c := range a.sel.Live() {
		cal, ok := calibrated[c]
		if !ok {
			continue
		}
		i := slices.IndexFunc(out, func(x drive.Cell) bool { return x.Cell == c.Cell() })
		if i < 0 {
			i, out = len(out), append(out, drive.Cell{Cell: c.Cell()})
		}
		out[i].Cases = append(out[i].Cases, bench.CaseSpec{Subject: c.Subject(), Op: c.Op, N: cal.N, Fresh: cal.Renews()})
		round[c.Cell()] += time.Duration(float64(cal.N) * cal.NS)
		a.cases++
	}
	for i, cell := range out {
		out[i].Rounds = int(min(alarmRounds, max(alarmLeast, alarmLaunch/max(1, round[cell.Cell]))))
		out[i].Warmup = max(1, out[i].Rounds/4)
	}
	return out
}

// newly reports whether the launches of a pass end on new values.
func newly(pass int) bool { return pass%2 == 1 }

// launch runs one launch of a cell. A failure of the launch counts as an alarm.
func (a *alarmed) launch(ctx context.Context, cell drive.Cell, pass int) error {
	s := a.runner.Session(0, cell.Workload, cell.Size, unheard)
	defer s.Close()
	start := time.Now()
	answer, err := s.Ask(ctx, bench.Command{Cmd: "rounds", Rounds: &bench.Rounds{
		Cases: cell.Cases, Warmup: cell.Warmup, Rounds: cell.Rounds, Seed: uint64(pass + 1), Sentinel: true,
		Unseen: newly(pass), Last: true,
	}})
	a.launches++
	var f *drive.Failure
	if errors.As(err, &f) {
		a.hits = append(a.hits, fmt.Sprintf("launch %d of %s %s %s: %s", pass+1, cell.Workload, cell.Size, cell.Op, f))
		return nil
	}
	if err != nil {
		return err
	}
	of := &a.known
	if newly(pass) {
		of = &a.anew
	}
	of.all += time.Since(start)
	of.checks += time.Duration(answer.Measured.Checks)
	return nil
}

// finding summarizes the experiment after the given number of passes.
func (a *alarmed) finding(passes int) *finding {
	share := a.ofRun(alarmRun)
	f := &finding{
		Met: len(a.hits) == 0 && share < mostChecking,
		Summary: fmt.Sprintf("%d alarms in %d passes over %d cases: %d launches and %d round trips; checks take %.1f%% of a run of %d launches of each cell",
			len(a.hits), passes, a.cases, a.launches, a.trips, 100*share, alarmRun),
		Head: []string{"alarm"},
		Notes: []string{
			fmt.Sprintf("Every contender of the default group, all modes, the ops encode, decode, open, scan and convert, at the sizes of a quick run; a launch has %d rounds and a quarter as many before them, and fewer where it would take more than %v.", alarmRounds, alarmLaunch),
			"A launch is as long as its process takes to load the values, bind them, and run the rounds. Every second pass also verifies one size, in turn; in the others each launch ends on new values, which in a run one launch of each cell does.",
			fmt.Sprintf("Checks took %.1f%% of the launches on known values only, and %.1f%% of those that end on new ones.", 100*a.known.share(), 100*a.anew.share()),
		},
	}
	for _, h := range a.hits {
		f.Rows = append(f.Rows, []string{h})
	}
	return f
}
