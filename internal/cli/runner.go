package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/cachedir"
	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/nearest"
	"assay/internal/outfile"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/refusal"
)

func (a *app) runnerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "runner",
		Short: "build, list, read and clean the programs that measure",
		Long: `A runner is a program that links the contenders. assay builds it with the go
command when it needs it, and keeps it. These commands build runners ahead of
time, write out their source, list them, and remove them.`,
		Args: cobra.ArbitraryArgs,
		RunE: commandOf,
	}
	list := &cobra.Command{
		Use:   "list",
		Short: "list the runners in the cache",
		Long:  "List shows the runners in the cache, the last used first, and where they are.",
		Args:  flags.ArgsAtMost(0),
		RunE:  func(*cobra.Command, []string) error { return a.listRunners() },
	}
	cmd.AddCommand(a.runnerBuildCommand(), a.runnerSourceCommand(), list, a.cleanRunnersCommand(), a.newCommand())
	return cmd
}

// buildRunners builds the runners of a selection and prints their paths.
func (a *app) buildRunners(ctx context.Context, sel plan.Selection, layouts int) error {
	cfg, err := a.building()
	if err != nil {
		return err
	}
	made, err := cfg.Build(ctx, sel, layouts)
	if err != nil {
		return err
	}
	for _, r := range made {
		if _, err := fmt.Fprintln(a.Out, r.Path); err != nil {
			return err
		}
	}
	return a.pass(gate.Built(made))
}

func (a *app) cleanRunnersCommand() *cobra.Command {
	var data bool
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "remove the runners, their source and kept records",
		Long: `Clean removes all that assay keeps in its cache, such as runners, their source
and the records of assay try, except what assay learned about the machine. The
cache is the directory assay-cache in DIR of --cache or in your cache directory.
Clean leaves alone, and names, what assay did not make there. It does not touch
the go command's own caches or stored runs.

With --data it removes only what comes from your own data: the records, the code
and the programs for their schema, and the go command's build cache if assay
keeps it there.`,
		Example: `  assay runner clean
  assay runner clean --data`,
		Args: flags.ArgsAtMost(0),
		RunE: func(*cobra.Command, []string) error { return a.cleanRunners(data) },
	}
	cmd.Flags().BoolVar(&data, "data", false, "remove only your own data, and the code and programs for them")
	return cmd
}

// runnerSelection adds the selection flags and returns a function for the selection. The selected
// cases are those of assay run with the same flags, so that the runners are the same.
func runnerSelection(cmd *cobra.Command) func() (plan.Selection, error) {
	s := &flags.Selection{}
	s.Add(cmd)
	full := cmd.Flags().Bool("full", false, "take every sensible size, op and mode, as assay run --full does")
	return func() (plan.Selection, error) {
		s.Typical, s.Compared = !*full, true
		return s.Plan(false)
	}
}

func (a *app) runnerBuildCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "build",
		Short: "build the runner that run would use",
		Long: `Build makes the runner for a selection, in as many layouts as a run would use,
and prints the path of its ordinary layout, a line for each group of contenders
that has a runner of its own. Run it before a machine loses its network: the
machine can then measure that selection offline.`,
		Args: flags.ArgsAtMost(0),
	}
	layouts := cmd.Flags().Int("layouts", flags.FullRun.Layouts, "link `N` random layouts besides the ordinary one")
	selected := runnerSelection(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *layouts < 0 || *layouts > flags.MostLayouts {
			return refusal.Errorf("--layouts is %d; it must be between 0 and %d", *layouts, flags.MostLayouts)
		}
		sel, err := selected()
		if err != nil {
			return err
		}
		return a.buildRunners(cmd.Context(), sel, *layouts)
	}
	return cmd
}

// sourceMark is a file that every runner source has.
const sourceMark = "bench/serve.go"

func (a *app) runnerSourceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "source DIR",
		Short: "write out the source of the runner that run would use",
		Long: `Source writes to DIR the Go module of the runner of a selection: the contenders'
generated code, contenders/NAME/gen, the code that drives and times it, bench,
and a main package for each group of contenders, runner/GROUP. It builds only
the generators. DIR must be new, or one that this command wrote.`,
		Example: `  assay runner source /tmp/source -w movie
  cd /tmp/source && go build ./runner/default`,
		Args: flags.ArgsAtMost(1),
	}
	selected := runnerSelection(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return refusal.Errorf("runner source takes the directory to write to, such as /tmp/source")
		}
		if err := outfile.CheckOwn(args[0], sourceMark); err != nil {
			return refusal.Of(err)
		}
		sel, err := selected()
		if err != nil {
			return err
		}
		cfg, err := a.building()
		if err != nil {
			return err
		}
		made, err := cfg.SourceOf(cmd.Context(), sel)
		if err != nil {
			return err
		}
		files := make([]outfile.File, len(made.Files))
		for i, f := range made.Files {
			files[i] = outfile.File{Name: f.Name, Data: f.Data}
		}
		if err := outfile.ReplaceDir(args[0], sourceMark, files); err != nil {
			return err
		}
		a.progress().Clear()
		if _, err := fmt.Fprintf(a.Out, "%s of Go generated, in %s of %s\n", phrase.Count(made.Lines, "line"), phrase.Count(len(files), "file"), args[0]); err != nil {
			return err
		}
		return a.pass(gate.Built(made.Runners))
	}
	return cmd
}

// listRunners prints the runners in the cache.
func (a *app) listRunners() error {
	cache := a.cacheDir()
	runners, err := a.measuring().KeptRunners()
	if err != nil {
		return err
	}
	a.mentionEarlier(cache)
	t, size := catalog.Runners(runners)
	if _, err := fmt.Fprintf(a.Out, "%s in %s, %s\n", phrase.Count(len(runners), "runner"), cache.Path(), plan.Bytes(size)); err != nil {
		return err
	}
	if len(runners) == 0 {
		a.Hint("assay run builds one")
		return nil
	}
	return a.Table(t)
}

// cleanRunners removes everything in the cache or, with data, only what comes from a user's own
// data.
func (a *app) cleanRunners(data bool) error {
	cache := a.cacheDir()
	freed, err := cache.Clean(data)
	of := ""
	if data {
		of = " of your own data"
	}
	if freed.Entries > 0 || err == nil {
		if _, failed := fmt.Fprintf(a.Out, "freed %s%s in %s\n", plan.Bytes(freed.Bytes), of, cache.Path()); failed != nil {
			return failed
		}
	}
	if len(freed.Left) > 0 {
		a.Warn("left alone in %s, because assay did not make it: %s", cache.Path(), quoted(freed.Left))
	}
	a.mentionEarlier(cache)
	return err
}

// quoted lists names that other programs chose, in quotes. If there are many, it lists only the
// first ones.
func quoted(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, strconv.Quote(name))
	}
	return phrase.Some(list, nearest.Listed)
}

// mentionEarlier warns about the cache of an earlier version of assay, which has no mark.
func (a *app) mentionEarlier(cache cachedir.Dir) {
	if dirs := cache.Earlier(); len(dirs) > 0 {
		a.Warn("an earlier version of assay seems to have kept its cache in %s; this one neither uses nor removes it: if nothing in there is yours, remove it", strings.Join(dirs, ", "))
	}
}
