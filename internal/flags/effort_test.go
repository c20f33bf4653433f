package flags

import (
	"testing"
	"time"

	"assay/result"
)

// A default budget includes the time for reading. A budget from a flag is for measuring only.
func TestLeft(t *testing.T) {
	for _, tt := range []struct {
		effort  Effort
		reading time.Duration
		want    time.Duration
	}{
		{Effort{Budget: 30 * time.Second, usual: true}, 300 * time.Millisecond, 29 * time.Second},
		{Effort{Budget: 30 * time.Second, usual: true}, 4200 * time.Millisecond, 25 * time.Second},
		{Effort{Budget: 30 * time.Second, usual: true}, time.Minute, 15 * time.Second},
		{Effort{Budget: 30 * time.Second}, 300 * time.Millisecond, 30 * time.Second},
	} {
		if got := tt.effort.Left(tt.reading); got != tt.want {
			t.Errorf("%+v after reading for %v: %v, want %v", tt.effort, tt.reading, got, tt.want)
		}
	}
}

// The flags of a stored run are those that measure the same amount again.
func TestAnew(t *testing.T) {
	full, quick := Amount{5 * time.Minute, 16}, Amount{2 * time.Minute, 8}
	whole := func(memory int64) *result.Run {
		return &result.Run{Plan: result.Plan{Stream: &result.StreamPlan{Memory: memory}}}
	}
	for _, test := range []struct {
		plan   result.Plan
		wholes *result.Run
		want   string
	}{
		{result.Plan{Budget: 5 * time.Minute, Layouts: make([]uint64, 1+16)}, nil, ""},
		{result.Plan{Budget: 5 * time.Minute, Layouts: make([]uint64, 1+8)}, nil, " --layouts 8"},
		{result.Plan{Budget: 40 * time.Minute}, whole(20 << 30), " --budget 40m --giants --memory 20GiB"},
		{result.Plan{Budget: 90 * time.Second, Quick: true}, whole(1536 << 20), " --quick --budget 1m30s --giants --memory 1.5GiB"},
		{result.Plan{Budget: 2 * time.Minute, Quick: true}, whole(7<<30 + 980<<20), " --quick --giants --memory 8148MiB"}, // 7.96 GiB: not 8
		{result.Plan{Budget: 2 * time.Minute, Quick: true}, whole(1<<30 + 1), " --quick --giants --memory 1073741825B"},
		{result.Plan{Budget: 2 * time.Minute, Quick: true}, nil, " --quick"},
		{result.Plan{}, whole(0), " --giants"},
	} {
		if got := Anew(&result.Run{Seed: 1, Plan: test.plan}, test.wholes, full, quick); got != test.want {
			t.Errorf("%+v: %q, want %q", test.plan, got, test.want)
		}
	}
	for seed, want := range map[uint64]string{0: " --seed 0", 1: "", 7: " --seed 7"} {
		if got := Anew(&result.Run{Seed: seed}, nil, full, quick); got != want {
			t.Errorf("seed %d: %q, want %q", seed, got, want)
		}
	}
}
