package flags

import (
	"errors"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/contender"
	"assay/internal/analysis"
	"assay/internal/catalog"
	"assay/internal/infer/gotype"
	"assay/internal/measure"
	"assay/internal/nearest"
	"assay/internal/phrase"
	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/result"
	"assay/workload/probes"
)

// A Selection has the flags that choose cases. They are the same on every command.
type Selection struct {
	Include, Exclude struct{ Workload, Contender, Mode, Op string }
	Size             string
	// Input is what the selection chooses from; nil for the built-in workloads. Externals are
	// external contenders to choose from, too. known are further names, which stored runs have.
	Input     measure.Input
	Externals measure.Externals
	known     struct{ workloads, contenders, modes []string }
	// All says that patterns also select contenders outside the default group.
	All bool
	// Ops, Always, Typical and Compared are the fields of measure.Choice.
	Ops               []result.Op
	Always            string
	Typical, Compared bool
	// Streams says that the command can measure streams and whole values and has --memory. CPUs
	// are the numbers of goroutines of streams. If CPUs is empty, streams use one goroutine, and
	// pipelines use one and all CPUs.
	Streams bool
	CPUs    []int
	// Memory is the field of measure.Choice.
	Memory Size
}

// Given reports whether any flag selects cases.
func (s *Selection) Given() bool {
	var none Selection
	return s.Size != "" || s.Include != none.Include || s.Exclude != none.Exclude
}

// Ways reports whether any flag selects modes or ops.
func (s *Selection) Ways() bool {
	return s.Include.Mode+s.Exclude.Mode+s.Include.Op+s.Exclude.Op != ""
}

// A pattern is a flag with a regular expression. If the flag is repeated, a name matches if any
// of the values matches.
type pattern struct {
	to    *string
	empty bool // a value was empty, which NotEmpty refuses, whatever the others are
}

// String returns the pattern.
func (p *pattern) String() string {
	if p.to == nil || p.empty {
		return ""
	}
	return *p.to
}

// Type is the name of the type in package pflag.
func (*pattern) Type() string { return "string" }

// Set adds an alternative to the pattern.
func (p *pattern) Set(s string) error {
	p.empty = p.empty || s == ""
	if *p.to != "" && s != "" {
		s = *p.to + "|" + s
	}
	*p.to = s
	return nil
}

// Add adds the flags of the selection to a command that measures.
func (s *Selection) Add(cmd *cobra.Command) {
	s.AddView(cmd)
	cmd.Flags().BoolVarP(&s.All, "all", "a", false, "include contenders outside the default group")
}

// AddView adds the flags that choose among measured cases.
func (s *Selection) AddView(cmd *cobra.Command) {
	addPatterns(cmd, "workload", "w", "", catalog.WorkloadNames, &s.Include.Workload, &s.Exclude.Workload)
	s.AddContenders(cmd)
	addPatterns(cmd, "mode", "m", " (\"default\" names the plain mode)", catalog.ModeNames, &s.Include.Mode, &s.Exclude.Mode)
	addPatterns(cmd, "op", "o", "", catalog.OpNames, &s.Include.Op, &s.Exclude.Op)
	cmd.Flags().Var(&pattern{to: &s.Size}, "size", "include only sizes matching `REGEXP`, or the size of that name")
	Values(cmd, "size", catalog.SizeKeys)
}

// AddContenders adds the flags that choose contenders.
func (s *Selection) AddContenders(cmd *cobra.Command) {
	addPatterns(cmd, "contender", "c", "", catalog.ContenderNames, &s.Include.Contender, &s.Exclude.Contender)
}

// addPatterns adds a flag that includes only the things that match, and one that leaves them out.
func addPatterns(cmd *cobra.Command, name, short, more string, names func() []string, in, out *string) {
	f := cmd.Flags()
	f.VarP(&pattern{to: in}, name, short, "include only "+name+"s matching `REGEXP`"+more)
	f.VarP(&pattern{to: out}, "no-"+name, strings.ToUpper(short), "leave out "+name+"s matching `REGEXP`")
	Values(cmd, name, names)
	Values(cmd, "no-"+name, names)
}

// StreamWords adds to the text of --mode the words for streams and whole values that a command
// accepts.
func StreamWords(cmd *cobra.Command, words string) {
	f := cmd.Flags().Lookup("mode")
	f.Usage = strings.TrimSuffix(f.Usage, ")") + ", " + words + ")"
}

// EveryStreamWord explains all of these words.
const EveryStreamWord = `"stream" streams through a file, "pipeline" compressed ones too, "whole" one op in a process of its own`

// sizes returns the regular expression for --size among the sizes of a stored run. If --size is
// the full name of a size, it matches only that size.
func (s *Selection) sizes(run *result.Run) (*regexp.Regexp, error) {
	for _, c := range run.Plan.Cases {
		if s.Size != "" && c.Size == s.Size {
			return regexp.MustCompile(exactly(s.Size)), nil
		}
	}
	return Compile("--size", s.Size)
}

// View compiles the selection. A pattern that matches no known name is an error, which names the
// most similar name. This holds for inclusion and exclusion.
func (s *Selection) View() (analysis.View, error) {
	var v analysis.View
	for _, x := range []struct {
		flag    string
		in, out string
		match   *analysis.Match
		known   []string
	}{
		{"workload", s.Include.Workload, s.Exclude.Workload, &v.Workload, distinct(measure.WorkloadNames(s.from().Workloads()), s.known.workloads)},
		{"contender", s.Include.Contender, s.Exclude.Contender, &v.Contender, distinct(measure.Names(s.from().Contenders()), s.Externals.Names(), s.known.contenders)},
		{"mode", s.Include.Mode, s.Exclude.Mode, &v.Mode, distinct(catalog.ModeNames(), s.Externals.Modes(), s.known.modes)},
		{"op", s.Include.Op, s.Exclude.Op, &v.Op, catalog.OpNames()},
	} {
		var err error
		if x.flag == "mode" {
			if x.in, err = StreamPattern(x.in); err != nil {
				return v, err
			}
			x.known = slices.Concat(x.known, measure.StreamModes(x.in, nil), measure.StreamModes(x.out, nil))
		}
		if x.match.Include, err = Compile("--"+x.flag, x.in); err != nil {
			return v, err
		}
		if x.match.Exclude, err = Compile("--no-"+x.flag, x.out); err != nil {
			return v, err
		}
		if x.match.Include != nil && !anyMatch(x.match.Include, x.known) {
			return v, refusal.Errorf("no %s matches %q%s", x.flag, x.in, nearest.OtherwiseListed(x.flag+"s", x.in, x.known))
		}
		if x.match.Exclude != nil && !anyMatch(x.match.Exclude, x.known) {
			return v, refusal.Errorf("--no-%s: no %[1]s matches %q%s", x.flag, x.out, nearest.OtherwiseListed(x.flag+"s", x.out, x.known))
		}
	}
	return v, nil
}

// Without returns the contenders that --contender or --runner names and of which a selection has no case,
// because none of their modes and ops is selected. It does not name those that are ruled out.
func (s *Selection) Without(sel plan.Selection) []string {
	named := slices.DeleteFunc(s.Externals.Names(), func(name string) bool { return name == gotype.ExternalName }) // which no flag names
	if v, err := s.View(); err == nil && v.Contender.Include != nil {
		for _, c := range s.from().Contenders() {
			if v.Contender.Name(c.Name) && (c.Group == "" || s.All) {
				named = append(named, c.Name)
			}
		}
	}
	return slices.DeleteFunc(distinct(named), func(name string) bool {
		of := func(x result.Case) bool { return x.Contender == name }
		return slices.ContainsFunc(sel.Cases, of) || slices.ContainsFunc(sel.Outcomes, func(o result.Outcome) bool { return of(o.Case) })
	})
}

// Wanted returns a selection as it is if one of its cases that can be measured is of a contender that the
// flags name, or they name none. Otherwise it returns it without these cases: what is left is only there to
// compare with.
func (s *Selection) Wanted(sel plan.Selection) plan.Selection {
	v, err := s.View()
	named := s.Externals.Names()
	if err != nil || v.Contender.Include == nil && len(named) == 0 {
		return sel
	}
	if slices.ContainsFunc(sel.Live(), func(c result.Case) bool {
		return slices.Contains(named, c.Contender) || v.Contender.Include == nil || v.Contender.Name(c.Contender)
	}) {
		return sel
	}
	return plan.Selection{Outcomes: sel.Outcomes}
}

// distinct returns the names of all lists, each once.
func distinct(lists ...[]string) (names []string) {
	for _, name := range slices.Concat(lists...) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Compile returns the regular expression of a flag; nil if the flag has no value.
func Compile(flag, pattern string) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, refusal.Errorf("%s: %v", flag, err)
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

// from returns what the selection chooses from. The default is the built-in workloads.
func (s *Selection) from() measure.Input {
	if s.Input == nil {
		return measure.Builtin()
	}
	return s.Input
}

// choice converts the selection to a measure.Choice.
func (s *Selection) choice(quick bool) (measure.Choice, error) {
	view, err := s.View()
	return measure.Choice{
		Input: s.from(), Externals: s.Externals, View: view, Size: s.Size, Quick: quick, All: s.All,
		Ops: s.Ops, Always: s.Always, Typical: s.Typical, Compared: s.Compared, Memory: int64(s.Memory),
		CPUs: s.goroutines(), Alone: s.Streams,
	}, err
}

// goroutines returns the numbers of goroutines that share a stream.
func (s *Selection) goroutines() []int {
	if len(s.CPUs) == 0 && slices.Contains(strings.Split(s.Include.Mode, "|"), pipelineWord) {
		return []int{1, runtime.NumCPU()}
	}
	return s.CPUs
}

// Plan returns the cases that the selection chooses.
func (s *Selection) Plan(quick bool) (plan.Selection, error) {
	choice, err := s.choice(quick)
	if err != nil {
		return plan.Selection{}, err
	}
	if _, err := Compile("--size", s.Size); err != nil {
		return plan.Selection{}, err
	}
	sel, err := choice.Select()
	var nothing *measure.NothingError
	var size *measure.NoSizeError
	switch {
	case errors.As(err, &nothing):
		return sel, s.leavesNothing(nothing.Kind)
	case errors.As(err, &size):
		return sel, noSize(size)
	case err != nil:
		return sel, refusal.Errorf("%w; assay list shows what there is", err)
	case measure.Alone(sel.Cases) && !s.Streams:
		return sel, refusal.Errorf("only assay run measures streams and whole values, and not of two versions; leave out -m %s", s.Include.Mode)
	}
	return sel, nil
}

// leavesNothing returns an error that names the flags which leave nothing of a kind.
func (s *Selection) leavesNothing(kind string) error {
	pattern := map[string]string{"workload": s.Include.Workload, "contender": s.Include.Contender, "op": s.Include.Op}[kind]
	if pattern == "" {
		return refusal.Errorf("--no-%s leaves nothing", kind)
	}
	return refusal.Errorf("--%s and --no-%[1]s leave nothing", kind)
}

// noSize returns an error that lists the existing sizes.
func noSize(e *measure.NoSizeError) error {
	near := nearest.Hint(e.Size, e.Keys)
	if near == "" && len(e.Keys) <= nearest.Listed {
		return refusal.Errorf("no size matches %q; there are: %s", e.Size, strings.Join(e.Keys, ", "))
	}
	return refusal.Errorf("no size matches %q%s; assay list sizes shows them", e.Size, near)
}

// StreamWord, pipelineWord and wholeWord are words for -m: streams through a plain file, streams
// that are also compressed, and whole values.
const (
	StreamWord   = "stream"
	pipelineWord = "pipeline"
	wholeWord    = "whole"
)

// streamPatterns maps each of these words to its pattern.
var streamPatterns = map[string]string{
	StreamWord: measure.StreamPattern, pipelineWord: measure.PipelinePattern, wholeWord: measure.WholePattern,
}

// StreamPattern replaces one of these words, or several with "|" between them, by its pattern. It
// returns other patterns unchanged. A mix of words and other patterns is an error, because a run
// has either only streams and whole values, or none of them.
func StreamPattern(words string) (string, error) {
	var patterns, named, others []string
	for word := range strings.SplitSeq(words, "|") {
		if pattern, ok := streamPatterns[word]; ok {
			patterns, named = append(patterns, pattern), append(named, word)
		} else {
			others = append(others, word)
		}
	}
	switch {
	case len(named) == 0:
		return words, nil
	case len(others) > 0:
		return "", refusal.Errorf("--mode: %q takes a run of its own; leave out %q", named[0], strings.Join(others, "|"))
	}
	return strings.Join(patterns, "|"), nil
}

// Shown returns the selection as a view of a stored run. Patterns may match the names of any of the
// runs that are given, which have workloads and contenders that are not built in: a user's records,
// external contenders, the messages of a .proto file.
func (s *Selection) Shown(run *result.Run, others ...*result.Run) (analysis.View, error) {
	known := &s.known
	for _, r := range append([]*result.Run{run}, others...) {
		for _, c := range r.Plan.Cases {
			known.workloads, known.contenders = append(known.workloads, c.Workload), append(known.contenders, c.Contender)
			if c.Mode != "" {
				known.modes = append(known.modes, c.Mode)
			}
		}
		for _, g := range r.Plan.Externals {
			known.contenders = append(known.contenders, g.Name)
		}
	}
	view, err := s.View()
	if err != nil {
		return view, err
	}
	view.Size.Include, err = s.sizes(run)
	return view, err
}

// AddCases adds the selection flags that make sense with a single workload and size.
func (s *Selection) AddCases(cmd *cobra.Command) {
	var all cobra.Command
	s.Add(&all)
	all.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Name {
		case "workload", "no-workload", "size":
		default:
			cmd.Flags().AddFlag(f)
		}
	})
}

// NarrowToChanged restricts a selection of an input that names no contenders to those whose modules
// differ between the versions. The others cannot change. Versions are compared in one runner, so
// without --all it keeps one group of contenders, the default group if one of its contenders changes.
// left are the others that change.
func (s *Selection) NarrowToChanged(in measure.Input, versions []measure.Version) (left []string, err error) {
	if s.Include.Contender != "" {
		return nil, nil
	}
	names, all := measure.Changed(in, versions)
	if all {
		return nil, nil
	}
	if len(names) == 0 {
		return nil, refusal.Errorf("no contender uses a module that changes; name the contenders to compare with -c")
	}
	changed := slices.DeleteFunc(slices.Clone(in.Contenders()), func(c *contender.Contender) bool { return !slices.Contains(names, c.Name) })
	group := changed[0].Group
	if slices.ContainsFunc(changed, func(c *contender.Contender) bool { return c.Group == "" }) {
		group = ""
	}
	var kept []string
	for _, c := range changed {
		if s.All || c.Group == group {
			kept = append(kept, exactly(c.Name))
		} else {
			left = append(left, c.Name)
		}
	}
	s.Include.Contender = strings.Join(kept, "|")
	return left, nil
}

// exactly returns a pattern that matches only a name.
func exactly(name string) string { return "^" + regexp.QuoteMeta(name) + "$" }

// CheckExternals refuses a selection that leaves out an external contender, since the user named all of
// them by --runner. dirs are the values of that flag.
func (s *Selection) CheckExternals(dirs []string) error {
	view, err := s.View()
	if err != nil {
		return err
	}
	for i, name := range s.Externals.Names() {
		if !view.Contender.Name(name) {
			return refusal.Errorf("--contender and --no-contender leave %s out, the contender of --runner %s; add %s, or leave --runner out",
				name, dirs[i], phrase.ShellLine("-c", exactly(name)))
		}
	}
	return nil
}

// BuildCosts returns the plan that builds each selected contender with its code for a workload, so many
// times.
func (s *Selection) BuildCosts(workload string, times int) (result.Plan, error) {
	if !slices.Contains(catalog.WorkloadNames(), workload) {
		return result.Plan{}, refusal.Errorf("there is no workload %q%s", workload, nearest.Otherwise(workload, catalog.WorkloadNames()))
	}
	view, err := s.View()
	if err != nil {
		return result.Plan{}, err
	}
	p := result.Plan{Rounds: times}
	for _, c := range s.from().Contenders() {
		if view.Contender.Name(c.Name) && c.Name != analysis.Floor {
			p.Cases = append(p.Cases, result.Case{Workload: workload, Contender: c.Name, Op: result.Building})
		}
	}
	if len(p.Cases) == 0 {
		return p, refusal.Errorf("nothing is selected: %s is what every contender is built beside", analysis.Floor)
	}
	return p, nil
}

// Probes returns the cases for the probes: for each selected contender and mode one that encodes
// or decodes, at every size of the workload probes.
func (s *Selection) Probes() (plan.Selection, error) {
	if s.Include.Workload+s.Exclude.Workload+s.Include.Op+s.Exclude.Op != "" {
		return plan.Selection{}, refusal.Errorf("--probes asks for all ops of the workload %s: leave --workload and --op out", probes.Workload.Name)
	}
	if s.Size != "" {
		// Only all probes together show whether a contender suffers every loss that it declares.
		return plan.Selection{}, refusal.Errorf("--probes asks for all probes: leave --size out (assay explain probe=nan says what contenders make of one)")
	}
	choice, err := s.choice(false)
	if err != nil {
		return plan.Selection{}, err
	}
	sel, err := choice.Probes()
	return sel, refusal.Of(err)
}
