package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

// counts returns a process's counts of steady work: 1000 operations in each count, at the given ns
// per operation, of which the collector takes the share.
func counts(name string, liveMB int, layout uint64, index int, share float64, ns ...float64) result.Record {
	s := &result.Steady{Case: caseOf(name), LiveMB: liveMB, Layout: layout, Index: index}
	for round, v := range ns {
		s.Round = append(s.Round, round)
		s.Ops = append(s.Ops, 1000)
		s.CPU = append(s.CPU, int64(1000*v))
		s.Wall = append(s.Wall, int64(900*v))
		s.Cycles = append(s.Cycles, 4)
		s.GCCPU = append(s.GCCPU, int64(1000*v*share))
	}
	return result.Record{Steady: s}
}

// measuredOf returns launches of json at 10 ns and gob at 40 ns, so that passes have a case to
// belong to.
func measuredOf(more ...result.Record) (*result.Run, []result.Record) {
	var records []result.Record
	for i := range 4 {
		records = append(records, launchOf(uint64(i+1), i, flat("json", 10, 12, 1), flat("gob", 40, 12, 1)))
	}
	return planOf("json", "gob"), append(records, more...)
}

func TestSteady(t *testing.T) {
	// The machine slows down from round to round; the ratio is 2 throughout.
	run, records := measuredOf(
		counts("json", 0, 1, 0, 0.1, 100, 110, 120), counts("gob", 0, 1, 0, 0.25, 200, 220, 240),
		counts("json", 0, 2, 1, 0.1, 130, 140, 150), counts("gob", 0, 2, 1, 0.25, 260, 280, 300),
		counts("json", 64, 1, 0, 0.5, 50), counts("gob", 64, 1, 0, 0.5, 150),
		counts("json", 64, 2, 1, 0.5, 50), counts("gob", 64, 2, 1, 0.5, 150),
		counts("json", 7, 1, 0, 0.5, 1), // a live heap that no metric asks for
	)
	table := only(t, Of(run, records, View{}))
	env := math.Exp(priorEnvironment)
	for _, test := range []struct {
		metric       string
		value, ratio float64
	}{{CPUTime, math.Sqrt(220 * 280), 2}, {CPUTimeLive, 150, 3}} {
		row, ok := table.Row(caseOf("gob"), test.metric)
		if !ok || math.Abs(row.Number.Value-test.value) > 1e-6 || row.N != 2 {
			t.Fatalf("%s: %v %v, n %d; want %v, n 2", test.metric, ok, row.Number, row.N, test.value)
		}
		want := &Interval{test.ratio, test.ratio / env, test.ratio * env}
		if diff := cmp.Diff(want, row.Ratio, near); diff != "" {
			t.Errorf("%s: ratio -want +got\n%s", test.metric, diff)
		}
		row, _ = table.Row(caseOf("json"), test.metric)
		if diff := cmp.Diff(&Interval{1, 1, 1}, row.Ratio); diff != "" {
			t.Errorf("%s of the reference: ratio -want +got\n%s", test.metric, diff)
		}
	}
	row, _ := table.Row(caseOf("gob"), GCShare)
	if diff := cmp.Diff(&Interval{0.25, 0.25, 0.25}, row.Number, near); diff != "" || row.N != 2 {
		t.Errorf("gc-share: n %d, -want +got\n%s", row.N, diff)
	}
	if len(table.Warnings) != 0 {
		t.Errorf("warnings %v", table.Warnings)
	}
}

// A count is compared with that of the reference in its own runner, and not with that of another group's
// runner, which counted at another time.
func TestSteadyOfGroups(t *testing.T) {
	of := func(group, contender string, layout uint64, index int, ns float64) result.Record {
		r := counts(contender, 0, layout, index, 0.1, ns)
		r.Steady.Group = group
		return r
	}
	run, records := measuredOf(
		of("", "json", 1, 0, 100), of("x", "json", 1, 0, 1000), of("x", "gob", 1, 0, 3000),
		of("", "json", 2, 1, 100), of("x", "json", 2, 1, 1000), of("x", "gob", 2, 1, 3000),
	)
	table := only(t, Of(run, records, View{}))
	row, ok := table.Row(caseOf("gob"), CPUTime)
	if !ok || row.Ratio == nil || math.Abs(row.Ratio.Value-3) > 1e-9 {
		t.Errorf("ratio %+v, want 3", row.Ratio)
	}
}

func TestDamagedSteady(t *testing.T) {
	tests := map[string]func(*result.Steady){
		"short":        func(s *result.Steady) { s.Ops = s.Ops[:2] },
		"no ops":       func(s *result.Steady) { s.Ops[0] = 0 },
		"no time":      func(s *result.Steady) { s.CPU[0] = 0 },
		"absurd round": func(s *result.Steady) { s.Round[0] = math.MaxInt },
		"collector":    func(s *result.Steady) { s.GCCPU[0] = -1 },
	}
	for name, damage := range tests {
		bad := counts("gob", 0, 1, 0, 0, 200, 200, 200, 200)
		damage(bad.Steady)
		run, records := measuredOf(counts("json", 0, 1, 0, 0, 100, 100, 100, 100), bad)
		table := only(t, Of(run, records, View{}))
		row, ok := table.Row(caseOf("gob"), CPUTime)
		if !ok || math.Abs(row.Ratio.Value-2) > 1e-9 {
			t.Errorf("%s: %v", name, row.Ratio)
		}
		if len(table.Warnings) != 1 || table.Warnings[0].Kind != Damaged {
			t.Errorf("%s: warnings %v", name, table.Warnings)
		}
	}
}

func TestOtherPasses(t *testing.T) {
	decode := result.Case{Workload: "w", Size: "n=1", Contender: "json", Op: result.Decode}
	run, records := measuredOf(
		result.Record{Cold: &result.Cold{Case: caseOf("json"), NS: []int64{900, 700, 800}}},
		result.Record{Cold: &result.Cold{Case: caseOf("json"), NS: []int64{100, 0, 850}}},
		result.Record{Peak: &result.Peak{Case: caseOf("json"), RSS: []int64{12e6, 14e6, 13e6, 30e6, 12e6}}},
		result.Record{Retained: &result.Retained{Case: decode, Messages: 64, Bytes: 6400, Encoded: 3200}},
	)
	r := Of(run, records, View{})
	for _, test := range []struct {
		of     result.Case
		metric string
		want   Interval
		n      int
	}{
		{caseOf("json"), ColdTime, Interval{800, 100, 900}, 5},
		{caseOf("json"), PeakRSS, Interval{13e6, 12e6, 30e6}, 5},
		{decode, LiveHeap, Interval{100, 100, 100}, 64},
	} {
		seen := 0
		for i := range r.Tables {
			row, ok := r.Tables[i].Row(test.of, test.metric)
			if r.Tables[i].Cell != test.of.Cell() {
				continue
			}
			seen++
			if !ok || *row.Number != test.want || row.N != test.n || row.Status != result.OK {
				t.Errorf("%s: %v %v n %d %s, want %v n %d", test.metric, ok, row.Number, row.N, row.Status, test.want, test.n)
			}
		}
		if seen != 1 {
			t.Errorf("%s: %d tables", test.metric, seen)
		}
	}
}

func TestScaling(t *testing.T) {
	scaling := func(goroutines int, wall ...int64) result.Record {
		return result.Record{Scaling: &result.Scaling{Case: caseOf("gob"), Goroutines: goroutines, CPUs: 4, N: 100, Wall: wall}}
	}
	// Two goroutines do twice the work in the same time, four in twice the time.
	run, records := measuredOf(scaling(4, 8000, 8000, 8000), scaling(1, 4000, 4000, 4000), scaling(2, 4000, 4000, 4000), scaling(8, -1))
	table := only(t, Of(run, records, View{}))
	var got []float64
	for _, row := range table.Scaling {
		got = append(got, float64(row.CPUs), row.Number.Value, row.SpeedUp.Value)
	}
	if diff := cmp.Diff([]float64{1, 40, 1, 2, 20, 2, 4, 20, 2}, got, near); diff != "" {
		t.Errorf("CPUs, ns and speed-up: -want +got\n%s", diff)
	}
	if row, _ := table.Row(caseOf("gob"), Time); row.CPUs != 0 || row.Number.Value < 39 {
		t.Errorf("the row of time is %+v", row)
	}

	run, records = measuredOf(scaling(2, 4000, 4000))
	if rows := only(t, Of(run, records, View{})).Scaling; len(rows) != 1 || rows[0].SpeedUp != nil {
		t.Errorf("without one goroutine: %+v", rows)
	}
}

func TestFloors(t *testing.T) {
	cell := func(op result.Op) result.Cell { return result.Cell{Workload: "w", Size: "n=1", Op: op} }
	series := func(contender, mode, role string, ns int64) result.Series {
		s := flat(contender, ns, 12, 1)
		s.Mode, s.Role = mode, role
		return s
	}
	var records []result.Record
	add := func(op result.Op, series ...result.Series) {
		for i := range 4 {
			records = append(records, result.Record{Launch: &result.Launch{Cell: cell(op), Layout: uint64(i + 1), Index: i, Series: series}})
		}
	}
	add(result.Encode, series("floor", "", "", 5), series("floor", "output=reuse", "", 4),
		series("own", "", "", 100), series("own", "", result.Floor, 10),
		series("none", "", "", 100), series("none", "output=reuse", "", 100))
	add(result.Decode, series("floor", "", "", 50), series("own", "", "", 100), series("own", "strings=alias,target=reuse", "", 60))
	add(result.Scan, series("floor", "", "", 6), series("own", "", "", 30))
	add(result.Convert, series("own", "", "", 30))
	run := planOf()
	r := Of(run, records, View{})
	tests := []struct {
		op              result.Op
		contender, mode string
		want            float64 // 0: none
	}{
		{result.Encode, "own", "", 10},
		{result.Encode, "none", "", 20},
		{result.Encode, "none", "output=reuse", 25},
		{result.Encode, "floor", "", 0},
		{result.Decode, "own", "", 2},
		{result.Decode, "own", "strings=alias,target=reuse", 10},
		{result.Scan, "own", "", 5},
		{result.Convert, "own", "", 0},
	}
	for _, test := range tests {
		seen := 0
		for i := range r.Tables {
			if r.Tables[i].Cell.Op != test.op {
				continue
			}
			seen++
			c := cell(test.op).Case(result.Subject{Contender: test.contender, Mode: test.mode})
			row, ok := r.Tables[i].Row(c, FloorRatio)
			if ok != (test.want != 0) || ok && math.Abs(row.Number.Value-test.want) > 1e-9 {
				t.Errorf("%s: %v, %v; want %v", c, ok, row.Number, test.want)
			}
		}
		if seen != 1 {
			t.Errorf("%s: %d tables", test.op, seen)
		}
	}
	// Without a scan, an aliasing decode has no floor.
	var kept []result.Record
	for _, r := range records {
		if r.Launch.Cell.Op == result.Decode {
			kept = append(kept, r)
		}
	}
	table := only(t, Of(planOf(), kept, View{}))
	if row, ok := table.Row(cell(result.Decode).Case(result.Subject{Contender: "own", Mode: "strings=alias,target=reuse"}), FloorRatio); ok {
		t.Errorf("aliasing decode without scan: %v", row.Number)
	}
}

// The intervals of steady counts from several layouts must cover the truth: those of the ratio and
// those of the collector's share.
func TestSteadyCoversTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 12))
	covered, shares := 0, 0
	const tries = 600
	for range tries {
		run, records := measuredOf()
		session := priorEnvironment / 1.96 * rng.NormFloat64()
		for index := range 6 {
			var json, gob, part []float64
			layout, drift := 0.03*rng.NormFloat64(), 0.0
			share := 0.3 + 0.03*rng.NormFloat64()
			for range 5 {
				drift += 0.03 * rng.NormFloat64()
				json = append(json, 100*math.Exp(drift+0.02*rng.NormFloat64()))
				gob = append(gob, 250*math.Exp(session+layout+drift+0.02*rng.NormFloat64()))
				part = append(part, share+0.02*rng.NormFloat64())
			}
			j, g := counts("json", 0, uint64(index+1), index, 0, json...), counts("gob", 0, uint64(index+1), index, 0, gob...)
			for i := range part {
				g.Steady.GCCPU[i] = int64(part[i] * float64(g.Steady.CPU[i]))
			}
			records = append(records, j, g)
		}
		table := only(t, Of(run, records, View{}))
		if row, _ := table.Row(caseOf("gob"), CPUTime); row.Ratio.Lo <= 2.5 && 2.5 <= row.Ratio.Hi {
			covered++
		}
		if row, _ := table.Row(caseOf("gob"), GCShare); row.Number.Lo <= 0.3 && 0.3 <= row.Number.Hi {
			shares++
		}
	}
	for name, n := range map[string]int{"ratio": covered, "share": shares} {
		if got := float64(n) / tries; got < 0.93 || got > 0.98 {
			t.Errorf("%.3f of the intervals of the %s cover the truth", got, name)
		}
	}
}

// Few counts of many contenders have intervals that cover the truth about as often as 95% says, and
// not more often: wider ones would leave open what the counts tell.
func TestFewCountsCoverTheTruth(t *testing.T) {
	long(t)
	names := []string{"json", "a", "b", "c", "d", "e"}
	for _, test := range []struct{ sets, rounds int }{{8, 1}, {4, 2}, {6, 1}} {
		rng := rand.New(rand.NewPCG(uint64(test.sets), 7))
		covered, all := 0, 0
		for range 200 {
			run, records := planOf(names...), []result.Record(nil)
			for i := range 4 {
				l := launchOf(uint64(i+1), i)
				for _, name := range names {
					l.Launch.Series = append(l.Launch.Series, flat(name, 10, 12, 1))
				}
				records = append(records, l)
			}
			for index := range test.sets {
				for _, name := range names {
					process := 0.03 * rng.NormFloat64()
					var ns []float64
					for range test.rounds {
						ns = append(ns, 100*math.Exp(process+0.03*rng.NormFloat64()))
					}
					records = append(records, counts(name, 0, uint64(index+1), index, 0.2, ns...))
				}
			}
			table := only(t, Of(run, records, View{}))
			for _, name := range names[1:] {
				row, _ := table.Row(caseOf(name), CPUTime)
				if all++; row.Ratio.Lo <= 1 && 1 <= row.Ratio.Hi {
					covered++
				}
			}
		}
		if got := float64(covered) / float64(all); got < 0.93 || got > 0.98 {
			t.Errorf("%d sets of %d: %.3f of the intervals cover the truth", test.sets, test.rounds, got)
		}
	}
}
