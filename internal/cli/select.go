package cli

import (
	"errors"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/analysis"
	"assay/internal/catalog"
	"assay/internal/measure"
	"assay/internal/nearest"
	"assay/internal/plan"
	"assay/result"
)

// A selection has the flags that choose cases. They are the same on every command.
type selection struct {
	include, exclude struct{ workload, contender, mode, op string }
	size             string
	// input is what the selection chooses from. externals are external contenders to choose from,
	// too. known are the names of further contenders, which a stored run has.
	input     measure.Input
	externals measure.Externals
	known     []string
	// all says that patterns also select contenders outside the default group.
	all bool
	// ops, always, typical and compared are the fields of measure.Choice.
	ops               []result.Op
	always            string
	typical, compared bool
	// streams says that the command can measure streams, with the given numbers of goroutines in
	// cpus. If cpus is empty, streams use one goroutine, and pipelines use one and all CPUs.
	streams bool
	cpus    []int
	// memory is the field of measure.Choice.
	memory byteSize
}

// given reports whether any flag selects cases.
func (s *selection) given() bool {
	var none selection
	return s.size != "" || s.include != none.include || s.exclude != none.exclude
}

// ways reports whether any flag selects modes or ops.
func (s *selection) ways() bool {
	return s.include.mode+s.exclude.mode+s.include.op+s.exclude.op != ""
}

// A pattern is a flag with a regular expression. If the flag is repeated, a name matches if any
// of the values matches.
type pattern string

func (p *pattern) String() string { return string(*p) }
func (*pattern) Type() string     { return "string" }
func (p *pattern) Set(s string) error {
	if *p != "" && s != "" {
		s = string(*p) + "|" + s
	}
	*p = pattern(s)
	return nil
}

// flags adds the flags of the selection to a command that measures.
func (s *selection) flags(cmd *cobra.Command) {
	s.viewFlags(cmd)
	cmd.Flags().BoolVarP(&s.all, "all", "a", false, "include contenders outside the default group")
}

// viewFlags adds the flags that choose among measured cases.
func (s *selection) viewFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	for _, x := range []struct {
		name, short, what, more string
		in, out                 *string
	}{
		{"workload", "w", "workloads matching `REGEXP`", "", &s.include.workload, &s.exclude.workload},
		{"contender", "c", "contenders matching `REGEXP`", "", &s.include.contender, &s.exclude.contender},
		{"mode", "m", "modes matching `REGEXP`", " (\"default\" names the plain mode)", &s.include.mode, &s.exclude.mode},
		{"op", "o", "ops matching `REGEXP`", "", &s.include.op, &s.exclude.op},
	} {
		f.VarP((*pattern)(x.in), x.name, x.short, "include only "+x.what+x.more)
		f.VarP((*pattern)(x.out), "no-"+x.name, strings.ToUpper(x.short), "leave out "+x.what)
	}
	f.Var((*pattern)(&s.size), "size", "include only sizes matching `REGEXP`, or the size of that name")
	for flag, names := range map[string]func() []string{
		"workload": catalog.WorkloadNames, "contender": catalog.ContenderNames, "mode": catalog.ModeNames, "op": catalog.OpNames,
	} {
		completeFlag(cmd, flag, names)
		completeFlag(cmd, "no-"+flag, names)
	}
	completeFlag(cmd, "size", catalog.SizeKeys)
}

// streamWords adds to the text of --mode the words for streams and whole values that a command
// accepts.
func streamWords(cmd *cobra.Command, words string) {
	f := cmd.Flags().Lookup("mode")
	f.Usage = strings.TrimSuffix(f.Usage, ")") + ", " + words + ")"
}

// everyStreamWord explains all of these words.
const everyStreamWord = `"stream" streams through a file, "pipeline" compressed ones too, "whole" one op in a process of its own`

// sizes returns the regular expression for --size among the sizes of a stored run. If --size is
// the full name of a size, it matches only that size.
func (s *selection) sizes(run *result.Run) (*regexp.Regexp, error) {
	for _, c := range run.Plan.Cases {
		if s.size != "" && c.Size == s.size {
			return regexp.MustCompile("^" + regexp.QuoteMeta(s.size) + "$"), nil
		}
	}
	return compile("--size", s.size)
}

// view compiles the selection. A pattern that matches no known name is an error, which names the
// most similar name. This holds for inclusion and exclusion.
func (s *selection) view() (analysis.View, error) {
	var v analysis.View
	for _, x := range []struct {
		flag    string
		in, out string
		match   *analysis.Match
		known   []string
	}{
		{"workload", s.include.workload, s.exclude.workload, &v.Workload, measure.WorkloadNames(s.from().Workloads())},
		{"contender", s.include.contender, s.exclude.contender, &v.Contender, slices.Concat(measure.Names(s.from().Contenders()), s.externals.Names(), s.known)},
		{"mode", s.include.mode, s.exclude.mode, &v.Mode, append(catalog.ModeNames(), s.externals.Modes()...)},
		{"op", s.include.op, s.exclude.op, &v.Op, catalog.OpNames()},
	} {
		var err error
		if x.flag == "mode" {
			if x.in, err = streamPattern(x.in); err != nil {
				return v, err
			}
			x.known = slices.Concat(x.known, measure.StreamModes(x.in, nil), measure.StreamModes(x.out, nil))
		}
		if x.match.Include, err = compile("--"+x.flag, x.in); err != nil {
			return v, err
		}
		if x.match.Exclude, err = compile("--no-"+x.flag, x.out); err != nil {
			return v, err
		}
		if x.match.Include != nil && !anyMatch(x.match.Include, x.known) {
			return v, usagef("no %s matches %q%s", x.flag, x.in, nearest.OtherwiseListed(x.flag+"s", x.in, x.known))
		}
		if x.match.Exclude != nil && !anyMatch(x.match.Exclude, x.known) {
			return v, usagef("--no-%s: no %[1]s matches %q%s", x.flag, x.out, nearest.OtherwiseListed(x.flag+"s", x.out, x.known))
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

// from returns what the selection chooses from. The default is the built-in workloads.
func (s *selection) from() measure.Input {
	if s.input == nil {
		return measure.Builtin()
	}
	return s.input
}

// choice converts the selection to a measure.Choice.
func (s *selection) choice(quick bool) (measure.Choice, error) {
	view, err := s.view()
	return measure.Choice{
		Input: s.from(), Externals: s.externals, View: view, Size: s.size, Quick: quick, All: s.all,
		Ops: s.ops, Always: s.always, Typical: s.typical, Compared: s.compared, Memory: int64(s.memory),
		CPUs: s.goroutines(),
	}, err
}

// goroutines returns the numbers of goroutines that share a stream.
func (s *selection) goroutines() []int {
	if len(s.cpus) == 0 && slices.Contains(strings.Split(s.include.mode, "|"), pipelineWord) {
		return []int{1, runtime.NumCPU()}
	}
	return s.cpus
}

// plan returns the cases that the selection chooses.
func (s *selection) plan(quick bool) (plan.Selection, error) {
	choice, err := s.choice(quick)
	if err != nil {
		return plan.Selection{}, err
	}
	if _, err := compile("--size", s.size); err != nil {
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
		return sel, usagef("%w; assay list shows what there is", err)
	case measure.Alone(sel.Cases) && !s.streams:
		return sel, usagef("streams and whole values are measured by assay run, and not of two versions; leave out -m %s", s.include.mode)
	}
	return sel, nil
}

// leavesNothing returns an error that names the flags which leave nothing of a kind.
func (s *selection) leavesNothing(kind string) error {
	pattern := map[string]string{"workload": s.include.workload, "contender": s.include.contender, "op": s.include.op}[kind]
	if pattern == "" {
		return usagef("--no-%s leaves nothing", kind)
	}
	return usagef("--%s and --no-%[1]s leave nothing", kind)
}

// noSize returns an error that lists the existing sizes.
func noSize(e *measure.NoSizeError) error {
	near := nearest.Hint(e.Size, e.Keys)
	if near == "" && len(e.Keys) <= nearest.Listed {
		return usagef("no size matches %q; there are: %s", e.Size, strings.Join(e.Keys, ", "))
	}
	return usagef("no size matches %q%s; assay list sizes shows them", e.Size, near)
}

// streamWord, pipelineWord and wholeWord are words for -m: streams through a plain file, streams
// that are also compressed, and whole values.
const (
	streamWord   = "stream"
	pipelineWord = "pipeline"
	wholeWord    = "whole"
)

// streamPatterns maps each of these words to its pattern.
var streamPatterns = map[string]string{
	streamWord: measure.StreamPattern, pipelineWord: measure.PipelinePattern, wholeWord: measure.WholePattern,
}

// streamPattern replaces one of these words, or several with "|" between them, by its pattern. It
// returns other patterns unchanged. A mix of words and other patterns is an error, because a run
// has either only streams and whole values, or none of them.
func streamPattern(words string) (string, error) {
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
		return "", usagef("--mode: %q takes a run of its own; leave out %q", named[0], strings.Join(others, "|"))
	}
	return strings.Join(patterns, "|"), nil
}
