package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"assay/internal/analysis"
	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/measure"
	"assay/internal/refusal"
)

// buildCostOptions are the flags of assay buildcost.
type buildCostOptions struct {
	flags.Selection
	flags.Output
	workload string
	times    int
	resume   string
}

func (a *app) buildCostCommand() *cobra.Command {
	var o buildCostOptions
	cmd := &cobra.Command{
		Use:   "buildcost",
		Short: "measure what contenders cost to build: time, modules, program size",
		Long: `Buildcost builds each contender of every group alone. It measures the linked
modules, the growth of the program, the time of a first build and of a build
after a change, and the lines of generated code. Builds run one at a time, each
with its own build cache. The result is a stored run for show and export.`,
		Example: "  assay buildcost\n  assay buildcost -c 'msgp|protobuf' --times 5\n  assay buildcost -w tick --format csv",
		Args:    flags.ArgsAtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.times < 1 || o.times > 100 {
				return refusal.Errorf("--times is %d; it must be between 1 and 100", o.times)
			}
			if err := cmp.Or(flags.OnlyWithResume(cmd, "format"), o.Check()); err != nil {
				return err
			}
			return a.buildCost(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	o.AddContenders(cmd)
	f.StringVarP(&o.workload, "workload", "w", "customer", "build for `WORKLOAD`")
	flags.Values(cmd, "workload", catalog.WorkloadNames)
	f.IntVar(&o.times, "times", 3, "build each contender `N` times")
	flags.Resume(cmd, &o.resume, "", a.runs.IDs)
	o.Output.Add(cmd)
	return cmd
}

// buildCost measures the build costs, stores them and prints them.
func (a *app) buildCost(ctx context.Context, o buildCostOptions) error {
	m, err := a.beginBuildCost(o)
	if err != nil {
		return err
	}
	defer m.Close()
	name := m.Run.Name
	err = a.rest(ctx, m, func(ctx context.Context) error {
		return m.MeasureBuildCosts(ctx, cmp.Or(m.Run.Plan.Rounds, o.times)) // earlier versions did not store the rounds
	})
	if err != nil {
		return err
	}
	results, unexportable := a.print(m.Run, m.Records, o.Output, flags.Selection{})
	if results == nil {
		return unexportable
	}
	a.Hint("\nstored    %s", m.Dir())
	a.Next(
		[2]string{"assay show " + name, "this table again"},
		[2]string{"assay explain " + analysis.BuildTime, "what that is; any other metric"},
		[2]string{"assay export " + name + " --format csv", "the numbers; or json, md"},
	)
	return a.judged(gate.Measured(results, false), unexportable)
}

// beginBuildCost plans and begins a new run, or opens the run to resume.
func (a *app) beginBuildCost(o buildCostOptions) (*measure.Measurement, error) {
	if o.resume != "" {
		if err := a.locate(&o.resume); err != nil {
			return nil, err
		}
		cfg, err := a.building()
		if err != nil {
			return nil, err
		}
		return cfg.ReopenBuildCosts(o.resume)
	}
	o.Input = a.input
	p, err := o.BuildCosts(o.workload, o.times)
	if err != nil {
		return nil, err
	}
	cfg, err := a.building()
	if err != nil {
		return nil, err
	}
	return cfg.BeginBuildCosts(p)
}
