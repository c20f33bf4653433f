package cli

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/analysis"
	"assay/internal/catalog"
	"assay/internal/flags"
	"assay/internal/gate"
	"assay/internal/measure"
	"assay/internal/nearest"
	"assay/internal/outfile"
	"assay/internal/page"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/internal/report"
	"assay/internal/stored"
	"assay/internal/tried"
	"assay/result"
)

// ordinary is the label of the side that is built without changes.
const ordinary = "as it is"

// compareOptions are the flags of assay compare.
type compareOptions struct {
	flags.Selection
	flags.Variant
	format string
	failOn string
	run    string
	source bool
	flags.Effort
	seed uint64
	page flags.Page
}

func (a *app) compareCommand() *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use:               "compare [A] [B]",
		ValidArgsFunction: a.completeSides,
		Short:             "compare two runs, two contenders or two versions",
		Long: `Compare says what changes from A to B, with intervals. ~ means no change shown.

A and B are two stored runs, or two contenders of one run (--run, the latest by
default). With one argument, it prints a stored comparison. For two runs of
assay try, it prints both answers side by side.

With --with, --go or --env, compare builds the runner a second time, with
another version of a module, another Go, or another setting. It measures both in
lock step on the same CPU, with several link layouts a side. With --source, A
and B are two states of a module that you maintain: directories, or a directory
and a git revision as DIR@REVISION.

With --fail-on, compare is a check for CI. It passes only if every row was
compared and none is shown to be worse by more than the limit: see the exit
codes below. It judges versions by time alone, and runs and contenders also by
CPU times and counts. It judges neither streams nor build times, cold-time and
peak-rss; the bounds of the last three are no confidence intervals.`,
		Example: `  assay compare 20260102-150405-ab12 latest -w tick
  assay compare vtprotobuf gogo/protobuf -o decode
  assay compare --with google.golang.org/protobuf@v1.36.6 -w tick
  assay compare --env GOAMD64=v3 -c encoding/json
  assay compare --source ../protobuf@v1.36.6 ../protobuf --fail-on +5%`,
		Args: flags.ArgsAtMost(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Variant.Go = a.goCommand
			if err := o.Effort.Complete(cmd, flags.FullSides, flags.QuickSides); err != nil {
				return err
			}
			if err := o.page.Check(); err != nil {
				return err
			}
			if name := flags.FirstGiven(cmd, "budget", "layouts", "quick", "seed", "all"); name != "" && !o.measures() {
				return refusal.Errorf("--%s needs --with, --go, --env or --source, which measure", name)
			}
			return a.compare(cmd.Context(), o, args)
		},
	}
	o.Selection.Add(cmd)
	o.Variant.Add(cmd)
	f := cmd.Flags()
	flags.FormatFlag(cmd, &o.format, report.CompareFormats)
	f.StringVar(&o.failOn, "fail-on", "", "exit with 1 if a row is surely worse by more than `PERCENT`, such as +5%")
	f.StringVar(&o.run, "run", "", "compare contenders of `RUN` (default: the latest)")
	f.BoolVar(&o.source, "source", false, "take A and B as directories of a module, or DIR@REVISION")
	f.BoolVar(&o.Quick, "quick", false, fmt.Sprintf("use fewer layouts a side (%d instead of %d), and less time", flags.QuickSides.Layouts, flags.FullSides.Layouts))
	f.DurationVar(&o.Budget, "budget", 0, fmt.Sprintf("measure versions for about `DURATION` (default %s, with --quick %s)", plan.Brief(flags.FullSides.Budget), plan.Brief(flags.QuickSides.Budget)))
	flags.Layouts(cmd, &o.Layouts, flags.FullSides, flags.QuickSides)
	flags.Seed(cmd, &o.seed)
	flags.Values(cmd, "run", a.runs.IDs)
	o.page.Add(cmd)
	return cmd
}

// compare compares what the flags and arguments name, and prints the result.
func (a *app) compare(ctx context.Context, o compareOptions, args []string) error {
	f, err := flags.Format(report.CompareFormats, o.format)
	if err != nil {
		return err
	}
	limit, err := parseLimit(o.failOn)
	if err != nil {
		return err
	}
	a.runs.Strict = o.failOn != ""
	c, dirs, err := a.comparison(ctx, o, args)
	if err != nil {
		return err
	}
	opts, err := a.reportOptions()
	if err != nil {
		return err
	}
	write := func() error { return f.Write(a.Out, c, opts) }
	if pair, err := tries(c, dirs); err != nil {
		return err
	} else if pair != nil {
		f, err := flags.Format(report.TryPairFormats, o.format)
		if err != nil {
			return err
		}
		write = func() error { return f.Write(a.Out, pair, opts) }
	}
	if err := write(); err != nil {
		return err
	}
	if err := a.pageTo(o.page, func() *page.Source { return a.described(page.OfComparison(c), contendersOf(c.B.Run)...) }); err != nil {
		return err
	}
	j := c.Judge(limit)
	if o.failOn == "" {
		err := a.pass(gate.Comparable(j, c))
		if err != nil && !o.measures() {
			err = &exitError{ExitUsage, err}
		}
		return err
	}
	return a.pass(gate.Compared(j, c, o.failOn))
}

// tries returns the answers of two compared runs of assay try. dirs are the directories of the
// runs. It returns nil unless both runs have an answer.
func tries(c *analysis.Comparison, dirs []string) (*report.TryPair, error) {
	if len(dirs) != 2 || !c.A.Run.Answers() || !c.B.Run.Answers() {
		return nil, nil
	}
	pair := &report.TryPair{Changes: c}
	var err error
	if pair.A, err = tried.Again(dirs[0], c.A.Run, c.A.Records, &tried.Asking{}); err != nil {
		return nil, err
	}
	if pair.B, err = tried.Again(dirs[1], c.B.Run, c.B.Records, &tried.Asking{}); err != nil {
		return nil, err
	}
	c.GradeA, c.GradeB = pair.A.Results.Grade, pair.B.Results.Grade // which are lower where there is no answer
	return pair, nil
}

// measures reports whether the comparison measures two versions.
func (o *compareOptions) measures() bool { return o.source || o.Variant.Given() }

// parseLimit reads +5% as 0.05. Without a limit it returns infinity, which no change exceeds.
func parseLimit(s string) (float64, error) {
	if s == "" {
		return math.Inf(1), nil
	}
	return flags.Percent("--fail-on", strings.TrimPrefix(s, "+"))
}

// comparison makes the comparison. For two stored runs it also returns their directories.
func (a *app) comparison(ctx context.Context, o compareOptions, args []string) (c *analysis.Comparison, dirs []string, err error) {
	switch {
	case o.run != "" && o.measures():
		err = refusal.Errorf("--run compares two contenders of a stored run; leave it out with --with, --go, --env or --source")
	case o.measures():
		c, err = a.compareVersions(ctx, o, args)
	case o.run != "" && len(args) != 2:
		err = refusal.Errorf("--run compares two contenders of a stored run; name both, or name two runs without --run")
	case len(args) == 1:
		c, err = a.compareAgain(o, args[0])
	case len(args) != 2:
		err = refusal.Errorf("compare takes two runs or two contenders, or --with, --go, --env or --source; see assay help compare")
	case o.run != "" || measure.Described(args[0]) != nil || measure.Described(args[1]) != nil || a.areExternal(args):
		c, err = a.compareContenders(o, args[0], args[1])
	default:
		return a.compareRuns(o, args)
	}
	return c, nil, err
}

// areExternal reports whether the names are those of external contenders of the latest run.
func (a *app) areExternal(names []string) bool {
	runs, _ := result.List(a.runs.Dir) // what reads them afterwards says which of them cannot be read
	i := slices.IndexFunc(runs, stored.Timed.OK)
	return i >= 0 && !slices.ContainsFunc(names, func(name string) bool { return !runs[i].External(name) })
}

func (a *app) compareContenders(o compareOptions, one, two string) (*analysis.Comparison, error) {
	run, records, err := a.runs.Read(o.run, stored.Timed)
	if err != nil {
		return nil, err
	}
	if err := stored.OfOneVersion(run, records); err != nil {
		return nil, fmt.Errorf("%w; name another run with --run", err)
	}
	for _, name := range []string{one, two} {
		if measure.Described(name) == nil && !run.External(name) {
			return nil, refusal.Errorf("there is no contender %q%s", name, nearest.OtherwiseListed("contenders", name, measure.Names(measure.Known())))
		}
	}
	if one == two {
		return nil, refusal.Errorf("%s is compared with itself: name another contender", one)
	}
	view, err := o.Shown(run)
	if err != nil {
		return nil, err
	}
	side := func(name string) *analysis.Side {
		return &analysis.Side{Label: name, Run: run, Records: records, Contender: name}
	}
	c, err := analysis.Compare(side(one), side(two), view)
	return c, refusal.Of(err)
}

// completeSides completes what compare takes: two runs or two contenders, or directories.
func (a *app) completeSides(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return slices.Concat(catalog.ContenderNames(), a.runs.IDs(), []string{"latest"}), cobra.ShellCompDirectiveDefault
}

// compareRuns compares two stored runs. It looks up each run only once, because "latest" may name
// another run later.
func (a *app) compareRuns(o compareOptions, names []string) (c *analysis.Comparison, dirs []string, err error) {
	var sides []*analysis.Side
	for _, name := range names {
		dir, err := a.runs.Find(name, stored.WithCases)
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(dirs, func(other string) bool { return outfile.Same(dir, other) }) {
			if o.failOn != "" {
				return nil, nil, refusal.Errorf("run %s is compared with itself, which --fail-on would always let pass: name another run", filepath.Base(dir))
			}
			a.Warn("run %s is compared with itself", filepath.Base(dir))
		}
		run, records, err := a.runs.ReadDir(dir)
		if err == nil {
			err = stored.OfOneVersion(run, records)
		}
		if err != nil {
			return nil, nil, err
		}
		if o.failOn != "" && slices.ContainsFunc(sides, func(s *analysis.Side) bool {
			return s.Run.Started.Equal(run.Started) && reflect.DeepEqual(s.Records, records)
		}) {
			return nil, nil, refusal.Errorf("%s and %s are copies of one run, which --fail-on would always let pass: name another run", sides[0].Run.Name, run.Name)
		}
		dirs = append(dirs, dir)
		sides = append(sides, &analysis.Side{Label: run.ID, Run: run, Records: records})
	}
	if sides[0].Label == sides[1].Label && !outfile.Same(dirs[0], dirs[1]) { // their directories have one name
		for _, s := range sides {
			s.Label = s.Run.Name
		}
	}
	others := otherRecords(sides[0].Run, sides[1].Run)
	if others && o.failOn != "" {
		return nil, nil, refusal.Errorf("runs %s and %s measured different records, so --fail-on cannot judge them: try the same records again", sides[0].Run.ID, sides[1].Run.ID)
	}
	view, err := o.Shown(sides[0].Run, sides[1].Run)
	if err != nil {
		return nil, nil, err
	}
	if c, err = analysis.Compare(sides[0], sides[1], view); err != nil {
		return nil, nil, refusal.Of(err)
	}
	timed := slices.ContainsFunc(c.Rows, func(row analysis.Change) bool { return !row.Counted() })
	if timed && sides[0].Run.Host.Other(sides[1].Run.Host) {
		if o.failOn != "" {
			return nil, nil, refusal.Errorf("runs %s and %s are of different machines or CPUs, between which ratios differ, so --fail-on cannot judge them: measure both on one machine, or both versions in turn by --source, --with or --env", sides[0].Run.ID, sides[1].Run.ID)
		}
		c.Warnings = append(c.Warnings, analysis.Warning{Kind: analysis.AcrossRuns, Text: "the runs are of different machines or CPUs: a change of times may be that of the machine, whatever its interval says; counts do not depend on it"})
	}
	return c, dirs, nil
}

// otherRecords reports whether two runs of assay try are known to have measured other records.
func otherRecords(one, two *result.Run) bool {
	a, b := one.Plan.Data, two.Plan.Data
	return a != nil && b != nil && a.Hash != b.Hash
}

// compareAgain compares the two sides of a stored lock step.
func (a *app) compareAgain(o compareOptions, name string) (*analysis.Comparison, error) {
	run, records, err := a.runs.Read(name, stored.WithCases)
	if err != nil {
		return nil, err
	}
	labels := analysis.Sides(run, records)
	if len(labels) != 2 {
		return nil, refusal.Errorf("run %s has one side only; name another run, or two contenders, to compare", run.ID)
	}
	return compareSides(run, records, labels, o.Selection)
}

func compareSides(run *result.Run, records []result.Record, labels []string, s flags.Selection) (*analysis.Comparison, error) {
	view, err := s.Shown(run)
	if err != nil {
		return nil, err
	}
	var sides [2]*analysis.Side
	for i, label := range labels {
		sides[i] = &analysis.Side{Label: label, Run: run, Records: records, Version: label}
	}
	c, err := analysis.Compare(sides[0], sides[1], view)
	return c, refusal.Of(err)
}

// compareVersions builds two runners, measures them in lock step, and compares them.
func (a *app) compareVersions(ctx context.Context, o compareOptions, args []string) (*analysis.Comparison, error) {
	cfg := a.measuring()
	if !o.source {
		cfg.Go = "" // --go is one of the differences: the other side has the usual Go
	}
	versions, err := a.versions(ctx, cfg, o, args)
	if err != nil {
		return nil, err
	}
	if err := cfg.CheckCache(); err != nil { // before the go command runs
		return nil, err
	}
	alike, err := a.comparable(ctx, cfg, o, versions)
	if err != nil {
		return nil, err
	}
	asked := o.Selection // before it is narrowed to what changes, which nobody named
	left, err := o.NarrowToChanged(a.input, versions)
	if err != nil {
		return nil, err
	}
	if len(left) > 0 {
		a.Hint("left out  %s, which change too but need another runner: name them with -c", phrase.List(left, "and"))
	}
	sel, err := o.Selection.Plan(true)
	if err != nil {
		return nil, err
	}
	if err := a.judgeable(o, asked, sel); err != nil {
		return nil, err
	}
	m, err := cfg.BeginVersions(ctx, measure.Order{
		Plan: result.Plan{
			Budget: o.Budget, Quick: o.Quick, Cases: sel.Cases, Reference: measure.Reference, Layouts: measure.Layouts(o.Layouts)[1:],
		},
		Selection: sel, Seed: o.seed,
	}, versions)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	err = m.MeasureVersions(ctx)
	a.progress().Clear()
	if err != nil {
		return nil, err
	}
	a.Hint("stored    %s (assay compare %s prints it again)", m.Dir(), m.Run.Name)
	c, err := compareSides(m.Run, m.Records, m.Run.Plan.Sides, o.Selection)
	if err == nil && (alike || builtAlike(c, versions)) {
		c.Warnings = append(c.Warnings, analysis.Warning{Kind: analysis.RunNote, Text: fmt.Sprintf("%s and %s have the same source and settings: a change between them is noise", c.A.Label, c.B.Label)})
	}
	return c, err
}

// builtAlike reports whether both versions were built with the same modules and settings, as when
// MODULE@latest is the version that the ordinary runner has.
func builtAlike(c *analysis.Comparison, versions []measure.Version) bool {
	a, b := versions[0].Variant, versions[1].Variant
	return c.B.Run.SecondBuild != nil && len(c.Differs)+len(c.OneSided) == 0 && a.Go == b.Go && slices.Equal(a.Env, b.Env)
}

// judgeable checks what is selected of two versions: something can be measured and, with --fail-on, of
// everything that the user named something is, and no size is left out because it takes too much memory.
func (a *app) judgeable(o compareOptions, asked flags.Selection, sel plan.Selection) error {
	if err := a.pass(gate.Measurable(o.Selection.Wanted(sel))); err != nil {
		return err
	}
	without := asked.Without(sel)
	large := slices.DeleteFunc(slices.Clone(sel.Outcomes), func(out result.Outcome) bool { return !slices.Contains(sel.TooLarge, out.Case) })
	switch {
	case o.failOn == "":
		a.warnWithout(&asked, sel)
	case len(without) > 0:
		return refusal.Errorf("nothing is measured of %s, which the selected modes and ops leave out, so --fail-on cannot judge it", phrase.Some(without, 6))
	case len(large) > 0:
		return refusal.Errorf("--fail-on cannot judge all that is selected: %s", report.RuledOut(large)[0])
	}
	return nil
}

// comparable checks the two versions, before a minute is spent on building the first one. It reports
// whether they have the same source and settings, which --fail-on does not allow.
func (a *app) comparable(ctx context.Context, cfg *measure.Config, o compareOptions, versions []measure.Version) (alike bool, err error) {
	for _, v := range versions {
		if err := v.Variant.CheckGo(cfg.ToolGo()); err != nil {
			return false, err
		}
	}
	alike, err = versions[0].Variant.Alike(ctx, versions[1].Variant, a.source, cfg.ToolGo())
	if alike && o.failOn != "" {
		err = refusal.Errorf("%s and %s have the same source and settings, which --fail-on would always let pass: name another state or setting", versions[0].Label, versions[1].Label)
	}
	return alike, err
}

// versions returns the two versions to compare.
func (a *app) versions(ctx context.Context, cfg *measure.Config, o compareOptions, args []string) ([]measure.Version, error) {
	common, err := o.Variant.Build()
	switch {
	case !o.source && len(args) > 0:
		return nil, refusal.Errorf("unexpected argument %q: --with, --go and --env are compared with the ordinary runner", args[0])
	case !o.source:
		return []measure.Version{{Label: ordinary}, {Label: common.Label(), Variant: common}}, err
	case len(args) != 2:
		return nil, refusal.Errorf("--source takes two states of a module: directories, or DIR@REVISION")
	case args[0] == args[1] || outfile.Same(args[0], args[1]):
		return nil, refusal.Errorf("%s is compared with itself: name another state", args[0])
	case err != nil:
		return nil, err
	}
	var versions []measure.Version
	for _, arg := range args {
		r, err := cfg.Module(ctx, arg)
		if err != nil {
			return nil, err
		}
		if all := r.Overruled(); len(all) > 0 {
			a.Warn("%s: its go.mod replaces or excludes %s, which Go ignores in a module that others use; it is measured with the versions that it requires", arg, phrase.List(all, "and"))
		}
		v := common
		v.Replace = []measure.Replacement{r}
		if err := v.Check(); err != nil {
			return nil, refusal.Of(err)
		}
		versions = append(versions, measure.Version{Label: arg, Variant: v})
	}
	if a, b := versions[0].Variant.Replace[0].Path, versions[1].Variant.Replace[0].Path; a != b {
		return nil, refusal.Errorf("%s is module %s and %s is module %s: --source takes two states of one module", args[0], a, args[1], b)
	}
	return versions, nil
}
