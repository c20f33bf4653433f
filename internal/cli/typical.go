package cli

import (
	"slices"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/plan"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// narrow narrows a selection to what is typical, where no flag chooses: one size of
// each workload, encode and decode, the default mode. Ops that have no default mode
// keep theirs.
func (s *selection) narrow(o *plan.Options) {
	o.Typical = true
	if s.include.op == "" {
		o.Ops = slices.DeleteFunc(slices.Clone(o.Ops), func(op result.Op) bool {
			return op != result.Encode && op != result.Decode && !compresses(op)
		})
		if len(o.Ops) == 0 {
			o.Ops = []result.Op{result.Encode, result.Decode}
		}
	}
	if s.include.mode+s.exclude.mode == "" {
		keep := o.Keep
		o.Keep = func(c result.Case) bool { return keep(c) && (c.Mode == "" || compresses(c.Op)) }
	}
}

// besideReference has the reference measured in its default mode, or of ops that
// have none in the modes that are selected, wherever something else is.
func besideReference(o *plan.Options, view analysis.View) {
	if x := view.Contender.Exclude; x != nil && x.MatchString(reference) {
		return
	}
	o.Beside = func(c result.Case) bool {
		return c.Contender == reference && (c.Mode == "" || compresses(c.Op) && view.Mode.Name(c.Mode)) &&
			view.Workload.Name(c.Workload) && view.Op.Name(string(c.Op))
	}
}

// typical says whether a cell is of the typical size of a built-in workload.
func typical(c result.Cell) bool {
	return slices.ContainsFunc(builtin.All(), func(w *workload.Workload) bool {
		return w.Name == c.Workload && slices.ContainsFunc(w.Sizes, func(s workload.Size) bool { return s.Typical && s.Key == c.Size })
	})
}

// described returns the contender of a name, or nil.
func described(name string) *contender.Contender {
	all := known()
	if i := slices.IndexFunc(all, func(c *contender.Contender) bool { return c.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}
