package measure

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"assay/contender"
	"assay/contenders"
	"assay/internal/build"
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
	LeftOut(contender string) (why userdata.Reason, ok bool)
	// Keeps reports whether a run that was made by a command of assay is of such an input.
	Keeps(command string) bool

	// prepare has code made of the contenders, and adds to a selection the outcomes of
	// those that cannot have any.
	prepare(ctx context.Context, cfg *Config, sel *plan.Selection, wanted []*contender.Contender) error
	// data is what a run's plan says of the input.
	data() *result.Data
	// links is what the runner of a group links, and files what its source has besides
	// that of the tool.
	links(group string) build.Spec
	files() []contender.File
	// timed returns where runners find the values that are timed; nil: they make them.
	timed() func(workload, size string) string
	// packed returns where they find those whose messages are compressed.
	packed(quick bool) (func(workload, size string) string, error)
	// trips completes how the timed values are verified. It reports false where there
	// are so many more values that those are verified in blocks.
	trips(*verify.Config) (all bool)
	// blocks calls do with files of all values in turn, each with the number of its first
	// and how many it has; never, where the values that are timed are all.
	blocks(do func(file string, first, n int64) error) error
	// values is how many values blocks has in all.
	values() int64
}

// Builtin is the built-in workloads, whose runners are built from a source.
func Builtin(source fs.FS) Input { return builtins{source} }

type builtins struct{ source fs.FS }

func (builtins) Contenders() []*contender.Contender { return contenders.All() }

func (builtins) Workloads() []*workload.Workload { return builtin.All() }

func (b builtins) Holds(c *contender.Contender, w *workload.Workload) error {
	if b.generated(c, w.Name) {
		return nil
	}
	if _, err := c.Emit(contender.Request{
		Schema: w.Schema, Package: "assay/x/" + w.Name, Model: "assay/workload/" + w.Name, Contender: c.Name,
	}); err != nil {
		return err
	}
	return fmt.Errorf("its code for %s was not generated: run go generate", w.Name)
}

// generated reports whether a contender has code for a workload.
func (b builtins) generated(c *contender.Contender, workload string) bool {
	_, err := fs.Stat(b.source, "contenders/"+c.Dir()+"/gen/"+workload)
	return err == nil
}

func (builtins) LeftOut(string) (userdata.Reason, bool) { return userdata.Reason{}, false }

func (builtins) Keeps(command string) bool { return command != "try" }

func (builtins) prepare(context.Context, *Config, *plan.Selection, []*contender.Contender) error {
	return nil
}

func (builtins) data() *result.Data { return nil }

// links returns all contenders of the group, whatever is selected: a runner that
// serves every selection is built once, and the same contender has the same code
// around it in every run.
func (b builtins) links(group string) build.Spec {
	group, packed := cutCodecs(group)
	s := build.Spec{Workloads: WorkloadNames(builtin.All()), Codecs: packed}
	for _, c := range contenders.All() {
		if c.Group != group && !common(c.Name) {
			continue
		}
		one := build.Contender{Name: c.Name, Dir: c.Dir()}
		for _, w := range s.Workloads {
			if b.generated(c, w) {
				one.Workloads = append(one.Workloads, w)
			}
		}
		s.Contenders = append(s.Contenders, one)
	}
	return s
}

func (builtins) files() []contender.File { return nil }

func (builtins) timed() func(workload, size string) string { return nil }

func (builtins) packed(bool) (func(workload, size string) string, error) { return nil, nil }

func (builtins) trips(*verify.Config) bool { return true }

func (builtins) blocks(func(file string, first, n int64) error) error { return nil }

func (builtins) values() int64 { return 0 }

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

// formats returns the format of each of the contenders.
func formats(all []*contender.Contender) map[string]string {
	out := map[string]string{}
	for _, c := range all {
		out[c.Name] = c.Format
	}
	return out
}

// inputs returns the number of distinct values of a workload's size.
func (cfg *Config) inputs(workload, size string) int {
	for _, w := range cfg.Input.Workloads() {
		if w.Name == workload {
			if s, err := w.Size(size); err == nil {
				return s.Inputs()
			}
		}
	}
	return 1
}
