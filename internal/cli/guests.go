package cli

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
	"assay/internal/guest"
	"assay/internal/infer/gotype"
	"assay/internal/plan"
	"assay/internal/verify"
	"assay/result"
	"assay/workload"
)

// A visitor is a contender from outside of the repository, with a runner of its
// own: what runner.toml and the runner itself say of it.
type visitor struct {
	*guest.Guest
	// about describes it as contenders are described. Its Group is the visitor's
	// own, and it has no Emit.
	about    *contender.Contender
	bindings []bench.BindingInfo
	modules  []result.Module
	// failure is why its runner did not say what it is; nil: it did.
	failure *drive.Failure
	// workloads are those of its cases.
	workloads []*workload.Workload
}

// visitors are those of one command.
type visitors []*visitor

// anyOf is what a binding is to when its runner takes any values from a file.
const anyOf = "*"

// guestGroup is the group of a contender from outside.
func guestGroup(name string) string { return "runner " + name }

// invite reads what the directories hold and asks each runner what it is. One
// that cannot say so, or says nothing of use, is a visitor all the same, whose
// cases fail.
func (a *app) invite(ctx context.Context, dirs []string) (visitors, error) {
	var out visitors
	for _, dir := range dirs {
		g, err := guest.Read(dir)
		if err != nil {
			return nil, usage(err)
		}
		v := &visitor{Guest: g, workloads: a.own.workloads()}
		if slices.Contains(called(known()), g.Name) || slices.ContainsFunc(out, func(o *visitor) bool { return o.Name == g.Name }) {
			return nil, usagef("%s: there is a contender %q already; give this one another name", filepath.Join(dir, guest.File), g.Name)
		}
		described, err := v.runner(0, nil).Describe(ctx)
		switch {
		case errors.As(err, &v.failure):
			if v.failure.Status != result.BuildFailed {
				v.failure.Reason = "asked what it is: " + v.failure.Reason
			}
		case err != nil:
			return nil, interrupted(ctx, err, " before anything was measured")
		default:
			if err := v.introduce(described); err != nil {
				v.failure = &drive.Failure{Status: result.Unsupported, Reason: "its runner " + err.Error()}
			}
		}
		v.describe()
		out = append(out, v)
	}
	return out, nil
}

// modeKey matches the modes that a visitor may have.
var modeKey = regexp.MustCompile(`^[a-z][a-z0-9-]*=[a-z0-9.-]+(,[a-z][a-z0-9-]*=[a-z0-9.-]+)*$`)

// introduce takes what the runner says of itself.
func (v *visitor) introduce(d *bench.Described) error {
	if d.Protocol != bench.Protocol {
		return fmt.Errorf("speaks version %d of the protocol, and this assay version %d (PROTOCOL.md)", d.Protocol, bench.Protocol)
	}
	known := false
	for _, b := range d.Bindings {
		if b.Contender != v.Name {
			return fmt.Errorf("has a binding of %q, and %s calls the contender %q", b.Contender, guest.File, v.Name)
		}
		known = known || slices.ContainsFunc(b.Ops, func(op result.Op) bool { return slices.Contains(result.Ops, op) })
		if b.Mode != "" && !modeKey.MatchString(b.Mode) {
			return fmt.Errorf("has a binding in the mode %q, which is not key=value pairs joined by commas", b.Mode)
		}
	}
	if !known {
		return errors.New("has no binding with an op to measure")
	}
	v.bindings, v.modules = d.Bindings, d.Modules
	if v.Version == "" && len(v.modules) > 0 {
		v.Version = v.modules[0].Version
	}
	return nil
}

// describe makes a contender of what is known.
func (v *visitor) describe() {
	c := &contender.Contender{
		Name: v.Name, Title: v.Title, Text: v.Text, Format: v.Format, License: v.License,
		Traits: v.Traits, Losses: v.Losses, Group: guestGroup(v.Name),
	}
	if v.failure != nil {
		c.Ops = []result.Op{result.Encode, result.Decode}
	}
	for _, op := range result.Ops {
		for _, b := range v.bindings {
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
	v.about = c
}

// holds reports why the visitor has nothing to do with a workload.
func (v *visitor) holds(w *workload.Workload) error {
	if v.failure != nil || slices.ContainsFunc(v.bindings, func(b bench.BindingInfo) bool { return b.Workload == anyOf || b.Workload == w.Name }) {
		return nil
	}
	return fmt.Errorf("its runner has no binding to %s", w.Name)
}

// offers says whether the runner has an op in a mode for a root message.
func (v *visitor) offers(workload, root, mode string, op result.Op) bool {
	return slices.ContainsFunc(v.bindings, func(b bench.BindingInfo) bool {
		return (b.Workload == anyOf || b.Workload == workload) && (b.Root == anyOf || b.Root == root) &&
			b.Mode == mode && slices.Contains(b.Ops, op)
	})
}

// does is offers for a case.
func (v *visitor) does(c result.Case) bool { return v.offers(c.Workload, v.root(c), c.Mode, c.Op) }

// root returns the root message of a case's size, or nothing.
func (v *visitor) root(c result.Case) string {
	for _, w := range v.workloads {
		if w.Name == c.Workload {
			if s, err := w.Size(c.Size); err == nil {
				return s.Root
			}
		}
	}
	return ""
}

// runner returns how the visitor's runner is started. data names the files of
// values; nil: it is not asked to load any.
func (v *visitor) runner(seed uint64, data func(workload, size string) string) drive.Runner {
	dir, err := filepath.Abs(v.Dir)
	if err != nil {
		dir = v.Dir
	}
	return drive.Runner{
		Binary: func(uint64) drive.Binary {
			return drive.Binary{Path: v.Command[0], Args: v.Command[1:], Dir: dir, Family: true}
		},
		Limits: drive.Limits{Memory: memoryLimit, Answer: cmp.Or(v.Timeout, answerLimit)},
		Seed:   seed, Data: data, Guest: true,
	}
}

// guest is what a run keeps of the visitor.
func (v *visitor) guest() result.Guest {
	return result.Guest{Name: v.Name, Format: v.Format, Title: v.Title, Version: v.Version, Modules: v.modules, Dir: v.Dir, Command: v.Command}
}

// guests are what a run keeps of all of them.
func (vs visitors) guests() []result.Guest {
	var out []result.Guest
	for _, v := range vs {
		out = append(out, v.guest())
	}
	return out
}

// about describes all of them.
func (vs visitors) about() []*contender.Contender {
	var out []*contender.Contender
	for _, v := range vs {
		out = append(out, v.about)
	}
	return out
}

// names are the names of all of them.
func (vs visitors) names() []string {
	var out []string
	for _, v := range vs {
		out = append(out, v.Name)
	}
	return out
}

// modes are the modes of all of them.
func (vs visitors) modes() []string {
	var out []string
	for _, v := range vs {
		for _, m := range v.about.Modes {
			out = append(out, m.Key)
		}
	}
	return out
}

// named returns the visitor of that name, or nil.
func (vs visitors) named(name string) *visitor {
	for _, v := range vs {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// holds is holds of the visitors among the contenders, and another function for
// the others.
func (vs visitors) holds(others func(*contender.Contender, *workload.Workload) error) func(*contender.Contender, *workload.Workload) error {
	return func(c *contender.Contender, w *workload.Workload) error {
		if v := vs.named(c.Name); v != nil {
			return v.holds(w)
		}
		return others(c, w)
	}
}

// refused returns the outcomes of the visitors' cases that their runners do not
// offer, although they offer something like them, or whose runner says nothing.
func (vs visitors) refused(cases []result.Case) []result.Outcome {
	var out []result.Outcome
	for _, c := range cases {
		v := vs.named(c.Contender)
		switch {
		case v == nil:
		case v.failure != nil:
			out = append(out, v.failure.Outcome(c))
		case !v.does(c):
			out = append(out, result.Outcome{Case: c, Status: result.Unsupported, Reason: fmt.Sprintf("its runner has no binding to %s in this mode", v.root(c))})
		}
	}
	return out
}

// ours returns a selection without the visitors.
func (vs visitors) ours(sel plan.Selection) plan.Selection {
	sel.Contenders = slices.DeleteFunc(slices.Clone(sel.Contenders), func(c *contender.Contender) bool { return vs.named(c.Name) != nil })
	sel.Cases = slices.DeleteFunc(slices.Clone(sel.Cases), func(c result.Case) bool { return vs.named(c.Contender) != nil })
	return sel
}

// reopened invites the guests of a stored run again, which must be what they
// were.
func (a *app) reopened(ctx context.Context, run *result.Run) (visitors, error) {
	var dirs []string
	for _, g := range run.Plan.Guests {
		if err := a.undamaged(g.Dir); err != nil {
			return nil, err
		}
		dirs = append(dirs, g.Dir)
	}
	vs, err := a.invite(ctx, dirs)
	if err != nil {
		return nil, err
	}
	for i, g := range run.Plan.Guests {
		now := vs[i].guest()
		// One that does not say what it is, now or then, has no version.
		newer := now.Version != g.Version && now.Version != "" && g.Version != ""
		if now.Name != g.Name || newer || now.Format != g.Format || !slices.Equal(now.Command, g.Command) {
			return nil, usagef("the runner in %s is another one since run %s began; start a new run", g.Dir, run.ID)
		}
	}
	return vs, nil
}

// An exchange is the directory of what visitors are handed and hand back.
type exchange string

// newExchange makes the directory; whoever made it removes it.
func newExchange() (exchange, error) {
	dir, err := os.MkdirTemp("", "assay-guest-")
	return exchange(dir), err
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

// peers are the contenders of a visitor's format that a runner of ours links,
// the reference first.
func (v *visitor) peers(group string) []string {
	var out []string
	for _, c := range contenders.All() {
		if c.Format != v.Format || c.Group != group && !common(c.Name) {
			continue
		}
		if c.Name == reference {
			out = slices.Insert(out, 0, c.Name)
		} else {
			out = append(out, c.Name)
		}
	}
	return out
}

// verified verifies a visitor's cases beside a runner of ours, and notes when
// there was nobody of its format.
func (v *visitor) verified(ctx context.Context, ours drive.Runner, group string, cases []result.Case, at exchange, sink func(result.Record) error, event func(drive.Event)) (verify.GuestResult, error) {
	all := losses()
	for _, l := range v.Losses {
		all[v.Name] = append(all[v.Name], string(l))
	}
	res, err := verify.Guest(ctx, verify.GuestConfig{
		Ours: ours, Theirs: v.runner(ours.Seed, at.data), Guest: v.Name, Cases: cases, Offers: v.does,
		Losses: all, Peers: v.peers(group), Own: v.Name == gotype.GuestName, Files: string(at),
	}, sink, event)
	switch {
	case err != nil:
	case res.Alone:
		err = sink(result.Record{Note: &result.Note{Text: v.alone()}})
	case res.Apart != "":
		err = sink(result.Record{Note: &result.Note{Text: fmt.Sprintf("%s: the methods of your types make of them what no other contender reads (%s): it was verified by its own round trip only", v.Name, res.Apart)}})
	}
	return res, err
}

// alone says what the verification of a visitor without a peer is worth.
func (v *visitor) alone() string {
	return fmt.Sprintf("%s: no other contender of its format, %s, could be asked to read its bytes: it was verified by its own round trip only", v.Name, v.Format)
}
