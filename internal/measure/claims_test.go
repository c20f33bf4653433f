package measure

import (
	"slices"
	"strings"
	"testing"

	"assay/published/claims"
	"assay/result"
)

// The plan has what claims need and the reference; what is only counted is not
// timed, and with --quick what is large is left out with a reason.
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
		if !strings.Contains(untimed[c], want.untimed) || (untimed[c] == "") != (want.untimed == "") ||
			!strings.Contains(out[c], want.out) || (out[c] == "") != (want.out == "") {
			t.Errorf("%s: untimed %q, left out %q", c, untimed[c], out[c])
		}
	}

	if p, sel, err = cfg.ForClaims(result.Plan{}, needs); err != nil || len(sel.Outcomes) != 0 || len(p.Untimed) != 2 {
		t.Errorf("not quick: %v, left out %v, untimed %v", err, sel.Outcomes, p.Untimed)
	}
}
