package flags

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/analysis"
	"assay/result"
)

// The full name of a size selects only that size, although other names contain it.
func TestSizes(t *testing.T) {
	run := &result.Run{}
	for _, size := range []string{"txs=100", "blocks=1,txs=100", "txs=1000"} {
		run.Plan.Cases = append(run.Plan.Cases, result.Case{Workload: "chain", Size: size})
	}
	for pattern, want := range map[string][]string{
		"":        {"txs=100", "blocks=1,txs=100", "txs=1000"},
		"txs=100": {"txs=100"},
		"txs":     {"txs=100", "blocks=1,txs=100", "txs=1000"},
		"^txs":    {"txs=100", "txs=1000"},
	} {
		re, err := (&Selection{Size: pattern}).sizes(run)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range run.Plan.Cases {
			if (analysis.Match{Include: re}).Name(c.Size) {
				got = append(got, c.Size)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("--size %q (-want +got):\n%s", pattern, diff)
		}
	}
}
