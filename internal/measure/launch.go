package measure

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/internal/analysis"
	"assay/internal/drive"
	"assay/internal/plan"
	"assay/result"
)

// launch runs the launches of the run, including controls and floors.
func (m *Measurement) launch(ctx context.Context, live []result.Case, calibrations map[result.Case]result.Calibration) error {
	live = plan.Without(live, m.Run.Plan.Untimed)
	live = append(m.beside(live), live...)
	floors, err := m.floors(ctx, live)
	if err != nil {
		return err
	}
	m.cfg.end() // it ends before the next events
	p := m.Run.Plan
	schedule := plan.Of(m.request(live, calibrations, floors, m.share(launchesPass)))
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
		return nil // every case failed before
	}
	m.longest(schedule)
	m.replan(schedule, live)
	m.scheduled(schedule)
	done, err := drive.Launches(ctx, cfg, m.sink, m.event)
	if err != nil {
		return err
	}
	least := len(p.Layouts)
	for _, n := range done.Launches {
		least = min(least, n)
	}
	text := ""
	if done.OverBudget && least < min(leastLaunches, len(p.Layouts)) {
		text = fmt.Sprintf("the budget of %s was over before every layout had its launch: at least %d of %d layouts, the ordinary one included, were measured in each table", plan.Brief(p.Budget), least, len(p.Layouts))
	}
	return m.noteOf(launchesPass, text)
}

// request returns the request for a schedule of the run's launches within a budget.
func (m *Measurement) request(cases []result.Case, calibrations, floors map[result.Case]result.Calibration, budget time.Duration) plan.Request {
	p := m.Run.Plan
	return plan.Request{
		Cases: cases, Calibrations: calibrations, Overheads: m.overheads(cases, calibrations, floors),
		Budget: budget, Asked: p.Budget, Layouts: len(p.Layouts), Least: analysis.LeastLayouts + 1, Rounds: p.Rounds, Keep: m.keeps, Always: m.compared, Together: m.together(),
		Subjects: p.Data != nil,
	}
}

// keeps says which cases are measured however slow they are: those of the reference and of the
// user's contender and, for built-in workloads, the default modes of every contender at the first
// size of each workload, see plan.Prime.
func (m *Measurement) keeps(c result.Case) bool {
	if c.Mode != "" && !compresses(c.Op) {
		return false
	}
	if m.compared(c) {
		return true
	}
	return m.plain() && c.Mode == "" && plan.Prime(m.cfg.Input.Workloads(), m.Run.Plan.Cases, c)
}

// compared says whether others are compared with the case: it is the reference's, or that of the
// user's contender.
func (m *Measurement) compared(c result.Case) bool {
	return c.Contender == m.Run.Plan.Reference || c.Contender == m.Have
}

// plain says whether the run is for the tables of built-in workloads and not for claims.
func (m *Measurement) plain() bool { return m.Run.Command() == "run" && !m.Run.Plan.Counts }

// together says which cases are dropped only with their whole size: the default modes of built-in
// workloads. It returns nil for other runs.
func (m *Measurement) together() func(result.Case) bool {
	if !m.plain() {
		return nil
	}
	return func(c result.Case) bool { return c.Mode == "" }
}

// inTime returns an error if the number of rounds that was asked for makes a launch take longer
// than a process may take for an answer. Otherwise the timeout would be blamed on a case.
func (m *Measurement) inTime(s plan.Schedule) error {
	if m.Run.Plan.Rounds == 0 {
		return nil
	}
	for _, c := range s.Cells {
		if c.Launch > answerLimit*4/5 { // it is an estimate
			return refuse("--rounds %d makes a launch of %s %s %s take about %v, more than the %v that it may: fewer rounds, or fewer cases",
				m.Run.Plan.Rounds, c.Workload, c.Size, c.Op, c.Launch.Round(time.Second), answerLimit*4/5)
		}
	}
	return nil
}

// slow stores why cases are too slow to be timed. If their counts are wanted, the reasons go into
// the plan, so that the cases have no outcome.
func (m *Measurement) slow(outcomes []result.Outcome) error {
	if !m.Run.Plan.Counts || len(outcomes) == 0 {
		_, err := m.outcome(outcomes)
		return err
	}
	m.Run.Plan.Untimed = append(m.Run.Plan.Untimed, outcomes...)
	return m.store.Update(m.Run)
}

// A forced collection takes about this long, and collectionByte more nanoseconds for each byte of
// the values that the contenders of a launch hold.
const (
	collection     = 1500 * time.Microsecond
	collectionByte = 0.4
)

// holding returns about how many bytes of values the contenders of each cell hold in a launch.
// Each contender has its own copy.
func (m *Measurement) holding(cases []result.Case) map[result.Cell]int64 {
	out := map[result.Cell]int64{}
	for _, c := range cases {
		out[c.Cell()] += m.cfg.bytes(c.Workload, c.Size)
	}
	return out
}

// allocated returns how many bytes an operation allocates, for each case that was counted.
func (m *Measurement) allocated() map[result.Case]float64 {
	out := map[result.Case]float64{}
	for _, r := range m.Records {
		if c := r.Count; c != nil && c.Ops > 0 {
			out[c.Case] = float64(c.Bytes) / float64(c.Ops)
		}
	}
	return out
}

// A batch takes this many times as long in a launch, beside others that use the caches, as when
// it is sized alone. The factor of a floor, which only uses memory, is larger.
const (
	company      = 1.4
	floorCompany = 3
	// loadByte is how long a launch takes to read a byte of a user's records, in ns.
	loadByte = 100
)

// overheads returns about what each case costs a launch in addition to its operations. The
// messages that it reads are encoded. If an operation returns its own sum, each input is run once
// to learn the sum. Its allocations are collected, and others slow it down. If there are floors,
// a launch also contains them and a second copy of the reference.
func (m *Measurement) overheads(live []result.Case, calibrations, floors map[result.Case]result.Calibration) map[result.Case]plan.Overhead {
	garbage := float64(footprintOf(m.Run.Plan))
	allocated := m.allocated()
	held := m.holding(live)
	out := map[result.Case]plan.Overhead{}
	for _, c := range live {
		cal := calibrations[c]
		var once, read float64
		inputs := m.cfg.inputs(c.Workload, c.Size)
		if c.Op == result.Encode || c.Op == result.Scan || compresses(c.Op) {
			once += cal.NS
		}
		if c.Op != result.Encode && c.Op != result.Convert {
			encode := c
			encode.Op, encode.Mode = result.Encode, ""
			once += calibrations[encode].NS
		}
		collect := float64(collection) + collectionByte*float64(held[c.Cell()])
		collected := min(1, allocated[c]*float64(cal.N)/garbage) * collect
		own := cal.NS * float64(cal.N)
		batch := collected + (company-1)*own
		if f, ok := floors[c]; ok { // counted in half of the rounds; see floorEvery
			batch += floorCompany * f.NS * float64(f.N) / 2
		}
		if floors != nil && c.Contender == m.Run.Plan.Reference && c.Mode == "" { // its control, and all values are read
			batch += collected + company*own
			if m.Run.Plan.Data != nil {
				read = loadByte * float64(m.cfg.size(c.Workload, c.Size).Bytes) * float64(inputs)
			}
		}
		out[c] = plan.Overhead{Launch: time.Duration(read), Input: time.Duration(once), Inputs: inputs, Batch: time.Duration(batch)}
	}
	return out
}

// scheduled reports the coming launches, unless there are none.
func (m *Measurement) scheduled(s plan.Schedule) {
	e := Scheduled{Cells: len(s.Cells), Time: s.Time, Layouts: len(m.Run.Plan.Layouts), Fewest: len(m.Run.Plan.Layouts)}
	for _, c := range s.Cells {
		e.Cases += len(c.Cases)
		e.Fewest = min(e.Fewest, c.Launches)
	}
	if e.Cases > 0 {
		m.cfg.tell(e)
	}
}
