package measure

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/internal/cachedir"
	"assay/internal/drive"
	"assay/internal/host"
	"assay/internal/plan"
	"assay/result"
)

// A pass gets a part of the time that is left or, if the budget is for launches alone, of the
// whole budget. Runners share the budget by their numbers of cases.
func TestShare(t *testing.T) {
	m := &Measurement{Run: &result.Run{Plan: result.Plan{Budget: 180 * time.Second, Also: []string{AlsoCPU}}}}
	if got := m.share(launchesPass); got != 100*time.Second {
		t.Errorf("of 180s for launches and CPU time launches get %v", got)
	}
	m.all = 100
	m.open(50, 100)
	if got := m.share(AlsoCPU); got != 40*time.Second {
		t.Errorf("of half of them CPU time gets %v", got)
	}
	near := func(got, want time.Duration) bool { return got > want-5*time.Second && got <= want }
	m.began = time.Now().Add(-time.Minute)
	m.open(50, 50)
	if got := m.share(launchesPass); !near(got, 67*time.Second) {
		t.Errorf("a minute later launches get %v of the two that are left", got)
	}
	if got := m.share(AlsoCPU); !near(got, 120*time.Second) {
		t.Errorf("CPU time, which is the last, gets %v of them", got)
	}
	m.began = time.Now().Add(-time.Hour)
	m.open(50, 50)
	if got := m.share(launchesPass); got != 12500*time.Millisecond {
		t.Errorf("when the time is over launches get %v, want a quarter of their part", got)
	}
	quick := result.Plan{Budget: 40 * time.Second, Quick: true, Also: []string{AlsoCPU}}
	if got := (&Measurement{Run: &result.Run{Plan: quick}}).share(launchesPass); got != 20*time.Second {
		t.Errorf("of a quick run launches get %v", got)
	}
}

// Processes that start at the same time may move the end concurrently.
func TestLaterSideBySide(t *testing.T) {
	began := time.Now()
	m := &Measurement{began: began, until: began}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				m.later(time.Millisecond)
			}
		})
	}
	wg.Wait()
	if moved := m.until.Sub(began); moved != 8*time.Second || !m.began.Equal(m.until) {
		t.Errorf("the end was moved by %v, and the beginning by %v, want 8s", moved, m.began.Sub(began))
	}
}

// Layouts that are linked later take no time from any pass.
func TestLater(t *testing.T) {
	m := &Measurement{Run: &result.Run{Plan: result.Plan{Budget: 180 * time.Second, Also: []string{AlsoCPU}}}, all: 1}
	m.began = time.Now().Add(-time.Minute)
	m.open(1, 1)
	before := m.share(launchesPass)
	m.later(30 * time.Second)
	if got := m.share(launchesPass) - before; got < 16*time.Second || got > 17*time.Second {
		t.Errorf("after 30s of building launches get %v more, want their share of them", got)
	}
	m.open(1, 1)
	if got := m.share(launchesPass) - before; got < 16*time.Second || got > 17*time.Second {
		t.Errorf("the next runner's launches get %v more", got)
	}
}

// The measured costs of steps are used by the next plan on this machine. They do not contain the
// names of a user's records.
func TestCostsAreLearned(t *testing.T) {
	cfg := &Config{Input: Builtin(), Cache: cachedir.In(t.TempDir())}
	for _, test := range []struct {
		data *result.Data
		step plan.Step
	}{
		{nil, plan.Step{Phase: plan.Counting, Workload: "orders", Size: "records=9"}},
		{&result.Data{Bytes: 5000, Records: 10, Measured: 10}, plan.Step{Phase: plan.Counting, Workload: "own", Size: "16.0 KiB,16.0 KiB"}},
	} {
		m := &Measurement{cfg: cfg, Run: &result.Run{Plan: result.Plan{Data: test.data}, Host: host.Facts()}}
		m.meters(drive.PassStarted{Pass: Counting})
		now := time.Now()
		m.meter.Begin(plan.Counting, now)
		for i := range 10 {
			c := anonymous(m.Run.Plan, result.Case{Workload: "orders", Size: "records=9", Op: result.Encode})
			m.meter.Done(c, 0, now.Add(time.Duration(i+1)*time.Second))
		}
		m.learn()
		if got := cfg.Costs()[test.step]; got != time.Second {
			t.Errorf("%v costs %v, want 1s; all are %v", test.step, got, cfg.Costs())
		}
		live := []result.Case{{Workload: "orders", Size: "records=9", Contender: "a", Op: result.Encode}, {Workload: "orders", Size: "records=9", Contender: "a", Op: result.Decode}}
		if got := cfg.Phases(m.Run.Plan, live, cfg.Costs())[2]; got.Name != "count" || got.Time != 2*time.Second {
			t.Errorf("two cases are planned to be counted in %+v, want 2s", got)
		}
	}
	if got := len(cfg.Costs()); got != 2 {
		t.Errorf("%d costs are known, want 2", got)
	}
}

// How long the longest launches take is known from earlier schedules: a long budget is not planned
// to be used up if the launches cannot use it. On a machine without one, it is.
func TestLaunchesAreLearned(t *testing.T) {
	var live []result.Case
	calibrations := map[result.Case]result.Calibration{}
	for i := range 4 {
		c := result.Case{Workload: "customer", Size: "level=2", Contender: fmt.Sprint("c", i), Op: result.Encode}
		live = append(live, c)
		calibrations[c] = result.Calibration{Case: c, N: 100, NS: 2000}
	}
	cfg := &Config{Input: Builtin(), Cache: cachedir.In(t.TempDir())}
	order := result.Plan{Budget: time.Hour, Layouts: make([]uint64, 100)}
	launches := func() time.Duration {
		phases := cfg.Phases(order, live, cfg.Costs())
		return phases[len(phases)-1].Time
	}
	// The values are 13 of 20 kB, and four cases take part in two launches of each layout.
	if got := launches() / (2 * 100 * 4); got < 300*time.Millisecond || got > 400*time.Millisecond {
		t.Errorf("a case is planned to take %v in launches that are not known, want 20 ms and 1.2 µs for each byte", got)
	}
	s := plan.Of(plan.Request{Cases: live, Calibrations: calibrations, Budget: 300 * time.Millisecond, Layouts: 8, Least: 5})
	if c := s.Cells[0]; c.Longest < c.Launch*3/2 || c.Rounds >= 40 {
		t.Fatalf("a launch of %d rounds takes %v, the longest %v: the test needs a budget that is too short for it", c.Rounds, c.Launch, c.Longest)
	}
	m := &Measurement{cfg: cfg, Run: &result.Run{Plan: order, Host: host.Facts()}}
	s.Cells[0].Longest = time.Second
	m.longest(s)
	m.learn()
	if got, want := launches(), 2*100*time.Second; got != want {
		t.Errorf("launches of 1s are planned to take %v, want %v", got, want)
	}
}

// While layouts are being linked, only the costs of round trips are learned.
func TestCostsBesideLinking(t *testing.T) {
	cfg := &Config{Cache: cachedir.In(t.TempDir())}
	m := &Measurement{cfg: cfg, Run: &result.Run{Host: host.Facts()}, linking: true}
	one := result.Case{Workload: "orders", Size: "records=9"}
	for _, pass := range []string{plan.Trips, plan.Counting} {
		m.meters(drive.PassStarted{Pass: pass})
		for range 10 {
			m.meters(drive.StepDone{Pass: pass, Case: one, Took: time.Second})
			m.meters(drive.StepDone{Pass: pass, Case: one, Took: time.Hour, Known: true})
			m.meters(drive.Waiting{})
		}
	}
	m.learn()
	want := plan.Costs{{Phase: plan.Trips, Workload: "orders", Size: "records=9"}: time.Second}
	if diff := cmp.Diff(want, cfg.Costs()); diff != "" {
		t.Errorf("the costs (-want +got):\n%s", diff)
	}
}

// A plan for a user's records depends on their bytes. If no cost is known for such a size, larger
// records take longer to verify and count, and records that are too many for one process take a
// part of the budget.
func TestPlansGoByBytes(t *testing.T) {
	cfg := &Config{}
	live := []result.Case{{Contender: "a", Op: result.Encode}, {Contender: "a", Op: result.Decode}}
	of := func(bytes, records int64, measured int) (verify, count, all time.Duration) {
		p := result.Plan{Budget: time.Minute, Layouts: []uint64{0, 1}, Data: &result.Data{Bytes: bytes, Records: records, Measured: measured}}
		phases := cfg.Phases(p, live, nil)
		for _, x := range phases {
			all += x.Time
		}
		return phases[0].Time, phases[2].Time, all
	}
	verify, count, _ := of(2000, 1, 1)
	largeVerify, largeCount, _ := of(2<<20, 1, 1)
	if largeVerify < 3*verify || largeCount < 3*count {
		t.Errorf("2 MiB are verified in %v and counted in %v, 2 kB in %v and %v", largeVerify, largeCount, verify, count)
	}
	manyVerify, manyCount, all := of(8<<30, 8<<20, 64)
	if manyCount > 2*count || manyVerify < 20*time.Second || manyVerify > 21*time.Second || all > time.Minute {
		t.Errorf("8 GiB of records are verified in %v and counted in %v, in all %v", manyVerify, manyCount, all)
	}
	p := result.Plan{Budget: time.Minute, Layouts: []uint64{0, 1}, Also: []string{AlsoCompressed}, Data: &result.Data{Bytes: 2 << 20, Records: 1, Measured: 1}}
	phases := cfg.Phases(p, live, nil)
	if last := phases[len(phases)-1]; last.Name != AlsoCompressed || last.Time < 100*time.Millisecond {
		t.Errorf("the last phase is %+v", last)
	}
}

// oneRecord is an input of one record of so many bytes.
type oneRecord struct {
	Input
	bytes int64
}

func (r oneRecord) data() *result.Data {
	return &result.Data{Bytes: r.bytes, Records: 1, Measured: 1}
}

// If verifying all modes of a large record would take most of the budget, only default modes and
// the ops encode and decode are kept, unless modes were chosen.
func TestModesGiveWay(t *testing.T) {
	var sel plan.Selection
	for i := range 20 {
		for _, mode := range []string{"", "output=reuse", "strings=alias"} {
			for _, op := range []result.Op{result.Encode, result.Decode, result.Open} {
				sel.Cases = append(sel.Cases, result.Case{Workload: "own", Size: "records=1", Contender: fmt.Sprint("c", i), Mode: mode, Op: op})
			}
		}
	}
	for _, test := range []struct {
		bytes  int64
		chosen bool
		budget time.Duration
		want   int
	}{
		{1000, false, 90 * time.Second, 180},
		{4 << 20, false, 90 * time.Second, 40},
		{4 << 20, true, 90 * time.Second, 180},
		{4 << 20, false, time.Hour, 180},
	} {
		cfg := &Config{Input: oneRecord{bytes: test.bytes}, Cache: cachedir.In(t.TempDir())}
		o := Order{Plan: result.Plan{Budget: test.budget, Cases: sel.Cases}, Selection: sel}
		cfg.Fit(&o, test.chosen)
		live := o.Selection.Live()
		if len(live) != test.want {
			t.Errorf("of %d bytes in %v, modes chosen: %v, %d cases are left, want %d", test.bytes, test.budget, test.chosen, len(live), test.want)
		}
		if len(o.Plan.Cases) != len(o.Selection.Cases) || o.Plan.Data == nil {
			t.Errorf("the plan has %d cases and the selection %d; data %v", len(o.Plan.Cases), len(o.Selection.Cases), o.Plan.Data)
		}
		for _, c := range o.Selection.Outcomes {
			if !strings.Contains(c.Reason, "--budget ") || c.Case.Mode == "" {
				t.Errorf("%v is left out: %s", c.Case, c.Reason)
			}
		}
	}
}

// Once the time of the launches is known, the new times of the phases are reported if they differ
// from the plan, and by how much the run is late.
func TestReplan(t *testing.T) {
	var said []string
	cfg := &Config{Listen: func(e Event) {
		if r, ok := e.(Replanned); ok {
			said = append(said, RestText(r.Phases, r.Left))
		}
	}}
	p := result.Plan{Budget: 180 * time.Second, Also: []string{AlsoCPU}}
	for range 7 {
		p.Layouts = append(p.Layouts, uint64(len(p.Layouts)))
	}
	live := make([]result.Case, 400)
	for i := range live {
		live[i] = result.Case{Workload: "w", Size: "s", Contender: string(rune('a' + i)), Op: result.Encode}
	}
	long := plan.Schedule{Time: 2 * time.Minute}
	for _, test := range []struct {
		name string
		left time.Duration
		s    plan.Schedule
		want string
	}{
		{"as planned", 171 * time.Second, long, ""},
		{"counting was slow", 90 * time.Second, long, "measure 50s, CPU time 40s: 1m30s more"},
		{"the budget is gone", -20 * time.Second, long, "measure 25s, CPU time 20s: 45s more, 1m5s over the budget"},
		{"launches are short", 171 * time.Second, plan.Schedule{Time: time.Second}, "measure 1m, CPU time 1m48s: 2m48s more"},
	} {
		said = nil
		m := &Measurement{cfg: cfg, Run: &result.Run{Plan: p}, runners: make(runners, 1), began: time.Now(), until: time.Now().Add(test.left)}
		m.phases = []plan.Phase{{Name: launchesPass, Time: 95 * time.Second}, {Name: AlsoCPU, Time: 76 * time.Second}}
		m.replan(test.s, live)
		if got := strings.Join(said, "; "); got != test.want {
			t.Errorf("%s: it says %q, want %q", test.name, got, test.want)
		}
	}
}

// A set of CPU time counts has one round, and two if there are few layouts.
func TestRoundsOf(t *testing.T) {
	for layouts, want := range map[int]int{1: 2, 2: 2, 4: 2, 5: 1, 17: 1} {
		if got := roundsOf(result.Plan{Layouts: make([]uint64, layouts)}); got != want {
			t.Errorf("%d layouts: %d rounds, want %d", layouts, got, want)
		}
	}
}

// METHODOLOGY states the weights of the passes.
func TestWeightsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../METHODOLOGY.md")
	if err != nil {
		t.Fatal(err)
	}
	quick := passesOf(result.Plan{Quick: true, Also: []string{AlsoCPU}})
	want := fmt.Sprintf("%d parts for launches, %d for `cpu` (%d with `--quick`), %d for `live64`, %d for `--cpus`, %d for `--footprint`, %d for `rss`, %d each for `cold` and `heap`",
		weights[launchesPass], weights[AlsoCPU], quick[1].Weight, weights[AlsoLive], weights[scalingPass], weights[footprintPass], weights[AlsoRSS], weights[AlsoCold])
	if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), want) {
		t.Errorf("METHODOLOGY does not say %q", want)
	}
}
