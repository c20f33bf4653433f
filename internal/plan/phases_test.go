package plan

import (
	"testing"
	"time"

	"assay/result"
)

// A pass gets its part of the time that is left, and a quarter of its part of the
// whole where none is.
func TestPortion(t *testing.T) {
	first, last := Passes{{"launches", 10}, {"cpu", 5}}, Passes{{"cpu", 5}, {"launches", 10}}
	for _, test := range []struct {
		left, want time.Duration
		passes     Passes
	}{
		{90 * time.Second, 60 * time.Second, first},
		{90 * time.Second, 90 * time.Second, last},
		{3 * time.Second, 20 * time.Second, first},
		{-time.Hour, 20 * time.Second, first},
	} {
		if got := test.passes.Portion("launches", test.left, 2*time.Minute); got != test.want {
			t.Errorf("of %v in %v it gets %v, want %v", test.left, test.passes, got, test.want)
		}
	}
	if got := first.Portion("cold", time.Minute, time.Minute); got != 0 {
		t.Errorf("a pass that is not taken gets %v", got)
	}
}

// The phases of a run fill its budget.
func TestPhases(t *testing.T) {
	var cases []result.Case
	for _, w := range []string{"a", "b", "c", "d", "e"} {
		for i := range 24 {
			for _, op := range []result.Op{result.Encode, result.Decode} {
				cases = append(cases, result.Case{Workload: w, Size: "s", Contender: string(rune('a' + i)), Op: op})
			}
		}
	}
	passes := Passes{{"launches", 10}, {"cpu", 5}}
	unknown := func(string) time.Duration { return 0 }
	all := Phases(cases, 3*time.Minute, passes, unknown)
	var total time.Duration
	for _, p := range all {
		total += p.Time
	}
	if total != 3*time.Minute || len(all) != 5 {
		t.Errorf("%v are %v, want 3m", all, total)
	}
	want := "verify 4s, size 4s, count 4s, launches 1m52s, cpu 56s: 3m in all"
	if got := PhasesText(all, func(s string) string { return s }); got != want {
		t.Errorf("the phases are %q, want %q", got, want)
	}
	few := Phases(cases, 3*time.Minute, passes, func(string) time.Duration { return 20 * time.Second })
	if few[3].Time != 20*time.Second || few[4].Time != 20*time.Second {
		t.Errorf("%v take longer than there is to do", few)
	}
	total = 0
	for _, p := range Phases(cases, 5*time.Second, passes, unknown) {
		total += p.Time
	}
	if total <= 5*time.Second || total > 15*time.Second {
		t.Errorf("a budget that does not suffice is said to take %v", total)
	}
}
