package cli

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/internal/analysis"
	"assay/internal/gate"
	"assay/internal/host"
	"assay/internal/measure"
	"assay/internal/phrase"
	"assay/internal/texttab"
	"assay/result"
)

// doctorBudget is the default budget of the A/A test.
const doctorBudget = 10 * time.Second

func (a *app) doctorCommand() *cobra.Command {
	var format string
	var o effort
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "check whether this machine is quiet enough to measure",
		Long: `Doctor checks what disturbs measurements on this machine. It measures the
reference against itself and beside a few other contenders for ten seconds, and
states the smallest difference that this machine can show. It exits with 1 if
the machine is not fit to measure now.`,
		Args: argsAtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format != "text" && format != "json" {
				return usagef("--format is %q; assay doctor prints text or json", format)
			}
			if err := o.complete(cmd, amount{}, amount{}); err != nil {
				return err
			}
			return a.doctor(cmd.Context(), o.budget, format == "json")
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "print as `FORMAT`: text, json")
	cmd.Flags().DurationVar(&o.budget, "budget", doctorBudget, "measure for about `DURATION`")
	return cmd
}

// A diagnosis is the result of assay doctor.
type diagnosis struct {
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
}

// judge adds the grade and sets the verdict. The verdict is never better than the grade, and it
// is "no" if a check is bad.
func (d *diagnosis) judge(g *analysis.Grade) {
	d.Fit, d.Reasons = "yes", []string{} // never null in JSON
	if g != nil {
		d.Grade, d.Reasons = g.Letter, append(d.Reasons, g.Reasons...)
		if c := g.Control; c != nil {
			d.Control = &c.Value
			if c.Bounded() {
				d.ControlLo, d.ControlHi = &c.Lo, &c.Hi
			}
		}
	}
	note := func(fit, why string) {
		if d.Fit == "yes" || fit == "no" && d.Fit != "no" {
			d.Fit, d.Not = fit, why
		}
	}
	switch {
	case g == nil:
		note("no", "the reference could not be measured")
	case g.Letter == "C":
		note("no", first(g.Reasons))
	case g.Letter != "A":
		note("with care", first(g.Reasons))
	}
	for _, c := range d.Checks {
		if c.Level == host.Bad {
			note("no", c.Name+": "+c.Text)
		}
	}
}

// verdict formats the verdict in one line.
func (d *diagnosis) verdict() string {
	switch d.Fit {
	case "yes":
		return fmt.Sprintf("fit to measure: this machine can show differences of %.1f%% or more", 100*d.Smallest)
	case "with care":
		return fmt.Sprintf("fit to measure, with care: differences of %.1f%% or more show, but %s", 100*d.Smallest, d.Not)
	}
	return fmt.Sprintf("not fit to measure now: %s (differences under %.1f%% do not show)", d.Not, 100*d.Smallest)
}

func (a *app) doctor(ctx context.Context, budget time.Duration, asJSON bool) error {
	p := a.progress()
	p.Status("looking at the machine")
	d := diagnosis{Schema: 1, Host: host.Facts(), Checks: host.Doctor(ctx), Smallest: math.NaN()}
	results, err := a.measureItself(ctx, budget)
	p.Clear()
	if err != nil {
		return interrupted(ctx, err, "")
	}
	if err := a.pass(gate.Measured(results, false)); err != nil {
		return err
	}
	widest := analysis.Tie
	for _, t := range results.Tables {
		for _, r := range t.Rows {
			if r.Ratio != nil && r.Ratio.Bounded() && r.Case.Contender != analysis.Floor {
				widest = max(widest, r.Ratio.HalfWidth())
			}
		}
	}
	d.Smallest = widest
	d.judge(results.Grade)
	if asJSON {
		err = a.printJSON(d)
	} else {
		err = a.printDiagnosis(d, results.Grade)
	}
	if err != nil {
		return err
	}
	g := &gate.Gate{Name: "not fit to measure"}
	for _, c := range d.Checks {
		if c.Level == host.Bad {
			g.Add(gate.No, "%s: %s", c.Name, c.Text)
		}
	}
	if d.Fit == "no" && g.Verdict() == gate.Passed {
		g.Add(gate.No, "%s", d.Not)
	}
	return a.pass(g)
}

// measureItself measures a few contenders, and the reference twice, on the smallest workload. It
// stores nothing.
func (a *app) measureItself(ctx context.Context, budget time.Duration) (*analysis.Results, error) {
	s := selection{}
	s.include.workload, s.include.op = "^movie$", "^encode$"
	s.include.contender = "^(encoding/json|protobuf|vtprotobuf|floor)$"
	s.include.mode = "^default$"
	sel, err := s.plan(true)
	if err != nil {
		return nil, err
	}
	return a.measuring().Itself(ctx, result.Plan{
		Budget: budget, Quick: true, Cases: sel.Cases, Reference: measure.Reference, Layouts: measure.Layouts(quickLayouts),
	}, sel)
}

func (a *app) printDiagnosis(d diagnosis, grade *analysis.Grade) error {
	machine := &texttab.Table{Limit: a.width()}
	machine.Row().Cell("machine").Rest(fmt.Sprintf("%s, %s, %s %s", d.Host.CPU, phrase.Count(d.Host.CPUs, "CPU"), d.Host.OS, d.Host.Kernel))
	t := &texttab.Table{Limit: a.width()}
	row := func(level, name, text string) { t.Row().Cell("").Cell(level).Cell(name).Rest(text) }
	for _, c := range d.Checks {
		text := c.Text
		if c.Remedy != "" {
			text += " → " + c.Remedy
		}
		row(string(c.Level), c.Name, text)
	}
	below := &texttab.Table{Limit: a.width()}
	if grade != nil && grade.Control != nil {
		c := grade.Control
		bounds := "no interval: one launch says too little"
		if c.Bounded() {
			bounds = fmt.Sprintf("%.3f…%.3f", c.Lo, c.Hi)
		}
		below.Row().Cell("A/A").Rest(fmt.Sprintf("%s against itself: %.3f (%s)", measure.Reference, c.Value, bounds))
	}
	if grade != nil {
		below.Row().Cell("grade").Rest(strings.Join(append([]string{grade.Letter}, grade.Reasons...), "; "))
	}
	below.Row().Cell("verdict").Rest(d.verdict())
	color, err := a.colored()
	if err != nil {
		return err
	}
	for _, table := range []*texttab.Table{machine, t, below} {
		if err := table.Format(a.stdout, color); err != nil {
			return err
		}
	}
	return nil
}
