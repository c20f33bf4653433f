package analysis

import (
	"slices"
	"strings"
	"testing"

	"assay/result"
)

// TestAway: a case that works on other threads, or waits, is measured by wall times. A case that
// something else interrupts is measured by its thread's CPU times.
func TestAway(t *testing.T) {
	for _, test := range []struct {
		name    string
		change  func(gob *result.Series)
		ratio   float64
		warning WarningKind
		text    string
	}{
		{"interrupted", func(*result.Series) {}, 2, CPUTimes, "CPU times instead of wall times"},
		{"other threads", func(gob *result.Series) { gob.Others = 40 * 100 * 25 }, 5, OtherThreads, "uses other threads: they add 125% to the CPU time of its own"},
		{"waits", func(gob *result.Series) { gob.Waits = 40 }, 5, Waits, "waits, or works on other threads: wall times in 1 of 1 launches"},
		{"waits, but not in all batches", func(gob *result.Series) {
			gob.Waits = 40
			for i := range 15 { // these are clean
				gob.Wall[i] = gob.CPU[i]
			}
		}, 5, Waits, "wall times in 1 of 1 launches"},
		{"waits now and then", func(gob *result.Series) { gob.Waits = 3 }, 2, CPUTimes, ""},
		{"the runtime's own threads", func(gob *result.Series) { gob.Others = 40 * 100 }, 2, CPUTimes, ""},
	} {
		json, gob := flat("json", 10, 40, 1), flat("gob", 20, 40, 1)
		for i := range gob.Wall {
			gob.Wall[i] = 100 * 50
		}
		test.change(&gob)
		table := only(t, Of(planOf("json", "gob"), []result.Record{launchOf(1, 0, json, gob)}, View{}))
		row, _ := table.Row(caseOf("gob"), Time)
		if d := row.Ratio.Value/test.ratio - 1; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: ratio %v, want %v", test.name, row.Ratio.Value, test.ratio)
		}
		if !slices.ContainsFunc(row.Warnings, func(w Warning) bool { return w.Kind == test.warning && strings.Contains(w.Text, test.text) }) {
			t.Errorf("%s: warnings %v, want %s %q", test.name, row.Warnings, test.warning, test.text)
		}
	}
}

// TestOddities: the row of a contender has warnings about its side effects and about impossible
// numbers. Other rows have none.
func TestOddities(t *testing.T) {
	one := caseOf("gob")
	count := func(contender string, op result.Op, bytes uint64) result.Record {
		c := caseOf(contender)
		c.Op = op
		return result.Record{Count: &result.Count{Case: c, Ops: 10, Bytes: 10 * bytes, Messages: 5, Encoded: 500}}
	}
	varying := func(r result.Record) result.Record {
		r.Count.MostBytes, r.Count.MostAllocs = 10*120, 10
		return r
	}
	for _, test := range []struct {
		name    string
		gob     func(s *result.Series)
		records []result.Record
		kind    WarningKind
		text    string
	}{
		{"nothing", nil, nil, "", ""},
		{"no work", func(s *result.Series) { s.N = 1 << 20 }, nil, Impossible, "ns an operation: no work takes less than 0.2"},
		{"the longest batch", func(s *result.Series) {
			s.N = 1 << 30
			for i := range s.Wall {
				s.Wall[i], s.CPU[i] = 1<<30, 1<<30
			}
		}, nil, Impossible, "a batch has 1073741824 operations"},
		{"goroutines", func(s *result.Series) { s.Left = 2 }, nil, Leaves, "leaves goroutines behind: 2"},
		{"traces", nil, []result.Record{{Verification: &result.Verification{
			Workload: one.Workload, Size: one.Size, Subject: one.Subject(), OK: true, Traces: []string{"leaves 1 file open"},
		}}}, Leaves, "leaves 1 file open"},
		{"known values", nil, []result.Record{{Calibration: &result.Calibration{Case: one, N: 1, Fresh: 138, Seen: 100}}}, SeenBefore,
			"gains 38% from seeing the same values again: 138 ns with new ones, 100 ns with known ones"},
		{"hardly faster with known ones", nil, []result.Record{{Calibration: &result.Calibration{Case: one, N: 1, Fresh: 109, Seen: 100}}}, "", ""},
		{"as much as it writes", nil, []result.Record{count("gob", one.Op, 100)}, "", ""},
		{"another amount each time", nil, []result.Record{varying(count("gob", one.Op, 100))}, CountVaries, "100 to 120 B an operation"},
		{"less than it writes", nil, []result.Record{count("gob", one.Op, 80)}, BelowFloor, "allocates 80 B an operation and writes 100 B"},
	} {
		json, gob := flat("json", 10, 40, 1), flat("gob", 20, 40, 1)
		if test.gob != nil {
			test.gob(&gob)
		}
		records := append(test.records, launchOf(1, 0, json, gob))
		table := only(t, Of(planOf("json", "gob"), records, View{}))
		for _, contender := range []string{"json", "gob"} {
			row, _ := table.Row(caseOf(contender), Time)
			got := slices.DeleteFunc(slices.Clone(row.Warnings), func(w Warning) bool { return w.Kind == OneLaunch })
			if want := contender == "gob" && test.kind != ""; want != (len(got) > 0) || want && (got[0].Kind != test.kind || !strings.Contains(got[0].Text, test.text)) {
				t.Errorf("%s: %s has the warnings %v, want %q %q", test.name, contender, got, test.kind, test.text)
			}
		}
	}
}
