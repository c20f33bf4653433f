package cli

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/internal/analysis"
	"assay/internal/measure"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/result"
)

// wholeOptions has the flags of commands that also use whole values, for sizes that take too much
// memory for other rows. The whole values come from a stored run or, with --giants, from a new
// run.
type wholeOptions struct {
	streamOptions
	memory byteSize
	// runs names the stored runs, each of another session.
	runs []string
}

// A wholePlan adds the cases to the plan of a run of whole values.
type wholePlan func(result.Plan) (result.Plan, plan.Selection, error)

// flags adds the flags to a command.
func (o *wholeOptions) flags(cmd *cobra.Command, runs func() []string) {
	f := cmd.Flags()
	f.StringArrayVar(&o.runs, "whole", nil, "also use the whole values of the stored `RUN`, which assay run -m whole made; assay claims takes several")
	f.BoolVar(&o.giants, "giants", false, "measure sizes that take too much memory for other rows, each op alone in a process")
	f.StringVar(&o.dir, "stream-dir", "", "with --giants: write files to `DIR` (default: the directory for temporary files)")
	f.Var(&o.memory, "memory", "with --giants: end a process that takes more than `SIZE` (default half of the free memory)")
	completeFlag(cmd, "whole", runs)
}

// check checks that the flags fit together.
func (o *wholeOptions) check() error {
	switch {
	case !o.giants && (o.given() || o.memory != 0):
		return usagef("--memory and --stream-dir need whole values; add --giants")
	case o.giants && len(o.runs) > 0:
		return usagef("--giants measures whole values; it cannot be combined with --whole")
	}
	return nil
}

// flag returns the flags that name the runs of whole values; empty if there is none.
func (o *wholeOptions) flag() string {
	text := ""
	for _, run := range o.runs {
		text += " --whole " + phrase.ShellLine(filepath.ToSlash(run))
	}
	return text
}

// besides returns the results of whole values, from the stored runs or, with --giants, from a new
// run. Each stored run but the first is Besides of the one before it. For a new run besides makes the
// values from seed and stores the run's name in o. The result is nil if there are no whole values.
// then says what to do with the run if it is interrupted.
func (a *app) besides(ctx context.Context, o *wholeOptions, seed uint64, complete wholePlan, then string) (*analysis.Results, error) {
	if len(o.runs) > 0 {
		return a.storedWholes(o.runs)
	}
	if !o.giants {
		return nil, nil
	}
	order, err := a.wholeOrder(o, seed, complete)
	if err != nil || len(order.Selection.Live()) == 0 {
		return nil, err
	}
	m, err := a.measuring().Begin(ctx, order)
	if err != nil {
		return nil, interrupted(ctx, err, " before anything was measured")
	}
	defer m.Close()
	err = m.Measure(ctx)
	a.progress().Clear()
	if err != nil {
		return nil, interrupted(ctx, err, "; the whole values that were measured are kept: go on with "+m.Run.Resume()+a.builtBy(nil)+", then "+then+" with --whole "+m.Run.Name)
	}
	a.hint("stored    %s", m.Dir())
	o.runs = []string{m.Run.Name}
	return analysis.Of(m.Run, m.Records, analysis.View{}), nil
}

// storedWholes reads stored runs of whole values, each of another session.
func (a *app) storedWholes(names []string) (first *analysis.Results, err error) {
	next := &first
	seen := map[int64]bool{} // when sessions began, which a copy of a run has too
	for _, name := range names {
		run, records, err := a.read(name, ofWholes)
		if err != nil {
			return nil, err
		}
		switch {
		case !ofWholes.ok(run):
			return nil, usagef("--whole: run %s has no whole values; assay run -m whole measures some, and --giants those that are needed", run.ID)
		case seen[run.Started.UnixNano()]:
			return nil, usagef("--whole: run %s is given twice; a session counts once", run.ID)
		}
		seen[run.Started.UnixNano()] = true
		*next = analysis.Of(run, records, analysis.View{})
		next = &(*next).Besides
	}
	return first, nil
}

// wholeOrder plans the run of whole values, and prints what it needs.
func (a *app) wholeOrder(o *wholeOptions, seed uint64, complete wholePlan) (measure.Order, error) {
	var p result.Plan
	if err := o.plan(&p, int64(o.memory)); err != nil {
		return measure.Order{}, err
	}
	p, sel, err := complete(p)
	order := measure.Order{Plan: p, Selection: sel, Seed: seed, Variant: measure.Variant{Go: a.goCommand}}
	if err == nil && len(sel.Live()) > 0 {
		err = o.allow(a, order)
	}
	return order, err
}
