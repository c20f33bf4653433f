package analysis

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/result"
)

// wideness is the half-width of an interval in a reason.
var wideness = regexp.MustCompile(`±[0-9.]+%`)

// A row that cannot be judged is open, and never counts as good.
func TestJudgeOpen(t *testing.T) {
	outcome := func(status result.Status, side string) result.Record {
		return result.Record{Outcome: &result.Outcome{Case: caseOf("gob"), Side: side, Status: status, Reason: "boom"}}
	}
	count := result.Record{Count: &result.Count{Case: caseOf("gob"), Ops: 10, Allocs: 1, Messages: 1}}
	monday, today := runOf("monday", 1000, 3000), runOf("today", 1000, 3000)
	with := func(s *Side, more ...result.Record) *Side {
		out := *s
		out.Records = slices.Concat(s.Records, more)
		return &out
	}
	untimed := func(s *Side, name string) *Side {
		out := *s
		out.Records = nil
		for _, r := range s.Records {
			l := *r.Launch
			l.Series = slices.DeleteFunc(slices.Clone(l.Series), func(s result.Series) bool { return s.Contender == name })
			out.Records = append(out.Records, result.Record{Launch: &l})
		}
		return &out
	}
	counted := func(s *Side, names ...string) *Side {
		out, run := *s, *s.Run
		for _, name := range names {
			run.Plan.Untimed = append(run.Plan.Untimed, result.Outcome{Case: caseOf(name), Status: result.Timeout, Reason: "counted"})
		}
		out.Run = &run
		return &out
	}
	without := func(s *Side, name string) *Side {
		out, run := *untimed(s, name), *s.Run
		run.Plan.Cases = slices.DeleteFunc(slices.Clone(run.Plan.Cases), func(c result.Case) bool { return c.Contender == name })
		out.Run = &run
		return &out
	}
	contender := func(s *Side, name string) *Side {
		out := *s
		out.Contender, out.Label = name, name
		return &out
	}
	oneSample := &Side{Label: "today", Run: planOf("json", "gob"), Records: []result.Record{launchOf(1, 0, flat("json", 1000, 1, 1), flat("gob", 9000, 1, 1))}}
	// Two launches that differ: about three times as slow, with a very wide interval.
	wide := &Side{Label: "today", Run: planOf("json", "gob"), Records: []result.Record{
		launchOf(1, 0, flat("json", 1000, 20, 1), flat("gob", 6000, 20, 1)), launchOf(2, 1, flat("json", 1000, 20, 1), flat("gob", 12000, 20, 1))}}
	v1, v2 := versionsOf(3000, 8)
	version := func(s *Side, label string, more ...result.Record) *Side {
		out := with(s, more...)
		out.Label, out.Version = label, label
		return out
	}
	// Nothing was launched, because a side failed before.
	planned := planOf("json", "gob")
	planned.Plan.Sides = []string{"v1", "v2"}
	failed := func(status result.Status, name string) []result.Record {
		return []result.Record{{Outcome: &result.Outcome{Case: caseOf(name), Side: "v2", Status: status, Reason: "boom"}}}
	}
	never := &Side{Run: planned, Records: append(failed(result.BuildFailed, "json"), failed(result.Unverified, "gob")...)}

	alone := []string{"json time timeout: two runs are compared through it, and no other case of this cell can show its change: measure another contender too"}

	for _, test := range []struct {
		name   string
		a, b   *Side
		judged int
		open   []string // contender, metric, status: reason
	}{
		{"everything is compared", with(monday, count), with(today, count), 3, nil},
		{"new died", monday, with(today, outcome(result.Panic, "")), 0, []string{"gob time panic: today: panic: boom"}},
		{"old died", with(monday, outcome(result.OOM, "")), today, 0, []string{"gob time oom: monday: oom: boom"}},
		{"both died", with(monday, outcome(result.Timeout, "")), with(today, outcome(result.Timeout, "")), 0, []string{"gob time timeout: timeout: boom"}},
		{"new is wrong, old died", with(monday, outcome(result.Panic, "")), with(today, outcome(result.Unverified, "")), 0, []string{"gob time unverified: monday: panic: boom"}},
		{"neither format holds it", with(monday, outcome(result.Unsupported, "")), with(today, outcome(result.Unsupported, "")), 0, alone},
		{"new cannot hold it", monday, with(today, outcome(result.Unsupported, "")), 0, []string{"gob time unsupported: today: unsupported: boom"}},
		{"old has a count alone", with(monday, count), today, 1, []string{"gob alloc-bytes timeout: only in monday", "gob allocs timeout: only in monday"}},
		{"neither has a time", with(untimed(monday, "gob"), count), with(untimed(today, "gob"), count), 2, []string{"gob time timeout: timeout: not measured: the budget ended before its first launch (raise --budget)"}},
		{"neither was to have a time", counted(with(untimed(monday, "gob"), count), "gob"), counted(with(untimed(today, "gob"), count), "gob"), 2, alone},
		{"nothing was to have a time", counted(with(untimed(untimed(monday, "json"), "gob"), count), "gob", "json"), counted(with(untimed(untimed(today, "json"), "gob"), count), "gob", "json"), 2, nil},
		{"one was to have none", counted(with(untimed(monday, "gob"), count), "gob"), with(untimed(today, "gob"), count), 2, []string{"gob time timeout: today: timeout: not measured: the budget ended before its first launch (raise --budget)"}},
		{"new lacks a case", monday, without(today, "gob"), 0, []string{"gob time timeout: only in monday"}},
		{"old lacks a case", without(monday, "gob"), today, 0, []string{"gob time timeout: only in today"}},
		{"one sample", monday, oneSample, 0, []string{"gob time noisy: one sample"}},
		{"no more than chance", monday, wide, 0, []string{"gob time noisy: ±WIDE is too wide to judge by (raise --budget, or stop other work)"}},
		{"nothing but the reference", without(monday, "gob"), without(today, "gob"), 0,
			alone},
		{"two contenders", contender(monday, "gob"), contender(monday, "json"), 1, nil},
		{"a contender without the other", contender(without(monday, "gob"), "gob"), contender(without(monday, "gob"), "json"), 0, nil},
		{"versions", v1, v2, 2, nil},
		{"the second version died", version(v1, "v1", outcome(result.Panic, "v2")), version(v2, "v2", outcome(result.Panic, "v2")), 1, []string{"gob time panic: v2: panic: boom"}},
		{"the second version never ran", version(never, "v1"), version(never, "v2"), 0,
			[]string{"json time build-failed: v2: build-failed: boom", "gob time unverified: v2: unverified: boom"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := compareOf(t, test.a, test.b).Judge(10)
			if len(j.Worse) != 0 || j.Judged != test.judged {
				t.Errorf("%d judged, %d worse; want %d and none", j.Judged, len(j.Worse), test.judged)
			}
			var open []string
			for _, g := range j.Open {
				reason, _, _ := strings.Cut(wideness.ReplaceAllString(g.Reason, "±WIDE"), ": there is")
				open = append(open, g.Case.Contender+" "+g.Metric+" "+string(g.Status)+": "+reason)
			}
			if diff := cmp.Diff(test.open, open); diff != "" {
				t.Errorf("open (-want +got):\n%s", diff)
			}
		})
	}
}

// A wide interval decides nothing about a limit within it, but decides about a limit that is below
// or above all of it.
func TestJudgeWide(t *testing.T) {
	side := func(first, second int64) *Side {
		return &Side{Label: "b", Run: planOf("json", "gob"), Records: []result.Record{
			launchOf(1, 0, flat("json", 1000, 20, 1), flat("gob", first, 20, 1)), launchOf(2, 1, flat("json", 1000, 20, 1), flat("gob", second, 20, 1))}}
	}
	a := runOf("a", 1000, 3000)
	for _, test := range []struct {
		first, second       int64
		limit               float64
		judged, worse, open int
	}{
		{3000, 3001, 0.05, 1, 0, 0},
		{2000, 4000, 0.05, 0, 0, 1},
		{2000, 4000, math.Inf(1), 1, 0, 0}, // without a limit there is nothing to judge
		{3000, 3150, 0.05, 0, 0, 1},        // two launches that differ by 5%
		{3000, 3150, 9, 1, 0, 0},           // but are certainly not ten times as slow
		{300000, 315000, 0.05, 1, 1, 0},    // but are certainly slower, however wide
	} {
		j := compareOf(t, a, side(test.first, test.second)).Judge(test.limit)
		if j.Judged != test.judged || len(j.Worse) != test.worse || len(j.Open) != test.open {
			t.Errorf("%d and %d, limit %v: %+v", test.first, test.second, test.limit, j)
		}
	}
}

// A reference that became slower makes all other cases of its cell look faster. A gate must not
// pass because of this.
func TestJudgeReference(t *testing.T) {
	for _, test := range []struct {
		name      string
		json, gob int64 // in the second run; 1000 and 3000 in the first
		open      int
	}{
		{"nothing changed", 1000, 3000, 0},
		{"the machine is slower", 2000, 6000, 0},
		{"the reference is slower", 2000, 3000, 1},
		{"by less than the limit", 1030, 3000, 0},
		{"the only other case is faster", 1000, 2000, 1},
		{"the reference is faster", 500, 3000, 0}, // gob is worse
	} {
		j := compareOf(t, runOf("a", 1000, 3000), runOf("b", test.json, test.gob)).Judge(0.05)
		if len(j.Open) != test.open {
			t.Errorf("%s: open %+v, want %d", test.name, j.Open, test.open)
		}
	}
	// A third contender that did not change against the reference shows that the second is faster.
	run := func(id string, gob int64) *Side {
		side := &Side{Label: id, Run: planOf("json", "gob", "xml")}
		for i := range 6 {
			side.Records = append(side.Records, launchOf(uint64(i+1), i,
				flat("json", 1000, 20, 1), flat("gob", gob+int64(i%2), 20, 1), flat("xml", 5000+int64(i%2), 20, 1)))
		}
		return side
	}
	if j := compareOf(t, run("a", 3000), run("b", 2000)).Judge(0.05); len(j.Open) != 0 || len(j.Worse) != 0 {
		t.Errorf("gob is faster, and xml as before: %+v", j)
	}
}

// Comparing a contender or a version with itself is an error.
func TestCompareWithItself(t *testing.T) {
	a, b := runOf("r", 1000, 3000), runOf("r", 1000, 3000)
	a.Contender, b.Contender = "gob", "gob"
	if _, err := Compare(a, b, View{}); err == nil || !strings.Contains(err.Error(), "gob is compared with itself") {
		t.Errorf("a contender: %v", err)
	}
	v1, _ := versionsOf(3000, 8)
	if _, err := Compare(v1, v1, View{}); err == nil || !strings.Contains(err.Error(), "v1 is compared with itself") {
		t.Errorf("a version: %v", err)
	}
}
