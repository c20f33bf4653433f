package cli

import (
	"context"
	"path/filepath"

	"assay/internal/analysis"
	"assay/internal/measure"
	"assay/internal/phrase"
	"assay/published/claims"
	"assay/result"
)

// wholeFlag is the flag that names the run of whole values; empty: there is none.
func (o *claimsOptions) wholeFlag() string {
	if o.whole == "" {
		return ""
	}
	return " --whole " + phrase.ShellLine(filepath.ToSlash(o.whole))
}

// besides returns the results of whole values that a ledger is ruled on by: of a stored
// run, or with --giants of one that is made now, which is named in the options then. Nil:
// there are none.
func (a *app) besides(ctx context.Context, o *claimsOptions, l *claims.Ledger) (*analysis.Results, error) {
	if o.whole != "" {
		run, records, err := a.read(o.whole, timed)
		if err != nil {
			return nil, err
		}
		return analysis.Of(run, records, analysis.View{}), nil
	}
	if !o.streams.giants {
		return nil, nil
	}
	order, err := a.wholeOrder(o, l)
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
		return nil, interrupted(ctx, err, "; the whole values that were measured are kept: go on with "+m.Run.Resume()+", then rule by it with --whole "+m.Run.Name)
	}
	a.hint("stored    %s", m.Dir())
	o.whole = m.Run.Name
	return analysis.Of(m.Run, m.Records, analysis.View{}), nil
}

// wholeOrder plans the run of the whole values that a ledger needs, and says what it
// takes.
func (a *app) wholeOrder(o *claimsOptions, l *claims.Ledger) (measure.Order, error) {
	var p result.Plan
	if err := o.streams.plan(&p, int64(o.memory)); err != nil {
		return measure.Order{}, err
	}
	p, sel, err := a.measuring().WholesForClaims(p, l.Needs(true))
	order := measure.Order{Plan: p, Selection: sel, Seed: o.seed, Variant: measure.Variant{Go: a.goCommand}}
	if err == nil && len(sel.Live()) > 0 {
		err = o.streams.allow(a, order)
	}
	return order, err
}
