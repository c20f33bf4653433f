package measure

import (
	"testing"
	"time"

	"assay/result"
)

// What a pass gets is of the time that is left or, where the budget is for launches
// alone, of all of it; parties share by their cases.
func TestShare(t *testing.T) {
	m := &Measurement{Run: &result.Run{Plan: result.Plan{Budget: 3 * time.Minute, Also: []string{AlsoCPU}}}}
	if got := m.share(launchesPass); got != 2*time.Minute {
		t.Errorf("of 3m for launches and CPU time launches get %v", got)
	}
	m.all = 100
	m.open(50, 100)
	if got := m.share(AlsoCPU); got != 30*time.Second {
		t.Errorf("of half of them CPU time gets %v", got)
	}
	near := func(got, want time.Duration) bool { return got > want-5*time.Second && got <= want }
	m.began = time.Now().Add(-time.Minute)
	m.open(50, 50)
	if got := m.share(launchesPass); !near(got, 80*time.Second) {
		t.Errorf("a minute later launches get %v of the two that are left", got)
	}
	if got := m.share(AlsoCPU); !near(got, 2*time.Minute) {
		t.Errorf("CPU time, which is the last, gets %v of them", got)
	}
	m.began = time.Now().Add(-time.Hour)
	m.open(50, 50)
	if got := m.share(launchesPass); got != 15*time.Second {
		t.Errorf("when the time is over launches get %v, want a quarter of their part", got)
	}
	quick := result.Plan{Budget: 40 * time.Second, Quick: true, Also: []string{AlsoCPU}}
	if got := (&Measurement{Run: &result.Run{Plan: quick}}).share(launchesPass); got != 20*time.Second {
		t.Errorf("of a quick run launches get %v", got)
	}
}
