package plan

import (
	"testing"
	"time"

	"assay/result"
)

// A pass gets its part of the time that is left, and a quarter of its part of the
// whole where none is.
func TestPortion(t *testing.T) {
	for _, test := range []struct {
		left, want time.Duration
		later      []int
	}{
		{90 * time.Second, 60 * time.Second, []int{5}},
		{90 * time.Second, 90 * time.Second, nil},
		{3 * time.Second, 20 * time.Second, []int{5}},
		{-time.Hour, 20 * time.Second, []int{5}},
	} {
		if got := Portion(test.left, 2*time.Minute, 15, 10, test.later...); got != test.want {
			t.Errorf("of %v before %v it gets %v, want %v", test.left, test.later, got, test.want)
		}
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
	weight := func(name string) int { return map[string]int{"launches": 10, "cpu": 5}[name] }
	unknown := func(string) time.Duration { return 0 }
	all := Phases(cases, 3*time.Minute, []string{"launches", "cpu"}, weight, unknown)
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
	few := Phases(cases, 3*time.Minute, []string{"launches", "cpu"}, weight, func(string) time.Duration { return 20 * time.Second })
	if few[3].Time != 20*time.Second || few[4].Time != 20*time.Second {
		t.Errorf("%v take longer than there is to do", few)
	}
	total = 0
	for _, p := range Phases(cases, 5*time.Second, []string{"launches", "cpu"}, weight, unknown) {
		total += p.Time
	}
	if total <= 5*time.Second || total > 15*time.Second {
		t.Errorf("a budget that does not suffice is said to take %v", total)
	}
}
