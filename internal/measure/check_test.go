package measure

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/verify"
	"assay/result"
)

// A case that has an answer is not among the unanswered ones, whatever the answer is.
func TestUnanswered(t *testing.T) {
	of := func(contender, size string, op result.Op) result.Case {
		return result.Cell{Workload: "probes", Size: size, Op: op}.Case(result.Subject{Contender: contender})
	}
	answer := func(contender, size string, ok bool) result.Verification {
		return result.Verification{Workload: "probes", Size: size, Subject: result.Subject{Contender: contender}, OK: ok}
	}
	got := unanswered(verify.Result{
		Verifications: []result.Verification{answer("gob", "probe=nan", false), answer("gob", "probe=text", true)},
		Outcomes: []result.Outcome{
			{Case: of("gob", "probe=nan", result.Encode), Status: result.Unverified},
			{Case: of("gob", "probe=deep", result.Encode), Status: result.Panic},
			{Case: of("msgp", "probe=nan", result.Decode), Status: result.OOM},
		},
	})
	want := []result.Outcome{
		{Case: of("gob", "probe=deep", result.Encode), Status: result.Panic},
		{Case: of("msgp", "probe=nan", result.Decode), Status: result.OOM},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}
