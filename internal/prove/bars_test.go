package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/contenders"
)

// stripes returns a cell of overhead: so many runs with the same value.
func stripes(n int, v string) string { return strings.Join(slices.Repeat([]string{v}, n), ", ") }

// TestBars checks that each bar is met by a finding at its limits, and by none that is beyond one of them
// or lacks what it is about.
func TestBars(t *testing.T) {
	rows := func(rows ...[]string) *finding { return &finding{Rows: rows} }
	row := func(cells ...string) []string { return cells }
	said := func(f *finding, summary string, notes ...string) *finding {
		f.Summary, f.Notes = summary, notes
		return f
	}
	ratios := func(n int, t test) *finding { return &finding{Tests: slices.Repeat([]test{t}, n)} }
	power := func(one, three, wrong, took string) *finding {
		return said(rows(row("1%", "", one, "(0 of 9)"), row("3%", "", three, wrong)), "with "+took+" s of measuring a pair")
	}
	coverage := func(own, others string) *finding {
		return rows(row("a", "", longRun, own), row("a", "", sameValue, others), row(allPlaces, "", sameValue, "(0 of 9)"))
	}
	source := func(found, wrong, same string) *finding {
		return rows(row("3%", found, wrong, ""), row("1%", "(0 of 9)", "(9 of 9)"), row(equalCopy, same+" called different", "", ""))
	}
	grade := func(text string, n int) *finding {
		return said(&finding{Rows: make([][]string, n)}, text+"; the letters are …")
	}
	overhead := func(one, forty string) *finding {
		return rows(row("BenchmarkOverhead/1ns-2", "", one), row("BenchmarkOverhead/40ns-2", "", forty))
	}
	var sensitive [][]string
	for _, c := range contenders.All() {
		sensitive = append(sensitive, row(c.Name, "1×", "1×", "5"))
	}
	steady := func(ours, theirs, loaded, took string) *finding {
		return rows(row("", "", took, ours), row("", "", "14s", theirs), row("", "", "20s", loaded), row("", "", "15s", "30.0%"))
	}
	chaos := func(summary string, notes ...string) *finding { return said(&finding{}, summary, notes...) }
	for _, test := range []struct {
		name string
		f    *finding
		want string
	}{
		{"counts", rows(slices.Repeat([][]string{row("json", "true")}, 10)...), "met"},
		{"counts", rows(slices.Repeat([][]string{row("json", "true")}, 9)...), "missed"},
		{"counts", rows(append(slices.Repeat([][]string{row("json", "true")}, 10), row("gob", "false"))...), "missed"},
		{"aa", rows(row(allRows, "(15 of 300)", "(3 of 300)"), row("other", "(9 of 9)", "")), "met"},
		{"aa", rows(row(allRows, "(16 of 300)", "(3 of 300)")), "missed"},
		{"aa", rows(row(allRows, "(15 of 300)", "(4 of 300)")), "missed"},
		{"aa", rows(row(allRows, "(0 of 299)", "(0 of 299)")), "missed"},
		{"aa", rows(row("other", "(0 of 300)", "(0 of 300)")), "error"},
		{"layouts", rows(row("4", "(14 of 200)"), row("1", "(200 of 200)")), "met"},
		{"layouts", rows(row("4", "(15 of 200)")), "missed"},
		{"layouts", rows(row("4", "(0 of 149)")), "missed"},
		{"power", power("(90 of 100)", "(98 of 100)", "(0 of 9)", "2.00"), "met"},
		{"power", power("(89 of 100)", "(98 of 100)", "(0 of 9)", "2.00"), "missed"},
		{"power", power("(90 of 100)", "(97 of 100)", "(0 of 9)", "2.00"), "missed"},
		{"power", power("(90 of 100)", "(98 of 100)", "(1 of 9)", "2.00"), "missed"},
		{"power", power("(90 of 100)", "(98 of 100)", "(0 of 9)", "2.01"), "missed"},
		{"power", rows(row("1%", "", "(90 of 100)", "(0 of 9)")), "error"},
		{"coverage", coverage("(97 of 100)", "(90 of 100)"), "met"},
		{"coverage", coverage("(93 of 100)", "(90 of 100)"), "met"},
		{"coverage", coverage("(98 of 100)", "(90 of 100)"), "missed"},
		{"coverage", coverage("(92 of 100)", "(90 of 100)"), "missed"},
		{"coverage", coverage("(95 of 100)", "(89 of 100)"), "missed"},
		{"batches", ratios(15, test1(1.015, 1, 1.1)), "met"},
		{"batches", ratios(15, test1(0.984, 0.9, 1)), "missed"},
		{"batches", ratios(14, test1(1, 1, 1)), "missed"},
		{"lengths", ratios(2, test1(1.03, 1.016, 1.05)), "met"},
		{"lengths", ratios(2, test1(1.03, 1.01, 1.05)), "missed"},
		{"footprint", rows(sensitive...), "met"},
		{"footprint", rows(slices.DeleteFunc(slices.Clone(sensitive), func(r []string) bool { return r[0] == "msgp" })...), "missed"},
		{"footprint", rows(append(slices.DeleteFunc(slices.Clone(sensitive), func(r []string) bool { return r[0] == "msgp" }), row("msgp", "1×", "", "5"))...), "missed"},
		{"grade", grade("10 of 10 under a load name it, and 0 of 10 as it is", 20), "met"},
		{"grade", grade("9 of 10 under a load name it, and 0 of 10 as it is", 20), "missed"},
		{"grade", grade("10 of 10 under a load name it, and 1 of 10 as it is", 20), "missed"},
		{"grade", grade("2 of 2 under a load name it, and 0 of 2 as it is", 4), "missed"},
		{"grade", grade("all of them", 20), "error"},
		{"steady", steady("9.0%", "9.0%", "10.0%", "14s"), "met"},
		{"steady", steady("9.1%", "9.0%", "10.0%", "14s"), "missed"},
		{"steady", steady("9.0%", "9.0%", "10.1%", "14s"), "missed"},
		{"steady", steady("9.0%", "9.0%", "10.0%", "15s"), "missed"},
		{"overhead", overhead(stripes(25, "-0.50"), stripes(25, "0.50")), "met"},
		{"overhead", overhead(stripes(25, "0.00"), stripes(25, "0.51")), "missed"},
		{"overhead", overhead(stripes(25, "-0.51"), stripes(25, "0.00")), "missed"},
		{"overhead", overhead(stripes(25, "0.00"), stripes(24, "0.00")), "error"},
		{"overhead", rows(row("BenchmarkOverhead/1ns-2", "", stripes(25, "0.00"))), "error"},
		{"chaos", chaos("35 disturbances of 30 runs, 0 violations", "56 ratios to encoding/json are compared"), "met"},
		{"chaos", chaos("35 disturbances of 30 runs, 0 violations", "0 ratios to encoding/json are compared"), "missed"},
		{"chaos", chaos("35 disturbances of 30 runs, 1 violations", "56 ratios to encoding/json are compared"), "missed"},
		{"chaos", chaos("5 disturbances of 3 runs, 0 violations", "56 ratios to encoding/json are compared"), "missed"},
		{"chaos", chaos("35 disturbances of 30 runs, 0 violations"), "error"},
		{"source", source("(38 of 40)", "(0 of 40)", "(4 of 200)"), "met"},
		{"source", source("(37 of 40)", "(0 of 40)", "(4 of 200)"), "missed"},
		{"source", source("(38 of 40)", "(1 of 40)", "(4 of 200)"), "missed"},
		{"source", source("(38 of 40)", "(0 of 40)", "(5 of 200)"), "missed"},
		{"source", source("(38 of 40)", "(0 of 40)", "(0 of 199)"), "missed"},
	} {
		test.f.Name = test.name
		got := "missed"
		if err := test.f.judge(); err != nil {
			got = "error"
		} else if test.f.Met {
			got = "met"
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s: %q %v %+v", test.name, got, test.want, test.f.Summary, test.f.Rows, test.f.Tests)
		}
	}
}

func test1(value, lo, hi float64) test { return test{Value: value, Lo: lo, Hi: hi} }

// TestStoredBars checks that the stored findings say enough for their bars, and meet them where they say
// so, also if an earlier engine made them.
func TestStoredBars(t *testing.T) {
	for name := range bars {
		data, err := os.ReadFile(filepath.Join(stored, name+".json"))
		if err != nil {
			t.Error(err)
			continue
		}
		var f finding
		if err := json.Unmarshal(data, &f); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		met := f.Met
		if err := f.judge(); err != nil || f.Met != met {
			t.Errorf("%s: it says met: %v, its rows say %v, %v", name, met, f.Met, err)
		}
	}
}
