package report

import (
	"math"
	"testing"

	"assay/internal/analysis"
)

// A row that is too wide says what remedies it, and not how wide it is, which the row shows.
func TestNoise(t *testing.T) {
	for _, test := range []struct {
		row  analysis.Row
		want string
	}{
		{analysis.Row{Reason: "3 samples"}, "3 samples"},
		{analysis.Row{TooWide: true, Reason: "±2.3%, asked for ±1.0% (raise --budget)", Remedy: "raise --budget"}, "wider than --precision asks (raise --budget)"},
	} {
		if got := noise(test.row); got != test.want {
			t.Errorf("%+v: %q, want %q", test.row, got, test.want)
		}
	}
}

// The share of clean samples is rounded down, and a share of whole per cents stays what it is.
func TestCleanShare(t *testing.T) {
	for share, want := range map[float64]string{0.57: "57% clean", 0.966: "96% clean", 0.29: "29% clean", 1: "100% clean"} {
		if got := controls(&analysis.Grade{Clean: share, Others: math.NaN(), Load: math.NaN()}); got != "controls: "+want {
			t.Errorf("%v: %q, want %q", share, got, want)
		}
	}
}
