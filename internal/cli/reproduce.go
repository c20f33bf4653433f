package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/measure"
	"assay/internal/outfile"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/stored"
	"assay/published/reproduce"
	"assay/published/sources"
	"assay/result"
)

// reproduceOptions are the flags of assay reproduce.
type reproduceOptions struct {
	names  []string
	format string
	out    string
	run    string
	resume string
	// details asks for charts and for the origin of each source.
	details bool
	flags.Effort
	seed  uint64
	with  []string
	whole flags.Wholes
}

func (a *app) reproduceCommand() *cobra.Command {
	var o reproduceOptions
	cmd := &cobra.Command{
		Use:   "reproduce [SOURCE...]",
		Short: "measure published tables again, by their method and by assay's",
		Long: `Reproduce measures what the sources published, in one run: each of their
benchmarks by its own method, and the same cases with assay's engine. It prints
a table a source: how the libraries compare as published, by the source's
method here, and corrected. With one SOURCE, such as movie or tick, or with
--details, it prints the tables row by row and fills in what the sources left
blank. It writes charts as SVG and rows as CSV into files; with --run, which
prints a stored run, only if --out names a directory. Without a SOURCE it takes
all. Sizes that take too much memory for this are measured with
--giants, each op alone in a process, in a stored run of their own, which takes
many minutes.`,
		Example: `  assay reproduce --quick
  assay reproduce movie tick
  assay reproduce --run latest --format md --out reproduction > reproduction.md`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.names = args
			if err := o.complete(cmd); err != nil {
				return err
			}
			return a.reproduce(cmd.Context(), o)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return catalog.SourceIDs(a.source), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := cmd.Flags()
	flags.FormatFlag(cmd, &o.format, report.ReproduceFormats)
	f.BoolVar(&o.details, "details", false, "print every row, draw charts, and say where each source is from")
	f.StringVar(&o.out, "out", "", "write charts and CSV into `DIR` (default: the directory of the run that was measured; none with --run)")
	f.StringVar(&o.run, "run", "", "print the stored `RUN` (an ID, a directory, or latest) and measure nothing")
	flags.Resume(cmd, &o.resume, "", a.runs.IDs)
	f.BoolVar(&o.Quick, "quick", false, "run few rounds, leave out rows over 5 s, and take "+plan.Brief(flags.QuickReproduction.Budget))
	f.DurationVar(&o.Budget, "budget", 0, "measure for about `DURATION`, half of it by the sources' methods (default: by the number of rows, with --quick "+plan.Brief(flags.QuickReproduction.Budget)+")")
	f.Uint64Var(&o.seed, "seed", 1, "make the values of the corrected half from `SEED`")
	f.StringArrayVar(&o.with, "with", nil, "use `MODULE@VERSION` instead of the pinned version, and with --resume again as when the run began (may be repeated)")
	o.whole.Add(cmd, a.runs.IDs)
	flags.Values(cmd, "run", a.runs.IDs)
	return cmd
}

// complete checks that the flags fit together, and fills in the defaults.
func (o *reproduceOptions) complete(cmd *cobra.Command) error {
	shown := []string{"format", "details", "out", "whole"}
	resumed := flags.OnlyWithResume(cmd, append(shown, "with")...) // --with makes it build the same runners again
	if err := cmp.Or(flags.OnlyWith(cmd, "run", "prints what is stored", shown...), resumed); err != nil {
		return err
	}
	if o.resume != "" && len(o.names) > 0 {
		return refusal.Errorf("--resume goes on with what was planned; it takes no SOURCE")
	}
	if err := o.whole.Check(); err != nil {
		return err
	}
	if len(o.whole.Runs) > 1 {
		return refusal.Errorf("--whole: the tables show the whole values of one run; assay claims takes those of several")
	}
	if o.whole.Giants && len(o.with) > 0 {
		return refusal.Errorf("--giants measures the pinned versions; it cannot be combined with --with")
	}
	return o.Effort.Complete(cmd, flags.Amount{}, flags.QuickReproduction)
}

// reproduce measures a run or reads a stored one, and prints the tables.
func (a *app) reproduce(ctx context.Context, o reproduceOptions) error {
	a.runs.Strict = o.run != "" || len(o.whole.Runs) > 0 || o.resume != ""
	f, err := flags.Format(report.ReproduceFormats, o.format)
	if err != nil {
		return err
	}
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	all, err := catalog.Sources(a.source, o.names)
	if err != nil {
		return err
	}
	if o.out != "" {
		if err := report.CheckReproduceFiles(o.out, all); err != nil {
			return refusal.Errorf("--out: %w", err)
		}
	}
	wholes, err := a.besides(ctx, &o.whole, o.seed, func(p result.Plan) (result.Plan, plan.Selection, error) {
		return a.measuring().WholesForSources(p, all)
	}, "print the tables")
	if err != nil {
		return err
	}
	var run *result.Run
	var records []result.Record
	var dir string
	if o.run != "" {
		if dir, err = a.runs.Find(o.run, stored.Reproducible); err == nil {
			run, records, err = a.runs.ReadDir(dir)
		}
	} else {
		run, records, dir, err = a.measureSources(ctx, o, all)
	}
	if err != nil {
		return err
	}
	if all, err = reproduce.Within(run, all, o.names); err != nil {
		return refusal.Of(err)
	}
	r := reproduce.Of(all, run, records, wholes)
	opts.Details = o.details
	switch {
	case o.out != "":
		dir, opts.Files = o.out, filepath.Base(o.out)
	case o.run != "":
		dir = "" // what is only printed is not written to
	default:
		opts.Files = filepath.ToSlash(dir)
	}
	if err := f.Write(a.Out, r, opts); err != nil {
		return err
	}
	if dir != "" {
		if err := a.sourceFiles(dir, r); err != nil {
			return err
		}
	}
	if o.run == "" {
		a.Next([2]string{"assay reproduce --run " + run.Name + stored.WholeFlags(o.whole.Runs), "these again; --details has every row, charts and where each source is from"})
	}
	return a.pass(gate.Reproduced(r))
}

// sourceFiles writes the charts and a CSV file for each source to a directory, and prints their
// names.
func (a *app) sourceFiles(dir string, r *reproduce.Reproduction) error {
	files, err := report.ReproduceFiles(r)
	if err == nil {
		err = outfile.WriteDir(dir, files)
	}
	if err != nil {
		return &exitError{ExitFailed, fmt.Errorf("cannot write charts and CSV: %w; name a directory with --out", err)}
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	a.Hint("\nwritten   %s and %s in %s: %s", phrase.Count(len(names)-len(r.Sources), "chart"), phrase.Count(len(r.Sources), "CSV file"), dir, strings.Join(names, " "))
	return nil
}

// measureSources makes or resumes a run of the published and the corrected benchmarks. It returns
// the run and its directory.
func (a *app) measureSources(ctx context.Context, o reproduceOptions, all []sources.Source) (*result.Run, []result.Record, string, error) {
	v, err := measure.ParseVariant(o.with, a.goCommand, nil)
	if err != nil {
		return nil, nil, "", err
	}
	cfg, err := a.building()
	if err != nil {
		return nil, nil, "", err
	}
	if err := a.locate(&o.resume); err != nil {
		return nil, nil, "", err
	}
	what := measure.Reproduction{Sources: all, Variant: v, Quick: o.Quick, Budget: o.Budget, Seed: o.seed}
	var m *measure.Measurement
	wholes := stored.WholeFlags(o.whole.Runs)
	err = a.keeping(ctx, afterWholes(&o.whole, a.beforehand("assay reproduce"+wholes, o.resume, o.with)), func(ctx context.Context) (err error) {
		if o.resume != "" {
			m, err = a.reopen(ctx, o.resume, measure.Continuation{Originals: true, Variant: v})
		} else {
			m, err = cfg.BeginReproduction(ctx, what)
		}
		return err
	})
	if err != nil {
		return nil, nil, "", err
	}
	defer m.Close()
	err = a.keeping(ctx, goOn(m.Run.Resume()+wholes), func(ctx context.Context) error {
		if err := m.MeasureOriginals(ctx, what); err != nil {
			return err
		}
		return m.Measure(ctx)
	})
	if err != nil {
		return nil, nil, "", err
	}
	return m.Run, m.Records, m.Dir(), nil
}
