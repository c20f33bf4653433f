package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"assay/contender"
	"assay/internal/external"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/measure"
	"assay/internal/page"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/stored"
	"assay/internal/tried"
	"assay/result"
)

// runOptions has the flags of assay run.
type runOptions struct {
	flags.Selection
	flags.Output
	flags.Effort
	seed     uint64
	planOnly bool
	resume   string
	// full selects every sensible size, op and mode, except where another flag chooses.
	full bool
	page flags.Page

	streams flags.Streams
	// ofLaunches is the name of a given flag that concerns only launches; empty if there is none.
	ofLaunches string
	flags.Variant
	runners []string // directories of external contenders
	passes  flags.Passes
}

func (a *app) runCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run",
		Short: "measure the built-in workloads",
		Long: `Run measures the built-in workloads. It builds the runner, verifies that every
contender returns the values it was given, measures within the budget, prints
the result on one screen, and stores the run with every sample. It measures one
size of each workload, encode and decode, and every contender of the default
group in its default mode. -m, -o, --size and --all select more. --full selects
every sensible size, op and mode, and needs more than three minutes. With
--with or --env it does what assay compare does: it measures every mode as it is
and with these, in lock step, and prints what changes.`,
		Example: `  assay run                  every default contender, in three minutes
  assay run --quick          the same in 40 seconds, with wider intervals
  assay run --full --budget 30m
  assay run -w customer -c 'proto|flat' -o decode
  assay run -w chain --size txs=30000 -c 'gob|^protobuf$'
  assay run -w chain --size blocks=100,txs=30000 -m stream --giants
  assay run -w chain --size blocks=100,txs=30000 -c gob -m whole --giants
  assay run --quick --format gobench > new.txt`,
		Args: flags.ArgsAtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(cmd, flags.FullRun, flags.QuickRun); err != nil {
				return err
			}
			if name := flags.FirstGiven(cmd, "precision", "rounds", "layouts", "also", "cpus", "footprint", "tables", "plan", "full", "memory", "stream-dir", "giants"); name != "" && o.Variant.Given() {
				return refusal.Errorf("--with and --env compare two versions, as assay compare does, and cannot be combined with --%s", name)
			}
			o.ofLaunches = flags.FirstGiven(cmd, "budget", "rounds", "layouts", "also", "footprint")
			o.Selection.Typical, o.Selection.Compared = !o.full && !o.Variant.Given(), !o.Variant.Given()
			o.Selection.Streams, o.Selection.CPUs = !o.Variant.Given(), o.passes.CPUs
			a.warnOfPlan(cmd, o.planOnly)
			return a.measured(cmd.Context(), o)
		},
	}
	o.Selection.Add(cmd)
	flags.StreamWords(cmd, flags.EveryStreamWord)
	o.Output.Add(cmd)
	o.Output.AddTables(cmd)
	o.page.Add(cmd)
	o.Variant.Add(cmd)
	runnerFlag(cmd, &o.runners, ", or with --resume take one of the run from there")
	a.measuringFlags(cmd, &o, flags.FullRun, flags.QuickRun)
	flags.Quick(cmd, &o.Quick, "use fewer layouts, for wider intervals", flags.QuickRun)
	o.streamFlags(cmd, "stream or whole", "let the values of one process take `SIZE`, such as 8GiB, and end a stream or a whole value that takes more (default 2GiB; for streams and whole values half of the free memory)")
	cmd.Flags().BoolVar(&o.full, "full", false, "measure every sensible size, op and mode, not only the typical ones")
	return cmd
}

// measuringFlags adds the flags that say what is measured and for how long.
func (a *app) measuringFlags(cmd *cobra.Command, o *runOptions, full, quick flags.Amount) {
	f := cmd.Flags()
	f.StringVar(&o.Precision, "precision", "", "stop when every ratio is known to ±`PERCENT`, and exit with 4 if one is not (default: stop at 2%)")
	o.passes.Add(cmd)
	flags.Budget(cmd, &o.Budget, full, quick)
	f.IntVar(&o.Rounds, "rounds", 0, "run `N` rounds in every launch, whatever the budget")
	flags.Layouts(cmd, &o.Layouts, full, quick)
	flags.Seed(cmd, &o.seed)
	f.BoolVar(&o.planOnly, "plan", false, "print what would be measured and stop")
	flags.Resume(cmd, &o.resume, "", a.runs.IDs)
}

// complete checks that the flags fit together, and fills in the defaults.
func (o *runOptions) complete(cmd *cobra.Command, full, quick flags.Amount) error {
	again := append(tried.Flags(), "format", "tables", "report", "runner", "out", "module", "with-records", "force")
	if err := flags.OnlyWithResume(cmd, again...); err != nil {
		return err
	}
	if err := o.Effort.Complete(cmd, full, quick); err != nil {
		return err
	}
	if err := o.passes.Check(); err != nil {
		return err
	}
	return errors.Join(o.Output.Check(), o.page.Check())
}

// plan returns what to measure.
func (o *runOptions) plan() (measure.Order, error) {
	sel, err := o.Selection.Plan(o.Quick)
	order := measure.Order{
		Plan: result.Plan{
			Memory: int64(o.Selection.Memory), Budget: o.Budget, Quick: o.Quick, Rounds: o.Rounds, Cases: sel.Cases, Reference: measure.Reference,
			Precision: o.Share, Also: o.passes.Also, CPUs: o.passes.CPUs, Footprints: o.passes.Footprints, Layouts: measure.Layouts(o.Layouts),
		},
		Selection: sel, Externals: o.Selection.Externals, Seed: o.seed,
	}
	if !measure.Alone(sel.Cases) {
		order.Plan.CPUs = o.passes.Goroutines()
	}
	switch {
	case err != nil:
	case measure.Alone(sel.Cases) && o.Output.Format == exportFormat:
		err = noLaunches("this run")
	case measure.Alone(sel.Cases) && o.Share != 0:
		err = refusal.Errorf("--precision concerns ratios, which streams and whole values do not have: leave it out")
	case measure.Alone(sel.Cases) && o.ofLaunches != "":
		err = refusal.Errorf("--%s concerns launches, which streams and whole values do not have: leave it out", o.ofLaunches)
	case measure.Alone(sel.Cases) && len(o.runners) > 0:
		err = refusal.Errorf("--runner: external contenders have no streams and no whole values; leave out --runner or -m %s", o.Include.Mode)
	case measure.Alone(sel.Cases) && len(o.passes.CPUs) > 0 && !slices.ContainsFunc(sel.Cases, isStream):
		err = refusal.Errorf("--cpus shares out the messages of streams, and a whole value uses one goroutine: leave --cpus out")
	case measure.Alone(sel.Cases):
		err = o.streams.Plan(&order.Plan, int64(o.Selection.Memory))
	case o.streams.Given():
		err = refusal.Errorf("--stream-dir and --giants need streams or whole values; add -m stream or -m whole")
	}
	return order, err
}

// isStream reports whether a case of a run of streams and whole values is a stream.
func isStream(c result.Case) bool { return !contender.Whole(c.Mode) }

// order returns what to measure, without the cases that do not fit into the budget.
func (a *app) order(o runOptions) (measure.Order, error) {
	order, err := o.plan()
	if err == nil {
		a.warnWithout(&o.Selection, order.Selection)
	}
	if err == nil && order.Plan.Stream == nil {
		a.measuring().Fit(&order, o.Selection.Ways())
	}
	return order, err
}

// warnWithout warns of contenders that are named and of which a selection has nothing.
func (a *app) warnWithout(s *flags.Selection, of plan.Selection) {
	if names := s.Without(of); len(names) > 0 {
		a.Warn("nothing is measured of %s, which the selected modes and ops leave out", phrase.Some(names, 6))
	}
}

// measured makes or resumes a run and prints it.
func (a *app) measured(ctx context.Context, o runOptions) error {
	if o.Variant.Given() && len(o.runners) > 0 {
		return refusal.Errorf("--runner cannot be combined with --with or --env")
	}
	if err := a.locate(&o.resume); err != nil {
		return err
	}
	o.Selection.Input = a.input
	if o.resume == "" {
		if err := a.invite(ctx, &o.Selection, o.runners); err != nil {
			return err
		}
	}
	if o.planOnly {
		return a.planned(o)
	}
	if o.Variant.Given() {
		return a.compare(ctx, a.asCompared(o), nil)
	}
	var m *measure.Measurement
	err := a.keeping(ctx, a.beforehand("assay run", o.resume, nil, o.runners...), func(ctx context.Context) (err error) {
		m, err = a.begin(ctx, o)
		return err
	})
	if err != nil {
		return err
	}
	defer m.Close()
	a.runs.Strict = o.resume != "" && m.Run.Plan.Precision > 0
	name := m.Run.Name
	a.watch(m)
	if err := a.keeping(ctx, a.onward(m.Run, o), m.Measure); err != nil {
		if ctx.Err() != nil || lost(err) {
			a.printSoFar(m, o.Output)
		}
		return err
	}
	// The whole run is printed, because the selection already chose its cases.
	results, unexportable := a.print(m.Run, m.Records, o.Output, flags.Selection{})
	if results == nil {
		return unexportable
	}
	a.Hint("\nstored    %s", m.Dir())
	if err := a.pageTo(o.page, func() *page.Source { return a.pageOf(m.Run, m.Records, nil, m.Externals.Contenders()...) }); err != nil {
		return err
	}
	export := [2]string{"assay export " + name + " --format gobench", "the times for benchstat; or csv, json, md"}
	if exportable(results, exportFormat) != nil {
		export = [2]string{"assay export " + name + " --format csv", "the numbers; or json, md"}
	}
	a.Next(
		[2]string{"assay show " + name, "the same again; --tables has every table, -w, -c, -m and -o choose among them"},
		[2]string{"assay explain " + explained(m.Run), "what that is; any contender, workload, mode, op or metric"},
		export,
	)
	return a.judged(gate.Measured(results, true), unexportable)
}

// asCompared returns the options of assay compare for the two versions of assay run --with or --env.
// The second version has --go too.
func (a *app) asCompared(o runOptions) compareOptions {
	c := compareOptions{
		Selection: o.Selection, Variant: o.Variant, format: o.Output.Format,
		Effort: o.Effort.WithLayouts(flags.FullSides, flags.QuickSides), seed: o.seed, page: o.page,
	}
	c.Variant.Go = a.goCommand
	return c
}

// planned prints what would be measured. It returns an error if assay would refuse the run.
func (a *app) planned(o runOptions) error {
	order, err := a.order(o)
	if err != nil {
		return err
	}
	if order.Plan.Stream != nil {
		d, err := a.printStreams(order)
		if err != nil {
			return err
		}
		if remedy := o.streams.Remedy(d); remedy != "" {
			return refusal.Errorf("a run of this plan is refused: %s", remedy)
		}
		return a.pass(gate.Planned(len(order.Selection.Live())))
	}
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	live := order.Selection.Live()
	phases := ""
	if order.Plan.Rounds == 0 { // else launches take as long as they take
		cfg := a.measuring()
		phases = measure.PhasesText(cfg.Phases(order.Plan, live, cfg.Costs()))
	}
	if err := report.PlannedText(a.Out, &report.Planned{Plan: order.Plan, Selection: order.Selection, Phases: phases}, opts); err != nil {
		return err
	}
	return a.pass(gate.Planned(len(live)))
}

// warnOfPlan warns about flags that --plan ignores.
func (a *app) warnOfPlan(cmd *cobra.Command, planOnly bool) {
	var given []string
	for _, name := range []string{"format", "report", "tables", "out"} {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if planOnly && len(given) > 0 {
		a.Warn("--plan prints only the plan; it ignores %s", phrase.List(given, "and"))
	}
}

// interrupted converts the error of a cancelled context to one with exit code 130 and a text that
// says what happened to the work. It also adds the text to the error of a record that could not
// be stored, which ends a run too.
func interrupted(ctx context.Context, err error, work string) error {
	if lost(err) {
		return fmt.Errorf("%w%s", err, work)
	}
	if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return &exitError{ExitInterrupted, errors.New("interrupted" + work)}
}

// lost reports whether an error says that a record could not be stored.
func lost(err error) bool {
	var e *result.AppendError
	return errors.As(err, &e)
}

// unmeasured is what an interruption says before a run begins.
const unmeasured = " before anything was measured"

// beforehand returns what an interruption says before a run begins, or before a command line goes on
// with the run in a directory. with are the values of --with, and runners those of --runner.
func (a *app) beforehand(command, dir string, with []string, runners ...string) string {
	if dir == "" {
		return unmeasured
	}
	return "; the run is as it was: go on with " + command + " --resume " + stored.Name(dir) + a.builtBy(with) + runnersLine(runners)
}

// rest measures the rest of a run. If it is interrupted, its error says how to go on.
func (a *app) rest(ctx context.Context, m *measure.Measurement, do func(context.Context) error) error {
	return a.keeping(ctx, goOn(m.Run.Resume()), do)
}

// onward is goOn for a command line with --resume, whose flags count and not those that the run began with.
// It is goOn for a run that begins now.
func (a *app) onward(run *result.Run, o runOptions) string {
	if o.resume == "" {
		return goOn(run.Resume())
	}
	return goOn("assay " + run.Command() + " --resume " + run.Name + a.builtBy(nil) + runnersLine(o.runners))
}

// runnersLine returns the flags --runner of a command line.
func runnersLine(dirs []string) (line string) {
	for _, dir := range dirs {
		line += " --runner " + phrase.ShellLine(dir)
	}
	return line
}

// goOn returns what the interruption of a run says, which goes on by a command line.
func goOn(by string) string { return "; what was measured is kept: go on with " + by }

// keeping does a part of a command. If it is interrupted, its error says what is kept. The program
// says that too if it ends before it has printed the error: see Main.
func (a *app) keeping(ctx context.Context, kept string, do func(context.Context) error) error {
	a.kept.Store(&kept)
	err := do(ctx)
	a.progress().Clear()
	if err != nil {
		return interrupted(ctx, err, kept)
	}
	a.kept.Store(nil)
	return nil
}

// begin begins a new run, or opens the run to resume.
func (a *app) begin(ctx context.Context, o runOptions) (*measure.Measurement, error) {
	if o.resume != "" {
		return a.reopen(ctx, o.resume, measure.Continuation{Runners: o.runners})
	}
	order, err := a.order(o)
	if err != nil {
		return nil, err
	}
	if err := a.pass(gate.Measurable(order.Selection)); err != nil {
		return nil, err
	}
	order.Variant.Go = a.goCommand
	if order.Plan.Stream != nil {
		if err := a.allow(&o.streams, order); err != nil {
			return nil, err
		}
	}
	cfg, err := a.building()
	if err != nil {
		return nil, err
	}
	return cfg.Begin(ctx, order)
}

// builtBy returns the flags that say how runners are built and where they are kept, to append to
// the command line that resumes a run. with are the values of --with.
func (a *app) builtBy(with []string) string {
	line := ""
	if a.goCommand != "" {
		line = " --go " + phrase.ShellLine(a.goCommand)
	}
	for _, version := range with {
		line += " --with " + phrase.ShellLine(version)
	}
	if a.cache != "" {
		line += " --cache " + phrase.ShellLine(a.cache)
	}
	return line
}

// locate replaces the name of a run to resume by its directory, because "latest" may name another run
// later. Without a name it does nothing.
func (a *app) locate(resume *string) error {
	if *resume == "" {
		return nil
	}
	strict := a.runs.Strict
	a.runs.Strict = true // to go on with an older run than the latest would add to one that nobody named
	dir, err := a.runs.Find(*resume, stored.AnyRun)
	a.runs.Strict = strict
	if err == nil {
		*resume = dir
	}
	return err
}

// reopen opens the stored run in a directory to resume it.
func (a *app) reopen(ctx context.Context, dir string, how measure.Continuation) (*measure.Measurement, error) {
	cfg, err := a.building()
	if err != nil {
		return nil, err
	}
	if run, err := result.ReadRun(dir); err == nil { // else Reopen says what is wrong
		if err := external.Again(run, how.Runners); err != nil {
			return nil, err
		}
	}
	m, err := cfg.Reopen(ctx, dir, how)
	if err == nil && m.Damaged() {
		a.runs.Unusable = append(a.runs.Unusable, m.Run.ID)
	}
	return m, err
}

// printSoFar prints the tables of a run that was interrupted or could no longer be stored, in formats
// for people. The tables say that the run is not finished and how to resume it.
func (a *app) printSoFar(m *measure.Measurement, o flags.Output) {
	timed := slices.ContainsFunc(m.Records, func(r result.Record) bool { return r.Launch != nil })
	if !timed || o.Format != "text" && o.Format != "md" {
		return
	}
	// The caller returns the error of the interruption, so this one is dropped.
	_, _ = a.print(m.Run, m.Records, o, flags.Selection{})
}

// runnerFlag adds --runner. more says what else the flag does.
func runnerFlag(cmd *cobra.Command, dirs *[]string, more string) {
	cmd.Flags().StringArrayVar(dirs, "runner", nil, "include the external contender in `DIR`"+more+" (see PROTOCOL.md; may be repeated)")
}

// invite adds the external contenders of --runner to a selection. It returns an error if the
// selection leaves out one of them, because the user named them.
func (a *app) invite(ctx context.Context, s *flags.Selection, dirs []string) error {
	var err error
	if s.Externals, err = a.measuring().Invite(ctx, dirs); err != nil {
		return interrupted(ctx, err, unmeasured)
	}
	return s.CheckExternals(dirs)
}

// explained returns a contender of the run that assay explain knows, if there is one, and
// otherwise the reference.
func explained(run *result.Run) string {
	for _, c := range run.Plan.Cases {
		if !run.External(c.Contender) {
			return c.Contender
		}
	}
	return measure.Reference
}
