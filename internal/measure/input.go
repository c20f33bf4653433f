package measure

import (
	"context"
	"slices"

	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
	"assay/internal/codegen"
	ownproto "assay/internal/infer/protofile/own"
	"assay/internal/plan"
	"assay/internal/userdata"
	"assay/internal/verify"
	"assay/result"
	"assay/workload"
	"assay/workload/builtin"
)

// An Input is what is measured: workloads with their values, and the contenders that
// have code for them. The built-in workloads are one, a user's records another.
type Input interface {
	// Contenders are those that can be measured.
	Contenders() []*contender.Contender
	// Workloads are those that can be measured.
	Workloads() []*workload.Workload
	// Holds reports why a contender has no code for a workload; nil: it has.
	Holds(*contender.Contender, *workload.Workload) error
	// LeftOut is why a contender that was selected got no code.
	LeftOut(contender string) (why codegen.Reason, ok bool)
	// Keeps reports whether a run that was made by a command of assay is of such an input.
	Keeps(command string) bool

	// prepare has code made of the contenders, and adds to a selection the outcomes of
	// those that cannot have any.
	prepare(ctx context.Context, cfg *Config, sel *plan.Selection, wanted []*contender.Contender) error
	// data is what a run's plan says of the input.
	data() *result.Data
	// link makes the runner of those among the contenders that are of a group, in the
	// layouts, for the cases.
	link(ctx context.Context, o build.Options, group string, among []*contender.Contender, cases []result.Case, layouts []uint64) (*build.Runner, error)
	// timed returns where runners find the values that are timed; nil: they make them.
	timed() func(workload, size string) string
	// streamed is the file that streams read the values from; empty: runners make them.
	streamed() string
	// packed returns where they find those whose messages are compressed.
	packed(quick bool) (func(workload, size string) string, error)
	// trips completes how the timed values are verified. It reports false where there
	// are so many more values that those are verified in blocks.
	trips(*verify.Config) (all bool)
	// blocks are all values in blocks; none, where the values that are timed are all.
	blocks() []userdata.Block
	// block calls do with a file of the values of a block.
	block(b userdata.Block, do func(file string) error) error
}

// Builtin is the built-in workloads, for the contenders that there are and more of
// them.
func Builtin(more ...*contender.Contender) Input { return builtins{more} }

type builtins struct{ more []*contender.Contender }

func (b builtins) Contenders() []*contender.Contender { return slices.Concat(contenders.All(), b.more) }

func (builtins) Workloads() []*workload.Workload { return builtin.All() }

func (builtins) Holds(c *contender.Contender, w *workload.Workload) error {
	if contenders.Holds(c.Name, w.Name) {
		return nil
	}
	_, err := c.Emit(codegen.Of(w, w.Schema.Roots).Request(c))
	return err
}

func (builtins) LeftOut(string) (codegen.Reason, bool) { return codegen.Reason{}, false }

func (builtins) Keeps(command string) bool { return command != "try" }

func (builtins) prepare(context.Context, *Config, *plan.Selection, []*contender.Contender) error {
	return nil
}

func (builtins) data() *result.Data { return nil }

// link links all contenders of the group, whatever is selected, so that the same
// contender has the same code around it in every run; and of the workloads those that
// the cases are of, with the roots of their sizes: the others' code would have to be
// generated and compiled first.
func (b builtins) link(ctx context.Context, o build.Options, group string, among []*contender.Contender, cases []result.Case, layouts []uint64) (*build.Runner, error) {
	_, kind := cut(group)
	cases = slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool { return contender.Whole(c.Mode) != (kind == whole) })
	if Streams(cases) {
		return linkStreams(ctx, o, group, among, cases, layouts)
	}
	packed := kind == codecs
	return codegen.Make(ctx, o, codegen.ForCases(builtin.All(), cases), within(among, group), packed, layouts)
}

// linkStreams links the contenders of the group that have streams, and nothing of them
// but these.
func linkStreams(ctx context.Context, o build.Options, group string, known []*contender.Contender, cases []result.Case, layouts []uint64) (*build.Runner, error) {
	targets, err := codegen.ForStreams(builtin.All(), cases)
	if err != nil {
		return nil, err
	}
	able := slices.DeleteFunc(within(known, group), func(c *contender.Contender) bool { return c.Stream == "" })
	_, packed := cutCodecs(group)
	return codegen.Make(ctx, o, targets, able, packed, layouts)
}

func (builtins) timed() func(workload, size string) string { return nil }

func (builtins) streamed() string { return "" }

func (builtins) packed(bool) (func(workload, size string) string, error) { return nil, nil }

func (builtins) trips(*verify.Config) bool { return true }

func (builtins) blocks() []userdata.Block { return nil }

func (builtins) block(userdata.Block, func(file string) error) error { return nil }

// WorkloadNames returns the names of workloads.
func WorkloadNames(all []*workload.Workload) []string {
	var names []string
	for _, w := range all {
		names = append(names, w.Name)
	}
	return names
}

// Known returns every contender that there is by name, those that need a .proto
// file of the user's without one: they have no code, and are of the format that
// they have where that says nothing else.
func Known() []*contender.Contender { return slices.Concat(contenders.All(), ownproto.All()) }

// Described returns the known contender of a name; nil: there is none.
func Described(name string) *contender.Contender {
	all := Known()
	if i := slices.IndexFunc(all, func(c *contender.Contender) bool { return c.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// Names returns the names of contenders.
func Names(all []*contender.Contender) []string {
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	return names
}

// losses returns the declared losses of each contender.
func losses() map[string][]string {
	out := map[string][]string{}
	for _, c := range Known() {
		for _, l := range c.Losses {
			out[c.Name] = append(out[c.Name], string(l))
		}
	}
	return out
}

// modeLosses returns what the modes of contenders lose besides.
func modeLosses() map[result.Subject][]string {
	out := map[result.Subject][]string{}
	for _, c := range Known() {
		for _, m := range c.Modes {
			for _, l := range m.Losses {
				out[result.Subject{Contender: c.Name, Mode: m.Key}] = append(out[result.Subject{Contender: c.Name, Mode: m.Key}], string(l))
			}
		}
	}
	return out
}

// allLosses returns what each contender loses in any of its modes, which checks between
// timed batches forgive.
func allLosses() map[string][]string {
	all := losses()
	for w, more := range modeLosses() {
		all[w.Contender] = append(all[w.Contender], more...)
	}
	for _, l := range all {
		slices.Sort(l)
	}
	return all
}

// formats returns the format of each of the contenders.
func formats(all []*contender.Contender) map[string]string {
	out := map[string]string{}
	for _, c := range all {
		out[c.Name] = c.Format
	}
	return out
}

// inputs returns the number of distinct values of a workload's size, 1 where there is no
// such size.
func (cfg *Config) inputs(workload, size string) int {
	if s := cfg.size(workload, size); s.Key != "" {
		return s.Inputs()
	}
	return 1
}

// bytes returns about how many bytes the values of a workload's size take that a launch
// has.
func (cfg *Config) bytes(workload, size string) int64 {
	s := cfg.size(workload, size)
	return s.Bytes * int64(s.Inputs())
}

// size returns a workload's size; the zero Size where there is none.
func (cfg *Config) size(name, key string) workload.Size {
	for _, w := range cfg.Input.Workloads() {
		if w.Name == name {
			if s, err := w.Size(key); err == nil {
				return s
			}
		}
	}
	return workload.Size{}
}
