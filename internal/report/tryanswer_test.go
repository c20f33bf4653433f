package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/answer"
	"assay/result"
)

// A screen names five contenders of the front, and six if there are six. The tables name all. A mark is on
// those that are only not shown to be beaten, if others are shown not to be.
func TestFrontNames(t *testing.T) {
	for _, test := range []struct {
		front  string // a letter for each contender; upper case: shown not to be beaten
		tables bool
		want   string
	}{
		{"", false, "none"},
		{"ABCDEF", false, "A, B, C, D, E, F; no safe contender is better in both"},
		{"ABCDEFG", false, "A, B, C, D, E and 2 more; no safe contender is better in both"},
		{"ABCDEFG", true, "A, B, C, D, E, F, G; no safe contender is better in both"},
		{"abc", false, "a, b, c; no safe contender is shown to be better in both"},
		{"AbC", false, "A, b°, C; no safe contender is better in both (°: none is shown to be)"},
	} {
		a := &answer.Answer{}
		for _, r := range test.front {
			c := &answer.Candidate{Size: 66, Spent: analysis.Interval{Value: 1200}, Unbeaten: r < 'a'}
			c.Subject.Contender = string(r)
			a.Front = append(a.Front, c)
		}
		try := &Try{Answer: a, Tables: test.tables}
		if got := try.front(tight).Text; got != test.want {
			t.Errorf("%s: %s, want %s", test.front, got, test.want)
		}
		numbered := try.front(full).Text
		if test.front != "" && !strings.HasPrefix(numbered, test.front[:1]+" (1.20 µs, 66 B)") {
			t.Errorf("%s: %s, without the numbers of the first", test.front, numbered)
		}
	}
}

// A better candidate that is not eligible is named once, with the reason.
func TestPassedOver(t *testing.T) {
	candidate := func(name string, size float64, unsafe []string, traits ...contender.Trait) *answer.Candidate {
		c := &answer.Candidate{Size: size, Spent: analysis.Interval{Value: size}, Unsafe: unsafe, About: &contender.Contender{Name: name, Format: "of-" + name, Traits: traits}}
		c.Subject.Contender = name
		return c
	}
	bomb, gen, plain := candidate("bomb", 50, []string{"b", "a", "b"}), candidate("gen", 60, nil, contender.Codegen), candidate("plain", 70, nil)
	for _, test := range []struct {
		pick answer.Pick
		want string
	}{
		{answer.Pick{Metric: analysis.Time}, ""},
		{answer.Pick{Metric: analysis.Time, Passed: []*answer.Candidate{bomb, gen}}, "faster: bomb, 50.0 ns a record, but a, b"},
		{answer.Pick{Metric: analysis.EncodedSize, Passed: []*answer.Candidate{bomb}}, "smaller: bomb, 50 B a record, but a, b"},
		{answer.Pick{Metric: analysis.Time, Narrow: true, Passed: []*answer.Candidate{bomb, gen, plain}}, "faster: gen, 60.0 ns a record, which writes of-gen and " + contender.Codegen.In().Short},
		{answer.Pick{Metric: analysis.Time, Narrow: true, Passed: []*answer.Candidate{plain}}, "faster: plain, 70.0 ns a record, which writes of-plain"},
		{answer.Pick{Metric: analysis.Time, Narrow: true, Passed: []*answer.Candidate{bomb}}, ""},
	} {
		named := map[result.Subject]bool{}
		if got := passed(test.pick, named); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
		if got := passed(test.pick, named); got != "" {
			t.Errorf("%q is said again", got)
		}
	}
}

// A saving names the part that is more than half of it.
func TestMostly(t *testing.T) {
	saving := func(value, core, network, storage float64) answer.Saving {
		return answer.Saving{Interval: analysis.Interval{Value: value}, Core: core, Network: network, Storage: storage}
	}
	for _, test := range []struct {
		s    answer.Saving
		want string
	}{
		{saving(10, 1, 3, 6), ", 60% of it storage"}, {saving(10, 1, 7, 2), ", 70% of it network"}, {saving(10, 12, -1, -1), ", 100% of it CPU"},
		{saving(10, 5, 5, 0), ""}, {saving(0, 0, 0, 0), ""}, {saving(-10, -8, -1, -1), ""},
	} {
		if got := mostly(test.s); got != test.want {
			t.Errorf("%+v: %q, want %q", test.s, got, test.want)
		}
	}
}

// Amounts of money and rates have as many digits as a reader can use.
func TestAmounts(t *testing.T) {
	between := func(lo, hi float64) analysis.Interval { return analysis.Interval{Value: lo, Lo: lo, Hi: hi} }
	for want, got := range map[string]string{
		"$99.99 $100 −$99.99 −$1,235 $0.00": fmt.Sprint(cents(99.994), " ", cents(99.996), " ", cents(-99.99), " ", cents(-1234.6), " ", cents(-0.001)),
		"1,000 1,200 10 9.9 0.046 0":        fmt.Sprint(roundly(995), " ", roundly(1234), " ", roundly(9.96), " ", roundly(9.94), " ", roundly(0.0456), " ", roundly(0)),
		"−1,234 0.5 12,345":                 fmt.Sprint(grouped(-1234), " ", grouped(0.5), " ", grouped(12345)),
		"(120 or more)":                     roughBounds(between(123, math.Inf(1))),
		"(120…1,200)":                       roughBounds(between(123, 1234)),
		" (−$1.00…$200)":                    moneyBounds(between(-1, 200)),
		"":                                  roughBounds(between(123, 124)) + moneyBounds(between(1, 1.001)) + moneyBounds(between(1, math.Inf(1))),
		"(900 µs…1.10 ms) (1.00…1.10 ms)":   rangeOf(between(0.0009, 0.0011)) + " " + rangeOf(between(0.001, 0.0011)) + rangeOf(between(1, 1)),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The controls say what is known, and nothing of what is not.
func TestControls(t *testing.T) {
	none := math.NaN()
	for want, g := range map[string]analysis.Grade{
		"": {Clean: none, Others: none, Load: none},
		"controls: reference against itself 1.001 (0.990…1.010) · 96% clean · sentinel 1.04× this machine's best · 0.2% stolen · others used 10% · load 3.1 · 2 launches repeated": {
			Control: &analysis.Interval{Value: 1.001, Lo: 0.99, Hi: 1.01}, Clean: 0.966, Sentinel: &analysis.Sentinel{Best: 1, Median: 1.04, Remembered: true},
			Steal: 0.002, Others: 0.1, Load: 3.14, Disturbed: 2,
		},
		"controls: reference against itself 0.987 · 57% clean · sentinel 2.00× this run's best (none is remembered) · 1 launch repeated": {
			Control: &analysis.Interval{Value: 0.987, Lo: 0, Hi: math.Inf(1)}, Clean: 0.57, Sentinel: &analysis.Sentinel{Best: 1, Median: 2}, Others: none, Load: none, Disturbed: 1,
		},
	} {
		if got := controls(&g); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A line of trust says of how many layouts the tables are.
func TestLayoutsOfTables(t *testing.T) {
	for want, counts := range map[string][]int{"": {0}, "1 layout": {1, 0, 1}, "8 layouts": {8, 8}, "4 to 8 layouts": {8, 0, 4, 6}} {
		var tables []analysis.Table
		for _, n := range counts {
			tables = append(tables, analysis.Table{Layouts: n})
		}
		if got := layouts(tables); got != want {
			t.Errorf("%v: %q, want %q", counts, got, want)
		}
	}
}
