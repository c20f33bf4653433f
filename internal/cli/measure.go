package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"assay/bench"
	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/host"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/plan"
	"assay/internal/verify"
	"assay/result"
)

// Limits of one runner process.
const (
	memoryLimit = 6 << 30          // bytes of resident memory
	answerLimit = 60 * time.Second // for one answer
	hangLimit   = 12 * time.Second // without a sign of life
)

// A measurement is one run being made: what was planned, where it is stored,
// and what is known of it so far.
type measurement struct {
	app      *app
	run      *result.Run
	store    *writing // nil: nothing is stored
	progress *progress
	// records are all of the run's records, those of an earlier attempt
	// included.
	records []result.Record
	runners parties
	// at is the party that is being measured, until when, and within what part of the
	// budget. began is when the run's measuring did, of so many cases; zero where the
	// budget is for launches alone.
	at           party
	until, began time.Time
	whole        time.Duration
	all          int
	// shared are the cases of the reference's default mode and of the floor that
	// passed in the first party: the others measure theirs beside them.
	shared []result.Case
	// visitors are the contenders with a runner that is none of ours.
	visitors visitors
	// side is the label of the version whose round trips and outcomes are stored, where
	// two are compared; empty: of both, or of a run without sides.
	side string
	// counts says that what is too slow to be timed keeps its counts.
	counts bool
	// have is the contender that the user has, which is never dropped for want of
	// time; empty: nobody said.
	have string
	// untrue is what the visitor that is measured was found to have said that cannot
	// be; nil: nothing.
	untrue *drive.Untrue
}

// event shows what a pass does.
func (m *measurement) event(e drive.Event) {
	if u, ok := e.(drive.Untrue); ok && m.untrue == nil {
		m.untrue = &u
	}
	m.progress.event(e)
}

// sink stores a record and keeps it. A measurement without a store, such as
// doctor's, only keeps it.
func (m *measurement) sink(r result.Record) error {
	r.Time = time.Now()
	switch {
	case r.Launch != nil:
		r.Launch.Group = m.at.group
	case r.Steady != nil:
		r.Steady.Group = m.at.group
	case r.Outcome != nil && m.side != "":
		r.Outcome.Side = m.side
	case r.Verification != nil:
		r.Verification.Side = m.side
	}
	if r.Verification != nil && m.verified(*r.Verification) {
		return nil
	}
	m.records = append(m.records, r)
	if m.store == nil {
		return nil
	}
	return m.store.Append(r)
}

// verified says whether a round trip is stored that came out just so. Whoever goes on
// with a run verifies again, since the programs may be other files by now.
func (m *measurement) verified(v result.Verification) bool {
	text, err := json.Marshal(v)
	return err == nil && slices.ContainsFunc(m.records, func(r result.Record) bool {
		if r.Verification == nil {
			return false
		}
		stored, err := json.Marshal(r.Verification)
		return err == nil && bytes.Equal(stored, text)
	})
}

// build makes the runner of a group in all layouts, the ordinary one and random
// ones, and says what could not be built of what was selected. side is the label
// of a runner that is compared with another, or nothing.
func (a *app) build(ctx context.Context, group string, sel []*contender.Contender, layouts []uint64, v build.Variant, side string, p *progress) (*build.Runner, error) {
	r, err := build.Make(ctx, build.Options{Source: a.source, Cache: a.cacheDir(), Variant: v, Progress: p.build, Extra: a.own.extra()}, a.spec(group), layouts)
	if side != "" {
		side += ": "
	}
	if err != nil {
		p.clear()
		return nil, fmt.Errorf("%s%w", side, err)
	}
	p.built(r, group, len(layouts)-1)
	for _, c := range r.Changed {
		p.line("          %s%s", side, c)
	}
	if a.own == nil { // an answer lists them itself
		a.warnLeftOut(r, sel, side)
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
	r := m.at.runner(m.run.Seed)
	r.Data = m.app.own.timed()
	return r
}

// runner returns how the party's processes are started.
func (p party) runner(seed uint64) drive.Runner {
	return drive.Runner{
		Binary: func(layout uint64) drive.Binary { return drive.Binary{Path: p.Path(layout)} },
		Limits: drive.Limits{Memory: memoryLimit, Answer: answerLimit, Hang: hangLimit},
		Seed:   seed,
	}
}

// measure takes every pass of the run: verify, calibrate, count, launches and
// those that were asked for, one party after the other. It leaves the run
// unfinished when it returns an error; all that was measured until then is
// stored.
func (m *measurement) measure(ctx context.Context, sel plan.Selection) error {
	outcomes, err := m.outcome(sel.Outcomes)
	if err != nil {
		return err
	}
	more, err := m.outcome(m.runners.failed(plan.Without(m.run.Plan.Cases, outcomes)))
	if err != nil {
		return err
	}
	live := plan.Without(m.run.Plan.Cases, append(append(outcomes, more...), m.stored()...))
	rest := len(live)
	m.all = rest
	if len(m.run.Plan.Seeds) == 0 {
		m.began = time.Now()
	}
	if rest > 0 && m.run.Plan.Rounds == 0 && !m.began.IsZero() {
		m.progress.line("plan      %s", phasesOf(m.run.Plan, live))
	}
	for _, p := range m.runners {
		own := m.runners.cases(live, p.group)
		if len(own) == 0 {
			continue
		}
		m.at = p
		m.open(len(own), rest)
		rest -= len(own)
		if err := m.measureParty(ctx, own); err != nil {
			return err
		}
	}
	for _, v := range m.visitors {
		own := m.runners.cases(live, v.about.Group)
		if len(own) == 0 {
			continue
		}
		m.at = party{v.about.Group, m.runners[0].Runner}
		m.open(len(own), rest)
		rest -= len(own)
		if err := m.measureVisitor(ctx, v, own); err != nil {
			return err
		}
	}
	return m.store.Finish(m.run)
}

// measureParty takes every pass of the cases of one party.
func (m *measurement) measureParty(ctx context.Context, live []result.Case) error {
	live, err := m.verify(ctx, live)
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
	for _, c := range live {
		if common(c.Contender) && (c.Mode == "" || compresses(c.Op)) {
			m.shared = append(m.shared, c)
		}
	}
	if err := m.launch(ctx, live, calibrations); err != nil {
		return err
	}
	m.remember()
	live = plan.Without(plan.Without(live, m.stored()), m.run.Plan.Untimed)
	return m.further(ctx, live, calibrations)
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
	if m.app.own != nil {
		return m.verifyOwn(ctx, live)
	}
	res, err := verify.Run(ctx, verify.Config{
		Runner: m.drive(), Cases: live, Losses: losses(), ModeLosses: modeLosses(), Formats: formats(contenders.All()),
	}, m.sink, m.progress.event)
	if err != nil {
		return nil, err
	}
	return res.Cases, nil
}

// known returns every contender that there is by name, those that need a .proto
// file of the user's without one: they have no code, and are of the format that
// they have where that says nothing else.
func known() []*contender.Contender { return slices.Concat(contenders.All(), ownproto.All()) }

// losses returns the declared losses of each contender.
func losses() map[string][]string {
	out := map[string][]string{}
	for _, c := range known() {
		for _, l := range c.Losses {
			out[c.Name] = append(out[c.Name], string(l))
		}
	}
	return out
}

// modeLosses returns what the modes of contenders lose besides.
func modeLosses() map[result.Subject][]string {
	out := map[result.Subject][]string{}
	for _, c := range known() {
		for _, m := range c.Modes {
			for _, l := range m.Losses {
				out[result.Subject{Contender: c.Name, Mode: m.Key}] = append(out[result.Subject{Contender: c.Name, Mode: m.Key}], string(l))
			}
		}
	}
	return out
}

// formats returns the format of each of the contenders.
func formats(all []*contender.Contender) map[string]string {
	out := map[string]string{}
	for _, c := range all {
		out[c.Name] = c.Format
	}
	return out
}

// calibrate fixes the batch of each case, or takes it from the records of the
// run that is resumed, so that its samples can be compared with the new ones.
func (m *measurement) calibrate(ctx context.Context, live []result.Case) (map[result.Case]result.Calibration, []result.Case, error) {
	return m.calibrateIn(ctx, m.drive(), live)
}

// calibrateIn is calibrate in a runner.
func (m *measurement) calibrateIn(ctx context.Context, in drive.Runner, live []result.Case) (map[result.Case]result.Calibration, []result.Case, error) {
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
		Runner: in, Cases: missing,
		BatchNS: plan.Batch.BatchNS, MinOps: plan.Batch.MinOps, MaxNS: plan.Batch.MaxNS,
	}, m.sink, m.event)
	for c, cal := range found {
		known[c] = cal
	}
	return known, plan.Without(live, outcomes), err
}

func (m *measurement) count(ctx context.Context, live []result.Case, calibrations map[result.Case]result.Calibration) ([]result.Case, error) {
	return m.countIn(ctx, m.drive(), live, calibrations, nil)
}

// numbersTypes says that what a contender writes depends on what its process did
// before.
func numbersTypes(name string) bool {
	return slices.ContainsFunc(known(), func(c *contender.Contender) bool { return c.Name == name && c.NumbersTypes })
}

// guestCount is about how long the ops of one count of a guest may take: its counts
// need not be exact.
const guestCount = 20 * time.Millisecond

// countIn is count in a runner, whose counts check may find to be wrong.
func (m *measurement) countIn(ctx context.Context, in drive.Runner, live []result.Case, calibrations map[result.Case]result.Calibration, check func(result.Case, int, bench.Counted) string) ([]result.Case, error) {
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
		Runner: in, Cases: missing, Check: check, Apart: numbersTypes,
		Ops: func(c result.Case) int {
			if !in.Guest {
				return 1 // a pass over the inputs
			}
			return max(1, min(1000, int(float64(guestCount)/max(1, calibrations[c].NS))))
		},
	}, m.sink, m.event)
	return plan.Without(live, outcomes), err
}

// launch takes the launches of the run, with their controls and floors.
func (m *measurement) launch(ctx context.Context, live []result.Case, calibrations map[result.Case]result.Calibration) error {
	live = plan.Without(live, m.run.Plan.Untimed)
	live = append(m.beside(live), live...)
	floors, err := m.floors(ctx, live)
	if err != nil {
		return err
	}
	p := m.run.Plan
	// The controls and floors take about a fifth of the time.
	schedule := plan.Of(m.request(live, calibrations, m.share(launchesPass)*4/5))
	if err := m.inTime(schedule); err != nil {
		return err
	}
	own := slices.DeleteFunc(schedule.Outcomes, func(o result.Outcome) bool { return m.runners.of(o.Case) != m.at.group })
	if err := m.slow(own); err != nil {
		return err
	}
	cfg := drive.LaunchesConfig{Runner: m.drive(), Pace: m.pace()}
	for _, c := range schedule.Cells {
		cfg.Cells = append(cfg.Cells, drive.Cell{Cell: c.Cell, Cases: m.controlled(c, floors), Warmup: c.Warmup, Rounds: c.Rounds, Launches: c.Launches})
	}
	if len(cfg.Cells) == 0 {
		return nil // everything failed before
	}
	m.progress.schedule(schedule, len(p.Layouts))
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

// request asks for a schedule of the run's launches within a budget.
func (m *measurement) request(cases []result.Case, calibrations map[result.Case]result.Calibration, budget time.Duration) plan.Request {
	p := m.run.Plan
	return plan.Request{
		Cases: cases, Calibrations: calibrations, Overheads: m.overheads(cases, calibrations),
		Budget: budget, Asked: p.Budget, Layouts: len(p.Layouts), Least: analysis.LeastLayouts + 1, Rounds: p.Rounds, Keep: m.keeps, Together: m.together(),
	}
}

// keeps says which cases are measured however slow they are: those of the
// reference and of what the user has, and, of built-in workloads, the default modes
// of every contender at the first size of each workload, by plan.Prime.
func (m *measurement) keeps(c result.Case) bool {
	if c.Mode != "" && !compresses(c.Op) {
		return false
	}
	if c.Contender == m.run.Plan.Reference || c.Contender == m.have {
		return true
	}
	return m.plain() && c.Mode == "" && plan.Prime(m.app.own.workloads(), m.run.Plan.Cases, c)
}

// plain says that the run is of built-in workloads, for their tables and for no claim.
func (m *measurement) plain() bool { return m.run.Command() == "run" && !m.counts }

// together says which cases give way with their whole size: the default modes of
// built-in workloads. Nil where nobody asked for sizes.
func (m *measurement) together() func(result.Case) bool {
	if !m.plain() {
		return nil
	}
	return func(c result.Case) bool { return c.Mode == "" }
}

// inTime returns an error when the rounds that were asked for make a launch take
// longer than a process may take for an answer. Without it a case would be blamed.
func (m *measurement) inTime(s plan.Schedule) error {
	if m.run.Plan.Rounds == 0 {
		return nil
	}
	for _, c := range s.Cells {
		if c.Launch > answerLimit*4/5 { // its controls and floors take a fifth more
			return usagef("--rounds %d makes a launch of %s %s %s take about %v, more than the %v that it may: fewer rounds, or fewer cases",
				m.run.Plan.Rounds, c.Workload, c.Size, c.Op, c.Launch.Round(time.Second), answerLimit*4/5)
		}
	}
	return nil
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
		if c.Op == result.Encode || c.Op == result.Scan || compresses(c.Op) {
			ns += calibrations[c].NS
		}
		if c.Op != result.Encode && c.Op != result.Convert {
			encode := c
			encode.Op, encode.Mode = result.Encode, ""
			ns += calibrations[encode].NS
		}
		batches := min(1, allocated[c]*float64(calibrations[c].N)/garbage)
		out[c] = plan.Overhead{
			Launch: time.Duration(ns * float64(m.app.inputs(c.Workload, c.Size))),
			Batch:  time.Duration(batches * float64(collection)),
		}
	}
	return out
}

// inputs returns the number of distinct values of a workload's size.
func (a *app) inputs(workload, size string) int {
	for _, w := range a.own.workloads() {
		if w.Name == workload {
			if s, err := w.Size(size); err == nil {
				return s.Inputs()
			}
		}
	}
	return 1
}

// newRun returns the record of a run that is about to begin.
func (a *app) newRun(p result.Plan, seed uint64, runners parties) *result.Run {
	now := time.Now()
	return &result.Run{
		Schema: result.RunSchema, ID: result.NewID(now), Tool: toolVersion(), Args: a.args,
		Started: now, Seed: seed, Plan: p, Host: a.machine(), Build: runners.built(),
	}
}

// machine returns what is known of this machine, its best sentinel included.
func (a *app) machine() result.Host {
	h := host.Facts()
	h.SentinelBest = int64(host.Remember(a.cacheDir(), host.Key(h), 0))
	return h
}
