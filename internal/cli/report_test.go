package cli

import (
	"strings"
	"testing"

	"assay/result"
)

// A run is about the embedded ledger if its command is claims without a file.
func TestOfLedger(t *testing.T) {
	for args, want := range map[string]bool{
		"claims --budget 45m --giants --results docs/evidence": true,
		"claims --results docs/evidence customer-json-marshal": true,
		"-q claims --source movie --format json":               true,
		"claims design.toml --quick":                           false,
		"claims ./design.claims":                               false,
		"run -w movie --quick --results claims":                false,
		"claims --flag-of-another-version movie-json-size":     true,
		"": false,
	} {
		if got := ofLedger(&result.Run{Args: strings.Fields(args)}); got != want {
			t.Errorf("assay %s: %v", args, got)
		}
	}
}
