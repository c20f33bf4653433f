package answer

import "testing"

// At rate 0 no core is busy, so none can be saved.
func TestRateZero(t *testing.T) {
	one := Cost{Candidate: &Candidate{}}
	if got := fewer(one.Cores, (&asked{Answer: &Answer{}}).ratio(one, one)); got.Value != 0 || got.Lo != 0 || got.Hi != 0 {
		t.Errorf("saved: %+v", got)
	}
}
