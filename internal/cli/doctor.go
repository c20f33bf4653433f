package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"assay/internal/analysis"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/host"
	"assay/internal/measure"
	"assay/internal/report"
	"assay/result"
)

// doctorBudget is the default budget of the A/A test.
const doctorBudget = 10 * time.Second

func (a *app) doctorCommand() *cobra.Command {
	var format string
	var o flags.Effort
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "check whether this machine is quiet enough to measure",
		Long: `Doctor checks what disturbs measurements on this machine. It measures the
reference against itself and beside a few other contenders for ten seconds, and
states the smallest difference that this machine can show. It exits with 1 if
the machine is not fit to measure now.`,
		Args: flags.ArgsAtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.Complete(cmd, flags.Amount{}, flags.Amount{}); err != nil {
				return err
			}
			return a.doctor(cmd.Context(), o.Budget, format)
		},
	}
	flags.FormatFlag(cmd, &format, report.DiagnosisFormats)
	cmd.Flags().DurationVar(&o.Budget, "budget", doctorBudget, "measure for about `DURATION`")
	return cmd
}

func (a *app) doctor(ctx context.Context, budget time.Duration, format string) error {
	f, err := flags.Format(report.DiagnosisFormats, format)
	if err != nil {
		return err
	}
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	p := a.progress()
	p.Status("looking at the machine")
	machine, checks := host.Facts(), host.Doctor(ctx)
	results, err := a.measureItself(ctx, budget)
	p.Clear()
	if err != nil {
		return err
	}
	if err := a.pass(gate.Measured(results, false)); err != nil {
		return err
	}
	d := report.Diagnose(machine, checks, results)
	if err := f.Write(a.Out, d, opts); err != nil {
		return err
	}
	return a.pass(gate.Fit(d))
}

// measureItself measures a few contenders, and the reference twice, on the smallest workload. It
// stores nothing.
func (a *app) measureItself(ctx context.Context, budget time.Duration) (*analysis.Results, error) {
	s := flags.Selection{}
	s.Include.Workload, s.Include.Op = "^movie$", "^encode$"
	s.Include.Contender = "^(encoding/json|protobuf|vtprotobuf|floor)$"
	s.Include.Mode = "^default$"
	sel, err := s.Plan(true)
	if err != nil {
		return nil, err
	}
	cfg, err := a.building()
	if err != nil {
		return nil, err
	}
	return cfg.Itself(ctx, result.Plan{
		Budget: budget, Quick: true, Cases: sel.Cases, Reference: measure.Reference, Layouts: measure.Layouts(flags.QuickRun.Layouts),
	}, sel)
}
