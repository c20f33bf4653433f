package cli

import (
	"encoding/json"
	"testing"

	"assay/result"
)

// Whoever goes on with a run verifies again. A round trip that comes out as before is
// not stored twice; another one is.
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
	m := &measurement{records: []result.Record{stored}}
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
		if len(m.records) != test.want {
			t.Errorf("%+v: %d records, want %d", test.v, len(m.records), test.want)
		}
	}
}
