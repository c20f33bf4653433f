package measure

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
