package cli

import (
	"context"

	"assay/internal/analysis"
	"assay/internal/flags"
	"assay/internal/measure"
	"assay/internal/plan"
	"assay/internal/stored"
	"assay/result"
)

// A wholePlan adds the cases to the plan of a run of whole values.
type wholePlan func(result.Plan) (result.Plan, plan.Selection, error)

// besides returns the results of whole values, from the stored runs or, with --giants, from a new
// run. Each stored run but the first is Besides of the one before it. For a new run besides makes the
// values from seed. It stores the directories of the runs in o. The result is nil if there are no
// whole values. then says what to do with the run if it is interrupted.
func (a *app) besides(ctx context.Context, o *flags.Wholes, seed uint64, complete wholePlan, then string) (*analysis.Results, error) {
	if len(o.Runs) > 0 {
		found, dirs, err := a.runs.Wholes(o.Runs)
		o.Runs = dirs
		return found, err
	}
	if !o.Giants {
		return nil, nil
	}
	order, err := a.wholeOrder(o, seed, complete)
	if err != nil || len(order.Selection.Live()) == 0 {
		return nil, err
	}
	cfg, err := a.building()
	if err != nil {
		return nil, err
	}
	m, err := cfg.Begin(ctx, order)
	if err != nil {
		return nil, interrupted(ctx, err, unmeasured)
	}
	defer m.Close()
	kept := "; the whole values that were measured are kept: go on with " + m.Run.Resume() + ", then " + then + " with --whole " + m.Run.Name
	if err := a.keeping(ctx, kept, m.Measure); err != nil {
		return nil, err
	}
	a.Hint("stored    %s", m.Dir())
	o.Runs = []string{m.Dir()}
	return analysis.Of(m.Run, m.Records, analysis.View{}), nil
}

// afterWholes returns what an interruption says before the run that follows the whole values. If this
// command line has measured whole values, they are kept; otherwise it is kept.
func afterWholes(o *flags.Wholes, kept string) string {
	if kept != unmeasured || !o.Giants || len(o.Runs) == 0 {
		return kept
	}
	return "; the whole values that were measured are kept: to go on, give" + stored.WholeFlags(o.Runs) + " in place of --giants and its flags"
}

// wholeOrder plans the run of whole values, and prints what it needs.
func (a *app) wholeOrder(o *flags.Wholes, seed uint64, complete wholePlan) (measure.Order, error) {
	var p result.Plan
	if err := o.Plan(&p, int64(o.Memory)); err != nil {
		return measure.Order{}, err
	}
	p, sel, err := complete(p)
	order := measure.Order{Plan: p, Selection: sel, Seed: seed, Variant: measure.Variant{Go: a.goCommand}}
	if err == nil && len(sel.Live()) > 0 {
		err = a.allow(&o.Streams, order)
	}
	return order, err
}
