package measure

import (
	"context"
	"slices"
	"time"

	"assay/internal/analysis"
	"assay/internal/drive"
	"assay/internal/plan"
	"assay/result"
)

// launch takes the launches of the run, with their controls and floors.
func (m *Measurement) launch(ctx context.Context, live []result.Case, calibrations map[result.Case]result.Calibration) error {
	live = plan.Without(live, m.Run.Plan.Untimed)
	live = append(m.beside(live), live...)
	floors, err := m.floors(ctx, live)
	if err != nil {
		return err
	}
	m.cfg.end() // it is over before what follows is told
	p := m.Run.Plan
	// The controls and floors take about a fifth of the time.
	schedule := plan.Of(m.request(live, calibrations, m.share(launchesPass)*4/5))
	if err := m.inTime(schedule); err != nil {
		return err
	}
	late := slices.DeleteFunc(schedule.Outcomes, func(o result.Outcome) bool { return m.runners.of(o.Case) != m.at.group })
	if err := m.slow(late); err != nil {
		return err
	}
	cfg := drive.LaunchesConfig{Runner: m.drive(), Pace: m.pace()}
	for _, c := range schedule.Cells {
		c.Cases = m.controlled(c, floors)
		cfg.Cells = append(cfg.Cells, c)
	}
	if len(cfg.Cells) == 0 {
		return nil // everything failed before
	}
	m.replan(schedule, live)
	m.scheduled(schedule)
	done, err := drive.Launches(ctx, cfg, m.sink, m.event)
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
	return m.note("the budget of %v was over before every layout had its launch: the cell with fewest has %d of %d", p.Budget, least, len(p.Layouts))
}

// request asks for a schedule of the run's launches within a budget.
func (m *Measurement) request(cases []result.Case, calibrations map[result.Case]result.Calibration, budget time.Duration) plan.Request {
	p := m.Run.Plan
	return plan.Request{
		Cases: cases, Calibrations: calibrations, Overheads: m.overheads(cases, calibrations),
		Budget: budget, Asked: p.Budget, Layouts: len(p.Layouts), Least: analysis.LeastLayouts + 1, Rounds: p.Rounds, Keep: m.keeps, Always: m.compared, Together: m.together(),
	}
}

// keeps says which cases are measured however slow they are: those of the
// reference and of what the user has, and, of built-in workloads, the default modes
// of every contender at the first size of each workload, by plan.Prime.
func (m *Measurement) keeps(c result.Case) bool {
	if c.Mode != "" && !compresses(c.Op) {
		return false
	}
	if m.compared(c) {
		return true
	}
	return m.plain() && c.Mode == "" && plan.Prime(m.cfg.Input.Workloads(), m.Run.Plan.Cases, c)
}

// compared says that others are compared with the case: it is the reference's, or of
// what the user has.
func (m *Measurement) compared(c result.Case) bool {
	return c.Contender == m.Run.Plan.Reference || c.Contender == m.Have
}

// plain says that the run is of built-in workloads, for their tables and for no claim.
func (m *Measurement) plain() bool { return m.Run.Command() == "run" && !m.counts }

// together says which cases give way with their whole size: the default modes of
// built-in workloads. Nil where nobody asked for sizes.
func (m *Measurement) together() func(result.Case) bool {
	if !m.plain() {
		return nil
	}
	return func(c result.Case) bool { return c.Mode == "" }
}

// inTime returns an error when the rounds that were asked for make a launch take
// longer than a process may take for an answer. Without it a case would be blamed.
func (m *Measurement) inTime(s plan.Schedule) error {
	if m.Run.Plan.Rounds == 0 {
		return nil
	}
	for _, c := range s.Cells {
		if c.Launch > answerLimit*4/5 { // its controls and floors take a fifth more
			return refuse("--rounds %d makes a launch of %s %s %s take about %v, more than the %v that it may: fewer rounds, or fewer cases",
				m.Run.Plan.Rounds, c.Workload, c.Size, c.Op, c.Launch.Round(time.Second), answerLimit*4/5)
		}
	}
	return nil
}

// slow keeps why cases are too slow to be timed. Where counts are wanted of them,
// that is no outcome of the case but part of the plan.
func (m *Measurement) slow(outcomes []result.Outcome) error {
	if !m.counts || len(outcomes) == 0 {
		_, err := m.outcome(outcomes)
		return err
	}
	m.Run.Plan.Untimed = append(m.Run.Plan.Untimed, outcomes...)
	return m.store.Update(m.Run)
}

// A forced collection takes about that long.
const collection = 1500 * time.Microsecond

// allocated returns how many bytes an operation allocates, of the cases that were counted.
func (m *Measurement) allocated() map[result.Case]float64 {
	out := map[result.Case]float64{}
	for _, r := range m.Records {
		if c := r.Count; c != nil && c.Ops > 0 {
			out[c.Case] = float64(c.Bytes) / float64(c.Ops)
		}
	}
	return out
}

// overheads returns about what each case costs a launch besides its operations:
// the messages that it reads are encoded, where an operation returns a sum of
// its own each input is run once to know it, and what it allocates is collected.
func (m *Measurement) overheads(live []result.Case, calibrations map[result.Case]result.Calibration) map[result.Case]plan.Overhead {
	garbage := float64(footprintOf(m.Run.Plan))
	allocated := m.allocated()
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
			Launch: time.Duration(ns * float64(m.cfg.inputs(c.Workload, c.Size))),
			Batch:  time.Duration(batches * float64(collection)),
		}
	}
	return out
}

// scheduled tells what the launches will be; of none there is nothing to tell.
func (m *Measurement) scheduled(s plan.Schedule) {
	e := Scheduled{Cells: len(s.Cells), Time: extra(s.Time), Layouts: len(m.Run.Plan.Layouts), Fewest: len(m.Run.Plan.Layouts)}
	for _, c := range s.Cells {
		e.Cases += len(c.Cases)
		e.Fewest = min(e.Fewest, c.Launches)
	}
	if e.Cases > 0 {
		m.cfg.tell(e)
	}
}
