package report

import (
	"testing"
	"time"

	"assay/internal/analysis"
	"assay/result"
)

// How many round trips came back right is said with the records that they went over, where
// those are not all, and with when they were made.
func TestVerifiedWords(t *testing.T) {
	run := &result.Run{Plan: result.Plan{Data: &result.Data{Records: 79300}}}
	at := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		results analysis.Results
		want    string
	}{
		{analysis.Results{Run: run, Verified: 23, Trips: 24}, "verified 23 of 24"},
		{analysis.Results{Run: run, Verified: 24, Trips: 24, Values: 4966}, "verified 24 of 24 on 4966 of 79300 records"},
		{analysis.Results{Run: run, Verified: 24, Trips: 24, Values: 4966, Earlier: 24, EarlierAt: at}, "verified 24 of 24 on 4966 of 79300 records (on 2026-11-23)"},
		{analysis.Results{Run: run, Verified: 24, Trips: 24, Earlier: 3, EarlierAt: at}, "verified 24 of 24 (3 of them on 2026-11-23)"},
	} {
		if got := verifiedWords(&test.results); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// Of a run whose round trips went over some of the records, the least number is told, and
// the sizes of encoding/json are not taken for those of all.
func TestSomeRecordsVerified(t *testing.T) {
	c := result.Case{Workload: "own", Size: "records=100", Contender: "encoding/json", Op: result.Encode}
	run := &result.Run{Plan: result.Plan{Cases: []result.Case{c}, Reference: "encoding/json", Data: &result.Data{
		Records: 100, JSON: &result.JSONSize{Compact: 5000, Compared: 5000, Written: 5100},
	}}}
	trip := func(values, encoded int64) []result.Record {
		return []result.Record{
			{Verification: &result.Verification{Workload: "own", Size: "records=100", Subject: c.Subject(), OK: true, Values: values, Encoded: encoded}},
			{Verification: &result.Verification{Workload: "own", Size: "records=100", Subject: result.Subject{Contender: "msgp"}, OK: true, Values: 2 * values}},
		}
	}
	if r := analysis.Of(run, trip(40, 5300), analysis.View{}); r.Values != 40 || r.JSON.Written != 5100 {
		t.Errorf("%d records, %d bytes written; want 40 and 5100", r.Values, r.JSON.Written)
	}
	if r := analysis.Of(run, trip(0, 5300), analysis.View{}); r.Values != 0 || r.JSON.Written != 5300 {
		t.Errorf("%d records, %d bytes written; want 0 and 5300", r.Values, r.JSON.Written)
	}
}
