package measure

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/bench/compress"
	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/plan"
	"assay/result"
	"assay/workload"
	"assay/workload/probes"
)

// A Choice says which cases of an input are measured.
type Choice struct {
	Input     Input
	Externals Externals
	// View has the patterns that cases match; its Size is not used.
	View analysis.View
	// Size is a pattern of sizes, or one size; empty: those of an ordinary run.
	Size string
	// Quick takes the sizes of a quick run only.
	Quick bool
	// All says that contenders of every group are chosen by a pattern.
	All bool
	// Ops are the ops where no pattern chooses; none: those of an ordinary run.
	Ops []result.Op
	// Always names a contender whose default mode is measured whatever else is.
	Always string
	// Typical narrows what no pattern chooses to what a reader can take in: one size of
	// each workload, encode and decode, the default mode.
	Typical bool
	// Memory is how much memory the values of one process may take, in bytes; 0: as much
	// as by default.
	Memory int64
	// Compared says that the reference is measured in its default mode whichever modes
	// are chosen, where it is among the contenders.
	Compared bool
	// CPUs are the numbers of goroutines that share a stream; none: one.
	CPUs []int
}

// StreamPattern is the pattern of modes that chooses streams through plain files, and
// PipelinePattern that which chooses them compressed as well. Streams and whole values are
// measured by themselves, so that only patterns choose them that name contender.StreamMode
// or contender.WholeMode.
const (
	StreamPattern   = "^" + contender.StreamMode + `(,cpus=[0-9]+)?$`
	PipelinePattern = "^" + contender.StreamMode + `(,codec=[a-z0-9]+)?(,cpus=[0-9]+)?$`
	// WholePattern chooses whole values.
	WholePattern = "^" + contender.WholeMode + "$"
)

// A NothingError says that the patterns of one kind leave nothing to choose from.
type NothingError struct {
	Kind string // workload, contender or op
}

func (e *NothingError) Error() string { return "no " + e.Kind + " is left" }

// A NoSizeError says that no size matches.
type NoSizeError struct {
	Size string
	Keys []string // of the sizes that there are
}

func (e *NoSizeError) Error() string { return fmt.Sprintf("no size matches %q", e.Size) }

// Select returns the cases of a choice. The error is a NothingError, a NoSizeError, or
// what package plan says.
func (c Choice) Select() (plan.Selection, error) {
	o := plan.Options{
		Workloads:  slices.DeleteFunc(c.Input.Workloads(), func(w *workload.Workload) bool { return !c.View.Workload.Name(w.Name) }),
		Contenders: append(c.offered(), c.Externals.Contenders()...),
		Keep:       c.View.Case,
		Size:       c.Size,
		Quick:      c.Quick,
		Holds:      c.Externals.holds(c.Input.Holds),
		More:       CodecModes,
		Ops:        c.Ops,
		Memory:     c.Memory,
	}
	switch in := c.View.Mode.Include; {
	case c.View.Op.Include != nil:
		o.Ops = result.Ops
	case in != nil && strings.Contains(in.String(), compress.Axis):
		o.Ops = slices.Concat(plan.DefaultOps, compress.Ops)
	}
	if c.Typical {
		c.narrow(&o)
	}
	if c.Compared && c.View.Contender.Name(Reference) || c.apart(o.Contenders) || c.Externals.Named(c.Always) != nil {
		c.besideReference(&o)
	}
	c.keepAlways(&o)
	if err := c.leaves(o); err != nil {
		return plan.Selection{}, err
	}
	if in := c.View.Mode.Include; in != nil && (strings.Contains(in.String(), contender.StreamMode) || strings.Contains(in.String(), contender.WholeMode)) {
		o.Streams = slices.DeleteFunc(StreamModes(in.String(), c.CPUs), func(mode string) bool { return !c.View.Mode.Name(mode) })
		o.Contenders = slices.DeleteFunc(o.Contenders, func(x *contender.Contender) bool { return c.Externals.Named(x.Name) != nil })
		return plan.Streams(o)
	}
	sel, err := plan.Select(o)
	if err == nil {
		sel.Outcomes = append(sel.Outcomes, c.Externals.refused(sel.Live())...)
	}
	return sel, err
}

// Probes returns the cases that ask the chosen contenders and modes: one that
// encodes or decodes of each, at every size of the workload probes.
func (c Choice) Probes() (plan.Selection, error) {
	return plan.Select(plan.Options{
		Workloads:  []*workload.Workload{probes.Workload},
		Contenders: c.offered(),
		Keep:       c.View.Case,
		Ops:        []result.Op{result.Encode, result.Decode},
		Size:       cmp.Or(c.Size, "^probe="),
		Holds:      c.Input.Holds,
	})
}

// narrow narrows options to what is typical, where no pattern chooses. Ops that have
// no default mode keep theirs.
func (c Choice) narrow(o *plan.Options) {
	o.Typical = true
	if c.View.Op.Include == nil {
		o.Ops = slices.DeleteFunc(slices.Clone(o.Ops), func(op result.Op) bool {
			return !halfTrip(op) && !compresses(op)
		})
		if len(o.Ops) == 0 {
			o.Ops = []result.Op{result.Encode, result.Decode}
		}
	}
	if c.View.Mode.Include == nil && c.View.Mode.Exclude == nil {
		keep := o.Keep
		o.Keep = func(c result.Case) bool { return keep(c) && (c.Mode == "" || compresses(c.Op)) }
	}
}

// besideReference has the reference measured in its default mode, or of ops that
// have none in the modes that are chosen, wherever something else is.
func (c Choice) besideReference(o *plan.Options) {
	view := c.View
	if x := view.Contender.Exclude; x != nil && x.MatchString(Reference) {
		return
	}
	o.Beside = func(c result.Case) bool {
		return c.Contender == Reference && (c.Mode == "" || compresses(c.Op) && view.Mode.Name(c.Mode)) &&
			view.Workload.Name(c.Workload) && view.Op.Name(string(c.Op))
	}
}

// keepAlways keeps the contender that is measured whatever is chosen.
func (c Choice) keepAlways(o *plan.Options) {
	if c.Always == "" {
		return
	}
	named := func(x *contender.Contender) bool { return x.Name == c.Always }
	if !slices.ContainsFunc(o.Contenders, named) {
		if i := slices.IndexFunc(c.Input.Contenders(), named); i >= 0 {
			o.Contenders = append(o.Contenders, c.Input.Contenders()[i])
		}
	}
	keep := o.Keep
	o.Keep = func(one result.Case) bool {
		return keep(one) || one.Contender == c.Always && one.Mode == "" && c.View.Op.Name(string(one.Op))
	}
}

// leaves returns an error when the patterns of one kind leave nothing to choose from.
func (c Choice) leaves(o plan.Options) error {
	switch {
	case len(o.Workloads) == 0:
		return &NothingError{"workload"}
	case !slices.ContainsFunc(o.Contenders, func(x *contender.Contender) bool { return c.View.Contender.Name(x.Name) }):
		return &NothingError{"contender"}
	case !slices.ContainsFunc(result.Ops, func(op result.Op) bool { return c.View.Op.Name(string(op)) }):
		return &NothingError{"op"}
	case c.Size == "":
		return nil
	}
	return c.sized(o.Workloads)
}

// sized returns an error when no workload has a size that matches.
func (c Choice) sized(all []*workload.Workload) error {
	re, err := regexp.Compile(c.Size)
	if err != nil {
		return err
	}
	var keys []string
	for _, w := range all {
		if _, err := w.Size(c.Size); err == nil {
			return nil
		}
		for _, size := range w.Sizes {
			keys = append(keys, size.Key)
		}
	}
	if slices.ContainsFunc(keys, re.MatchString) {
		return nil
	}
	return &NoSizeError{c.Size, keys}
}

// offered returns the contenders that are chosen from. Those of other groups than the
// default one are among them when all are asked for, when the pattern names them in
// full, or when it matches no other.
func (c Choice) offered() []*contender.Contender {
	pattern := ""
	if in := c.View.Contender.Include; in != nil {
		pattern = in.String()
	}
	named := strings.Split(strings.Trim(pattern, "^$()"), "|")
	all := c.Input.Contenders()
	ordinary := slices.ContainsFunc(all, func(x *contender.Contender) bool {
		return x.Group == "" && c.View.Contender.Name(x.Name)
	})
	return slices.DeleteFunc(slices.Clone(all), func(x *contender.Contender) bool {
		full := slices.ContainsFunc(named, func(n string) bool { return strings.Trim(n, "^$()") == x.Name })
		return x.Group != "" && !c.All && !full && ordinary
	})
}

// apart says whether a contender in view has a runner of its own. Then the
// reference is measured too: it is what rows of different runners are compared
// by.
func (c Choice) apart(all []*contender.Contender) bool {
	return slices.ContainsFunc(all, func(x *contender.Contender) bool {
		return x.Group != "" && c.View.Contender.Name(x.Name)
	})
}

// Typical says whether a cell of an input is of the typical size of its workload.
func Typical(in Input, cell result.Cell) bool {
	return slices.ContainsFunc(in.Workloads(), func(w *workload.Workload) bool {
		return w.Name == cell.Workload && slices.ContainsFunc(w.Sizes, func(s workload.Size) bool { return s.Typical && s.Key == cell.Size })
	})
}
