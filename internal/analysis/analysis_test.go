package analysis

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/result"
)

var near = cmp.Options{cmpopts.EquateApprox(1e-9, 1e-12), cmpopts.EquateNaNs()}

// flat returns a series without noise: rounds 0, every, 2·every … with ns per operation and 100
// operations a batch.
func flat(name string, ns int64, rounds, every int) result.Series {
	s := result.Series{Subject: result.Subject{Contender: name}, N: 100}
	for r := 0; r < rounds; r += every {
		s.Round = append(s.Round, r)
		s.Wall = append(s.Wall, 100*ns)
		s.CPU = append(s.CPU, 100*ns)
	}
	return s
}

func launchOf(layout uint64, index int, series ...result.Series) result.Record {
	return result.Record{Launch: &result.Launch{Cell: simCell, Layout: layout, Index: index, Series: series}}
}

func planOf(names ...string) *result.Run {
	run := &result.Run{ID: "r1", Finished: time.Unix(1, 0), Plan: result.Plan{Reference: "json"}}
	for _, name := range names {
		run.Plan.Cases = append(run.Plan.Cases, caseOf(name))
	}
	return run
}

func caseOf(name string) result.Case { return simCell.Case(result.Subject{Contender: name}) }

func only(t *testing.T, r *Results) Table {
	t.Helper()
	if len(r.Tables) != 1 {
		t.Fatalf("%d tables, want 1", len(r.Tables))
	}
	return r.Tables[0]
}

func TestStatuses(t *testing.T) {
	failed := result.Record{Verification: &result.Verification{
		Workload: "w", Size: "n=1", Subject: result.Subject{Contender: "bad"}, Reason: "items: 2 became 1"}}
	outcome := func(name string, s result.Status, reason string) result.Record {
		return result.Record{Outcome: &result.Outcome{Case: caseOf(name), Status: s, Reason: reason}}
	}
	count := func(name string) result.Record {
		return result.Record{Count: &result.Count{Case: caseOf(name), Ops: 10, Bytes: 80, Allocs: 20, Messages: 4, Encoded: 10}}
	}
	records := []result.Record{
		failed, count("bad"), count("late"), count("waiting"), count("rough"),
		launchOf(1, 0, flat("json", 10, 9, 1), flat("late", 5, 9, 1), flat("rough", 20, 9, 1)),
		launchOf(2, 1, flat("json", 10, 9, 1), flat("rough", 20, 9, 1)),
		outcome("late", result.Timeout, "first"),
		outcome("late", result.Panic, "died in round 3"),
		outcome("rough", result.Noisy, "±7%, asked for ±2%"),
		outcome("wide", result.Unsupported, "no uint64"),
	}
	run := planOf("json", "bad", "late", "rough", "wide", "waiting")
	tests := []struct {
		name, metric string
		status       result.Status
		reason       string
		number       bool
	}{
		{"json", Time, result.OK, "", true},
		{"bad", Time, result.Unverified, "items: 2 became 1", false},
		{"late", Time, result.Panic, "died in round 3", false},
		{"rough", Time, result.Noisy, "±7%, asked for ±2%", true},
		{"rough", Throughput, result.Noisy, "±7%, asked for ±2%", true},
		{"rough", AllocBytes, result.OK, "", true},
		{"wide", Time, result.Unsupported, "no uint64", false},
		{"waiting", Time, result.Timeout, "not measured: the budget ended before its first launch (raise --budget)", false},
		{"waiting", AllocBytes, result.OK, "", true},
	}
	table := only(t, Of(run, records, View{}))
	for _, test := range tests {
		row, ok := table.Row(caseOf(test.name), test.metric)
		if !ok {
			t.Errorf("%s has no row of %s", test.name, test.metric)
			continue
		}
		if row.Status != test.status || row.Reason != test.reason || (row.Number != nil) != test.number || result.Unlaunched(row.Status, row.Reason) != (test.name == "waiting" && test.metric == Time) {
			t.Errorf("%s %s: status %s, reason %q, number %v", test.name, test.metric, row.Status, row.Reason, row.Number)
		}
	}
	for _, name := range []string{"bad", "late", "wide"} {
		if _, ok := table.Row(caseOf(name), AllocBytes); ok {
			t.Errorf("%s failed and has a count", name)
		}
	}
	if want := run.Plan.Cases; !slices.Equal(table.Cases(), want) {
		t.Errorf("cases %v, want %v", table.Cases(), want)
	}

	run.Finished = time.Time{}
	r := Of(run, records, View{})
	row, _ := r.Tables[0].Row(caseOf("waiting"), Time)
	if want := "not measured: the run was interrupted (assay run --resume r1)"; row.Reason != want {
		t.Errorf("interrupted: reason %q, want %q", row.Reason, want)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Kind != Unfinished {
		t.Errorf("interrupted: warnings %v", r.Warnings)
	}
}

func TestReference(t *testing.T) {
	launch := func(names ...string) result.Record {
		var series []result.Series
		for _, name := range names {
			series = append(series, flat(name, 10, 9, 1))
		}
		return launchOf(1, 0, series...)
	}
	gone := result.Record{Outcome: &result.Outcome{Case: caseOf("json"), Status: result.OOM}}
	tests := []struct {
		name    string
		records []result.Record
		want    string
	}{
		{"the plan's", []result.Record{launch("floor", "gob", "json")}, "json"},
		{"the first measured", []result.Record{launch("floor", "xml", "gob")}, "gob"},
		{"not one that died", []result.Record{launch("json", "xml"), gone}, "xml"},
		{"never the floor", []result.Record{launch("floor")}, ""},
		{"nothing measured", nil, ""},
	}
	for _, test := range tests {
		table := only(t, Of(planOf("floor", "gob", "xml", "json"), test.records, View{}))
		got := ""
		if table.Reference != nil {
			got = table.Reference.String()
		}
		if got != test.want {
			t.Errorf("%s: reference %q, want %q", test.name, got, test.want)
		}
	}
}

func TestMetrics(t *testing.T) {
	records := []result.Record{
		launchOf(1, 0, flat("floor", 2, 12, 1), flat("json", 10, 12, 1), flat("gob", 40, 12, 3)),
		launchOf(2, 1, flat("floor", 2, 12, 1), flat("json", 10, 12, 1), flat("gob", 40, 12, 3)),
		launchOf(0, 2, flat("floor", 2, 12, 1), flat("json", 10, 12, 1), flat("gob", 30, 12, 3)),
		{Count: &result.Count{Case: caseOf("gob"), Ops: 64, Bytes: 640, Allocs: 96, Messages: 4, Encoded: 200}},
	}
	table := only(t, Of(planOf("floor", "json", "gob"), records, View{}))
	env := math.Exp(priorEnvironment)
	tests := []struct {
		name, metric string
		want         Interval
		n            int
	}{
		{"gob", Time, Interval{40, 40, 40}, 2},
		{"gob", Throughput, Interval{1.25e9, 1.25e9, 1.25e9}, 2},
		{"gob", AllocBytes, Interval{10, 10, 10}, 64},
		{"gob", Allocs, Interval{1.5, 1.5, 1.5}, 64},
		{"gob", EncodedSize, Interval{50, 50, 50}, 4},
		{"gob", FloorRatio, Interval{20, 20 / env, 20 * env}, 2},
		{"floor", Time, Interval{2, 2, 2}, 2},
	}
	for _, test := range tests {
		row, ok := table.Row(caseOf(test.name), test.metric)
		if !ok {
			t.Errorf("%s has no row of %s", test.name, test.metric)
			continue
		}
		if diff := cmp.Diff(test.want, *row.Number, near); diff != "" || row.N != test.n {
			t.Errorf("%s %s: n %d, -want +got\n%s", test.name, test.metric, row.N, diff)
		}
	}
	for _, c := range []struct{ name, metric string }{{"floor", FloorRatio}, {"json", Throughput}, {"json", Allocs}} {
		if _, ok := table.Row(caseOf(c.name), c.metric); ok {
			t.Errorf("%s has a row of %s", c.name, c.metric)
		}
	}
	row, _ := table.Row(caseOf("gob"), Time)
	if diff := cmp.Diff(&Interval{4, 4 / env, 4 * env}, row.Ratio, near); diff != "" {
		t.Errorf("ratio: -want +got\n%s", diff)
	}
	if diff := cmp.Diff(&Ordinary{Time: Interval{30, 30, 30}, Ratio: &Interval{3, 3 / env, 3 * env}}, row.Ordinary, near); diff != "" {
		t.Errorf("ordinary: -want +got\n%s", diff)
	}
	if want := []Launch{{1, 0, 400, 40}, {2, 1, 400, 40}}; !cmp.Equal(want, row.Launches, near) {
		t.Errorf("launches %v, want %v", row.Launches, want)
	}
	if table.Layouts != 2 {
		t.Errorf("%d layouts, want 2", table.Layouts)
	}
}

// A step of the clock frequency in the middle of a launch must not move the ratio, because all
// samples of a round share it.
func TestPairing(t *testing.T) {
	json, gob := flat("json", 100, 40, 1), flat("gob", 300, 40, 4)
	slow := func(s *result.Series) {
		for i, r := range s.Round {
			if r >= 17 {
				s.Wall[i], s.CPU[i] = 2*s.Wall[i], 2*s.CPU[i]
			}
		}
	}
	slow(&json)
	slow(&gob)
	table := only(t, Of(planOf("json", "gob"), []result.Record{launchOf(1, 0, json, gob)}, View{}))
	row, _ := table.Row(caseOf("gob"), Time)
	if math.Abs(row.Ratio.Value-3) > 1e-9 {
		t.Errorf("ratio %v, want 3", row.Ratio.Value)
	}
}

func TestClocks(t *testing.T) {
	// The wall clock says 30, the CPU clock 20 in the first `dirty` rounds.
	mixed := func(dirty int) result.Series {
		s := flat("gob", 20, 40, 1)
		for i := range dirty {
			s.Wall[i] = 100 * 30
		}
		return s
	}
	tests := []struct {
		name    string
		change  func(json, gob *result.Series)
		ratio   float64
		warning WarningKind // besides OneLaunch
	}{
		{"clean", func(_, _ *result.Series) {}, 2, ""},
		{"a few disturbed are left out", func(_, gob *result.Series) { *gob = mixed(25) }, 2, ""},
		{"too many disturbed", func(_, gob *result.Series) { *gob = mixed(31) }, 2, CPUTimes},
		{"a quarter is enough", func(_, gob *result.Series) { *gob = mixed(30) }, 2, ""},
		{"no CPU clock", func(json, gob *result.Series) {
			*gob = mixed(40)
			json.CPU, gob.CPU = nil, nil
		}, 3, NoCPUClock},
		{"a CPU clock that stands still", func(_, gob *result.Series) { clear(gob.CPU) }, 2, NoCPUClock},
	}
	for _, test := range tests {
		json, gob := flat("json", 10, 40, 1), flat("gob", 20, 40, 1)
		test.change(&json, &gob)
		table := only(t, Of(planOf("json", "gob"), []result.Record{launchOf(1, 0, json, gob)}, View{}))
		row, _ := table.Row(caseOf("gob"), Time)
		if math.Abs(row.Ratio.Value-test.ratio) > 1e-9 {
			t.Errorf("%s: ratio %v, want %v", test.name, row.Ratio.Value, test.ratio)
		}
		var kinds []WarningKind
		for _, w := range row.Warnings {
			kinds = append(kinds, w.Kind)
		}
		want := []WarningKind{test.warning, OneLaunch}
		if test.warning == "" {
			want = want[1:]
		}
		if !slices.Equal(kinds, want) {
			t.Errorf("%s: warnings %v, want %v", test.name, kinds, want)
		}
	}
}

func TestFewSamples(t *testing.T) {
	tests := []struct {
		rounds, launches int
		bounded          bool
		status           result.Status
	}{
		{1, 1, false, result.Noisy},
		{2, 1, true, result.OK},
		{1, 2, true, result.OK},
		{40, 1, true, result.OK},
	}
	for _, test := range tests {
		var records []result.Record
		for i := range test.launches {
			records = append(records, launchOf(uint64(i+1), i, flat("json", 10, test.rounds, 1)))
		}
		table := only(t, Of(planOf("json"), records, View{}))
		row := table.Rows[0]
		if row.Number.Bounded() != test.bounded || row.Status != test.status {
			t.Errorf("%d rounds, %d launches: %v, status %s", test.rounds, test.launches, row.Number, row.Status)
		}
	}
}

func TestDamagedSeries(t *testing.T) {
	tests := map[string]func(*result.Series){
		"short":          func(s *result.Series) { s.Wall = s.Wall[:9] },
		"short cpu":      func(s *result.Series) { s.CPU = s.CPU[:9] },
		"no batch":       func(s *result.Series) { s.N = 0 },
		"negative":       func(s *result.Series) { s.Wall[3] = -5 },
		"negative round": func(s *result.Series) { s.Round[3] = -1 },
		"absurd round":   func(s *result.Series) { s.Round[3] = math.MaxInt },
	}
	for name, damage := range tests {
		gob := flat("gob", 20, 20, 1)
		damage(&gob)
		records := []result.Record{launchOf(1, 0, flat("json", 10, 20, 1), gob), launchOf(2, 1, flat("json", 10, 20, 1), flat("gob", 20, 20, 1))}
		table := only(t, Of(planOf("json", "gob"), records, View{}))
		row, _ := table.Row(caseOf("gob"), Time)
		if row.Ratio == nil || math.Abs(row.Ratio.Value-2) > 1e-9 {
			t.Errorf("%s: ratio %v, want 2", name, row.Ratio)
		}
		if len(table.Warnings) != 1 || table.Warnings[0].Kind != Damaged {
			t.Errorf("%s: warnings %v", name, table.Warnings)
		}
	}
}

func TestControl(t *testing.T) {
	for _, test := range []struct {
		again int64
		warns bool
	}{{1000, false}, {1003, false}, {1020, true}} {
		var records []result.Record
		again := flat("json", test.again, 20, 1)
		again.Role = result.Control
		for i := range 5 {
			records = append(records, launchOf(uint64(i+1), i, flat("json", 1000, 20, 1), again))
		}
		table := only(t, Of(planOf("json"), records, View{}))
		if warns := len(table.Warnings) == 1 && table.Warnings[0].Kind == Control; warns != test.warns {
			t.Errorf("reference again at %d of 1000 ns: warnings %v", test.again, table.Warnings)
		}
	}
}

// Contenders of two runners never share a launch, but each shares launches with the reference. They
// are compared through it.
func TestTwoRunners(t *testing.T) {
	var records []result.Record
	for i := range 8 {
		records = append(records,
			launchOf(uint64(i+1), 2*i, flat("json", 100, 20, 1), flat("gob", 50, 20, 1)),
			launchOf(uint64(i+1), 2*i+1, flat("json", 110, 20, 1), flat("sonic", 22, 20, 1)))
	}
	table := only(t, Of(planOf("json", "gob", "sonic"), records, View{}))
	var got []string
	for _, p := range table.Ranking.Places {
		got = append(got, p.Contender)
	}
	if want := []string{"sonic", "gob", "json"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	if r := table.Ranking.Relation(0, 1); r != Faster {
		t.Errorf("relation of sonic to gob %v, want Faster", r)
	}
	if r := table.Ranking.Relation(1, 0); r != Slower {
		t.Errorf("relation of gob to sonic %v, want Slower", r)
	}
}

func TestRanking(t *testing.T) {
	var records []result.Record
	for i := range 8 {
		rough := flat("rough", 103, 20, 1)
		for j := range rough.Wall {
			f := int64(7 + (i*5+j*3)%7)
			rough.Wall[j] = rough.Wall[j] * f / 10
			rough.CPU[j] = rough.Wall[j]
		}
		records = append(records, launchOf(uint64(i+1), i, flat("json", 100, 20, 1), flat("close", 101, 20, 1),
			flat("last", 200, 20, 1), rough))
	}
	table := only(t, Of(planOf("json", "close", "last", "rough"), records, View{}))
	place := func(name string, rank int, shared, undecided bool, letters string) Place {
		return Place{result.Subject{Contender: name}, rank, shared, shared, undecided, letters}
	}
	want := []Place{place("json", 1, true, true, "a"), place("close", 1, true, true, "a"), place("rough", 1, true, true, "a"), place("last", 4, false, false, "b")}
	if diff := cmp.Diff(want, table.Ranking.Places); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// With four pairs, the procedure's limits on the sorted p-values are 1.25, 2.5, 3.75 and 5%. It
// must tell apart as many pairs as these limits allow, and the intervals of the returned confidence
// must exclude the margin for exactly those pairs.
func TestDecides(t *testing.T) {
	z := map[float64]float64{0.01: 2.5758, 0.02: 2.3263, 0.03: 2.1701, 0.04: 2.0537, 0.2: 1.2816, 0.5: 0.6745}
	for _, test := range []struct {
		name string
		p    []float64
		told int
		want float64
	}{
		{"none", []float64{0.2, 0.5, 0.2, 0.5}, 0, 0.9875},
		{"one", []float64{0.01, 0.2, 0.2, 0.2}, 1, 0.9875},
		{"one that is not certain enough", []float64{0.02, 0.2, 0.2, 0.2}, 0, 0.9875},
		{"three of which each helps the next", []float64{0.03, 0.01, 0.2, 0.02}, 3, 0.9625},
		{"all", []float64{0.03, 0.01, 0.04, 0.02}, 4, 0.95},
	} {
		t.Run(test.name, func(t *testing.T) {
			var estimates []estimate
			for i, p := range test.p {
				e := estimate{log: z[p] + margin, down: 1.96, up: 1.96, df: math.Inf(1)}
				if i%2 == 1 {
					e.log = -e.log
				}
				estimates = append(estimates, e)
			}
			level := decides(estimates, margin, falseShare)
			if math.Abs(level-test.want) > 1e-9 {
				t.Errorf("the confidence is %v, want %v", level, test.want)
			}
			told := 0
			for _, e := range estimates {
				if r := e.at(level).relation(margin); r == Faster || r == Slower {
					told++
				}
			}
			if told != test.told {
				t.Errorf("%d told apart, want %d", told, test.told)
			}
		})
	}
	if got := decides(nil, margin, falseShare); got != 0 {
		t.Errorf("without a pair: %v", got)
	}
}

// The interval that is printed decides, for every pair of every table.
func TestIntervalsDecide(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	seen := map[Relation]int{}
	for _, layouts := range []int{1, 2, 3, 5, 9} {
		w := lab
		w.ns, w.order, w.layouts = map[string]float64{}, nil, layouts
		for i := range 12 {
			name := string(rune('a' + i))
			w.ns[name], w.order = 100*math.Pow(1.01, float64(i*i)), append(w.order, name)
		}
		_, table := w.ratios(t, rng)
		r := &table.Ranking
		for i := range r.Places {
			for j := range r.Places {
				d, want := r.Difference(i, j), Unresolved
				switch band := math.Exp(margin); {
				case i == j, 1/band < d.Lo && d.Hi < band:
					want = Tied
				case d.Hi < 1/band:
					want = Faster
				case d.Lo > band:
					want = Slower
				}
				if got := r.Relation(i, j); got != want {
					t.Errorf("%d layouts: %v is called %v", layouts, d, got)
				}
				if got := r.NoSlower(i, j); got != (d.Hi < math.Exp(margin)) {
					t.Errorf("%d layouts: %v is called no slower: %v", layouts, d, got)
				}
				letters := strings.ContainsAny(r.Places[i].Letters, r.Places[j].Letters)
				if told := want == Faster || want == Slower; letters == told {
					t.Errorf("%d layouts: %v and the letters %s and %s", layouts, d, r.Places[i].Letters, r.Places[j].Letters)
				}
				seen[want]++
			}
		}
	}
	if seen[Faster] < 100 || seen[Faster] != seen[Slower] || seen[Tied] < 60 || seen[Unresolved] < 20 {
		t.Errorf("the relations seen are %v: some were hardly tried", seen)
	}
}

// The p-value and the interval must agree: 0.05 exactly when a bound is 0.
func TestP(t *testing.T) {
	for _, df := range []float64{1, 7, math.Inf(1)} {
		e := estimate{log: -0.3, down: 0.1, up: 0.3, df: df}
		if p := e.p(); math.Abs(p-0.05) > 1e-9 {
			t.Errorf("df %v: p = %v, want 0.05", df, p)
		}
	}
}

func TestView(t *testing.T) {
	records := []result.Record{launchOf(1, 0, flat("json", 10, 20, 1), flat("gob", 30, 20, 1), flat("floor", 1, 20, 1))}
	run := planOf("json", "gob", "floor")
	tests := []struct {
		name string
		view View
		want []string
	}{
		{"all", View{}, []string{"json", "gob", "floor"}},
		{"include", View{Contender: Match{Include: regexp.MustCompile("gob|floor")}}, []string{"gob", "floor"}},
		{"exclude", View{Contender: Match{Exclude: regexp.MustCompile("json")}}, []string{"gob", "floor"}},
		{"default mode", View{Mode: Match{Include: regexp.MustCompile("^default$")}}, []string{"json", "gob", "floor"}},
		{"no such mode", View{Mode: Match{Include: regexp.MustCompile("reuse")}}, nil},
		{"no such op", View{Op: Match{Include: regexp.MustCompile("decode")}}, nil},
		{"no such size", View{Size: Match{Exclude: regexp.MustCompile("n=")}}, nil},
	}
	for _, test := range tests {
		r := Of(run, records, test.view)
		var got []string
		for _, table := range r.Tables {
			for _, c := range table.Cases() {
				got = append(got, c.Contender)
				if row, _ := table.Row(c, Time); c.Contender == "gob" && math.Abs(row.Ratio.Value-3) > 1e-9 {
					t.Errorf("%s: the view changed gob's ratio to %v", test.name, row.Ratio.Value)
				}
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestTableOrder(t *testing.T) {
	run := planOf()
	for _, c := range []result.Cell{
		{Workload: "w2", Size: "s", Op: result.Decode}, {Workload: "w2", Size: "s", Op: result.Encode},
		{Workload: "w1", Size: "s", Op: result.Decode}, {Workload: "w2", Size: "r", Op: result.Encode},
	} {
		run.Plan.Cases = append(run.Plan.Cases, c.Case(result.Subject{Contender: "json"}))
	}
	var got []string
	for _, table := range Of(run, nil, View{}).Tables {
		got = append(got, table.Cell.Workload+table.Cell.Size+string(table.Cell.Op))
	}
	if want := []string{"w2sencode", "w2sdecode", "w1sdecode", "w2rencode"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

func TestEveryWarningIsExplained(t *testing.T) {
	for _, kind := range []WarningKind{CPUTimes, NoCPUClock, OneLaunch, OneLayout, FewSamples, Misreads, Control, Damaged, Unfinished, TwoSides, AcrossRuns, FewLayouts, RunNote, OtherThreads, Waits, Leaves, Impossible, BelowFloor, SeenBefore, CountVaries} {
		if WarningText[kind] == "" {
			t.Errorf("%s is not explained", kind)
		}
	}
	for _, m := range Metrics {
		if m.Text == "" || m.Title == "" || m.Unit == "" {
			t.Errorf("metric %q is not explained", m.Name)
		}
		if got, ok := MetricNamed(m.Name); !ok || got.Name != m.Name {
			t.Errorf("MetricNamed(%q) = %v, %v", m.Name, got.Name, ok)
		}
	}
}

// Two subjects that are not the reference are compared as paired. The floor has no place in the
// ranking, so it is compared through the reference.
func TestBetween(t *testing.T) {
	var records []result.Record
	for layout := range uint64(4) {
		// A slow machine slows all contenders alike.
		slow := int64(100 + 40*(layout%2))
		records = append(records, launchOf(layout+1, int(layout), flat(Floor, slow/10, 9, 1), flat("json", 4*slow, 9, 1), flat("gob", 2*slow, 9, 1), flat("xml", 6*slow, 9, 1)))
	}
	table := only(t, Of(planOf(Floor, "json", "gob", "xml"), records, View{}))
	for _, test := range []struct {
		a, b string
		want float64
	}{{"xml", "gob", 3}, {"gob", "xml", 1.0 / 3}, {"gob", "json", 0.5}, {"gob", "gob", 1}, {"xml", Floor, 60}} {
		got, ok := table.Between(result.Subject{Contender: test.a}, result.Subject{Contender: test.b})
		if !ok || math.Abs(got.Value-test.want) > 0.01*test.want || got.HalfWidth() > 0.02 {
			t.Errorf("%s over %s: %v, %v; want %v", test.a, test.b, got, ok, test.want)
		}
	}
	if got, ok := table.Between(result.Subject{Contender: "gob"}, result.Subject{Contender: "yaml"}); ok {
		t.Errorf("a subject that was not measured: %v", got)
	}
}

func TestQuotient(t *testing.T) {
	got := Interval{6, 5, 7}.Quotient(Interval{2, 2, 2})
	if diff := cmp.Diff(Interval{3, 2.5, 3.5}, got, near); diff != "" {
		t.Errorf("by an exact number (-want +got):\n%s", diff)
	}
	if got := (Interval{6, 0, math.Inf(1)}).Quotient(Interval{2, 1, 3}); got.Value != 3 || got.Bounded() {
		t.Errorf("without bounds: %v", got)
	}
}

// A case that is counted but not timed has its counts, and the plan's reason for its missing time.
func TestUntimed(t *testing.T) {
	run := planOf("json", "gob")
	run.Plan.Untimed = []result.Outcome{{Case: caseOf("gob"), Status: result.Timeout, Reason: "not timed"}}
	records := []result.Record{
		launchOf(1, 0, flat("json", 10, 9, 1)),
		{Count: &result.Count{Case: caseOf("gob"), Ops: 10, Bytes: 80, Allocs: 20, Messages: 4, Encoded: 10}},
	}
	table := only(t, Of(run, records, View{}))
	clock, _ := table.Row(caseOf("gob"), Time)
	if clock.Status != result.Timeout || clock.Reason != "not timed" || clock.Number != nil {
		t.Errorf("time: %+v", clock)
	}
	if allocs, ok := table.Row(caseOf("gob"), Allocs); !ok || allocs.Number.Value != 2 {
		t.Errorf("allocs: %+v", allocs)
	}
}
