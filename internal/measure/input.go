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

// An Input is what is measured: workloads with their values, and contenders that have code for
// them. The built-in workloads are one Input, and a user's records are another.
type Input interface {
	// Contenders returns the contenders that can be measured.
	Contenders() []*contender.Contender
	// Workloads returns the workloads that can be measured.
	Workloads() []*workload.Workload
	// Holds returns an error if a contender has no code for a workload.
	Holds(*contender.Contender, *workload.Workload) error
	// LeftOut returns the reason why a selected contender got no code.
	LeftOut(contender string) (why codegen.Reason, ok bool)
	// Keeps says whether runs of such an input are made by a command of assay.
	Keeps(command string) bool

	// prepare generates the code of the contenders. It adds to the selection the outcomes of
	// those for which that is impossible.
	prepare(ctx context.Context, cfg *Config, sel *plan.Selection, wanted []*contender.Contender) error
	// data returns what a run's plan says about the input.
	data() *result.Data
	// link builds, in the layouts and for the cases, the runner of those contenders that belong
	// to the group.
	link(ctx context.Context, o build.Options, group string, among []*contender.Contender, cases []result.Case, layouts []uint64) (*build.Runner, error)
	// timed returns the files of the values that are timed; nil: runners make them.
	timed() func(workload, size string) string
	// streamed returns the file from which streams read the values; empty: runners make them.
	streamed() string
	// packed returns the files of the values whose messages are compressed.
	packed(quick bool) (func(workload, size string) string, error)
	// trips completes the configuration for verifying the timed values. It returns false if there
	// are so many other values that they are verified in blocks.
	trips(*verify.Config) (all bool)
	// blocks returns all values in blocks, or none if all values are timed.
	blocks() []userdata.Block
	// block calls do with a file that has the values of a block.
	block(b userdata.Block, do func(file string) error) error
}

// Builtin returns the input of the built-in workloads, with all contenders of the repository and
// more.
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

// link links all contenders of the group, whatever is selected, so that a contender has the same
// code around it in every run. It links only the workloads and roots of the cases, because the
// code of others would first have to be generated and compiled.
func (b builtins) link(ctx context.Context, o build.Options, group string, among []*contender.Contender, cases []result.Case, layouts []uint64) (*build.Runner, error) {
	_, kind := cut(group)
	cases = slices.DeleteFunc(slices.Clone(cases), func(c result.Case) bool { return contender.Whole(c.Mode) != (kind == whole) })
	if Streams(cases) {
		return linkStreams(ctx, o, group, among, cases, layouts)
	}
	packed := kind == codecs
	return codegen.Make(ctx, o, codegen.ForCases(builtin.All(), cases), within(among, group), packed, layouts)
}

// linkStreams links the streams, and nothing else, of the group's contenders that have streams.
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

// Known returns all contenders by name, including those that need a user's .proto file. Those
// have no code here, and the format that they have if the file says nothing else.
func Known() []*contender.Contender { return slices.Concat(contenders.All(), ownproto.All()) }

// Described returns the known contender of a name, or nil.
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

// modeLosses returns the additional losses of contenders' modes.
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

// allLosses returns the losses of each contender in any of its modes. The checks between timed
// batches accept these losses.
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

// formats returns the format of each contender.
func formats(all []*contender.Contender) map[string]string {
	out := map[string]string{}
	for _, c := range all {
		out[c.Name] = c.Format
	}
	return out
}

// inputs returns the number of distinct values of a workload's size, or 1 if there is no such
// size.
func (cfg *Config) inputs(workload, size string) int {
	if s := cfg.size(workload, size); s.Key != "" {
		return s.Inputs()
	}
	return 1
}

// bytes returns about how many bytes the values of a workload's size take in a launch.
func (cfg *Config) bytes(workload, size string) int64 {
	s := cfg.size(workload, size)
	return s.Bytes * int64(s.Inputs())
}

// size returns a workload's size, or the zero Size if there is none.
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
