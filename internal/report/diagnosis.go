package report

import (
	"fmt"
	"io"
	"strings"

	"assay/internal/analysis"
	"assay/internal/host"
	"assay/internal/texttab"
	"assay/result"
)

// A Diagnosis says whether a machine is fit to measure.
type Diagnosis struct {
	Schema int          `json:"schema"`
	Host   result.Host  `json:"host"`
	Checks []host.Check `json:"checks"`
	Grade  string       `json:"grade"`
	// Reasons say why the grade is not A.
	Reasons []string `json:"reasons"`
	// Control is the reference's time over its own time, with its interval. Unknown numbers are
	// null.
	Control   *float64 `json:"control"`
	ControlLo *float64 `json:"control_lo"`
	ControlHi *float64 `json:"control_hi"`
	// Smallest is the smallest difference that this machine can show, as a share.
	Smallest float64 `json:"smallest"`
	// Fit says whether measuring here makes sense: "yes", "with care" or "no". Not is the reason
	// if it is not "yes".
	Fit string `json:"fit"`
	Not string `json:"not,omitempty"`

	grade     *analysis.Grade
	reference string // the contender that was measured against itself
}

// NoControl is why a machine is not fit if there is no A/A test.
const NoControl = "the reference could not be measured against itself"

// DiagnosisFormats lists all formats of a diagnosis.
var DiagnosisFormats = []FormatOf[*Diagnosis]{
	{"text", "what was checked, the A/A test, and the verdict", diagnosisText},
	{"json", "the same, and what is known of the machine", plain(diagnosisJSON)},
}

// Diagnose returns the diagnosis of a machine from its checks and from what was measured on it: the
// reference against itself and beside other contenders.
func Diagnose(machine result.Host, checks []host.Check, measured *analysis.Results) *Diagnosis {
	d := &Diagnosis{Schema: JSONSchema, Host: machine, Checks: checks, Smallest: analysis.Tie, reference: measured.Run.Plan.Reference}
	for _, t := range measured.Tables {
		for _, r := range t.Rows {
			if r.Ratio != nil && r.Ratio.Bounded() && r.Case.Contender != analysis.Floor {
				d.Smallest = max(d.Smallest, r.Ratio.HalfWidth())
			}
		}
	}
	if g := measured.Grade; g != nil && g.Control != nil && g.Control.Bounded() {
		d.Smallest = max(d.Smallest, 1-g.Control.Lo, g.Control.Hi-1)
	}
	d.judge(measured.Grade)
	return d
}

// judge adds the grade and sets the verdict. The verdict is never better than the grade, and it
// is "no" if a check is bad.
func (d *Diagnosis) judge(g *analysis.Grade) {
	d.grade, d.Fit, d.Reasons = g, "yes", []string{} // never null in JSON
	if g != nil {
		d.Grade, d.Reasons = g.Letter, append(d.Reasons, g.Reasons...)
		if c := g.Control; c != nil {
			d.Control = &c.Value
			if c.Bounded() {
				d.ControlLo, d.ControlHi = &c.Lo, &c.Hi
			}
		}
	}
	reason := ""
	if len(d.Reasons) > 0 {
		reason = d.Reasons[0]
	}
	note := func(fit, why string) {
		if d.Fit == "yes" || fit == "no" && d.Fit != "no" {
			d.Fit, d.Not = fit, why
		}
	}
	switch {
	case g == nil || g.Control == nil:
		note("no", NoControl)
	case g.Letter == "C":
		note("no", reason)
	case g.Letter != "A":
		note("with care", reason)
	}
	for _, c := range d.Checks {
		if c.Level == host.Bad {
			note("no", c.Name+": "+c.Text)
		}
	}
}

// verdict formats the verdict in one line.
func (d *Diagnosis) verdict() string {
	switch d.Fit {
	case "yes":
		return fmt.Sprintf("fit to measure: this machine can show differences of %.1f%% or more", 100*d.Smallest)
	case "with care":
		return fmt.Sprintf("fit to measure, with care: differences of %.1f%% or more show, but %s", 100*d.Smallest, d.Not)
	}
	return fmt.Sprintf("not fit to measure now: %s (differences under %.1f%% do not show)", d.Not, 100*d.Smallest)
}

func diagnosisJSON(w io.Writer, d *Diagnosis) error { return indented(w, d) }

// diagnosisText writes a diagnosis for a terminal. No line is wider than opts.Width.
func diagnosisText(w io.Writer, d *Diagnosis, opts Options) error {
	opts = opts.orDefaults()
	machine := &texttab.Table{Limit: opts.Width}
	machine.Row().Cell("machine").Rest(processors(d.Host) + ", " + strings.TrimSpace(d.Host.OS+" "+d.Host.Kernel))
	t := &texttab.Table{Limit: opts.Width}
	row := func(level, name, text string) { t.Row().Cell("").Cell(level).Cell(name).Rest(text) }
	for _, c := range d.Checks {
		text := c.Text
		if c.Remedy != "" {
			text += " → " + c.Remedy
		}
		row(string(c.Level), c.Name, text)
	}
	below := &texttab.Table{Limit: opts.Width}
	if d.grade != nil && d.grade.Control != nil {
		c := d.grade.Control
		bounds := "no interval: one launch says too little"
		if c.Bounded() {
			bounds = fmt.Sprintf("%.3f…%.3f", c.Lo, c.Hi)
		}
		below.Row().Cell("A/A").Rest(fmt.Sprintf("%s against itself: %.3f (%s)", d.reference, c.Value, bounds))
	}
	if d.grade != nil {
		if found := conditions(d.grade); len(found) > 0 {
			below.Row().Cell("controls").Rest(strings.Join(found, " · "))
		}
		below.Row().Cell("grade").Rest(strings.Join(append([]string{d.grade.Letter}, d.grade.Reasons...), "; "))
	}
	below.Row().Cell("verdict").Rest(d.verdict())
	for _, table := range []*texttab.Table{machine, t, below} {
		if err := table.Format(w, opts.Color); err != nil {
			return err
		}
	}
	return nil
}
