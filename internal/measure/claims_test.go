package measure

import (
	"slices"
	"strings"
	"testing"

	"assay/contender"
	"assay/published/claims"
	"assay/result"
)

// The plan has the cases that claims need, and the reference. Cases that are only counted are not
// timed. With --quick, large values are left out with a reason.
func TestClaimsPlan(t *testing.T) {
	one := func(size, contender string, op result.Op) result.Case {
		workload := "movie"
		if strings.HasPrefix(size, "txs=") {
			workload = "chain"
		}
		return result.Case{Workload: workload, Size: size, Contender: contender, Op: op}
	}
	timed, both, exact := []string{"time"}, []string{"time", "encoded-size"}, []string{"encoded-size"}
	needs := []claims.Need{
		{Case: one("record=one", "protobuf", result.Encode), Metrics: timed},
		{Case: one("record=one", "gogo/protobuf", result.Decode), Metrics: []string{"cpu-time"}},
		{Case: one("record=one", "encoding/xml", result.Encode), Metrics: exact},
		{Case: one("txs=5000", "protobuf", result.Encode), Metrics: both},
		{Case: one("txs=30000", "protobuf", result.Encode), Metrics: both},
		{Case: one("txs=30000", "encoding/gob", result.Encode), Metrics: timed},
		{Case: one("txs=200000", "protobuf", result.Encode), Metrics: exact},
	}
	cfg := Config{Input: Builtin()}
	p, sel, err := cfg.ForClaims(result.Plan{Quick: true, Layouts: Layouts(3)}, needs)
	if err != nil {
		t.Fatal(err)
	}
	want := []result.Case{one("record=one", "encoding/json", result.Encode), one("record=one", "encoding/json", result.Decode)}
	for _, n := range needs {
		want = append(want, n.Case)
	}
	for _, c := range want {
		if !slices.Contains(p.Cases, c) {
			t.Errorf("%s is not planned", c)
		}
	}
	if !p.Counts {
		t.Error("a run for claims that is resumed drops the counts of slow cases")
	}
	if len(p.Cases) != len(want) || len(p.Layouts) != 4 || !slices.Equal(p.Also, []string{AlsoCPU}) {
		t.Errorf("%d cases, %d layouts, passes %v", len(p.Cases), len(p.Layouts), p.Also)
	}
	untimed := map[result.Case]string{}
	for _, u := range p.Untimed {
		untimed[u.Case] = u.Reason
	}
	out := map[result.Case]string{}
	for _, u := range sel.Outcomes {
		out[u.Case] = u.Reason
	}
	for i, want := range []struct{ untimed, out string }{
		{}, {}, {untimed: "only"}, {}, {untimed: "too large for --quick"}, {out: "too large for --quick"}, {out: "too large for --quick"},
	} {
		c := needs[i].Case
		if left := want.out != "" || strings.HasPrefix(want.untimed, "too large"); result.LeftByQuick(result.Timeout, untimed[c]+out[c]) != left {
			t.Errorf("%s: %q tells that the quick run leaves it out: %v", c, untimed[c]+out[c], !left)
		}
		if !strings.Contains(untimed[c], want.untimed) || (untimed[c] == "") != (want.untimed == "") ||
			!strings.Contains(out[c], want.out) || (out[c] == "") != (want.out == "") {
			t.Errorf("%s: untimed %q, left out %q", c, untimed[c], out[c])
		}
	}

	if p, sel, err = cfg.ForClaims(result.Plan{}, needs); err != nil || len(sel.Outcomes) != 0 || len(p.Untimed) != 2 {
		t.Errorf("not quick: %v, left out %v, untimed %v", err, sel.Outcomes, p.Untimed)
	}
}

// TestWholesForClaims: the plan has whole values for cases that are too large for the ordinary
// passes, and for claims about whole values.
func TestWholesForClaims(t *testing.T) {
	one := func(size, contender, mode string, op result.Op) result.Case {
		return result.Case{Workload: "chain", Size: size, Contender: contender, Mode: mode, Op: op}
	}
	needs := []claims.Need{
		{Case: one("txs=5000", "protobuf", "", result.Encode), Metrics: []string{"cpu-time"}},
		{Case: one("txs=1000000", "protobuf", "", result.Encode), Metrics: []string{"time", "cpu-time"}},
		{Case: one("txs=1000000", "encoding/gob", "", result.Encode), Metrics: []string{"time", "cpu-time"}},
		{Case: one("txs=5000", "encoding/gob", contender.WholeMode, result.Decode), Metrics: []string{"stream-pause"}},
	}
	cfg := Config{Input: Builtin()}
	p, sel, err := cfg.WholesForClaims(result.Plan{Stream: &result.StreamPlan{Memory: 1 << 30}}, needs)
	if err != nil {
		t.Fatal(err)
	}
	want := []result.Case{
		one("txs=1000000", "encoding/gob", contender.WholeMode, result.Encode), one("txs=1000000", "protobuf", contender.WholeMode, result.Encode),
		one("txs=5000", "encoding/gob", contender.WholeMode, result.Decode),
	}
	for _, c := range want {
		if !slices.Contains(p.Cases, c) {
			t.Errorf("%s is not planned", c)
		}
	}
	if len(p.Cases) != len(want) || p.Stream.Repeats < 2 || len(sel.Contenders) != 2 || len(sel.Workloads) != 1 || !Alone(p.Cases) {
		t.Errorf("%v, %d contenders, %+v", p.Cases, len(sel.Contenders), p.Stream)
	}
	// The ordinary run has the other cases, and says which cases are too large and what to do.
	_, sel, err = cfg.ForClaims(result.Plan{}, needs)
	if err != nil {
		t.Fatal(err)
	}
	large := 0
	for _, o := range sel.Outcomes {
		if _, advised := result.WithoutGiants(o.Reason); advised && strings.Contains(o.Reason, "; add --giants to measure each contender in a process of its own") && o.Case.Size == "txs=1000000" {
			large++
		}
	}
	if large != 2 || slices.ContainsFunc(sel.Cases, func(c result.Case) bool { return c.Mode == contender.WholeMode }) {
		t.Errorf("%d cases are too large of %v: %v", large, sel.Cases, sel.Outcomes)
	}
}
