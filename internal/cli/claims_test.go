package cli

import (
	"testing"
	"time"

	"assay/internal/analysis"
	"assay/result"
)

// The flags of a stored run are those that measure the same amount again.
func TestClaimsAnew(t *testing.T) {
	whole := func(memory int64) *analysis.Results {
		return &analysis.Results{Run: &result.Run{Plan: result.Plan{Stream: &result.StreamPlan{Memory: memory}}}}
	}
	for _, test := range []struct {
		plan    result.Plan
		besides *analysis.Results
		want    string
	}{
		{result.Plan{Budget: 5 * time.Minute, Layouts: make([]uint64, 1+defaultLayouts)}, nil, ""},
		{result.Plan{Budget: 5 * time.Minute, Layouts: make([]uint64, 1+quickLayouts)}, nil, " --layouts 8"},
		{result.Plan{Budget: 40 * time.Minute}, whole(20 << 30), " --budget 40m --giants --memory 20GiB"},
		{result.Plan{Budget: 90 * time.Second, Quick: true}, whole(1536 << 20), " --quick --budget 1m30s --giants --memory 1.5GiB"},
		{result.Plan{Budget: 2 * time.Minute, Quick: true}, whole(7<<30 + 980<<20), " --quick --giants --memory 8148MiB"}, // 7.96 GiB: not 8
		{result.Plan{Budget: 2 * time.Minute, Quick: true}, whole(1<<30 + 1), " --quick --giants --memory 1073741825B"},
		{result.Plan{Budget: 2 * time.Minute, Quick: true}, nil, " --quick"},
		{result.Plan{}, whole(0), " --giants"},
	} {
		if got := anew(&result.Run{Seed: 1, Plan: test.plan}, test.besides); got != test.want {
			t.Errorf("%+v: %q, want %q", test.plan, got, test.want)
		}
	}
	for seed, want := range map[uint64]string{0: " --seed 0", 1: "", 7: " --seed 7"} {
		if got := anew(&result.Run{Seed: seed}, nil); got != want {
			t.Errorf("seed %d: %q, want %q", seed, got, want)
		}
	}
}
