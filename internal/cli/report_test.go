package cli

import (
	"io"
	"strings"
	"testing"

	"assay"
	"assay/contender"
	"assay/internal/measure"
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

// A page has all that is known of an external contender, and otherwise what the run keeps of it.
func TestContendersOfPage(t *testing.T) {
	run := &result.Run{Plan: result.Plan{Externals: []result.External{{Name: "here", Format: "json"}, {Name: "gone", Format: "xml", Title: "elsewhere now"}}}}
	here := &contender.Contender{Name: "here", Format: "json", License: "MIT", Traits: []contender.Trait{contender.Standard}}
	all := newApp(nil, io.Discard, io.Discard, assay.Source).pageOf(run, nil, nil, here).Contenders
	if n := len(measure.Known()); len(all) != n+2 || all[0] != here || all[n+1].Title != "elsewhere now" {
		t.Errorf("before the known contenders %+v, and after them %+v", all[0], all[n+1:])
	}
	// A contender of the user's .proto has a name that is known.
	own := &contender.Contender{Name: measure.Known()[3].Name, Format: "own/x"}
	if all := newApp(nil, io.Discard, io.Discard, assay.Source).pageOf(run, nil, nil, own).Contenders; all[0] != own || len(all) != len(measure.Known())+2 {
		t.Errorf("%d contenders, the first is %+v", len(all), all[0])
	}
}
