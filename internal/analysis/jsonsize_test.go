package analysis

import (
	"testing"

	"assay/result"
)

// The size of a user's JSON is the size of what encoding/json wrote of all records or, if it was
// not verified, the estimate.
func TestJSONSize(t *testing.T) {
	run := planOf("json")
	if r := Of(run, nil, View{}); r.JSON != nil {
		t.Errorf("of a run without a user's records there is %v", r.JSON)
	}
	run.Plan.Data = &result.Data{Records: 10, JSON: &result.JSONSize{Compact: 1000, Compared: 1000, Written: 990, Changes: []result.JSONChange{{Cause: "numbers", Bytes: -10}}}}
	if j := Of(run, nil, View{}).JSON; j == nil || j.Written != 990 || j.Unexplained != 0 || j.Off() {
		t.Errorf("foretold: %+v", j)
	}
	verified := func(name, mode string, encoded int64, ok bool) result.Record {
		return result.Record{Verification: &result.Verification{Subject: result.Subject{Contender: name, Mode: mode}, OK: ok, Encoded: encoded}}
	}
	records := []result.Record{verified("sonic", "", 500, true), verified("encoding/json", "output=reuse", 600, true), verified("encoding/json", "", 1020, true)}
	if j := Of(run, records, View{}).JSON; j.Written != 1020 || j.Unexplained != 30 || !j.Off() {
		t.Errorf("measured: %+v", j)
	}
	run.Plan.Data.JSON.Compared, run.Plan.Data.JSON.Written = 500, 400
	if j := Of(run, nil, View{}).JSON; j.Written != 800 || j.Unexplained != 0 {
		t.Errorf("foretold of a half: %+v", j)
	}
	if j := Of(run, records, View{}).JSON; j.Written != 1020 || j.Unexplained != 0 {
		t.Errorf("measured, a half compared: %+v", j)
	}
	run.Plan.Data.JSON.Compared, run.Plan.Data.JSON.Written = 1000, 990
	if j := Of(run, []result.Record{verified("encoding/json", "", 1020, false)}, View{}).JSON; j.Written != 990 {
		t.Errorf("measured wrongly: %+v", j)
	}
}

func TestJSONSizeOff(t *testing.T) {
	for _, test := range []struct {
		written int64
		changes []int64
		off     bool
	}{
		{1000, nil, false},
		{1020, []int64{20}, false},
		{1021, []int64{21}, true},
		{979, []int64{-10, -11}, true},
		{1000, []int64{-30, 30}, true},
		{1000, []int64{-15, 15}, false},
	} {
		j := JSONSize{Records: 1, Compact: 1000, Compared: 1000, Written: test.written}
		for _, b := range test.changes {
			j.Changes = append(j.Changes, result.JSONChange{Bytes: b})
		}
		if j.Off() != test.off {
			t.Errorf("%d by %v: off is %v", test.written, test.changes, j.Off())
		}
	}
}
