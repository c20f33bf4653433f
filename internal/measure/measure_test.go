package measure

import (
	"encoding/json"
	"errors"
	"testing"

	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/result"
)

// A resumed run verifies again. The same result of a round trip is not stored twice; another
// result is.
func TestVerifiedAgain(t *testing.T) {
	from := result.Subject{Contender: "b"}
	first := result.Verification{Workload: "w", Size: "s", Subject: result.Subject{Contender: "a"}, From: &from, OK: true, Losses: []string{}}
	stored := result.Record{}
	text, err := json.Marshal(result.Record{Verification: &first})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &stored); err != nil {
		t.Fatal(err)
	}
	m := &Measurement{cfg: &Config{}, Records: []result.Record{stored}}
	another := from
	same, failed, other := first, first, first
	same.From = &another
	failed.OK, failed.Reason = false, "x"
	other.From = nil
	for _, test := range []struct {
		v    result.Verification
		want int
	}{{same, 1}, {failed, 2}, {other, 3}, {failed, 3}, {first, 3}} {
		if err := m.sink(result.Record{Verification: &test.v}); err != nil {
			t.Fatal(err)
		}
		if len(m.Records) != test.want {
			t.Errorf("%+v: %d records, want %d", test.v, len(m.Records), test.want)
		}
	}
}

// A record that cannot be stored ends the run. A closed store gives the same kind of error as a
// full disk.
func TestLostRecord(t *testing.T) {
	run := &result.Run{Plan: result.Plan{Cases: []result.Case{{Workload: "movie", Size: "record=one", Contender: "floor", Op: result.Encode}}}}
	closed, err := result.Create(t.TempDir(), run)
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	m := &Measurement{cfg: &Config{}, Run: run, store: &store{Store: closed}, sel: plan.Selection{
		Outcomes: []result.Outcome{{Case: run.Plan.Cases[0], Status: result.Unsupported, Reason: "too large"}},
	}}
	err = m.Measure(t.Context())
	if lost := (*result.AppendError)(nil); !errors.As(err, &lost) {
		t.Fatalf("the run ends with %v, want that a record is lost", err)
	}
	if refused := (*refusal.Error)(nil); errors.As(err, &refused) {
		t.Error("it is taken for something that was asked for")
	}
}
