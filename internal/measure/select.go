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
	// Size is a pattern of sizes, or one size; empty: the sizes of an ordinary run.
	Size string
	// Quick selects only the sizes of a quick run.
	Quick bool
	// All says that a pattern may choose contenders of every group.
	All bool
	// Ops are the ops if no pattern chooses them; none: those of an ordinary run.
	Ops []result.Op
	// Always names a contender whose default mode is always measured.
	Always string
	// Typical limits what no pattern chooses to what a reader can take in: one size of each
	// workload, encode and decode, the default mode.
	Typical bool
	// Memory is the memory that the values of one process may take, in bytes; 0: the default.
	Memory int64
	// Compared says that the reference, if it is among the contenders, is measured in its default
	// mode whatever modes are chosen.
	Compared bool
	// CPUs are the numbers of goroutines that work on a stream; none: one goroutine.
	CPUs []int
	// Alone is the field of plan.Options.
	Alone bool
}

// StreamPattern is the pattern of modes that chooses streams through plain files. PipelinePattern
// also chooses compressed streams. Streams and whole values are measured separately, so only
// patterns that name contender.StreamMode or contender.WholeMode choose them.
const (
	StreamPattern   = "^" + contender.StreamMode + `(,cpus=[0-9]+)?$`
	PipelinePattern = "^" + contender.StreamMode + `(,codec=[a-z0-9]+)?(,cpus=[0-9]+)?$`
	// WholePattern is the pattern of modes that chooses whole values.
	WholePattern = "^" + contender.WholeMode + "$"
)

// A NothingError says that the patterns of one kind match nothing.
type NothingError struct {
	Kind string // workload, contender or op
}

func (e *NothingError) Error() string { return "no " + e.Kind + " is left" }

// A NoSizeError says that no size matches.
type NoSizeError struct {
	Size string
	Keys []string // of the existing sizes
}

func (e *NoSizeError) Error() string { return fmt.Sprintf("no size matches %q", e.Size) }

// Select returns the cases of a choice. The error is a *NothingError, a *NoSizeError, or an error
// of package plan.
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
		Alone:      c.Alone,
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

// Probes returns the cases that probe the chosen contenders and modes: encode and decode at every
// size of the workload probes.
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

// narrow limits options to the typical ones, where no pattern chooses. Ops without a default mode
// keep their modes.
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

// besideReference adds the reference wherever another contender is measured: in its default mode
// or, for ops without a default mode, in the chosen modes.
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

// keepAlways adds the contender that is always measured.
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

// leaves returns an error if the patterns of one kind match nothing.
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

// sized returns an error if no workload has a size that matches.
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

// offered returns the contenders to choose from. It includes contenders of other groups than the
// default one if All is set, if the pattern names them in full, or if the pattern matches no
// contender of the default group.
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

// apart says whether a chosen contender has a runner of its own. In that case the reference must
// be measured too, because rows of different runners are compared by it.
func (c Choice) apart(all []*contender.Contender) bool {
	return slices.ContainsFunc(all, func(x *contender.Contender) bool {
		return x.Group != "" && c.View.Contender.Name(x.Name)
	})
}

// Typical says whether a cell has the typical size of its workload.
func Typical(in Input, cell result.Cell) bool {
	return slices.ContainsFunc(in.Workloads(), func(w *workload.Workload) bool {
		return w.Name == cell.Workload && slices.ContainsFunc(w.Sizes, func(s workload.Size) bool { return s.Typical && s.Key == cell.Size })
	})
}
