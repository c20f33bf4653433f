package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/build"
	"assay/internal/codegen"
	"assay/internal/host"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// buildCostOptions are the flags of assay buildcost.
type buildCostOptions struct {
	selection
	output
	workload string
	times    int
	resume   string
}

func (a *app) buildCostCommand() *cobra.Command {
	var o buildCostOptions
	cmd := &cobra.Command{
		Use:   "buildcost",
		Short: "what contenders cost to build: time, modules, size of the program",
		Long: `Buildcost builds each contender alone, those of every group included: modules
that are linked, growth of the program, time of a first build and of one after a
change, and lines of generated code. One is built at a time, with a build cache
of its own. The result is stored as a run, which show and export print again.`,
		Example: "  assay buildcost\n  assay buildcost -c 'msgp|protobuf' --times 5\n  assay buildcost -w tick --format csv",
		Args:    argsAtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.times < 1 || o.times > 100 {
				return usagef("--times is %d; it must be between 1 and 100", o.times)
			}
			if o.resume != "" {
				for _, name := range []string{"workload", "contender", "no-contender"} {
					if cmd.Flags().Changed(name) {
						return usagef("--resume goes on with what was planned; it cannot be combined with --%s", name)
					}
				}
			}
			if err := o.check(); err != nil {
				return err
			}
			return a.buildCost(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.include.contender, "contender", "c", "", "only contenders that match `REGEXP`")
	f.StringVarP(&o.exclude.contender, "no-contender", "C", "", "leave out contenders that match `REGEXP`")
	completeFlag(cmd, "contender", contenderNames)
	completeFlag(cmd, "no-contender", contenderNames)
	f.StringVarP(&o.workload, "workload", "w", "customer", "build for `WORKLOAD`")
	completeFlag(cmd, "workload", workloadNames)
	f.IntVar(&o.times, "times", 3, "build each contender `N` times")
	f.StringVar(&o.resume, "resume", "", "go on with the stored `RUN` (an ID, a directory, or latest)")
	completeFlag(cmd, "resume", a.runIDs)
	o.output.flags(cmd)
	return cmd
}

// buildCost measures, stores and prints.
func (a *app) buildCost(ctx context.Context, o buildCostOptions) error {
	m := &measurement{app: a, progress: a.newProgress()}
	var err error
	if o.resume != "" {
		err = a.resumeBuildCost(m, o.resume)
	} else {
		err = a.beginBuildCost(m, o)
	}
	if err != nil {
		return err
	}
	defer m.store.Close()
	name := m.run.Name
	err = m.buildCosts(ctx, o.times)
	m.progress.clear()
	if err != nil {
		return interrupted(ctx, err, "; what was measured is kept: go on with "+m.run.Resume())
	}
	results, err := a.print(m.run, m.records, o.output, selection{})
	if err != nil {
		return err
	}
	a.hint("\nstored    %s", m.store.Dir())
	a.next(
		[2]string{"assay show " + name, "this table again"},
		[2]string{"assay explain " + analysis.BuildTime, "what that is; any other metric"},
		[2]string{"assay export " + name + " --format csv", "the numbers; or json, md"},
	)
	return a.pass(judgeRun(results, false))
}

// beginBuildCost plans a run and makes its directory.
func (a *app) beginBuildCost(m *measurement, o buildCostOptions) error {
	if !slices.Contains(workloadNames(), o.workload) {
		return usagef("there is no workload %q%s", o.workload, otherwise(o.workload, workloadNames()))
	}
	view, err := o.view()
	if err != nil {
		return err
	}
	p := result.Plan{}
	for _, c := range contenders.All() {
		if view.Contender.Name(c.Name) && c.Name != analysis.Floor {
			p.Cases = append(p.Cases, result.Case{Workload: o.workload, Contender: c.Name, Op: result.Building})
		}
	}
	if len(p.Cases) == 0 {
		return usagef("nothing is selected: %s is what every contender is built beside", analysis.Floor)
	}
	if err := writable(a.results); err != nil {
		return err
	}
	m.run = a.newRun(p, 0, one(&build.Runner{}))
	m.store, err = a.create(m.run)
	return err
}

// resumeBuildCost opens a stored run to go on with it.
func (a *app) resumeBuildCost(m *measurement, name string) error {
	store, run, records, err := a.open(name)
	if err != nil {
		return err
	}
	if run.Command() != "buildcost" {
		store.Close()
		return usagef("run %s is not one of assay buildcost", run.ID)
	}
	m.store, m.run, m.records = store, run, records
	return nil
}

// buildCosts measures the planned cases that have no record yet.
func (m *measurement) buildCosts(ctx context.Context, times int) error {
	done := m.done(func(r result.Record) (result.Case, bool) {
		if r.BuildCost == nil {
			return result.Case{}, false
		}
		return r.BuildCost.Case, true
	})
	load := m.run.Plan.Cases[0].Workload
	m.progress.line("building  what every contender is built beside")
	base := build.Contender{Name: analysis.Floor, Dir: analysis.Floor}
	o, failed, err := m.generated(ctx, load)
	if err != nil {
		return err
	}
	costs, err := build.NewCosts(ctx, o, base, load)
	if err != nil {
		return err
	}
	defer costs.Close()
	if err := m.builtWith(costs.Built()); err != nil {
		return err
	}
	for i, c := range m.run.Plan.Cases {
		if done[c] {
			continue
		}
		m.progress.status("building  %d of %d · %s", i+1, len(m.run.Plan.Cases), c.Contender)
		cost, err := m.costOf(ctx, costs, c, times)
		if f, ok := failed[c.Contender]; ok && err == nil {
			cost = result.BuildCost{Case: c, Status: result.BuildFailed, Reason: f.Reason}
		}
		if err != nil {
			return err
		}
		if err := m.sink(result.Record{BuildCost: &cost}); err != nil {
			return err
		}
		if cost.Status != "" {
			m.progress.line("left out  %s: %s: %s", c.Contender, cost.Status, firstLine(cost.Reason))
		}
	}
	if err := m.crowded(); err != nil {
		return err
	}
	return m.store.Finish(m.run)
}

// generated returns the options with the code of all contenders for the workload, and
// those for which it could not be generated.
func (m *measurement) generated(ctx context.Context, load string) (build.Options, map[string]build.Failure, error) {
	var whole []*workload.Workload
	for _, w := range builtin.All() {
		if w.Name == load {
			whole = append(whole, w)
		}
	}
	o, _, failed, err := codegen.Ready(ctx, build.Options{
		Source: m.app.source, Cache: m.app.cacheDir(), Go: m.app.toolGo(), Variant: build.Variant{Go: m.app.goCommand},
	}, codegen.Whole(whole), contenders.All())
	return o, failed, err
}

// builtWith keeps what the programs were built with. A run that is resumed must
// have been made with the same.
func (m *measurement) builtWith(b result.Build) error {
	switch m.run.Build.Key {
	case b.Key:
		return nil
	case "":
		m.run.Build = b
		return m.store.Update(m.run)
	}
	return usagef("run %s was made with another source or toolchain (%.12s, now %.12s); start a new run", m.run.ID, m.run.Build.Key, b.Key)
}

// costOf measures one contender.
func (m *measurement) costOf(ctx context.Context, costs *build.Costs, c result.Case, times int) (result.BuildCost, error) {
	i := slices.IndexFunc(contenders.All(), func(x *contender.Contender) bool { return x.Name == c.Contender })
	if i < 0 {
		return result.BuildCost{Case: c, Status: result.Unsupported, Reason: "there is no such contender any more"}, nil
	}
	one := contenders.All()[i]
	for _, w := range builtin.All() {
		if w.Name != c.Workload {
			continue
		}
		if err := holds(one, w); err != nil {
			return result.BuildCost{Case: c, Status: result.Unsupported, Reason: err.Error()}, nil
		}
	}
	load := host.Load()
	cost, err := costs.Of(ctx, build.Contender{Name: one.Name, Dir: one.Dir()}, times)
	cost.Case, cost.Load = c, load
	return cost, err
}

// crowded notes that the machine had other work. The builds themselves keep the
// load at about the number of processors.
func (m *measurement) crowded() error {
	var names []string
	limit := 1.5 * float64(m.run.Host.CPUs)
	for _, r := range m.records {
		if r.BuildCost != nil && r.BuildCost.Load > limit {
			names = append(names, r.BuildCost.Case.Contender)
		}
	}
	if len(names) == 0 {
		return nil
	}
	text := fmt.Sprintf("the machine had other work (a load above %.1f) when these were built, so their times are too long: %s", limit, strings.Join(names, ", "))
	m.app.warn("%s", text)
	return m.sink(result.Record{Note: &result.Note{Text: text}})
}
