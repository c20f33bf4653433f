package report

import (
	"strings"
	"testing"
	"time"

	"assay/internal/analysis"
	"assay/result"
)

// verifiedWords says how many round trips succeeded, on how many records if not on all, and when
// if an earlier run made them.
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

// If round trips covered only some of the records, the smallest number counts, and the size that
// encoding/json wrote is not taken for the size of all records.
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

// The text shows what a program wrote before it died once, and only the beginning if it is long.
// JSON has all of it.
func TestLastWords(t *testing.T) {
	trace := "panic: planted\n\ngoroutine 1 [running]:\n" + strings.Repeat("main.f()\n", 40)
	outcome := func(op result.Op, mode string) result.Outcome {
		return result.Outcome{
			Case:   result.Case{Workload: "movie", Size: "record=one", Contender: "msgp", Mode: mode, Op: op},
			Status: result.Panic, Reason: "panic: planted", Stderr: trace,
		}
	}
	outcomes := []result.Outcome{outcome(result.Encode, ""), outcome(result.Decode, ""), outcome(result.Encode, "output=reuse")}
	var cases []result.Case
	for _, o := range outcomes {
		cases = append(cases, o.Case)
	}
	v := VerifiedOf(cases, outcomes, nil)
	var text, json strings.Builder
	if err := VerifiedText(&text, v, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := VerifiedJSON(&json, v); err != nil {
		t.Fatal(err)
	}
	for want, n := range map[string]int{
		"msgp ended its program, which wrote:\n    panic: planted\n    \n    goroutine 1": 1, "main.f()": mostWords - 3, "… and 19 lines, which --format json shows": 1,
	} {
		if got := strings.Count(text.String(), want); got != n {
			t.Errorf("%d times %q, want %d:\n%s", got, want, n, text.String())
		}
	}
	if got := strings.Count(json.String(), "main.f()"); got != 2*40 {
		t.Errorf("JSON has %d lines of the traces, want all 80", got)
	}
}

// A round trip without any answer does not count as verified.
func TestVerifiedWithoutAnswer(t *testing.T) {
	one := result.Case{Workload: "movie", Size: "record=one", Contender: "msgp", Op: result.Encode}
	trip := result.Verification{Workload: one.Workload, Size: one.Size, Subject: one.Subject()}
	good, wrong, read := trip, trip, trip
	good.OK, wrong.Reason = true, "a time became another"
	read.OK, read.From = true, &result.Subject{Contender: "protobuf"}
	for _, test := range []struct {
		name     string
		outcomes []result.Outcome
		found    []result.Verification
		want     result.Status
		reason   string
	}{
		{"good", nil, []result.Verification{good}, result.OK, ""},
		{"no answer", nil, nil, result.Timeout, "not verified"},
		{"read only", nil, []result.Verification{read}, result.Timeout, "not verified"},
		{"wrong", nil, []result.Verification{wrong}, result.Unverified, "a time became another"},
		{"refused", []result.Outcome{{Case: one, Status: result.Panic, Reason: "boom"}}, []result.Verification{good}, result.Panic, "boom"},
	} {
		r := VerifiedOf([]result.Case{one}, test.outcomes, test.found).Rows[0]
		if r.Status != test.want || r.Reason != test.reason {
			t.Errorf("%s: %s: %q, want %s: %q", test.name, r.Status, r.Reason, test.want, test.reason)
		}
	}
}
