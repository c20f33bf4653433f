package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/internal/build"
	"assay/internal/drive"
	"assay/internal/report"
	"assay/published/exhibits"
	"assay/result"
)

// An extent is how much of each exhibit runs.
type extent struct {
	layouts   int // the ordinary one included
	rounds    int // in each
	benchtime string
}

// The extents of a run of exhibits: with --quick a minute or two, without it
// five.
var (
	quickExhibits = extent{layouts: 4, rounds: 3, benchtime: "50ms"}
	fullExhibits  = extent{layouts: 8, rounds: 5, benchtime: "100ms"}
)

// exhibitsOptions are the arguments of assay exhibits.
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
		Short: "published methods beside corrected ones, run in turn",
		Long: `Exhibits runs pairs of small benchmarks in turn: a method as it was published,
and the same one corrected. It prints both, their ratio with its interval, what
went wrong, and whether this run shows what the text says; it exits with 1 when
one does not. Without a NAME it runs all. The source of each is in
published/exhibits/NAME.`,
		Example: "  assay exhibits --quick\n  assay exhibits xmlslice lazyopen\n  assay exhibits --run latest --format md",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.names = args
			return a.exhibits(cmd.Context(), o)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			all, err := a.exhibitList(nil)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return exhibitNames(all), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.quick, "quick", false, "fewer layouts and rounds, about two minutes for all")
	f.StringVar(&o.run, "run", "", "print the stored `RUN` (an ID, a directory, or latest) and run nothing")
	f.StringSliceVar(&o.with, "with", nil, "take `MODULE@VERSION` instead of the pinned version")
	completeFlag(cmd, "run", a.runIDs)
	formatFlag(cmd, &o.format, report.ExhibitsFormats)
	return cmd
}

// exhibits runs exhibits, or reads a run of them, and prints them.
func (a *app) exhibits(ctx context.Context, o exhibitsOptions) error {
	f, err := formatOf(report.ExhibitsFormats, o.format)
	if err != nil {
		return err
	}
	all, err := a.exhibitList(o.names)
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
		err = usagef("--run prints a stored run; it cannot be combined with --quick or --with")
	default:
		run, records, err = a.read(o.run, exhibited)
	}
	if err != nil {
		return err
	}
	shown := exhibits.Of(run, records, all)
	if err := among(shown, o.names); err != nil {
		return err
	}
	if err := f.Write(a.stdout, shown, opts); err != nil {
		return err
	}
	if o.run == "" {
		a.next([2]string{"assay exhibits --run " + run.Name, "these again"})
	}
	return a.pass(judgeExhibits(shown))
}

// exhibitList returns the exhibits of those names, or all.
func (a *app) exhibitList(names []string) ([]exhibits.Description, error) {
	all, err := exhibits.Load(a.source)
	if err != nil || len(names) == 0 {
		return all, err
	}
	known := exhibitNames(all)
	for _, name := range names {
		if !slices.Contains(known, name) {
			near := meant(name, known)
			if near == "" {
				near = "; there are: " + strings.Join(known, ", ")
			}
			return nil, usagef("there is no exhibit %q%s", name, near)
		}
	}
	return slices.DeleteFunc(all, func(e exhibits.Description) bool { return !slices.Contains(names, e.Name) }), nil
}

func exhibitNames(all []exhibits.Description) []string {
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
	}
	return names
}

// among checks that a run has the exhibits that were named, or any.
func among(r *exhibits.Results, names []string) error {
	if len(r.Exhibits) == 0 && len(names) == 0 {
		return usagef("run %s has no exhibits; assay exhibits makes one that has", r.Run.ID)
	}
	for _, name := range names {
		if !slices.ContainsFunc(r.Exhibits, func(e exhibits.Exhibit) bool { return e.Name == name }) {
			return usagef("run %s has no exhibit %s; assay exhibits %s runs it", r.Run.ID, name, name)
		}
	}
	return nil
}

// runExhibits runs the exhibits and stores the run.
func (a *app) runExhibits(ctx context.Context, o exhibitsOptions, all []exhibits.Description) (*result.Run, []result.Record, error) {
	x := fullExhibits
	if o.quick {
		x = quickExhibits
	}
	v := build.Variant{Go: a.goCommand}
	for _, s := range o.with {
		w, err := build.ParseModuleVersion(s)
		if err != nil {
			return nil, nil, usagef("--with: %v", err)
		}
		v.With = append(v.With, w)
	}
	plan := result.Plan{Quick: o.quick, Rounds: x.rounds}
	var requests []drive.PublishedRequest
	for layout := range uint64(x.layouts) {
		plan.Layouts = append(plan.Layouts, layout)
		for _, e := range all {
			requests = append(requests, drive.PublishedRequest{
				Layout: layout, Set: exhibits.Set(e.Name), Names: exhibits.Halves, Rounds: x.rounds, Benchtime: x.benchtime,
			})
		}
	}
	if err := writable(a.results); err != nil {
		return nil, nil, err
	}
	m := &measurement{app: a, progress: a.newProgress()}
	program, err := a.program(ctx, plan.Layouts, v, m.progress)
	if err != nil {
		return nil, nil, interrupted(ctx, err, " before anything was measured")
	}
	m.run = a.newRun(plan, 0, one(program))
	if m.store, err = a.create(m.run); err != nil {
		return nil, nil, err
	}
	err = drive.Published(ctx, publishedConfig(program, longestExhibit, requests), m.sink, m.progress.event)
	m.progress.clear()
	if err != nil {
		m.store.Close()
		return nil, nil, interrupted(ctx, err, "; what was measured is kept: assay exhibits --run "+m.run.Name)
	}
	return m.run, m.records, m.store.Finish(m.run)
}

// longestExhibit is the longest that one half may take in one round.
const longestExhibit = 30 * time.Second
