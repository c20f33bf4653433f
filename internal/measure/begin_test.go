package measure

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/build"
	"assay/internal/cachedir"
	"assay/internal/plan"
	"assay/result"
)

// A run is resumed with the runners that it began with, whatever contenders failed meanwhile.
func TestPlanned(t *testing.T) {
	for _, test := range []struct{ workload, contender, op, mode, lost string }{
		{"movie", "", "", "", "encoding/gob"},
		{"customer", "parquet|jsoniter|^encoding/json$", "", "", "jsoniter"},
		{"movie", "jsoniter", "encode|compress", "", "jsoniter"},
		{"chain", "gob|protobuf", "", "^stream=file", "encoding/gob"},
		{"chain", "gob|protobuf|yaml", "", "^session=whole", "encoding/gob"},
	} {
		choice := choose(test.workload, test.contender, test.op, test.mode)
		sel, err := choice.Select()
		if err != nil {
			t.Fatal(err)
		}
		cfg := &Config{Input: choice.Input}
		for _, status := range []result.Status{"", result.Unverified, result.BuildFailed, result.Timeout, result.Unsupported} {
			stored := sel.Outcomes
			for _, c := range sel.Live() {
				if status != "" && c.Contender == test.lost {
					stored = append(stored, result.Outcome{Case: c, Status: status})
				}
			}
			got, err := cfg.planned(sel.Cases, stored)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Names(sel.Contenders), Names(got.Contenders)); diff != "" {
				t.Errorf("%+v, %q: contenders (-want +got):\n%s", test, status, diff)
			}
			if diff := cmp.Diff(groupNames(sel), groupNames(got)); diff != "" {
				t.Errorf("%+v, %q: groups (-want +got):\n%s", test, status, diff)
			}
		}
	}
}

// What is ruled out is stored when the run begins: a run that is interrupted before it measures does
// not plan again when it is resumed.
func TestRuledOutIsStored(t *testing.T) {
	results := t.TempDir()
	large := result.Case{Workload: "chain", Size: "txs=1000000", Contender: "protobuf", Op: result.Encode}
	m := &Measurement{
		cfg: &Config{Results: results, Cache: cachedir.In(t.TempDir())}, runners: runners{{Runner: &build.Runner{}}},
		sel: plan.Selection{Cases: []result.Case{large}, Outcomes: []result.Outcome{{Case: large, Status: result.Unsupported, Reason: "too large"}}},
	}
	if err := m.create(result.Plan{Cases: m.sel.Cases}, 1); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	_, records, _, err := result.Read(m.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 1 || records[0].Outcome == nil || *records[0].Outcome != m.sel.Outcomes[0] {
		t.Errorf("stored %+v, want the outcome of the plan", records)
	}
}
