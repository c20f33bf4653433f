package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/texttab"
	"assay/result"
)

// broadRun returns a run of the default selection: five workloads, encode and decode, and 23
// contenders. One contender does not support one of the workloads, and one does not build.
func broadRun() (*result.Run, []result.Record) {
	f := &fixture{run: &result.Run{
		Schema: result.RunSchema, ID: "20260902-120000", Tool: "v0.3.0", Args: []string{"run"},
		Started: time.Date(2026, 9, 2, 12, 0, 0, 0, time.UTC), Finished: time.Date(2026, 9, 2, 12, 3, 0, 0, time.UTC),
		Plan: result.Plan{Budget: 3 * time.Minute, Reference: "encoding/json", Layouts: []uint64{0, 11, 12, 13, 14, 15}},
		Host: result.Host{SentinelBest: 905_000}, Build: result.Build{Go: "go1.26.8", Key: "k"},
	}}
	names := []string{"encoding/json", "encoding/gob", "encoding/xml", "floor"}
	for i := range 18 {
		names = append(names, fmt.Sprintf("library%02d/messages", i))
	}
	for w, at := range []struct{ workload, size string }{
		{"chain", "txs=100"}, {"customer", "level=2"}, {"movie", "record=one"}, {"sizes", "shape=single,struct=medium"}, {"tick", "payload=realistic"},
	} {
		for o, op := range []result.Op{result.Encode, result.Decode} {
			cell := result.Cell{Workload: at.workload, Size: at.size, Op: op}
			var subjects []subject
			base := 1000 * math.Pow(3, float64(w)) * float64(1+o)
			for i, name := range names {
				if name == "encoding/gob" && at.workload == "tick" {
					continue
				}
				// Neighbours differ by 1%, which is a tie, or by 20%.
				ns := base / (1 + 0.2*float64(i/2) + 0.01*float64(i%2))
				if name == "encoding/json" {
					ns = base
				}
				subjects = append(subjects, subject{contender: name, ns: ns, rough: 1})
			}
			f.measure(cell, 200_000, subjects...)
			for i, s := range subjects {
				f.count(cell, s.contender, "", float64(40*(i+1)), float64(i%7+1), float64(100+10*((i*7)%13)))
				if s.contender != analysis.Floor {
					f.steady(cell, s.contender, "", 1.1*s.ns, 0.1, 0)
				}
			}
			if at.workload == "tick" {
				f.outcome(cell, "encoding/gob", result.Unsupported, "Tick.fees: too deep")
			}
			f.outcome(cell, "thrifty", result.BuildFailed, "gen/x.go:1:2: undefined: X\n\tmore")
		}
	}
	f.verified("encoding/json", "", nil, "")
	return f.run, f.records
}

func broad() *analysis.Results {
	run, records := broadRun()
	return analysis.Of(run, records, analysis.View{})
}

// about describes the contenders of broadRun.
func about(name string) *contender.Contender {
	c := &contender.Contender{Name: name}
	if strings.HasPrefix(name, "library1") {
		c.Traits = []contender.Trait{contender.Codegen, contender.Unsafe}
	}
	return c
}

func overviewText(t *testing.T, format string, r *analysis.Results, opts Options) string {
	t.Helper()
	f, _ := Named(Formats, format)
	var out strings.Builder
	opts.About = about
	if err := f.Write(&out, r, opts); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The default run fits on one screen and into the width of the terminal.
func TestOverview(t *testing.T) {
	for _, width := range []int{80, 100, 120} {
		text := overviewText(t, "text", broad(), Options{Width: width})
		golden(t, fmt.Sprintf("overview.%d.text", width), text)
		if strings.Contains(text, " allocs\n") != (width >= 100) {
			t.Errorf("%d columns: all columns of the table are there: %v", width, width < 100)
		}
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) > 55 { // five more are what to type next
			t.Errorf("%d columns: %d lines", width, len(lines))
		}
		for _, line := range lines {
			if w := texttab.Width(line); w > width {
				t.Errorf("%d columns: %d cells: %s", width, w, line)
			}
		}
		for _, name := range []string{"encoding/json", "encoding/gob", "library17/messages"} {
			if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, name+" ") }) {
				t.Errorf("%d columns: no row of %s", width, name)
			}
		}
	}
	golden(t, "overview.md", overviewText(t, "md", broad(), Options{}))
}

// Ranks are in order: rows of one rank are neighbours, and each rank is the position of its first
// row.
func TestOverviewRanks(t *testing.T) {
	o := analysis.OverviewOf(broad(), nil)
	ranked := 0
	for i, r := range o.Rows {
		if r.Rank == 0 {
			continue
		}
		ranked++
		first := i == 0 || o.Rows[i-1].Rank != r.Rank
		if first && r.Rank != i+1 {
			t.Errorf("row %d opens rank %d", i+1, r.Rank)
		}
		last := i+1 == len(o.Rows) || o.Rows[i+1].Rank != r.Rank
		if r.Equal != !(first && last) {
			t.Errorf("row %d of rank %d: equal is %v", i+1, r.Rank, r.Equal)
		}
		if i > 0 && o.Rows[i-1].Overall.Value > r.Overall.Value {
			t.Errorf("row %d is faster than the one before", i+1)
		}
	}
	if ranked != 20 || o.Rows[20].Contender != "encoding/gob" {
		t.Errorf("%d rows are ranked, and then comes %v", ranked, o.Rows[20])
	}
}

// The overall ratio is the geometric mean of the columns, with an interval of the right size.
func TestOverviewNumbers(t *testing.T) {
	o := analysis.OverviewOf(broad(), nil)
	for _, r := range o.Rows[:20] {
		log := 0.0
		for _, c := range r.Columns {
			log += math.Log(c.Value) / 5
		}
		if math.Abs(math.Exp(log)/r.Overall.Value-1) > 1e-9 {
			t.Errorf("%s: overall is %v, the mean of the columns %v", r.Subject, r.Overall.Value, math.Exp(log))
		}
		if r.Contender != "encoding/json" && (r.Overall.HalfWidth() < 0.002 || r.Overall.HalfWidth() > 0.05) {
			t.Errorf("%s: ±%v", r.Subject, r.Overall.HalfWidth())
		}
		if r.CPU == nil || math.Abs(r.CPU.Value/r.Overall.Value-1) > 0.02 {
			t.Errorf("%s: CPU is %v, time %v", r.Subject, r.CPU, r.Overall)
		}
	}
	front := 0
	for i, r := range o.Rows {
		if !r.Front {
			continue
		}
		front++
		for _, by := range o.Rows[:i] {
			if by.Size != nil && *by.Size < 0.97**r.Size && by.Rank < r.Rank {
				t.Errorf("%s is on the front, and %s is faster and smaller", r.Subject, by.Subject)
			}
		}
	}
	if front == 0 || !o.Rows[0].Front {
		t.Errorf("%d rows are on the front", front)
	}
	// No contender beats the one that is fastest by CPU time.
	fastest := slices.MinFunc(o.Rows[:20], func(a, b analysis.OverviewRow) int { return cmp.Compare(a.CPU.Value, b.CPU.Value) })
	if !fastest.CPUFront {
		t.Errorf("%s takes the least CPU time, and is not on that front", fastest.Subject)
	}
	for _, r := range o.Rows[:20] {
		if r.CPUFront && *r.Size > 1.05**fastest.Size && r.CPU.Value > 1.2*fastest.CPU.Value {
			t.Errorf("%s is on the front by CPU time, and %s is faster and smaller", r.Subject, fastest.Subject)
		}
	}
}

// A run of one or two tables is shown as tables, and so is any run with Options.Tables.
func TestOverviewOrTables(t *testing.T) {
	run, records := broadRun()
	narrow := analysis.Of(run, records, analysis.View{Workload: matching("movie")})
	one := analysis.Of(run, records, analysis.View{Op: matching("decode")})
	for _, test := range []struct {
		name   string
		r      *analysis.Results
		opts   Options
		screen bool
	}{
		{"all", broad(), Options{}, true},
		{"every table", broad(), Options{Tables: true}, false},
		{"two tables", narrow, Options{}, false},
		{"one op", one, Options{}, true},
	} {
		got := strings.Contains(overviewText(t, "text", test.r, test.opts), "Pareto front")
		if got != test.screen {
			t.Errorf("%s: one screen is %v, want %v", test.name, got, test.screen)
		}
	}
	if text := overviewText(t, "text", one, Options{}); !strings.Contains(text, ": decode, one size") {
		t.Errorf("the op is not said:\n%s", text)
	}
}

// A workload without the reference has another reference in its own table. The overview still
// compares everything with the run's reference.
func TestOverviewReference(t *testing.T) {
	run, records := broadRun()
	records = slices.DeleteFunc(records, func(r result.Record) bool { return r.Launch != nil && r.Launch.Cell.Workload == "chain" })
	for i := range 6 {
		l := &result.Launch{Cell: result.Cell{Workload: "chain", Size: "txs=100", Op: result.Encode}, Layout: uint64(10 + i), Index: i}
		for k, name := range []string{"library01/messages", "library02/messages"} {
			l.Series = append(l.Series, result.Series{Subject: result.Subject{Contender: name}, N: 100,
				Round: []int{0, 1, 2}, Wall: []int64{int64(100 + 10*k), 101, 102}})
		}
		decode := *l
		decode.Cell.Op = result.Decode
		records = append(records, result.Record{Launch: l}, result.Record{Launch: &decode})
	}
	o := analysis.OverviewOf(analysis.Of(run, records, analysis.View{}), nil)
	if o.Reference.Contender != "encoding/json" || len(o.Columns) != 4 {
		t.Errorf("the reference is %s, of %d columns", o.Reference, len(o.Columns))
	}
}

// The Pareto front also includes modes whose rows are not on the screen.
func TestOverviewFrontOfModes(t *testing.T) {
	f := &fixture{run: &result.Run{ID: "20260902-120000", Plan: result.Plan{Reference: "encoding/json", Layouts: []uint64{0, 11, 12, 13, 14}}}}
	for _, workload := range []string{"movie", "tick"} {
		for _, op := range []result.Op{result.Encode, result.Decode} {
			cell := result.Cell{Workload: workload, Size: "record=one", Op: op}
			subjects := []subject{{"encoding/json", "", 1000, 1}}
			for i := range 18 {
				name := fmt.Sprintf("library%02d", i)
				subjects = append(subjects, subject{name, "", 900 - 20*float64(i), 1}, subject{name, "output=reuse", 450 - 10*float64(i), 1})
			}
			f.measure(cell, 200_000, subjects...)
			for _, s := range subjects {
				f.count(cell, s.contender, s.mode, 10, 1, 100)
			}
		}
	}
	text := strings.Join(strings.Fields(overviewText(t, "text", analysis.Of(f.run, f.records, analysis.View{}), Options{})), " ")
	for _, want := range []string{"Pareto front of speed and size: library17 (output=reuse) (", "not on this screen: 18 rows of modes"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// If few rows are told apart, the front is the front of the estimates, and the other rows are
// counted.
func TestOverviewFrontOpen(t *testing.T) {
	var rows []analysis.OverviewRow
	for i := range 9 {
		size := []float64{0.5, 1, 1.5}[i%3]
		time := 0.3 + float64(i/3)/10 - float64(i%3)/20
		rows = append(rows, analysis.OverviewRow{Subject: result.Subject{Contender: fmt.Sprintf("library%d", i)}, Front: true,
			Overall: &analysis.Interval{Value: time, Lo: time / 1.9, Hi: time * 1.9}, Size: &size})
	}
	about := func(name string) *contender.Contender {
		return &contender.Contender{Name: name, Traits: []contender.Trait{contender.Codegen}}
	}
	for _, test := range []struct {
		front int // of the rows
		want  []string
	}{
		{3, []string{"Pareto front of speed and size: library0 (3.33×, 50% of the size), library1 (4.00×, 100% of the size), library2 (5.00×, 150% of the size)", ""}},
		{7, []string{"Pareto front of speed and size: library0 (3.33×, 50% of the size), library1 (4.00×, 100% of the size), library2 (5.00×, 150% of the size)", ""}},
		{9, []string{"Pareto front of speed and size: library0 (3.33×, 50% of the size), library1 (4.00×, 100% of the size), library2 (5.00×, 150% of the size)",
			"; by the point estimates; 6 more may belong to it (to decide, raise --budget or select less)"}},
	} {
		for i := range rows {
			rows[i].Front = i < test.front
		}
		lines := frontLines(&analysis.Overview{Rows: rows}, about)
		if len(lines) != 2 || !strings.HasPrefix(lines[0], test.want[0]) || !strings.HasSuffix(lines[0], test.want[1]) ||
			(test.front == 7) != strings.Contains(lines[0], "library6") || strings.Contains(lines[1], "library8") {
			t.Errorf("%d on the front: %q", test.front, lines)
		}
	}
}

func TestOverviewJSON(t *testing.T) {
	var got struct {
		Overview struct {
			Columns []JSONOverviewColumn
			Rows    []struct {
				Rank   int
				Ratios []*float64
				Front  bool
			}
		}
	}
	if err := json.Unmarshal([]byte(overviewText(t, "json", broad(), Options{})), &got); err != nil {
		t.Fatal(err)
	}
	if o := got.Overview; len(o.Rows) != 21 || len(o.Columns) != 5 || o.Rows[0].Rank != 1 || len(o.Rows[0].Ratios) != 5 || !o.Rows[0].Front {
		t.Errorf("the overview is %+v", o)
	}
}

func matching(pattern string) analysis.Match {
	return analysis.Match{Include: regexp.MustCompile(pattern)}
}

// A ratio that is not known to a factor of two has no width in the text, and a mark in the table.
func TestOverviewUnknown(t *testing.T) {
	for _, test := range []struct {
		o    analysis.Overview
		want string
	}{
		{analysis.Overview{Widest: 0.053, Median: 0.018, Ratios: 240}, "ratios ±1.8% in the median, widest ±5.3%"},
		{analysis.Overview{Widest: 10.9, Median: 0.25, Ratios: 240, Unknown: 14}, "ratios ±25% in the median, 14 of 240 not known to a factor of 2 yet"},
		{analysis.Overview{Widest: math.Inf(1), Median: 3, Ratios: 24, Unknown: 13}, "13 of 24 ratios not known to a factor of 2 yet"},
		{analysis.Overview{Widest: math.Inf(1), Median: 3, Ratios: 24, Unknown: 12}, "12 of 24 ratios not known to a factor of 2 yet"},
		{analysis.Overview{Widest: math.Inf(1), Median: 0.4, Ratios: 25, Unknown: 12}, "ratios ±40% in the median, 12 of 25 not known to a factor of 2 yet"},
	} {
		if got := widths(&test.o); got != test.want {
			t.Errorf("widths of %+v: %q, want %q", test.o, got, test.want)
		}
	}
	for _, test := range []struct {
		ratio analysis.Interval
		want  string
	}{
		{analysis.Interval{Value: 0.5, Lo: 0.45, Hi: 0.55}, "2.00 ±10%"},
		{analysis.Interval{Value: 0.5, Lo: 0.3, Hi: 0.995}, "2.00 ±99%"},
		{analysis.Interval{Value: 0.5, Lo: 0.1, Hi: 1}, "~2.00"},
		{analysis.Interval{Value: 0.5, Lo: 0, Hi: math.Inf(1)}, "~2.00"},
		{analysis.Interval{Value: 1, Lo: 1, Hi: 1}, "1.00"},
	} {
		if got := strings.TrimSpace(overall(analysis.OverviewRow{Overall: &test.ratio})); got != test.want {
			t.Errorf("overall of %v: %q, want %q", test.ratio, got, test.want)
		}
	}
}

// If no two contenders have all workloads, no contender is ranked and there is no front.
func TestOverviewOfOne(t *testing.T) {
	f := &fixture{run: &result.Run{ID: "20260902-120000", Plan: result.Plan{Reference: "encoding/json", Layouts: []uint64{0, 11, 12, 13, 14}}}}
	others := map[string]string{"movie": "msgp", "tick": "mus"}
	for _, workload := range slices.Sorted(maps.Keys(others)) {
		other := others[workload]
		for _, op := range []result.Op{result.Encode, result.Decode} {
			cell := result.Cell{Workload: workload, Size: "record=one", Op: op}
			f.measure(cell, 200_000, subject{"encoding/json", "", 1000, 1}, subject{other, "", 300, 1})
			for _, name := range []string{"encoding/json", other} {
				f.count(cell, name, "", 10, 1, 100)
			}
		}
	}
	results := analysis.Of(f.run, f.records, analysis.View{})
	text := strings.Join(strings.Fields(overviewText(t, "text", results, Options{})), " ")
	if strings.Contains(text, "Pareto front") || strings.Contains(text, "1 encoding/json") || !strings.Contains(text, "no two contenders have all of these workloads") {
		t.Errorf("one contender has all workloads:\n%s", text)
	}
	// The notes name a workload whose column does not fit on the terminal.
	text = strings.Join(strings.Fields(overviewText(t, "text", results, Options{Width: 30})), " ")
	if !strings.Contains(text, "no room for tick (a wider terminal, or --format md, has them)") {
		t.Errorf("at 30 columns:\n%s", text)
	}
}

// TestOverviewOutOfView checks a view without the run's reference. The rows in view are compared
// with one of themselves, and keep the order that they have in the whole run.
func TestOverviewOutOfView(t *testing.T) {
	run, records := broadRun()
	all := analysis.OverviewOf(analysis.Of(run, records, analysis.View{}), nil)
	of := func(o *analysis.Overview, name string) analysis.OverviewRow {
		i := slices.IndexFunc(o.Rows, func(r analysis.OverviewRow) bool { return r.Contender == name })
		return o.Rows[i]
	}
	chosen := regexp.MustCompile("^library(03|12|07)/")
	o := analysis.OverviewOf(analysis.Of(run, records, analysis.View{Contender: analysis.Match{Include: chosen}}), nil)
	var order []string
	for _, r := range o.Rows {
		order = append(order, r.Contender)
	}
	if want := []string{"library12/messages", "library07/messages", "library03/messages"}; !slices.Equal(order, want) {
		t.Fatalf("rows are %q, want %q", order, want)
	}
	if o.Reference.Contender != "library03/messages" {
		t.Errorf("compared with %s, want the first that is in view", o.Reference)
	}
	base := of(all, o.Reference.Contender)
	near := func(what string, got, want float64) {
		if math.Abs(got/want-1) > 0.005 { // the medians are over other pairs
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	for i, r := range o.Rows {
		whole := of(all, r.Contender)
		if r.Rank != i+1 || r.Equal {
			t.Errorf("%s has rank %d, equal %v", r.Contender, r.Rank, r.Equal)
		}
		near(r.Contender+" overall", r.Overall.Value, whole.Overall.Value/base.Overall.Value)
		near(r.Contender+" decode", r.Decode.Value, whole.Decode.Value/base.Decode.Value)
		near(r.Contender+" CPU", r.CPU.Value, whole.CPU.Value/base.CPU.Value)
		near(r.Contender+" size", *r.Size, *whole.Size / *base.Size)
	}
	// Ratios counts the ratios to the reference, but not the reference's ratio to itself.
	if all.Ratios != 5*2*20-2 {
		t.Errorf("%d ratios", all.Ratios)
	}
}
