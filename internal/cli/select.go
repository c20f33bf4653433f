package cli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/bench/compress"
	"assay/contender"
	"assay/contenders"
	"assay/internal/analysis"
	"assay/internal/plan"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// A selection is the flags that choose cases, the same on every command.
type selection struct {
	include, exclude struct{ workload, contender, mode, op string }
	size             string
	// guests are contenders from outside that are chosen from too, and known the
	// names of those that a stored run has.
	guests visitors
	known  []string
	// all says that contenders of every group are selected by a pattern.
	all bool
	// own is a user's own records, nil where the built-in workloads are chosen
	// from; ops are the ops of a plain run of it, none for those of any; and
	// always names a contender whose default mode is measured whatever else is.
	own    *own
	ops    []result.Op
	always string
	// typical narrows what no flag chooses to what a reader can take in: one size of
	// each workload, encode and decode, the default mode. Contenders are chosen as
	// elsewhere.
	typical bool
	// compared says that the reference is measured in its default mode whichever modes
	// are selected, where it is among the contenders.
	compared bool
}

// given says whether some of the cases are selected.
func (s *selection) given() bool {
	var none selection
	return s.size != "" || s.include != none.include || s.exclude != none.exclude
}

// flags adds the selection's flags to a command.
func (s *selection) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	for _, x := range []struct {
		name, short, what string
		in, out           *string
	}{
		{"workload", "w", "workloads that match `REGEXP`", &s.include.workload, &s.exclude.workload},
		{"contender", "c", "contenders that match `REGEXP`", &s.include.contender, &s.exclude.contender},
		{"mode", "m", "modes that match `REGEXP` (\"default\" names the plain mode)", &s.include.mode, &s.exclude.mode},
		{"op", "o", "ops that match `REGEXP`", &s.include.op, &s.exclude.op},
	} {
		f.StringVarP(x.in, x.name, x.short, "", "only "+x.what)
		f.StringVarP(x.out, "no-"+x.name, strings.ToUpper(x.short), "", "leave out "+x.what)
	}
	f.StringVar(&s.size, "size", "", "only sizes that match `REGEXP`, or the size of that name")
	f.BoolVarP(&s.all, "all", "a", false, "include contenders outside the default group")
	for flag, names := range map[string]func() []string{
		"workload": workloadNames, "contender": contenderNames, "mode": modeNames, "op": opNames,
	} {
		completeFlag(cmd, flag, names)
		completeFlag(cmd, "no-"+flag, names)
	}
	completeFlag(cmd, "size", sizeKeys)
}

// sizes returns what --size selects among the sizes of a stored run: the one
// that it names in full, otherwise those that it matches.
func (s *selection) sizes(run *result.Run) (*regexp.Regexp, error) {
	for _, c := range run.Plan.Cases {
		if s.size != "" && c.Size == s.size {
			return regexp.MustCompile("^" + regexp.QuoteMeta(s.size) + "$"), nil
		}
	}
	return compile("--size", s.size)
}

// view compiles the selection. A pattern that matches no known name at all is
// an error that names the nearest one.
func (s *selection) view() (analysis.View, error) {
	var v analysis.View
	for _, x := range []struct {
		flag    string
		in, out string
		match   *analysis.Match
		known   []string
	}{
		{"workload", s.include.workload, s.exclude.workload, &v.Workload, namesOfWorkloads(s.own.workloads())},
		{"contender", s.include.contender, s.exclude.contender, &v.Contender, slices.Concat(called(s.own.contenders()), s.guests.names(), s.known)},
		{"mode", s.include.mode, s.exclude.mode, &v.Mode, append(modeNames(), s.guests.modes()...)},
		{"op", s.include.op, s.exclude.op, &v.Op, opNames()},
	} {
		var err error
		if x.match.Include, err = compile("--"+x.flag, x.in); err != nil {
			return v, err
		}
		if x.match.Exclude, err = compile("--no-"+x.flag, x.out); err != nil {
			return v, err
		}
		if x.match.Include != nil && !anyMatch(x.match.Include, x.known) {
			return v, usagef("no %s matches %q%s", x.flag, x.in, otherwise(x.in, x.known))
		}
	}
	return v, nil
}

func compile(flag, pattern string) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, usagef("%s: %v", flag, err)
	}
	return re, nil
}

func anyMatch(re *regexp.Regexp, names []string) bool {
	for _, n := range names {
		if re.MatchString(n) {
			return true
		}
	}
	return false
}

// plan returns the cases that the selection asks for.
func (s *selection) plan(quick bool) (plan.Selection, error) {
	view, err := s.view()
	if err != nil {
		return plan.Selection{}, err
	}
	o := plan.Options{
		Workloads:  slices.DeleteFunc(s.own.workloads(), func(w *workload.Workload) bool { return !view.Workload.Name(w.Name) }),
		Contenders: append(s.offered(view), s.guests.about()...),
		Keep:       view.Case,
		Size:       s.size,
		Quick:      quick,
		Holds:      s.guests.holds(holds),
		More:       codecModes,
		Ops:        s.ops,
	}
	if s.own != nil {
		o.Holds = s.guests.holds(s.own.holds)
	}
	switch {
	case s.include.op != "":
		o.Ops = result.Ops
	case strings.Contains(s.include.mode, compress.Axis):
		o.Ops = slices.Concat(plan.DefaultOps, compress.Ops)
	}
	if s.typical {
		s.narrow(&o)
	}
	if s.compared && view.Contender.Name(reference) || apart(o.Contenders, view) || s.guests.named(s.always) != nil {
		besideReference(&o, view)
	}
	s.keepAlways(&o, view)
	if err := s.leaves(view, o); err != nil {
		return plan.Selection{}, err
	}
	sel, err := plan.Select(o)
	if err != nil {
		return sel, usagef("%w; assay list shows what there is", err)
	}
	sel.Outcomes = append(sel.Outcomes, s.guests.refused(sel.Live())...)
	return sel, nil
}

// keepAlways keeps the contender that is measured whatever is selected.
func (s *selection) keepAlways(o *plan.Options, view analysis.View) {
	if s.always == "" {
		return
	}
	named := func(c *contender.Contender) bool { return c.Name == s.always }
	if !slices.ContainsFunc(o.Contenders, named) {
		if i := slices.IndexFunc(s.own.contenders(), named); i >= 0 {
			o.Contenders = append(o.Contenders, s.own.contenders()[i])
		}
	}
	keep := o.Keep
	o.Keep = func(c result.Case) bool {
		return keep(c) || c.Contender == s.always && c.Mode == "" && view.Op.Name(string(c.Op))
	}
}

// leaves returns an error when the flags of one kind leave nothing to choose from.
func (s *selection) leaves(view analysis.View, o plan.Options) error {
	for _, x := range []struct {
		flag    string
		in, out string
		none    bool
	}{
		{"workload", s.include.workload, s.exclude.workload, len(o.Workloads) == 0},
		{"contender", s.include.contender, s.exclude.contender, !slices.ContainsFunc(o.Contenders, func(c *contender.Contender) bool { return view.Contender.Name(c.Name) })},
		{"op", s.include.op, s.exclude.op, !slices.ContainsFunc(opNames(), view.Op.Name)},
	} {
		switch {
		case !x.none:
		case x.in == "":
			return usagef("--no-%s leaves nothing", x.flag)
		default:
			return usagef("--%s and --no-%[1]s leave nothing", x.flag)
		}
	}
	if s.size == "" {
		return nil
	}
	re, err := compile("--size", s.size)
	if err != nil {
		return err
	}
	var keys []string
	for _, w := range o.Workloads {
		for _, size := range w.Sizes {
			keys = append(keys, size.Key)
		}
		if _, err := w.Size(s.size); err == nil {
			return nil
		}
	}
	if anyMatch(re, keys) {
		return nil
	}
	near := meant(s.size, keys)
	if near == "" && len(keys) <= listed {
		return usagef("no size matches %q; there are: %s", s.size, strings.Join(keys, ", "))
	}
	return usagef("no size matches %q%s; assay list sizes shows them", s.size, near)
}

// holds reports why a contender's format cannot hold a workload.
func holds(c *contender.Contender, w *workload.Workload) error {
	if contenders.Holds(c.Name, w.Name) {
		return nil
	}
	_, err := c.Emit(contender.Request{
		Schema: w.Schema, Package: "assay/x/" + w.Name, Model: "assay/workload/" + w.Name, Contender: c.Name,
	})
	return err
}

// offered returns the contenders that the selection chooses from. Those with a
// runner of their own are among them when all are asked for, when the pattern
// names them in full, or when it matches no other.
func (s *selection) offered(view analysis.View) []*contender.Contender {
	named := strings.Split(strings.Trim(s.include.contender, "^$()"), "|")
	all := s.own.contenders()
	ordinary := slices.ContainsFunc(all, func(c *contender.Contender) bool {
		return c.Group == "" && view.Contender.Name(c.Name)
	})
	return slices.DeleteFunc(slices.Clone(all), func(c *contender.Contender) bool {
		full := slices.ContainsFunc(named, func(n string) bool { return strings.Trim(n, "^$()") == c.Name })
		return c.Group != "" && !s.all && !full && ordinary
	})
}

// apart says whether a contender in view has a runner of its own. Then the
// reference is measured too: it is what rows of different runners are compared
// by.
func apart(all []*contender.Contender, view analysis.View) bool {
	return slices.ContainsFunc(all, func(c *contender.Contender) bool {
		return c.Group != "" && view.Contender.Name(c.Name)
	})
}

func workloadNames() []string { return namesOfWorkloads(builtin.All()) }

func namesOfWorkloads(all []*workload.Workload) []string {
	var names []string
	for _, w := range all {
		names = append(names, w.Name)
	}
	return names
}

// sizeKeys returns the sizes that workloads declare. The same key in two of them
// is listed once.
func sizeKeys() []string {
	var keys []string
	for _, w := range builtin.All() {
		for _, s := range w.Sizes {
			if !slices.Contains(keys, s.Key) {
				keys = append(keys, s.Key)
			}
		}
	}
	return keys
}

func contenderNames() []string { return called(contenders.All()) }

// called returns the names of contenders.
func called(all []*contender.Contender) []string {
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	return names
}

func modeNames() []string {
	names := []string{analysis.DefaultMode}
	seen := map[string]bool{}
	for _, c := range contenders.All() {
		for _, m := range c.Modes {
			if !seen[m.Key] {
				seen[m.Key] = true
				names = append(names, m.Key)
			}
		}
	}
	return append(names, compress.Modes()...)
}

func opNames() []string {
	names := make([]string, len(result.Ops))
	for i, op := range result.Ops {
		names[i] = string(op)
	}
	return names
}
