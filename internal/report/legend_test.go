package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/result"
)

// A comparison also works if the reference has a number on only one side.
func TestCompareWithoutReference(t *testing.T) {
	runA, recordsA := richRun()
	runB, recordsB := rival()
	cut := slices.DeleteFunc(slices.Clone(recordsB), func(r result.Record) bool { return r.Launch != nil })
	a := &analysis.Side{Label: "monday", Run: runA, Records: recordsA}
	b := &analysis.Side{Label: "today", Run: runB, Records: cut}
	for _, sides := range [][2]*analysis.Side{{a, b}, {b, a}} {
		c, err := analysis.Compare(sides[0], sides[1], analysis.View{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range CompareFormats {
			var out strings.Builder
			if err := f.Write(&out, c, Options{}); err != nil {
				t.Fatal(err)
			}
			if f.Name == "text" && !strings.Contains(out.String(), "today: timeout: not measured") {
				t.Errorf("the text does not say why encoding/json has no change:\n%s", &out)
			}
		}
	}
}

// If many modules are in only one run, the text counts them and JSON lists all of them.
func TestCompareModules(t *testing.T) {
	runA, records := richRun()
	for _, n := range []int{2, 10} {
		runB, recordsB := rival()
		for i := range n {
			runB.Build.Modules = append(runB.Build.Modules, result.Module{Path: fmt.Sprintf("example.com/more%d", i), Version: "v1.0.0"})
		}
		c, err := analysis.Compare(&analysis.Side{Label: "a", Run: runA, Records: records}, &analysis.Side{Label: "b", Run: runB, Records: recordsB}, analysis.View{})
		if err != nil {
			t.Fatal(err)
		}
		var text, json strings.Builder
		if err := CompareText(&text, c, Options{Width: 1000}); err != nil {
			t.Fatal(err)
		}
		if err := CompareJSON(&json, c); err != nil {
			t.Fatal(err)
		}
		want := "modules: 10 are only in one run, because it links other contenders (--format json lists them)"
		if n == 2 {
			want = "the runs differ in: more0 none → v1.0.0; more1 none → v1.0.0; msgp v1.3.0 → v1.3.1"
		}
		if !strings.Contains(text.String(), want) || strings.Count(json.String(), "none → v1.0.0") != n {
			t.Errorf("%d modules: no %q in\n%s%s", n, want, &text, &json)
		}
	}
}

// Letters that say nothing are left out, with a reason.
func TestRankTooFew(t *testing.T) {
	run, records := richRun()
	for i, r := range records {
		if r.Launch != nil && r.Launch.Index > 1 {
			records[i] = result.Record{Note: &result.Note{Text: "left out"}}
		}
	}
	s := analysis.Rank(analysis.Of(run, records, analysis.View{}))
	for i := range s.Cells {
		for k := range s.Cells[i].Lines {
			s.Cells[i].Lines[k].Letters, s.Cells[i].Lines[k].Next = "abcde", analysis.Unresolved
		}
	}
	var text strings.Builder
	if err := RankText(&text, s, Options{Width: 200}); err != nil {
		t.Fatal(err)
	}
	for want, ok := range map[string]bool{
		"1 launch is too few to tell 8 rows apart: raise --budget": true,
		"not told apart yet (": true,
		"abcde":                false,
		"unresolved":           false,
	} {
		if strings.Contains(text.String(), want) != ok {
			t.Errorf("%q: %t, want %t in\n%s", want, !ok, ok, &text)
		}
	}
}

// The legend explains ±? if and only if a table contains it.
func TestLoneLegend(t *testing.T) {
	run, records := richRun()
	seen := false
	records = slices.DeleteFunc(records, func(r result.Record) bool {
		again := seen && r.Launch != nil
		seen = seen || r.Launch != nil
		return again
	})
	for i := range records {
		if l := records[i].Launch; l != nil {
			for k := range l.Series {
				s := &l.Series[k]
				s.Round, s.Wall, s.CPU = s.Round[:1], s.Wall[:1], s.CPU[:min(1, len(s.CPU))]
			}
		}
	}
	for want, r := range map[bool]*analysis.Results{false: rich(), true: analysis.Of(run, records, analysis.View{})} {
		var text strings.Builder
		if err := Text(&text, r, Options{Tables: true}); err != nil {
			t.Fatal(err)
		}
		explained := strings.Count(text.String(), "\n"+noInterval+": ")
		if (explained == 1) != want || explained > 1 || strings.Contains(text.String(), " "+noInterval) != want {
			t.Errorf("explained %d times, want it once: %t, in\n%s", explained, want, &text)
		}
	}
}
