package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/contenders"
	"assay/internal/build"
	"assay/internal/plan"
	"assay/result"
)

// The defaults of a run.
const (
	defaultBudget  = 3 * time.Minute
	quickBudget    = 20 * time.Second
	defaultLayouts = 16
	quickLayouts   = 8
)

// runOptions are the flags of assay run.
type runOptions struct {
	selection
	output
	budget   time.Duration
	rounds   int
	layouts  int
	quick    bool
	seed     uint64
	planOnly bool
	resume   string
}

func (a *app) runCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run",
		Short: "measure the built-in workloads",
		Long: `Run measures the built-in workloads: it builds the runner, verifies that every
contender gives back what it was given, measures within the budget, prints one
table for each workload, size and op, and stores the run with every sample.`,
		Example: `  assay run                                    everything that is sensible, in about three minutes
  assay run --quick                            a first look in 20 seconds
  assay run -w customer -c 'proto|flat' -o decode
  assay run -w chain --size txs=30000 -c 'gob|^protobuf$'
  assay run --quick --format gobench > new.txt`,
		Args: argsAtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(cmd); err != nil {
				return err
			}
			return a.measured(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	o.selection.flags(cmd)
	o.output.flags(cmd)
	f.DurationVar(&o.budget, "budget", 0, "measure for about `DURATION` (default 3m, with --quick 20s)")
	f.IntVar(&o.rounds, "rounds", 0, "run `N` rounds in every launch, whatever the budget")
	f.IntVar(&o.layouts, "layouts", 0, "link `N` random layouts (default 16, with --quick 8)")
	f.BoolVar(&o.quick, "quick", false, "fewer sizes and layouts, about 20 s of measuring")
	f.Uint64Var(&o.seed, "seed", 1, "make the values from `SEED`")
	f.BoolVar(&o.planOnly, "plan", false, "print what would be measured and stop")
	f.StringVar(&o.resume, "resume", "", "go on with the stored `RUN` (an ID, a directory, or latest)")
	return cmd
}

// complete checks the flags against each other and fills in the defaults.
func (o *runOptions) complete(cmd *cobra.Command) error {
	if o.resume != "" {
		for _, name := range []string{"workload", "no-workload", "contender", "no-contender", "mode", "no-mode", "op", "no-op", "size", "budget", "rounds", "layouts", "quick", "seed", "plan"} {
			if cmd.Flags().Changed(name) {
				return usagef("--resume goes on with what was planned; it cannot be combined with --%s", name)
			}
		}
	}
	switch {
	case o.budget < 0:
		return usagef("--budget is %v; it must be positive", o.budget)
	case o.rounds < 0:
		return usagef("--rounds is %d; it must be positive", o.rounds)
	case o.layouts < 0 || o.layouts > 1000:
		return usagef("--layouts is %d; it must be between 1 and 1000", o.layouts)
	}
	if o.budget == 0 {
		o.budget = defaultBudget
		if o.quick {
			o.budget = quickBudget
		}
	}
	if o.layouts == 0 {
		o.layouts = defaultLayouts
		if o.quick {
			o.layouts = quickLayouts
		}
	}
	return o.output.check()
}

// plan returns what to measure.
func (o *runOptions) plan() (result.Plan, plan.Selection, error) {
	sel, err := o.selection.plan(o.quick)
	if err != nil {
		return result.Plan{}, sel, err
	}
	p := result.Plan{Budget: o.budget, Quick: o.quick, Rounds: o.rounds, Cases: sel.Cases, Reference: reference}
	for layout := range uint64(o.layouts + 1) {
		p.Layouts = append(p.Layouts, layout)
	}
	return p, sel, nil
}

// reference is the contender that ratios are taken to: the one that every Go
// program could use without asking anybody.
const reference = "encoding/json"

// measured makes or resumes a run and prints it.
func (a *app) measured(ctx context.Context, o runOptions) error {
	if o.planOnly {
		p, sel, err := o.plan()
		if err != nil {
			return err
		}
		return a.printPlan(p, sel)
	}
	m, sel, err := a.begin(ctx, o)
	if err != nil {
		return interrupted(ctx, err, "")
	}
	defer m.store.Close()
	err = m.measure(ctx, sel)
	m.progress.clear()
	if err != nil {
		return interrupted(ctx, err, m.run.ID)
	}
	if err := a.print(m.run, m.records, o.output, o.selection); err != nil {
		return err
	}
	a.hint("\nstored    %s", m.store.Dir())
	a.hint("next      assay show %s -w WORKLOAD        one workload again\n          assay explain NAME                    what a contender, metric or mode is\n          assay export %s --format gobench     for benchstat", m.run.ID, m.run.ID)
	return nil
}

// interrupted turns the error of a cancelled context into exit code 130 and a
// text that says how to go on.
func interrupted(ctx context.Context, err error, id string) error {
	if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	if id == "" {
		return &exitError{exitInterrupted, errors.New("interrupted before anything was measured")}
	}
	return &exitError{exitInterrupted, fmt.Errorf("interrupted; what was measured is kept: go on with assay run --resume %s", id)}
}

// begin plans a new run, builds its runner and makes its directory, or opens
// the run that is to be resumed.
func (a *app) begin(ctx context.Context, o runOptions) (*measurement, plan.Selection, error) {
	m := &measurement{app: a, progress: a.newProgress()}
	if o.resume != "" {
		return a.reopen(ctx, o, m)
	}
	p, sel, err := o.plan()
	if err != nil {
		return nil, sel, err
	}
	if err := writable(a.results); err != nil {
		return nil, sel, err
	}
	if m.runner, err = a.make(ctx, sel, p.Layouts, m.progress); err != nil {
		return nil, sel, err
	}
	m.run = newRun(os.Args[1:], p, o.seed, m.runner)
	m.store, err = result.Create(a.results, m.run)
	return m, sel, err
}

// make builds the runner and reports what could not be built.
func (a *app) make(ctx context.Context, sel plan.Selection, layouts []uint64, p *progress) (*build.Runner, error) {
	r, err := a.build(ctx, sel.Contenders, layouts, p)
	if err != nil {
		p.clear()
		return nil, err
	}
	p.built(r, len(layouts))
	for name, f := range r.Failed {
		a.warn("%s is left out: %s", name, f.Reason)
	}
	return r, nil
}

// reopen opens a stored run to go on with it.
func (a *app) reopen(ctx context.Context, o runOptions, m *measurement) (*measurement, plan.Selection, error) {
	var sel plan.Selection
	dir, err := a.runDir(o.resume)
	if err != nil {
		return nil, sel, err
	}
	store, run, records, warnings, err := result.Resume(dir)
	if err != nil {
		return nil, sel, err
	}
	for _, w := range warnings {
		a.warn("%s", w)
	}
	if !run.Finished.IsZero() {
		store.Close()
		return nil, sel, usagef("run %s is complete; see it with assay show %s", run.ID, run.ID)
	}
	m.store, m.run, m.records = store, run, records
	sel.Cases = run.Plan.Cases
	names := map[string]bool{}
	for _, c := range plan.Without(run.Plan.Cases, m.stored()) {
		names[c.Contender] = true
	}
	for _, c := range contenders.All() {
		if names[c.Name] {
			sel.Contenders = append(sel.Contenders, c)
		}
	}
	if m.runner, err = a.make(ctx, sel, run.Plan.Layouts, m.progress); err != nil {
		store.Close()
		return nil, sel, err
	}
	if m.runner.Key != run.Build.Key {
		store.Close()
		return nil, sel, usagef("run %s was made with another runner (%.12s, now %.12s): the tool, a library or the Go toolchain has changed since; start a new run", run.ID, run.Build.Key, m.runner.Key)
	}
	return m, sel, nil
}

// writable checks that runs can be stored before an hour is spent on one.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &exitError{exitFailed, fmt.Errorf("the results directory %s cannot be made: %w; choose another with --results", dir, err)}
	}
	f, err := os.CreateTemp(dir, ".write-*")
	if err != nil {
		return &exitError{exitFailed, fmt.Errorf("the results directory %s cannot be written: %w; choose another with --results", dir, err)}
	}
	f.Close()
	return os.Remove(filepath.Clean(f.Name()))
}

// printPlan prints the cells of a plan and what was ruled out.
func (a *app) printPlan(p result.Plan, sel plan.Selection) error {
	live := sel.Live()
	cells := map[result.Cell]int{}
	var order []result.Cell
	for _, c := range live {
		if cells[c.Cell()] == 0 {
			order = append(order, c.Cell())
		}
		cells[c.Cell()]++
	}
	t := newTable()
	t.head("workload", "size", "op", ">cases")
	for _, c := range order {
		t.row(c.Workload, c.Size, string(c.Op), fmt.Sprint(cells[c]))
	}
	if err := t.print(a); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "\n%d cases in %d cells, one launch for each of %d layouts, about %v of measuring\n", len(live), len(order), len(p.Layouts), p.Budget)
	var reasons []string
	ruled := map[string]int{}
	for _, o := range sel.Outcomes {
		line := fmt.Sprintf("%s %s: %s", o.Case.Workload, o.Case.Contender, o.Reason)
		if strings.HasPrefix(o.Reason, o.Case.Size) {
			line = o.Case.Workload + " " + o.Reason
		}
		if ruled[line]++; ruled[line] == 1 {
			reasons = append(reasons, line)
		}
	}
	for _, line := range reasons {
		fmt.Fprintf(a.stdout, "left out: %s\n", line)
	}
	return nil
}
