package bench

import (
	"testing"

	"assay/result"
)

// TestRemembers: an op that does almost nothing may be slower by the time to fetch a cache line
// of its message from memory. An op that does work must not take several times as long on new
// values.
func TestRemembers(t *testing.T) {
	for _, test := range []struct {
		op          result.Op
		known, anew float64
		want        bool
	}{
		{result.Open, 0.658, 69.3, false}, // flatbuffers, while a neighbour on the machine uses the caches
		{result.Open, 0.658, 1000, true},
		{result.Scan, 300, 790, false},
		{result.Scan, 300, 1200, true},
		{result.Decode, 60, 180, false},
		{result.Decode, 60, 300, true},
		{result.Encode, 30, 200, true},
		{result.Encode, 1000, 2900, false},
	} {
		fresh, known := pace{test.anew, test.anew}, pace{test.known, test.known}
		if got := fresh.remembers(test.op, known, hindsightTimes); got != test.want {
			t.Errorf("%s in %v ns, new values in %v ns: remembers is %v", test.op, test.known, test.anew, got)
		}
		if slow := (pace{test.anew, test.known}); slow.remembers(test.op, known, hindsightTimes) {
			t.Errorf("%s is slower by one clock only, and remembers", test.op)
		}
	}
}
