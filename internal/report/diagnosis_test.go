package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"assay/internal/analysis"
	"assay/internal/host"
	"assay/internal/texttab"
	"assay/result"
)

// TestVerdict checks that the verdict is never better than the grade or a check.
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
		d := &Diagnosis{Checks: test.checks, Smallest: 0.04}
		var g *analysis.Grade
		if test.letter != "" {
			g = &analysis.Grade{Letter: test.letter, Reasons: []string{"a reason", "another"}, Control: &analysis.Interval{Value: 1, Lo: 1, Hi: 1}}
		}
		d.judge(g)
		if d.Fit != test.fit || !strings.HasPrefix(d.verdict(), test.want) {
			t.Errorf("grade %q, checks %v: %s: %s; want %s: %s", test.letter, test.checks, d.Fit, d.verdict(), test.fit, test.want)
		}
	}
}

// Where the system does not show who else uses the CPUs, the machine is fit with care only. The text shows
// what the controls found.
func TestVerdictInTheDark(t *testing.T) {
	one := &analysis.Interval{Value: 1, Lo: 1, Hi: 1}
	d := &Diagnosis{}
	const hidden = "the run does not show what other programs used"
	d.judge(&analysis.Grade{Letter: "B", Reasons: []string{hidden}, Control: one, Clean: 1, Others: math.NaN(), Load: math.NaN(), Sentinel: &analysis.Sentinel{Median: 1}})
	if d.Fit != "with care" || d.Not != hidden {
		t.Errorf("%s: %s", d.Fit, d.Not)
	}
	var dark, light strings.Builder
	if err := diagnosisText(&dark, d, Options{Width: 200}); err != nil {
		t.Fatal(err)
	}
	d = &Diagnosis{}
	d.judge(&analysis.Grade{Letter: "A", Control: one, Clean: 1, Sentinel: &analysis.Sentinel{Median: 1.5, Remembered: true}})
	if err := diagnosisText(&light, d, Options{Width: 200}); err != nil {
		t.Fatal(err)
	}
	for got, want := range map[string]string{
		dark.String():  "controls  100% clean · sentinel 1.00× this run's best (none is remembered)\n",
		light.String(): "controls  100% clean · sentinel 1.50× this machine's best · 0% stolen · others used 0% · load 0.0\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("prints\n%s\nwithout %q", got, want)
		}
	}
}

// A machine on which the reference was not measured against itself is not fit, whatever the grade.
func TestVerdictWithoutControl(t *testing.T) {
	d := &Diagnosis{}
	if d.judge(&analysis.Grade{Letter: "B", Reasons: []string{"no control"}}); d.Fit != "no" || d.Not != NoControl {
		t.Errorf("%s: %s", d.Fit, d.Not)
	}
}

// The JSON has every reason of the grade, and the control under the keys that the JSON of runs
// has.
func TestDiagnosisJSON(t *testing.T) {
	for want, g := range map[string]*analysis.Grade{
		`"reasons":["a reason","another"],"control":1.01,"control_lo":0.99,"control_hi":1.03,`: {
			Letter: "B", Reasons: []string{"a reason", "another"}, Control: &analysis.Interval{Value: 1.01, Lo: 0.99, Hi: 1.03},
		},
		`"reasons":[],"control":1.01,"control_lo":null,"control_hi":null,`: {
			Letter: "A", Control: &analysis.Interval{Value: 1.01, Hi: math.Inf(1)},
		},
		`"reasons":[],"control":null,"control_lo":null,"control_hi":null,`: nil,
	} {
		var d Diagnosis
		d.judge(g)
		got, err := json.Marshal(d)
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("grade %v: %s (%v), want %s", g, got, err, want)
		}
	}
}

// No line of a diagnosis is wider than the terminal, even if the name of the CPU is long.
func TestDiagnosisWidth(t *testing.T) {
	d := Diagnosis{Smallest: 0.04, Checks: []host.Check{{Name: "steal", Level: host.OK, Text: strings.Repeat("no time was taken ", 6)}}}
	d.Host.CPU, d.Host.CPUs, d.Host.OS, d.Host.Kernel = "Example(R) Platinum 8000M CPU with a long name @ 2.70GHz", 224, "linux", "6.12.0-generic-long-amd64"
	var out strings.Builder
	d.judge(&analysis.Grade{Letter: "A"})
	if err := diagnosisText(&out, &d, Options{Width: 60}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if texttab.Width(strings.TrimSuffix(line, "\n")) > 60 {
			t.Errorf("%q is wider than 60 columns in\n%s", line, &out)
		}
	}
	if !strings.HasPrefix(out.String(), "machine  Example(R) Platinum") {
		t.Errorf("prints\n%s", &out)
	}
}

// The smallest difference is no smaller than what the reference differs from itself by, also if
// nothing else was measured.
func TestSmallestOfControl(t *testing.T) {
	reference := result.Subject{Contender: "encoding/json"}
	one := analysis.Interval{Value: 1, Lo: 1, Hi: 1}
	measured := &analysis.Results{
		Run:    &result.Run{},
		Tables: []analysis.Table{{Rows: []analysis.Row{{Case: result.Case{Contender: reference.Contender}, Metric: analysis.Time, Ratio: &one, Reference: &reference}}}},
	}
	for control, want := range map[*analysis.Interval]float64{
		nil:                             analysis.Tie,
		{Value: 1, Lo: 0.995, Hi: 1.01}: analysis.Tie,
		{Value: 1, Lo: 0.9, Hi: 1.1}:    0.1,
		{Value: 1, Hi: math.Inf(1)}:     analysis.Tie,
		// It differs for certain, and by no more than that.
		{Value: 1.05, Lo: 1.045, Hi: 1.055}: 0.055,
	} {
		measured.Grade = &analysis.Grade{Letter: "A", Control: control}
		if got := Diagnose(result.Host{}, nil, measured).Smallest; math.Abs(got-want) > 1e-9 {
			t.Errorf("control %v: differences of %v, want %v", control, got, want)
		}
	}
}
