package cli

import (
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/internal/host"
)

// TestVerdict: the verdict is never better than the grade or a check.
func TestVerdict(t *testing.T) {
	good, odd := host.Check{Name: "steal", Level: host.OK}, host.Check{Name: "load", Level: host.Warn, Text: "1.0"}
	bad := host.Check{Name: "load", Level: host.Bad, Text: "9.1 on 2 CPUs"}
	for _, test := range []struct {
		letter string
		checks []host.Check
		fit    string
		want   string
	}{
		{"A", []host.Check{good}, "yes", "fit to measure: this machine can show differences of 4.0% or more"},
		{"A", []host.Check{good, odd}, "yes", "fit to measure: "},
		{"B", []host.Check{good}, "with care", "fit to measure, with care: differences of 4.0% or more show, but a reason"},
		{"C", []host.Check{good}, "no", "not fit to measure now: a reason (differences under 4.0% do not show)"},
		{"A", []host.Check{good, bad}, "no", "not fit to measure now: load: 9.1 on 2 CPUs"},
		{"B", []host.Check{bad}, "no", "not fit to measure now: load: 9.1 on 2 CPUs"},
		{"", nil, "no", "not fit to measure now: the reference could not be measured"},
	} {
		d := &diagnosis{Checks: test.checks, Smallest: 0.04}
		var g *analysis.Grade
		if test.letter != "" {
			g = &analysis.Grade{Letter: test.letter, Reasons: []string{"a reason", "another"}}
		}
		d.judge(g)
		if d.Fit != test.fit || !strings.HasPrefix(d.verdict(), test.want) {
			t.Errorf("grade %q, checks %v: %s: %s; want %s: %s", test.letter, test.checks, d.Fit, d.verdict(), test.fit, test.want)
		}
	}
}
