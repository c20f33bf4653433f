package analysis

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/result"
)

func TestLook(t *testing.T) {
	same := func(name string, ns int64) func(int) result.Series {
		return func(int) result.Series { return flat(name, ns, 20, 1) }
	}
	varying := func(name string, ns int64, percent int64) func(int) result.Series {
		return func(i int) result.Series { return flat(name, ns+ns*percent*int64(i%3-1)/100, 20, 1) }
	}
	tests := []struct {
		name     string
		launches int
		series   []func(int) result.Series
		narrow   bool
		coarse   bool
		widest   string
	}{
		{"no launch", 0, nil, false, false, ""},
		{"one launch", 1, []func(int) result.Series{same("json", 1000), same("gob", 2000)}, false, true, "gob"},
		{"only the reference", 8, []func(int) result.Series{same("json", 1000)}, true, false, ""},
		{"narrow", 8, []func(int) result.Series{same("json", 1000), same("gob", 2000)}, true, false, "gob"},
		{"the floor may be wide", 8, []func(int) result.Series{same("json", 1000), same("gob", 2000), varying("floor", 100, 20)}, true, false, "gob"},
		{"one row is wide", 8, []func(int) result.Series{same("json", 1000), same("gob", 2000), varying("xml", 3000, 5)}, false, true, "xml"},
		{"narrow and coarse", 8, []func(int) result.Series{same("json", 1000), varying("gob", 2000, 2)}, true, true, "gob"},
		{"tied", 8, []func(int) result.Series{same("json", 1000), same("gob", 1010)}, true, false, "gob"},
	}
	for _, test := range tests {
		run := planOf("json", "gob", "xml", "floor", "never launched")
		var records []result.Record
		for i := range test.launches {
			var series []result.Series
			for _, s := range test.series {
				series = append(series, s(i))
			}
			records = append(records, launchOf(uint64(i+1), i, series...))
		}
		v := new(Gauge).Look(run, records, simCell, 0.02)
		if v.Narrow != test.narrow || v.Coarse != test.coarse || v.Widest.Contender != test.widest {
			t.Errorf("%s: %+v, want narrow %v, coarse %v, widest %q", test.name, v, test.narrow, test.coarse, test.widest)
		}
		if test.widest != "" && v.Launches != test.launches {
			t.Errorf("%s: %d launches, want %d", test.name, v.Launches, test.launches)
		}
	}
}

// A row whose launches agree by chance must not be narrow if the other rows show how much layouts
// matter.
func TestLookShrinks(t *testing.T) {
	var records []result.Record
	for i := range 8 {
		off := int64(i%3 - 1)
		records = append(records, launchOf(uint64(i+1), i, flat("json", 10000, 20, 1), flat("lucky", 20000, 20, 1),
			flat("x", 30000+1000*off, 20, 1), flat("y", 30000-1000*off, 20, 1), flat("z", 30000+800*off, 20, 1)))
	}
	a := gather(planOf("json", "lucky", "x", "y", "z"), records, "")
	rows := a.candidates(simCell, a.cells[simCell])
	halves := halfWidths(rows, a.cells[simCell].prior(), priorEnvironment)
	alone := halfWidths(rows[:1], prior{}, priorEnvironment)
	if halves[0] < 0.01 || alone[0] > 0.006 {
		t.Errorf("half-width %v beside others, %v alone", halves[0], alone[0])
	}
}

// Stopping when intervals are narrow on two looks in a row must not lower their coverage.
func TestStoppingKeepsCoverage(t *testing.T) {
	long(t)
	w := lab
	w.layouts = 32
	rng := rand.New(rand.NewPCG(13, 13))
	covered, tried, launches, stopped := 0, 0, 0, 0
	const tries, precision = 150, 0.02
	for range tries {
		run, records := w.run(rng)
		narrow, n := 0, len(records)
		for k := 8; k <= len(records); k++ {
			if new(Gauge).Look(run, records[:k], simCell, precision).Narrow {
				narrow++
			} else {
				narrow = 0
			}
			if narrow == 2 {
				n, stopped = k, stopped+1
				break
			}
		}
		launches += n
		run.Plan.Precision = precision
		r := Of(run, records[:n], View{})
		if n < len(records) && len(r.TooWide()) > 0 {
			t.Errorf("stopped after %d launches, and then %v is too wide", n, r.TooWide()[0].Case)
		}
		for _, name := range w.order[1:] {
			row, _ := r.Tables[0].Row(caseOf(name), Time)
			if truth := w.ns[name] / w.ns["a"]; row.Ratio.Lo <= truth && truth <= row.Ratio.Hi {
				covered++
			}
			tried++
		}
	}
	t.Logf("%d of %d stopped, after %.1f launches on average; %.3f covered", stopped, tries, float64(launches)/tries, float64(covered)/float64(tried))
	if stopped < tries/2 {
		t.Errorf("%d of %d runs stopped", stopped, tries)
	}
	if share := float64(covered) / float64(tried); share < 0.93 || share > 0.99 {
		t.Errorf("%.3f of the intervals cover the truth", share)
	}
}

// Going on after that does not lower the coverage either, because the rule looks only at widths. A
// rule that goes on until the two are told apart does lower it, which shows that the simulation can
// detect this.
func TestGoingOnForWidthKeepsCoverage(t *testing.T) {
	long(t)
	w := lab
	w.ns, w.order = map[string]float64{"a": 100, "b": 100}, []string{"a", "b"}
	w.layout, w.layouts, w.session = 0.02, 32, 0
	rules := map[string]func(v Precision, i Interval) bool{
		"width":        func(v Precision, _ Interval) bool { return v.Coarse },
		"significance": func(_ Precision, i Interval) bool { return i.Lo <= 1 && 1 <= i.Hi },
	}
	missed := map[string]float64{}
	const tries, least, block = 250, 8, 4
	for name, goOn := range rules {
		rng := rand.New(rand.NewPCG(14, 14))
		misses, launches := 0, 0
		for range tries {
			run, records := w.run(rng)
			at := func(n int) Interval {
				row, _ := Of(run, records[:n], View{}).Tables[0].Row(caseOf("b"), Time)
				return *row.Ratio
			}
			n := least
			for n < len(records) && goOn(new(Gauge).Look(run, records[:n], simCell, 0.02), at(n)) {
				n += block
			}
			launches += n
			if i := at(n); i.Lo > 1 || i.Hi < 1 {
				misses++
			}
		}
		missed[name] = float64(misses) / tries
		t.Logf("%s: %.3f of the intervals miss the truth, after %.1f launches on average", name, missed[name], float64(launches)/tries)
	}
	if missed["width"] > 0.05 || missed["significance"] < missed["width"]+0.03 {
		t.Errorf("%.3f of the intervals miss the truth by width, %.3f by significance", missed["width"], missed["significance"])
	}
}

func TestTooWide(t *testing.T) {
	var records []result.Record
	for i := range 8 {
		off := int64(i%3 - 1)
		records = append(records, launchOf(uint64(i+1), i, flat("json", 10000, 20, 1), flat("gob", 20000, 20, 1),
			flat("xml", 30000+1500*off, 20, 1), flat("floor", 1000+100*off, 20, 1)))
	}
	records = append(records, result.Record{Count: &result.Count{Case: caseOf("xml"), Ops: 1, Messages: 1, Encoded: 100}})
	run := planOf("json", "gob", "xml", "floor")
	if rows := Of(run, records, View{}).TooWide(); len(rows) != 0 {
		t.Errorf("no precision was asked, and %v is too wide", rows)
	}
	run.Plan.Precision = 0.02
	r := Of(run, records, View{})
	rows := r.TooWide()
	if len(rows) != 1 || rows[0].Case.Contender != "xml" || rows[0].Status != result.Noisy ||
		rows[0].Reason != "±3.6%, asked for ±2.0% (raise --budget)" || rows[0].Remedy != "raise --budget" || rows[0].Hopeless {
		t.Fatalf("too wide: %+v", rows)
	}
	if row, _ := r.Tables[0].Row(caseOf("xml"), FloorRatio); row.Status != result.Noisy || row.Number == nil {
		t.Errorf("what is made of it: %+v", row)
	}
	// Its counts are as exact as before, and the other contenders are as precise as asked.
	for _, row := range r.Tables[0].Rows {
		made := row.Metric == Time || row.Metric == Throughput || row.Metric == FloorRatio
		if wide := row.Case.Contender == "xml" && made && row.Number != nil; (row.Status == result.Noisy) != wide {
			t.Errorf("%s of %s is %s", row.Metric, row.Case, row.Status)
		}
	}
	run.Plan.Precision = 0.004 // less than what every run allows the machine
	for _, row := range Of(run, records, View{}).TooWide() {
		if !row.Hopeless || !strings.HasPrefix(row.Remedy, "no budget reaches it: ") {
			t.Errorf("±0.4%% of %s: %+v", row.Case, row)
		}
	}
	run.Plan.Precision = 0.2
	if rows := Of(run, records, View{}).TooWide(); len(rows) != 0 {
		t.Errorf("too wide for ±20%%: %v", rows)
	}
}

// What stops a cell is the interval that is printed, so a run that stopped has no row that is too
// wide.
func TestLookIsPrinted(t *testing.T) {
	var records []result.Record
	for i := range 8 {
		off := int64(i%3 - 1)
		records = append(records, launchOf(uint64(i+1), i, flat("json", 10000, 20, 1), flat("gob", 20000+150*off, 20, 1),
			flat("bin", 20000-50*off*off, 20, 1), flat("yaml", 50000-300*off, 20, 1), flat("xml", 30000+900*off, 20, 1)))
	}
	run := planOf("json", "gob", "bin", "yaml", "xml")
	v := new(Gauge).Look(run, records, simCell, 0.02)
	row, _ := Of(run, records, View{}).Tables[0].Row(v.Widest, Time)
	if v.Widest.Contender != "xml" || math.Abs(v.HalfWidth/row.Ratio.HalfWidth()-1) > 1e-9 {
		t.Errorf("looked at %+v, printed %v: ±%v", v, *row.Ratio, row.Ratio.HalfWidth())
	}
	for _, asked := range []float64{v.HalfWidth * 0.99, v.HalfWidth * 1.01} {
		run.Plan.Precision = asked
		narrow := new(Gauge).Look(run, records, simCell, asked).Narrow
		if tooWide := len(Of(run, records, View{}).TooWide()) > 0; narrow == tooWide || narrow != (asked > v.HalfWidth) {
			t.Errorf("asked for ±%v: narrow %v, too wide %v", asked, narrow, tooWide)
		}
	}
}

// BenchmarkLook looks at a long run of many subjects.
func BenchmarkLook(b *testing.B) {
	w := lab
	w.ns, w.order = maps.Clone(lab.ns), slices.Clone(lab.order)
	w.layouts, w.rounds = 32, 40
	for _, name := range []string{"d", "e", "f", "g", "h", "i", "j"} {
		w.ns[name] = 123
		w.order = append(w.order, name)
	}
	run, records := w.run(rand.New(rand.NewPCG(14, 14)))
	for b.Loop() {
		new(Gauge).Look(run, records, simCell, 0.02)
	}
}

func TestLookInfinite(t *testing.T) {
	if v := new(Gauge).Look(planOf("json"), nil, simCell, 0.02); !math.IsInf(v.HalfWidth, 1) || v.Narrow {
		t.Errorf("nothing measured: %+v", v)
	}
}

// The half-width that stops a cell must be that of the printed interval, whose environment term is
// from the whole run.
func TestLookAllowsForOtherCells(t *testing.T) {
	run := planOf("json", "gob")
	other := simCell
	other.Op = result.Decode
	for _, name := range []string{"json", "gob"} {
		run.Plan.Cases = append(run.Plan.Cases, other.Case(result.Subject{Contender: name}))
	}
	var records []result.Record
	for i := range 8 {
		records = append(records, launchOf(uint64(i+1), i, flat("json", 100_000, 20, 1), flat("gob", 200_000+int64(i%3), 20, 1)))
		again := flat("json", 102_000, 20, 1)
		again.Role = result.Control
		moved := launchOf(uint64(i+1), i, flat("json", 100_000, 20, 1), flat("gob", 200_000, 20, 1), again)
		moved.Launch.Cell = other
		records = append(records, moved)
	}
	all := gather(run, records, "")
	rows := all.candidates(simCell, all.cells[simCell])
	want := halfWidths(rows, all.cells[simCell].prior(), all.environment())[0]
	var g Gauge
	for _, key := range []result.Cell{other, simCell, simCell} { // in the order of launches
		got := g.Look(run, records, key, 0.02)
		if key == simCell && math.Abs(got.HalfWidth-want) > 1e-9 {
			t.Errorf("±%.4f, printed ±%.4f", got.HalfWidth, want)
		}
	}
	if got := new(Gauge).Look(run, records, simCell, 0.02); math.Abs(got.HalfWidth-want) > 1e-9 {
		t.Errorf("gone on with: ±%.4f, printed ±%.4f", got.HalfWidth, want)
	}
	own, kept := recordsOf(run, records, simCell)
	if alone := new(Gauge).Look(own, kept, simCell, 0.02); alone.HalfWidth > want/2 {
		t.Errorf("the cell alone is ±%.4f, both are ±%.4f: the other cell says too little", alone.HalfWidth, want)
	}
}
