package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/internal/outfile"
	"assay/internal/plaintext"
	"assay/internal/plan"
	"assay/internal/report"
	"assay/published/reproduce"
	"assay/published/sources"
	"assay/result"
)

// What a cell of the corrected half gets of the time when no budget is given.
const (
	cellShare      = 20 * time.Second
	quickCellShare = 2 * time.Second
)

// quickSeedLayouts is the number of random layouts with --quick: half of what
// other runs have, so that one launch of each fits in where values are large.
const quickSeedLayouts = 4

// seedMemory is how much the values of one launch may take: enough for every size
// that was published but those of a million transactions and more, which need
// values that are streamed. With --quick it is that of other runs.
const seedMemory = 3 << 30

// reproduceOptions are the flags of assay reproduce.
type reproduceOptions struct {
	names  []string
	format string
	out    string
	run    string
	resume string
	// details asks for charts, and for where each seed is from.
	details bool
	effort
	seed uint64
	with []string
}

func (a *app) reproduceCommand() *cobra.Command {
	var o reproduceOptions
	cmd := &cobra.Command{
		Use:   "reproduce [SOURCE...]",
		Short: "published tables: as published, measured again, corrected",
		Long: `Reproduce measures what the sources published, in one run: each of their
benchmarks by its own method, and the same cases with assay's engine. It prints
their tables row by row, with the published figures beside both, fills in what
they left blank, and draws their charts. Charts as SVG and the rows as CSV are
written into files. Without a SOURCE, such as movie or tick, it takes all.`,
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
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			all, err := a.seedList(nil)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return seedNames(all), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := cmd.Flags()
	formatFlag(cmd, &o.format, report.ReproduceFormats)
	f.BoolVar(&o.details, "details", false, "draw charts, and say where each source is from")
	f.StringVar(&o.out, "out", "", "write charts and CSV into `DIR` (default: the run's directory)")
	f.StringVar(&o.run, "run", "", "print the stored `RUN` (an ID, a directory, or latest) and measure nothing")
	f.StringVar(&o.resume, "resume", "", "go on with the stored `RUN` (an ID, a directory, or latest)")
	f.BoolVar(&o.quick, "quick", false, "few rounds, and no row that takes over 15 s; some eight minutes for all")
	f.DurationVar(&o.budget, "budget", 0, "measure for about `DURATION`, half of it by the sources' methods (default: by the number of rows)")
	f.Uint64Var(&o.seed, "seed", 1, "make the values of the corrected half from `SEED`")
	f.StringSliceVar(&o.with, "with", nil, "with `MODULE@VERSION` instead of the pinned version (may be repeated)")
	completeFlag(cmd, "run", a.runIDs)
	completeFlag(cmd, "resume", a.runIDs)
	return cmd
}

// complete checks the flags against each other.
func (o *reproduceOptions) complete(cmd *cobra.Command) error {
	for _, flag := range []struct{ name, value, what string }{
		{"run", o.run, "prints what is stored"},
		{"resume", o.resume, "goes on with what was planned"},
	} {
		if flag.value == "" {
			continue
		}
		for _, name := range []string{"run", "resume", "quick", "budget", "seed", "with"} {
			if name != flag.name && cmd.Flags().Changed(name) {
				return usagef("--%s %s; it cannot be combined with --%s", flag.name, flag.what, name)
			}
		}
	}
	if o.resume != "" && len(o.names) > 0 {
		return usagef("--resume goes on with what was planned; it takes no SOURCE")
	}
	return o.effort.complete(cmd, amount{}, amount{})
}

// reproduce measures or reads a run, and prints the tables.
func (a *app) reproduce(ctx context.Context, o reproduceOptions) error {
	f, err := formatOf(report.ReproduceFormats, o.format)
	if err != nil {
		return err
	}
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	all, err := a.seedList(o.names)
	if err != nil {
		return err
	}
	if err := checkOut(o.out, all); err != nil {
		return err
	}
	var run *result.Run
	var records []result.Record
	var dir string
	if o.run != "" {
		if dir, err = a.runDir(o.run, reproducible); err == nil {
			run, records, err = a.readDir(dir)
		}
	} else {
		run, records, dir, err = a.measureSeeds(ctx, o, all)
	}
	if err != nil {
		return err
	}
	if all, err = reproducedIn(run, all, o.names); err != nil {
		return err
	}
	r := reproduce.Of(all, run, records)
	if o.out != "" {
		dir = o.out
	}
	opts.Files, opts.Details = filepath.Base(dir), o.details
	if err := f.Write(a.stdout, r, opts); err != nil {
		return err
	}
	if err := a.seedFiles(dir, r); err != nil {
		return err
	}
	if o.run == "" {
		a.next([2]string{"assay reproduce --run " + run.Name, "these again; --details has charts and where each source is from"})
	}
	return a.pass(judgeReproduction(r))
}

// seedList returns the seeds of those names, or all.
func (a *app) seedList(names []string) ([]sources.Source, error) {
	all, err := sources.Load(a.source)
	if err != nil || len(names) == 0 {
		return all, err
	}
	known := seedNames(all)
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, usagef("there is no source %q%s", name, otherwise(name, known))
		}
	}
	return slices.DeleteFunc(all, func(s sources.Source) bool { return !slices.Contains(names, s.ID) }), nil
}

func seedNames(all []sources.Source) []string {
	var names []string
	for _, s := range all {
		names = append(names, s.ID)
	}
	return names
}

// reproducedIn returns the seeds that a run has. It is an error when it lacks one
// that was named, or has none.
func reproducedIn(run *result.Run, all []sources.Source, names []string) ([]sources.Source, error) {
	have := func(s sources.Source) bool { return slices.Contains(run.Plan.Sources, s.ID) }
	for _, s := range all {
		if !have(s) && slices.Contains(names, s.ID) {
			return nil, usagef("run %s has nothing of %s; assay reproduce %s measures it", run.ID, s.ID, s.ID)
		}
	}
	found := slices.DeleteFunc(slices.Clone(all), func(s sources.Source) bool { return !have(s) })
	if len(found) == 0 {
		return nil, usagef("run %s is not one of assay reproduce", run.ID)
	}
	return found, nil
}

// seedCSV is the name of the file that has the rows of a seed.
func seedCSV(id string) string { return id + ".csv" }

// checkOut checks that the files of the seeds can be written to a directory, as
// far as that can be told before they are made.
func checkOut(dir string, all []sources.Source) error {
	if dir == "" {
		return nil
	}
	var names []string
	for _, s := range all {
		names = append(names, seedCSV(s.ID))
	}
	if err := outfile.CheckDir(dir, names...); err != nil {
		return usagef("--out: %w", err)
	}
	return nil
}

// seedFiles writes the charts and a CSV file a seed into a directory, and names
// them.
func (a *app) seedFiles(dir string, r *reproduce.Reproduction) error {
	var files []outfile.File
	var names []string
	add := func(name string, write func(io.Writer) error) error {
		var data bytes.Buffer
		err := write(plaintext.NewWriter(&data))
		files = append(files, outfile.File{Name: name, Data: data.Bytes()})
		names = append(names, name)
		return err
	}
	var errs []error
	for _, c := range report.ReproduceCharts(r) {
		errs = append(errs, add(c.Name, func(w io.Writer) error { return c.Chart.WriteSVG(w) }))
	}
	for _, s := range r.Sources {
		one := &reproduce.Reproduction{Results: r.Results, Sources: []reproduce.Source{s}}
		errs = append(errs, add(seedCSV(s.ID), func(w io.Writer) error { return report.ReproduceCSV(w, one) }))
	}
	err := errors.Join(errs...)
	if err == nil {
		err = outfile.WriteDir(dir, files)
	}
	if err != nil {
		return &exitError{exitFailed, fmt.Errorf("cannot write charts and CSV: %w; name a directory with --out", err)}
	}
	a.hint("\nwritten   %s and %s in %s: %s", count(len(names)-len(r.Sources), "chart"), count(len(r.Sources), "CSV file"), dir, strings.Join(names, " "))
	return nil
}

// measureSeeds makes or resumes a run of both halves, and returns it with its
// directory.
func (a *app) measureSeeds(ctx context.Context, o reproduceOptions, all []sources.Source) (*result.Run, []result.Record, string, error) {
	m := &measurement{app: a, progress: a.newProgress(), counts: true}
	sel, err := a.beginSeeds(ctx, o, m, all)
	if err != nil {
		if o.resume != "" {
			return nil, nil, "", interrupted(ctx, err, "; the run is as it was: go on with "+shellLine("assay", "reproduce", "--resume", o.resume))
		}
		return nil, nil, "", interrupted(ctx, err, " before anything was measured")
	}
	defer m.store.Close()
	dir := m.store.Dir()
	if err = m.seeds(ctx, o, all); err == nil {
		err = m.measure(ctx, sel)
	}
	m.progress.clear()
	if err != nil {
		return nil, nil, "", interrupted(ctx, err, "; what was measured is kept: go on with "+m.run.Resume())
	}
	return m.run, m.records, dir, nil
}

// beginSeeds plans a run and makes its directory, or opens the run that is to be
// resumed.
func (a *app) beginSeeds(ctx context.Context, o reproduceOptions, m *measurement, all []sources.Source) (plan.Selection, error) {
	if o.resume != "" {
		_, sel, err := a.reopen(ctx, runOptions{resume: o.resume, seeds: true}, m)
		return sel, err
	}
	v, err := (&variant{with: o.with, goes: a.goCommand}).build()
	if err != nil {
		return plan.Selection{}, err
	}
	memory := int64(seedMemory)
	if o.quick {
		memory = plan.DefaultMemory
	}
	sel, err := explicitWithin(seedCases(all), memory)
	if err != nil {
		return sel, err
	}
	p := result.Plan{Quick: o.quick, Cases: sel.Cases, Reference: reference, Sources: seedNames(all), Budget: o.budget / 2}
	if p.Budget == 0 {
		share := cellShare
		if o.quick {
			share = quickCellShare
		}
		cells := map[result.Cell]bool{}
		for _, c := range sel.Live() {
			cells[c.Cell()] = true
		}
		p.Budget = share * time.Duration(len(cells))
	}
	layouts := defaultLayouts
	if o.quick {
		layouts = quickSeedLayouts
	}
	for layout := range uint64(layouts + 1) {
		p.Layouts = append(p.Layouts, layout)
	}
	if err := writable(a.results); err != nil {
		return sel, err
	}
	runner, err := a.build(ctx, "", sel.Contenders, p.Layouts, v, "", m.progress)
	if err != nil {
		return sel, err
	}
	m.runners = one(runner)
	m.run = a.newRun(p, o.seed, m.runners)
	m.store, err = a.create(m.run)
	return sel, err
}

// seedCases are the cases that the rows of the seeds map to, each once, in the
// order of the rows.
func seedCases(all []sources.Source) []result.Case {
	var cases []result.Case
	for _, s := range all {
		for _, t := range s.Tables {
			for _, r := range t.Rows {
				if !slices.Contains(cases, r.Case) {
					cases = append(cases, r.Case)
				}
			}
		}
	}
	return cases
}
