package drive

import (
	"testing"
	"time"

	"assay/bench"
)

// TestLargeValuesHaveTime: commands on values that take long to make may take long. An external
// contender gets no additional time, because it gives no sign of life and nothing else would tell
// that it hangs.
func TestLargeValuesHaveTime(t *testing.T) {
	verify := bench.Command{Cmd: "verify", Verify: &bench.Verify{}}
	for _, test := range []struct {
		name             string
		loading          time.Duration
		external         bool
		wantAll, wantOne time.Duration
	}{
		{"small", soon, false, time.Minute, 12 * time.Second},
		{"large", soon + time.Second, false, 6 * time.Minute, 112 * time.Second},
		{"external", time.Second, true, time.Minute, 12 * time.Second},
	} {
		p := &Process{child: &child{limits: Limits{Answer: time.Minute, Hang: 12 * time.Second}}, loading: test.loading, external: test.external}
		if all, one := p.allowed(verify), p.hang(bench.Command{}); all != test.wantAll || one != test.wantOne {
			t.Errorf("%s: %v for all and %v for a sign of life, want %v and %v", test.name, all, one, test.wantAll, test.wantOne)
		}
	}
	p := &Process{child: &child{}, loading: time.Second}
	if got := p.allowed(verify); got != 0 {
		t.Errorf("%v where there is no limit", got)
	}
}
