package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

func compareOf(t *testing.T, a, b *Side) *Comparison {
	t.Helper()
	c, err := Compare(a, b, View{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// change returns the row of the contender of side A.
func (c *Comparison) change(t *testing.T, contender, metric string) Change {
	t.Helper()
	for _, row := range c.Rows {
		if row.A.Contender == contender && row.Metric == metric {
			return row
		}
	}
	t.Fatalf("no row of %s, %s", contender, metric)
	return Change{}
}

// runOf returns a run of 6 layouts with the given times of json and gob in ns.
func runOf(id string, json, gob int64, more ...result.Record) *Side {
	run := planOf("json", "gob")
	run.ID = id
	var records []result.Record
	for i := range 6 {
		records = append(records, launchOf(uint64(i+1), i, flat("json", json, 20, 1), flat("gob", gob+int64(i%2), 20, 1)))
	}
	return &Side{Label: id, Run: run, Records: append(records, more...)}
}

func TestCompareRuns(t *testing.T) {
	count := func(name string, allocs uint64) result.Record {
		return result.Record{Count: &result.Count{Case: caseOf(name), Ops: 10, Allocs: allocs, Messages: 1}}
	}
	tests := []struct {
		name      string
		json, gob int64 // in the second run; 1000 and 3000 in the first
		factor    float64
		verdict   Relation
		beyond    bool
	}{
		{"nothing", 1000, 3000, 1, Tied, false},
		{"the machine is slower", 1300, 3900, 1, Tied, false},
		{"slower", 1000, 3300, 1.1, Slower, true},
		{"faster on a slower machine", 1300, 3510, 0.9, Faster, true},
		{"certain but under 2%", 1000, 3045, 1.015, Slower, false},
	}
	for _, test := range tests {
		c := compareOf(t, runOf("monday", 1000, 3000, count("gob", 20), count("json", 20)),
			runOf("today", test.json, test.gob, count("gob", 30), count("json", 20)))
		row := c.change(t, "gob", Time)
		if row.Factor == nil || math.Abs(row.Factor.Value-test.factor) > 0.001 || row.Verdict != test.verdict || row.Beyond != test.beyond {
			t.Errorf("%s: %v, %v, beyond %v; want %v, %v, %v", test.name, row.Factor, row.Verdict, row.Beyond, test.factor, test.verdict, test.beyond)
		}
		if row := c.change(t, "json", Time); row.Factor != nil || !strings.Contains(row.Reason, "reference") {
			t.Errorf("%s: the reference: %+v", test.name, row)
		}
		if row := c.change(t, "gob", Allocs); row.Factor.Value != 1.5 || row.Verdict != Slower {
			t.Errorf("%s: allocs %v, %v", test.name, row.Factor, row.Verdict)
		}
		if row := c.change(t, "json", Allocs); row.Factor.Value != 1 || row.Verdict != Tied {
			t.Errorf("%s: allocs of json %v, %v", test.name, row.Factor, row.Verdict)
		}
		if len(c.Warnings) != 1 || c.Warnings[0].Kind != AcrossRuns {
			t.Errorf("%s: warnings %v", test.name, c.Warnings)
		}
	}
}

// Between two runs, CPU times have the same session term as times; within one run they have none.
func TestCompareRunsSession(t *testing.T) {
	side := func(id string, sentinel int64) *Side {
		var more []result.Record
		for i := range 6 {
			for _, mb := range []int{0, liveMB} {
				more = append(more, counts("json", mb, uint64(i+1), i, 0, 100, 100), counts("gob", mb, uint64(i+1), i, 0, 300, 300))
			}
		}
		s := runOf(id, 1000, 3000, more...)
		s.Run.Host.SentinelBest = 1000
		for _, r := range s.Records {
			if r.Launch != nil {
				r.Launch.Sentinel = []int64{sentinel}
			}
		}
		return s
	}
	quiet := compareOf(t, side("monday", 1000), side("today", 1000))
	busy := compareOf(t, side("monday", 1000), side("today", 1300)) // 2% more
	for _, metric := range []string{Time, CPUTime, CPUTimeLive} {
		a, b := quiet.change(t, "gob", metric).log, busy.change(t, "gob", metric).log
		if a == nil || b == nil {
			t.Fatalf("%s: %v and %v", metric, a, b)
		}
		if want := math.Hypot(a.up, 0.02); math.Abs(b.up-want) > 1e-6 {
			t.Errorf("%s: ±%v beside a quiet run's ±%v, want ±%v", metric, b.up, a.up, want)
		}
	}
	today := side("today", 1300)
	table := only(t, Of(today.Run, today.Records, View{}))
	row, _ := table.Row(caseOf("gob"), CPUTime)
	if half := math.Log(row.Ratio.Hi / row.Ratio.Value); math.Abs(half-priorEnvironment) > 1e-3 {
		t.Errorf("within a run: ±%v, want ±%v", half, priorEnvironment)
	}
}

// A run that was on a busy machine from end to end shows that only beside the other run's sentinel.
func TestCompareRunsSharesTheBestSentinel(t *testing.T) {
	side := func(id, cpu string, remembered, sentinel int64) *Side {
		s := runOf(id, 1000, 3000)
		s.Run.Host.CPU, s.Run.Host.SentinelBest = cpu, remembered
		for _, r := range s.Records {
			r.Launch.Sentinel = []int64{sentinel}
		}
		return s
	}
	const busy = "the sentinel took 1.30 times its best"
	tests := []struct {
		name  string
		a, b  *Side
		term  float64 // in addition to that of two quiet runs
		busyA bool
		busyB bool
	}{
		{"both quiet", side("monday", "x", 0, 1000), side("today", "x", 0, 1000), 0, false, false},
		{"the second busy", side("monday", "x", 0, 1000), side("today", "x", 0, 1300), 0.02, false, true},
		{"the first busy", side("monday", "x", 1300, 1300), side("today", "x", 0, 1000), 0.02, true, false},
		{"both busy, one remembers", side("monday", "x", 1000, 1300), side("today", "x", 0, 1300), math.Hypot(0.02, 0.02), true, true},
		{"another machine", side("monday", "x", 0, 1000), side("today", "y", 0, 1300), 0, false, false},
		{"no sentinel in one", side("monday", "x", 0, 0), side("today", "x", 0, 1300), 0, false, false},
	}
	quiet := compareOf(t, tests[0].a, tests[0].b).change(t, "gob", Time).log.up
	for _, test := range tests {
		c := compareOf(t, test.a, test.b)
		if got, want := c.change(t, "gob", Time).log.up, math.Hypot(quiet, test.term); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: ±%v, want ±%v", test.name, got, want)
		}
		for _, g := range []struct {
			grade *Grade
			busy  bool
		}{{c.GradeA, test.busyA}, {c.GradeB, test.busyB}} {
			if got := strings.Contains(strings.Join(g.grade.Reasons, "; "), busy); got != g.busy {
				t.Errorf("%s: reasons %q", test.name, g.grade.Reasons)
			}
		}
	}
}

func TestJudgeWorse(t *testing.T) {
	count := result.Record{Count: &result.Count{Case: caseOf("gob"), Ops: 10, Allocs: 0, Messages: 1}}
	more := result.Record{Count: &result.Count{Case: caseOf("gob"), Ops: 10, Allocs: 10, Messages: 1}}
	tests := []struct {
		gob   int64
		limit float64
		want  string
	}{
		{3000, 0.05, "allocs"},
		{3160, 0.05, "allocs"},                   // 5.3%: the interval reaches below 5%
		{3300, 0.05, "time allocs"},              // 10%
		{3300, 0.2, "allocs"},                    // from 0: more than any limit
		{2000, 0.05, "allocs"},                   // faster is no failure
		{3300, 0.0901, "time allocs"},            // 10 ± 0.7%
		{3300, 0.0950, "allocs"},                 // the interval reaches it
		{3000, -0.05, "time alloc-bytes allocs"}, // the limit asks for at least 5% faster
		{2000, -0.05, "alloc-bytes allocs"},      // and time is
		{3300, math.Inf(1), ""},                  // nothing fails
		{3300, math.NaN(), ""},                   // a NaN limit is exceeded by nothing
		{3000000000, 1000, "time allocs"},        // whatever the size
	}
	for _, test := range tests {
		c := compareOf(t, runOf("a", 1000, 3000, count), runOf("b", 1000, test.gob, more))
		var got []string
		for _, row := range c.Judge(test.limit).Worse {
			got = append(got, row.Metric)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("gob at %d, limit %v: %v fail, want %q", test.gob, test.limit, got, test.want)
		}
	}
}

// Counts that vary are compared with their bounds.
func TestCompareVaryingCounts(t *testing.T) {
	bytes := func(least, most uint64) result.Record {
		return result.Record{Count: &result.Count{Case: caseOf("gob"), Ops: 10, Bytes: least, MostBytes: most, Messages: 1}}
	}
	for _, test := range []struct {
		a, b    result.Record
		verdict Relation
		worse   bool
	}{
		{bytes(1000, 0), bytes(1000, 0), Tied, false},
		{bytes(1000, 1200), bytes(1100, 1300), Unresolved, false},
		{bytes(1000, 1200), bytes(1250, 0), Slower, false}, // not certainly more than 5% worse
		{bytes(1000, 1200), bytes(1300, 1500), Slower, true},
		{bytes(1300, 1500), bytes(1000, 1200), Faster, false},
	} {
		c := compareOf(t, runOf("a", 1000, 3000, test.a), runOf("b", 1000, 3000, test.b))
		row := c.change(t, "gob", AllocBytes)
		worse := slices.ContainsFunc(c.Judge(0.05).Worse, func(ch Change) bool { return ch.Metric == AllocBytes })
		if row.Verdict != test.verdict || worse != test.worse {
			t.Errorf("%v to %v: %v by %v, surely worse by 5%%: %t", row.ValueA, row.ValueB, row.Verdict, row.Factor, worse)
		}
	}
}

func TestCompareContenders(t *testing.T) {
	side := runOf("r", 1000, 3000,
		counts("json", 0, 1, 0, 0, 100, 100, 100, 100, 100, 100), counts("gob", 0, 1, 0, 0, 400, 400, 400, 400, 400, 400))
	a, b := *side, *side
	a.Label, a.Contender = "gob", "gob"
	b.Label, b.Contender = "json", "json"
	c := compareOf(t, &a, &b)
	row := c.change(t, "gob", Time)
	if row.B.Contender != "json" || row.Verdict != Faster || math.Abs(row.Factor.Value-1/3.0) > 1e-3 {
		t.Errorf("gob to json: %+v", row)
	}
	if row := c.change(t, "gob", CPUTime); row.Verdict != Faster || math.Abs(row.Factor.Value-0.25) > 1e-9 {
		t.Errorf("CPU time: %+v", row)
	}
	if len(c.Warnings) != 0 || len(c.OnlyA)+len(c.OnlyB) != 0 {
		t.Errorf("warnings %v, only %v and %v", c.Warnings, c.OnlyA, c.OnlyB)
	}
	// What only one of them has is named, and what a third contender has is not.
	more := *side.Run
	decode := func(name string) result.Case {
		one := caseOf(name)
		one.Op = result.Decode
		return one
	}
	more.Plan.Cases = append(slices.Clone(more.Plan.Cases), decode("gob"), decode("xml"))
	a.Run, b.Run = &more, &more
	c = compareOf(t, &a, &b)
	if diff := cmp.Diff([]result.Case{decode("gob")}, c.OnlyA); diff != "" || len(c.OnlyB) != 0 {
		t.Errorf("only with gob: -want +got\n%s; only with json: %v", diff, c.OnlyB)
	}
	a.Run = side.Run
	other := *side
	run := *side.Run
	run.ID = "another"
	other.Run, other.Contender = &run, "json"
	if _, err := Compare(&a, &other, View{}); err == nil || !strings.Contains(err.Error(), "two runs") {
		t.Errorf("contenders of two runs: %v", err)
	}
	if _, err := Compare(&a, side, View{}); err == nil {
		t.Error("a contender was compared with a run")
	}
}

func TestCompareWithoutNumbers(t *testing.T) {
	died := result.Record{Outcome: &result.Outcome{Case: caseOf("gob"), Status: result.Panic, Reason: "boom"}}
	c := compareOf(t, runOf("monday", 1000, 3000), runOf("today", 1000, 3000, died))
	if row := c.change(t, "gob", Time); row.Factor != nil || row.Reason != "today: panic: boom" || row.ValueA == nil || row.ValueB != nil {
		t.Errorf("one died: %+v", row)
	}
	c = compareOf(t, runOf("monday", 1000, 3000, died), runOf("today", 1000, 3000, died))
	if row := c.change(t, "gob", Time); row.Reason != "panic: boom" {
		t.Errorf("both died: %+v", row)
	}
	b := runOf("today", 1000, 3000)
	b.Run.Plan.Cases = append(b.Run.Plan.Cases, caseOf("xml"))
	c = compareOf(t, runOf("monday", 1000, 3000), b)
	if diff := cmp.Diff([]result.Case{caseOf("xml")}, c.OnlyB); diff != "" || len(c.OnlyA) != 0 {
		t.Errorf("only in today: -want +got\n%s", diff)
	}
	b = runOf("today", 1000, 3000)
	b.Run.Plan.Reference = "gob"
	c = compareOf(t, runOf("monday", 1000, 3000), b)
	if row := c.change(t, "gob", Time); row.Factor != nil || !strings.Contains(row.Reason, "different references: json and gob") {
		t.Errorf("two references: %+v", row)
	}
}

// versionsOf returns two versions in lock step. The machine slows down for both in the same way.
func versionsOf(gob int64, layoutsB int) (a, b *Side) {
	run := planOf("json", "gob")
	var records []result.Record
	for i := range 8 {
		for _, side := range []string{"v1", "v2"} {
			at := int64(3000)
			layout := uint64(i + 1)
			if side == "v2" {
				at, layout = gob, uint64(100+i%layoutsB)
			}
			at += at * int64(i) / 8
			r := launchOf(layout, i, flat("json", 1000, 20, 1), flat("gob", at, 20, 1))
			r.Launch.Side = side
			records = append(records, r)
		}
	}
	side := Side{Run: run, Records: records}
	x, y := side, side
	x.Label, x.Version = "v1", "v1"
	y.Label, y.Version = "v2", "v2"
	return &x, &y
}

// A change of versions must be more certain than another change, because most versions that are
// compared do not differ.
func TestVersionsNeedMoreCertainty(t *testing.T) {
	for _, test := range []struct {
		kind       ComparisonKind
		half       float64 // of the 95% interval of a change of 1%
		confidence float64
		verdict    Relation
	}{
		{OfRuns, 0.0095, 0.95, Slower}, {OfContenders, 0.0095, 0.95, Slower},
		{OfVersions, 0.0095, 0.98, Unresolved}, {OfVersions, 0.0080, 0.98, Slower},
	} {
		c := &Comparison{Kind: test.kind, Rows: []Change{{log: &estimate{log: 0.01, down: test.half, up: test.half, df: math.Inf(1)}}}}
		c.decide()
		row := c.Rows[0]
		if row.Verdict != test.verdict || math.Abs(c.Confidence-test.confidence) > 1e-9 || (row.Factor.Lo > 1) != (test.verdict == Slower) {
			t.Errorf("1%% ±%v of %s: %v with %v confidence, %v", test.half, test.kind, row.Verdict, c.Confidence, *row.Factor)
		}
	}
}

func TestCompareVersions(t *testing.T) {
	for _, test := range []struct {
		gob     int64
		verdict Relation
		beyond  bool
	}{{3000, Tied, false}, {3045, Slower, true}, {3024, Slower, false}, {2700, Faster, true}} {
		a, b := versionsOf(test.gob, 8)
		c := compareOf(t, a, b)
		row := c.change(t, "gob", Time)
		if row.Verdict != test.verdict || row.Beyond != test.beyond || math.Abs(row.Factor.Value-float64(test.gob)/3000) > 1e-3 {
			t.Errorf("gob at %d: %+v", test.gob, row)
		}
		if row := c.change(t, "json", Time); row.Verdict != Tied {
			t.Errorf("json: %+v", row)
		}
		if len(c.Warnings) != 0 {
			t.Errorf("warnings %v", c.Warnings)
		}
		if len(c.Rows) != 2 {
			t.Errorf("%d rows, want 2", len(c.Rows))
		}
	}
	// An outcome that ends a case on one side does not end it on the other.
	x, y := versionsOf(3000, 8)
	x.Records = append(x.Records, result.Record{Outcome: &result.Outcome{Case: caseOf("gob"), Side: "v2", Status: result.Panic, Reason: "boom"}})
	y.Records = x.Records
	if row := compareOf(t, x, y).change(t, "gob", Time); row.ValueA == nil || row.ValueB != nil || row.Reason != "v2: panic: boom" {
		t.Errorf("v2 died: %+v", row)
	}
	// A round trip that failed on one side does not fail on the other.
	x, y = versionsOf(3000, 8)
	x.Records = append(x.Records, result.Record{Verification: &result.Verification{Workload: simCell.Workload, Size: simCell.Size, Subject: result.Subject{Contender: "gob"}, Side: "v2", Reason: "boom"}})
	y.Records = x.Records
	if row := compareOf(t, x, y).change(t, "gob", Time); row.ValueA == nil || row.ValueB != nil || row.Reason != "v2: unverified: boom" {
		t.Errorf("v2 returns another value: %+v", row)
	}
	a, b := versionsOf(3000, 2)
	c := compareOf(t, a, b)
	if len(c.Warnings) != 1 || c.Warnings[0].Kind != FewLayouts || !strings.Contains(c.Warnings[0].Text, "v2 was measured in 2") {
		t.Errorf("two layouts: warnings %v", c.Warnings)
	}
	// The two layouts of v2 are the unit of replication.
	v1, v2 := gather(a.Run, a.Records, "v1"), gather(b.Run, b.Records, "v2")
	use, _ := versions(v1.cells[simCell], v2.cells[simCell], result.Subject{Contender: "gob"})
	if e := estimateOf(use); e.layouts != 2 {
		t.Errorf("%d layouts, want 2", e.layouts)
	}
	if v := new(Gauge).Look(a.Run, a.Records, simCell, 0.02); !v.Narrow || v.Launches != 8 || v.Coarse {
		t.Errorf("look at two versions: %+v", v)
	}
	// A plain view shows one version, and a warning says so.
	r := Of(a.Run, a.Records, View{})
	if len(r.Warnings) != 1 || r.Warnings[0].Kind != TwoSides || r.Tables[0].Layouts != 8 {
		t.Errorf("warnings %v", r.Warnings)
	}
}

// The numbers of each version are shown with what that version was built with. Runs of earlier versions of
// assay do not have the build of the second one.
func TestBuildsOfVersions(t *testing.T) {
	build := func(msgp, level string) result.Build {
		return result.Build{Go: "go1.26.8", GOAMD64: level, Modules: []result.Module{{Path: "github.com/tinylib/msgp", Version: msgp}}}
	}
	one, two := build("v1.3.0", "v1"), build("v1.3.1", "v3")
	a, b := versionsOf(3000, 8)
	a.Run.Build = one
	for _, test := range []struct {
		name          string
		second        *result.Build
		first, latter result.Build
		differs       []string
	}{
		{"both are stored", &two, one, two, []string{"msgp v1.3.0 → v1.3.1", "GOAMD64 v1 → v3"}},
		{"an older run", nil, one, result.Build{}, nil},
	} {
		a.Run.SecondBuild = test.second
		for side, want := range map[string]result.Build{"": test.first, "v1": test.first, "v2": test.latter} {
			if diff := cmp.Diff(want, Of(a.Run, a.Records, View{Side: side}).Run.Build); diff != "" {
				t.Errorf("%s: side %q: -want +got\n%s", test.name, side, diff)
			}
		}
		if diff := cmp.Diff(test.differs, compareOf(t, a, b).Differs); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
		if diff := cmp.Diff(one, a.Run.Build); diff != "" {
			t.Errorf("%s: the run itself has changed: -want +got\n%s", test.name, diff)
		}
	}
}

func TestDifferences(t *testing.T) {
	a := &result.Run{Seed: 1, Tool: "v1", Build: result.Build{Go: "go1.26.8", Modules: []result.Module{
		{Path: "github.com/tinylib/msgp", Version: "v1.3.0"}, {Path: "example.com/gone/v2", Version: "v2.0.0"}}}}
	b := &result.Run{Seed: 1, Tool: "v1", Build: result.Build{Go: "go1.26.8", GOEXPERIMENT: "jsonv2", Modules: []result.Module{
		{Path: "github.com/tinylib/msgp", Version: "v1.3.1"}}}}
	differs, oneSided, same := differences(a, b)
	if diff := cmp.Diff([]string{"msgp v1.3.0 → v1.3.1", "GOEXPERIMENT none → jsonv2"}, differs); diff != "" {
		t.Errorf("differs: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"gone v2.0.0 → none"}, oneSided); diff != "" {
		t.Errorf("of one side: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"host", "go", "seed"}, same); diff != "" {
		t.Errorf("same: -want +got\n%s", diff)
	}
}

// This simulates two runs of the same contenders in other layouts, with a change of 10%. Unchanged
// rows must rarely be flagged, and the intervals must cover the change.
func TestComparedRunsCoverTheTruth(t *testing.T) {
	long(t)
	for _, layouts := range []int{4, 8, 16} {
		t.Run(fmt.Sprintf("%d layouts", layouts), func(t *testing.T) {
			before, after := lab, lab
			before.layouts, after.layouts, after.first = layouts, layouts, 1000
			after.ns = map[string]float64{"a": 130, "b": 250 * 1.3, "c": 40 * 1.3 * 1.1}
			rng := rand.New(rand.NewPCG(15, 15))
			covered, flagged, ranked := 0, 0, 0
			const tries = 400
			for range tries {
				var sides []*Side
				for _, w := range []world{before, after} {
					run, records := w.run(rng)
					sides = append(sides, &Side{Label: "x", Run: run, Records: records})
				}
				c := compareOf(t, sides[0], sides[1])
				b, changed := c.change(t, "b", Time), c.change(t, "c", Time)
				if b.Factor.Lo > 1 || b.Factor.Hi < 1 {
					flagged++
				}
				if b.Verdict == Faster || b.Verdict == Slower {
					ranked++
				}
				if changed.Factor.Lo <= 1.1 && 1.1 <= changed.Factor.Hi {
					covered++
				}
			}
			t.Logf("flagged %d, with the margin %d, covered %d of %d", flagged, ranked, covered, tries)
			if share := float64(covered) / tries; share < 0.93 {
				t.Errorf("%.3f of the intervals cover the change", share)
			}
			if share := float64(flagged) / tries; share > 0.07 {
				t.Errorf("%.3f of the unchanged rows are flagged", share)
			}
		})
	}
}

// This simulates two versions of identical source in lock step, each with layouts of its own.
// Neighbours favour one process over another for the whole run: by 0.5%, which nothing shows, or by
// far more, which the control shows.
func TestComparedVersionsOfTheSameSource(t *testing.T) {
	long(t)
	for _, test := range []struct {
		layouts     int
		neighbours  float64
		controls    int // how many of the versions have a control
		mostFlagged float64
		leastShare  float64
	}{
		{4, priorEnvironment, 0, 0.07, 0.93},
		{8, priorEnvironment, 0, 0.07, 0.93},
		{8, priorEnvironment, 1, 0.07, 0.93},
		{8, priorEnvironment, 2, 0.07, 0.93},
		{8, 0, 1, 0.06, 0.94},
		{8, 0, 2, 0.06, 0.94},
		{8, 0.06, 1, 0.28, 0.76},
		{8, 0.06, 2, 0.20, 0.84},
	} {
		t.Run(fmt.Sprintf("%d layouts a side, neighbours ±%g%%, %d controls", test.layouts, 100*test.neighbours, test.controls), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(16, 16))
			flagged, covered := 0, 0
			const tries = 500
			for range tries {
				run := planOf("a", "b")
				var records []result.Record
				// What the neighbours do to one version but not to the other.
				session := test.neighbours / 1.96 * rng.NormFloat64()
				controls := []float64{test.neighbours / 1.96 * rng.NormFloat64(), test.neighbours / 1.96 * rng.NormFloat64()}
				for i := range test.layouts {
					w := lab
					w.order, w.session, w.controls = []string{"a", "b", "A", "B"}, 0, []string{"a", "A"}[:test.controls]
					w.ns = map[string]float64{"a": 100, "A": 100 * math.Exp(session), "b": 250, "B": 250 * 1.05 * math.Exp(session)}
					w.layouts = 1
					_, simulated := w.run(rng)
					l := simulated[0].Launch
					for k, side := range []string{"v1", "v2"} {
						two := *l
						two.Side, two.Index, two.Layout = side, i, uint64(1+100*k+i)
						two.Series = []result.Series{l.Series[2*k], l.Series[2*k+1]}
						for n, name := range []string{"a", "b"} {
							two.Series[n].Contender = name
						}
						if k < test.controls {
							again := l.Series[4+k]
							again.Contender = "a"
							factor := math.Exp(controls[k])
							again.CPU, again.Wall = times(again.CPU, factor), times(again.Wall, factor)
							two.Series = append(two.Series, again)
						}
						records = append(records, result.Record{Launch: &two})
					}
				}
				side := func(label string) *Side { return &Side{Label: label, Version: label, Run: run, Records: records} }
				c := compareOf(t, side("v1"), side("v2"))
				if f := c.change(t, "a", Time).Factor; f.Lo > 1 || f.Hi < 1 {
					flagged++
				}
				if f := c.change(t, "b", Time).Factor; f.Lo <= 1.05 && 1.05 <= f.Hi {
					covered++
				}
			}
			t.Logf("flagged %d, covered %d of %d", flagged, covered, tries)
			if share := float64(flagged) / tries; share > test.mostFlagged {
				t.Errorf("%.3f of the rows of the same source are flagged", share)
			}
			if share := float64(covered) / tries; share < test.leastShare {
				t.Errorf("%.3f of the intervals cover a change of 5%%", share)
			}
		})
	}
}

// times returns the times multiplied by a factor.
func times(ns []int64, factor float64) []int64 {
	out := make([]int64, len(ns))
	for i, v := range ns {
		out[i] = int64(float64(v) * factor)
	}
	return out
}
