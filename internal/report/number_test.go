package report

import (
	"testing"

	"assay/internal/analysis"
)

// The bounds of a change show whether they exclude no change.
func TestChange(t *testing.T) {
	for _, test := range []struct {
		i            analysis.Interval
		text, bounds string
	}{
		{analysis.Interval{Value: 1.023, Lo: 1.012, Hi: 1.034}, "+2.3%", "(+1.2…+3.4)"},
		{analysis.Interval{Value: 1.0023, Lo: 1.0003, Hi: 1.0043}, "+0.23%", "(+0.03…+0.43)"},
		{analysis.Interval{Value: 0.9977, Lo: 0.9957, Hi: 0.9997}, "−0.23%", "(−0.43…−0.03)"},
		{analysis.Interval{Value: 1.001, Lo: 0.9997, Hi: 1.002}, "+0.1%", "(0.0…+0.2)"},
		{analysis.Interval{Value: 3, Lo: 2.9, Hi: 3.1}, "×3.00", "(2.90…3.10)"},
	} {
		if text, bounds := change(test.i); text != test.text || bounds != test.bounds {
			t.Errorf("%v: %s %s; want %s %s", test.i, text, bounds, test.text, test.bounds)
		}
	}
}
