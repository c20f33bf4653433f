package cli

import (
	"strings"

	"assay/internal/analysis"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/measure"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/stored"
	"assay/result"
)

// print analyses a run, prints the results, and returns them. It also returns them with the error
// that the format has nothing to hold of them.
func (a *app) print(run *result.Run, records []result.Record, o flags.Output, s flags.Selection) (*analysis.Results, error) {
	view, err := s.Shown(run)
	if err != nil {
		return nil, err
	}
	opts, err := a.reportOptions()
	if err != nil {
		return nil, err
	}
	// Two kinds of run have no overview: published sources have their own tables, and a user's
	// records have only one size.
	opts.Tables = o.Tables || run.Plan.Data != nil || len(run.Plan.Sources) > 0
	f, err := flags.Format(report.Formats, o.Format)
	if err != nil {
		return nil, err
	}
	results, err := inView(run, records, view)
	if err != nil {
		return nil, err
	}
	if err := exportable(results, o.Format); err != nil {
		return results, err
	}
	a.warnBeside(results, o.Format)
	if err := f.Write(a.Out, results, opts); err != nil {
		return nil, err
	}
	return results, nil
}

// warnBeside prints the warnings of a run, and a grade of C, on standard error if the format has only
// rows. It leaves out the warning about an unfinished run, because reading the run already prints it.
func (a *app) warnBeside(r *analysis.Results, format string) {
	if !report.HasOnlyRows(format) {
		return
	}
	var texts []string
	if g := r.Grade; g != nil && g.Letter == "C" {
		texts = append(texts, "grade C: "+strings.Join(g.Reasons, "; "))
	}
	for _, w := range r.Warnings {
		if w.Kind != analysis.Unfinished {
			texts = append(texts, w.Text)
		}
	}
	a.WarnAll(texts)
}

// inView analyses the cases of a run that are in view. If there are none, the error counts as
// wrong usage.
func inView(run *result.Run, records []result.Record, view analysis.View) (*analysis.Results, error) {
	results := analysis.Of(run, records, view)
	if err := stored.HasCases(run, records); err != nil {
		return nil, err
	}
	if len(results.Tables) == 0 {
		return nil, stored.NoneInView(run, view)
	}
	return results, nil
}

// exportable returns an error if the format is the Go benchmark format and the results have
// neither times of launches nor build times, because the format has nothing else.
func exportable(r *analysis.Results, format string) error {
	if format != exportFormat || report.HasLaunches(r) {
		return nil
	}
	return noLaunches("run " + r.Run.ID)
}

// noLaunches refuses the Go benchmark format for a run.
func noLaunches(run string) error {
	return refusal.Errorf("--format %s: %s has no launches, which the Go benchmark format consists of: streams and whole values have none; csv and json have what is measured", exportFormat, run)
}

// judged returns the error of a command that has measured: that of its gate, or else that its format
// had nothing to hold, which is not wrong usage now.
func (a *app) judged(g *gate.Gate, unexportable error) error {
	if err := a.pass(g); err != nil || unexportable == nil {
		return err
	}
	return &exitError{ExitFailed, unexportable}
}

// reportOptions returns the options of reports on standard output.
func (a *app) reportOptions() (report.Options, error) {
	color, err := a.Colored()
	return report.Options{Color: color, Width: a.Width(), Typical: a.typical, About: measure.Described}, err
}
