package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/contender"
	"assay/contenders"
	"assay/internal/drive"
	"assay/internal/external"
	"assay/internal/infer/gotype"
	"assay/internal/plan"
	"assay/internal/refusal"
	"assay/internal/verify"
	"assay/result"
	"assay/workload"
)

// An External is a contender from outside of the repository with its own runner, as runner.toml
// and the runner describe it.
type External struct {
	*external.Contender
	// About describes it like other contenders. It has its own Group and no Emit.
	About    *contender.Contender
	bindings []bench.BindingInfo
	modules  []result.Module
	// failure says why its runner did not describe itself; nil: it did.
	failure *drive.Failure
	// workloads are the workloads of its cases.
	workloads []*workload.Workload
}

// Externals are the external contenders of one command.
type Externals []*External

// anyOf is the workload or root of a binding whose runner takes any values from a file.
const anyOf = "*"

// externalGroup returns the group of an external contender.
func externalGroup(name string) string { return "runner " + name }

// Invite reads the runner.toml of each directory and asks each runner to describe itself. A
// runner that cannot do so, or describes nothing that can be measured, still gives an external
// contender, whose cases fail.
func (cfg *Config) Invite(ctx context.Context, dirs []string) (Externals, error) {
	var out Externals
	for _, dir := range dirs {
		g, err := external.Read(dir)
		if err != nil {
			return nil, refusal.Of(err)
		}
		x := &External{Contender: g, workloads: cfg.Input.Workloads()}
		if slices.Contains(Names(Known()), g.Name) || slices.ContainsFunc(out, func(o *External) bool { return o.Name == g.Name }) {
			return nil, refuse("%s: there is a contender %q already; give this one another name", filepath.Join(dir, external.File), g.Name)
		}
		described, err := x.runner(0, 0, nil).Describe(ctx)
		switch {
		case errors.As(err, &x.failure):
			if x.failure.Status != result.BuildFailed {
				x.failure.Reason = "asked what it is: " + x.failure.Reason
			}
		case err != nil:
			return nil, err
		default:
			if err := x.introduce(described); err != nil {
				x.failure = &drive.Failure{Status: result.Unsupported, Reason: "its runner " + err.Error()}
			}
			for _, op := range unknownOps(described) {
				cfg.warn("%s: its runner has the op %.20q, which is none of this assay's and is left out", x.Name, op)
			}
		}
		x.describe()
		out = append(out, x)
	}
	return out, nil
}

// modeKey matches the modes that an external contender may have.
var modeKey = regexp.MustCompile(`^[a-z][a-z0-9-]*=[a-z0-9.-]+(,[a-z][a-z0-9-]*=[a-z0-9.-]+)*$`)

// introduce stores what the runner says about itself.
func (x *External) introduce(d *bench.Described) error {
	if d.Protocol != bench.Protocol {
		return fmt.Errorf("speaks version %d of the protocol, and this assay version %d (PROTOCOL.md)", d.Protocol, bench.Protocol)
	}
	known := false
	for _, b := range d.Bindings {
		if b.Contender != x.Name {
			return fmt.Errorf("has a binding of %q, and %s calls the contender %q", b.Contender, external.File, x.Name)
		}
		known = known || slices.ContainsFunc(b.Ops, func(op result.Op) bool { return slices.Contains(result.Ops, op) })
		if b.Mode != "" && !modeKey.MatchString(b.Mode) {
			return fmt.Errorf("has a binding in the mode %q, which is not key=value pairs joined by commas", b.Mode)
		}
	}
	if !known {
		return errors.New("has no binding with an op to measure")
	}
	x.bindings, x.modules = d.Bindings, d.Modules
	if x.Version == "" && len(x.modules) > 0 {
		x.Version = x.modules[0].Version
	}
	return nil
}

// unknownOps returns the first few ops of a runner that this program does not know.
func unknownOps(d *bench.Described) []result.Op {
	const most = 3
	var out []result.Op
	for _, b := range d.Bindings {
		for _, op := range b.Ops {
			if !slices.Contains(result.Ops, op) && !slices.Contains(out, op) && len(out) < most {
				out = append(out, op)
			}
		}
	}
	return out
}

// describe sets About from what is known.
func (x *External) describe() {
	c := &contender.Contender{
		Name: x.Name, Title: x.Title, Text: x.Text, Format: x.Format, License: x.License,
		Traits: x.Traits, Losses: x.Losses, Group: externalGroup(x.Name),
	}
	if x.failure != nil {
		c.Ops = []result.Op{result.Encode, result.Decode}
	}
	for _, op := range result.Ops {
		for _, b := range x.bindings {
			if !slices.Contains(b.Ops, op) {
				continue
			}
			if b.Mode == "" {
				if !slices.Contains(c.Ops, op) {
					c.Ops = append(c.Ops, op)
				}
				continue
			}
			i := slices.IndexFunc(c.Modes, func(m contender.Mode) bool { return m.Key == b.Mode })
			if i < 0 {
				i = len(c.Modes)
				c.Modes = append(c.Modes, contender.Mode{Key: b.Mode})
			}
			if !slices.Contains(c.Modes[i].Ops, op) {
				c.Modes[i].Ops = append(c.Modes[i].Ops, op)
			}
		}
	}
	x.About = c
}

// holds returns an error if the external contender has no binding to a workload.
func (x *External) holds(w *workload.Workload) error {
	if x.failure != nil || slices.ContainsFunc(x.bindings, func(b bench.BindingInfo) bool { return b.Workload == anyOf || b.Workload == w.Name }) {
		return nil
	}
	return fmt.Errorf("its runner has no binding to %s", w.Name)
}

// offers says whether the runner has a binding with an op, in a mode, to a root message.
func (x *External) offers(workload, root, mode string, op result.Op) bool {
	return slices.ContainsFunc(x.bindings, func(b bench.BindingInfo) bool {
		return (b.Workload == anyOf || b.Workload == workload) && (b.Root == anyOf || b.Root == root) &&
			b.Mode == mode && slices.Contains(b.Ops, op)
	})
}

// does says whether the runner offers a case.
func (x *External) does(c result.Case) bool { return x.offers(c.Workload, x.root(c), c.Mode, c.Op) }

// root returns the root message of a case's size, or "".
func (x *External) root(c result.Case) string {
	for _, w := range x.workloads {
		if w.Name == c.Workload {
			if s, err := w.Size(c.Size); err == nil {
				return s.Root
			}
		}
	}
	return ""
}

// runner returns how to start its runner. memory is the limit that the user set, if it is more than the
// usual one. data returns the files of values; nil: the runner loads no values.
func (x *External) runner(seed uint64, memory int64, data func(workload, size string) string) drive.Runner {
	dir, err := filepath.Abs(x.Dir)
	if err != nil {
		dir = x.Dir
	}
	return drive.Runner{
		Binary: func(uint64) drive.Binary {
			return drive.Binary{Path: x.Command[0], Args: x.Command[1:], Dir: dir, Family: true}
		},
		Limits: drive.Limits{Memory: max(memoryLimit, memory), Answer: cmp.Or(x.Timeout, outsideLimit)},
		Seed:   seed, Data: data, External: true, Losses: map[string][]string{x.Name: x.losses()[x.Name]},
	}
}

// kept returns what a run stores about the external contender.
func (x *External) kept() result.External {
	return result.External{Name: x.Name, Format: x.Format, Title: x.Title, Version: x.Version, Modules: x.modules, Dir: x.Dir, Command: x.Command}
}

// kept returns what a run stores about the external contenders.
func (xs Externals) kept() []result.External {
	var out []result.External
	for _, x := range xs {
		out = append(out, x.kept())
	}
	return out
}

// Contenders returns the descriptions of the external contenders.
func (xs Externals) Contenders() []*contender.Contender {
	var out []*contender.Contender
	for _, x := range xs {
		out = append(out, x.About)
	}
	return out
}

// Names returns the names of the external contenders.
func (xs Externals) Names() []string {
	var out []string
	for _, x := range xs {
		out = append(out, x.Name)
	}
	return out
}

// Modes returns the modes of the external contenders.
func (xs Externals) Modes() []string {
	var out []string
	for _, x := range xs {
		for _, m := range x.About.Modes {
			out = append(out, m.Key)
		}
	}
	return out
}

// Named returns the external contender of that name, or nil.
func (xs Externals) Named(name string) *External {
	for _, x := range xs {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// holds returns a func that calls holds for external contenders, and others for all other
// contenders.
func (xs Externals) holds(others func(*contender.Contender, *workload.Workload) error) func(*contender.Contender, *workload.Workload) error {
	return func(c *contender.Contender, w *workload.Workload) error {
		if x := xs.Named(c.Name); x != nil {
			return x.holds(w)
		}
		return others(c, w)
	}
}

// refused returns the outcomes of the cases that their external runners do not offer in that mode
// or for that root, and of all cases of runners that do not describe themselves.
func (xs Externals) refused(cases []result.Case) []result.Outcome {
	var out []result.Outcome
	for _, c := range cases {
		x := xs.Named(c.Contender)
		switch {
		case x == nil:
		case x.failure != nil:
			out = append(out, x.failure.Outcome(c))
		case !x.does(c):
			out = append(out, result.Outcome{Case: c, Status: result.Unsupported, Reason: fmt.Sprintf("its runner has no binding to %s in this mode", x.root(c))})
		}
	}
	return out
}

// ours returns a selection without external contenders.
func (xs Externals) ours(sel plan.Selection) plan.Selection {
	sel.Contenders = slices.DeleteFunc(slices.Clone(sel.Contenders), func(c *contender.Contender) bool { return xs.Named(c.Name) != nil })
	sel.Cases = slices.DeleteFunc(slices.Clone(sel.Cases), func(c result.Case) bool { return xs.Named(c.Contender) != nil })
	return sel
}

// An exchange is the directory of the files that external contenders read and write.
type exchange string

// newExchange makes the directory. The caller must remove it. The error is a *drive.TempError.
func newExchange() (exchange, error) {
	dir, err := os.MkdirTemp("", "assay-external-")
	if err != nil {
		return "", &drive.TempError{Err: err}
	}
	return exchange(dir), nil
}

// data returns the file of the values of a workload and size.
func (e exchange) data(workload, size string) string {
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == 0 {
			return '_'
		}
		return r
	}, workload+" "+size)
	return filepath.Join(string(e), name+".jsonl")
}

// peers returns the contenders of its format that a group's runner links, the reference first.
func (x *External) peers(group string) []string {
	var out []string
	for _, c := range contenders.All() {
		if c.Format != x.Format || c.Group != group && !common(c.Name) {
			continue
		}
		if c.Name == Reference {
			out = slices.Insert(out, 0, c.Name)
		} else {
			out = append(out, c.Name)
		}
	}
	return out
}

// losses returns the declared losses of every contender, including its own.
func (x *External) losses() map[string][]string {
	all := losses()
	for _, l := range x.Losses {
		all[x.Name] = append(all[x.Name], string(l))
	}
	return all
}

// verified verifies its cases together with a runner of ours. It adds a note if there was no
// other contender of its format.
func (x *External) verified(ctx context.Context, ours drive.Runner, group string, cases []result.Case, at exchange, sink func(result.Record) error, event func(drive.Event)) (verify.ExternalResult, error) {
	res, err := verify.External(ctx, verify.ExternalConfig{
		Ours: ours, Theirs: x.runner(ours.Seed, ours.Limits.Memory, at.data), External: x.Name, Cases: cases, Offers: x.does,
		Losses: x.losses(), Peers: x.peers(group), Own: x.Name == gotype.ExternalName, Files: string(at),
	}, sink, event)
	switch {
	case err != nil:
	case res.Alone:
		err = sink(result.Record{Note: &result.Note{Text: x.alone()}})
	case res.Apart != "":
		err = sink(result.Record{Note: &result.Note{Text: fmt.Sprintf("%s: the methods of your types make of them what no other contender reads (%s): it was verified by its own round trip only", x.Name, res.Apart)}})
	}
	return res, err
}

// alone returns a note on how little a verification without another contender of the format
// proves.
func (x *External) alone() string {
	return fmt.Sprintf("%s: for at least one size, no other contender of format %s could read its messages; there, only its own round trip was verified", x.Name, x.Format)
}
