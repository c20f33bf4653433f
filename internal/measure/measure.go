package measure

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"assay/bench"
	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/drive"
	"assay/internal/plan"
	"assay/internal/verify"
	"assay/result"
)

// Limits of a runner process.
const (
	memoryLimit = 6 << 30          // bytes of resident memory
	spareLimit  = 1 << 30          // bytes that a case may add, besides a multiple of its values' size
	answerLimit = 60 * time.Second // for one answer
	hangLimit   = 12 * time.Second // without a sign of life
	// outsideLimit is for one answer of an external contender, which may set a longer limit. It
	// gives no sign of life, and its commands are short.
	outsideLimit = 15 * time.Second
)

// A Measurement is a run in progress: its plan, its store, and its records so far.
type Measurement struct {
	// Run has the plan. Records are all records of the run, including those of an earlier
	// attempt.
	Run     *result.Run
	Records []result.Record
	// Externals are the external contenders.
	Externals Externals
	// Have is the contender that the user has, which is never dropped for lack of time; empty:
	// unknown.
	Have string

	cfg     *Config
	store   *store          // nil: nothing is stored
	trips   map[string]bool // results of round trips that are stored, as text; nil: not collected yet
	sel     plan.Selection
	runners runners
	// at is the runner that is being measured, until is the end of its time, and whole is its
	// part of the budget. began is the beginning of measuring the run, and all the number of its
	// cases. began is zero if the budget is for launches alone.
	at           runner
	until, began time.Time
	whole        time.Duration
	all          int
	moving       sync.Mutex // held while until and began are moved
	// shared are the cases of the reference's default mode and of the floor that passed in the
	// first runner. The other runners measure their cases together with them.
	shared []result.Case
	// gauge judges the precision of the cells while they are measured.
	gauge analysis.Gauge
	// side is the label of the version whose round trips and outcomes are stored, in a comparison
	// of versions; empty: they belong to both versions, or there is no comparison.
	side string
	// phases are the phases of the plan, and pass is the current further pass.
	phases []plan.Phase
	pass   string
	// linking says that layouts are being linked in parallel with untimed work.
	linking bool
	// costs are the known costs of steps, and meter measures the costs in this run.
	costs plan.Costs
	meter plan.Meter
	// versions are the runners of a run that compares versions. m.runners has the first one.
	versions []runner
	// untrue is the first impossible answer of the current external contender; nil: there was
	// none.
	untrue *drive.Untrue
}

// event handles an event of a pass.
func (m *Measurement) event(e drive.Event) {
	m.meters(e)
	switch e := e.(type) {
	case drive.Untrue:
		if m.untrue == nil {
			m.untrue = &e
		}
	case drive.PassStarted:
		m.cfg.begin(PhaseBegan{Phase: e.Pass, Total: e.Total, Planned: m.planned(e.Pass)})
	case drive.LaunchDone:
		m.cfg.tell(LaunchDone{Cell: e.Cell, Done: e.Done, Total: e.Total, Left: e.Left, Widest: e.Widest, Run: m.Run, Records: m.Records})
	default:
		m.cfg.driving(e)
	}
}

// sink stores a record and appends it to Records. A Measurement without a store, such as
// doctor's, only appends it.
func (m *Measurement) sink(r result.Record) error { return m.sinkAll(r) }

// sinkAll is sink for records that belong together: a resumed run has all of them or none.
func (m *Measurement) sinkAll(records ...result.Record) error {
	var kept []result.Record
	for _, r := range records {
		if r, ok := m.complete(r); ok {
			kept = append(kept, r)
		}
	}
	m.Records = append(m.Records, kept...)
	if m.store == nil {
		return nil
	}
	return m.store.Append(kept...)
}

// complete fills in the fields of a record that the pass does not know. It returns false for a
// record that is already stored.
func (m *Measurement) complete(r result.Record) (result.Record, bool) {
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
	return r, r.Verification == nil || !m.verified(*r.Verification)
}

// verified says whether the same result of a round trip is stored already. A resumed run verifies
// again, because the programs may have changed.
func (m *Measurement) verified(v result.Verification) bool {
	if m.trips == nil {
		m.trips = map[string]bool{}
		for _, r := range m.Records {
			if r.Verification != nil {
				m.trips[tripText(*r.Verification)] = true
			}
		}
	}
	text := tripText(v)
	stored := m.trips[text]
	m.trips[text] = true
	return stored
}

// tripText returns a result of a round trip as text, without when it was found.
func tripText(v result.Verification) string {
	v.Earlier = time.Time{}
	text, _ := json.Marshal(v) // it has no values that JSON cannot hold
	return string(text)
}

// Measure runs every pass of the run: verifying, calibrating, counting, the launches and the
// passes that were asked for, one runner after the other. If it returns an error, the run is
// unfinished, and everything that was measured before is stored.
func (m *Measurement) Measure(ctx context.Context) error {
	defer m.cfg.end()
	outcomes, err := m.outcome(m.sel.Outcomes)
	if err != nil {
		return err
	}
	more, err := m.outcome(m.runners.failed(plan.Without(m.Run.Plan.Cases, outcomes)))
	if err != nil {
		return err
	}
	live := plan.Without(m.Run.Plan.Cases, append(append(outcomes, more...), m.stored()...))
	if m.Run.Plan.Stream != nil {
		return m.streams(ctx, live)
	}
	rest := len(live)
	m.all = rest
	if len(m.Run.Plan.Sources) == 0 || m.Run.Plan.Quick {
		m.began = time.Now()
	}
	if rest > 0 && m.Run.Plan.Rounds == 0 && !m.began.IsZero() {
		m.costs = m.cfg.Costs()
		m.phases = m.cfg.Phases(m.Run.Plan, live, m.spared(live))
		m.cfg.tell(Planned{m.phases})
	}
	for _, r := range m.runners {
		cases := m.runners.cases(live, r.group)
		if len(cases) == 0 {
			continue
		}
		m.at = r
		m.open(len(cases), rest)
		rest -= len(cases)
		if err := m.measureRunner(ctx, cases); err != nil {
			return err
		}
	}
	for _, x := range m.Externals {
		cases := m.runners.cases(live, x.About.Group)
		if len(cases) == 0 {
			continue
		}
		m.at = runner{group: x.About.Group, Runner: m.runners[0].Runner}
		m.open(len(cases), rest)
		rest -= len(cases)
		if err := m.measureExternal(ctx, x, cases); err != nil {
			return err
		}
	}
	m.learn()
	return m.store.Finish(m.Run)
}

// measureRunner runs every pass of the cases of one runner.
func (m *Measurement) measureRunner(ctx context.Context, live []result.Case) error {
	stop := m.ahead(ctx)
	live, err := m.verify(ctx, live)
	stop() // the next pass measures times
	if err != nil {
		return err
	}
	calibrations, live, err := m.calibrate(ctx, live)
	if err != nil {
		return err
	}
	stop = m.ahead(ctx)
	live, err = m.count(ctx, live, calibrations)
	stop()
	if err != nil {
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
	live = plan.Without(plan.Without(live, m.stored()), m.Run.Plan.Untimed)
	return m.further(ctx, live, calibrations)
}

// outcome stores the outcomes that are not stored yet, and returns all of them.
func (m *Measurement) outcome(outcomes []result.Outcome) ([]result.Outcome, error) {
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
func (m *Measurement) stored() []result.Outcome {
	var out []result.Outcome
	for _, r := range m.Records {
		if r.Outcome != nil && r.Outcome.Side == "" {
			out = append(out, *r.Outcome)
		}
	}
	return out
}

// verify verifies every value of the input: the timed values in every mode and, if there are too
// many other values for one process, these in blocks.
func (m *Measurement) verify(ctx context.Context, live []result.Case) ([]result.Case, error) {
	cfg := m.tripsOf(live)
	res, err := verify.Run(ctx, cfg.Config, m.sink, m.event)
	if err != nil || cfg.All {
		return res.Cases, err
	}
	return m.verifyBlocks(ctx, cfg.Config, res.Cases)
}

// A trips is how the timed values are verified. All says that there are no other values.
type trips struct {
	verify.Config
	All bool
}

// tripsOf returns how cases are verified in the current runner. Results of earlier runs are
// reused.
func (m *Measurement) tripsOf(live []result.Case) trips {
	cfg := trips{Config: m.verification(live)}
	cfg.All = m.cfg.Input.trips(&cfg.Config)
	cfg.Memory = m.memory(cfg.Runner)
	return cfg
}

// verification returns how cases are verified in the current runner.
func (m *Measurement) verification(live []result.Case) verify.Config {
	return verify.Config{
		Runner: m.drive(), Cases: live, Losses: losses(), ModeLosses: modeLosses(), Formats: formats(m.cfg.Input.Contenders()),
		Width: drive.Width(),
	}
}

// calibrate determines the batch size of each case. A resumed run takes it from its records, so
// that old and new samples can be compared.
func (m *Measurement) calibrate(ctx context.Context, live []result.Case) (map[result.Case]result.Calibration, []result.Case, error) {
	return m.calibrateIn(ctx, m.drive(), live)
}

// calibrateIn is calibrate with a given runner.
func (m *Measurement) calibrateIn(ctx context.Context, in drive.Runner, live []result.Case) (map[result.Case]result.Calibration, []result.Case, error) {
	known := map[result.Case]result.Calibration{}
	for _, r := range m.Records {
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
	found, outcomes, err := m.size(ctx, in, missing, "")
	for c, cal := range found {
		known[c] = cal
	}
	return known, plan.Without(live, outcomes), err
}

func (m *Measurement) count(ctx context.Context, live []result.Case, calibrations map[result.Case]result.Calibration) ([]result.Case, error) {
	return m.countIn(ctx, m.drive(), live, calibrations, nil)
}

// numbersTypes says whether the output of a contender depends on what its process did before.
func numbersTypes(name string) bool {
	return slices.ContainsFunc(Known(), func(c *contender.Contender) bool { return c.Name == name && c.NumbersTypes })
}

// externalCount is about how long the operations of one count of an external contender may take.
// Its counts need not be exact.
const externalCount = 20 * time.Millisecond

// countIn is count with a given runner. check says what is wrong with a count.
func (m *Measurement) countIn(ctx context.Context, in drive.Runner, live []result.Case, calibrations map[result.Case]result.Calibration, check func(result.Case, int, bench.Counted) string) ([]result.Case, error) {
	width := drive.Width()
	if in.External {
		width = 1 // it may use all CPUs by itself
	}
	done := map[result.Case]bool{}
	for _, r := range m.Records {
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
		Runner: in, Cases: missing, Check: check, Apart: numbersTypes, Width: width,
		Ops: func(c result.Case) int {
			if !in.External {
				return 1 // rounded up to a pass over the inputs
			}
			return max(1, min(1000, int(float64(externalCount)/max(1, calibrations[c].NS))))
		},
	}, m.sink, m.event)
	return plan.Without(live, outcomes), err
}
