package measure

import (
	"testing"
	"time"

	"assay/bench"
	"assay/internal/plan"
	"assay/result"
)

// A number of rounds that would make a case seem to hang is refused before the launches.
func TestInTime(t *testing.T) {
	s := plan.Schedule{Cells: []plan.Cell{{Cell: result.Cell{Workload: "movie", Size: "record=one", Op: result.Encode}, Cases: make([]bench.CaseSpec, 1), Launch: 70 * time.Second}}}
	m := &Measurement{Run: &result.Run{Plan: result.Plan{Rounds: 5000}}}
	err := m.inTime(s)
	if want := "--rounds 5000 makes a launch of movie record=one encode take about 1m10s, more than the 48s that it may: fewer rounds, or fewer cases"; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	m.Run.Plan.Rounds = 0 // the rounds are then those that fit
	if err := m.inTime(s); err != nil {
		t.Error(err)
	}
	m.Run.Plan.Rounds, s.Cells[0].Launch = 40, 20*time.Second
	if err := m.inTime(s); err != nil {
		t.Error(err)
	}
}
