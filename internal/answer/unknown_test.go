package answer

import (
	"testing"

	"assay/result"
)

// A contender that was measured, and that this version does not know, is listed with the reason.
func TestUnknownContender(t *testing.T) {
	all := append([]bench{{name: "gone", encode: 10, decode: 10, size: 1}, {name: "gone", mode: "output=reuse", encode: 5, decode: 10, size: 1}}, usual...)
	for _, have := range []string{"encoding/json", "gone"} {
		a := Of(asks(have, nil, all...))
		seen := map[result.Subject]int{}
		for _, l := range a.LeftOut {
			if l.Contender == "gone" {
				seen[l.Subject]++
				if l.Reason != Unknown || !l.unfit {
					t.Errorf("against %s: %s is left out because %q, unfit %t", have, l.Subject, l.Reason, l.unfit)
				}
			}
		}
		if len(seen) != 2 || seen[result.Subject{Contender: "gone"}] != 1 {
			t.Errorf("against %s: left out is %v, want both modes once", have, seen)
		}
		for _, c := range a.Candidates {
			if c.Contender == "gone" {
				t.Errorf("against %s: %s is a candidate", have, c.Subject)
			}
		}
	}
}
