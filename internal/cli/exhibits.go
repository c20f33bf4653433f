package cli

import (
	"context"

	"github.com/spf13/cobra"

	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/measure"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/stored"
	"assay/published/exhibits"
	"assay/result"
)

// exhibitsOptions has the arguments and flags of assay exhibits.
type exhibitsOptions struct {
	names  []string
	quick  bool
	run    string
	format string
	with   []string
}

func (a *app) exhibitsCommand() *cobra.Command {
	var o exhibitsOptions
	cmd := &cobra.Command{
		Use:   "exhibits [NAME...]",
		Short: "run published benchmarks beside corrected ones",
		Long: `Exhibits runs pairs of small benchmarks in turn: a method as published, and the
same method corrected. It prints both, their ratio with its interval, what went
wrong, and whether this run shows what the text says. It exits with 1 if it does
not. Without a NAME it runs all exhibits. The source of each is in
published/exhibits/NAME.`,
		Example: "  assay exhibits --quick\n  assay exhibits xmlslice lazyopen\n  assay exhibits --run latest --format md",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.names = args
			return a.exhibits(cmd.Context(), o)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return catalog.ExhibitNames(a.source), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.quick, "quick", false, "use fewer layouts and rounds: about two minutes for all")
	f.StringVar(&o.run, "run", "", "print the stored `RUN` (an ID, a directory, or latest) and run nothing")
	flags.With(cmd, &o.with)
	flags.Values(cmd, "run", a.runs.IDs)
	flags.FormatFlag(cmd, &o.format, report.ExhibitsFormats)
	return cmd
}

// exhibits runs exhibits, or reads a stored run, and prints them.
func (a *app) exhibits(ctx context.Context, o exhibitsOptions) error {
	a.runs.Strict = o.run != ""
	f, err := flags.Format(report.ExhibitsFormats, o.format)
	if err != nil {
		return err
	}
	all, err := catalog.Exhibits(a.source, o.names)
	if err != nil {
		return err
	}
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	var run *result.Run
	var records []result.Record
	switch {
	case o.run == "":
		run, records, err = a.runExhibits(ctx, o, all)
	case o.quick || len(o.with) > 0:
		err = refusal.Errorf("--run prints a stored run; it cannot be combined with --quick or --with")
	default:
		run, records, err = a.runs.Read(o.run, stored.Exhibited)
	}
	if err != nil {
		return err
	}
	shown := exhibits.Of(run, records, all)
	if err := shown.Lacking(o.names); err != nil {
		return refusal.Of(err)
	}
	if err := f.Write(a.Out, shown, opts); err != nil {
		return err
	}
	if o.run == "" {
		a.Next([2]string{"assay exhibits --run " + run.Name, "these again"})
	}
	return a.pass(gate.Exhibits(shown))
}

// runExhibits runs the exhibits and stores the run.
func (a *app) runExhibits(ctx context.Context, o exhibitsOptions, all []exhibits.Description) (*result.Run, []result.Record, error) {
	v, err := measure.ParseVariant(o.with, a.goCommand, nil)
	if err != nil {
		return nil, nil, err
	}
	var m *measure.Measurement
	cfg, err := a.building()
	if err != nil {
		return nil, nil, err
	}
	err = a.keeping(ctx, unmeasured, func(ctx context.Context) (err error) {
		m, err = cfg.BeginExhibits(ctx, v, o.quick)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
	}
	err = a.keeping(ctx, "; what was measured is kept: assay exhibits --run "+m.Run.Name, func(ctx context.Context) error {
		return m.MeasureExhibits(ctx, names)
	})
	if err != nil {
		return nil, nil, err
	}
	return m.Run, m.Records, nil
}
