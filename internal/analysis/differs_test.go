package analysis

import (
	"slices"
	"testing"

	"assay/result"
)

func TestModuleName(t *testing.T) {
	for module, want := range map[string]string{
		"example.com/owner/msgpack":       "msgpack",
		"example.com/owner/msgpack/v5":    "msgpack",
		"github.com/json-iterator/go":     "json-iterator/go", // "go" is the toolchain
		"example.com/json-iterator/go/v2": "json-iterator/go",
		"go":                              "go",
	} {
		if got := moduleName(module); got != want {
			t.Errorf("%s: %q, want %q", module, got, want)
		}
	}
}

// Two runs of one file's name and number of records may be of different records.
func TestDifferentRecords(t *testing.T) {
	run := func(hash string) *result.Run {
		return &result.Run{Plan: result.Plan{Data: &result.Data{Hash: hash, Records: 1000}}}
	}
	if differs, _, _ := differences(run("0123456789abcdef"), run("fedcba9876543210")); !slices.Equal(differs, []string{"the user's records"}) {
		t.Errorf("other records: %q", differs)
	}
	if differs, _, _ := differences(run("0123456789abcdef"), run("0123456789abcdef")); len(differs) > 0 {
		t.Errorf("the same records: %q", differs)
	}
}
